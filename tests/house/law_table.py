"""Where the value of each row of Bayfield's law must be seen by people, by hand. A new row is entered here.

SEEN: the place (a function of ``law_places``) whose words change with the value. RULES_ONLY: rows whose value no act
and no other page uses, each with why. REFUSED and ONE_VALUE rows cannot stand in a copy with another value at all.
"""


def _by_place(table: dict[str, str]) -> dict[str, str]:
    return {key: place for place, keys in table.items() for key in keys.split()}


SEEN = _by_place({
    "filing_window": "application.form_opens application.opens application.close_roll",
    "filing": """
        application.asks application.closes application.close_inclusive application.late application.paper_roll
        decision.by state.apply_before
    """,
    "application_form": "approval.covers",
    "committee_table": """
        decision.opens decision.allocation_method state.tiers strength.lb_factor strength.normal_bod strength.normal_tss
        slug.times state.large_source_gpd strength.typical_septic_tank_bod strength.typical_septic_tank_tss
        strength.typical_holding_tank_bod strength.typical_holding_tank_tss strength.typical_portable_toilet_bod
        strength.typical_portable_toilet_tss
    """,
    "committee_motions": "decision.carry_over_days decision.carry_over_from state.meeting_notice_hours",
    "decision_letters": """
        decision.body approval.from approval.to approval.condition winter.from winter.to state.exceptions
        state.plan_items state.fee_basis state.other_analysis application.fee_blocks_filing fees.test_parameters
    """,
    "letters_not_issued": "state.decide_by",
    "booking_offers": "hours.days hours.opens hours.closes rate.flow_gpd rate.percent rate.plan_gph rate.hard_gph",
    "waiting_list": "booking.answer_hours",
    "running_on": "booking.run_on_minutes",
    "load_strength": "slug.minutes",
    "gate_answer": "programme.kind approval.licence approval.insurance approval.certificates hours.holidays "
                   "approval.sticker gate.set_aside gate.set_aside_by",
    "logged_load": "record.due_working_days",
    "field_tests": """
        limits.ph_low limits.ph_high limits.flammable limits.toxic limits.corrosive limits.solids limits.fog_high
        limits.garbage limits.pickling limits.metals limits.odor limits.radioactive limits.inert_solids limits.color
        limits.strength limits.slug limits.untreatable limits.judged_by limits.solidifying limits.temp_high
        limits.remedies
    """,
    "sampling_plan": "testing.methods testing.access",
    "new_tests": "testing.retest_hours",
    "loads_to_test": "testing.regime",
    "further_tests": "testing.more_by",
    "accident_page": "violations.accident_report violations.accident_by",
    "special_times": "hours.special_by",
    "bill": "billing.late_days",
    "late_charge": "billing.late_percent billing.late_once",
    "invoice_run": "billing.period",
    "fee_rise": "state.fee_notice_days",
    "restriction_notice": "restriction.reasons restriction.scopes",
    "commands": "fees.special_weekends",
    "filing_after_revocation": "revocation.reapply_bar",
    "violation_notice": "violations.cease violations.penalty violations.each_day violations.liability",
    "suspension": "suspension.enabled",
    "review_steps": """
        revocation.review state.review_request_days state.review_done_days state.appeal_days state.hearing_days
        state.hearing_decided_days state.court_days
    """,
    "public_pages": """
        fees.surcharge_2007_bod fees.surcharge_2007_tss fees.surcharge_2007_p fees.surcharge_older_bod
        fees.surcharge_older_tss fees.strength_surcharge
    """,
})  # fmt: skip

NAMES_THE_TEXT = "says what the text rests on or calls things; nothing is reckoned or decided from it"
ROLE_IS_BUILT_IN = "the person who acts is fixed by the roles of the acts; the row is cited by them"
IN_WORDS = "a duty in words, told on the rules page; no act measures it"
NOT_SEPTAGE = "for sewer customers; no septage charge is reckoned from it"
STATE_OFFICE = "a date or duty towards the state's own offices; no act of the plant depends on it"
NOT_MEASURED = "the operator's form does not measure it; the operator writes what looks wrong"

RULES_ONLY = {
    "programme.basis": NAMES_THE_TEXT,
    "programme.who": NAMES_THE_TEXT,
    "application.to": ROLE_IS_BUILT_IN,
    "application.fee_set_by": ROLE_IS_BUILT_IN,
    "decision.settles": "approvals always hold an amount and conditions",
    "decision.outcomes": "the states of an application are fixed",
    "decision.alarm_days": "no reminder is sent yet; the table shows how many days are left",
    "approval.points_by": ROLE_IS_BUILT_IN,
    "restriction.related": IN_WORDS,
    "rate.basis": "a mean needs two rows more, which this law has not; tests/intake/test_rolling_mean.py has them",
    "restriction.until": "lifting asks what was done and cites it",
    "rate.printed_flow_gph": "a figure the text prints; it is never a limit",
    "rate.bleed": IN_WORDS,
    "rate.purposes": IN_WORDS,
    "fees.special_charge": NOT_SEPTAGE,
    "fees.rates_by": NAMES_THE_TEXT,
    "billing.late_base": "a fee beside septage takes more acts than one: tests/billing/test_late_of_loads.py",
    "testing.facilities_by": ROLE_IS_BUILT_IN,
    "testing.facilities_approved_by": ROLE_IS_BUILT_IN,
    "testing.by": ROLE_IS_BUILT_IN,
    "testing.spot_by": ROLE_IS_BUILT_IN,
    "testing.approved_by": ROLE_IS_BUILT_IN,
    "strength.normal_p": NOT_SEPTAGE,
    "record.filed_by": ROLE_IS_BUILT_IN,
    "record.to": ROLE_IS_BUILT_IN,
    "limits.solidify_from_f": NOT_MEASURED,
    "limits.solidify_to_f": NOT_MEASURED,
    "limits.grinder_hp": NOT_MEASURED,
    "limits.grinder_by": ROLE_IS_BUILT_IN,
    "manhole.written_by": ROLE_IS_BUILT_IN,
    "manhole.purposes": IN_WORDS,
    "revocation.grounds": "the Director picks a provision by its § or a condition of the approval",
    "violations.notice_by": IN_WORDS,
    "violations.notice": IN_WORDS,
    "winter.partial": "part approvals with a reason are always possible",
    "state.service_area_first": "the order of the tiers is fixed; the first is the service area",
    "state.septage_is": "what an approval covers is the town's row",
    "state.septage_is_not": "what an approval covers is the town's row",
    "state.dispute_stages": IN_WORDS,
    "state.dispute_percent": IN_WORDS,
    "state.cooperate": IN_WORDS,
    "state.licence_ends": "each license is entered with its own end date",
    "state.hauler_keeps_years": STATE_OFFICE,
    "state.report_due": STATE_OFFICE,
    "state.cmar_due": STATE_OFFICE,
    "state.day_counting": "told beside the steps of a review; how days are counted is written in the program",
    "state.plant_keeps_years": "nothing is ever deleted",
}

# Another value that shows: where the usual one stays within what the law takes anyway.
OTHER = {
    "application.asks": ["type", "quantity", "location"],
    "state.large_source_gpd": 1,
    "strength.normal_bod": 100,
    "rate.flow_gpd": 120000,
    "rate.percent": "5",
    "rate.plan_gph": 600,
    "rate.hard_gph": 680,
    "approval.certificates": "needed",
    "hours.special_by": "plant_manager",
    "gate.set_aside_by": "plant_manager",
    "limits.fog_high": {"parameter": "grease", "above": "100", "unit": "mg/L", "severity": "ask"},
}

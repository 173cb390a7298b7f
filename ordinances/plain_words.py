"""Plain words for what a row of the law holds: each option, each flag, short lists and quantities, by key.

`values` knows how a kind of value is written; here stands what it means under its key, as the rules page says it.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from ordinances.schema import ROLES, Key
from ordinances.values import words

_ROLE_WORDS = {
    "director": "the Director", "plant_manager": "the plant manager", "superintendent": "the Superintendent",
    "committee": "the committee", "council": "the Common Council", "operator": "the plant operator",
    "director_or_manager": "the Director or the plant manager", "utility_committee": "the Utility Committee",
    "utility_district": "the Utility District", "hauler": "the hauler", "city": "the city", "clerk": "the clerk",
}  # fmt: skip
_WASTE_WORDS = {
    "septic_tank": "septic tanks", "holding_tank": "holding tanks", "portable_toilet": "portable toilets",
    "grease_interceptor": "grease interceptors", "other": "other hauled waste",
}  # fmt: skip

_OPTIONS: dict[str, dict[str, str]] = {
    "programme.kind": {
        "window_committee": "approvals for one season, applied for once a year and decided by the committee",
        "by_agreement": "unloading only under an agreement made with the plant",
        "prohibited": "no septage is taken",
    },
    "programme.capacity_reserve": {
        "informational": "shown to the committee; it binds no decision",
        "binding": "kept free in every decision",
    },
    "programme.marina": {"out_of_scope": "not hauled septage, so these rules do not count it"},
    "application.close_roll": {
        "none": "stays the closing day",
        "next_open_day": "moves to the next day the plant is open",
    },
    "application.paper_roll": {
        "none": "stays the closing day",
        "next_open_day": "moves to the next day the plant is open",
    },
    "booking.late_cancel": {"nothing": "nothing follows", "recorded": "it is kept on the hauler's record"},
    "application.late": {
        "ask_committee": "the committee may be asked to take it",
        "refuse": "it is not taken",
    },
    "decision.overdue": {"pending": "stays open, and is not approved until it is decided"},
    "decision.first_consideration": {
        "source_in_area": "waste from inside the sewer service area",
        "hauler_in_area": "haulers from inside the sewer service area",
    },
    "decision.allocation_method": {
        "pro_rata": "in proportion to the gallons asked for",
        "equal": "in equal shares",
    },
    "decision.conflict": {"recuse": "the member does not vote on it"},
    "decision.quorum": {"majority": "more than half of the members, not counting the recused"},
    "approval.covers": _WASTE_WORDS,
    "approval.certificates": {
        "none": "not asked for",
        "shown": "shown at the gate when they have ended; nobody is kept out",
        "needed": "the driver who unloads must hold one that has not ended",
    },
    "gate.set_aside": {
        "insurance": "insurance that has ended",
        "certificates": "a driver's certificate that is missing or has ended",
        "driver": "a driver who is not named for the company",
        "sticker": "a truck's sticker that is missing",
        "account_hold": "an account on hold",
        "truck_not_approved": "a truck that is not approved",
        "statement_open": "a statement that is still to come of where a refused load went",
    },
    "hours.rule": {"finish_by": "unloading is finished"},
    "hours.holidays": {"closed": "no unloading", "open": "unloading as on other days"},
    "hours.normal_hours": {"narrower_wins": "where they differ, the shorter hours hold"},
    "rate.scope": {"plant": "all haulers and all receiving points together"},
    "rate.basis": {
        "stated": "the flow stated, not the flow of the hour or an average",
        "rolling_mean": "the mean of the days recorded last",
    },
    "rate.basis_short": {
        "stated": "the flow stated counts until there are enough",
        "closed": "nothing is unloaded until there are enough",
    },
    "rate.rounding": {"down": "down to a whole gallon"},
    "fees.volume_basis": {
        "measured_else_declared": "those measured; where there is no meter, those declared",
        "declared": "those declared",
        "capacity": "the whole tank of the truck",
    },
    "fees.test_unit": {"load": "all usual tests of one load", "test": "one test"},
    "fees.test_applies_to": {"all": "every load", "non_residential": "only loads that are not residential"},
    "fees.special_wage_role": {
        "person_supervising": "that of the person who supervises the unloading",
        "superintendent": "that of the Superintendent",
        "plant_manager": "that of the plant manager",
        "director": "that of the Director",
    },
    "fees.strength_surcharge": {
        "none": "there is none",
        "older": "by the older table",
        "table_2007": "by the table of 2007",
    },
    "testing.regime": {"every_load": "every load", "spot": "some loads, chosen on the spot"},
    "testing.spot_for": {"each_hauler": "each hauler, by letter"},
    "testing.more_cost": {"cost_or_extra_test": "what they cost, or the charge for a further test"},
    "billing.period": {"monthly": "once a month", "bimonthly": "every two months", "per_load": "with each load"},
    "billing.late_base": {
        "unpaid_current_period": "the unpaid septage charges of that invoice only",
        "unpaid": "everything unpaid of that invoice but late charges",
    },
    "billing.tax_roll": {
        "none": "they do not go on the tax roll",
        "property_accounts": "those of a property go on its tax bill",
    },
    "slug.reading": {
        "blended": "in the flow after mixing",
        "literal": "in the load as it comes from the truck",
    },
    "violations.accident_phone": {"plant": "the plant's own number"},
    "revocation.review": {
        "ch68": "by the state's municipal review procedure (ch. 68, Wis. Stats.)",
        "own_procedure": "by the ordinance's own procedure",
    },
    "revocation.reapply_bar": {
        "none": "allowed in the next filing window",
        "one_year": "not for one year",
    },
}

# What a flag means when it is set, and when it is not; the title stands before it.
_FLAGS: dict[str, tuple[str, str]] = {
    "application.close_inclusive": ("yes, to its last second", "no, the day before is the last"),
    "application.in_writing": ("yes", "no form is needed"),
    "application.fee_refundable": ("yes", "no, whatever is decided"),
    "application.fee_blocks_filing": (
        "yes, nothing is decided before it is paid",
        "no, an application may be decided before it is paid",
    ),
    "approval.plan_required": ("yes, with every approval", "no"),
    "approval.sticker": ("yes, on each truck", "no"),
    "approval.licence": ("yes, the state's license for septage haulers", "no"),
    "restriction.immediate": ("yes", "no, from the date stated"),
    "hours.supervised": ("yes, with somebody from the plant there", "no, haulers may unload alone"),
    "approval.insurance": ("yes, on the day of each load", "no"),
    "rate.bleed": ("yes", "no, within the limit"),
    "fees.special_weekends": ("yes", "no"),
    "fees.special_charge": ("yes", "no"),
    "testing.access": ("yes", "no"),
    "testing.result_prevails": ("yes", "no, another result counts as well"),
    "record.bars_booking": ("yes, until it is in", "no"),
    "billing.automatic": ("yes", "no, the clerk makes them"),
    "billing.late_once": ("yes, it is never added again", "no, it is added again while unpaid"),
    "revocation.written_reason": ("yes", "no"),
    "revocation.immediate": ("yes, from the moment it is sent", "no, from the date stated"),
    "suspension.enabled": ("yes, for a time", "no, an approval holds or is revoked"),
    "violations.each_day": ("yes", "no"),
    "review.fee_refundable": ("yes", "no"),
    "interceptor.licensed_firms": ("yes", "no, anybody may"),
    "winter.partial": ("yes", "no"),
    "state.service_area_first": ("yes", "no, all waste is alike"),
    "state.cooperate": ("yes", "no"),
}

# Short words of a list that say too little by themselves.
_NAMES: dict[str, dict[str, str]] = {
    "decision.settles": {"amount": "how many gallons", "conditions": "under which conditions"},
    "restriction.reasons": {
        "operational_problem": "operational problems",
        "maintenance_problem": "maintenance problems",
        "permit_threat": "a threat of violating the discharge permit",
    },
    "restriction.scopes": {
        "everything": "all unloading",
        "types": "some types of waste",
        "points": "some receiving points",
        "rate": "the rate of unloading",
    },
    "rate.purposes": {"prevent_slug_loading": "to prevent slugs (sudden strong loads)"},
}
_ONE = re.compile(r"\b(day|hour|minute|month|year|gallon|pound)s\b")
_PARTS = {Decimal("0.25"): "a quarter", Decimal("0.5"): "half a", Decimal("0.75"): "three quarters of a"}


def option_words(key: Key, option: str) -> str:
    """What an option of a choice means under its key. Raises KeyError for one that has no words."""
    known = _OPTIONS.get(key.name)
    if known is None and key.options == ROLES:
        known = _ROLE_WORDS
    if known is None:
        raise KeyError(f"no words for the options of {key.name}")
    return known[option]


def plain(key: Key, value: Any, judge: str = "superintendent") -> str:
    """The value of a row as a person reads it under its title; `judge` is the role asked about a doubtful load."""
    if key.type == "limit":
        return words("limit", value).replace("{judge}", _ROLE_WORDS[judge])
    if key.type in ("integer", "decimal"):
        return _quantity(value, key)
    return _word(key, value) or words(key.type, value, key.unit)


def _word(key: Key, value: Any) -> str:
    """The words that stand under the key itself; "" where the kind of value says enough."""
    if key.type in ("choice", "choices"):
        return ", ".join(option_words(key, one) for one in ((value,) if key.type == "choice" else value))
    if key.type == "flag":
        return _FLAGS[key.name][0 if value else 1]
    if key.name == "decision.alarm_days":
        return _reminders(value)
    known = _NAMES.get(key.name)
    return ", ".join(known.get(one.replace(" ", "_"), one) for one in value) if known else ""


def _quantity(value: Any, key: Key) -> str:
    """ "1 hour", "a quarter hour", "20 days", "8.34 pounds per gallon"."""
    if key.unit == "hours" and value in _PARTS:
        return f"{_PARTS[value]} hour".replace("half a hour", "half an hour").replace("of a hour", "of an hour")
    unit = _ONE.sub(r"\1", key.unit, count=1) if value == 1 else key.unit
    return words(key.type, value, unit)


def _reminders(days: tuple[str, ...]) -> str:
    later = [day for day in days if day != "0"]
    said = ["on the day itself"] if "0" in days else []
    if later:
        listed = " and ".join(filter(None, [", ".join(later[:-1]), later[-1]]))
        said.append(f"{listed} {'day' if later == ['1'] else 'days'} after it")
    return ", then ".join(said)

"""Each place where people meet the law: a function of the scene that returns all its words."""

import re
from datetime import date, time
from decimal import Decimal
from typing import Any

from sqlalchemy import select

from billing import actions as billing
from billing.models import Account, Invoice
from billing.queries import entries_of
from haulers import actions as acts
from haulers.actions import DecisionLine
from haulers.actions.reminding import remind_of_letters
from haulers.actions.reviews import enter_review, finish_review_step
from haulers.actions.suspension import suspend_approval
from haulers.actions.violations import issue_violation
from haulers.models import Application, Approval, Business, Motion
from haulers.queries import SourceLine, party_of_business, trucks_of
from haulers.queries.answers import Answers
from haulers.queries.enforcement import steps_of
from haulers.queries.written_days import issuing
from haulers.states import Outcome
from intake.actions.flow import put_flow_in_force
from intake.actions.lab import enter_result
from intake.actions.more_tests import order_more_tests
from intake.actions.restriction import restrict_plant
from intake.actions.retest import ask_retest
from intake.actions.special import Ask, arrange_special, ask_special
from intake.actions.special_terms import set_special_terms
from intake.models import Load
from intake.queries import pounds
from intake.queries.gate import may_discharge
from intake.queries.station import today
from office.access import system
from office.db import db
from office.law_commands import law_group
from ordinances.gate import may_set_aside
from ordinances.refusal import Refusal
from ordinances.screening import remedies
from tests import world
from tests.haulers import builders
from tests.house.law_copies import canonical
from tests.house.law_scene import DRAFTING, OWNER, SOURCES, TUESDAY, WAITING, Scene, law_at, log, refused

# ---------------------------------------------------------------- Pages


def filing_window(scene: Scene) -> str:
    """The public page about applying, before the form, with the form, open, closed, and in a year the day rolls."""
    days = ("2026-06-20T08:00", "2026-07-20T08:00", "2026-08-12T08:00", "2026-09-05T08:00", "2029-08-12T08:00")
    return "\n".join(scene.page("anybody", "/apply", day) for day in days)


def application_form(scene: Scene) -> str:
    """The form the hauler fills in, and its answers to check."""
    return scene.page(DRAFTING, "/hauler/apply/sources") + scene.page(DRAFTING, "/hauler/apply/check")


def committee_table(scene: Scene) -> str:
    """The table before, in and after the month of decisions; the record to fill in; two applications."""
    days = ("2026-08-20T08:00", "2026-09-15T08:00", "2026-10-05T08:00")
    shown = [scene.page("member1", "/committee?season=2026-27", day) for day in days]
    return "\n".join([*shown, scene.page("member1", "/committee/2026-27/decide", days[1]),
                      *(scene.page("member1", f"/committee/2026-27/{no}", days[1]) for no in (1, 2))])  # fmt: skip


def committee_motions(scene: Scene) -> str:
    """The motion that carries approvals over, to be filled in."""
    return scene.page("member1", "/committee/2026-27/motion/carry-over", "2026-10-05T08:00")


def booking_offers(scene: Scene) -> str:
    """The times offered for a small and a large load, on a weekday, a Friday, a weekend and a holiday."""
    truck, now = trucks_of(scene.business(OWNER).id)[0].id, "2026-10-06T06:00"
    asked = [("2026-10-06", 1700), ("2026-10-05", 1700), ("2026-10-10", 1700), ("2026-11-26", 1700),
             ("2026-10-06", 2900)]  # fmt: skip
    shown = [scene.page(OWNER, f"/hauler/book/times?truck={truck}&waste=septic_tank&gallons={g}&day={d}", now)
             for d, g in asked]  # fmt: skip
    return "\n".join([scene.page(OWNER, "/hauler/book", now), *shown, scene.page("anybody", "/week", now)])


def waiting_list(scene: Scene) -> str:
    """How long an offer of room that is given back stands."""
    return scene.page(OWNER, "/hauler/waiting", "2026-10-06T06:00")


def price_before_booking(scene: Scene) -> str:
    """The last page before a booking is made, with what the load will cost."""
    truck, now = trucks_of(scene.business(OWNER).id)[0].id, "2026-10-06T06:00"
    times = scene.page(OWNER, f"/hauler/book/times?truck={truck}&waste=septic_tank&gallons=1700&day=2026-10-07", now)
    found = re.search(r'name="time"[^>]*value="([^"]+)"', times) or re.search(r'value="(2026[^"]+)"', times)
    key = found[1] if found else ""
    return scene.page(OWNER, f"/hauler/book/check?truck={truck}&waste=septic_tank&gallons=1700&s={key}", now)


def home_of_director(scene: Scene) -> str:
    """The Director's pages: restrict, flow and limit, revoke."""
    approval = db.session.scalars(select(Approval.id)).first()
    now = "2026-10-06T06:30"
    pages = ("/director", "/director/restrict", "/director/flow", f"/director/approvals/{approval}/revoke")
    return "\n".join(scene.page("director", address, now) for address in pages)


def public_pages(scene: Scene) -> str:
    """The plant today, the restrictions and the charges."""
    now = "2026-10-06T06:30"
    return scene.page("anybody", "/", now) + scene.page("anybody", "/fees?gallons=1500&waste=septic_tank", now)


def invoice_run(scene: Scene) -> str:
    """The clerk's page before invoices are made, ten days after the last ones and fifty days after."""
    return "\n".join(scene.page("clerk", "/clerk/invoices/run", at) for at in ("2026-10-17T08:00", "2026-11-20T08:00"))


def fee_rise(scene: Scene) -> str:
    """The clerk's page before haulers are told of a rise: the first day it may start."""
    return scene.page("clerk", "/admin/fee-notices/new", "2026-11-20T08:00")


def rules_page(scene: Scene) -> str:
    """Every row of the law with its §."""
    return scene.page("anybody", "/rules")


# ---------------------------------------------------------------- Acts: letters, charges, answers


def filing(scene: Scene) -> str:
    """Sending the application: in time, on the last day, late; and with grease in it, or without what is asked."""
    said = []
    for at in ("2026-07-20T10:00", "2026-08-12T10:00", "2026-08-14T10:00", "2026-09-01T12:00", "2026-09-05T10:00"):
        said.append(scene.done(builders.send(scene.business(DRAFTING), at), at))
    grease = SourceLine("portable_toilet", "Fairs", "outside", "Weekly", 500, 500, 500)
    builders.draft(scene.business(DRAFTING), grease, at="2026-08-12T09:00")
    said.append(scene.done(builders.send(scene.business(DRAFTING), "2026-08-12T10:00")))
    nothing = SourceLine("septic_tank", "", "outside", "", None, 500, 500)
    builders.draft(scene.business(DRAFTING), nothing, at="2026-08-12T09:00")
    said.append(scene.done(builders.send(scene.business(DRAFTING), "2026-08-12T10:00")))
    for at in ("2026-09-02T10:00", "2029-09-03T10:00"):  # the close of 2029 is a Saturday
        said.append(scene.done(paper(scene.business(OWNER), at), at))
    return "\n".join(said)


def paper(business: Business, at: str) -> Any:
    """A paper application received and entered at an instant: the act's own answer."""
    when = world.at(at)
    return acts.enter_application(world.plant(), business.id, SOURCES, Answers(), when.date(), by=world.staff("clerk"),
                                  at=when, law=law_at(when))  # fmt: skip


def filing_after_revocation(scene: Scene) -> str:
    """A hauler whose approval was revoked sends an application in the next window."""
    at, business = world.at("2026-12-01T09:00"), scene.business(OWNER)
    approval = db.session.scalars(select(Approval)).one()
    acts.revoke_approval(world.plant(), approval.id, "§ 329-7 F(4)", "Unloaded at night.", by=world.staff("director"),
                         at=at, law=law_at(at))  # fmt: skip
    acts.add_licence(business, state="WI", number="9", ends_on=date(2028, 6, 30), by=builders.acting(business), at=at)
    builders.draft(business, *SOURCES, at="2027-08-01T09:00")
    return scene.done(builders.send(business, "2027-08-12T10:00"))


def decision_letters(scene: Scene) -> str:
    """Approved, approved in part and rejected, each with its letter; refused without the state's reason."""
    when = "2026-09-16T09:00"
    said = []
    for outcome, winter, rest, code, over in (
        (Outcome.APPROVED, 240_000, 600_000, "", True), (Outcome.APPROVED, 240_000, 600_000, "", False),
        (Outcome.IN_PART, 30_000, 40_000, "capacity_or_limits", False), (Outcome.REJECTED, 0, 0, "no_approval", False),
        (Outcome.REJECTED, 0, 0, "", False),
    ):  # fmt: skip
        asked = db.session.scalars(select(Application).filter_by(business_id=scene.business(WAITING).id)).one()
        why = "" if outcome is Outcome.APPROVED else "The plant is full"
        line = DecisionLine(asked.id, outcome, winter, rest, code or None, why, ("Call before you come",),
                            departure="It can be stored")  # fmt: skip
        result = acts.decide_applications(world.plant(), builders.roll(), [line], over, by=world.staff("clerk"),
                                          at=world.at(when), law=law_at(world.at(when)))  # fmt: skip
        if isinstance(result, Motion):
            acts.issue_letters(world.plant(), result.id, by=world.staff("clerk"), at=world.at(when),
                               law=law_at(world.at(when)))  # fmt: skip
        db.session.flush()
        made = [(one.starts, one.ends) for one in db.session.scalars(select(Approval).order_by(Approval.id))]
        said.append(scene.done(result, made))
    return "\n".join(said)


def letters_not_issued(scene: Scene) -> str:
    """Voted on and not issued: what the clerk is reminded of, and on which days."""
    asked = db.session.scalars(select(Application).filter_by(business_id=scene.business(WAITING).id)).one()
    line = DecisionLine(asked.id, Outcome.REJECTED, 0, 0, "no_approval", "The plant is full")
    acts.decide_applications(world.plant(), builders.roll(), [line], by=world.staff("clerk"),
                             at=world.at("2026-09-16T09:00"), law=law_at(world.at("2026-09-16T09:00")))  # fmt: skip
    db.session.flush()
    days = [world.at(at) for at in ("2026-09-17T08:00", "2026-10-01T08:00", "2026-10-09T08:00")]
    found = [one for at in days for one in issuing(world.plant(), law_at(at), at)]
    marks = [(one.mark, one.deadline.day) for one in found]
    sent = [remind_of_letters(world.plant(), one, by=system(), at=days[0], law=law_at(days[0])) for one in found]
    return scene.done(sent, marks)


def gate_answer(scene: Scene) -> str:
    """May this truck unload: in and out of hours, on a weekend and a holiday, of each waste, without a license."""
    business = scene.business(OWNER)
    truck, said = trucks_of(business.id)[0].id, []
    for at, waste in (
        (TUESDAY, "septic_tank"), (TUESDAY, "portable_toilet"), (TUESDAY, "grease_interceptor"),
        ("2026-10-06T10:10", "septic_tank"), ("2026-10-06T07:05", "septic_tank"), ("2026-10-05T07:30", "septic_tank"),
        ("2026-10-10T07:30", "septic_tank"), ("2026-11-26T07:30", "septic_tank"), ("2027-07-06T07:30", "septic_tank"),
    ):  # fmt: skip
        when = world.at(at)
        one = may_discharge(world.plant(), law_at(when), when, business_id=business.id, truck_id=truck, waste=waste)
        said.append(f"{at} {waste}: {one.code}, {one.sentence} ({one.cite}) {one.next_step}")
        # What may be set aside for one load, and by whom, stands beside a no.
        said.append(may_set_aside(law_at(when), when.date(), "insurance").words)
    db.session.rollback()
    return "\n".join(said)


def _logged(scene: Scene, at: str = "2026-10-07T07:10", **given: Any) -> str:
    load = log(scene.business(OWNER), world.at(at), **given)
    more = []
    if isinstance(load, Load):
        more = [load.record_due, [(e.code, e.quantity, e.amount_cents, e.what) for e in entries_of("load", load.id)]]
    return scene.done(load, *more)


def logged_load(scene: Scene) -> str:
    """A load taken in: its charges, its ticket, what the hauler is told, when its record is due."""
    return "\n".join([
        _logged(scene), _logged(scene, gallons=1_900), _logged(scene, gallons=3_100), _logged(scene, basis="declared"),
        _logged(scene, tested=False), _logged(scene, bottle=""), _logged(scene, at="2026-10-07T09:50"),
        _logged(scene, waste="portable_toilet"), _logged(scene, normal=False),
    ])  # fmt: skip


def running_on(scene: Scene) -> str:
    """The trucks that ended by the plan and may still run, 46 minutes after one's end."""
    began, asked = world.at("2026-10-07T07:00"), world.at("2026-10-07T08:41")
    load = log(scene.business(OWNER), began, gallons=600)
    assert not isinstance(load, Refusal), load
    db.session.flush()
    found = [one.load.business_name for one in today(world.plant(), law_at(asked), asked).ended]
    db.session.rollback()
    return ", ".join(found)


def accident_page(scene: Scene) -> str:
    """Where an accident is reported."""
    return scene.page("operator", "/accident", "2026-10-06T08:00")


def sampling_plan(scene: Scene) -> str:
    """Where a hauler proposes how its waste is sampled."""
    return scene.page(OWNER, "/hauler/sampling/propose", "2026-10-06T08:00")


def loads_to_test(scene: Scene) -> str:
    """Which loads are tested where no letter says it."""
    return scene.page("director", "/director/testing", "2026-10-06T08:00")


def new_tests(scene: Scene) -> str:
    """New tests that a hauler asks for."""
    at, owner = world.at("2026-10-07T07:00"), scene.business(OWNER)
    load = log(owner, at)
    assert not isinstance(load, Refusal), load
    enter_result(load, "BOD5", "4,200", by=world.staff("operator"), at=world.at("2026-10-13T09:00"), law=law_at(at))
    row = ask_retest(load, ("BOD5",), "Too high", by=builders.acting(owner), at=world.at("2026-10-14T09:00"),
                     law=law_at(at))  # fmt: skip
    return scene.done(row, row.hours if not isinstance(row, Refusal) else 0)


def load_strength(scene: Scene) -> str:
    """The pounds of a load and whether it was a slug: one that ran for sixteen minutes."""
    at = world.at("2026-10-07T07:00")
    load = log(scene.business(OWNER), at, gallons=177)
    assert not isinstance(load, Refusal), load
    db.session.flush()
    result = enter_result(load, "TSS", "90,000", by=world.staff("operator"), at=world.at("2026-10-13T09:00"),
                          law=law_at(at))  # fmt: skip
    found = pounds.of_load(load)
    assert found is not None
    said = [one.words for one in found.slugs] + [one.steps for one in found.tests]
    return scene.done(result, *said)


def further_tests(scene: Scene) -> str:
    """Further tests that the operator, or the state, orders."""
    at, owner = world.at("2026-10-07T07:00"), scene.business(OWNER)
    load = log(owner, at)
    assert not isinstance(load, Refusal), load
    made = [
        order_more_tests(load, "Metals", 1, office, "K. Berg", "Green color", by=world.staff("operator"), at=at,
                         law=law_at(at))
        for office in ("plant operator", "Department of Natural Resources")
    ]  # fmt: skip
    return scene.done(made[0], *(refused(one) for one in made if isinstance(one, Refusal)))


def special_times(scene: Scene) -> str:
    """A special time: what the Director enters for it, asked for, approved with its letter."""
    at, owner, director = world.at("2026-10-07T12:00"), scene.business(OWNER), world.staff("director")
    entered = set_special_terms(world.plant(), at.date(), "Order 7", opens=time(6), closes=time(16), by=director, at=at,
                                law=law_at(at))  # fmt: skip
    asked = Ask(owner.id, trucks_of(owner.id)[0].id, "septic_tank", 300, date(2026, 10, 8), time(14), "Full")
    row = ask_special(world.plant(), asked, accepts=5436, by=builders.acting(owner), at=at, law=law_at(at))
    made = row
    if not isinstance(row, Refusal):
        made = arrange_special(world.plant(), row.number, by=director, at=at, law=law_at(at))
    return scene.done(made, refused(entered) if isinstance(entered, Refusal) else len(entered))


def field_tests(scene: Scene) -> str:
    """A load at the gate whose pH or look is wrong: refused, the Superintendent asked, or a warning kept."""
    limits = [row["value"] for row in canonical()["rows"] if isinstance(row["value"], dict)]
    seen = {one["parameter"]: one["severity"] for one in limits if one["parameter"] not in ("ph", "temp_f")}
    rejected = [one for one, severity in seen.items() if severity == "reject"]
    others = [one for one in seen if one not in rejected]
    said = [_logged(scene, ph=Decimal(ph)) for ph in ("5.4", "9.6")]
    said += [_logged(scene, flags=(flag,), normal=False, note="Looks odd") for flag in rejected]
    answers = (("", ""), ("Take it", "reject the waste"), ("Take it", "take it as it is"))
    said += [_logged(scene, flags=others, normal=False, note="Odd", answer=a, finding=found) for a, found in answers]
    hot = _logged(scene, temp_f=Decimal(151))
    said += [hot, str(remedies(law_at(world.at("2026-10-07T07:10")), date(2026, 10, 7)))]
    return "\n".join(said)


def bill(scene: Scene) -> str:
    """An invoice made: due day, late words, readings."""
    owner = scene.business(OWNER)
    log(owner, world.at("2026-10-07T07:10"))
    account = db.session.scalars(select(Account).filter_by(party_id=party_of_business(owner.id).id)).one()
    at = world.at("2026-10-08T09:00")
    made = billing.make_invoice(world.plant(), account, by=world.staff("clerk"), at=at, law=law_at(at))
    return scene.done(made, getattr(made, "due_on", ""))


def late_charge(scene: Scene) -> str:
    """The late charge of the unpaid invoice on the day after its last day, and again a month later."""
    said = []
    for at in ("2026-10-27T08:00", "2026-10-28T08:00"):
        invoice = db.session.scalars(select(Invoice)).one()
        made = billing.add_late_charge(invoice, by=world.staff("clerk"), at=world.at(at), law=law_at(world.at(at)))
        again = billing.add_late_charge(invoice, by=world.staff("clerk"), at=world.at("2026-12-01T08:00"),
                                        law=law_at(world.at(at)))  # fmt: skip
        both = [refused(one) if isinstance(one, Refusal) else (one.amount_cents, one.what) for one in (made, again)]
        said.append(scene.done(made, both))
    return "\n".join(said)


def restriction_notice(scene: Scene) -> str:
    """Restricting for each reason and scope, and lifting: what is refused and what everybody is told."""
    at, said = world.at("2026-10-06T06:30"), []
    for reason, scope, more in (("operational_problem", "everything", {}), ("permit_threat", "rate", {"gph": 300}),
                                ("maintenance_problem", "rate", {"gph": 9_000}),
                                ("permit_threat", "types", {"wastes": ["holding_tank"]})):  # fmt: skip
        row = restrict_plant(world.plant(), reason, scope=scope, **more, by=world.staff("director"), at=at,
                             law=law_at(at))  # fmt: skip
        ends = [] if isinstance(row, Refusal) else [row.planning_end]
        said.append(scene.done(row, *ends))
    return "\n".join(said)


def revocation_letter(scene: Scene) -> str:
    """Revoking: the letter, what others are told; with no reason it is refused; and the gate after it."""
    at, said = world.at("2026-10-06T06:30"), []
    for reason in ("", "Unloaded at night."):
        approval = db.session.scalars(select(Approval)).one()
        result = acts.revoke_approval(world.plant(), approval.id, "§ 329-7 F(4): Unloading within the hours", reason,
                                      by=world.staff("director"), at=at, law=law_at(at))  # fmt: skip
        said.append(scene.done(result))
    return "\n".join(said)


def violation_notice(scene: Scene) -> str:
    """The notice of a violation, as it is sent."""
    at = world.at("2026-10-06T06:30")
    return scene.done(issue_violation(
        world.plant(), scene.business(OWNER).id, "§ 329-7 F(4): Unloading within the hours", "Unloaded at night.",
        [date(2026, 10, 5)], (), date(2026, 10, 20), by=world.staff("clerk"), at=at, law=law_at(at),
    ))  # fmt: skip


def suspension(scene: Scene) -> str:
    """An approval suspended, or why it cannot be."""
    at, approval = world.at("2026-10-06T06:30"), db.session.scalars(select(Approval)).one()
    return scene.done(suspend_approval(world.plant(), approval.id, "§ 329-7 F(4)", "Unloaded at night.", None,
                                       by=world.staff("director"), at=at, law=law_at(at)))  # fmt: skip


def review_steps(scene: Scene) -> str:
    """A review of a revocation through all its steps, each on the day after the one before."""
    at, approval = world.at("2026-10-06T06:30"), db.session.scalars(select(Approval)).one()
    made = acts.revoke_approval(world.plant(), approval.id, "§ 329-7 F(4)", "Unloaded at night.",
                                by=world.staff("director"), at=at, law=law_at(at))  # fmt: skip
    later = world.at("2026-12-01T09:00")
    result = enter_review(world.plant(), "We object.", date(2026, 10, 7), "Ann", revocation_id=made.id,
                          by=world.staff("clerk"), at=later, law=law_at(later))  # fmt: skip
    if isinstance(result, Refusal):
        return scene.done(result)
    for day in range(8, 14):
        finish_review_step(world.plant(), result.id, date(2026, 10, day), "", by=world.staff("clerk"), at=later,
                           law=law_at(later))  # fmt: skip
    return scene.done(result, [(one.name, one.due_on) for one in steps_of(result.id)])


def flow_put_in_force(scene: Scene) -> str:
    """A lower flow in force: the limit it gives, the bookings that end, what their haulers are told."""
    at, said = world.at("2026-10-06T06:30"), []
    for gpd in (40_000, 8_000, 300):
        said.append(scene.done(put_flow_in_force(world.plant(), gpd, date(2026, 10, 8), "Order 1",
                                                 by=world.staff("director"), at=at, law=law_at(at))))  # fmt: skip
    return "\n".join(said)


PRICE = "price bayfield --gallons 1500 --waste septic_tank --date"
COMMANDS = (
    f"{PRICE} 2026-10-06 --tests 1 --after-hours-minutes 136 --wage 30.00",
    f"{PRICE} 2026-10-06 --after-hours-minutes 5 --wage 30.00",
    f"{PRICE} 2026-10-10 --after-hours-minutes 60 --wage 30.00",
    "fit bayfield --date 2026-10-06 --gallons 1700", "fit bayfield --date 2026-10-06 --gallons 5000",
    "window bayfield --at 2026-08-15T12:00:00", "hours bayfield --date 2026-10-06", "hours bayfield --date 2026-11-26",
    "rate bayfield --date 2026-10-06", "rate bayfield --date 2026-10-06 --flow-gpd 96000",
    "due bayfield --discharged-at 2026-10-06T09:00",
)  # fmt: skip


def commands(scene: Scene) -> str:
    """The ``law`` commands."""
    db.session.rollback()
    runner = scene.app.test_cli_runner()
    return "\n".join(runner.invoke(law_group, words.split()).output for words in COMMANDS)


PLACES = {
    one.__name__: one for one in (
        filing_window, application_form, committee_table, committee_motions, booking_offers, price_before_booking,
        home_of_director, public_pages, invoice_run, fee_rise, filing, filing_after_revocation, decision_letters,
        letters_not_issued, gate_answer, waiting_list, logged_load, running_on, load_strength,
        field_tests, accident_page, sampling_plan, loads_to_test, new_tests, further_tests, special_times, bill,
        late_charge, restriction_notice, revocation_letter, violation_notice,
        suspension, review_steps, flow_put_in_force, commands, rules_page,
    )
}  # fmt: skip

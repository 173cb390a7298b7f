"""A written notice of violation with a reasonable time to correct it, each day its own offense (§ 329-10)."""

from collections.abc import Collection, Sequence
from datetime import date, datetime, timedelta

from sqlalchemy import select

from haulers.actions.decision_letters import review_block, signer
from haulers.actions.decision_rules import review_block_missing
from haulers.actions.kept_words import where_kept
from haulers.actions.named_loads import load_words, loads_known, shortened
from haulers.actions.own import stands_for
from haulers.models import Approval, Business, Violation
from haulers.queries import business, businesses_at, party_of_business
from haulers.queries.approvals import last_approvals
from haulers.queries.last_days import last_days
from office import letters
from office.access import TITLES, Actor, Role
from office.acts import act
from office.db import db
from office.formats import date_only, day, plural
from office.journal import because
from office.letters import Letter
from office.notices import tell_party, tell_role
from office.people import Party
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.reviews import of_everything

NOTIFIERS = (Role.CLERK, Role.DIRECTOR)
MOST_DAYS = 366
# Ours, no § says it: days further from today than this are most often a slip of the year, so they are asked about.
FAR = timedelta(days=365)


def notice_cite(law: Law, on: date) -> str:
    """The section a notice of violation is written under."""
    return law.cite("violations.notice", on) if law.has("violations.notice", on) else law.cite("programme.kind", on)


def each_day(law: Law, on: date) -> bool:
    """Whether each day a violation goes on is an offense of its own."""
    return law.has("violations.each_day", on) and bool(law.value("violations.each_day", on))


def check_violation(plant: Plant, business_id: int, rule: str, facts: str, days: Collection[date],
                    loads: Sequence[str], correct_by: date, sure: bool, by: Actor, at: datetime, law: Law) -> (
    Business | Refusal
):  # fmt: skip
    """What the act checks, for the page that shows the notice first: the business, or why it cannot be sent."""
    today = at.astimezone(law.zone).date()
    found, cite = business(business_id), notice_cite(law, today)
    if found is None or business_id not in {one.id for one, _ in businesses_at(plant.id)}:
        return Refusal("no_business", "There is no such hauler at this plant.", "")
    if stands_for(found, by):
        return Refusal("own_business", "Nobody decides on their own business.", cite)
    wrong = _notice_wrong(rule, facts, days, correct_by, today, cite)
    wrong = wrong or (review_block_missing(law, today) if of_everything(law, today) else None)
    wrong = wrong or loads_known(plant, business_id, loads)
    far = "" if wrong or sure else far_days(days, correct_by, today)
    return wrong or (Refusal("far_days", far, "", next_step=RIGHT) if far else found)


RIGHT = "Check the years, or tick that the days are right."


def far_days(days: Collection[date], correct_by: date, today: date) -> str:
    """What is asked once of days far from today, so that a slip of the year is no letter; "" for days that are not."""
    said = []
    if days and min(days) < today - FAR:
        said.append(f"The first day it happened, {date_only(min(days))}, is more than a year ago.")
    if correct_by > today + FAR:
        said.append(f"The day to correct it by, {date_only(correct_by)}, is more than a year ahead.")
    return " ".join(said)


def _notice_wrong(rule: str, facts: str, days: Collection[date], correct_by: date, today: date,
                  cite: str) -> Refusal | None:  # fmt: skip
    if not rule.strip():
        return Refusal("no_rule", "Select the rule that was broken.", cite)
    if not facts.strip():
        return Refusal("no_facts", "Enter what happened. The notice states the nature of the violation.", cite)
    if not days or max(days) > today or len(days) > MOST_DAYS:
        return Refusal("no_day", "Enter the day it happened on, today or earlier.", cite)
    if correct_by <= today:
        return Refusal("no_time", "The day to correct it by must be after today: the notice leaves time for it.", cite)
    return None


@act("issue_violation", roles=NOTIFIERS)
def issue_violation(plant: Plant, business_id: int, rule: str, facts: str, days: Collection[date],
                    loads: Sequence[str], correct_by: date, sure: bool = False, *, by: Actor, at: datetime,
                    law: Law) -> Violation | Refusal:  # fmt: skip
    """Write a notice of violation: letter to the hauler with the day to correct it by; clerk and Director are told.

    ``days`` it happened on: each is its own offense where the law says so. The approval is not touched.
    ``sure``: days far from today are right (else ``far_days``).
    """
    found = check_violation(plant, business_id, rule, facts, days, loads, correct_by, sure, by, at, law)
    if isinstance(found, Refusal):
        return found
    party = party_of_business(business_id)
    title, data = violation_letter(plant, business_id, rule, facts, days, loads, correct_by, by, at, law)
    approval = _approval_then(plant.id, business_id, max(days))
    row = Violation(
        plant_id=plant.id, business_id=business_id, approval_id=approval.id if approval else None, rule=rule.strip(),
        facts=facts.strip(), days=[one.isoformat() for one in sorted(set(days))], loads=list(loads),
        correct_by=correct_by, at=at, by_name=by.name,
    )  # fmt: skip
    db.session.add(row)
    because(facts.strip(), notice_cite(law, at.astimezone(law.zone).date()))
    letter = letters.write(plant, party, "violation", title, data, at, law_version=law.version)
    row.letter_id = letter.id
    _tell(plant, party, row, letter, at)
    return row


def _approval_then(plant_id: int, business_id: int, on: date) -> Approval | None:
    """The approval the hauler had on a day, the newest first."""
    known = last_approvals(plant_id, business_id)
    last = last_days(known)
    return next((one for one in known if one.starts <= on <= last[one.id]), None)


def violation_letter(plant: Plant, business_id: int, rule: str, facts: str, days: Collection[date],
                     loads: Sequence[str], correct_by: date, by: Actor, at: datetime, law: Law) -> (
    tuple[str, dict[str, object]]
):  # fmt: skip
    """Title and data of the notice: the page shows them before the act, the act freezes them."""
    today = at.astimezone(law.zone).date()
    data: dict[str, object] = {
        "rule": rule.strip(), "facts": facts.strip().splitlines(),
        # Each day is an offense of its own: all are listed, however many.
        "days": [day(one) for one in sorted(set(days))],
        "each_day": law.cite("violations.each_day", today) if each_day(law, today) else "",
        "loads": shortened(load_words(plant, business_id, loads), "load"), "correct_by": day(correct_by),
        "cite": notice_cite(law, today), "after": _after(law, today), "signature": signer(by, NOTIFIERS),
        "copies": [TITLES[Role.DIRECTOR], TITLES[Role.CLERK]],
        # A procedure of the ordinance's own is of any determination; that of ch. 68 is not of a notice.
        "review": review_block(law, at) if of_everything(law, today) else "",
    }  # fmt: skip
    return "Notice of violation", data


def _after(law: Law, on: date) -> list[str]:
    """What the text says of going on after the time stated, in its own words with the section."""
    said = []
    for key, words in (("violations.cease", "{}."),
                       ("violations.penalty", "Whoever goes on beyond it is subject to {}."),
                       ("violations.liability", "Whoever breaks the article is {}.")):  # fmt: skip
        if law.has(key, on):
            sentence = words.format(law.value(key, on))
            said.append(f"{sentence[0].upper()}{sentence[1:]} ({law.cite(key, on)})")
    return said


def _tell(plant: Plant, party: Party, row: Violation, letter: Letter, at: datetime) -> None:
    until = date_only(row.correct_by)
    tell_party(
        party, "violation", f"Notice of violation: correct it by {until}",
        f"{plant.name} has written a notice of violation to {party.name}.\n\nRule: {row.rule}\n{row.facts}\n\n"
        f"Correct it by the end of {until} and tell the plant what was done. Your approval goes on meanwhile.\n\n"
        f"{where_kept(letter, party, at)}\n{plant.name}, {plant.phone}",
        at, plant_id=plant.id, letter_id=letter.id,
    )  # fmt: skip
    for role in NOTIFIERS:
        tell_role(role, "violation", f"Notice of violation to {party.name}, to correct by {until}",
                  f"Rule: {row.rule}\n{row.facts}\nLetter {letter.number}.", at, plant_id=plant.id)  # fmt: skip


@act("add_violation_days", roles=NOTIFIERS)
def add_violation_days(plant: Plant, violation_id: int, days: Collection[date], *, by: Actor, at: datetime,
                       law: Law) -> Violation | Refusal:  # fmt: skip
    """Add days a violation went on, each its own offense in the record. The letter stays as it was sent."""
    row = _locked(plant, violation_id)
    if isinstance(row, Refusal):
        return row
    today = at.astimezone(law.zone).date()
    if row.corrected_on is not None:
        return Refusal("corrected", f"This violation was corrected on {date_only(row.corrected_on)}.", "")
    known = {date.fromisoformat(one) for one in row.days}
    new = set(days) - known
    if not new:
        return Refusal("no_new_day", "These days are in the record already.", "")
    if max(new) > today or min(new) < min(known) or len(known | new) > MOST_DAYS:
        return Refusal("no_day", f"Enter days from {date_only(min(known))} to today.", "")
    row.days = [one.isoformat() for one in sorted(known | new)]
    cite = law.cite("violations.each_day", today) if each_day(law, today) else notice_cite(law, today)
    because(f"It went on for {plural(len(new), 'more day')}", cite)
    return row


@act("correct_violation", roles=NOTIFIERS)
def correct_violation(plant: Plant, violation_id: int, on: date, how: str, *, by: Actor, at: datetime, law: Law) -> (
    Violation | Refusal
):  # fmt: skip
    """Record that a violation was corrected, on which day and how."""
    row = _locked(plant, violation_id)
    if isinstance(row, Refusal):
        return row
    if row.corrected_on is not None:
        return Refusal("corrected", f"This violation was corrected on {date_only(row.corrected_on)}.", "")
    if not how.strip():
        return Refusal("no_how", "Enter how it was corrected.", "")
    if not max(date.fromisoformat(one) for one in row.days) <= on <= at.astimezone(law.zone).date():
        return Refusal("no_day", "The day must be the last day it went on or later, and not after today.", "")
    row.corrected_on, row.corrected_how = on, how.strip()
    because(how.strip())
    return row


def _locked(plant: Plant, violation_id: int) -> Violation | Refusal:
    query = select(Violation).filter_by(id=violation_id, plant_id=plant.id).with_for_update()
    row = db.session.scalars(query.execution_options(populate_existing=True)).one_or_none()
    return row or Refusal("no_violation", "There is no such notice.", "")

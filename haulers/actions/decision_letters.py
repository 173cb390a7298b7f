"""The letter of a decision and its notice: approval with conditions and plan, approval in part, rejection."""

from datetime import date, datetime
from typing import Any

from haulers.actions.corrections import differences
from haulers.actions.decision_rules import exception_codes
from haulers.actions.kept_words import where_kept
from haulers.actions.motion_words import amount_words
from haulers.actions.motions import body_words
from haulers.actions.receipts import fee_amount
from haulers.actions.standing_plan import changes_words, granted_on, granted_since
from haulers.actions.taken_in import change_words
from haulers.models import Amendment, Application, Approval, Decision, Meeting, Motion
from haulers.queries import covered, fees_of, sources_of, totals, waste_words
from haulers.queries.approvals import allowances_of
from haulers.queries.completeness import filed_or_complete
from haulers.queries.new_sources import source_words
from haulers.queries.words import ended
from haulers.states import Outcome
from office import letters
from office.access import TITLES, Actor, Role
from office.db import db
from office.formats import date_only, gallons, volume
from office.letters import Letter
from office.notices import tell_party
from office.people import Party
from office.plants import Plant
from ordinances.calendar import approval_period, season_named
from ordinances.reader import Law

SIGNERS = (Role.CLERK, Role.MEMBER, Role.DIRECTOR)


def signer(by: Actor, roles: tuple[Role, ...] = SIGNERS) -> list[str]:
    """Name and title under a letter."""
    capacity = by.capacity(roles)
    return [by.name, TITLES[capacity] if capacity else ""]


def review_block(law: Law, at: datetime) -> str:
    """The plant's text on review rights; "" when it is not set."""
    day = at.astimezone(law.zone).date()
    return str(law.value("review.block", day)).strip() if law.has("review.block", day) else ""


def write_decision(plant: Plant, party: Party, application: Application, decision: Decision, approval: Approval | None,
                   motion: Motion, by: Actor, at: datetime, law: Law) -> Letter:  # fmt: skip
    """Freeze the letter of one decision and tell the hauler."""
    outcome = Outcome(decision.outcome)
    held_on = db.session.get_one(Meeting, motion.meeting_id).held_on
    body = body_words(law, held_on)
    title, subject = _words(outcome, application, decision, approval)
    data = {
        "application": application.number, "season": application.season, "held_on": date_only(held_on), "body": body,
        "decided_cite": law.cite("decision.body", held_on), "signature": signer(by),
        "written_cite": law.cite("state.decide_by", held_on) if law.has("state.decide_by", held_on) else "",
        "corrects": _corrected(decision, law), "changed": _changed(decision),
        "filed": " ".join(filter(None, (filed_words(application, law, at), change_words(application, decision, law)))),
    } | _amounts(application, decision, law)  # fmt: skip
    if approval is not None:
        data |= {
            "approval": approval.number, "starts": date_only(approval.starts), "ends": date_only(approval.ends),
            "conditions": decision.conditions, "plan": approval.plan, "covers": waste_words(covered(approval)),
        } | _standing(approval) | {"since": _since_letter(approval, application, law)}  # fmt: skip
    data["review"] = "" if outcome is Outcome.APPROVED else review_block(law, at)
    kind = "rejection" if outcome is Outcome.REJECTED else "approval"
    if data["corrects"]:
        title, subject = f"Correction: {title[:1].lower()}{title[1:]}", f"Corrected: {subject[:1].lower()}{subject[1:]}"
    letter = letters.write(plant, party, kind, title, data, at, law_version=law.version)
    said = _body(plant, party, application, decision, approval, letter, held_on, body, at,
                 change_words(application, decision, law))  # fmt: skip
    tell_party(party, "decision", subject, said, at, plant_id=plant.id, letter_id=letter.id)
    return letter


def filed_words(application: Application, law: Law, at: datetime) -> str:
    """Whether it was filed on time and is complete, with the reading: "Filed on time on August 12, 2026; …: complete
    (§ 329-7 B(1)). …".
    """
    day = at.astimezone(law.zone).date()
    fee = fees_of([application.id]).get(application.id)
    standing = filed_or_complete(fee, law, day)
    came = application.received_on or application.filed_at
    assert came is not None
    sent = "Came late and was taken by the committee, sent" if application.late_reason else "Filed on time"
    if fee is not None and fee.holds:
        paid = f"waived by {fee.waived}: complete" if fee.waived else f"received {date_only(fee.paid_on)}: complete"
    else:
        paid = "not received: not complete"
    reading = f" {standing.reading}" if standing.reading else ""
    when = came.astimezone(law.zone).date() if isinstance(came, datetime) else came
    amount = fee_amount(law, when)
    named = f"filing fee of {amount}" if amount else "filing fee"
    return f"{sent} on {date_only(when)}; {named} {paid} ({standing.cite}).{reading}"


def _standing(approval: Approval) -> dict[str, Any]:
    """What the table of the letter says beside the decision: the changes granted on top, and what stands with them."""
    changes = granted_since(approval)
    winter, rest = allowances_of([approval])[approval.id]
    rows = [{"what": f"{amended(one)} granted {granted_on(one)}, letter "
                     f"{db.session.get_one(Letter, one.letter_id).number}",
             "winter": gallons(one.granted_winter), "rest": gallons(one.granted_rest),
             "total": gallons(one.granted_winter + one.granted_rest)} for one in changes]  # fmt: skip
    return {"granted": rows, "in_winter": gallons(winter), "in_rest": gallons(rest), "in_force": gallons(winter + rest)}


def amended(asked: Amendment) -> str:
    """ "Change" or, of a source, "Change (holding tank waste …)"."""
    return f"Change ({source_words(asked.new)})" if asked.kind == "source" else "Change"


def _since_letter(approval: Approval, application: Application, law: Law) -> str:
    """Why an approval begins later than its season: nothing holds before its letter; "" where it does not."""
    first = approval_period(law, season_named(law, application.season))[0]
    if approval.starts <= first:
        return ""
    return (f"It holds from {date_only(approval.starts)}, when its letter was issued, not from {date_only(first)}: "
            "read so because nothing is approved before the written decision.")  # fmt: skip


def _last_issued(decision: Decision) -> Decision | None:
    """The newest decision in the chain this one corrects whose letter is out."""
    before = decision
    while before.corrects_id is not None:
        before = db.session.get_one(Decision, before.corrects_id)
        if before.letter_id is not None:
            return before
    return None


def _corrected(decision: Decision, law: Law) -> str:
    """Number and date of the letter this decision corrects; "" when none of those it corrects was issued."""
    before = _last_issued(decision)
    if before is None:
        return ""
    letter = db.session.get_one(Letter, before.letter_id)
    return f"{letter.number} of {date_only(letter.written_at, law.zone)}"


def _changed(decision: Decision) -> str:
    """What the letter that is corrected said, what is said now, and what was wrong; "" where none was issued."""
    before = _last_issued(decision)
    if before is None:
        return ""
    said = differences(before, decision)
    return f"{said} What was wrong: {decision.wrong}" if decision.wrong else said


def _words(outcome: Outcome, application: Application, decision: Decision,
           approval: Approval | None) -> tuple[str, str]:  # fmt: skip
    number, total = application.number, volume(decision.gallons_winter + decision.gallons_rest)
    stands = sum(allowances_of([approval])[approval.id]) if approval is not None else 0
    if approval is not None and stands != decision.gallons_winter + decision.gallons_rest:
        total += f", {gallons(stands)} with the changes granted"
    return {
        Outcome.APPROVED: (f"Approval of application {number}",
                           f"Your application {number} is approved: {total}"),
        Outcome.IN_PART: (f"Approval in part of application {number}",
                          f"Your application {number} is approved in part: {total}"),
        Outcome.REJECTED: (f"Decision on application {number}", f"Your application {number} is not approved"),
    }[outcome]  # fmt: skip


def _amounts(application: Application, decision: Decision, law: Law) -> dict[str, Any]:
    asked = totals(sources_of([application.id]).get(application.id, []))
    codes = exception_codes(law, season_named(law, application.season))
    code = codes.get(decision.reason_code or "", "")
    cite = law.cite("state.exceptions", decision.decided_at.astimezone(law.zone).date()) if code else ""
    return {
        "partial": decision.outcome == Outcome.IN_PART.value,
        "asked_winter": gallons(asked.asked_winter), "asked_rest": gallons(asked.asked_rest),
        "asked": gallons(asked.asked), "winter": gallons(decision.gallons_winter),
        "rest": gallons(decision.gallons_rest),
        "reason": ended(decision.reason) if decision.reason else "",
        "total": gallons(decision.gallons_winter + decision.gallons_rest),
        "state_reason": code, "state_cite": cite,
    }  # fmt: skip


def _body(plant: Plant, party: Party, application: Application, decision: Decision, approval: Approval | None,
          letter: Letter, held_on: date, body: str, at: datetime, changed: str) -> str:  # fmt: skip
    said = f"The {body} decided on application {application.number} of {application.business_name} on " \
           f"{date_only(held_on)}."  # fmt: skip
    if approval is not None:
        said += (f" Approval {approval.number}: {volume(decision.gallons_winter)} in winter, "
                 f"{volume(decision.gallons_rest)} in the rest of season {application.season}. It covers "
                 f"{waste_words(covered(approval))} waste.")  # fmt: skip
        changes = granted_since(approval)
        if changes:
            said += f" In force, {changes_words(changes)}: {amount_words(*allowances_of([approval])[approval.id])}."
        elif letter.data.get("since"):
            said += f" {letter.data['since']}"
    if decision.reason:
        said += f" Reason: {ended(decision.reason)}"
    said += f" {changed}" if changed else ""
    with_it = " with the conditions" if approval is not None else ""
    return f"{said}\n\n{where_kept(letter, party, at, with_it)}\n{plant.name}, {plant.phone}"

"""What a recorded decision has to keep to. Each check returns a Refusal with its section, or None."""

from collections.abc import Sequence
from datetime import date, datetime

from haulers.actions.meeting_order import check_after_referrals, not_before_begun
from haulers.actions.season_ends import season_over
from haulers.models import Application
from haulers.queries import Totals, fees_of
from haulers.queries.decisions import current_decisions, taken_gallons
from haulers.queries.held import put_to_vote
from haulers.queries.motion_lines import DecisionLine, RollCall
from haulers.states import ApplicationState, Outcome, Period
from office.formats import date_only, gallons
from office.plants import Plant
from ordinances.calendar import Season, season_named
from ordinances.fees import fee_before_decision
from ordinances.rate_cap import season_capacity
from ordinances.reader import Law
from ordinances.refusal import Refusal


def check_applications(applications: Sequence[Application | None]) -> Refusal | None:
    """All of this plant, of one season, sent and not withdrawn; each listed once."""
    found = [one for one in applications if one is not None]
    if not found or len(found) != len(applications):
        return Refusal("nothing_selected", "Select the applications the motion is about.", "")
    if len({one.id for one in found}) != len(found):
        return Refusal("twice", "An application is listed twice.", "")
    if len({one.season for one in found}) > 1:
        return Refusal("two_seasons", "Decide the applications of one season at a time.", "")
    for one in found:
        if one.state in (ApplicationState.DRAFT.value, ApplicationState.WITHDRAWN.value):
            return _not_open(one)
    return None


def _not_open(one: Application) -> Refusal:
    return Refusal("not_open", f"Application {one.number} of {one.business_name} is not open for a decision.", "")


def check_open(found: Sequence[Application], roll: RollCall, law: Law, at: datetime) -> Refusal | None:
    """Sent before the meeting, in a season still to come or running, decided by no motion yet, the fee in where the law
    waits for it.
    """
    return (check_undecided(found) or season_over(season_named(law, found[0].season), law, at)
            or check_filed_before(found, roll, law) or _check_fees(found, law, at))  # fmt: skip


def check_undecided(found: Sequence[Application]) -> Refusal | None:
    """Before the committee and decided by no motion yet, issued or not."""
    decided = current_decisions([one.id for one in found])
    for one in found:
        if one.id in decided and one.state == ApplicationState.FILED.value:
            why = f"Application {one.number} of {one.business_name} is decided; its letter is not issued yet."
            return Refusal("not_open", why, "", next_step="To change what was recorded, correct that decision.")
        if one.id in decided and one.state != ApplicationState.WITHDRAWN.value:
            why = f"Application {one.number} of {one.business_name} is decided and its letter is issued."
            return Refusal("not_open", why, "", next_step="To change what was recorded, correct that decision.")
        if one.state != ApplicationState.FILED.value:
            return _not_open(one)
    return None


def _check_fees(found: Sequence[Application], law: Law, at: datetime) -> Refusal | None:
    """Where the law has the decision wait for the filing fee: which one was not received, or was taken back."""
    row = fee_before_decision(law, at.astimezone(law.zone).date())
    if row is None:
        return None
    paid = {ident for ident, fee in fees_of([one.id for one in found]).items() if fee.holds}
    missing = [f"{one.number} of {one.business_name}" for one in found if one.id not in paid]
    if not missing:
        return None
    why = f"Nothing is decided before the filing fee is paid. It was not received for {', '.join(missing)}."
    return Refusal("fee_unpaid", why, row.cite, row.reading, "Decide the others now, and these once the fee is in.")


def check_filed_before(found: Sequence[Application], roll: RollCall, law: Law) -> Refusal | None:
    """A motion is about applications that had come before the meeting began, and were not referred by a later one.

    By the day where the hour of the meeting is not known, or that of a paper.
    """
    for one in found:
        assert one.filed_at is not None
        if roll.held_on < one.filed_at.astimezone(law.zone).date():
            why = f"Application {one.number} came after {date_only(roll.held_on)}. Check the meeting date."
            return Refusal("meeting_before_filing", why, "")
        if one.received_on is None:
            what = f"Application {one.number} was sent"
            refusal = not_before_begun(one.plant_id, roll, one.filed_at, what, law, "meeting_before_filing")
            if refusal is not None:
                return refusal
    return check_after_referrals(found, roll)


def check_line(line: DecisionLine, application: Application, asked: Totals, season: Season, law: Law) -> Refusal | None:
    """Gallons fit the outcome and the ask; reasons are given, in winter one of the state's."""
    who, given = application.business_name, line.gallons_winter + line.gallons_rest
    cite = law.cite("decision.body", season.start)
    if min(line.gallons_winter, line.gallons_rest) < 0:
        return Refusal("below_nought", f"{who}: approved gallons must be 0 or more.", "",
                       details={"application_id": application.id})  # fmt: skip
    if line.gallons_winter > asked.asked_winter or line.gallons_rest > asked.asked_rest:
        why = (f"{who}: approved gallons must not be more than asked for ({gallons(asked.asked_winter)} in winter, "
               f"{gallons(asked.asked_rest)} in the rest of the year).")  # fmt: skip
        return Refusal("above_ask", why, cite, details={"application_id": application.id})
    expected = Outcome.APPROVED if given == asked.asked else Outcome.IN_PART if given else Outcome.REJECTED
    if line.outcome is not expected:
        return Refusal("outcome_differs", f"{who}: {_OUTCOME_WORDS[line.outcome]}", cite,
                       details={"application_id": application.id})  # fmt: skip
    refusal = _check_limits(line, application)
    if refusal is not None or line.outcome is Outcome.APPROVED:
        return refusal
    return _check_reason(line, application, asked, season, law)


_OUTCOME_WORDS = {
    Outcome.APPROVED: "to approve in full, the approved gallons must be all that is asked for.",
    Outcome.IN_PART: "to approve a part, the approved gallons must be more than 0 and less than asked for.",
    Outcome.REJECTED: "to reject, the approved gallons must be 0.",
}


def _check_limits(line: DecisionLine, application: Application) -> Refusal | None:
    """Each limit once, of waste that was applied for, above nought; none on a rejection."""
    who = application.business_name
    sources = put_to_vote(application, line.change_id) if line.allowances else []
    wastes = {source.waste for source in sources}
    before: set[tuple[str, Period]] = set()
    for n, one in enumerate(line.allowances):
        details = {"application_id": application.id, "limit": n}
        if line.outcome is Outcome.REJECTED:
            return Refusal("limit_rejected", f"{who}: a rejected application has no limits.", "", details=details)
        if (one.waste, one.period) in before:
            why = f"{who}: one waste has two limits for the same time. Keep one of them."
            return Refusal("limit_twice", why, "", details=details)
        if one.gallons <= 0:
            return Refusal("limit_nought", f"{who}: a limit must be more than 0 gallons.", "", details=details)
        if one.waste and one.waste not in wastes:
            why = f"{who}: a limit is for a type of waste the application does not name."
            return Refusal("limit_waste", why, "", details=details)
        before.add((one.waste, one.period))
    return None


def _check_reason(
    line: DecisionLine, application: Application, asked: Totals, season: Season, law: Law
) -> Refusal | None:
    who, details = application.business_name, {"application_id": application.id}
    if not line.reason.strip():
        what = "was rejected" if line.outcome is Outcome.REJECTED else "is approved in part only"
        why = f"{who}: enter why the application {what}."
        return Refusal("no_reason", why, law.cite("decision.body", season.start), details=details)
    codes = exception_codes(law, season)
    if line.reason_code and line.reason_code not in codes:
        return Refusal("unknown_code", f"{who}: select one of the reasons shown.", "", details=details)
    if codes and line.gallons_winter < asked.asked_winter and not line.reason_code:
        why = f"{who}: in winter, select which of the state's reasons applies."
        return Refusal("no_state_reason", why, law.cite("state.exceptions", season.start), details=details)
    return None


def exception_codes(law: Law, season: Season) -> dict[str, str]:
    """The state's reasons for not accepting septage in winter, code to words; empty where there is none."""
    has = law.has("state.exceptions", season.start) and law.has("winter.from", season.start)
    return dict(law.value("state.exceptions", season.start)) if has else {}


def review_block_missing(law: Law, day: date) -> Refusal | None:
    """The refusal while the text on review rights is empty, for every letter that must carry it."""
    if law.has("review.block", day) and str(law.value("review.block", day)).strip():
        return None
    key = "revocation.review"
    cite = law.cite(key, day) if law.has(key, day) else law.cite("programme.kind", day)
    return Refusal("no_review_block", "The text on review rights is empty, so this letter cannot be made.", cite,
                   next_step="Ask the administrator to set it: the city attorney approves the text.")  # fmt: skip


def check_capacity(plant: Plant, season: Season, added: tuple[int, int], accepted: bool, law: Law,
                   at: datetime) -> Refusal | bool:  # fmt: skip
    """Whether what a motion adds to a season's approvals passes what the plant can take; a Refusal unless the
    committee accepts it.

    ``added``: winter and rest gallons, less those they replace. What adds nothing is never stopped.
    """
    capacity, taken = season_capacity(law, season), taken_gallons(plant.id, season.name, at)
    over = [max(0, now + more - holds) if more > 0 else 0
            for now, more, holds in zip(taken, added, (capacity.winter, capacity.rest), strict=True)]  # fmt: skip
    if not any(over) or accepted:
        return any(over)
    parts = [f"{gallons(more)} in {name}" for more, name in zip(over, ("winter", "the rest of the year"), strict=True)
             if more]  # fmt: skip
    why = (f"Approved gallons are {gallons(sum(over))} more than the plant can take ({' and '.join(parts)}). "
           "Lower them, or tick 'The committee accepts this'.")  # fmt: skip
    return Refusal("over_capacity", why, law.cite("rate.plan_gph", season.start),
                   details={"winter": over[0], "rest": over[1]})  # fmt: skip

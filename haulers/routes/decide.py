"""Recording the committee's decision: fill in, read back, record. Reading back runs the very act and takes it back."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from flask import abort, request, url_for

from haulers import actions
from haulers.actions import DecisionLine
from haulers.actions.corrections import corrected_since, corrects_words
from haulers.actions.decision_rules import check_line
from haulers.actions.departures import check_departure, departure_words, suggested_before, why_before
from haulers.actions.plans import limit_words
from haulers.actions.standing_plan import changes_words, granted_since
from haulers.forms import DecisionForm, decision_form, typed_lines
from haulers.forms.limits import as_rows
from haulers.models import Application, ApplicationChange, Approval, Decision, Meeting, Motion
from haulers.queries import ReviewRow, ReviewTable, application, current_decisions, sources_of, totals
from haulers.queries.committee import approval_of
from haulers.queries.coverage import in_order
from haulers.queries.held import change_lines, held_change
from haulers.queries.words import ended
from haulers.routes.base import bp, winter_words
from haulers.routes.changed import changed_answers, since_rows
from haulers.routes.committee import season_of_page, table_of
from haulers.routes.motions import read_back_values, say_of_motion
from haulers.routes.sitting import sitting_here
from haulers.states import Outcome
from office.access import Role
from office.db import db, lapsed
from office.formats import date_only
from office.pages import Page, page
from ordinances.calendar import Deadline, Season, approval_period, decision_deadline
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES

Record = Callable[[DecisionForm], Motion | Refusal]


@dataclass(frozen=True)
class OffMonth:
    """A meeting day outside the days from ``opens`` to ``last`` in which applications are evaluated."""

    held_on: date
    opens: date
    last: date
    cite: str


@page(bp, "/committee/<season>/decide", Role.MEMBER, Role.CLERK, methods=("GET", "POST"))
def decide(here: Page, season: str) -> Any:
    """The committee's record. ``step``: aye (all present voted aye: review), edit, review, record."""

    def record(form: DecisionForm) -> Motion | Refusal:
        return actions.decide_applications(here.plant, form.roll(here.plant.tz), _lines(form), form.over_capacity.data,
                                           form["as_changed"].data, by=here.by, at=here.at, law=here.law)  # fmt: skip

    named = season_of_page(here, season)
    return _flow(here, named, lambda: _start(table_of(here, named)), record)


@page(bp, "/committee/decisions/<int:decision_id>/correct", Role.MEMBER, Role.CLERK, methods=("GET", "POST"))
def correct(here: Page, decision_id: int) -> Any:
    """Correct what was recorded: a new decision by a motion of its own, which names the old one."""
    old, one = _decided(here, decision_id)
    newer, held = current_decisions([one.id])[one.id], held_change(one)
    if newer.id != old.id:
        _form(here, season_of_page(here, one.season), {}, corrects=True)  # what was typed in it is shown again
        return _meanwhile(here, corrected_since(one, newer, here.law))

    def record(form: DecisionForm) -> Motion | Refusal:
        lines = _lines(form)
        if [line.application_id for line in lines] != [one.id]:
            abort(404)
        line = replace(lines[0], change_id=held.id if held is not None and _takes_in(form) else None)
        return actions.correct_decision(here.plant, form.roll(here.plant.tz), line, form.over_capacity.data, old.id,
                                        form["wrong"].data, form["misrecorded"].data, by=here.by, at=here.at,
                                        law=here.law)  # fmt: skip

    taken = held is not None and old.change_id == held.id
    return _flow(here, season_of_page(here, one.season), lambda: {"rows": [_stated(old)], "with_change": taken}, record,
                 old, held)  # fmt: skip


def _takes_in(form: DecisionForm) -> bool:
    """Whether a correction takes in the change made after the vote."""
    return bool("with_change" in form and form["with_change"].data)


def _meanwhile(here: Page, refusal: Refusal) -> Any:
    """Two people correct the same decision: the second reads what it says now, and what they typed."""
    there = [("The motion that corrected it", url_for("haulers.motion", motion_id=refusal.details["motion_id"]))]
    return here.refuse(refusal, title="Corrected meanwhile", next=there)


def _decided(here: Page, decision_id: int) -> tuple[Decision, Application]:
    """A decision of this plant with its application."""
    old = db.session.get(Decision, decision_id)
    one = application(here.plant.id, old.application_id) if old is not None else None
    return (old, one) if old is not None and one is not None else abort(404)


def _flow(here: Page, season: Season, start: Callable[[], dict[str, Any]], record: Record,
          corrects: Decision | None = None, held: ApplicationChange | None = None) -> Any:  # fmt: skip
    table = table_of(here, season)
    codes = actions.exception_codes(here.law, season)
    form = _form(here, season, start(), held, corrects is not None)
    approval = approval_of(corrects.application_id) if corrects is not None else None
    rows = _put_to_vote(_rows(table, form), form, held)
    form.rows.names = [row.application.business_name for row, _ in rows]
    form.edited_limits()
    _offer_wastes(rows, held)
    if approval is not None:
        form.leave_out(Outcome.REJECTED)
    step = request.form.get("step", "")
    if step == "aye":
        form.all_aye()
    if step in ("aye", "review", "record"):
        result = record(form) if form.validate_on_submit() else None
        if isinstance(result, Motion) and step == "record":
            return here.done("haulers.motion", "The decision is recorded." if result.passed else "Recorded.",
                             motion_id=result.id)  # fmt: skip
        if isinstance(result, Refusal) and result.code == "corrected_since":
            return _meanwhile(here, result)
        if isinstance(result, Motion):
            return _read_back(here, season, form, result, corrects, held)
        rows = _put_to_vote(_rows(table, form), form, held)
        said = _say_rows(here, season, form, rows, corrects)
        if result is not None and not (said and result.code in (IN_ROW | IN_LIMIT) and result.code != "issued"):
            _say(form, result)
    return here.show("haulers/decide.html", form=form, rows=rows, table=table, season=season, codes=codes,
                     condition=here.law.row("approval.condition", season.start), winter=winter_words(here, season),
                     corrects=corrects, voted_on=_voted_on(corrects), approval=approval, on_top=_on_top(approval),
                     suggested=_suggested(rows[0][0], corrects) if corrects is not None and rows else None,
                     off=off_month(here, season, form.held_on.data or here.today),
                     decided=_chosen_decided(table), held=held, changed=changed_answers(held),
                     since=since_rows(here, form, [row.application for row, _ in rows]))  # fmt: skip


def _voted_on(corrects: Decision | None) -> date | None:
    """The day of the meeting that took the decision to be corrected."""
    motion = db.session.get_one(Motion, corrects.motion_id) if corrects is not None else None
    return db.session.get_one(Meeting, motion.meeting_id).held_on if motion is not None else None


def _on_top(approval: Approval | None) -> str:
    """The changes granted on top of an issued approval, in words; "" for none."""
    return changes_words(granted_since(approval)) if approval is not None else ""


def _put_to_vote(rows: list[tuple[ReviewRow, Any]], form: DecisionForm,
                 held: ApplicationChange | None) -> list[tuple[ReviewRow, Any]]:  # fmt: skip
    """The rows with what is asked for in the change, where the correction takes it in."""
    if held is None or not _takes_in(form):
        return rows
    return [(replace(row, totals=totals(change_lines(held))), sub) for row, sub in rows]


def _form(here: Page, season: Season, data: dict[str, Any], held: ApplicationChange | None = None,
          corrects: bool = False) -> DecisionForm:  # fmt: skip
    """The form of a motion over decisions, for the members who sit."""
    change = date_only(held.answered_at, here.plant.tz) if held is not None and held.answered_at is not None else ""
    codes, sitting = actions.exception_codes(here.law, season), sitting_here(here)
    made: DecisionForm = decision_form(sitting, change, corrects)(data=data).fit(sitting, codes)
    return made


def _offer_wastes(rows: Iterable[tuple[ReviewRow, Any]], held: ApplicationChange | None) -> None:
    """Offer for each limit the types of waste its application names, or a change that may be taken in."""
    rows, new = list(rows), {one.waste for one in change_lines(held)} if held is not None else set()
    sources = sources_of([row.application.id for row, _ in rows])
    for row, sub in rows:
        named = in_order({source.waste for source in sources.get(row.application.id, [])} | new)
        sub.limits.offer([(waste, WASTE_TYPES[waste]) for waste in named])


def _suggested(row: ReviewRow, corrects: Decision | None) -> tuple[int, int] | None:
    """What is suggested for a row, or was when the decision was taken that is corrected; None where nothing is."""
    if corrects is not None:
        return suggested_before(row.application, corrects, row.totals).get(row.application.id)
    return None if row.decided else (row.suggested_winter, row.suggested_rest)


def _say_rows(here: Page, season: Season, form: DecisionForm, rows: Iterable[tuple[ReviewRow, Any]],
              corrects: Decision | None = None) -> bool:  # fmt: skip
    """Say at every row that could be read what the act would answer to it, so that all are named at once."""
    said = False
    for row, sub in rows if not lapsed() else ():
        if any(sub.errors.values()):
            continue
        line, one = _line(sub, []), row.application
        wrong = check_line(line, one, row.totals, season, here.law)
        wrong = wrong or check_departure(line, one, _suggested(row, corrects), season, here.law)
        if wrong is not None:
            _say(form, wrong)
            said = True
    return said


def _chosen_decided(table: ReviewTable) -> list[str]:
    """The haulers picked whose applications are decided, for the page that has nothing left to decide."""
    wanted = set(request.args.getlist("application"))
    return [row.application.business_name for row in table.rows if row.decided and str(row.application.id) in wanted]


def _unpaid(here: Page, season: Season, rows: Iterable[tuple[ReviewRow, Any]]) -> Refusal | None:
    """Whom the letters approve although the filing fee was not received, which is said before it is recorded."""
    names = [row.application.business_name for row, sub in rows
             if sub.outcome.data != Outcome.REJECTED.value and (row.fee is None or not row.fee.holds)]  # fmt: skip
    if not names:
        return None
    law = here.law.row("application.fee_set_by", season.start)
    why = f"{ended('The filing fee was not received for ' + '; '.join(names))} The letter approves all the same."
    return Refusal("fee_unpaid", why, law.cite, law.reading)


def _begins(here: Page, season: Season, rows: Iterable[tuple[ReviewRow, Any]]) -> str:
    """That approvals begin with their letters where the season has begun before; "" before it does."""
    first = approval_period(here.law, season)[0]
    if here.today <= first or all(row.since is not None for row, _ in rows):
        return ""
    return (f"Season {season.name} began {date_only(first)}. An approval holds from the day its letter is issued: read "
            "so because nothing is approved before the written decision.")  # fmt: skip


def off_month(here: Page, season: Season, held_on: date) -> OffMonth | None:
    """The month applications are evaluated in when a meeting is outside it (§ 329-7 B(2)); None within or unsaid."""
    deadline = decision_deadline(here.law, season)
    if not here.law.has("decision.opens", season.start) or not isinstance(deadline, Deadline):
        return None
    row = here.law.row("decision.opens", season.start)
    opens = row.value.on(deadline.day.year)
    return None if opens <= held_on <= deadline.day else OffMonth(held_on, opens, deadline.day, row.cite)


def _start(table: ReviewTable) -> dict[str, Any]:
    """The selected applications, or all not decided, each with its suggestion filled in."""
    wanted = set(request.args.getlist("application"))
    chosen = [row for row in table.undecided if not wanted or str(row.application.id) in wanted]
    return {"rows": [
        {"application_id": row.application.id, "gallons_winter": row.suggested_winter,
         "gallons_rest": row.suggested_rest, "outcome": _outcome(row)} for row in chosen
    ]}  # fmt: skip


def _outcome(row: ReviewRow) -> str | None:
    if row.suggested == row.totals.asked:
        return Outcome.APPROVED.value
    return Outcome.IN_PART.value if row.suggested else None


def _stated(old: Decision) -> dict[str, Any]:
    """A decision as its form shows it: the ordinance's own condition is in anyway."""
    return {
        "application_id": old.application_id, "outcome": old.outcome, "gallons_winter": old.gallons_winter,
        "gallons_rest": old.gallons_rest, "reason": old.reason, "reason_code": old.reason_code,
        "conditions": "\n".join(one["text"] for one in old.conditions if not one["cite"]),
        "limits": as_rows(old.allowances), "departure": why_before(old),
    }  # fmt: skip


def _rows(table: ReviewTable, form: DecisionForm) -> list[tuple[ReviewRow, Any]]:
    """The table's row beside each row of the form; an application of another plant or season is not found."""
    known = {str(row.application.id): row for row in table.rows}
    found = [(known.get(str(entry.form.application_id.data)), entry.form) for entry in form.rows.entries]
    if any(row is None for row, _ in found):
        db.session.rollback()
        abort(404)
    return [(row, sub) for row, sub in found if row is not None]


def _lines(form: DecisionForm) -> list[DecisionLine]:
    for_all = typed_lines(form.conditions.data)
    return [_line(entry.form, for_all) for entry in form.rows.entries]


def _line(row: Any, for_all: list[str]) -> DecisionLine:
    """A row of the form as the act takes it."""
    return DecisionLine(
        int(row.application_id.data), Outcome(row.outcome.data), row.gallons_winter.data, row.gallons_rest.data,
        row.reason_code.data or None, row.reason.data, (*for_all, *typed_lines(row.conditions.data)),
        row.limits.limits(), row.departure.data or "",
    )  # fmt: skip


IN_ROW = {
    "no_departure": "departure",
    "no_reason": "reason", "no_state_reason": "reason_code", "unknown_code": "reason_code",
    "above_ask": "gallons_winter", "below_nought": "gallons_winter",
    "below_taken": "gallons_winter", "outcome_differs": "outcome", "issued": "outcome",
}  # fmt: skip
# Refusals of one limit, and the cell of its row they are about.
IN_LIMIT = {"limit_twice": "period", "limit_nought": "gallons", "limit_waste": "waste", "limit_rejected": "gallons"}


def _say(form: DecisionForm, refusal: Refusal) -> None:
    """Put what the act answered at the field it is about."""
    ident = str(refusal.details.get("application_id", ""))
    row = next((one.form for one in form.rows.entries if str(one.form.application_id.data) == ident), None)
    if row is not None and refusal.code in (IN_ROW | IN_LIMIT):
        form.refuse(_cell(row, refusal), f"{refusal.why} {refusal.next_step or ''}".strip())
        form.rows.errors = [one.errors for one in form.rows.entries]  # a list of rows keeps its own copy
    else:
        say_of_motion(form, refusal)


def _cell(row: Any, refusal: Refusal) -> Any:
    """The field of a row that a refusal is about; one of its limits by the number the act names."""
    if refusal.code in IN_LIMIT:
        return row.limits.entries[refusal.details["limit"]].form[IN_LIMIT[refusal.code]]
    return row[IN_ROW[refusal.code]]


def _read_back(here: Page, season: Season, form: DecisionForm, motion: Motion, corrects: Decision | None,
               held: ApplicationChange | None) -> Any:  # fmt: skip
    # The act ran whole, so what is read back is what will be recorded; now it is taken back.
    carried, lost = motion.passed, motion.lost
    db.session.rollback()
    table = table_of(here, season_of_page(here, season.name))
    rows = _put_to_vote(_rows(table, form), form, held)
    departs = {sub.application_id.data: departure_words(_line(sub, []), _suggested(row, corrects))
               for row, sub in rows}  # fmt: skip
    limits = {entry.form.application_id.data: limit_words([vars(one) for one in entry.form.limits.limits()])
              for entry in form.rows.entries}  # fmt: skip
    return here.show(
        "haulers/decide_check.html", form=form, rows=rows, table=table, season=season, carried=carried,
        lost=lost, limits=limits, departs=departs, corrects=corrects_words(corrects) if corrects is not None else "",
        for_all=typed_lines(form.conditions.data),
        own={entry.form.application_id.data: typed_lines(entry.form.conditions.data) for entry in form.rows.entries},
        codes=actions.exception_codes(here.law, season), off=off_month(here, season, form.held_on.data),
        held=held, changed=changed_answers(held), takes_in=_takes_in(form),
        since=since_rows(here, form, [row.application for row, _ in rows]),
        unpaid=_unpaid(here, season, rows),
        begins=_begins(here, season, rows),
        condition=here.law.row("approval.condition", season.start), **read_back_values(form),
    )  # fmt: skip

"""Recording the committee's decision: fill in, read back, record. Reading back runs the very act and takes it back."""

from typing import Any

from flask import abort, request

from haulers import actions
from haulers.actions import DecisionLine, RollCall
from haulers.forms import DecisionForm, decision_form, typed_lines
from haulers.queries import ReviewRow, ReviewTable, members
from haulers.routes.base import bp, winter_words
from haulers.routes.committee import season_of_page, table_of
from haulers.states import Ballot, Outcome
from office.access import Role
from office.db import db
from office.pages import Page, page
from ordinances.refusal import Refusal


@page(bp, "/committee/<season>/decide", Role.MEMBER, Role.CLERK, methods=("GET", "POST"))
def decide(here: Page, season: str) -> Any:
    """The committee's record. ``step``: aye (all present voted aye: review), edit, review, record."""
    named = season_of_page(here, season)
    table = table_of(here, named)
    codes = actions.exception_codes(here.law, named)
    sitting = members(here.plant.id, here.at)
    form: DecisionForm = decision_form(sitting)(data=_start(table)).fit(sitting, codes)
    rows = _rows(table, form)
    step = request.form.get("step", "")
    if step == "aye":
        _all_aye(form)
    if step in ("aye", "review", "record") and form.validate_on_submit():
        result = _act(here, form)
        if isinstance(result, Refusal):
            _say(form, result)
        elif step == "record":
            return here.done("haulers.motion", "The decision is recorded.", motion_id=result.id)
        else:
            return _read_back(here, season, form, bool(result.passed))
        rows = _rows(table, form)
    condition = here.law.row("approval.condition", named.start)
    return here.show("haulers/decide.html", form=form, rows=rows, table=table, season=named, codes=codes,
                     condition=condition, winter=winter_words(here, named))  # fmt: skip


def _all_aye(form: DecisionForm) -> None:
    """A vote for aye for every member nothing was marked for."""
    for field in form.vote_fields():
        field.typed = field.data = field.data or Ballot.AYE.value


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


def _rows(table: ReviewTable, form: DecisionForm) -> list[tuple[ReviewRow, Any]]:
    """The table's row beside each row of the form; an application of another plant or season is not found."""
    known = {str(row.application.id): row for row in table.rows}
    found = [(known.get(str(entry.form.application_id.data)), entry.form) for entry in form.rows.entries]
    if any(row is None for row, _ in found):
        db.session.rollback()
        abort(404)
    return [(row, sub) for row, sub in found if row is not None]


def _act(here: Page, form: DecisionForm) -> Any:
    for_all = typed_lines(form.conditions.data)
    lines = [
        DecisionLine(
            int(row.application_id.data), Outcome(row.outcome.data), row.gallons_winter.data, row.gallons_rest.data,
            row.reason_code.data or None, row.reason.data, (*for_all, *typed_lines(row.conditions.data)),
        )
        for row in (entry.form for entry in form.rows.entries)
    ]  # fmt: skip
    return actions.decide_applications(here.plant, _roll(form), lines, form.over_capacity.data, by=here.by, at=here.at,
                                       law=here.law)  # fmt: skip


def _roll(form: DecisionForm) -> RollCall:
    return RollCall(form.held_on.data, form.words.data, form.mover.data, form.seconder.data, form.votes())


FIELDS = {
    "future_meeting": "held_on", "meeting_before_filing": "held_on", "no_motion": "words", "one_mover": "seconder",
    "not_a_member": "mover", "mover_away": "mover", "over_capacity": "over_capacity",
}  # fmt: skip
IN_ROW = {"no_reason": "reason", "no_state_reason": "reason_code", "unknown_code": "reason_code",
          "above_ask": "gallons_winter", "outcome_differs": "outcome"}  # fmt: skip


def _say(form: DecisionForm, refusal: Refusal) -> None:
    """Put what the act answered at the field it is about."""
    ident = str(refusal.details.get("application_id", ""))
    row = next((one.form for one in form.rows.entries if str(one.form.application_id.data) == ident), None)
    words = f"{refusal.why} {refusal.next_step or ''}".strip()
    if row is not None and refusal.code in IN_ROW:
        form.refuse(row[IN_ROW[refusal.code]], words)
        form.rows.errors = [one.errors for one in form.rows.entries]  # a list of rows keeps its own copy
    else:
        form.refuse(FIELDS.get(refusal.code), words)


def _read_back(here: Page, season: str, form: DecisionForm, carried: bool) -> Any:
    # The act ran whole, so what is read back is what will be recorded; now it is taken back.
    db.session.rollback()
    named = season_of_page(here, season)
    table = table_of(here, named)
    rows = _rows(table, form)
    kept = [(name, value) for name, value in request.form.items(multi=True)
            if name not in ("once", "csrf_token", "whose", "step")]  # fmt: skip
    kept += [(field.name, field.data) for field in form.vote_fields() if not request.form.get(field.name)]
    names = dict(form.mover.choices)
    return here.show(
        "haulers/decide_check.html", form=form, rows=rows, table=table, season=named, carried=carried, kept=kept,
        mover=names[form.mover.data], seconder=names[form.seconder.data], votes=form.vote_fields(), roll=_roll(form),
        for_all=typed_lines(form.conditions.data), condition=here.law.row("approval.condition", named.start),
    )  # fmt: skip

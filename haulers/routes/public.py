"""Pages without sign-in: how to apply, who is approved, opening an account."""

from typing import Any

from haulers import actions, queries
from haulers.forms import RegisterForm
from haulers.queries.last_days import carried_lines
from haulers.routes.base import bp
from office.access import Role
from office.formats import date_only
from office.pages import Page, page
from office.standing import standing
from ordinances.calendar import FilingStatus, Season, decision_deadline, filing_season, filing_status, season_of
from ordinances.refusal import Refusal


@page(bp, "/apply", Role.PUBLIC)
@standing()
def apply(here: Page) -> Any:
    """Who may apply, what is needed, the dates, the fee: open or closed."""
    status = filing_status(here.law, here.at)
    if isinstance(status, Refusal):
        return here.show("haulers/apply_not_here.html", refusal=status)
    return here.show("haulers/apply.html", window=status, fee=actions.fee_words(here.law, here.today),
                     hauler=Role.HAULER in here.by.roles,
                     shut=queries.shut_window(here.law, here.at))  # fmt: skip


@page(bp, "/approved", Role.PUBLIC)
@standing()
def approved(here: Page) -> Any:
    """The haulers approved for the season now running, and for the coming one once anything is decided for it."""
    running, coming = season_of(here.law, here.today), filing_season(here.law, here.at)
    status = filing_status(here.law, here.at)
    soon = isinstance(status, FilingStatus) and status.state != "before_form"
    next_lines = queries.listed(here.plant.id, coming.name, here.at)
    lines = queries.listed(here.plant.id, running.name, here.at)
    own = {line.approval.business_id for line in lines}
    lines += [one for one in carried_lines(here.plant.id, here.at, here.law) if one.approval.business_id not in own]
    lines.sort(key=lambda line: line.name)
    last = queries.last_days([line.approval for line in lines])
    until = {one.approval.id: last[one.approval.id] for one in lines if last[one.approval.id] > one.approval.ends}
    shown = [(running, lines, _none_yet(here, running), "")]
    if next_lines:
        shown.append((coming, next_lines, "", f"Unloading under these approvals begins {date_only(coming.start)}."))
    elif soon:
        shown.append((coming, [], _none_yet(here, coming), ""))
    return here.show("haulers/approved.html", shown=shown, running=running, until=until)


def _none_yet(here: Page, season: Season) -> str:
    """That nobody is approved for a season, with the day decisions are due while that lies ahead."""
    deadline = decision_deadline(here.law, season)
    said = f"No hauler is approved for season {season.name}"
    if isinstance(deadline, Refusal) or here.today > deadline.day:
        return f"{said}."
    return f"{said} yet. Decisions are due {date_only(deadline.day)}."


@page(bp, "/account/register", Role.PUBLIC, methods=("GET", "POST"), anywhere=True, asks_again=True)
def register(here: Page) -> Any:
    """Open a hauler's account: once for every plant on this host."""
    form = RegisterForm()
    if form.is_submitted() and form.edited_rows():
        return here.show("haulers/register.html", form=form.typed_again())
    if form.validate_on_submit():
        result = actions.register_business(**form.values(), by=here.by, at=here.at)
        if not isinstance(result, Refusal):
            return here.done("security.login", "Your account is made. Sign in to go on.")
        field = {"email_taken": "email", "short_password": "password", "no_state": "licence_state"}.get(result.code)
        form.refuse(field, result.why)
    return here.show("haulers/register.html", form=form.typed_again())

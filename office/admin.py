"""Set-up on the first visit, and the administrator's pages: people, amounts, review rights, history."""

from typing import Any

from flask import redirect, render_template, request
from sqlalchemy import select

from office import web
from office.access import Role
from office.admin_forms import AMOUNTS, AmountForm, PersonForm, ReviewForm, SetUpForm
from office.db import db
from office.history import changes
from office.journal import JournalEntry
from office.pages import Page, page
from office.plants import PlantRow, all_plants, set_plant_row
from office.routes import bp
from office.team import add_person, end_role, open_desk, team
from ordinances.fee_rise import council_amounts
from ordinances.refusal import Refusal

HISTORY_PAGE = 60
KEEPERS = (Role.ADMINISTRATOR, Role.CLERK)


@page(bp, "/account/set-up", Role.PUBLIC, methods=("GET", "POST"), anywhere=True)
def set_up(here: Page) -> Any:
    """The first visit on an empty machine."""
    if all_plants():
        return redirect("/")
    form = SetUpForm()
    if form.validate_on_submit():
        values = {name: field.data for name, field in form._fields.items() if name not in ("once", "csrf_token")}
        plant = open_desk(**values, by=here.by, at=here.at)
        if not isinstance(plant, Refusal):
            return here.done("security.login", said=f"{plant.name} is set up. Sign in with your e-mail and password.")
        form.refuse("slug", plant.why)
    return render_template("office/set_up.html", form=form), 422 if form.errors else 200


@page(bp, "/admin", *KEEPERS)
def admin(here: Page) -> Any:
    """What can be kept here, and what is set now."""
    rows = list(db.session.scalars(select(PlantRow).filter_by(plant_id=here.plant.id).order_by(PlantRow.since)))
    wanted = {key: AMOUNTS[key] for key in council_amounts(here.law, here.today)}
    return here.show("office/admin.html", rows=rows, more=web.open_to(here.by, web.SETTINGS), wanted=wanted)


@page(bp, "/admin/people", Role.ADMINISTRATOR, methods=("GET", "POST"))
def people(here: Page) -> Any:
    """Who holds which role; add a person."""
    form = PersonForm()
    if form.validate_on_submit():
        roles = [Role(value) for value in form.roles.data]
        person = add_person(here.plant, form.name.data, form.email.data, roles, by=here.by, at=here.at)
        return here.done("office.people", said=f"{person.name} has the roles. A message tells how to sign in.")
    return here.show("office/people.html", form=form, team=team(here.plant.id, here.at))


@page(bp, "/admin/people/<int:grant_id>/end", Role.ADMINISTRATOR, methods=("POST",))
def end_person_role(here: Page, grant_id: int) -> Any:
    """End one role of one person."""
    ended = end_role(here.plant, grant_id, by=here.by, at=here.at)
    return here.refuse(ended) if isinstance(ended, Refusal) else here.done("office.people", said="The role has ended.")


@page(bp, "/admin/amounts", *KEEPERS, methods=("GET", "POST"))
def amounts(here: Page) -> Any:
    """The amounts the Council sets, dated, with the resolution."""
    form, early = AmountForm(), None
    form.key.choices = [(key, AMOUNTS[key]) for key in council_amounts(here.law, here.today)]
    if form.validate_on_submit():
        done = set_plant_row(here.plant, form.key.data, f"{form.value.data:.2f}", form.since.data,
                             form.resolution.data, basis=form.basis.data, by=here.by, at=here.at)  # fmt: skip
        if not isinstance(done, Refusal):
            return here.done("office.admin", said="The amount is set.")
        early = done if done.code in ("not_told", "told_too_late") else None
        form.refuse("since" if early else "resolution", done.why)
    return here.show("office/amounts.html", form=form, early=early)


@page(bp, "/admin/review-rights", *KEEPERS, methods=("GET", "POST"))
def review_rights(here: Page) -> Any:
    """The words on review rights, without which no rejection or revocation is written."""
    form = ReviewForm()
    if form.validate_on_submit():
        done = set_plant_row(here.plant, "review.block", form.text.data, form.since.data, form.resolution.data,
                             by=here.by, at=here.at)  # fmt: skip
        if not isinstance(done, Refusal):
            return here.done("office.admin", said="The words on review rights are set.")
        form.refuse("resolution", done.why)
    return here.show("office/review_rights.html", form=form)


@page(bp, "/history", *KEEPERS, Role.DIRECTOR, Role.MANAGER, Role.STATE)
def history(here: Page) -> Any:
    """The plant's journal, newest lines first, a page at a time."""
    query = select(JournalEntry).where(JournalEntry.chain == f"plant:{here.plant.id}")
    before = request.args.get("before", "").strip()[:80]
    known = before.isdecimal() and len(before) < 10
    if known:
        query = query.where(JournalEntry.seq < int(before))
    entries = list(db.session.scalars(query.order_by(JournalEntry.seq.desc()).limit(HISTORY_PAGE)))
    older = entries[-1].seq if entries and entries[-1].seq > 1 else None
    return here.show("office/history.html", entries=[(one, changes(one)) for one in entries], older=older,
                     wrong=before if before and not known else "")  # fmt: skip

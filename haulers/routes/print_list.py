"""The clerk's letters to print: what no e-mail takes to its company, and what goes by certified mail."""

from typing import Any

from flask import Response, abort, request
from sqlalchemy import select

from haulers.actions.posting import note_posted
from haulers.forms import ConfirmForm
from haulers.queries.to_print import certified_of, letter_to_print, letters_to_print, parties_of_letters
from haulers.routes.base import bp
from office import letters
from office.access import Role
from office.db import db
from office.documents import send_letter, send_together
from office.formats import date_only
from office.letters import Letter
from office.notices import Notice
from office.pages import Page, page
from office.people import Party
from ordinances.refusal import Refusal


@page(bp, "/clerk/print", Role.CLERK)
def print_list(here: Page) -> Any:
    """Every message that waits to be printed and posted, with the address it goes to."""
    return _listed(here)


def _listed(here: Page, wrong: dict[int, str] | None = None, typed: dict[int, str] | None = None,
            kept: ConfirmForm | None = None) -> Any:  # fmt: skip
    """The list; ``kept`` is the form of a letter in ``typed`` that could not be taken, shown again with its key."""
    found = letters_to_print(here.plant.id, here.today)
    parties = parties_of_letters(found)
    return here.show("haulers/print_list.html", status=422 if wrong or kept else 200, wrong=wrong or {},
                     typed=typed or {}, certified=certified_of(found), rows=[(one, parties[one.id]) for one in found],
                     form=kept or ConfirmForm(), kept=kept)  # fmt: skip


@page(bp, "/clerk/print/all", Role.CLERK)
def print_all(here: Page) -> Any:
    """All of them as one PDF in the order of the list, each on a page of its own."""
    found = letters_to_print(here.plant.id, here.today) or abort(404)
    parties = parties_of_letters(found)
    query = select(Letter).where(Letter.id.in_({one.letter_id for one in found}))
    enclosed = {one.id: one for one in db.session.scalars(query)}
    papers = [enclosed[one.letter_id] if one.letter_id is not None else _drawn(here, one, parties[one.id])
              for one in found]  # fmt: skip
    return send_together(papers, "letters-to-print.pdf")


@page(bp, "/clerk/print/<int:notice_id>", Role.CLERK, methods=("GET", "POST"))
def print_letter(here: Page, notice_id: int) -> Any:
    """The letter as PDF; a post says that it was posted, and under what number where that is asked for."""
    found = letter_to_print(here.plant.id, notice_id, here.today) or abort(404)
    if request.method == "POST":
        return _posted(here, found)
    if found.letter_id is not None:
        return send_letter(db.session.get_one(Letter, found.letter_id))
    shown = {"Content-Disposition": f"inline; filename=letter-{found.id}.pdf"}
    drawn = _drawn(here, found, parties_of_letters([found])[found.id])
    return Response(drawn, mimetype="application/pdf", headers=shown)


def _posted(here: Page, found: Notice) -> Any:
    number = request.form.get("number", "")[:40]
    form = ConfirmForm()
    if not form.validate_on_submit():
        return _listed(here, typed={found.id: number}, kept=form)
    result = note_posted(here.plant, found.id, number, by=here.by, at=here.at)
    if not isinstance(result, Refusal):
        return here.done("haulers.print_list", f"The letter to {result.to_name} is posted.")
    if result.code != "no_number":
        return here.refuse(result)
    return _listed(here, {found.id: result.why.rstrip(".")})


def _drawn(here: Page, notice: Notice, party: Party) -> bytes:
    """The words of the message on the plant's letterhead; the message itself is what is kept."""
    plant = here.plant
    day = notice.written_at.astimezone(plant.tz).date()
    data = {
        "plant": {"name": plant.name, "city": plant.city, "address": plant.address.splitlines(), "phone": plant.phone,
                  "hours": plant.help_hours},
        "number": f"M-{notice.id}", "title": notice.subject, "date": date_only(day),
        "addressee": [notice.to_name, *party.address.splitlines()],
        "paragraphs": [words for words in notice.body.splitlines() if words.strip()],
    }  # fmt: skip
    return letters.render("notice", data)

"""The clerk's letters to print: what was written to companies that have no e-mail."""

from typing import Any

from flask import Response, abort

from haulers.actions.posting import note_posted
from haulers.forms import ConfirmForm
from haulers.queries.to_print import letter_to_print, letters_to_print
from haulers.routes.base import bp
from office import letters
from office.access import Role
from office.db import db
from office.documents import send_letter
from office.formats import date_only
from office.letters import Letter
from office.notices import Notice
from office.pages import Page, page
from office.people import Party
from ordinances.refusal import Refusal


@page(bp, "/clerk/print", Role.CLERK)
def print_list(here: Page) -> Any:
    """Every message that waits to be printed and posted, with the address it goes to."""
    found = letters_to_print(here.plant.id)
    parties = {one.id: db.session.get_one(Party, one.party_id) for one in found}
    return here.show("haulers/print_list.html", rows=[(one, parties[one.id]) for one in found], form=ConfirmForm())


@page(bp, "/clerk/print/<int:notice_id>", Role.CLERK, methods=("GET", "POST"))
def print_letter(here: Page, notice_id: int) -> Any:
    """The letter as PDF; a post says that it was posted."""
    found = letter_to_print(here.plant.id, notice_id) or abort(404)
    if ConfirmForm().validate_on_submit():
        result = note_posted(here.plant, found.id, by=here.by, at=here.at)
        if isinstance(result, Refusal):
            return here.refuse(result)
        return here.done("haulers.print_list", f"The letter to {result.to_name} is posted.")
    if found.letter_id is not None:
        return send_letter(db.session.get_one(Letter, found.letter_id))
    return _drawn(here, found)


def _drawn(here: Page, notice: Notice) -> Response:
    """The words of the message on the plant's letterhead; the message itself is what is kept."""
    party, plant = db.session.get_one(Party, notice.party_id), here.plant
    day = notice.written_at.astimezone(plant.tz).date()
    data = {
        "plant": {"name": plant.name, "city": plant.city, "address": plant.address.splitlines(), "phone": plant.phone,
                  "hours": plant.help_hours},
        "number": f"M-{notice.id}", "title": notice.subject, "date": date_only(day),
        "addressee": [notice.to_name, *party.address.splitlines()],
        "paragraphs": [words for words in notice.body.splitlines() if words.strip()],
    }  # fmt: skip
    shown = {"Content-Disposition": f"inline; filename=letter-{notice.id}.pdf"}
    return Response(letters.render("notice", data), mimetype="application/pdf", headers=shown)

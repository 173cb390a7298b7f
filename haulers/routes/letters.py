"""The clerk's letters: what waits to be issued, each read before it goes, and what went out."""

from typing import Any

from flask import abort, request
from sqlalchemy import select

from haulers.actions import issue_letters
from haulers.actions.decision_rules import review_block_missing
from haulers.queries.to_print import how_many_to_print
from haulers.queries.unissued import issued_letters, to_issue
from haulers.routes.base import bp
from office import letters
from office.access import Role
from office.db import db
from office.documents import send_together
from office.formats import plural
from office.letters import Letter
from office.pages import Page, page
from ordinances.refusal import Refusal

KINDS = ("approval", "rejection", "amendment", "reinstatement")
LATEST = 40


@page(bp, "/clerk/letters", Role.CLERK)
def letter_queue(here: Page) -> Any:
    """What waits, motion by motion, and the latest letters that went out."""
    return _show(here)


@page(bp, "/clerk/letters/<int:motion_id>", Role.CLERK, methods=("POST",))
def issue_motion_letters(here: Page, motion_id: int) -> Any:
    """Issue the letters of a motion (``one``: only of that decision or change), or read first what would go out:
    ``preview`` names one, or is "all" for all of them, each on a page of its own.
    """
    preview = request.form.get("preview", "")
    chosen = preview or request.form.get("one", "")  # "all" is none in particular
    only = [int(chosen)] if chosen.isdecimal() else None
    result = issue_letters(here.plant, motion_id, only, by=here.by, at=here.at, law=here.law)
    if isinstance(result, Refusal):
        db.session.rollback()
        return _show(here, result)
    if preview:
        return _preview(result)
    return here.done("haulers.letter_queue", f"{plural(len(result), 'letter is', 'letters are')} issued.")


def _preview(made: list[Letter]) -> Any:
    """The letters as they would go out, without a number; the page takes the act back."""
    drawn = [letters.render(one.template, one.data | {"number": "not issued"}) for one in made]
    db.session.rollback()
    return send_together(drawn, "preview.pdf")


@page(bp, "/clerk/letters/<int:motion_id>/print", Role.CLERK)
def print_motion_letters(here: Page, motion_id: int) -> Any:
    """The issued letters of a motion as one PDF, each on a page of its own, in the order they went out."""
    return send_together(issued_letters(here.plant.id, motion_id) or abort(404), "letters.pdf")


def _show(here: Page, refusal: Refusal | None = None) -> Any:
    query = select(Letter).where(Letter.plant_id == here.plant.id, Letter.kind.in_(KINDS))
    sent = db.session.scalars(query.order_by(Letter.id.desc()).limit(LATEST))
    return here.show(
        "haulers/letter_queue.html", status=200 if refusal is None else 409, refusal=refusal,
        waiting=to_issue(here.plant.id, here.today), sent=[(one, one.addressee.splitlines()[0]) for one in sent],
        bare=review_block_missing(here.law, here.today), to_print=how_many_to_print(here.plant.id, here.today),
    )  # fmt: skip

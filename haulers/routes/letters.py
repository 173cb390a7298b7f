"""The clerk's letters: what waits to be issued, each read before it goes, and what went out."""

from typing import Any

from flask import Response, request
from sqlalchemy import select

from haulers.actions import issue_letters
from haulers.actions.decision_rules import review_block_missing
from haulers.queries.unissued import to_issue
from haulers.routes.base import bp
from office import letters
from office.access import Role
from office.db import db
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
    """Issue the letters of a motion (``one``: only of that decision or change), or read one first (``preview``)."""
    preview = request.form.get("preview", "")
    chosen = preview or request.form.get("one", "")
    only = [int(chosen)] if chosen.isdecimal() else None
    result = issue_letters(here.plant, motion_id, only, by=here.by, at=here.at, law=here.law)
    if isinstance(result, Refusal):
        db.session.rollback()
        return _show(here, result)
    if preview:
        return _preview(result[0])
    return here.done("haulers.letter_queue", f"{plural(len(result), 'letter is', 'letters are')} issued.")


def _preview(letter: Letter) -> Response:
    """The letter as it would go out, without a number; the page takes the act back."""
    content = letters.render(letter.template, letter.data | {"number": "not issued"})
    shown = {"Content-Disposition": "inline; filename=preview.pdf"}
    return Response(content, mimetype="application/pdf", headers=shown)


def _show(here: Page, refusal: Refusal | None = None) -> Any:
    query = select(Letter).where(Letter.plant_id == here.plant.id, Letter.kind.in_(KINDS))
    sent = db.session.scalars(query.order_by(Letter.id.desc()).limit(LATEST))
    return here.show(
        "haulers/letter_queue.html", status=200 if refusal is None else 409, refusal=refusal,
        waiting=to_issue(here.plant.id, here.today), sent=[(one, one.addressee.splitlines()[0]) for one in sent],
        bare=review_block_missing(here.law, here.today),
    )  # fmt: skip

"""What every page shares: its role, the plant, the person, one reading of the clock, one commit per good request."""

import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Any
from urllib.parse import quote

from flask import Blueprint, abort, flash, g, redirect, render_template, request, session, url_for
from sqlalchemy.exc import IntegrityError
from werkzeug.wrappers import Response

from office import clock, letters
from office.access import Actor, Role
from office.db import READING, db
from office.law import law_now
from office.once import Answered, answered
from office.plants import Plant, plant_named
from office.web import who_at
from ordinances.reader import Law
from ordinances.refusal import Refusal

SENT_BEFORE = "You already sent this. This is what it did the first time."
View = Callable[..., Any]


@dataclass(frozen=True)
class Done:
    """A request that did something: commit, then go to this address."""

    location: str
    said: str | None = None


class Page:
    """The request as a page sees it: ``plant``, ``by``, ``at``, ``law``, ``today``."""

    def __init__(self, plant: Plant | None, by: Actor, at: datetime) -> None:
        self._plant, self.by, self.at = plant, by, at

    @property
    def plant(self) -> Plant:
        if self._plant is None:
            abort(404)
        return self._plant

    @cached_property
    def law(self) -> Law:
        return law_now(self.plant, self.at)

    @cached_property
    def local(self) -> datetime:
        return self.at.astimezone(self.plant.tz)

    @property
    def today(self) -> date:
        return self.local.date()

    def show(self, template: str, status: int = 200, **values: Any) -> tuple[str, int]:
        """Render a template. A form with errors answers 422 and keeps what was typed."""
        form = values.get("form")
        if form is not None and getattr(form, "errors", None):
            status = 422
        return render_template(template, page=self, law=self.law if self._plant else None, **values), status

    def done(self, endpoint: str, said: str | None = None, **values: Any) -> Done:
        """The request did its work: commit and go on to another page."""
        return Done(url_for(endpoint, **values), said)

    def refuse(self, refusal: Refusal, **values: Any) -> tuple[str, int]:
        """The page of a refusal: why, which §, what to do next. Nothing was changed."""
        db.session.rollback()
        status = 403 if refusal.code == "not_your_role" else 409
        return render_template("errors/refusal.html", refusal=refusal, page=self, **values), status


def page(
    bp: Blueprint, rule: str, *roles: Role, methods: tuple[str, ...] = ("GET",), anywhere: bool = False
) -> Callable[[View], View]:
    """Register a page of a plant (or of the host with ``anywhere``) with the roles that may open it."""
    if not roles:
        raise RuntimeError(f"the page {rule} names no role")

    def wrap(view: View) -> View:
        def run(plant_slug: str | None = None, **values: Any) -> Any:
            return _answer(view, roles, plant_slug, values)

        run.__name__, run.__doc__, run.__module__ = view.__name__, view.__doc__, view.__module__
        run.roles = roles  # type: ignore[attr-defined]
        address = rule if anywhere else f"/<plant_slug>{rule}"
        bp.add_url_rule(address, view.__name__, run, methods=list(methods))
        return view

    return wrap


def _answer(view: View, roles: tuple[Role, ...], plant_slug: str | None, values: dict[str, Any]) -> Any:
    at = clock.now()
    plant = None
    if plant_slug is not None:
        plant = plant_named(plant_slug) or abort(404)
    g.plant, g.at = plant, at
    g.by = by = who_at(plant, at)
    if by.capacity(roles) is None:
        return _turned_away(by)
    here = Page(plant, by, at)
    if request.method in READING:
        return view(here, **values)
    return _posted(view, here, values)


def visitor() -> str:
    """A random name for this browser, so that a form sent twice without sign-in is known."""
    if "visitor" not in session:
        session["visitor"] = uuid.uuid4().hex
    return str(session["visitor"])


def _turned_away(by: Actor) -> Any:
    if by.person_id is None:
        return redirect(f"/sign-in?next={quote(request.full_path.rstrip('?'))}")
    return render_template("errors/403.html"), 403


def _posted(view: View, here: Page, values: dict[str, Any]) -> Any:
    once = request.form.get("once", "")
    if not re.fullmatch(r"[0-9a-f]{32}", once):
        return render_template("errors/stale-form.html"), 400
    before = answered(once, here.by.person_id, visitor())
    if before is not None:
        return _sent_before(before)
    # The form's key is taken before the act: the same form sent twice at once waits here for its first answer.
    mine = Answered(
        once=once,
        person_id=here.by.person_id,
        visitor=None if here.by.person_id else visitor(),
        location="",
        at=here.at,
    )
    try:
        db.session.add(mine)
        db.session.flush()
    except IntegrityError:
        return _beaten(once, here)
    result = view(here, **values)
    if not isinstance(result, Done):
        db.session.rollback()
        return result
    mine.location = result.location
    db.session.commit()
    if result.said:
        flash(result.said, "success")
    _print_letters(here.at)
    return redirect(result.location, 303)


def _beaten(once: str, here: Page) -> Any:
    db.session.rollback()
    before = answered(once, here.by.person_id, visitor())
    if before is None:
        return render_template("errors/stale-form.html"), 400
    return _sent_before(before)


def _sent_before(before: Answered) -> Response:
    flash(SENT_BEFORE, "info")
    return redirect(before.location, 303)


def _print_letters(at: datetime) -> None:
    # After the commit and outside its transaction; what fails here is made by the jobs process within a minute.
    for letter_id in letters.waiting()[:20]:
        letters.make_pdf(letter_id, at)
    db.session.rollback()

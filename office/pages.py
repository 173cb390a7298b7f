"""What every page shares: its role, the plant, the person, one reading of the clock, one commit per good request."""

import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Any
from urllib.parse import quote

from flask import Blueprint, abort, current_app, flash, g, redirect, render_template, request, session, url_for
from sqlalchemy.exc import IntegrityError
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from office import clock, draft_files, kept, letters, sent, signin
from office.access import GRANTED, TITLES, Actor, Role
from office.acts import LapsedFormError
from office.db import READING, TooLong, db, lapsed
from office.law import law_now
from office.once import Answered, answered, begin, finish
from office.plants import Plant, plant_at
from office.web import who_at
from ordinances.reader import Law
from ordinances.refusal import Refusal

SENT_BEFORE = "You already sent this. This is what it did the first time."
View = Callable[..., Any]


@dataclass(frozen=True)
class Done:
    """A request that did something: commit, then go to this address.

    ``answer`` is shown at once instead where a part of what was sent could not be taken: what was typed of it stays.
    """

    location: str
    said: str | None = None
    answer: Any = None


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
        """The page of a refusal: why, which §, what to do next, and what was typed. Nothing was changed."""
        typed = kept.answers()
        db.session.rollback()
        status = 403 if refusal.code == "not_your_role" else 409
        return render_template("errors/refusal.html", refusal=refusal, page=self, typed=typed, **values), status


def page(
    bp: Blueprint, rule: str, *roles: Role, methods: tuple[str, ...] = ("GET",), anywhere: bool = False,
    asks_again: bool = False,
) -> Callable[[View], View]:  # fmt: skip
    """Register a page of a plant (or of the host with ``anywhere``) with the roles that may open it.

    ``asks_again``: a second record alike in a row is nearly always a slip there, so it is asked about first
    (``office.sent``). Never where the same may be needed again at once, as a stop or a restriction is.
    """
    if not roles:
        raise RuntimeError(f"the page {rule} names no role")

    def wrap(view: View) -> View:
        def run(plant_slug: str | None = None, **values: Any) -> Any:
            return _answer(view, roles, plant_slug, values)

        run.__name__, run.__doc__, run.__module__ = view.__name__, view.__doc__, view.__module__
        run.roles, run.asks_again = roles, asks_again  # type: ignore[attr-defined]
        address = rule if anywhere else f"/<plant_slug>{rule}"
        bp.add_url_rule(address, view.__name__, run, methods=list(methods))
        return view

    return wrap


def _answer(view: View, roles: tuple[Role, ...], plant_slug: str | None, values: dict[str, Any]) -> Any:
    at = clock.now()
    plant = None
    if plant_slug is not None:
        plant = plant_at(plant_slug) or abort(404)
    g.plant, g.at = plant, at
    g.by = by = who_at(plant, at)
    if by.capacity(roles) is None:
        return _turned_away(by, at, roles)
    here = Page(plant, by, at)
    if request.method in READING:
        return view(here, **values)
    if kept.FIELD in request.form:
        return _taken_up(view, here, values)
    if kept.another_persons(by.person_id):
        return _stale()
    return _shown_again(view, here, values) if lapsed() else _posted(view, here, values)


def visitor() -> str:
    """A random name for this browser, so that a form sent twice without sign-in is known."""
    if "visitor" not in session:
        session["visitor"] = uuid.uuid4().hex
    return str(session["visitor"])


def who_may(roles: tuple[Role, ...]) -> str:
    """Whom a page is for, as who is turned away reads it: "a committee member or city clerk"."""
    names = [TITLES[role].lower() for role in roles if role.value in GRANTED]
    if not names:
        return ""
    listed = f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]
    return f"{'an' if listed[0] in 'aeiou' else 'a'} {listed}"


def _turned_away(by: Actor, at: datetime, roles: tuple[Role, ...]) -> Any:
    if by.person_id is not None:
        return render_template("errors/403.html", who_may=who_may(roles)), 403
    if request.method not in READING and kept.FIELD not in request.form and kept.anything_typed():
        if kept.from_our_page() and (packed := _packed(at)):
            return signin.again(packed, _to_read()), 401
        flash(kept.TOO_LONG if kept.from_our_page() else kept.GONE, "error")
    return redirect(f"/sign-in?next={quote(_to_read())}" if _to_read() else "/sign-in")


def _packed(at: datetime) -> str | None:
    """The form of somebody not signed in any more, its good files kept for whom it was shown to."""
    draft_files.hold(at)
    return kept.pack(at)


def _to_read() -> str:
    """This address, if it can also be opened without sending a form; "" otherwise."""
    rule = request.url_rule
    return kept.here() if rule is not None and "GET" in (rule.methods or ()) else ""


def _stale() -> tuple[str, int]:
    db.session.rollback()
    return render_template("errors/stale-form.html", typed=kept.answers()), 400


def token_lapsed(_error: Exception) -> Any:
    """A form whose token is not this browser's any more: show it again as typed, or first ask to sign in."""
    view = current_app.view_functions.get(request.endpoint or "")
    if view is None or lapsed() or not kept.from_our_page():
        return _stale()
    # The token is looked at before the sign-in is.
    signin.still_signed_in()
    if request.endpoint == "security.login":
        return signin.too_old()
    if not hasattr(view, "roles"):
        return _stale()
    draft_files.hold(clock.now())
    kept.lapse()
    try:
        return view(**(request.view_args or {}))
    except HTTPException as said:
        # An error handler's own errors are not handled again.
        return current_app.handle_user_exception(said)


def _shown_again(view: View, here: Page, values: dict[str, Any]) -> Any:
    """The page of a form that may not act: everything typed and the sentence why. Sent before: its first answer."""
    before = answered(request.form.get("once", ""), here.by.person_id, visitor())
    if before is not None:
        return _sent_before(before)
    # What follows is a new transaction, which the database holds to reading.
    db.session.rollback()
    try:
        result = view(here, **values)
    except LapsedFormError:
        return _stale()
    return _stale() if isinstance(result, Done) else result


def _taken_up(view: View, here: Page, values: dict[str, Any]) -> Any:
    """Back from signing in again: the form as it was typed, if it was this person's and this page's."""
    found = kept.unpack(request.form[kept.FIELD], here.by.person_id, here.at)
    if found is None or found.address != kept.here():
        flash(kept.GONE, "error")
        return redirect(_to_read() or "/account/home", 303)
    kept.put_back(found)
    return _shown_again(view, here, values)


def _posted(view: View, here: Page, values: dict[str, Any]) -> Any:
    once = request.form.get("once", "")
    if not re.fullmatch(r"[0-9a-f]{32}", once):
        return render_template("errors/stale-form.html"), 400
    content = sent.digest()
    before = answered(once, here.by.person_id, visitor())
    if before is not None and (before.made or before.sent in (None, content)):
        return _sent_before(before) if before.sent in (None, content) else sent.ask(before, content)
    # The form's key is taken before the act: the same form sent twice at once waits here for its first answer.
    if before is not None:
        before.at, before.sent = here.at, content
        finish(before)
        return _worked(view, here, values, before)
    try:
        mine = begin(once, here.by.person_id, visitor(), here.at, content)
    except IntegrityError:
        return _beaten(once, here)
    return _worked(view, here, values, mine)


def _worked(view: View, here: Page, values: dict[str, Any], mine: Answered) -> Any:
    """Let the page do its work under the key ``mine``: committed when it did something, undone otherwise."""
    content = str(mine.sent)
    try:
        result = view(here, **values)
    except TooLong as long:
        why = f"A text is too long to be kept: it has {long.length} characters, {long.most} are the most."
        return here.refuse(Refusal("too_long", why, "", next_step="Go back and write it shorter."))
    if not isinstance(result, Done):
        db.session.rollback()
        draft_files.keep_offered(here.at)
        return result
    mine.location, mine.made = result.location, sent.asks_again() and sent.made()
    if mine.made and not sent.meant_again(content) and (first := sent.in_a_row(mine)):
        return sent.ask(first, content)
    finish(mine)
    db.session.commit()
    if result.said and result.answer is None:
        flash(result.said, "success")
    _print_letters(here.at)
    return result.answer or redirect(result.location, 303)


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
    if not letters.written():
        return
    for letter_id in letters.waiting()[:20]:
        letters.make_pdf(letter_id, at)
    db.session.rollback()

"""Pages of a truck that unloads: pause, go on, another rate, more than logged, everything stopped.

The station's board does each with one tap, by the rate that runs; the pages are for what the meter says, for a reason,
and for what is asked about first because it is odd.
"""

from typing import Any

from flask import abort, request

from intake.actions.pieces import not_running
from intake.actions.run_words import laid_words
from intake.actions.running import change_rate, pause_load, resume_load, run_on, stop_all
from intake.actions.running_again import gone_on_words, resume_all
from intake.actions.starting import sooner, start_load
from intake.forms.running import MoreForm, PauseForm, RateForm, ResumeForm, StopAllForm
from intake.models import Load
from intake.queries import loads, station, taps
from intake.queries.capacity import day_picture
from intake.queries.pieces import (
    FASTEST,
    Layout,
    Morning,
    begins,
    beside,
    drawn_at,
    laid_now,
    later_times,
    lay_out,
    morning,
    resumed,
)
from intake.routes.base import bp
from intake.states import LoadState
from office import formats
from office.access import Role
from office.db import lapsed
from office.pages import Done, Page, page
from ordinances.refusal import Refusal

GATE = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR)
# Nothing has to be typed to stop everything: who knows more says it.
AT_ONCE = "The plant stops all unloading at once"
# Refusals that are about the load, not about what was typed.
OF_THE_LOAD = {"not_running", "not_begun", "not_paused", "revoked", "not_your_role"}


def _found(here: Page, ticket: str) -> Morning:
    load = loads.with_ticket(here.plant.id, ticket)
    if load is None or load.state != LoadState.ACCEPTED.value:
        abort(404)
    return morning(load, here.at)


def tapped(name: str = "tap") -> bool:
    """A button of the board was pressed: nothing was typed."""
    return request.method == "POST" and name in request.form and not lapsed()


def _sent() -> dict[str, Any]:
    """What a form reads: what was typed, and nothing after a tap."""
    return {"formdata": None} if tapped() else {}


def board(here: Page, said: str, did: str, load: str, **more: object) -> Done:
    """Back to the board, which says what was done and offers to take it back."""
    return here.done("intake.station_today", said, did=did, load=load, **more)


def _said(here: Page, load: Load, logged: int) -> str:
    """What was done and how it goes on, with the name of whose load begins: the operator may read it.

    ``logged`` are the gallons of this morning before the act, with those it added.
    """
    said, after = load.note.splitlines()[-1], morning(load, here.at)
    if after.last is None:
        return said
    laid = laid_now(beside(here.plant, here.law, load, after.last, here.at), after, logged)
    return f"{said} {laid_words(here.plant, laid, _whose(here, laid))}".rstrip()


@page(bp, "/station/load/<ticket>/pause", *GATE, methods=("GET", "POST"))
def load_pause(here: Page, ticket: str) -> Any:
    """Stop the flow for now: the gallons until now, and why where it matters."""
    found = _found(here, ticket)
    form = PauseForm(data={"gallons": found.out}, **_sent())
    if tapped() or form.validate_on_submit():
        result = pause_load(found.load, form.gallons.data, form.reason.data or "", by=here.by, at=here.at,
                            law=here.law)  # fmt: skip
        if not isinstance(result, Refusal):
            return board(here, f"Load {ticket} is paused. Its room is kept.", "paused", ticket)
        if result.code in OF_THE_LOAD:
            return here.refuse(result)
        form.show_refusal(result)
    return here.show("intake/station/pause.html", form=form, found=found)


@page(bp, "/station/load/<ticket>/start", *GATE, methods=("GET", "POST"))
def load_start(here: Page, ticket: str) -> Any:
    """Let a truck that waits begin before its time, where its gallons fit now."""
    found = _found(here, ticket)
    if request.method == "POST":
        result = start_load(found.load, by=here.by, at=here.at, law=here.law)
        if isinstance(result, Refusal):
            return here.refuse(result)
        return board(here, _said(here, result, found.logged), "began", ticket)
    laid = sooner(here.plant, here.law, found, here.at) if found.to_begin else not_running(here.plant, found.load)
    words = "" if isinstance(laid, Refusal) else laid_words(here.plant, laid)
    return here.show("intake/station/start.html", found=found, words=words, refused=laid)


@page(bp, "/station/load/<ticket>/resume", *GATE, methods=("GET", "POST"))
def load_resume(here: Page, ticket: str) -> Any:
    """Go on with a paused load, at its rate or as it fits now."""
    found = _found(here, ticket)
    laid, times = _how(here, found)
    # With one tap it goes on as it was paused; where it cannot go on whole, the page says how and asks.
    at_once = tapped() and not (found.paused and found.day == here.today and (laid is None or laid.gives_way))
    form = ResumeForm(data={"gallons": found.before}, **_sent())
    form.start.choices = [(one.start.isoformat(), formats.span(one.start, one.end, here.plant.tz),
                           formats.rate(one.gph)) for one in times[:4]]  # fmt: skip
    if at_once or (not tapped() and form.validate_on_submit()):
        result = resume_load(found.load, form.gallons.data, start=form.start.data, by=here.by, at=here.at, law=here.law)
        if not isinstance(result, Refusal):
            later = morning(result, here.at).piece is None
            said = result.note.splitlines()[-1] if later else _said(here, result, found.logged)
            return board(here, said, "resumed", ticket)
        if result.code in OF_THE_LOAD:
            return here.refuse(result)
        form.show_refusal(result)
    words = laid_words(here.plant, laid, _whose(here, laid)) if laid else ""
    return here.show("intake/station/resume.html", form=form, found=found, words=words, times=times)


def _how(here: Page, found: Morning) -> tuple[Layout | None, list[Any]]:
    """How what waits would go on now, or when later today."""
    if not found.paused or found.day != here.today:
        return None, []
    left = found.logged - found.before
    there = beside(here.plant, here.law, found.load, found.rests[0], here.at, found.before)
    laid = resumed(there, here.at, left, found.gph)
    return laid, [] if laid else later_times(there, here.at, left, found.gph)[0]


def _whose(here: Page, laid: Layout) -> str:
    return begins(here.plant.id, here.at, laid.gives_way, here.today) if laid.gives_way else ""


@page(bp, "/station/load/<ticket>/rate", *GATE, methods=("GET", "POST"))
def load_rate(here: Page, ticket: str) -> Any:
    """Enter the rate a gauge shows: above the hard limit it is kept, never refused."""
    found = _found(here, ticket)
    was, rate = found.gph, _rate_tapped() or found.gph
    form = RateForm(data={"rate": rate, "gallons": found.out}, **_sent())
    # With one tap, unless the load cannot end as it was planned: then the page says how it would go on, and asks.
    odd = _odd_rate(here, found, rate) if tapped() else ""
    if not odd and (tapped() or form.validate_on_submit()):
        result = change_rate(found.load, form.rate.data, form.gallons.data, by=here.by, at=here.at, law=here.law)
        if not isinstance(result, Refusal):
            return board(here, _said(here, result, found.logged), "rate", ticket, was=was)
        if result.code in OF_THE_LOAD:
            return here.refuse(result)
        form.show_refusal(result)
    picture = day_picture(here.plant, here.law, here.today, here.at)
    others = drawn_at(here.plant.id, here.today, here.at, found.load.id)
    return here.show("intake/station/rate.html", form=form, found=found, cap=picture.cap, others=others, odd=odd)


def _rate_tapped() -> int:
    """The rate of the button of the board that was pressed, gallons an hour; 0 where none was."""
    said = request.form.get("tap", "") if tapped() else ""
    return int(said) if said.isdecimal() and len(said) < len(str(FASTEST)) else 0


def _odd_rate(here: Page, found: Morning, gph: int) -> str:
    """How the load would go on at a rate where that is not simply until all of it is out; "" where it is."""
    piece = found.piece
    if piece is None:
        return ""
    there = beside(here.plant, here.law, found.load, piece, here.at, found.out)
    laid = lay_out(there, here.at, found.logged - found.out, gph, pressing=True)
    return laid_words(here.plant, laid, _whose(here, laid)) if laid.gives_way else ""


@page(bp, "/station/load/<ticket>/more", *GATE, methods=("GET", "POST"))
def load_more(here: Page, ticket: str) -> Any:
    """More than was logged, or still running past its end."""
    found = _found(here, ticket)
    form = MoreForm(data={"gallons": None})
    if form.validate_on_submit():
        result = run_on(found.load, form.more.data, form.gallons.data, reason=form.reason.data, by=here.by, at=here.at,
                        law=here.law)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("intake.station_today", _said(here, result, found.logged + form.more.data))
        if result.code in OF_THE_LOAD:
            return here.refuse(result)
        form.show_refusal(result)
    return here.show("intake/station/more.html", form=form, found=found)


@page(bp, "/station/stop-everything", *GATE, methods=("GET", "POST"))
def station_stop_all(here: Page) -> Any:
    """Pause every load at once: one tap on the board, which offers to let them go on."""
    form = StopAllForm(data={"reason": AT_ONCE}, **_sent())
    if tapped() or form.validate_on_submit():
        result = stop_all(here.plant, form.reason.data, by=here.by, at=here.at, law=here.law)
        if isinstance(result, Refusal):
            return here.refuse(result)
        said = f"Stopped: {formats.plural(len(result), 'truck')}. Correct the gallons where the meter says otherwise."
        return board(here, said, "stopped", " ".join(one.ticket for one in result))
    return here.show("intake/station/stop_all.html", form=form, today=station.today(here.plant, here.law, here.at))


@page(bp, "/station/resume-everything", *GATE, methods=("POST",))
def station_resume_all(here: Page) -> Any:
    """Let the trucks go on that were stopped with one tap."""
    several = taps.paused_of(station.today(here.plant, here.law, here.at), request.form.get("tap", ""))
    result = resume_all(several, by=here.by, at=here.at, law=here.law)
    if isinstance(result, Refusal):
        return here.refuse(result)
    return here.done("intake.station_today", gone_on_words(several, result))

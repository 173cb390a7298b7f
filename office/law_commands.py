"""``flask law …``: the law answered on the command line, as a sentence with its § or, with --json, one object a line.

Exit 0 for an answer, 1 for a refusal, 2 for a question that cannot be read. PLANT is a plant of this host or, where
none is set up under that name, a shipped profile.
"""

import json
import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from decimal import ROUND_DOWN, Decimal
from pathlib import Path
from typing import Any, NoReturn

import click
from flask.cli import AppGroup
from sqlalchemy.exc import DBAPIError

import ordinances
from office import formats
from office.db import db
from office.law import law_in_force, shipped_law
from office.plants import plant_named
from ordinances import calendar, offers, rate_cap
from ordinances.flows import Reading
from ordinances.programme import not_served
from ordinances.reader import LawError, NoLaw, check
from ordinances.refusal import Refusal
from ordinances.rows import Law

law_group = AppGroup("law", help="Ask the law of a plant or of a shipped profile.")
AS_JSON = click.option("--json", "as_json", is_flag=True, help="one JSON object on one line")
DAY = click.DateTime(["%Y-%m-%d"])
MOST = 1_000_000_000
# The recorded flows that count at a plant from a first through a last day, asked of the room that keeps them
# (``app.py`` hands it in).
READINGS: list[Callable[[int, Law, date, date], Sequence[Reading]]] = []


class Dollars(click.ParamType):
    """An amount of dollars and cents, nought or more."""

    name = "dollars"

    def convert(self, value: Any, param: Any, ctx: Any) -> Decimal:
        if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,2})?", str(value)):
            self.fail(f"{value} is no amount of dollars, like 30.00", param, ctx)
        return Decimal(str(value))


def _law(name: str, on: date) -> Law:
    try:
        plant = plant_named(name)
        db.session.rollback()
    except DBAPIError:
        # No database here yet: the shipped files can still be asked.
        db.session.rollback()
        plant = None
    return law_in_force(plant, on) if plant else shipped_law(name)


def _asked(command: Callable[..., Any]) -> Callable[..., Any]:
    """Turn a question nobody can answer (no such plant, no law that day) into one clear line and exit 2."""

    def run(**values: Any) -> None:
        try:
            command(**values)
        except OverflowError:
            raise click.UsageError("This date or number is beyond any calendar.") from None
        except (NoLaw, LawError) as error:
            raise click.UsageError(str(error).strip("'\"")) from None

    run.__name__, run.__doc__ = command.__name__, command.__doc__
    run.__click_params__ = getattr(command, "__click_params__", [])  # type: ignore[attr-defined]
    return run


def _say(as_json: bool, sentence: str, cite: str, notes: list[str] | None = None, **values: Any) -> None:
    if as_json:
        more = {} if notes is None else {"notes": notes}
        click.echo(json.dumps(values | more, ensure_ascii=False))
        return
    for line in [f"{sentence} ({cite})", *(notes or [])]:
        click.echo(line)


def _calendar_notes(law: Law, day: date) -> list[str]:
    """That no holiday is known, where an answer hangs on the days a plant is open."""
    if law.closures or not law.has("hours.holidays", day):
        return []
    return ["Holidays are each plant's own, and none is known here: a day may be closed all the same."]


def _refuse(as_json: bool, refusal: Refusal, **values: Any) -> NoReturn:
    if as_json:
        click.echo(json.dumps({"refused": refusal.code, "why": refusal.why, "cite": refusal.cite, **values},
                              ensure_ascii=False))  # fmt: skip
    else:
        click.echo(" ".join(filter(None, [f"{refusal.why} ({refusal.cite})", refusal.next_step])))
    raise SystemExit(1)


def _instant(law_zone: Any, text: str) -> datetime:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(f"{text} is no ISO date and time, like 2026-09-01T23:59:59") from None
    return at if at.tzinfo else at.replace(tzinfo=law_zone)


@law_group.command("check")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@AS_JSON
def check_files(files: tuple[Path, ...], as_json: bool) -> None:
    """Check files of the law (default: every shipped one) and name each mistake with file, key and mend."""
    paths = list(files) or sorted(Path(ordinances.__file__).parent.glob("*.toml"))
    problems = check(paths)
    if as_json:
        found = [{"file": one.file, "key": one.key, "what": one.what, "mend": one.mend} for one in problems]
        click.echo(json.dumps({"checked": len(paths), "problems": found}, ensure_ascii=False))
        raise SystemExit(1 if problems else 0)
    for problem in problems:
        click.echo(str(problem))
    if problems:
        raise SystemExit(1)
    click.echo(f"{formats.plural(len(paths), 'file')} checked, nothing wrong.")


@law_group.command("window")
@click.argument("plant")
@click.option("--at", "at_text", required=True, help="ISO instant; without an offset it is plant-local")
@AS_JSON
@_asked
def window(plant: str, at_text: str, as_json: bool) -> None:
    """Is the filing window open at an instant?"""
    zone = _law(plant, _rough_day(at_text)).zone
    at = _instant(zone, at_text)
    law = _law(plant, at.astimezone(zone).date())
    status = calendar.may_file(law, at)
    if isinstance(status, Refusal):
        seen = calendar.filing_status(law, at)
        dates = {} if isinstance(seen, Refusal) else _window(seen)
        _refuse(as_json, status, **dates)
    _say(as_json, status.sentence, status.cite, **_window(status))


def _rough_day(text: str) -> date:
    try:
        return datetime.fromisoformat(text).date()
    except ValueError:
        raise click.BadParameter(f"{text} is no ISO date and time, like 2026-09-01T23:59:59") from None


def _window(status: calendar.FilingStatus) -> dict[str, Any]:
    return {"state": status.state, "opens": status.opens.isoformat(), "closes": status.closes.isoformat()}


@law_group.command("hours")
@click.argument("plant")
@click.option("--date", "day", required=True, type=DAY)
@AS_JSON
@_asked
def hours(plant: str, day: datetime, as_json: bool) -> None:
    """When may septage be discharged on a day?"""
    law = _law(plant, day.date())
    found = calendar.dump_hours(law, day.date())
    if isinstance(found, Refusal):
        _refuse(as_json, found)
    sentence = f"{formats.day(day.date())}: {formats.span(found.start, found.end, found.start.tzinfo)}"  # type: ignore[arg-type]
    _say(as_json, sentence, found.cite, _calendar_notes(law, day.date()),
         **{"from": found.start.isoformat(), "to": found.end.isoformat()})  # fmt: skip


@law_group.command("rate")
@click.argument("plant")
@click.option("--date", "day", required=True, type=DAY)
@click.option("--flow-gpd", type=click.IntRange(1, MOST), help="another flow in force, gallons a day")
@AS_JSON
@_asked
def rate(plant: str, day: datetime, flow_gpd: int | None, as_json: bool) -> None:
    """How fast may septage be discharged on a day, everybody together?"""
    law = _law(plant, day.date())
    cap = _cap(law, day.date(), as_json, flow_gpd, plant)
    room = rate_cap.window_gallons(law, day.date(), cap)
    _say(as_json, f"{'; '.join(cap.steps)}. {formats.volume(room)} that day.", cap.cite,
         plan_gph=cap.plan_gph, hard_gph=format(cap.hard_gph.quantize(Decimal("0.0001"), ROUND_DOWN).normalize(), "f"),
         window_gallons=room)  # fmt: skip


def _readings(name: str, law: Law, day: date) -> Sequence[Reading] | None:
    """The flows recorded at a plant that is set up here; None for a shipped profile, which has none."""
    try:
        plant = plant_named(name)
    except DBAPIError:
        db.session.rollback()
        return None
    return READINGS[0](plant.id, law, day, day) if plant and READINGS else None


def _cap(law: Law, day: date, as_json: bool, flow_gpd: int | None, plant: str) -> rate_cap.Cap:
    found = calendar.dump_hours(law, day)
    if isinstance(found, Refusal) and found.code != "closed":
        _refuse(as_json, found)
    cap = rate_cap.cap_on(law, day, flow_gpd, _readings(plant, law, day))
    if cap.stop is not None:
        _refuse(as_json, cap.stop)
    return cap


@law_group.command("fit")
@click.argument("plant")
@click.option("--date", "day", required=True, type=DAY)
@click.option("--gallons", required=True, type=click.IntRange(1, MOST))
@AS_JSON
@_asked
def fit(plant: str, day: datetime, gallons: int, as_json: bool) -> None:
    """Would a load fit an empty day, and when?"""
    law = _law(plant, day.date())
    found = calendar.dump_hours(law, day.date())
    if isinstance(found, Refusal):
        _refuse(as_json, found)
    cap = _cap(law, day.date(), as_json, None, plant)
    if cap.shut is not None:
        _refuse(as_json, cap.shut)
    free = offers.free_steps((found.start, found.end), cap.limits, [])
    fits, _misses = offers.offers(free, gallons)
    if not fits:
        refusal = _too_large(law, day.date(), gallons, cap)
        _refuse(as_json, refusal, **refusal.details)
    first = fits[0]
    fit_words = f"{formats.volume(gallons)} {'fits' if gallons == 1 else 'fit'}"
    sentence = f"{fit_words} {formats.span(first.start, first.end, law.zone)} at {formats.rate(first.gph)}."
    _say(as_json, sentence, cap.cite, _calendar_notes(law, day.date()), sessions=[_session(one) for one in fits])


def _too_large(law: Law, day: date, gallons: int, cap: rate_cap.Cap) -> Refusal:
    room = rate_cap.window_gallons(law, day, cap)
    needed = offers.windows_needed(gallons, room)
    minutes = formats.minutes_words(offers.minutes(gallons, cap.plan_gph))
    why = (
        f"No time fits {formats.volume(gallons)} in one day: at {formats.rate(cap.plan_gph)} it takes "
        f"{minutes}, and the day takes {formats.volume(room)}."
    )
    step = f"Split it over {formats.plural(needed, 'morning')}, ask for a special time, or bring less."
    return Refusal("does_not_fit", why, cap.cite, next_step=step, details={"windows": needed})


def _session(one: offers.Session) -> dict[str, Any]:
    return {"start": one.start.isoformat(), "end": one.end.isoformat(), "gph": one.gph, "gallons": one.gallons}


@law_group.command("due")
@click.argument("plant")
@click.option("--discharged-at", required=True, help="ISO instant; without an offset it is plant-local")
@AS_JSON
@_asked
def due(plant: str, discharged_at: str, as_json: bool) -> None:
    """When is the written record of a load due?"""
    zone = _law(plant, _rough_day(discharged_at)).zone
    at = _instant(zone, discharged_at)
    law = _law(plant, at.astimezone(zone).date())
    closed = not_served(law, at.astimezone(zone).date())
    if closed is not None:
        _refuse(as_json, closed)
    found = calendar.record_due(law, at)
    _say(as_json, f"The written record is due by the end of {formats.day(found.at.date())}.", found.cite,
         _calendar_notes(law, at.astimezone(zone).date()), due=found.at.isoformat())  # fmt: skip


def closed_notes(law: Law, day: date) -> list[str]:
    """That nothing is unloaded on the day asked about, or that no holiday is known."""
    found = calendar.dump_hours(law, day)
    if isinstance(found, Refusal):
        return [f"{found.why} Nothing is unloaded that day."]
    return _calendar_notes(law, day)

"""What a laboratory's file would do: which load each line is of, what is new, and what differs from what is kept."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from sqlalchemy import func, select

from intake.models import Load, Result
from intake.queries import loads
from intake.queries.results import NAMES, as_typed, may_have
from intake.states import LoadState
from office import formats
from office.db import db
from ordinances.lab_words import Reading, limit_of, limits_wrong, read_result, unusual
from ordinances.refusal import Refusal
from ordinances.strength import MG_L, PARAMETERS, Band

NEW, SAME, DIFFERS = "new", "same", "differs"


@dataclass(frozen=True)
class LabLine:
    """One result of a file: where it stands, whose it is, what the laboratory wrote and what else it says.

    ``text`` is read with ``limit`` for ND; ``own`` is the laboratory's text where it says more. Days are ISO or "".
    """

    row: int
    column: str
    bottle: str
    ticket: str
    parameter: str
    text: str
    limit: str = ""
    own: str = ""
    method: str = ""
    analyst: str = ""
    lab_number: str = ""
    sampled: str = ""
    received: str = ""
    analysed: str = ""
    lod: str = ""
    loq: str = ""

    def day(self, name: str) -> date | None:
        """The day sampled, received or analysed."""
        text = getattr(self, name)
        return date.fromisoformat(text) if text else None

    @property
    def limits(self) -> tuple[Decimal | None, Decimal | None]:
        """The limits of detection and of quantitation, where the laboratory states both as figures."""
        return limit_of(self.lod, self.parameter), limit_of(self.loq, self.parameter)

    @property
    def whose(self) -> str:
        """ "bottle 1006-01", or by its ticket."""
        return f"bottle {self.bottle}" if self.bottle else f"ticket {self.ticket}"


@dataclass(frozen=True)
class Wrong:
    """A cell that stops the file: where it is, what stands there, what to do."""

    row: int
    column: str
    what: str
    mend: str


@dataclass(frozen=True)
class Outcome:
    """What a line would do: NEW, SAME or DIFFERS from what is ``kept``; ``band`` where it is asked about."""

    line: LabLine
    load: Load
    kind: str
    reading: Reading
    kept: str = ""
    band: Band | None = None

    @property
    def words(self) -> str:
        """The result as it would be kept: "4,200"."""
        return f"{self.reading.qualifier}{formats.number(self.reading.value)}"

    @property
    def is_nought(self) -> bool:
        """A 0, which is rare."""
        mg_l = PARAMETERS[self.line.parameter].unit == MG_L
        return mg_l and not self.reading.qualifier and not self.reading.value


def outcomes(plant_id: int, lines: Sequence[LabLine], today: date) -> tuple[list[Outcome], list[Wrong]]:
    """What each line would do, and the cells that stop the whole file. Two queries."""
    known = _loads(plant_id, lines)
    results = loads.results_of({one.id for several in known.values() for one in several})
    found, wrong, seen = list[Outcome](), list[Wrong](), dict[tuple[int, str], LabLine]()
    for line in lines:
        load = _load(line, known)
        reading = read_result(line.text, line.parameter, line.limit)
        problem = _disagrees(line, load, known) or _wrong(line, load, today) or _limits_wrong(line, reading)
        if problem is not None or load is None or not isinstance(reading, Reading):
            wrong += [problem] if problem is not None else []
            continue
        first = seen.setdefault((load.id, line.parameter), line)
        if first is not line:
            if read_result(first.text, first.parameter, first.limit) != reading:
                wrong.append(Wrong(line.row, line.column, f"{line.whose} has {NAMES[line.parameter]} twice",
                                   f"Row {first.row} says {first.text}. Keep one of them"))  # fmt: skip
            continue
        found.append(_outcome(line, load, reading, results.get(load.id, {})))
    return found, wrong


def _outcome(line: LabLine, load: Load, reading: Reading, results: Mapping[str, Result]) -> Outcome:
    kept = results.get(line.parameter)
    if kept is None:
        band = unusual(load.waste, line.parameter, reading)
        return Outcome(line, load, NEW, reading, band=band)
    same = (kept.qualifier, kept.value) == (reading.qualifier, reading.value)
    return Outcome(line, load, SAME if same else DIFFERS, reading, as_typed(kept))


def _loads(plant_id: int, lines: Iterable[LabLine]) -> dict[str, list[Load]]:
    """Loads by bottle (without zeros before it, which spreadsheets drop) and by ticket, the newest first."""
    wanted = {_short(one.bottle) for one in lines if one.bottle}
    tickets = {one.ticket for one in lines if one.ticket}
    short = func.ltrim(func.upper(Load.bottle), "0")
    query = select(Load).where(Load.plant_id == plant_id, Load.state != LoadState.VOID.value,
                               (short.in_(wanted) & (Load.bottle != "")) | Load.ticket.in_(tickets))  # fmt: skip
    found: dict[str, list[Load]] = {}
    for load in db.session.scalars(query.order_by(Load.id.desc())):
        for name in filter(None, {f"t:{load.ticket}", f"b:{_short(load.bottle)}" if load.bottle else ""}):
            found.setdefault(name, []).append(load)
    return found


def _short(bottle: str) -> str:
    return bottle.upper().lstrip("0")


def _load(line: LabLine, known: Mapping[str, Sequence[Load]]) -> Load | None:
    """The load of a line: by its ticket, else by its bottle as written, on the day it was sampled, the newest."""
    if line.ticket:
        return next(iter(known.get(f"t:{line.ticket}", ())), None)
    several = list(known.get(f"b:{_short(line.bottle)}", ()))
    exact = [one for one in several if one.bottle.upper() == line.bottle.upper()] or several
    day = line.day("sampled")
    return next((one for one in exact if one.day == day), next(iter(exact), None))


def _disagrees(line: LabLine, load: Load | None, known: Mapping[str, Sequence[Load]]) -> Wrong | None:
    """A ticket of one load beside the bottle of another: whose the result is, nobody knows."""
    if load is None or not line.ticket or not line.bottle:
        return None
    others = known.get(f"b:{_short(line.bottle)}", ())
    if _short(load.bottle) == _short(line.bottle) or not (others or load.bottle):
        return None
    has = f"bottle {load.bottle}" if load.bottle else "no bottle"
    whose = f"load {others[0].ticket}" if others else "no load"
    what = f"load {load.ticket} has {has}, and bottle {line.bottle} is of {whose}"
    return Wrong(line.row, line.column, what, "Mend the ticket or the bottle")


def _wrong(line: LabLine, load: Load | None, today: date) -> Wrong | None:
    """Why a line stops the file, or None."""
    if load is None:
        whose = f"ticket {line.ticket}" if line.ticket else line.whose
        return Wrong(line.row, line.column, f"no load has {whose}", "Type the number as it stands on the ticket")
    if load.state != LoadState.ACCEPTED.value or not may_have(load):
        what = f"load {load.ticket}, {line.whose}, has no sample to test"
        return Wrong(line.row, line.column, what, "Take the line out, or mend its number")
    last, said = load.day, f"load {load.ticket} came"
    for name, day in _days(line):
        if day > today:
            return Wrong(line.row, line.column, f"the day {name}, {day.isoformat()}, is still to come", "Mend the day")
        if day < last:
            what = f"the day {name}, {day.isoformat()}, is before the day {said}, {last.isoformat()}"
            return Wrong(line.row, line.column, what, "Mend the day, or the number of the bottle")
        last, said = day, f"it was {name}"
    return None


def _limits_wrong(line: LabLine, reading: Reading | Refusal) -> Wrong | None:
    refused = limits_wrong(reading, *line.limits) if isinstance(reading, Reading) else None
    return Wrong(line.row, line.column, *refused.why.split(". ", 1)) if refused is not None else None


def _days(line: LabLine) -> Iterator[tuple[str, date]]:
    """The days a line names, in the order in which they must come."""
    for name, words in (("sampled", "sampled"), ("received", "received"), ("analysed", "analyzed")):
        day = line.day(name)
        if day is not None:
            yield words, day

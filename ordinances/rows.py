"""A row of the law, a profile of rows, and the law as it holds at one plant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, time
from functools import cached_property, wraps
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar
from zoneinfo import ZoneInfo

from ordinances.plain_words import plain
from ordinances.ranges import check_range
from ordinances.schema import KEYS, ORDER, Key
from ordinances.values import parse

if TYPE_CHECKING:
    from ordinances.schedule import Schedule

CLOSURE_KINDS = ("holiday", "closed", "opened")


@dataclass(frozen=True)
class Problem:
    """One mistake in a file of the law: where it is, what is wrong, and what to write instead."""

    file: str
    key: str
    what: str
    mend: str

    def __str__(self) -> str:
        place = f"{self.file}: {self.key}" if self.key else self.file
        return f"{place}: {self.what}. {self.mend}"


class LawError(Exception):
    """A file of the law that cannot be used; `problems` names every mistake found."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(str(one) for one in problems))
        self.problems = problems


class NoLaw(LookupError):  # noqa: N818 - the name says it: there is no law to look up
    """Asked before the first date of a term, after its end, or for a term the law does not have."""


@dataclass(frozen=True)
class Row:
    """One dated term: in force from `since` through `until` (both included) or the next row of its key."""

    key: str
    value: Any
    since: date
    until: date | None
    cite: str
    reading: str | None = None
    unconfirmed: bool = False
    note: str = ""
    source: str = "profile"
    resolution: str | None = None
    quote: str = ""

    @property
    def schema(self) -> Key:
        return KEYS[self.key]

    @property
    def words(self) -> str:
        """The value as a person reads it under its title, with its unit."""
        return plain(self.schema, self.value)

    def in_force(self, on: date) -> bool:
        return self.since <= on and (self.until is None or on <= self.until)


def plant_row(
    key: str, raw: Any, since: date, resolution: str, *, cite: str = "", until: date | None = None, note: str = ""
) -> Row:
    """A plant's own row from the value as typed; raises WrongValue, or NoLaw for a key a plant cannot set.

    A whole number may come as text ("125000"). Without a section the resolution itself is cited.
    """
    if key not in KEYS or not KEYS[key].plant:
        raise NoLaw(f"{key} is not a term a plant sets itself")
    if KEYS[key].type == "integer" and isinstance(raw, str) and raw.isascii() and raw.isdigit():
        raw = int(raw)
    value = parse(KEYS[key].type, raw, KEYS[key].options)
    check_range(KEYS[key], value)
    return Row(
        key, value, since, until, cite or resolution, note=note, source="plant", resolution=resolution
    )  # fmt: skip


@dataclass(frozen=True)
class Profile:
    """A whole law: the rows of a profile and of its state layer, with the canonical text they were read from."""

    id: str
    name: str
    place: str
    zone: str
    state_layer: str | None
    historic: str | None
    rows: tuple[Row, ...]
    text: str = field(repr=False)
    sha256: str
    # The charges it writes as items, for a profile that has some.
    schedule: Schedule | None = None


@dataclass(frozen=True)
class Closure:
    """A day of the plant's own calendar: a "holiday", "closed", or "opened" in spite of one; ValueError otherwise.

    Only a "closed" day may be closed for part of it: [shut_from, shut_until) of the plant's wall clock. ``over`` is the
    holiday that is opened or closed otherwise: the day stays one.
    """

    day: date
    name: str
    kind: str
    shut_from: time | None = None
    shut_until: time | None = None
    over: str = ""

    def __post_init__(self) -> None:
        if self.kind not in CLOSURE_KINDS:
            raise ValueError(f"{self.kind!r} is not one of {', '.join(CLOSURE_KINDS)}")
        if (self.shut_from is None) != (self.shut_until is None) or (self.is_part and self.kind != "closed"):
            raise ValueError("part of a closed day has two times")
        if self.shut_from is not None and self.shut_until is not None and self.shut_from >= self.shut_until:
            raise ValueError("a part ends after it begins")

    @property
    def is_part(self) -> bool:
        return self.shut_from is not None

    @property
    def is_holiday(self) -> bool:
        return self.kind == "holiday" or bool(self.over)

    @property
    def shut(self) -> tuple[time, time] | None:
        """The hours that are closed on a day that is otherwise open."""
        return (self.shut_from, self.shut_until) if self.shut_from is not None and self.shut_until is not None else None


Rule = TypeVar("Rule", bound=Callable[..., Any])
_NO_CLOSURES: Mapping[date, Closure] = MappingProxyType({})


# How much of one law is remembered before it begins anew: days of a year times rules.
MOST_KNOWN = 20_000


@dataclass(frozen=True)
class Law:
    """The profile in force at a plant together with the plant's own rows and closures."""

    profile: Profile
    plant_rows: tuple[Row, ...] = ()
    closures: Mapping[date, Closure] = field(default_factory=lambda: _NO_CLOSURES, hash=False)

    @property
    def version(self) -> str:
        return self.profile.sha256

    @cached_property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.profile.zone)

    @cached_property
    def known(self) -> dict[Any, Any]:
        """What rules have found in this law (``once``); neither ever changes."""
        return {}

    @cached_property
    def _by_key(self) -> dict[str, list[Row]]:
        """Rows of each key, the one to try first at the front: plant before profile before state, newest first."""
        rank = {"plant": 0, "profile": 1, "state": 2}
        mine = [row for row in self.plant_rows if KEYS[row.key].plant]
        rows: dict[str, list[Row]] = {}
        # Of two rows of a plant from one day the one entered later counts: it comes first here.
        known = (*reversed(mine), *self.profile.rows)
        for row in sorted(known, key=lambda row: (rank[row.source], -row.since.toordinal())):
            rows.setdefault(row.key, []).append(row)
        return rows

    def _find(self, key: str, on: date) -> Row | None:
        """The newest row begun by a day counts for its source; once it has ended no older one comes back."""
        found = self._asked.get((key, on), self)
        if found is self:
            if len(self._asked) >= MOST_KNOWN:
                self._asked.clear()
            found = self._asked[key, on] = self._search(key, on)
        return found

    @cached_property
    def _asked(self) -> dict[tuple[str, date], Any]:
        return {}

    def _search(self, key: str, on: date) -> Row | None:
        ended: set[str] = set()
        for row in self._by_key.get(key, ()):
            if row.since <= on and row.source not in ended:
                if row.in_force(on):
                    return row
                ended.add(row.source)
        return None

    def row(self, key: str, on: date) -> Row:
        """The row of a key in force on a day; raises NoLaw."""
        row = self._find(key, on)
        if row is None:
            raise NoLaw(self._why_none(key, on))
        return row

    def value(self, key: str, on: date) -> Any:
        return self.row(key, on).value

    def cite(self, key: str, on: date) -> str:
        return self.row(key, on).cite

    def cited(self, key: str, on: date) -> str:
        """The § of a key on a day; "" where the law has no such row."""
        row = self._find(key, on)
        return row.cite if row is not None else ""

    def has(self, key: str, on: date) -> bool:
        return self._find(key, on) is not None

    def rows(self, on: date) -> list[Row]:
        """Every row in force on a day, in reading order."""
        found = (self._find(key, on) for key in self._by_key)
        return sorted((row for row in found if row is not None), key=lambda row: ORDER[row.key])

    def words(self, row: Row, on: date) -> str:
        """A row in plain words; a doubtful load goes to whoever this law names as its judge on that day."""
        if row.schema.type == "limit" and self.has("limits.judged_by", on):
            return plain(row.schema, row.value, self.value("limits.judged_by", on))
        return row.words

    def _why_none(self, key: str, on: date) -> str:
        place = self.profile.name
        if key not in KEYS:
            return f"{key} is no term of the law"
        known = self._by_key.get(key)
        if not known:
            return f"{place} has no {key}: {KEYS[key].title.lower()} is not part of its law"
        first = min(row.since for row in known)
        if on < first:
            return f"{place} has no {key} on {on}: its first date is {first}"
        return f"{place} has no {key} on {on}: it is no longer in force"


def once(rule: Rule) -> Rule:
    """Ask a rule of a law and of further values once for each law. What it returns is never changed by anybody."""

    @wraps(rule)
    def asked(law: Law, *given: Any) -> Any:
        known, key = law.known, (rule, given)
        found = known.get(key, known)
        if found is known:
            if len(known) >= MOST_KNOWN:
                known.clear()
            found = known[key] = rule(law, *given)
        return found

    return asked  # type: ignore[return-value]

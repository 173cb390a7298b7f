"""The columns of a day's picture, drawn once for the wide and once for the narrow screen (templates/ui/pictures.html).

A quarter hour has some forty cells; a template needs a hundred times longer for them than this.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from markupsafe import Markup

from office.formats import clock_time, gallons, plant_zone, span

# The tiny addition undoes only what binary fractions lose.
TINY = 1e-6


# Parts of pages that say the same for the same values, drawn before; how many before that begins anew.
_DRAWN: dict[tuple[Any, ...], Markup] = {}
MOST_DRAWN = 1_000


def drawn(*values: Any, caller: Any) -> Markup:
    """A part of a page that says nothing but these values: drawn once for them. ``{% call drawn("name", …) %}``."""
    found = _DRAWN.get(values)
    if found is None:
        if len(_DRAWN) >= MOST_DRAWN:
            _DRAWN.clear()
        found = _DRAWN[values] = Markup(caller())
    return found


@dataclass(frozen=True)
class Timeline:
    """What the macro puts in its place: ``rows`` of the table, the ``wide`` and the ``narrow`` columns; how many there
    are and the gallons free in them, not rounded."""

    count: int
    free: float
    rows: Markup
    wide: Markup
    narrow: Markup


@dataclass(frozen=True)
class _Column:
    clock: str
    words: str
    taken: float
    own: float
    over: bool
    shut: bool
    gone: float


def timeline(quarters: Sequence[Any], cap_gph: Any, ident: str, mine: Sequence[Any] = (), now: datetime | None = None,
             counted: bool = True) -> Timeline:  # fmt: skip
    """The columns of a day as ``day_timeline`` describes its quarters; ``ident`` begins the ids of its patterns."""
    zone, columns, rows, free = plant_zone(), [], [], 0.0
    for q in quarters:
        one = _column(q, float(cap_gph), mine, now, counted)
        if not one.over and not one.shut:
            free += float(_of(q, "free"))
        columns.append(one)
        cell = one.words if one.over or one.shut else (
            f'<span data-free="{round(float(_of(q, "free")), 6)}">{one.words}</span>')  # fmt: skip
        when = span(_of(q, "start"), _of(q, "end"), zone=zone)
        rows.append(f'<tr><th scope="row">{when}</th><td class="num">{cell}</td></tr>')
    return Timeline(len(columns), free, Markup("".join(rows)), Markup(_wide(columns, ident)),
                    Markup(_narrow(columns, f"{ident}-rows")))  # fmt: skip


def _of(quarter: Any, name: str, default: Any = None) -> Any:
    """A cell of a quarter hour, which is a mapping on the page of samples."""
    return quarter.get(name, default) if isinstance(quarter, dict) else getattr(quarter, name, default)


def _column(q: Any, cap: float, mine: Sequence[Any], now: datetime | None, counted: bool) -> _Column:
    start, end, full = _of(q, "start"), _of(q, "end"), cap / 4
    own = 0.0
    for one in mine:
        seconds = (min(_of(one, "end"), end) - max(_of(one, "start"), start)).total_seconds()
        # One faster than the limit goes into a tank: it is no draw.
        if seconds > 0 and _of(one, "gph") <= cap:
            own += float(_of(one, "gph")) * seconds / 3600
    over, shut, free = now is not None and end <= now, bool(_of(q, "shut")), float(_of(q, "free"))
    taken, limit = _of(q, "taken"), _of(q, "cap")
    if taken is not None:
        held = float(taken) / cap
    else:
        begins = now if now is not None and start < now < end else start
        held = 1 - free / (cap * (end - begins).total_seconds() / 3600)
    held = min(max(held - (own / full if counted else 0), 0), 1)
    words = "over" if over else "closed" if shut else whole(free)
    clock = clock_time(start, zone=plant_zone()).split(" ", maxsplit=1)[0]
    gone = max(1 - float(limit) / cap, 0) if limit is not None else 0
    return _Column(clock, words, held, own / full, over, shut, gone)


def whole(free: Any) -> str:
    """Free gallons, rounded down; "full" for none."""
    count = int(float(free) + TINY)
    return gallons(count) if count else "full"


def _wide(columns: Sequence[_Column], ident: str) -> str:
    n = len(columns)
    step, every = 89 / max(n, 1), 1 if n <= 14 else 2 if n <= 28 else 4
    parts, w = [], round(step - 0.4, 3)
    for at, c in enumerate(columns):
        x, gone = round(10 + at * step, 3), round(140 * c.gone, 1)
        h, mh = round(140 * c.taken, 1), round(140 * c.own, 1)
        over, open_ = " over" if c.over else "", not c.shut
        look = f'class="free{over}"' if open_ else f'class="shut" fill="url(#{ident}-shut)"'
        parts.append(f'<rect x="{x}%" y="42" width="{w}%" height="140" {look}/>')
        if gone and open_:
            parts.append(f'<rect x="{x}%" y="42" width="{w}%" height="{gone}" class="shut" fill="url(#{ident}-shut)"/>')
        if h and open_:
            parts.append(f'<rect x="{x}%" y="{182 - h}" width="{w}%" height="{h}" class="taken{over}"/>')
        if mh and open_:
            y = round(182 - h - mh, 1)
            parts.append(f'<rect x="{x}%" y="{y}" width="{w}%" height="{mh}" fill="url(#{ident}-mine)"/>')
        if at % every == 0:
            mid, said = round(x + w / 2, 3), "–" if c.shut or c.over else c.words
            parts.append(f'<text x="{mid}%" y="204" class="mid">{c.clock}</text>'
                         f'<text x="{mid}%" y="228" class="mid strong">{said}</text>')  # fmt: skip
    return "\n".join(parts)


def _narrow(columns: Sequence[_Column], ident: str) -> str:
    parts = []
    for at, c in enumerate(columns):
        y, w, mw, g = 24 + at * 27, round(62 * c.taken, 2), round(62 * c.own, 2), round(62 * c.gone, 2)
        over, open_ = " over" if c.over else "", not c.shut
        look = f'class="free{over}"' if open_ else f'class="shut" fill="url(#{ident}-shut)"'
        parts.append(f'<text x="0" y="{y + 16}">{c.clock}</text>'
                     f'<rect x="17%" y="{y}" width="62%" height="22" {look}/>')  # fmt: skip
        if c.gone and open_:
            parts.append(f'<rect x="{round(79 - g, 2)}%" y="{y}" width="{g}%" height="22" class="shut" '
                         f'fill="url(#{ident}-shut)"/>')  # fmt: skip
        if w and open_:
            parts.append(f'<rect x="17%" y="{y}" width="{w}%" height="22" class="taken{over}"/>')
        if mw and open_:
            parts.append(f'<rect x="{round(17 + w, 2)}%" y="{y}" width="{mw}%" height="22" fill="url(#{ident}-mine)"/>')
        parts.append(f'<text x="100%" y="{y + 16}" class="end strong">{c.words}</text>')
    return "\n".join(parts)

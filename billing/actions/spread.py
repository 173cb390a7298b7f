"""How payments are spread over invoices: a pure replay of an account's history, whatever the order it was typed in.

Each payment goes to the oldest open invoice, the oldest payment first; what is left over stays as credit and goes
to the next invoice. A charge taken back frees what was paid for it; a payment taken back frees what it paid. What is in
dispute is paid only where the clerk chose so: money passes it by until the dispute has ended.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date


@dataclass(frozen=True)
class Step:
    """One event of an account: so many cents more (or fewer) on an invoice, or in a payment, from a day on.

    Exactly one of ``invoice`` and ``payment`` is given, both by row id. ``disputed``: of what is in dispute of the
    invoice.
    """

    day: date
    cents: int
    invoice: int | None = None
    payment: int | None = None
    disputed: bool = False


@dataclass(frozen=True)
class Drawn:
    """From a day on so many cents that lay on one invoice, a deposit's, pay another, both by row id.

    ``back``: the draw is taken back, so that they lie where they lay before.
    """

    day: date
    cents: int
    of: int
    to: int
    back: bool = False


@dataclass
class _Books:
    """The state of the replay: cents open by invoice, cents free by payment, both in order of age; what is where."""

    open: dict[int, int] = field(default_factory=dict)
    disputed: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    free: dict[int, int] = field(default_factory=dict)
    moved: dict[tuple[int, int], int] = field(default_factory=lambda: defaultdict(int))
    choices: "Choices" = field(default_factory=dict)


Moves = dict[tuple[int, int, date], int]


Choices = Mapping[int, Sequence[tuple[int, int]]]


def spread(steps: Iterable[Step], choices: Choices | None = None, drawn: Sequence[Drawn] = ()) -> Moves:
    """{(payment, invoice, day): cents} that count from that day on; negative where something is taken back.

    ``choices`` are (invoice, cents) by payment that go first; the rest goes to the oldest. Only what holds at the end
    of a day matters, so steps of one day are taken together. Ids stand for age within a day. What is ``drawn`` on a
    deposit pays the invoice it was drawn for, before what is older.
    """
    books, moves = _Books(choices=choices or {}), Moves()
    days: dict[date, list[Step]] = defaultdict(list)
    for step in steps:
        days[step.day].append(step)
    for day in sorted(days):
        before = dict(books.moved)
        for step in sorted(days[day], key=lambda s: (s.invoice or 0, s.payment or 0)):
            _take(books, step)
        _give_back(books)
        for one in (one for one in drawn if one.day == day):
            _draw(books, one)
        _fill(books)
        for pair, cents in books.moved.items():
            if cents != before.get(pair, 0):
                moves[(*pair, day)] = cents - before.get(pair, 0)
    return moves


def _take(books: _Books, step: Step) -> None:
    if step.invoice is not None and step.disputed:
        books.disputed[step.invoice] += step.cents
    elif step.invoice is not None:
        books.open[step.invoice] = books.open.get(step.invoice, 0) + step.cents
    if step.payment is not None:
        books.free[step.payment] = books.free.get(step.payment, 0) + step.cents


def _give_back(books: _Books) -> None:
    """Undo the newest parts of what was paid by money that is gone, then of what is now paid too much: what another
    payment takes with it is paid too much no more."""
    for over in (lambda payment, _: -books.free[payment], lambda _, invoice: -books.open[invoice]):
        for pair in reversed(list(books.moved)):
            _move(books, *pair, -min(max(0, over(*pair)), books.moved[pair]))


def _draw(books: _Books, one: Drawn) -> None:
    """Move what a credit of the deposit freed to the invoice it was drawn for; taken back, from there again."""
    left = min(one.cents, books.open.get(one.to, 0) - books.disputed[one.to])
    for payment, invoice in reversed(list(books.moved)) if one.back else []:
        if invoice == one.of:
            cents = max(0, min(left, books.moved[payment, invoice]))
            _move(books, payment, invoice, -cents)
            _move(books, payment, one.to, cents)
            left -= cents
    for payment in [] if one.back else list(books.free):
        cents = max(0, min(left, books.free[payment]))
        _move(books, payment, one.to, cents)
        left -= cents


def _fill(books: _Books) -> None:
    for payment, wanted in books.choices.items():
        for invoice, cents in wanted:
            _fill_chosen(books, payment, invoice, cents)
    for payment in [ident for ident, cents in books.free.items() if cents > 0]:
        for invoice in list(books.open):
            ready = books.open[invoice] - books.disputed[invoice]
            _move(books, payment, invoice, max(0, min(books.free[payment], ready)))


def _fill_chosen(books: _Books, payment: int, invoice: int, cents: int) -> None:
    """Move so much of a payment to an invoice, from where it went unchosen, in place of what others pay unchosen.

    No more is taken from elsewhere than the invoice has room for: what it cannot take lies well where it is.
    """
    if invoice not in books.open or payment not in books.free:
        return
    others = [ident for ident in reversed(books.free) if ident != payment]
    room = books.open[invoice] + sum(max(0, _unchosen(books, other, invoice)) for other in others)
    lacking = min(cents - books.moved.get((payment, invoice), 0), room)
    if lacking <= 0:
        return
    for other in [ident for ident in reversed(books.open) if ident != invoice]:
        short = lacking - books.free[payment]
        _move(books, payment, other, -max(0, min(short, _unchosen(books, payment, other))))
    ready = min(lacking, books.free[payment])
    for other in others:
        short = ready - books.open[invoice]
        _move(books, other, invoice, -max(0, min(short, _unchosen(books, other, invoice))))
    _move(books, payment, invoice, max(0, min(ready, books.open[invoice])))


def _unchosen(books: _Books, payment: int, invoice: int) -> int:
    """What a payment pays of an invoice beyond what was chosen for it."""
    return books.moved.get((payment, invoice), 0) - dict(books.choices.get(payment, ())).get(invoice, 0)


def _move(books: _Books, payment: int, invoice: int, cents: int) -> None:
    if cents:
        books.moved[(payment, invoice)] += cents
        books.free[payment] -= cents
        books.open[invoice] -= cents

"""An account's books kept by other code: plain sums in whole cents over the rows as they lie in the tables.

Nothing here asks billing: no query of the room, no rule of the law. Percent and days are written down by hand.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import text

from office.db import db

# Town: (last day in time counted from the day of issue, percent of the late charge by the day of issue since when).
FIRST, AMENDED = date(1900, 1, 1), date(2026, 10, 25)
LATE = {
    "bayfield": (20, {FIRST: 10}), "gillett": (20, {FIRST: 3}), "amended": (20, {FIRST: 10, AMENDED: 8}),
}  # fmt: skip
DEPOSIT = "bond"
# What is charged for what was unloaded, and the town whose late charge is taken of all else too.
LOADS, OF_ALL = ("load", "more_tests", "retest"), "gillett"
OWING = ("charge", "late")
# No day is later than these two: what is let go on no day was let go on the last.
NOW, EVER = date(9999, 12, 30), date(9999, 12, 31)
TABLES = {
    "entry": "id, kind, on_day, for_day, amount_cents, reverses_id, credits_id, source_kind, source_id, line_code, at, "
    "reason",
    "invoice": "id, issued_on, due_on, total_cents, number",
    "payment": "id, entry_id, received_on, charge_id",
}
JOINED = {
    "line": "SELECT l.entry_id, l.invoice_id FROM invoice_line l JOIN invoice i ON i.id = l.invoice_id",
    "part": "SELECT l.payment_id, l.invoice_id, l.on_day, l.amount_cents FROM allocation l "
            "JOIN invoice i ON i.id = l.invoice_id",
    "hold": "SELECT l.id, l.entry_id, l.kind, l.releases_id, COALESCE(d.asked_on, l.on_day) AS since, l.on_day "
            "FROM charge_hold l JOIN entry i ON i.id = l.entry_id LEFT JOIN fee_dispute d ON d.id = l.dispute_id",
}  # fmt: skip


def _rows(sql: str, account: int) -> list[Any]:
    return list(db.session.execute(text(sql), {"account": account}).all())


def day_of(value: Any) -> Any:
    """A day as the engine gives it: SQLite keeps text."""
    return date.fromisoformat(value[:10]) if isinstance(value, str) else value


@dataclass(frozen=True)
class Charge:
    """One charge: the day it is dated, its cents, what was taken off it with the day; and the day it is for."""

    id: int
    kind: str
    day: date
    cents: int
    source: tuple[str, int, str]
    off: tuple[tuple[date, int], ...]
    reversed_on: date | None
    of: date

    def left(self, end_of: date = EVER) -> int:
        return self.cents + sum(cents for day, cents in self.off if day <= end_of)


class Books:
    """All rows of one account, read once, and what follows from them."""

    def __init__(self, account: int, town: str) -> None:
        db.session.flush()
        self.days, self.percents = LATE[town]
        self.town = town
        self.entries = {one.id: one for one in _rows(self._sql("entry"), account)}
        self.invoices = {one.id: one for one in _rows(self._sql("invoice"), account)}
        self.payments = {one.id: one for one in _rows(self._sql("payment"), account)}
        theirs = (_rows(f"{sql} WHERE i.account_id = :account", account) for sql in JOINED.values())
        lines, self.parts, self.holds = theirs
        self.on: dict[int, int] = {one.entry_id: one.invoice_id for one in lines}
        self.back = {one.reverses_id: one for one in self.entries.values() if one.reverses_id}
        self.released = {one.releases_id: day_of(one.on_day) for one in self.holds if one.releases_id}
        self.held = {
            (one.entry_id, one.kind) for one in self.holds if not one.releases_id and one.id not in self.released
        }
        self.charges = {one.id: self._charge(one) for one in self.entries.values() if self._owed(one)}

    @staticmethod
    def _sql(table: str) -> str:
        return f"SELECT {TABLES[table]} FROM {table} WHERE account_id = :account ORDER BY id"

    def _owed(self, row: Any) -> bool:
        """A charge; or money that was paid back of a payment which then came to nothing itself."""
        return row.kind in OWING or (row.kind == "refund" and self.payments[row.source_id].entry_id in self.back)

    def _charge(self, row: Any) -> Charge:
        off, back = [], self.back.get(row.id)
        if back is not None:
            off.append((day_of(back.on_day), back.amount_cents))
        for one in self.entries.values():
            if one.credits_id == row.id:
                off.append((day_of(one.on_day), one.amount_cents))
                undone = self.back.get(one.id)
                if undone is not None:
                    off.append((day_of(undone.on_day), undone.amount_cents))
        source = (row.source_kind, row.source_id, row.line_code)
        gone = day_of(back.on_day) if back is not None else None
        of = day_of(row.for_day or row.on_day)
        return Charge(row.id, row.kind, day_of(row.on_day), row.amount_cents, source, tuple(off), gone, of)

    def balance(self, end_of: date = EVER) -> int:
        return sum(one.amount_cents for one in self.entries.values() if day_of(one.on_day) <= end_of)

    def within(self, first: date, last: date) -> list[Any]:
        """The lines from one day to another, both counted, by their day."""
        found = [one for one in self.entries.values() if first <= day_of(one.on_day) <= last]
        return sorted(found, key=lambda one: (day_of(one.on_day), one.id))

    def lines_of(self, invoice: int) -> list[Charge]:
        found = [self.charges[entry] for entry, on in self.on.items() if on == invoice]
        return sorted(found, key=lambda one: (one.of, one.id))

    def asked(self, invoice: int, end_of: date = EVER) -> int:
        return sum(one.left(end_of) for one in self.lines_of(invoice))

    def paid(self, invoice: int, end_of: date = EVER) -> int:
        return sum(one.amount_cents for one in self.parts if one.invoice_id == invoice and day_of(one.on_day) <= end_of)

    def unpaid(self, invoice: int, end_of: date = EVER) -> int:
        return max(0, self.asked(invoice, end_of) - self.paid(invoice, end_of))

    def paid_by_good(self, invoice: int, end_of: date) -> int:
        """What payments that were never taken back paid of an invoice by the end of a day."""
        good = {ident for ident, row in self.payments.items() if row.entry_id not in self.back}
        mine = [one for one in self.parts if one.invoice_id == invoice and one.payment_id in good]
        return sum(one.amount_cents for one in mine if day_of(one.on_day) <= end_of)

    def paid_of(self, payment: int) -> int:
        return sum(one.amount_cents for one in self.parts if one.payment_id == payment)

    def worth(self, payment: int) -> int:
        """What a payment can pay on invoices: less what was paid at the desk with it, and what was paid back.

        Of one that was taken back nothing is left, and what was paid back of it is owed.
        """
        row = self.payments[payment]
        if row.entry_id in self.back:
            return 0
        desk = self.charges.get(row.charge_id) if row.charge_id else None
        held = desk.cents if desk is not None and desk.reversed_on is None else 0
        gone = sum(
            one.amount_cents for one in self.entries.values()
            if one.kind == "refund" and one.source_id == payment and one.id not in self.back
        )  # fmt: skip
        return int(-self.entries[row.entry_id].amount_cents - held - gone)

    def free(self) -> int:
        return sum(self.worth(one) - self.paid_of(one) for one in self.payments)

    def credit(self) -> int:
        """What may be paid back: no more than is free, and than the account has too much."""
        return max(0, min(self.free(), -self.balance()))

    def waits(self, one: Charge, end_of: date = EVER) -> bool:
        """On no invoice by the end of a day, neither taken back nor paid at the desk by then."""
        on = self.on.get(one.id)
        if one.day > end_of or (one.reversed_on is not None and one.reversed_on <= end_of):
            return False
        if on is not None and day_of(self.invoices[on].issued_on) <= end_of:
            return False
        if one.kind == "refund":
            return bool(day_of(self.back[self.payments[one.source[1]].entry_id].on_day) <= end_of)
        return not any(self._at_desk(one, row, end_of) for row in self.payments.values())

    def _at_desk(self, one: Charge, row: Any, end_of: date) -> bool:
        back = self.back.get(row.entry_id)
        bounced = back is not None and day_of(back.on_day) <= end_of
        return row.charge_id == one.id and day_of(row.received_on) <= end_of and not bounced

    def unbilled(self, end_of: date = EVER) -> int:
        return sum(one.cents for one in self.charges.values() if self.waits(one, end_of))

    def to_bill(self) -> list[Charge]:
        """What the next invoice must hold: all that waits and nothing holds back."""
        held = {entry for entry, _ in self.held}
        return [one for one in self.charges.values() if self.waits(one) and one.id not in held]

    def ages(self, end_of: date) -> list[int]:
        """Unpaid by age: not due, then 1-30, 31-60, 61-90 and more days past the last day in time."""
        found = [0, 0, 0, 0, 0]
        for invoice in self.invoices.values():
            if day_of(invoice.issued_on) <= end_of:
                over = (end_of - day_of(invoice.due_on)).days if invoice.due_on else 0
                place = sum(over > most for most in (0, 30, 60, 90))
                found[place] += self.unpaid(invoice.id, end_of)
        return found

    def doubted(self, entry: int, end_of: date) -> bool:
        """Whether a charge was in dispute at the end of a day: from the day it was asked to the day it was let go."""
        return any(
            one.entry_id == entry and one.kind == "dispute" and not one.releases_id and day_of(one.since) <= end_of
            and self.released.get(one.id, EVER) > end_of
            for one in self.holds
        )  # fmt: skip

    def doubt(self, invoice: int, end_of: date = NOW) -> int:
        """What was in dispute of an invoice at the end of a day, as far as it was left."""
        return sum(one.left(end_of) for one in self.lines_of(invoice) if self.doubted(one.id, end_of))

    @property
    def returned(self) -> bool:
        return any(one.entry_id in self.back for one in self.payments.values())

    def late_rule(self, invoice: int) -> int:
        """The late charge an invoice comes to as all stands now: so many percent, half a cent up, once.

        Of what was unpaid of its septage charges (in one town of all its own charges) at the end of the last day in
        time, but for what was in dispute then. A
        check that came back paid nothing, from the first day on, but what others paid they paid; credit that would
        have paid in its place did so too. A charge taken back since was never owed.
        """
        last = day_of(self.invoices[invoice].due_on)
        own = [one for one in self.lines_of(invoice) if one.kind == "charge" and one.reversed_on is None
               and (self.town == OF_ALL or one.source[0] in LOADS)]  # fmt: skip
        asked = sum(one.left(last) for one in own)
        doubted = sum(one.left(last) for one in own if self.doubted(one.id, last))
        paid = self.paid(invoice, last)
        if self.returned:
            moves = self.spread(bounced=False)
            paid = sum(c for (_, on), days in moves.items() if on == invoice for d, c in days.items() if d <= last)
            paid = max(paid, self.paid_by_good(invoice, last))
        base = max(0, max(0, asked - paid) - doubted)
        issued = day_of(self.invoices[invoice].issued_on)
        percent = self.percents[max(since for since in self.percents if since <= issued)]
        return (base * percent + 50) // 100

    def overdue(self, today: date) -> int:
        """What a deposit may pay: unpaid past the last day in time, but for what is in dispute and for deposits."""
        found = 0
        for ident, invoice in self.invoices.items():
            if day_of(invoice.due_on) < today:
                kept = [
                    one for one in self.lines_of(ident) if self.doubted(one.id, NOW) or one.source[2][:4] == DEPOSIT
                ]
                found += max(0, self.unpaid(ident) - sum(one.left() for one in kept))
        return found

    def late_of(self, invoice: int) -> list[Charge]:
        """Every late charge that was ever made of an invoice."""
        return [one for one in self.charges.values() if one.kind == "late" and one.source[:2] == ("invoice", invoice)]

    def void(self, invoice: int) -> bool:
        return all(one.reversed_on is not None for one in self.lines_of(invoice))

    def wrong(self, *, chosen: bool = False) -> Iterator[str]:
        """What no account may ever show, by the rows alone. ``chosen``: the clerk chose how money was spread."""
        for ident, invoice in self.invoices.items():
            issued = day_of(invoice.issued_on)
            if sum(one.cents for one in self.lines_of(ident)) != invoice.total_cents:
                yield f"invoice {ident}: its lines are not its total"
            if (day_of(invoice.due_on) - issued).days != self.days:
                yield f"invoice {ident}: due {invoice.due_on}"
            days = {day_of(one.on_day) for one in self.parts if one.invoice_id == ident} | {EVER}
            if any(self.paid(ident, day) < 0 for day in days) or self.paid(ident) > max(0, self.asked(ident)):
                yield f"invoice {ident}: paid {self.paid(ident)} of {self.asked(ident)}"
            standing = [one for one in self.late_of(ident) if one.left() > 0]
            if len(standing) > 1:
                yield f"invoice {ident}: {len(standing)} late charges stand"
            if any((one.of - day_of(invoice.due_on)).days != 1 for one in self.late_of(ident)):
                yield f"invoice {ident}: its late charge is not dated day {self.days + 1}"
            known = not (chosen and self.returned)
            if known and sum(one.left() for one in standing) > self.late_rule(ident):
                yield f"invoice {ident}: late charge {standing}, by the rule {self.late_rule(ident)}"
        for ident in self.payments:
            if not 0 <= self.paid_of(ident) <= self.worth(ident):
                yield f"payment {ident}: {self.paid_of(ident)} spread, worth {self.worth(ident)}"
        if any(one.left() < 0 or one.left() > one.cents for one in self.charges.values()):
            yield "a charge is credited by more than it was"
        if self.free() and any(self.unpaid(one) > self.doubt(one) for one in self.invoices):
            yield f"{self.free()} cents lie idle while something is unpaid and not in dispute"

    def spread(self, *, bounced: bool = True) -> dict[tuple[int, int], dict[date, int]]:
        """How payments nobody chose for spread: cents by (payment, invoice) and day, played again day by day.

        What is paid back frees the newest part first, then what is asked less; free money goes from the oldest payment
        to the oldest open invoice, but for what is in dispute. What a draw on a deposit frees pays the invoice it
        names. Not ``bounced``: without the payments that were taken back.
        """
        changes: dict[date, list[tuple[str, int, int]]] = defaultdict(list)
        for one in self.entries.values():
            for row in (one, self.back.get(one.id)) if one.source_kind == "drawn" else ():
                if row is not None and one.credits_id in self.on:
                    changes[day_of(row.on_day)].append(("drawn", one.id, row.amount_cents))
        for ident, invoice in self.invoices.items():
            issued = day_of(invoice.issued_on)
            changes[issued].append(("invoice", ident, invoice.total_cents))
            for line in self.lines_of(ident):
                for day, cents in line.off:
                    changes[max(day, issued)].append(("invoice", ident, cents))
        for ident, row in self.payments.items():
            if bounced or row.entry_id not in self.back:
                self._money(ident, row, changes)
        for one in self.holds:
            if one.kind == "dispute":
                changes[day_of(one.on_day if one.releases_id else one.since)] += []
        return self._played(changes)

    def _money(self, ident: int, row: Any, changes: dict[date, list[tuple[str, int, int]]]) -> None:
        """What a payment is worth from each day on; once it is taken back, nothing, whatever comes after."""
        day, cents = day_of(row.received_on), -self.entries[row.entry_id].amount_cents
        desk = self.charges[row.charge_id] if row.charge_id else None
        held, back = desk.cents if desk is not None else 0, self.back.get(row.entry_id)
        found = [(day, cents - held)]
        if desk is not None and desk.reversed_on is not None:
            found.append((max(day, desk.reversed_on), held))
        for one in self.entries.values():
            if one.kind == "refund" and one.source_id == ident:
                found.append((day_of(one.on_day), -one.amount_cents))
                undone = self.back.get(one.id)
                if undone is not None:
                    found.append((day_of(undone.on_day), one.amount_cents))
        if back is not None:
            gone = max(day, day_of(back.on_day))
            found = [one for one in found if one[0] < gone]
            found.append((gone, -sum(worth for _, worth in found)))
        for when, worth in found:
            changes[when].append(("payment", ident, worth))

    def _played(self, changes: dict[date, list[tuple[str, int, int]]]) -> dict[tuple[int, int], dict[date, int]]:
        asks: dict[int, int] = defaultdict(int)
        has: dict[int, int] = defaultdict(int)
        parts: dict[tuple[int, int], int] = defaultdict(int)
        order: list[tuple[int, int]] = []
        first: dict[str, list[int]] = {"invoice": [], "payment": []}
        found: dict[tuple[int, int], dict[date, int]] = defaultdict(dict)
        for day in sorted(changes):
            before = dict(parts)
            for what, ident, cents in sorted(
                (one for one in changes[day] if one[0] != "drawn"), key=lambda one: one[:2]
            ):
                (asks if what == "invoice" else has)[ident] += cents
                if ident not in first[what]:
                    first[what].append(ident)
            for pay, inv in reversed(order):
                lacks = sum(c for (p, _), c in parts.items() if p == pay) - has[pay]
                parts[pay, inv] -= min(parts[pay, inv], max(0, lacks))
            for pay, inv in reversed(order):
                over = sum(c for (_, i), c in parts.items() if i == inv) - asks[inv]
                parts[pay, inv] -= min(parts[pay, inv], max(0, over))
            for ident, cents in ((ident, cents) for what, ident, cents in changes[day] if what == "drawn"):
                self._drawn(ident, cents, day, asks, has, parts, order)
            for pay in first["payment"]:
                for inv in first["invoice"]:
                    free = has[pay] - sum(c for (p, _), c in parts.items() if p == pay)
                    open_ = asks[inv] - sum(c for (_, i), c in parts.items() if i == inv) - self.doubt(inv, day)
                    if free > 0 and open_ > 0:
                        if (pay, inv) not in order:
                            order.append((pay, inv))
                        parts[pay, inv] += min(free, open_)
            for pair, cents in parts.items():
                if cents != before.get(pair, 0):
                    found[pair][day] = cents - before.get(pair, 0)
        return found

    def _drawn(
        self, ident: int, cents: int, day: date, asks: dict[int, int], has: dict[int, int],
        parts: dict[tuple[int, int], int], order: list[tuple[int, int]],
    ) -> None:  # fmt: skip
        """A draw (cents below 0) pays the invoice it names out of what is free; taken back, all lies as before."""
        row, left = self.entries[ident], abs(cents)
        to = row.source_id if cents < 0 else self.on[row.credits_id]
        left = min(left, asks[to] - sum(c for (_, i), c in parts.items() if i == to) - self.doubt(to, day))
        for pay, inv in [(pay, to) for pay in has] if cents < 0 else list(reversed(order)):
            lies = parts[pay, inv] if cents > 0 and inv == row.source_id else 0
            free = has[pay] - sum(c for (p, _), c in parts.items() if p == pay) if cents < 0 else lies
            part = max(0, min(free, left))
            if part:
                parts[pay, inv] -= part if cents > 0 else 0
                parts[pay, to] += part
                order += [] if (pay, to) in order else [(pay, to)]
                left -= part

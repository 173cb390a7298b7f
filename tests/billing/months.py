"""One account in a random month: each act with what it must leave on paper, in whole cents by hand."""

import random
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import count
from typing import Any

from billing import actions, queries, reminders
from billing.actions.deposits import draw_deposit
from billing.models import Account, Entry, FeeDispute, Invoice, Payment
from billing.states import HoldKind
from office.access import Actor, Role
from office.acts import act
from office.db import db
from office.letters import Letter
from ordinances.fee_line import FeeLine
from ordinances.refusal import Refusal
from tests import world
from tests.billing import books
from tests.billing.own_books import DEPOSIT, Books, Charge, day_of

SEED, FIRST = 6, date(2026, 10, 1)
SOURCES = count(1_000_000)
AGES = queries.AGES


@dataclass
class Paper:
    """What must be, by what was put in: left of each charge, of each invoice's late charge, of each payment; cents."""

    left: dict[int, int] = field(default_factory=dict)
    late: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    money: dict[int, int] = field(default_factory=dict)

    @property
    def balance(self) -> int:
        return sum(self.left.values()) + sum(self.late.values()) - sum(self.money.values())


@dataclass(frozen=True)
class Stated:
    """A statement that was sent: its last day, the newest line of the account then, what it closed with in cents."""

    last: date
    newest: int
    closing: int


class Month:
    """One account and its paper, the day it is, and chance."""

    def __init__(self, number: int, account: Account, town: str, clerk: Actor) -> None:
        self.number, self.account, self.town, self.clerk = number, account, town, clerk
        self.lot, self.day, self.paper = random.Random(f"{SEED}-{number}"), FIRST, Paper()
        # Invoices whose hour came, and what the jobs did: each once.
        self.claimed: set[int] = set()
        self.claims: set[str] = set()
        self.chosen = False
        self.stated: list[Stated] = []
        self.done: Counter[str] = Counter()

    def __repr__(self) -> str:
        return f"month {self.number} on {self.day}"

    @property
    def known(self) -> dict[str, Any]:
        return {"by": self.clerk, "at": books.noon(self.day), "law": world.law(self.day)}

    @property
    def raw(self) -> Books:
        return Books(self.account.id, self.town)

    def not_stated(self, raw: Books, first: date) -> list[Any]:
        """The lines a statement from a day on lists of earlier days: entered after the last one before it."""
        known = [one for one in self.stated if one.last < first]
        return [one for one in raw.within(date.min, known[-1].last) if one.id > known[-1].newest] if known else []

    def some(self, model: Any, **more: Any) -> Any:
        rows = db.session.query(model).filter_by(account_id=self.account.id, **more).order_by(model.id).all()
        return self.lot.choice(rows) if rows else None

    def play(self) -> None:
        load(self)
        if self.lot.random() < 0.7:
            self.day += timedelta(days=1)
            bill(self)
        for place in range(self.lot.randint(5, 12)):
            self.day += timedelta(days=self.lot.choice([0, 0, 1, 2, 3, 8, 20, 21]))
            answer, name = None, ""
            while answer is None:
                move = self.lot.choices([one for one, _ in ACTS], [weight for _, weight in ACTS])[0]
                answer, name = move(self), move.__name__
            where = f"month {self.number}, act {place} ({name}) on {self.day}"
            self.done[f"{name} {'refused' if isinstance(answer, Refusal) else 'done'}"] += 1
            raw = self.raw
            assert list(raw.wrong(chosen=self.chosen)) == [], where
            self._late_now(raw)
            agrees(self.paper, raw, where)

    def _late_now(self, raw: Books) -> None:
        """A late charge gets smaller when the rule comes to less; larger only where a check came back."""
        for invoice, cents in self.paper.late.items():
            if raw.returned:
                self.paper.late[invoice] = sum(one.left() for one in raw.late_of(invoice))
            else:
                self.paper.late[invoice] = min(cents, raw.late_rule(invoice))


def agrees(paper: Paper, raw: Books, where: str) -> None:
    """The rows come to what was put in."""
    left = {one.id: one.left() for one in raw.charges.values() if one.kind != "late"}
    assert left == paper.left, where
    late = {invoice: sum(one.left() for one in raw.late_of(invoice)) for invoice in raw.invoices}
    assert {one: cents for one, cents in late.items() if cents} == {i: c for i, c in paper.late.items() if c}, where
    assert raw.balance() == paper.balance, where


def load(month: Month) -> Any:
    """A load of one to three charges: 2.4 cents a gallon, half a cent up, and the test; at Gillett what was agreed."""
    posted = _post(month, next(SOURCES))
    if month.lot.random() < 0.2:
        actions.hold_charges(posted, HoldKind.RESULTS, "Results are awaited", by=month.clerk, at=books.noon(month.day))
    return posted


def _post(month: Month, source: int) -> list[Entry]:
    gallons, tests = month.lot.choice([month.lot.randint(1, 3000), 125, 1875]), month.lot.randint(0, 2)
    known, day = month.known, month.day - timedelta(days=month.lot.choice([0, 0, 1, 3]))
    lines = [_line(known["law"].version, "volume", gallons, "0.024", (24 * gallons + 5) // 10)]
    wanted = [(24 * gallons + 5) // 10]
    for place in range(tests):
        lines.append(_line(known["law"].version, ("testing", "further")[place], 1, "12.16", 1216))
        wanted.append(1216)
    made = _posted(month, lines, "load", source, day)
    assert [one.amount_cents for one in made] == wanted
    return made


def _posted(month: Month, lines: list[FeeLine], kind: str, source: int, day: date | None = None) -> list[Entry]:
    made: Any = actions.post_charges(world.plant(), month.account.party_id, lines, kind, source, day or month.day,
                                     label=kind.title(), **month.known)  # fmt: skip
    month.paper.left |= {entry.id: entry.amount_cents for entry in made}
    return list(made)


def _line(version: str, code: str, quantity: int, each: str, cents: int) -> FeeLine:
    return FeeLine(code, code.title(), Decimal(quantity), "gallons", Decimal(each), Decimal(cents) / 100, "§ 1", None,
                   version)  # fmt: skip


def corrected(month: Month) -> Any:
    """Corrected gallons or results: each charge of a load is taken back and the right ones are made."""
    entry = month.some(Entry, kind="charge", source_kind="load")
    raw = month.raw
    mine = [one for one in raw.charges.values() if entry and one.source[:2] == ("load", entry.source_id)]
    standing = [one for one in mine if one.reversed_on is None]
    if not standing or any(one.left() != one.cents for one in standing):
        return None
    for one in standing:
        back = actions.take_back_line(db.session.get_one(Entry, one.id), "Corrected", **month.known)
        assert isinstance(back, Entry)
        month.paper.left[one.id] = 0
    return _post(month, entry.source_id)


def replaced(month: Month) -> Any:
    """A load is charged anew though some of its charges are partly credited: what was credited goes over, once."""
    raw = month.raw
    credited = [one for one in raw.charges.values() if one.source[0] == "load" and one.reversed_on is None
                and one.left() != one.cents]  # fmt: skip
    if not credited:
        return None
    source = month.lot.choice(credited).source[1]
    standing = [one for one in raw.charges.values() if one.source[:2] == ("load", source) and one.reversed_on is None]
    made = _replace(month, source, [one.id for one in standing], by=month.clerk, at=books.noon(month.day))
    codes = {one.id: one.source[2].partition("#")[0] for one in standing}
    month.paper.left |= {one.id: 0 for one in standing}
    # What is more than the charge in its place goes to other charges of loads, this one's first; not what was given up.
    now = [one for one in month.raw.charges.values() if one.source[0] == "load" and one.reversed_on is None]
    others = [one.id for one in sorted(now, key=lambda one: (one.source[1] != source, -one.id))]
    for one in standing:
        same = [new.id for new in made if new.code == codes[one.id]]
        same = same or [new.id for new in made if new.code not in codes.values()]
        for row in raw.entries.values():
            if row.credits_id == one.id and row.id not in raw.back:
                _over(month, -row.amount_cents, [*same, *(others if same and row.kind == "credit" else ())])
    return made


def _over(month: Month, rest: int, places: list[int]) -> None:
    """So many cents go to the first places that have something left."""
    for one in places:
        part = min(rest, month.paper.left[one])
        month.paper.left[one] -= part
        rest -= part


@act("test_month_replaced", roles=(Role.CLERK,))
def _replace(month: Month, source: int, standing: list[int], *, by: Actor, at: datetime) -> list[Entry]:
    """As a load that is corrected: each charge hands over to the same one, one that is no more to the new ones."""
    taken: list[Any] = [
        actions.take_back(db.session.get_one(Entry, one), "Corrected", **month.known) for one in standing
    ]
    made, codes = _post(month, source), {one.entry.code for one in taken}
    for one in taken:
        same = [new for new in made if new.code == one.entry.code]
        actions.pass_on(one, same or [new for new in made if new.code not in codes], by=by, at=at)
    actions.void_late(month.account.id, by=by, at=at)
    return made


def deposit(month: Month) -> Any:
    """A deposit of $50.00 is left; or one that was is drawn on for what is overdue and not in dispute."""
    raw, known = month.raw, month.known
    if month.town != "amended":
        return None
    bonds = [one for one in raw.charges.values() if one.source[0] == "truck" and one.reversed_on is None]
    if not bonds or month.lot.random() < 0.2:
        line = _line(known["law"].version, DEPOSIT, 1, "50.00", 5000)
        (left,) = _posted(month, [line], "truck", next(SOURCES))
        bill(month)
        return pay(month, max(1, month.raw.unpaid(month.raw.on[left.id]))) if left.id in month.raw.on else left
    bond, most = month.lot.choice(bonds), raw.overdue(month.day)
    if not most and month.lot.random() < 0.8:
        return None
    paid = bond.id in raw.on and not raw.unpaid(raw.on[bond.id])
    cents = min(bond.left(), most) if paid else 0
    made = draw_deposit(db.session.get_one(Entry, bond.id), "Overdue", **known)
    assert isinstance(made, Entry) == (cents > 0), made
    if isinstance(made, Entry):
        assert made.amount_cents == cents
        month.paper.left[bond.id] -= cents
        month.paper.left[made.id] = cents
    return made


def fee_back(month: Month) -> Any:
    """A fee paid at the desk is given back, as of an appeal that was sustained: whole, or what is left of it."""
    raw = month.raw
    fees = [one for one in raw.charges.values() if one.source[0] == "test" and one.left() > 0]
    paid = [row for row in raw.payments.values() if row.entry_id not in raw.back]
    if not fees or not paid:
        return None
    fee, row = month.lot.choice(fees), month.lot.choice(paid)
    charge, known = db.session.get_one(Entry, fee.id), {"by": month.clerk, "at": books.noon(month.day)}
    row = next((one for one in paid if one.charge_id == fee.id), row)
    left, worth = fee.left(), -raw.entries[row.entry_id].amount_cents
    if row.charge_id == fee.id and left == fee.cents == worth:
        assert isinstance(actions.take_back_line(charge, "Sustained", **month.known), Entry)
        made: Any = actions.reverse_entry(db.session.get_one(Entry, row.entry_id), "Sustained", **known)
        _gone(month, raw, row.id)
    elif raw.worth(row.id) >= left and fee.id in raw.on:
        made = _rest_back(charge, db.session.get_one(Payment, row.id), left, **known)
        month.paper.money[row.id] -= left
    else:
        return None
    month.paper.left[fee.id] = 0
    return made


@act("test_month_rest_back", roles=(Role.CLERK,))
def _rest_back(charge: Entry, payment: Payment, cents: int, *, by: Actor, at: datetime) -> Entry:
    actions.credit_rest(charge, "Sustained", by=by, at=at)
    return actions.pay_back(world.plant(), payment, cents, "check", "Sustained", by=by, at=at)


def results_in(month: Month) -> Any:
    held = [entry for entry, kind in month.raw.held if kind == "results"]
    rows = [db.session.get_one(Entry, one) for one in sorted(held)]
    return actions.release_charges(rows, HoldKind.RESULTS, "In", by=month.clerk, at=books.noon(month.day)) or None


def bill(month: Month) -> Any:
    wanted = month.raw.to_bill()
    if not wanted and month.lot.random() < 0.8:
        return None
    made = actions.make_invoice(world.plant(), month.account, **month.known)
    assert isinstance(made, Invoice) == bool(wanted)
    if isinstance(made, Invoice):
        _billed(month, made, sum(one.cents for one in wanted), {one.id for one in wanted})
    return made


def _billed(month: Month, made: Invoice, cents: int, entries: set[int] | None) -> None:
    raw = month.raw
    assert made.total_cents == cents
    assert entries is None or {one.id for one in raw.lines_of(made.id)} == entries
    data: Any = db.session.get_one(Letter, made.letter_id).data
    printed = [line["amount"] for group in data["groups"] for line in group["lines"]]
    assert sorted(printed) == sorted(dollars(one.cents) for one in raw.lines_of(made.id))
    assert (data["total"], data["to_pay"]) == (dollars(cents), dollars(raw.unpaid(made.id)))


def dollars(cents: int) -> str:
    """Cents as words: $1,234.05."""
    return f"{'−' if cents < 0 else ''}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def pay(month: Month, cents: int = 0) -> Any:
    owed = max(1, month.paper.balance)
    cents = cents or month.lot.choice([1, 1216, 3 * 1216, month.lot.randint(1, 20_000), owed])
    received = max(FIRST, month.day - timedelta(days=month.lot.choice([0, 0, 1, 3, 7, 20])))
    made: Any = actions.record_payment(world.plant(), month.account, cents, "check", "", received,
                                       ahead=month.lot.random() < 0.2, **month.known)  # fmt: skip
    month.paper.money[made.id] = cents
    return made


def desk(month: Month) -> Any:
    """A fee charged and paid at the desk; or one whose payment was taken back, paid again."""
    raw, cents = month.raw, month.lot.choice([7500, 125])
    again = [one for one in raw.charges.values() if one.source[0] == "test" and raw.waits(one)]
    how = (month.lot.choice(["check", "cash"]), "", month.day)
    if again:
        made: Any = actions.pay_charge(world.plant(), db.session.get_one(Entry, again[0].id), *how, **month.known)
        cents = again[0].cents
    else:
        line = _line(month.known["law"].version, "filing", 1, str(Decimal(cents) / 100), cents)
        made = actions.charge_and_pay(world.plant(), month.account.party_id, line, "test", next(SOURCES), *how,
                                      **month.known)  # fmt: skip
        month.paper.left[made.charge_id] = cents
    month.paper.money[made.id] = cents
    return made


def credit(month: Month) -> Any:
    raw = month.raw
    entry = month.lot.choice([month.some(Entry, kind=kind) for kind in ("charge", "late", "refund")])
    if entry is None or entry.id not in raw.charges:
        return None
    left = raw.charges[entry.id].left()
    cents = month.lot.choice([None, 1, left, month.lot.randint(1, max(1, left)), left + 1])
    made = actions.credit_charge(entry, cents, "Wrong", **month.known)
    may = entry.id in raw.on and left > 0 and (cents is None or 0 < cents <= left)
    assert isinstance(made, Entry) == may, made
    if may:
        _off(month, entry, left if cents is None else cents)
    return made


def _off(month: Month, entry: Entry, cents: int) -> None:
    if entry.kind == "late":
        month.paper.late[entry.source_id or 0] -= cents
    else:
        month.paper.left[entry.id] -= cents


def credit_whole(month: Month) -> Any:
    raw, invoice = month.raw, month.some(Invoice)
    if invoice is None:
        return None
    lines = [(one, one.left()) for one in raw.lines_of(invoice.id)]
    made = actions.credit_invoice(invoice, "Wrong", **month.known)
    assert isinstance(made, Refusal) == (not any(left for _, left in lines))
    for one, left in lines:
        _off(month, db.session.get_one(Entry, one.id), left)
    assert month.raw.asked(invoice.id) == 0
    return made


def write_off(month: Month) -> Any:
    raw, invoice = month.raw, month.some(Invoice)
    if invoice is None:
        return None
    unpaid = raw.unpaid(invoice.id)
    made = actions.write_off(invoice, "Gone", **month.known)
    assert isinstance(made, Refusal) == (unpaid == 0)
    for one in raw.lines_of(invoice.id):
        part = min(unpaid, one.left())
        _off(month, db.session.get_one(Entry, one.id), part)
        unpaid -= part
    assert unpaid == 0
    assert month.raw.unpaid(invoice.id) == 0
    return made


def void(month: Month) -> Any:
    raw, invoice, again = month.raw, month.some(Invoice), month.lot.random() < 0.7
    if invoice is None:
        return None
    standing = [(one, one.left()) for one in raw.lines_of(invoice.id) if one.reversed_on is None]
    made = actions.void_invoice(world.plant(), invoice, "Wrong", again=again, **month.known)
    assert isinstance(made, Refusal) != any(left for _, left in standing), made
    if isinstance(made, Refusal):
        return made
    for one, left in standing:
        _off(month, db.session.get_one(Entry, one.id), left)
    month.paper.late[invoice.id] = 0
    if isinstance(made, Invoice):
        # The same charges, each with what was left of it.
        lines = sorted(month.raw.lines_of(made.id), key=lambda one: one.id)
        _anew(month, lines, standing)
        _billed(month, made, sum(one.cents for one in lines), None)
    else:
        # What was paid back went out: it stays owed, and waits.
        kept = [one for one in standing if one[0].kind == "refund"]
        now = month.raw.charges
        _anew(month, [now[one] for one in sorted(now) if one not in raw.charges], kept)
    return made or True


def _anew(month: Month, lines: list[Charge], standing: list[tuple[Charge, int]]) -> None:
    """Lines in place of others are the same, each with what was left of it."""
    for one, (before, left) in zip(lines, standing, strict=True):
        assert (one.cents, one.kind) == (before.cents, before.kind)
        month.paper.left |= {one.id: 0} if one.kind != "late" else {}
        _off(month, db.session.get_one(Entry, one.id), -left)


def take_back(month: Month) -> Any:
    """One line of any kind: a payment, a deposit, a refund, a charge, a late charge, a credit."""
    raw, entry = month.raw, month.some(Entry)
    made = actions.take_back_line(entry, "Wrong", **month.known)
    if isinstance(made, Refusal):
        return made
    payment = next((one.id for one in raw.payments.values() if one.entry_id == entry.id), None)
    if payment is not None:
        _gone(month, raw, payment)
    elif entry.id in month.paper.left:
        month.paper.left[entry.id] = 0
    elif entry.kind == "refund":
        month.paper.money[entry.source_id] += entry.amount_cents
    elif entry.credits_id is not None:
        _off(month, db.session.get_one(Entry, entry.credits_id), entry.amount_cents)
    else:
        _off(month, entry, entry.amount_cents)
    return made


def check_back(month: Month) -> Any:
    raw, payment = month.raw, month.some(Payment)
    if payment is None:
        return None
    made = actions.return_check(world.plant(), payment, "x", **month.known)
    if isinstance(made, Entry):
        _gone(month, raw, payment.id)
    return made


def _gone(month: Month, raw: Books, payment: int) -> None:
    """A payment that was taken back is worth nothing; what was paid back of it is owed."""
    month.paper.money[payment] = 0
    refunds = [one for one in raw.entries.values() if one.kind == "refund" and one.source_id == payment]
    month.paper.left |= {one.id: one.amount_cents for one in refunds if one.id not in raw.back}


def bounced_refund(month: Month) -> Any:
    """Paid too much, paid back, and then the bank returns the check: the money that went out is owed too."""
    if not _paid_back(month.raw):
        pay(month, max(1, month.paper.balance) + month.lot.randint(1, 999))
        month.day += timedelta(days=month.lot.choice([0, 2]))
        refund(month)
        month.day += timedelta(days=month.lot.choice([0, 5]))
    raw, known = month.raw, _paid_back(month.raw)
    if not known:
        return None
    payment, owed = db.session.get_one(Payment, month.lot.choice(known)), raw.balance()
    cents = -db.session.get_one(Entry, payment.entry_id).amount_cents
    made = actions.return_check(world.plant(), payment, "No funds", **month.known)
    assert isinstance(made, Entry) == (payment.method == "check")
    if isinstance(made, Entry):
        _gone(month, raw, payment.id)
        assert month.raw.balance() == owed + cents
    return made


def bounced_in_turn(month: Month) -> Any:
    """Each of two invoices is paid by a check of its own; once both were due the first check bounces."""
    checks = []
    for _ in range(2):
        _post(month, next(SOURCES))
        made = bill(month)
        if not isinstance(made, Invoice):
            return made
        month.day += timedelta(days=month.lot.choice([1, 8]))
        checks.append(pay(month, max(1, month.raw.unpaid(made.id))))
        month.day += timedelta(days=month.lot.choice([2, 15]))
    month.day += timedelta(days=22)
    raw = month.raw
    made = actions.return_check(world.plant(), checks[0], "No funds", **month.known)
    assert isinstance(made, Entry)
    _gone(month, raw, checks[0].id)
    late(month)
    return made


def _paid_back(raw: Books) -> list[int]:
    """The payments that stand, of which something was paid back."""
    refunds = {one.source_id for one in raw.entries.values() if one.kind == "refund" and one.id not in raw.back}
    return [one.id for one in raw.payments.values() if one.id in refunds and one.entry_id not in raw.back]


def refund(month: Month) -> Any:
    raw = month.raw
    most, cents = raw.credit(), month.lot.choice([None, 1, month.lot.randint(1, 3000)])
    if not most and month.lot.random() < 0.8:
        return None
    given: Any = ("check", "7", "Asked for")
    made = actions.refund_credit(world.plant(), month.account, cents, *given, **month.known)
    rest = most if cents is None else cents
    assert isinstance(made, list) == (0 < rest <= most), made
    if isinstance(made, list):
        for row in sorted(raw.payments.values(), key=lambda one: (str(one.received_on), one.id)):
            part = min(rest, raw.worth(row.id) - raw.paid_of(row.id))
            month.paper.money[row.id] -= part
            rest -= part
    return made


def spread(month: Month) -> Any:
    payment, invoice, cents = month.some(Payment), month.some(Invoice), month.lot.randint(0, 5000)
    if payment is None or invoice is None:
        return None
    made = actions.spread_payment(world.plant(), payment, {invoice.id: cents}, **month.known)
    if not isinstance(made, Refusal):
        raw = month.raw
        reached = sum(one.amount_cents for one in raw.parts if (one.payment_id, one.invoice_id) == (
            payment.id, invoice.id))  # fmt: skip
        if not month.chosen:
            assert reached >= min(cents, raw.worth(payment.id), raw.asked(invoice.id)), (reached, cents)
        month.chosen = True
        _late_by_rule(month)
    return made


def _late_by_rule(month: Month) -> None:
    """How money is spread makes late charges larger too, but for one the clerk took back or credited, and at once."""
    raw = month.raw
    for ident, invoice in raw.invoices.items():
        if day_of(invoice.due_on) < month.day and not raw.void(ident):
            known = raw.late_of(ident)
            month.claimed |= {ident} if known else set()
            if not known or not _by_hand(raw, known[-1]):
                month.paper.late[ident] = raw.late_rule(ident)


def _by_hand(raw: Books, late: Any) -> bool:
    back = raw.back.get(late.id)
    # By itself, or with the void invoice it stood on.
    return back.reason.endswith("Wrong") if back is not None else late.left() != late.cents


def state(month: Month) -> Any:
    """A statement of all days since the last one: it opens as that closed, and has each line entered since once."""
    raw, before = month.raw, month.stated[-1] if month.stated else None
    last = month.day - timedelta(days=month.lot.choice([0, 1, 5]))
    first = before.last + timedelta(days=1) if before else FIRST - timedelta(days=9)
    made: Any = actions.send_statement(world.plant(), month.account, first, last, **month.known)
    assert isinstance(made, Refusal) == (first > last)
    if isinstance(made, Refusal):
        return None
    late, rows = month.not_stated(raw, first), raw.within(first, last)
    assert made.data["opening"] == dollars(before.closing if before else 0)
    for name, wanted in (("earlier", late), ("rows", rows)):
        assert [one["amount"] for one in made.data[name]] == [dollars(one.amount_cents) for one in wanted]
    assert made.data["closing"] == dollars(raw.balance(last))
    month.stated.append(Stated(last, max(raw.entries, default=0), raw.balance(last)))
    return made


def dispute(month: Month) -> Any:
    entries = [one for one in (month.some(Entry, kind="charge"), month.some(Entry, kind="charge")) if one is not None]
    if not entries:
        return None
    return actions.open_dispute(world.plant(), month.account, list({one.id: one for one in entries}.values()), "Doubt",
                                gallons=1, waste="other", asked_on=month.day - timedelta(month.lot.choice([0, 0, 9])),
                                **month.known)  # fmt: skip


def end_dispute(month: Month) -> Any:
    row, outcome = month.some(FeeDispute), month.lot.choice(["", "It stands"])
    if row is None:
        return None
    on = month.day - timedelta(days=month.lot.choice([0, 0, 3, 12]))
    made = actions.take_dispute_on(row, "Before the council", outcome, on, **month.known)
    if not isinstance(made, Refusal) and outcome and on < month.day:
        _late_by_rule(month)
    return made


def late(month: Month) -> Any:
    """The job of this hour: each invoice past its last day once, whatever it comes to."""
    raw, wanted = month.raw, {}
    known = not (month.chosen and raw.returned)
    for ident, invoice in raw.invoices.items():
        if day_of(invoice.due_on) < month.day and ident not in month.claimed and not raw.void(ident):
            wanted[ident] = raw.late_rule(ident)
    made = 0
    for period, work in list(reminders.late_charges(books.noon(month.day))):
        ident = int(period.split()[1].partition("/")[0])
        if period in month.claims:
            continue
        month.claims.add(period)
        answer: Any = work()
        if isinstance(answer, Entry):
            if known and ident not in month.claimed:
                assert (period, answer.amount_cents) == (period, wanted.pop(ident))
            else:
                assert raw.returned, period
            month.paper.late[ident], made = answer.amount_cents, made + 1
        month.claimed.add(ident)
    if known:
        assert [cents for cents in wanted.values() if cents] == []
        _late_after_a_check_came_back(month)
    return made or None


def _late_after_a_check_came_back(month: Month) -> None:
    """Once a check came back the job makes each late charge what the rule comes to, but for one the clerk changed."""
    raw = month.raw
    for ident, invoice in raw.invoices.items() if raw.returned else ():
        known = raw.late_of(ident)
        if day_of(invoice.due_on) < month.day and not raw.void(ident) and not (known and _by_hand(raw, known[-1])):
            assert sum(one.left() for one in known) == raw.late_rule(ident), ident


ACTS: list[tuple[Callable[[Month], Any], int]] = [
    (load, 5), (bill, 4), (pay, 4), (late, 6), (credit, 3), (credit_whole, 1), (write_off, 2), (void, 2),
    (take_back, 2), (check_back, 2), (spread, 2), (dispute, 2), (end_dispute, 3), (refund, 2), (bounced_refund, 2),
    (bounced_in_turn, 2), (corrected, 2), (replaced, 3), (deposit, 3), (fee_back, 3), (results_in, 1), (desk, 1),
    (state, 2),
]  # fmt: skip

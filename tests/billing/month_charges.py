"""What may happen to charges in a random month: each act with what it must leave on paper, in whole cents by hand."""

from collections.abc import Collection
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from billing import actions
from billing.actions.deposits import draw_deposit
from billing.models import Entry, Invoice, Payment
from billing.states import HoldKind
from office.access import Actor, Role
from office.acts import act
from office.db import db
from office.letters import Letter
from ordinances.fee_line import FeeLine
from ordinances.refusal import Refusal
from tests import world
from tests.billing import books
from tests.billing.months import FIRST, SOURCES, Month
from tests.billing.own_books import DEPOSIT, Books, Charge


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
    # What none of them takes is kept as credit.
    loads = [one for one in month.raw.charges.values() if one.source[0] == "load" and one.reversed_on is None]
    others, kept = [one.id for one in sorted(loads, key=lambda one: (one.source[1] != source, -one.id))], list[int]()
    for one in standing:
        same = [new.id for new in made if new.code == codes[one.id]]
        same = same or [new.id for new in made if new.code not in codes.values()]
        for row in raw.entries.values():
            if row.credits_id == one.id and row.id not in raw.back:
                rest = _over(month, -row.amount_cents, [*same, *(others if same and row.kind == "credit" else ())])
                kept += [rest] if rest and same and row.kind == "credit" else []
    now = month.raw
    added = [one.id for one in now.payments.values() if one.id not in raw.payments]
    assert [-now.entries[now.payments[one].entry_id].amount_cents for one in added] == kept
    month.paper.money |= dict(zip(added, kept, strict=True))
    return made


def _over(month: Month, rest: int, places: list[int]) -> int:
    """So many cents go to the first places that have something left; what is over."""
    for one in places:
        part = min(rest, month.paper.left[one])
        month.paper.left[one] -= part
        rest -= part
    return rest


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
    assert isinstance(made, list) == (cents > 0), made
    if isinstance(made, list):
        assert sum(one.amount_cents for one in made) == cents
        month.paper.left[bond.id] -= cents
        month.paper.left |= {one.id: one.amount_cents for one in made}
    return made


def undrawn(month: Month, raw: Books, draw: int, to: int | None) -> None:
    """With a draw goes what was left anew; what was credited or drawn of that goes over to the deposit, if any."""
    row = raw.entries[draw]
    if row.source_kind != "drawn":
        return
    source = raw.charges[int(row.line_code.split("#")[0])].source
    for one in raw.charges.values():
        same = (one.source[:2], one.source[2].split("#")[0]) == (source[:2], source[2].split("#")[0])
        if same and one.reversed_on is None:
            month.paper.left[one.id] = 0
            if to is not None:
                month.paper.left[to] -= one.cents - one.left()
            for other in [] if to is not None else raw.entries.values():
                if other.credits_id == one.id and other.id not in raw.back:
                    undrawn(month, raw, other.id, None)


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
        gone(month, raw, row.id)
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
    owed, before = max(1, month.paper.balance), month.raw
    cents = cents or month.lot.choice([1, 1216, 3 * 1216, month.lot.randint(1, 20_000), owed])
    received = max(FIRST, month.day - timedelta(days=month.lot.choice([0, 0, 1, 3, 7, 20])))
    made: Any = actions.record_payment(world.plant(), month.account, cents, "check", "", received,
                                       ahead=month.lot.random() < 0.2, **month.known)  # fmt: skip
    month.paper.money[made.id] = cents
    _reinstated(month, before, made)
    return made


def _reinstated(month: Month, before: Books, payment: Payment) -> None:
    """What of the money nobody owed was written off before: asked for again, and paid, no more than it pays."""
    raw = month.raw
    for row in list(raw.entries.values()):
        if row.id not in before.entries and row.kind == "reversal":
            given_up = raw.entries[row.reverses_id]
            if given_up.kind == "write_off":
                assert row.reason == f"Receipt {payment.number} pays it"
                _off(month, db.session.get_one(Entry, given_up.credits_id), given_up.amount_cents)
        elif row.id not in before.entries and row.kind == "write_off":
            _off(month, db.session.get_one(Entry, row.credits_id), -row.amount_cents)
    paid = payment.id in raw.payments and raw.entries[payment.entry_id].kind == "payment"
    now, was = _given_up(raw), _given_up(before)
    assert now <= was
    if now < was:
        assert paid and raw.balance() <= 0
    assert all(raw.unpaid(one) <= before.unpaid(one) for one in before.invoices)
    # What other money has left because this came before it stays theirs.
    left = raw.worth(payment.id) - raw.paid_of(payment.id) if paid else 0
    assert not (paid and _given_up(raw, but=_passed_by(raw))) or not raw.credit() or left <= 0


def _passed_by(raw: Books) -> set[int]:
    """Invoices of which more is in dispute than is unpaid: money would pay nothing that is asked for again of them."""
    return {
        one for one in raw.invoices
        if sum(line.left() for line in raw.lines_of(one) if (line.id, "dispute") in raw.held) > raw.unpaid(one)
    }  # fmt: skip


def _given_up(raw: Books, but: Collection[int] = ()) -> int:
    """Cents of invoices that are written off, but for what is in dispute and for some invoices."""
    rows = [row for row in raw.entries.values() if row.kind == "write_off" and row.id not in raw.back]
    rows = [row for row in rows if row.credits_id in raw.on and (row.credits_id, "dispute") not in raw.held
            and raw.on[row.credits_id] not in but]  # fmt: skip
    return -sum(row.amount_cents for row in rows)


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
    for one in sorted(raw.lines_of(invoice.id), key=lambda one: (one.id, "dispute") not in raw.held):
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
        for row in [row for one, _ in standing for row in raw.entries.values() if row.credits_id == one.id]:
            if row.id not in raw.back:
                undrawn(month, raw, row.id, None)
        _anew(month, [now[one] for one in sorted(now) if one not in raw.charges], kept)
    return made or True


def _anew(month: Month, lines: list[Charge], standing: list[tuple[Charge, int]]) -> None:
    """Lines in place of others are the same, each with what was left of it."""
    for one, (before, left) in zip(lines, standing, strict=True):
        assert (one.cents, one.kind) == (before.cents, before.kind)
        month.paper.left |= {one.id: 0} if one.kind != "late" else {}
        _off(month, db.session.get_one(Entry, one.id), -left)


def gone(month: Month, raw: Books, payment: int) -> None:
    """A payment that was taken back is worth nothing; what was paid back of it is owed."""
    month.paper.money[payment] = 0
    refunds = [one for one in raw.entries.values() if one.kind == "refund" and one.source_id == payment]
    month.paper.left |= {one.id: one.amount_cents for one in refunds if one.id not in raw.back}

"""The late charge: dated the day after a last day in time, whenever it is posted; once, or once each period."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta

from sqlalchemy import select

from billing.actions.charges import charge_entry
from billing.actions.replacing import TakenBack, pass_on, take_back, take_back_anew
from billing.actions.reversals import credit_entry, reverse_entry, take_back_rest
from billing.actions.settle import kept_cents, settle
from billing.actions.telling import tell_line_back
from billing.models import Account, Entry, Invoice
from billing.queries import (
    entries_of,
    invoice_lines,
    invoice_with,
    late_entries,
    left_of,
    own_cents,
    paid_cents,
    returned_payments,
    reversal_of,
)
from billing.states import ASKED, EntryKind
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.law import law_in_force
from office.notices import tell_party
from office.people import Party
from office.plants import Plant
from ordinances.late import Late, late_charge, late_days_after, late_of_loads, late_once
from ordinances.reader import Law
from ordinances.refusal import Refusal

IN_TIME = "A payment received in time was entered later."
DISPUTED = "What it was taken of is in dispute."
VOID = "What it was taken of was taken back."
RETURNED = "A payment that made it smaller was taken back."
SPREAD = "A payment that made it smaller is set against another invoice."
SET = "Money that came in time is set against this invoice."
OVER = "The dispute that made it smaller had ended by then."
COUNTED = "It was more than the law sets: what it is taken of had been counted wrongly."
# What took a late charge back by rule, not by the clerk's choice: it may be made again.
BY_RULE = (IN_TIME, DISPUTED, SET, COUNTED)


@act("add_late_charge", roles=(Role.CLERK, Role.SYSTEM))
def add_late_charge(invoice: Invoice, *, by: Actor, at: datetime, law: Law) -> Entry | Refusal:
    """Charge what was unpaid of an invoice at the end of its last day in time (§ 329-2 A(3)(g)), and of later periods.

    ``law`` is the law of the day of issue: it says whether the charge comes once or again each period. Refused:
    ``not_late_yet``, ``no_late_charge``, ``late_charged`` (once for a day, also when that charge was reversed),
    ``nothing_unpaid``, ``void``.
    """
    plant = db.session.get_one(Plant, invoice.plant_id)
    lock(Account, invoice.account_id)
    if invoice.due_on is None:
        return Refusal("no_late_charge", "The invoice has no last day: the law sets no late charge.", "")
    today = at.astimezone(plant.tz).date()
    if today <= invoice.due_on:
        last = formats.date_only(invoice.due_on)
        return Refusal("not_late_yet", f"The invoice can be paid in time until the end of {last}.", "")
    if all(back is not None for _, back in invoice_lines(invoice.id)):
        return Refusal("void", f"Invoice {invoice.number} is void: nothing of it is late.", "")
    made = Refusal("late_charged", "The late charge of this invoice was made before; it is made once.", "")
    why = RETURNED if returned_payments(invoice.account_id) else ""
    return _made_up(plant, invoice, law, why, by=by, at=at) or made


def _made_up(plant: Plant, invoice: Invoice, law: Law, why: str, *, by: Actor, at: datetime) -> Entry | Refusal | None:
    """Each late charge of an invoice that is owed by now and was never made; with a ``why`` also what grew since."""
    known: dict[int, Entry] = {_place(entry): entry for entry in entries_of("invoice", invoice.id)}
    answer: Entry | Refusal | None = None
    today = at.astimezone(plant.tz).date()
    for place, last_day in enumerate(late_days_after(law, invoice.issued_on, today), start=1):
        if place not in known:
            answer = _charge(plant, invoice, last_day, law, _code(place), by=by, at=at)
        elif why:
            answer = _grown(plant, invoice, known[place], last_day, law, why, by=by, at=at) or answer
    return answer


def make_late_again(plant: Plant, account: Account, why: str, *, by: Actor, at: datetime) -> None:
    """Make late charges, or make them larger, that are owed now: money was moved away, or a dispute had ended earlier.

    One the clerk took back or credited stays so. Inside an act; the account must be locked.
    """
    today = at.astimezone(plant.tz).date()
    query = select(Invoice).where(Invoice.account_id == account.id, Invoice.due_on < today).order_by(Invoice.id)
    made = [
        _made_up(plant, invoice, law_in_force(plant, invoice.issued_on), why, by=by, at=at)
        for invoice in list(db.session.scalars(query))
    ]
    if any(isinstance(one, Entry) for one in made):
        settle(account, at)


def _grown(
    plant: Plant, invoice: Invoice, last: Entry, last_day: date, law: Law, why: str, *, by: Actor, at: datetime
) -> Entry | None:
    """The late charge made whole again after what made it smaller, or took it back, came to nothing."""
    right, back = _right(invoice, last_day, law), reversal_of(last.id)
    if isinstance(right, Refusal) or (back is not None and back.reason not in BY_RULE):
        return None
    if back is None and (left_of(last) != last.amount_cents or last.amount_cents >= right.line.cents):
        return None
    return _replaced(plant, invoice, last, last_day, law, why, by=by, at=at)


def _replaced(
    plant: Plant, invoice: Invoice, last: Entry, last_day: date, law: Law, why: str, *, by: Actor, at: datetime
) -> Entry | None:
    """A late charge taken back, if it was not, and made anew as it comes to now; None where nothing is due."""
    base = _code(_place(last))
    taken = take_back(last, why, by=by, at=at, law=law) if reversal_of(last.id) is None else None
    place = 1 + sum((entry.line_code or "").split("#")[0] == base for entry in entries_of("invoice", invoice.id))
    told_anew = not isinstance(taken, TakenBack)
    made = _charge(plant, invoice, last_day, law, f"{base}#{place}", anew=True, told=told_anew, by=by, at=at)
    if isinstance(made, Refusal):
        if isinstance(taken, TakenBack):
            tell_taken_back(invoice, last.amount_cents, 0, why, at)
        return None
    if isinstance(taken, TakenBack):
        pass_on(taken, [made], by=by, at=at)
        tell_taken_back(invoice, last.amount_cents, made.amount_cents, why, at)
    return made


def _code(place: int) -> str:
    return "late" if place == 1 else f"late/{place}"


def _place(entry: Entry) -> int:
    """The how manyeth late charge of its invoice an entry is, one made again counted as the one it replaces."""
    _, _, place = (entry.line_code or "").split("#")[0].partition("/")
    return int(place or 1)


def _right(invoice: Invoice, last_day: date, law: Law) -> Late | Refusal:
    """The late charge of an invoice as it comes to now."""
    return late_charge(law, invoice.issued_on, _base_cents(invoice, last_day, law), last_day)


def _base_cents(invoice: Invoice, last_day: date, law: Law) -> int:
    """What a late charge is taken of: unpaid at the end of a day of the invoice's own charges, never of a late charge.

    A law that takes it of the unpaid current-period charges of a bill takes it of septage alone: of no fee, damage or
    deposit on the same invoice. Money that was paid back and is owed again is no charge: as we read it, nothing late is
    taken of it.

    What was in dispute at the end of that day is left out, whenever the charge is made. A charge or a payment that was
    taken back since counts for nothing, but moves no other payment from the invoice it paid.
    """
    if returned_payments(invoice.account_id):
        paid = kept_cents(invoice.account_id, invoice.id, last_day)
    else:
        paid = paid_cents(invoice.id, last_day)
    loads_only = late_of_loads(law, invoice.issued_on)
    unpaid = max(0, own_cents(invoice.id, last_day, loads_only=loads_only) - paid)
    return max(0, unpaid - own_cents(invoice.id, last_day, loads_only=loads_only, disputed=True))


def _charge(
    plant: Plant, invoice: Invoice, last_day: date, law: Law, line_code: str, *, anew: bool = False, told: bool = True,
    by: Actor, at: datetime,
) -> Entry | Refusal:  # fmt: skip
    """``anew``: in place of one that was taken back, so that an earlier day has one of the two."""
    late = _right(invoice, last_day, law)
    if isinstance(late, Refusal):
        return late
    account = db.session.get_one(Account, invoice.account_id)
    charged = last_day + timedelta(days=1)
    today = at.astimezone(plant.tz).date()
    entry = charge_entry(account, late.line, today if anew else charged, kind=EntryKind.LATE, by=by, at=at)
    entry.for_day = charged if anew and charged != today else None
    entry.source_kind, entry.source_id, entry.line_code = "invoice", invoice.id, line_code
    entry.source_label = f"Invoice {invoice.number}"
    db.session.add(entry)
    db.session.flush()
    because(late.line.what, late.line.cite)
    if told:
        _tell(plant, account, invoice, entry, last_day, again=not late_once(law, invoice.issued_on), at=at)
    return entry


def _tell(
    plant: Plant, account: Account, invoice: Invoice, entry: Entry, last_day: date, *, again: bool, at: datetime
) -> None:
    words = formats.money(entry.amount_cents)
    often = "It will be added again while it is unpaid, and is" if again else "It is added once and will be"
    tell_party(
        db.session.get_one(Party, account.party_id), "late_charge", f"Overdue: invoice {invoice.number}, {words} added",
        f"Invoice {invoice.number} was not paid in full by the end of {formats.date_only(last_day)}.\n"
        f"{entry.what} is {words} ({entry.cite}). {often} on your next invoice.",
        at, plant_id=plant.id,
    )  # fmt: skip


def tell_taken_back(invoice: Invoice, was: int, now: int, why: str, at: datetime) -> None:
    """Tell the hauler that a late charge of an invoice is taken back, or comes to other cents, inside an act."""
    account = db.session.get_one(Account, invoice.account_id)
    said = f"The late charge of {formats.money(was)} on invoice {invoice.number} is taken back"
    subject = f"Late charge on invoice {invoice.number}: "
    if now:
        said += f"; it is {formats.money(now)} and will be on your next invoice"
        subject += f"{formats.money(now)} instead of {formats.money(was)}"
    else:
        subject += f"{formats.money(was)} taken back"
    tell_party(
        db.session.get_one(Party, account.party_id), "late_charge", subject, f"{said}.\nWhy: {why}", at,
        plant_id=invoice.plant_id,
    )  # fmt: skip


def _tell_credited(invoice: Invoice, was: int, now: int, why: str, at: datetime) -> None:
    account, gone = db.session.get_one(Account, invoice.account_id), formats.money(was - now)
    tell_party(
        db.session.get_one(Party, account.party_id), "late_charge",
        f"Late charge on invoice {invoice.number}: {gone} credited",
        f"Of the late charge on invoice {invoice.number} {gone} is credited to you; {formats.money(now)} of it is "
        f"left.\nWhy: {why}", at, plant_id=invoice.plant_id,
    )  # fmt: skip


def _tell_line(entry: Entry, cents: int, why: str, at: datetime) -> None:
    """Tell of a line that the clerk took back, of which some cents were left."""
    invoice = db.session.get(Invoice, entry.source_id) if entry.kind == EntryKind.LATE else None
    if invoice is None:
        tell_line_back(entry, cents, why, at)
    elif cents:
        tell_taken_back(invoice, cents, 0, why.strip(), at)


def correct_late_charges(plant: Plant, account: Account, *, by: Actor, at: datetime, why: str = IN_TIME) -> None:
    """Take back, or make smaller, late charges that are wrong now.

    Money received in time, a credit, a dispute or a void charge makes them so. The account must be locked.
    """
    query = (
        select(Invoice)
        .join(Entry, (Entry.source_id == Invoice.id) & (Entry.source_kind == "invoice"))
        .where(Invoice.account_id == account.id, Entry.kind == EntryKind.LATE)
        .distinct()
        .order_by(Invoice.id)
    )
    corrected = [
        _corrected(plant, invoice, standing, last_day, law, why, by=by, at=at)
        for invoice in list(db.session.scalars(query))
        for standing, last_day, law in list(_standing(plant, invoice))
    ]
    if any(corrected):
        settle(account, at)


@act("correct_all_late_charges", roles=(Role.SYSTEM,))
def correct_all_late_charges(plant: Plant, *, by: Actor, at: datetime) -> int:
    """Take back, or make smaller, each late charge of a plant that is more than the rule comes to now; the accounts."""
    query = select(Entry.account_id).where(Entry.plant_id == plant.id, Entry.kind == EntryKind.LATE).distinct()
    found = sorted(db.session.scalars(query))
    for ident in found:
        correct_late_charges(plant, lock(Account, ident), by=by, at=at, why=COUNTED)
    return len(found)


@act("take_back_line", roles=(Role.CLERK, Role.SYSTEM))
def take_back_line(
    entry: Entry, reason: str, *, told: bool = True, by: Actor, at: datetime, law: Law
) -> Entry | Refusal:
    """Take one line of an account back, and with an invoiced charge what was taken of it late.

    With a draw on a deposit goes what had to be left anew, so that the deposit is as it was before. The hauler is told
    once, not where the caller tells (``told``).

    Refused as ``reverse_entry``.
    """
    lock(Account, entry.account_id)
    left = left_of(entry)
    credited = entry.kind in ASKED and reversal_of(entry.id) is None and left != entry.amount_cents
    if credited and invoice_with(entry.id) is None:
        # It took the place of a charge that was credited: nothing asks for it yet, so the credit goes with it.
        taken = take_back(entry, reason, by=by, at=at, law=law)
        if isinstance(taken, Refusal):
            return taken
        take_back_anew(taken.credits, reason, by=by, at=at, law=law)
        if told:
            _tell_line(entry, left, reason, at)
        return db.session.query(Entry).filter_by(reverses_id=entry.id).one()
    back = reverse_entry(entry, reason, by=by, at=at, law=law)
    if not isinstance(back, Refusal) and entry.credits_id is not None:
        take_back_anew([entry], reason, [db.session.get_one(Entry, entry.credits_id)], by=by, at=at, law=law)
    if not isinstance(back, Refusal) and entry.kind == EntryKind.CHARGE:
        void_late(entry.account_id, by=by, at=at)
    if told and not isinstance(back, Refusal):
        _tell_line(entry, left, reason, at)
    return back


def void_late(account_id: int, *, by: Actor, at: datetime) -> None:
    """Take back the late charges of charges that were taken back, inside an act. The account must be locked."""
    account = db.session.get_one(Account, account_id)
    correct_late_charges(db.session.get_one(Plant, account.plant_id), account, by=by, at=at, why=VOID)


def credit_rest(entry: Entry, reason: str, *, by: Actor, at: datetime) -> None:
    """Take back what is left of a partly credited charge, and what was taken of it late, inside an act."""
    lock(Account, entry.account_id)
    take_back_rest(entry, reason, by=by, at=at)
    void_late(entry.account_id, by=by, at=at)


def _standing(plant: Plant, invoice: Invoice) -> Iterator[tuple[Entry, date, Law]]:
    """The late charges of an invoice that stand, each with the last day it was taken at the end of."""
    law = law_in_force(plant, invoice.issued_on)
    for entry in late_entries(invoice.id):
        yield entry, entry.day - timedelta(days=1), law


def _corrected(
    plant: Plant, invoice: Invoice, standing: Entry, last_day: date, law: Law, why: str, *, by: Actor, at: datetime
) -> bool:
    right = _right(invoice, last_day, law)
    left, cents = left_of(standing), 0 if isinstance(right, Refusal) else right.line.cents
    if cents >= left:
        return False
    if left != standing.amount_cents:  # partly credited: it cannot be taken back, and is never made again
        credit_entry(standing, left - cents, why, EntryKind.CREDIT, by=by, at=at)
        _tell_credited(invoice, left, cents, why, at)
        return True
    _replaced(plant, invoice, standing, last_day, law, why, by=by, at=at)
    return True

"""Take back a line of the ledger, whole or in part, by a line against it."""

from datetime import date, datetime

from billing.actions.settle import settle
from billing.models import Account, Entry
from billing.queries import BY_RULE, left_of, reversal_of
from billing.queries.deposits import DRAWN
from billing.states import ASKED, EntryKind
from office.access import Actor, Role
from office.acts import act
from office.db import db, fit, lock
from office.journal import because
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal


@act("reverse_entry", roles=(Role.CLERK, Role.SYSTEM))
def reverse_entry(
    entry: Entry, reason: str, *, by_rule: bool = False, by: Actor, at: datetime, law: Law | None = None
) -> Entry | Refusal:
    """Take back one entry, whole and once, dated today, with a reason; it is never changed itself.

    An invoice that holds the entry then asks for so much less; a payment taken back pays nothing any more, and what was
    paid back of it stands: it is owed again. ``by_rule``: nobody chose so, its source comes to something else.
    Refused: ``no_reason``, ``already_reversed``, ``is_reversal``, ``credited``.
    """
    if not reason.strip():
        return Refusal("no_reason", "Enter why this is taken back.", "")
    if entry.kind == EntryKind.REVERSAL:
        return Refusal("is_reversal", "This line takes another back. Enter the charge or payment again instead.", "")
    account: Account = lock(Account, entry.account_id)
    if reversal_of(entry.id):
        return Refusal("already_reversed", "This line was taken back before.", "")
    if entry.kind in ASKED and left_of(entry) != entry.amount_cents:
        return Refusal("credited", "Part of this charge is credited: credit what is left of it instead.", entry.cite)
    reversal = line_against(entry, reason, by_rule=by_rule, by=by, at=at)
    because(reason.strip(), entry.cite or None)
    settle(account, at)
    return reversal


def line_against(
    entry: Entry, reason: str, *, on_day: date | None = None, by_rule: bool = False, by: Actor, at: datetime
) -> Entry:
    """The line that takes an entry back, dated today or on a day, inside an act; the caller settles the account."""
    plant = db.session.get_one(Plant, entry.plant_id)
    reversal = Entry(
        plant_id=entry.plant_id, account_id=entry.account_id, kind=EntryKind.REVERSAL,
        on_day=on_day or at.astimezone(plant.tz).date(), at=at, by_name=by.name, code=entry.code,
        what=fit(f"Taken back: {entry.what}", Entry.what), amount_cents=-entry.amount_cents, cite=entry.cite,
        law_version=entry.law_version, source_label=entry.source_label, reason=reason.strip(), reverses_id=entry.id,
        line_code=BY_RULE if by_rule else None,
    )  # fmt: skip
    db.session.add(reversal)
    return reversal


def credit_entry(
    entry: Entry, cents: int, reason: str, kind: EntryKind, *, on_day: date | None = None,
    drawn: tuple[int, str] | None = None, by: Actor, at: datetime,
) -> Entry:  # fmt: skip
    """A credit or write-off of some cents of a charge, dated today or on a day, inside an act.

    ``drawn``: the invoice that is paid by drawing on the charge, a deposit, and the line that has it left anew
    (``queries.deposits``). The caller settles the account.
    """
    plant = db.session.get_one(Plant, entry.plant_id)
    day = on_day or at.astimezone(plant.tz).date()
    what = "Written off" if kind is EntryKind.WRITE_OFF else "Credit"
    made = Entry(
        plant_id=entry.plant_id, account_id=entry.account_id, kind=kind, on_day=day, at=at,
        by_name=by.name, code=entry.code, what=fit(f"{what}: {entry.what}", Entry.what), amount_cents=-cents,
        cite=entry.cite, law_version=entry.law_version, source_label=entry.source_label, reason=reason.strip(),
        credits_id=entry.id, source_kind=DRAWN if drawn else None, source_id=drawn[0] if drawn else None,
        line_code=drawn[1] if drawn else None,
    )  # fmt: skip
    db.session.add(made)
    db.session.flush()
    because(reason.strip(), entry.cite or None)
    return made


def take_back_rest(entry: Entry, reason: str, *, by: Actor, at: datetime) -> None:
    """Take back a charge inside an act; one that is partly credited cannot be: what is left of it is credited."""
    left = left_of(entry)
    if left == entry.amount_cents:
        reverse_entry(entry, reason, by=by, at=at)
    elif left > 0:
        credit_entry(entry, left, reason, EntryKind.CREDIT, by=by, at=at)
        settle(db.session.get_one(Account, entry.account_id), at)

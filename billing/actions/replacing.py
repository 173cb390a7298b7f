"""A charge that is replaced by a right one: what holds it and what was credited of it go over to the one in its place.

What is disputed stays disputed, since the day it was asked; a credit counts once, on the new charge. What it was more
than that comes to stays the hauler's: it is credited of other charges of the same kind, first of the same source, and
kept as credit where they have nothing left. What was written off is never worth more than the charge. With a charge
that nothing takes the place of goes what was credited of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import case, select

from billing.actions.holding import hold_charges
from billing.actions.kept_credit import keep_credit
from billing.actions.reversals import credit_entry, reverse_entry
from billing.actions.settle import settle
from billing.models import Account, ChargeHold, Entry, FeeDispute
from billing.queries import entries_of, holds_of, left_of
from billing.queries.accounts import stands
from billing.queries.deposits import DRAWN, left_anew
from billing.states import EntryKind, HoldKind
from office.access import Actor
from office.db import db
from ordinances.reader import Law
from ordinances.refusal import Refusal


@dataclass(frozen=True)
class TakenBack:
    """A charge that was taken back to be replaced, what held it, and the credits that stood on it."""

    entry: Entry
    holds: tuple[ChargeHold, ...]
    credits: tuple[Entry, ...]


def take_back(
    entry: Entry, reason: str, *, by_rule: bool = False, by: Actor, at: datetime, law: Law
) -> TakenBack | Refusal:
    """Take back a charge inside an act, first what was credited of it, so that together they come to nothing.

    The account must be locked. ``by_rule`` and what is refused: as ``reverse_entry``.
    """
    holds = tuple(holds_of([entry.id]))
    query = select(Entry).where(Entry.credits_id == entry.id, stands()).order_by(Entry.id)
    credited = tuple(db.session.scalars(query))
    for one in (*credited, entry):
        back = reverse_entry(one, reason, by_rule=by_rule, by=by, at=at, law=law)
        if isinstance(back, Refusal):
            return back
    return TakenBack(entry, holds, credited)


def pass_on(taken: TakenBack, made: Sequence[Entry], *, by: Actor, at: datetime) -> None:
    """Give the charges in place of one taken back its holds and its credits, in their order as far as they go."""
    for hold in taken.holds:
        dispute = db.session.get(FeeDispute, hold.dispute_id) if hold.dispute_id is not None else None
        hold_charges(made, HoldKind(hold.kind), hold.reason, dispute=dispute, by=by, at=at)
    for credit in taken.credits:
        left = -credit.amount_cents
        for one in made:
            cents = min(left, left_of(one))
            if cents > 0:
                drawn = _as_drawn(credit)
                credit_entry(one, cents, credit.reason, EntryKind(credit.kind), drawn=drawn, by=by, at=at)
                left -= cents
        if left and made and credit.kind == EntryKind.CREDIT:
            _carried_on(taken.entry, left, credit.reason, by=by, at=at)
    if taken.credits:
        settle(db.session.get_one(Account, taken.entry.account_id), at)


def _as_drawn(credit: Entry) -> tuple[int, str] | None:
    """What marks the credit in place of one that draws on a deposit as the same draw."""
    if credit.source_kind != DRAWN or credit.source_id is None:
        return None
    base = (credit.line_code or "").split("#")[0]
    known = entries_of(DRAWN, credit.source_id, credit.account_id)
    return credit.source_id, f"{base}#{1 + sum((one.line_code or '').split('#')[0] == base for one in known)}"


def take_back_anew(
    draws: Sequence[Entry], reason: str, made: Sequence[Entry] = (), *, by: Actor, at: datetime, law: Law
) -> None:
    """Take back what draws on a deposit had left anew, inside an act, once the draws are taken back.

    What was credited or drawn of that goes over to the deposits ``made`` whole by it.
    """
    for credit in draws:
        anew = left_anew(credit)
        taken = take_back(anew, reason, by=by, at=at, law=law) if anew is not None else None
        if isinstance(taken, TakenBack):
            pass_on(taken, made, by=by, at=at)
            if not made:
                take_back_anew(taken.credits, reason, by=by, at=at, law=law)


def _carried_on(entry: Entry, cents: int, reason: str, *, by: Actor, at: datetime) -> None:
    """Credit what a smaller charge leaves over of a credit: of the same source's charges first, then the newest.

    What no charge can take is kept as the hauler's credit.
    """
    of = ", ".join(part for part in (entry.what, entry.source_label) if part)
    query = select(Entry).where(Entry.account_id == entry.account_id, Entry.kind == EntryKind.CHARGE, stands())
    query = query.where(Entry.source_kind == entry.source_kind)
    first = case((Entry.source_id == entry.source_id, 0), else_=1)
    for one in db.session.scalars(query.order_by(first, Entry.id.desc())):
        part = min(cents, left_of(one))
        if part > 0:
            credit_entry(one, part, f"{reason} (left over of {of})", EntryKind.CREDIT, by=by, at=at)
            cents -= part
        if not cents:
            return
    keep_credit(db.session.get_one(Account, entry.account_id), cents, of, reason, by=by, at=at)

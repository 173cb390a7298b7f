"""Fee disputes: which charges are at issue, how far each went, how it ended (§ 281.49(11))."""

from collections.abc import Sequence
from datetime import date, datetime

from billing.actions.holding import hold_charges, release_charges
from billing.actions.late import DISPUTED, OVER, correct_late_charges, make_late_again
from billing.models import Account, ChargeHold, DisputeStep, Entry, FeeDispute
from billing.queries import ended, holds_of, invoices_of, left_of, unpaid_cents
from billing.queries.damages import SOURCE
from billing.states import OWING, HoldKind
from office import formats, numbers
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.notices import tell_party
from office.people import Party
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal

STAGES = "state.dispute_stages"
NOTHING_LEFT = Refusal("nothing_left", "Nothing is left of what is disputed: it was taken back or credited.", "")
DISPUTE = numbers.series("dispute", "fee_dispute", "number")


@act("open_dispute", roles=(Role.CLERK, Role.SYSTEM))
def open_dispute(
    plant: Plant,
    account: Account,
    entries: Sequence[Entry],
    fees: str,
    *,
    gallons: int,
    waste: str,
    asked_on: date,
    by: Actor,
    at: datetime,
    law: Law,
) -> FeeDispute | Refusal:
    """Record that a hauler disputes fees for a stated quantity and type of waste; the charges at issue are held.

    What was asked by the last day in time is not late: late charges taken of it are taken back. A damage is no fee: it
    is disputed by itself. Refused: ``no_fees``, ``no_charges``, ``date_in_future``, ``too_long_ago`` (before the
    charges), ``nothing_left``, ``in_dispute``.
    """
    stage = "The city reviews the fees", ""
    if law.has(STAGES, today := at.astimezone(plant.tz).date()):
        stage = law.value(STAGES, today)[0], law.cite(STAGES, today)
    fees_only = [entry for entry in entries if entry.source_kind != SOURCE]
    about = (gallons, waste)
    return record_dispute(plant, account, fees_only, fees, about=about, asked_on=asked_on, stage=stage, by=by, at=at)


def record_dispute(
    plant: Plant, account: Account, entries: Sequence[Entry], fees: str, *, about: tuple[int, str] = (0, ""),
    asked_on: date, stage: tuple[str, str], by: Actor, at: datetime,
) -> FeeDispute | Refusal:  # fmt: skip
    """Record a dispute at its first ``stage`` (words, §), inside an act. ``about``: gallons and type of waste."""
    today = at.astimezone(plant.tz).date()
    account = lock(Account, account.id)
    asked = [entry for entry in entries if entry.account_id == account.id and entry.kind in OWING]
    mine = [entry for entry in asked if left_of(entry) > 0]
    refused = _cannot_dispute(asked, mine, fees, asked_on, today)
    if refused is not None:
        return refused
    dispute = FeeDispute(
        plant_id=plant.id, account_id=account.id, number=numbers.numbered(plant.id, DISPUTE, today.year),
        asked_on=asked_on, gallons=about[0], waste=about[1], fees=fees.strip(), entered_at=at, entered_by=by.name,
    )  # fmt: skip
    db.session.add(dispute)
    db.session.flush()
    _step(dispute, asked_on, stage[0], "", by=by, at=at)
    because(fees.strip(), stage[1] or None)
    hold_charges(mine, HoldKind.DISPUTE, f"In dispute: {dispute.number}", dispute=dispute, by=by, at=at)
    correct_late_charges(plant, account, by=by, at=at, why=DISPUTED)
    tell_party(
        db.session.get_one(Party, account.party_id), "dispute", f"Fee dispute {dispute.number} is recorded",
        f"The city has recorded that you dispute: {dispute.fees}\nNo late charge is taken of what is in dispute.", at,
        plant_id=plant.id,
    )  # fmt: skip
    return dispute


def _cannot_dispute(
    asked: Sequence[Entry], mine: Sequence[Entry], fees: str, asked_on: date, today: date
) -> Refusal | None:
    """``mine``: the charges ``asked`` about of which something is left."""
    if not fees.strip():
        return Refusal("no_fees", "Enter which fees are disputed, and why.", "")
    if asked_on > today:
        return Refusal("date_in_future", f"Date asked must be {formats.date_only(today)} or earlier.", "")
    if not mine:
        return NOTHING_LEFT if asked else Refusal("no_charges", "Select the charges that are disputed.", "")
    first = min(entry.day for entry in mine)
    if asked_on < first:
        why = f"Date asked must be {formats.date_only(first)} or later: the day of the charge."
        return Refusal("too_long_ago", why, "")
    if any(hold.kind == HoldKind.DISPUTE for hold in holds_of([entry.id for entry in mine])):
        return Refusal("in_dispute", "One of these charges is in dispute already: take that dispute on.", "")
    return None


@act("take_dispute_on", roles=(Role.CLERK, Role.SYSTEM))
def take_dispute_on(
    dispute: FeeDispute, stage: str, outcome: str, on_day: date, *, by: Actor, at: datetime, law: Law
) -> DisputeStep | Refusal:
    """Record the next stage of a dispute, or with an ``outcome`` its end: the charges are then free again.

    It ended ``on_day``, whenever that is entered: what was unpaid at the end of a last day in time after it is late.
    What the outcome changes of a charge is credited as any other. Refused: ``says_nothing``, ``date_in_future``,
    ``too_long_ago`` (before it was asked), ``ended``.
    """
    plant = db.session.get_one(Plant, dispute.plant_id)
    today = at.astimezone(plant.tz).date()
    if not (stage.strip() or outcome.strip()):
        return Refusal("says_nothing", "Enter the stage reached, or how it ended.", "")
    if on_day > today:
        return Refusal("date_in_future", f"Date must be {formats.date_only(today)} or earlier.", "")
    if on_day < dispute.asked_on:
        return Refusal("too_long_ago", f"Date must be {formats.date_only(dispute.asked_on)} or later.", "")
    account: Account = lock(Account, dispute.account_id)
    over = ended(dispute.id)
    if over is not None:
        why = f"Fee dispute {dispute.number} ended on {formats.date_only(over.on_day)}: {over.outcome}"
        return Refusal("ended", why, "", next_step="Record another dispute where the hauler asks again.")
    step = _step(dispute, on_day, stage, outcome, by=by, at=at)
    because(outcome.strip() or stage.strip())
    if outcome.strip():
        held = db.session.query(Entry).join(ChargeHold, ChargeHold.entry_id == Entry.id)
        at_issue = held.filter(ChargeHold.dispute_id == dispute.id, ChargeHold.releases_id.is_(None)).all()
        release_charges(at_issue, HoldKind.DISPUTE, outcome, on_day=on_day, by=by, at=at)
        if on_day < today:
            make_late_again(plant, account, OVER, by=by, at=at)
    said = f"It is now before: {stage.strip()}"
    if outcome.strip():
        said = "\n".join([f"It ended: {outcome.strip()}", *_owed_words(at_issue, today)])
    tell_party(db.session.get_one(Party, account.party_id), "dispute", f"Fee dispute {dispute.number}", said, at,
               plant_id=plant.id)  # fmt: skip
    return step


def _owed_words(at_issue: Sequence[Entry], today: date) -> list[str]:
    """What is to be paid now of the charges that were in dispute, on which invoice and by when; nothing where none."""
    left = {entry.id: left_of(entry) for entry in at_issue}
    by_invoice: dict[int | None, int] = {}
    invoices = invoices_of(list(left))
    for ident, cents in left.items():
        one = invoices.get(ident)
        by_invoice[one.id if one else None] = by_invoice.get(one.id if one else None, 0) + cents
    known = {one.id: one for one in invoices.values()}
    lines = []
    for ident, cents in by_invoice.items():
        one = known.get(ident) if ident is not None else None
        unpaid = min(cents, unpaid_cents(one.id)) if one is not None else cents
        if unpaid and one is None:
            lines.append(f"{formats.money(unpaid)} of these charges goes on your next invoice.")
        elif unpaid and one is not None:
            was = "was due on" if one.due_on is not None and one.due_on < today else "is due by the end of"
            by_when = f", which {was} {formats.date_only(one.due_on)}" if one.due_on else ""
            lines.append(f"{formats.money(unpaid)} is to be paid of invoice {one.number}{by_when}.")
    return lines or ["Nothing is left to pay of these charges."]


def _step(dispute: FeeDispute, on_day: date, stage: str, outcome: str, *, by: Actor, at: datetime) -> DisputeStep:
    step = DisputeStep(plant_id=dispute.plant_id, dispute_id=dispute.id, on_day=on_day, stage=stage.strip(),
                       outcome=outcome.strip(), entered_at=at, entered_by=by.name)  # fmt: skip
    db.session.add(step)
    db.session.flush()
    return step

"""Charge an expense, loss or damage with its evidence, and record that it is disputed by itself.

Who breaks the ordinance is liable for it (§ 329-10 C of Bayfield, § 20-30 D of Gillett, § 216-10 B of Lawrence).
It is no fee for septage, so the stages of a fee dispute are not its own.
"""

from datetime import date, datetime
from decimal import Decimal

from billing.actions.charges import post_charges
from billing.actions.disputes import record_dispute
from billing.models import Account, Damage, DamageFile, Entry, FeeDispute
from billing.queries.damages import SOURCE
from office import files, formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.files import Upload
from office.journal import because
from office.law import law_in_force
from office.notices import tell_party
from office.people import Party
from office.plants import Plant
from ordinances.fee_line import FeeLine
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.rows import NoLaw

LIABLE = "violations.liability"
STAGE = "The city reviews the charge"


@act("charge_damage", roles=(Role.CLERK,))
def charge_damage(
    plant: Plant,
    account: Account,
    cents: int,
    what: str,
    cause: str,
    happened_on: date,
    evidence: tuple[Upload, str],
    *,
    by: Actor,
    at: datetime,
    law: Law,
) -> Damage | Refusal:
    """Charge an account an expense, loss or damage, in cents, by the law of its day, and tell the hauler.

    ``evidence`` is the first file with what it shows. Refused: ``not_liable`` where the law says nothing of it,
    ``nothing_said``, ``amount_not_positive``, ``date_in_future``, ``bad_file``, ``no_note``.
    """
    law_then = _law_of(plant, happened_on)
    refused = _cannot_charge(plant, cents, (what, cause), happened_on, evidence[0], law_then, at)
    if refused is not None or law_then is None:
        return refused or Refusal("not_liable", "No ordinance was in force here on that day.", "")
    account = lock(Account, account.id)
    damage = Damage(plant_id=plant.id, account_id=account.id, happened_on=happened_on, what=what.strip(),
                    cause=cause.strip(), entered_at=at, entered_by=by.name)  # fmt: skip
    db.session.add(damage)
    db.session.flush()
    kept = add_evidence(plant, damage, *evidence, by=by, at=at, law=law)
    if isinstance(kept, Refusal):
        return kept
    row, amount = law_then.row(LIABLE, happened_on), Decimal(cents) / 100
    line = FeeLine("damage", f"Expense, loss or damage: {what.strip()}", Decimal(1), "damage", amount, amount, row.cite,
                   row.reading, law_then.version)  # fmt: skip
    posted = post_charges(plant, account.party_id, [line], SOURCE, damage.id, happened_on, label=f"Damage {damage.id}",
                          by=by, at=at, law=law)  # fmt: skip
    if isinstance(posted, Refusal):
        return posted
    because(cause.strip(), row.cite)
    tell_party(
        db.session.get_one(Party, account.party_id), "damage", f"{formats.money(cents)} charged: {what.strip()}",
        f"{plant.city} charges you {formats.money(cents)} for an expense, loss or damage of "
        f"{formats.date_only(happened_on)} ({row.cite}): {formats.full_stop(what.strip())}\n"
        f"How it came about: {formats.full_stop(cause.strip())}\n"
        "The evidence is on your Money page after you sign in. If you dispute it, write to the city: it is disputed by "
        "itself, and no late charge is taken of it meanwhile.",
        at, plant_id=plant.id,
    )  # fmt: skip
    return damage


def _law_of(plant: Plant, day: date) -> Law | None:
    try:
        return law_in_force(plant, day)
    except NoLaw:
        return None


def _cannot_charge(
    plant: Plant, cents: int, words: tuple[str, str], day: date, upload: Upload, law: Law | None, at: datetime
) -> Refusal | None:
    today = at.astimezone(plant.tz).date()
    wrong = files.problem(upload)
    if day > today:
        return Refusal("date_in_future", f"The day must be {formats.date_only(today)} or earlier.", "")
    if law is None or not law.has(LIABLE, day):
        return Refusal("not_liable", "The ordinance of that day makes no hauler liable for damage.", "")
    if not all(one.strip() for one in words):
        return Refusal("nothing_said", "Enter what it was, and how the hauler brought it about.", law.cite(LIABLE, day))
    if cents <= 0:
        return Refusal("amount_not_positive", f"Amount must be more than {formats.money(0)}.", "")
    return Refusal("bad_file", wrong, "") if wrong else None


@act("add_evidence", roles=(Role.CLERK,))
def add_evidence(
    plant: Plant, damage: Damage, upload: Upload, note: str, *, by: Actor, at: datetime, law: Law
) -> DamageFile | Refusal:
    """Keep one more file of evidence; none is ever taken away. Refused: ``bad_file``, ``no_note``."""
    wrong = files.problem(upload)
    if wrong:
        return Refusal("bad_file", wrong, "")
    if not note.strip():
        return Refusal("no_note", "Enter what the file shows.", "")
    kept = files.keep(upload, at, plant.id)
    made = DamageFile(plant_id=plant.id, damage_id=damage.id, file_id=kept.id, note=note.strip(), added_at=at,
                      added_by=by.name)  # fmt: skip
    db.session.add(made)
    db.session.flush()
    return made


@act("dispute_damage", roles=(Role.CLERK,))
def dispute_damage(
    plant: Plant, damage: Damage, charge: Entry, why: str, asked_on: date, *, by: Actor, at: datetime, law: Law
) -> FeeDispute | Refusal:
    """Record that the hauler disputes a damage, by itself: its charge is held, and is not late meanwhile.

    Refused: ``no_fees``, ``date_in_future``, ``too_long_ago``, ``nothing_left``, ``in_dispute``.
    """
    return record_dispute(plant, db.session.get_one(Account, damage.account_id), [charge], why, asked_on=asked_on,
                          stage=(STAGE, charge.cite), by=by, at=at)  # fmt: skip

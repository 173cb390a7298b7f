"""Tell approved haulers that a fee rises, so many days ahead, each by a letter (§ 281.49(12))."""

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal

from billing import ports
from billing.models import FeeNotice, FeeNoticeTo
from billing.queries import untold
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.law import law_in_force
from office.letters import write
from office.notices import tell_party
from office.people import Party
from office.plants import Plant
from ordinances.fee_rise import NOTICE, Rise, council_amounts, earliest_start, rise_of
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.schema import KEYS

STAGES = "state.dispute_stages"


@act("announce_rise", roles=(Role.CLERK, Role.ADMINISTRATOR))
def announce_rise(
    plant: Plant,
    key: str,
    value: Decimal,
    since: date,
    resolution: str,
    basis: str,
    *,
    by: Actor,
    at: datetime,
    law: Law,
) -> FeeNotice | Refusal:
    """Tell every approved hauler by a letter that an amount rises to ``value`` dollars from a day on.

    Setting the amount is another act, which asks whether they were told in time. Refused: ``no_resolution``,
    ``no_basis``, ``not_a_rise``, ``told_too_late``, ``nobody_approved``, ``told_before``.
    """
    lock(Plant, plant.id)
    wording = _cannot_word(resolution, basis)
    rise = wording or _rise(plant, key, value, since, at)
    if isinstance(rise, Refusal):
        return rise
    law = law_in_force(plant, since)
    cite = law.cite(NOTICE, since) if law.has(NOTICE, since) else ""
    made = FeeNotice(
        plant_id=plant.id, key=key, was=rise.was, becomes=value, since=since, resolution=resolution.strip(),
        basis=basis.strip(), cite=cite, entered_at=at, entered_by=by.name,
    )  # fmt: skip
    db.session.add(made)
    db.session.flush()
    because(resolution.strip(), cite or None)
    _tell(plant, made, untold(plant, key, value, since, at), law, at)
    return made


def _cannot_word(resolution: str, basis: str) -> Refusal | None:
    if not resolution.strip():
        return Refusal("no_resolution", "Enter the resolution that sets this amount.", "")
    return None if basis.strip() else Refusal("no_basis", "Enter the costs that the amount rests on.", "")


def _rise(plant: Plant, key: str, value: Decimal, since: date, at: datetime) -> Rise | Refusal:
    """The rise that has to be told, or why there is none to tell or none that could start then."""
    law, today = law_in_force(plant, since), at.astimezone(plant.tz).date()
    rise = rise_of(law, key, value, since) if key in council_amounts(law, since) else None
    if rise is None:
        return Refusal("not_a_rise", "This is no rise on that day, so nobody has to be told. Set the amount.", "")
    first = earliest_start(law, today)
    if first is not None and first > since:
        cite = law.cite(NOTICE, today)
        return Refusal("told_too_late", f"Told today, it can start on {formats.date_only(first)} or later.", cite)
    if not ports.approved(plant, at):
        return Refusal("nobody_approved", "No hauler is approved here, so nobody has to be told. Set the amount.", "")
    if not untold(plant, key, value, since, at):
        return Refusal("told_before", "Every approved hauler was told of this rise before. Set the amount.", "")
    return rise


@act("tell_of_rise", roles=(Role.CLERK, Role.ADMINISTRATOR))
def tell_of_rise(plant: Plant, notice: FeeNotice, *, by: Actor, at: datetime, law: Law) -> list[FeeNoticeTo] | Refusal:
    """Tell the haulers who were approved since of a rise that others were told of. Refused: ``told_before``."""
    lock(Plant, plant.id)
    people = untold(plant, notice.key, notice.becomes, notice.since, at)
    if not people:
        return Refusal("told_before", "Every approved hauler was told of this rise before.", notice.cite)
    because(notice.resolution, notice.cite or None)
    return _tell(plant, notice, people, law_in_force(plant, notice.since), at)


def _tell(plant: Plant, notice: FeeNotice, people: Sequence[Party], law: Law, at: datetime) -> list[FeeNoticeTo]:
    """One letter and one message to each; they say the same."""
    subject = f"{KEYS[notice.key].title}: {formats.money(notice.becomes)} from {formats.date_only(notice.since)}"
    paragraphs, today, made = _words(plant, notice, law), at.astimezone(plant.tz).date(), []
    for party in people:
        letter = write(plant, party, "fee_notice", "Notice that a fee rises", {"paragraphs": paragraphs}, at,
                       law_version=law.version, template="notice")  # fmt: skip
        made.append(FeeNoticeTo(plant_id=plant.id, notice_id=notice.id, party_id=party.id, told_on=today,
                                letter_id=letter.id))  # fmt: skip
        tell_party(party, "fee_notice", subject, "\n".join(paragraphs), at, plant_id=plant.id, letter_id=letter.id)
    db.session.add_all(made)
    db.session.flush()
    return made


def _words(plant: Plant, notice: FeeNotice, law: Law) -> list[str]:
    """The letter in paragraphs: what rises, by what, why, what can be done."""
    row, day = KEYS[notice.key], formats.day(notice.since)
    each = f", {row.unit}" if row.unit else ""
    words = [
        f"{plant.city} raises an amount that haulers of septage pay, by {formats.full_stop(notice.resolution)}",
        f"{row.title}{each}: {formats.money(notice.was)} until now, {formats.money(notice.becomes)} from {day} on.",
        f"What it rests on: {formats.full_stop(notice.basis)}",
    ]
    return words + dispute_words(law, notice.since)


def dispute_words(law: Law, since: date) -> list[str]:
    """The paragraphs every notice of a rise ends with: how long ahead it is told, and how it can be disputed."""
    words = []
    if law.has(NOTICE, since):
        cite = law.cite(NOTICE, since)
        words.append(f"Each approved hauler is told {law.value(NOTICE, since)} days ahead or earlier ({cite}).")
    if law.has(STAGES, since):
        stages = "; ".join(law.value(STAGES, since))
        words.append(
            "You can dispute it: write to the city which fee, and for what quantity and type of septage. The stages "
            f"are: {stages} ({law.cite(STAGES, since)})."
        )
    return words

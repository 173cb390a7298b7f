"""Other versions of the law: what each changes, who must be told what it raises first, and the day it may start."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import select

from billing import ports
from office.db import db
from office.law import Adoption, LawText, adopted_since, law_in_force, law_with, profile_of
from office.law_drafts import LawDraft, LawTold
from office.letters import Letter
from office.people import Party
from office.plants import Plant
from ordinances.fee_rise import NOTICE, cannot_start
from ordinances.law_changes import Change, changes, covers
from ordinances.refusal import Refusal
from ordinances.rows import Law, NoLaw, Profile


@dataclass(frozen=True)
class Start:
    """A version from a day on: what it changes, which approved haulers were not told of every rise, why it may not
    start then, and the first day on which it may. `notice` is None where the law asks for no telling.
    """

    changes: tuple[Change, ...]
    untold: tuple[Party, ...]
    refusal: Refusal | None
    first: date
    notice: timedelta | None
    approved: int

    @property
    def rises(self) -> tuple[Change, ...]:
        return tuple(one for one in self.changes if one.rises)

    @property
    def charges_only(self) -> bool:
        return all(one.charge for one in self.changes)


def start_of(plant: Plant, profile: Profile, since: date, at: datetime) -> Start:
    """What a version would change from a day on; nothing where no law holds that day, and so nobody is charged."""
    today = at.astimezone(plant.tz).date()
    try:
        old = law_in_force(plant, since)
    except NoLaw:
        return Start((), (), None, since, None, 0)
    found = tuple(_changes(plant, old, law_with(plant, profile), since))
    rises = [one for one in found if one.rises]
    approved = ports.approved(plant, at)
    if not rises or not approved or not old.has(NOTICE, since):
        return Start(found, (), None, since, None, len(approved))
    days = timedelta(days=old.value(NOTICE, since))
    told = _told(plant.id)
    heard = {party.id: [_first_told(told.get(party.id, []), rise) for rise in rises] for party in approved}
    refusals = (
        cannot_start(old, rise.since, [party.name for party in approved if heard[party.id][at_] is None],
                     max((day for one in heard.values() if (day := one[at_]) is not None), default=None), today)
        for at_, rise in enumerate(rises)
    )  # fmt: skip
    untold = tuple(party for party in approved if None in heard[party.id])
    last = max((day for one in heard.values() for day in one if day is not None), default=today)
    first = max(since, (today if untold else last) + days)
    return Start(found, untold, next((one for one in refusals if one), None), first, days, len(approved))


def may_adopt(plant: Plant, profile: Profile, since: date, at: datetime) -> Refusal | None:
    """Why a version may not hold from a day on (§ 281.49(12)): asked by the act that adopts it."""
    return start_of(plant, profile, since, at).refusal


def _changes(plant: Plant, old: Law, new: Law, since: date) -> list[Change]:
    """What differs until another version that was adopted takes over, and what that one then raises beside this one."""
    then = next((day for day in adopted_since(plant.id) if day > since), None)
    found = changes(old, new, since)
    if then is None:
        return found
    after = changes(new, law_in_force(plant, then), then)
    return [one for one in found if one.since < then] + [one for one in after if one.rises]


def _told(plant_id: int) -> dict[int, list[LawTold]]:
    found: dict[int, list[LawTold]] = {}
    # Who was told that a version does not come has been told of nothing.
    query = (
        select(LawTold)
        .join(LawDraft, LawDraft.id == LawTold.draft_id)
        .outerjoin(Adoption, Adoption.id == LawDraft.adoption_id)
        .where(LawTold.plant_id == plant_id, LawDraft.ended_at.is_(None), Adoption.taken_back_at.is_(None))
        .order_by(LawTold.told_on, LawTold.id)
    )
    for row in db.session.scalars(query):
        found.setdefault(row.party_id, []).append(row)
    return found


def _first_told(rows: Sequence[LawTold], rise: Change) -> date | None:
    return next((row.told_on for row in rows if covers(map(_kept, row.rises), rise)), None)


def frozen(rise: Change) -> dict[str, Any]:
    """A rise as a letter told it, for the record."""
    return {"name": rise.name, "what": rise.what, "was": rise.was, "becomes": rise.becomes, "cite": rise.cite,
            "since": rise.since.isoformat(), "amount": None if rise.amount is None else f"{rise.amount:f}"}  # fmt: skip


def _kept(told: dict[str, Any]) -> Change:
    amount = None if told["amount"] is None else Decimal(told["amount"])
    return Change(told["name"], told["what"], told["was"], told["becomes"], date.fromisoformat(told["since"]),
                  told["cite"], True, True, amount)  # fmt: skip


@dataclass(frozen=True)
class LawView:
    """A version as its page shows it: the row, its text, the adoption if there is one, and who was told by what."""

    row: LawDraft
    text: LawText
    adoption: Adoption | None
    to: tuple[tuple[LawTold, Party, Letter], ...]

    @property
    def profile(self) -> Profile:
        return profile_of(self.text)

    @property
    def state(self) -> str:
        if self.adoption is not None:
            return "adopted" if self.adoption.taken_back_at is None else "ended"
        return "ended" if self.row.ended_at is not None else "told" if self.to else "open"


def law_drafts(plant_id: int, draft_id: int | None = None) -> list[LawView]:
    """The versions brought in at a plant, or one of them, the newest first, in two queries."""
    query = (
        select(LawDraft, LawText, Adoption)
        .join(LawText, LawText.id == LawDraft.law_text_id)
        .outerjoin(Adoption, Adoption.id == LawDraft.adoption_id)
        .where(LawDraft.plant_id == plant_id, *([LawDraft.id == draft_id] if draft_id is not None else []))
        .order_by(LawDraft.id.desc())
    )
    people = (
        select(LawTold, Party, Letter)
        .join(Party, Party.id == LawTold.party_id)
        .join(Letter, Letter.id == LawTold.letter_id)
        .where(LawTold.plant_id == plant_id)
        .order_by(Party.name, LawTold.id)
    )
    to: dict[int, list[Any]] = {}
    for told, party, letter in db.session.execute(people):
        to.setdefault(told.draft_id, []).append((told, party, letter))
    rows = db.session.execute(query)
    return [LawView(row, text, adoption, tuple(to.get(row.id, []))) for row, text, adoption in rows]


def adoptions(plant_id: int) -> list[tuple[Adoption, LawText]]:
    """Every law adopted at a plant, the one that holds last first."""
    query = (
        select(Adoption, LawText)
        .join(LawText, LawText.id == Adoption.law_text_id)
        .where(Adoption.plant_id == plant_id)
        .order_by(Adoption.since.desc(), Adoption.id.desc())
    )
    return [(one, text) for one, text in db.session.execute(query)]

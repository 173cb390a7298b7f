"""The law in force at a plant: adopted texts kept for ever, its own dated rows and closures, merged into one."""

from datetime import date, datetime, timedelta
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, String, Text, bindparam, select
from sqlalchemy.orm import Mapped, mapped_column

from office import facts, ports
from office.access import Actor, Role
from office.acts import act
from office.db import Model, Utc, born, db, lock
from office.facts import fact
from office.journal import because
from office.plants import ClosureDay, Plant, PlantRow
from ordinances.reader import (
    Closure,
    Law,
    LawError,
    NoLaw,
    Profile,
    Row,
    load_profile,
    plant_row,
    profile_from_canonical,
    shipped,
)
from ordinances.refusal import Refusal

_DAY = timedelta(days=1)


class LawText(Model):
    """The whole canonical text of a profile with its state layer, stored under its hash and never deleted."""

    __tablename__ = "law_text"
    sha256: Mapped[str] = mapped_column(String(64), unique=True)
    profile: Mapped[str] = mapped_column(String(80))
    name: Mapped[str] = mapped_column(String(200))
    text: Mapped[str] = mapped_column(Text)


class Adoption(Model):
    """A profile takes effect at a plant from a day, by a resolution; of two from one day the one entered later.

    Before its day it can be taken back; then it never held.
    """

    __tablename__ = "adoption"
    __table_args__ = (
        CheckConstraint("resolution <> ''", name="by_resolution"),
        CheckConstraint(
            "(taken_back_at IS NULL) = (taken_back_by = '') AND (taken_back_by = '') = (taken_back_why = '')",
            name="taken_back_by_whom_and_why",
        ),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"), index=True)
    law_text_id: Mapped[int] = mapped_column(ForeignKey("law_text.id"))
    since: Mapped[date]
    resolution: Mapped[str] = mapped_column(Text)
    adopted_at: Mapped[datetime] = mapped_column(Utc)
    adopted_by: Mapped[str] = mapped_column(String(200))
    # The costs its charges rest on (§ 281.49(5)(c)4).
    basis: Mapped[str] = mapped_column(Text, default="", info=born(""))
    taken_back_at: Mapped[datetime | None] = mapped_column(Utc, info=born(None))
    taken_back_by: Mapped[str] = mapped_column(String(200), default="", info=born(""))
    taken_back_why: Mapped[str] = mapped_column(Text, default="", info=born(""))


@act("adopt_law", roles=(Role.ADMINISTRATOR, Role.SYSTEM))
def adopt_law(
    plant: Plant, file: str | Path | Profile, since: date, resolution: str, *, basis: str = "", by: Actor, at: datetime
) -> Adoption | Refusal:
    """Put a profile in force at a plant from a day on. Changing the file later changes nothing here.

    One that raises a charge before every approved hauler was told in time is refused (§ 281.49(12)): ``not_told``,
    ``told_too_late``. ``basis``: the costs its charges rest on.
    """
    try:
        profile = file if isinstance(file, Profile) else load_profile(file)
    except LawError as error:
        return Refusal("law_not_valid", " ".join(str(problem) for problem in error.problems), "")
    if not resolution.strip():
        return Refusal("no_resolution", "Enter the resolution or order that adopts this law.", "")
    lock(Plant, plant.id)
    early = ports.may_adopt(plant, profile, since, at)
    if early is not None:
        return early
    adoption = Adoption(plant_id=plant.id, law_text_id=stored(profile).id, since=since, resolution=resolution.strip(),
                        adopted_at=at, adopted_by=by.name, basis=basis.strip())  # fmt: skip
    db.session.add(adoption)
    because(resolution)
    return adoption


def stored(profile: Profile) -> LawText:
    """The row that keeps the text of a profile for ever, made where there is none yet."""
    text = db.session.scalars(select(LawText).filter_by(sha256=profile.sha256)).one_or_none()
    if text is None:
        text = LawText(sha256=profile.sha256, profile=profile.id, name=profile.name, text=profile.text)
        db.session.add(text)
        db.session.flush()
    return text


def profile_of(text: LawText) -> Profile:
    """The profile a stored text holds."""
    return _profile(text.text)


@lru_cache(maxsize=64)
def _profile(text: str) -> Profile:
    return profile_from_canonical(text)


def law_in_force(plant: Plant, on: date) -> Law:
    """The law of a plant on a day: the adopted profile, the plant's own rows and its closures. Raises NoLaw before."""
    found: Law | None = _law(plant.id, on)
    if found is None:
        raise NoLaw(f"No law is adopted at {plant.name} on {on.isoformat()}.")
    return found


@fact
def _law(plant_id: int, on: date) -> Law | None:
    text = facts.values(_text(), plant_id=plant_id, day=on)
    return Law(_profile(text[0][0]), _plant_rows(plant_id), _closures(plant_id)) if text else None


@fact
def adopted_since(plant_id: int) -> tuple[date, ...]:
    """The days from which on a plant's laws hold, the first one first."""
    return tuple(sorted({since for (since,) in facts.values(_adoptions(), plant_id=plant_id)}))


@cache
def _adoptions() -> Any:
    return select(Adoption.since).where(Adoption.plant_id == bindparam("plant_id"), Adoption.taken_back_at.is_(None))


@cache
def _text() -> Any:
    return (
        select(LawText.text)
        .join(Adoption, Adoption.law_text_id == LawText.id)
        .where(
            Adoption.plant_id == bindparam("plant_id"),
            Adoption.since <= bindparam("day"),
            Adoption.taken_back_at.is_(None),
        )
        .order_by(Adoption.since.desc(), Adoption.id.desc())
        .limit(1)
    )


@cache
def _rows() -> Any:
    columns = (PlantRow.key, PlantRow.value, PlantRow.since, PlantRow.resolution, PlantRow.withdrawn)
    return select(*columns).where(PlantRow.plant_id == bindparam("plant_id")).order_by(PlantRow.since, PlantRow.id)


@cache
def _closed() -> Any:
    return select(ClosureDay).where(ClosureDay.plant_id == bindparam("plant_id"))


def law_with(plant: Plant, profile: Profile) -> Law:
    """A profile as it would hold at a plant, with the plant's own rows and closures."""
    return Law(profile, _plant_rows(plant.id), _closures(plant.id))


def law_of_day(plant: Plant, day: date, now: Law, today: date) -> Law:
    """The law of a day to come, `now` being that of `today`: another only where one that was adopted begins between."""
    begins = any(today < since <= day for since in adopted_since(plant.id))
    return law_in_force(plant, day) if begins else now


def law_now(plant: Plant, at: datetime) -> Law:
    """The law of the plant's own day at this instant."""
    return law_in_force(plant, at.astimezone(plant.tz).date())


def _plant_rows(plant_id: int) -> tuple[Row, ...]:
    return tuple(
        # One withdrawn ends what stood before it, and never holds itself.
        plant_row(key, value, since, resolution, until=since - _DAY if withdrawn else None)
        for key, value, since, resolution, withdrawn in facts.values(_rows(), plant_id=plant_id)
    )


def _closures(plant_id: int) -> dict[date, Closure]:
    rows = facts.rows(ClosureDay, _closed(), plant_id=plant_id)
    return {
        row.day: Closure(row.day, row.name, row.kind, row.shut_from, row.shut_until, row.over_holiday or "")
        for row in rows
    }


def shipped_law(name: str) -> Law:
    """The law of a shipped profile as its file says today, with no plant: for the ``law`` commands."""
    if name not in shipped():
        raise NoLaw(f"There is no plant and no shipped profile named {name}. Shipped: {', '.join(sorted(shipped()))}.")
    return Law(load_profile(name))

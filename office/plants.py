"""Plants, their own dated rows of the law, and their closure calendar."""

from datetime import date, datetime, time
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from flask import current_app
from sqlalchemy import CheckConstraint, ForeignKey, String, Text, UniqueConstraint, bindparam, select
from sqlalchemy.orm import Mapped, mapped_column

from office import facts, ports
from office.access import Role
from office.acts import act
from office.db import Json, Model, Utc, born, db, lock
from office.facts import fact
from office.journal import because
from ordinances.reader import NoLaw, plant_row
from ordinances.refusal import Refusal
from ordinances.values import WrongValue

RESERVED = frozenset({"static", "sign-in", "sign-out", "account", "host", "api", "healthz", "metrics", "bootstrap"})


class Plant(Model):
    """One receiving plant of one town."""

    __tablename__ = "plant"
    slug: Mapped[str] = mapped_column(String(60), unique=True)
    name: Mapped[str] = mapped_column(String(200))
    city: Mapped[str] = mapped_column(String(200))
    zone: Mapped[str] = mapped_column(String(60))
    phone: Mapped[str] = mapped_column(String(60))
    help_hours: Mapped[str] = mapped_column(String(200))
    address: Mapped[str] = mapped_column(Text)

    @property
    def tz(self) -> ZoneInfo:
        return ZoneInfo(self.zone)


class PlantRow(Model):
    """A dated value of the plant's own, such as the flow in force or the filing fee, with who set it and by what.

    ``withdrawn`` ends the value before it from this day on, with nothing in its place.
    """

    __tablename__ = "plant_row"
    __table_args__ = (CheckConstraint("resolution <> ''", name="resolution_given"),)
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"), index=True)
    key: Mapped[str] = mapped_column(String(80))
    value: Mapped[Any] = mapped_column(Json)
    since: Mapped[date]
    resolution: Mapped[str] = mapped_column(Text)
    set_at: Mapped[datetime] = mapped_column(Utc)
    set_by: Mapped[str] = mapped_column(String(200))
    withdrawn: Mapped[bool] = mapped_column(default=False, info=born(False))
    # The costs an amount rests on (§ 281.49(5)(c)4).
    basis: Mapped[str] = mapped_column(Text, default="", info=born(""))


class ClosureDay(Model):
    """One day of the closure calendar: a listed holiday, an ad-hoc closure, or a closed day that is opened.

    A closure of part of a day is [shut_from, shut_until) of the plant's wall clock; both None: the whole day.
    ``over_holiday`` is the holiday this stands over, which the day is again when it is taken off.
    """

    __tablename__ = "closure_day"
    __table_args__ = (
        UniqueConstraint("plant_id", "day"),
        CheckConstraint("kind IN ('holiday', 'closed', 'opened')", name="kind_known"),
        CheckConstraint("name <> ''", name="name_given"),
        CheckConstraint("(shut_from IS NULL) = (shut_until IS NULL)", name="part_whole"),
        CheckConstraint("shut_from IS NULL OR (kind = 'closed' AND shut_from < shut_until)", name="part_of_closed"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    day: Mapped[date]
    name: Mapped[str] = mapped_column(String(200))
    kind: Mapped[str] = mapped_column(String(10))
    shut_from: Mapped[time | None] = mapped_column(info=born(None))
    shut_until: Mapped[time | None] = mapped_column(info=born(None))
    over_holiday: Mapped[str | None] = mapped_column(String(200), info=born(None))
    set_at: Mapped[datetime | None] = mapped_column(Utc, info=born(None))
    set_by: Mapped[str] = mapped_column(String(200), default="", info=born(""))


def all_plants() -> list[Plant]:
    """Every plant of this host by name of its city."""
    return list(db.session.scalars(select(Plant).order_by(Plant.city)))


def plant_named(slug: str) -> Plant | None:
    """The plant at this address, or None."""
    return db.session.scalars(select(Plant).where(Plant.slug == slug)).one_or_none()


def only_plant() -> Plant | None:
    """The plant of this host where it has just one; None where it has none or several."""
    found = list(db.session.scalars(select(Plant).limit(2)))
    return found[0] if len(found) == 1 else None


# Ids of plants by database and address, found before: a plant keeps its address for ever.
_IDS: dict[tuple[str, str], int] = {}


def plant_at(slug: str) -> Plant | None:
    """The plant at this address as ``plant_named``, kept between requests."""
    place = (str(current_app.config["DATABASE_URL"]), slug)
    if place in _IDS:
        found: Plant | None = _plant(_IDS[place])
        if found is not None and found.slug == slug:
            return found
    named = plant_named(slug)
    if named is not None:
        _IDS[place] = named.id
    return named


def plant_of(plant_id: int) -> Plant:
    """The plant something belongs to, kept between requests."""
    found: Plant | None = _plant(plant_id)
    if found is None:
        raise LookupError(f"there is no plant {plant_id}")
    return found


@fact
def _plant(plant_id: int) -> Plant | None:
    return next(iter(facts.rows(Plant, _one_plant(), plant_id=plant_id)), None)


@cache
def _one_plant() -> Any:
    return select(Plant).where(Plant.id == bindparam("plant_id"))


@act("set_up_plant", roles=(Role.ADMINISTRATOR, Role.SYSTEM))
def set_up_plant(*, slug: str, name: str, city: str, zone: str, phone: str, help_hours: str, address: str,
                 by: Any, at: datetime) -> Plant | Refusal:  # fmt: skip
    """Open a plant at an address of its own."""
    if slug in RESERVED or plant_named(slug):
        return Refusal("address_taken", f"The address /{slug} is taken. Choose another.", "")
    plant = Plant(slug=slug, name=name, city=city, zone=zone, phone=phone, help_hours=help_hours, address=address)
    db.session.add(plant)
    return plant


@act("set_plant_row", roles=(Role.DIRECTOR, Role.CLERK, Role.ADMINISTRATOR, Role.SYSTEM))
def set_plant_row(plant: Plant, key: str, value: Any, since: date, resolution: str, *, basis: str = "", by: Any,
                  at: datetime) -> PlantRow | Refusal:  # fmt: skip
    """Set a dated value of the plant's own; earlier rows stay. ``value`` is JSON: money and rates are strings.

    An amount that rises before approved haulers were told in time is refused: ``not_told``, ``told_too_late``.
    ``basis``: the costs it rests on.
    """
    if not resolution.strip():
        return Refusal("no_resolution", "Enter the resolution or order that sets this value.", "")
    if key.startswith("rate.") and not {Role.DIRECTOR, Role.SYSTEM} & by.roles:
        return Refusal("not_your_role", "Only the Public Works Director sets the flow in force.", "")
    try:
        plant_row(key, value, since, resolution)
    except (WrongValue, NoLaw) as error:
        return Refusal("wrong_value", f"{str(error).rstrip('.')}.", "")
    lock(Plant, plant.id)
    early = ports.may_start(plant, key, value, since, at) if key.startswith("fees.") else None
    if early is not None:
        return early
    row = PlantRow(plant_id=plant.id, key=key, value=value, since=since, resolution=resolution.strip(), set_at=at,
                   set_by=by.name, basis=basis.strip())  # fmt: skip
    db.session.add(row)
    because(resolution)
    return row


@act("withdraw_plant_row", roles=(Role.DIRECTOR,))
def withdraw_plant_row(plant: Plant, key: str, since: date, resolution: str, *, by: Any,
                       at: datetime) -> PlantRow | Refusal:  # fmt: skip
    """End a value of the plant's own from a day on, with nothing in its place; what stood stays on record.

    Refusals: no_resolution, not_set.
    """
    if not resolution.strip():
        return Refusal("no_resolution", "Enter the resolution or order that withdraws this value.", "")
    lock(Plant, plant.id)
    query = select(PlantRow).where(PlantRow.plant_id == plant.id, PlantRow.key == key, PlantRow.since <= since)
    last = db.session.scalars(query.order_by(PlantRow.since.desc(), PlantRow.id.desc()).limit(1)).first()
    if last is None or last.withdrawn:
        return Refusal("not_set", "Nothing is in force here that could be withdrawn from that day.", "")
    row = PlantRow(plant_id=plant.id, key=key, value=last.value, since=since, resolution=resolution.strip(),
                   set_at=at, set_by=by.name, withdrawn=True)  # fmt: skip
    db.session.add(row)
    because(resolution)
    return row


@act("set_closure", roles=(Role.MANAGER, Role.DIRECTOR, Role.CLERK, Role.ADMINISTRATOR, Role.SYSTEM))
def set_closure(
    plant: Plant, day: date, name: str, kind: str, shut: tuple[time, time] | None = None, *, by: Any, at: datetime
) -> ClosureDay | Refusal:
    """Put a day on the closure calendar, or change what it says (§ 329-7 C(1): times are the manager's).

    ``shut``: the hours of a closure of part of the day. Refusals: no_name, wrong_part.
    """
    if not name.strip():
        return Refusal("no_name", "Enter what the day is called, like Thanksgiving Day.", "")
    if shut is not None and (kind != "closed" or shut[0] >= shut[1]):
        return Refusal("wrong_part", "The closed hours must end after they begin, on a day of the kind Closed", "")
    lock(Plant, plant.id)
    row = db.session.scalars(select(ClosureDay).filter_by(plant_id=plant.id, day=day)).one_or_none()
    if row is None:
        row = ClosureDay(plant_id=plant.id, day=day)
        db.session.add(row)
    if kind == "holiday":
        row.over_holiday = None
    elif row.kind == "holiday":
        row.over_holiday = row.name
    row.name, row.kind, row.set_at, row.set_by = name.strip(), kind, at, by.name
    row.shut_from, row.shut_until = shut or (None, None)
    return row


def closure_days(plant_id: int, year: int) -> list[ClosureDay]:
    """The plant's calendar of a year, in the order of days."""
    first, last = date(year, 1, 1), date(year, 12, 31)
    query = select(ClosureDay).where(ClosureDay.plant_id == plant_id, ClosureDay.day.between(first, last))
    return list(db.session.scalars(query.order_by(ClosureDay.day)))


def closure_of(plant_id: int, closure_id: int) -> ClosureDay | None:
    """One day of this plant's calendar, or None."""
    row = db.session.get(ClosureDay, closure_id)
    return row if row is not None and row.plant_id == plant_id else None

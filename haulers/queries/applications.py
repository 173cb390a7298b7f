"""Applications and the gallons they ask for."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sqlalchemy import select

from haulers.models import Application, ApplicationSource, Decision
from haulers.states import ApplicationState
from office.db import db
from ordinances.allocation import AREAS, tier_of
from ordinances.screening import WASTE_TYPES

ASKS = ("type", "frequency", "quantity", "location")
OUT_OF_SIGHT = (ApplicationState.DRAFT.value, ApplicationState.ASKED_LATE.value, ApplicationState.WITHDRAWN.value)


@dataclass(frozen=True)
class SourceLine:
    """One source as the hauler states it (§ 329-7 B(1)): type, frequency, quantity in gallons, location.

    None in a quantity means not answered yet; nought is an answer. ``area`` is a key of ``allocation.AREAS``.
    """

    waste: str
    place: str
    area: str
    frequency: str
    gallons_a_load: int | None
    gallons_winter: int | None
    gallons_rest: int | None
    existing: bool = True
    replaces_failed: bool = False
    months: str = ""

    def missing(self, asks: Collection[str] = ASKS) -> list[str]:
        """What the law asks of a source (``application.asks``) and this one does not say, in words."""
        answers = [
            ("type", "the type of waste", self.waste in WASTE_TYPES), ("location", "the place", bool(self.place)),
            ("location", "the service area", self.area in AREAS), ("frequency", "how often", bool(self.frequency)),
            ("quantity", "gallons a load", self.gallons_a_load is not None),
            ("quantity", "gallons in winter", self.gallons_winter is not None),
            ("quantity", "gallons in the rest of the year", self.gallons_rest is not None),
        ]  # fmt: skip
        return [words for ask, words, given in answers if ask in asks and not given]


def as_line(row: ApplicationSource) -> SourceLine:
    """A stored source as the hauler states it."""
    return SourceLine(row.waste, row.place, row.area, row.frequency, row.gallons_a_load, row.gallons_winter,
                      row.gallons_rest, row.existing, row.replaces_failed, row.months)  # fmt: skip


def incomplete_sources(sources: Iterable[ApplicationSource], asks: Collection[str] = ASKS) -> list[str]:
    """What the sources do not say yet, one sentence a source."""
    found = [(source.position, as_line(source).missing(asks)) for source in sources]
    return [f"Source {position}: enter {', '.join(missing)}." for position, missing in found if missing]


@dataclass(frozen=True)
class Totals:
    """What an application asks for, in gallons: by part of the year and by the state's tiers 1 to 4."""

    winter: dict[int, int]
    rest: dict[int, int]

    @property
    def asked_winter(self) -> int:
        return sum(self.winter.values())

    @property
    def asked_rest(self) -> int:
        return sum(self.rest.values())

    @property
    def asked(self) -> int:
        return self.asked_winter + self.asked_rest

    @property
    def inside(self) -> int:
        """Gallons from the first tier: inside the service area."""
        return self.winter.get(1, 0) + self.rest.get(1, 0)


def totals(sources: Iterable[ApplicationSource | SourceLine]) -> Totals:
    """Gallons asked for by tier; sources not yet complete count with what they say."""
    winter: dict[int, int] = {}
    rest: dict[int, int] = {}
    for source in sources:
        if source.area not in AREAS:
            continue
        tier = tier_of(source.area, source.waste, source.existing, source.replaces_failed).number
        winter[tier] = winter.get(tier, 0) + (source.gallons_winter or 0)
        rest[tier] = rest.get(tier, 0) + (source.gallons_rest or 0)
    return Totals(winter, rest)


def application(plant_id: int, application_id: int) -> Application | None:
    """One application of a plant; None for another plant's."""
    return db.session.scalars(select(Application).filter_by(id=application_id, plant_id=plant_id)).one_or_none()


def application_for(plant_id: int, business_id: int, season: str, *, fresh: bool = False) -> Application | None:
    """The application of a business for a season that was not withdrawn; ``fresh`` reads it anew, under a lock."""
    query = select(Application).filter_by(plant_id=plant_id, business_id=business_id, season=season)
    query = query.where(Application.state != ApplicationState.WITHDRAWN.value)
    return db.session.scalars(query.execution_options(populate_existing=fresh)).one_or_none()


def application_numbered(plant_id: int, number: str) -> Application | None:
    """The application with a printed number, such as 2026-27/0014."""
    return db.session.scalars(select(Application).filter_by(plant_id=plant_id, number=number)).one_or_none()


def applications_of(plant_id: int, business_id: int) -> list[Application]:
    """Every application of a business at a plant, newest first."""
    query = select(Application).filter_by(plant_id=plant_id, business_id=business_id)
    return list(db.session.scalars(query.order_by(Application.id.desc())))


def last_sent(plant_id: int, business_id: int, season: str) -> Application | None:
    """The newest application a business sent here: of an earlier season, or withdrawn in this one."""
    sent = [one for one in applications_of(plant_id, business_id)
            if one.filed_at is not None and (one.season < season or one.withdrawn_at is not None)
            and not one.answers.get("withdrawn", {}).get("wrong_entry")]  # fmt: skip
    return max(sent, key=lambda one: (one.season, one.filed_at), default=None)


def sources_of(application_ids: Collection[int], *, fresh: bool = False) -> dict[int, list[ApplicationSource]]:
    """The sources of applications in their order, in one query; ``fresh`` reads them anew, under a lock."""
    query = select(ApplicationSource).where(ApplicationSource.application_id.in_(set(application_ids)))
    query = query.order_by(ApplicationSource.application_id, ApplicationSource.position)
    rows = db.session.scalars(query.execution_options(populate_existing=fresh))
    found: dict[int, list[ApplicationSource]] = {}
    for row in rows:
        found.setdefault(row.application_id, []).append(row)
    return found


def filed(plant_id: int, season: str) -> list[Application]:
    """The applications before the committee for a season, in the order they came; late ones once they are taken."""
    query = select(Application).filter_by(plant_id=plant_id, season=season)
    kept = query.where(Application.state.not_in(OUT_OF_SIGHT))
    return list(db.session.scalars(kept.order_by(Application.filed_at, Application.id)))


def asked_late(plant_id: int, season: str) -> list[Application]:
    """The late requests of a season the committee has not voted on, in the order they came."""
    query = select(Application).filter_by(plant_id=plant_id, season=season, state=ApplicationState.ASKED_LATE.value)
    return list(db.session.scalars(query.order_by(Application.filed_at, Application.id)))


def withdrawn(plant_id: int, season: str) -> list[Application]:
    """What was sent for a season and taken back, or entered by mistake, in the order it came."""
    query = select(Application).filter_by(plant_id=plant_id, season=season, state=ApplicationState.WITHDRAWN.value)
    return list(db.session.scalars(query.order_by(Application.filed_at, Application.id)))


def seasons_with_applications(plant_id: int) -> list[str]:
    """Names of the seasons somebody applied for, newest first."""
    query = select(Application.season).where(Application.plant_id == plant_id, Application.filed_at.is_not(None))
    return sorted(set(db.session.scalars(query.distinct())), reverse=True)


def decisions_of(application_ids: Collection[int]) -> dict[int, Decision]:
    """Decisions by application, in one query."""
    rows = db.session.scalars(select(Decision).where(Decision.application_id.in_(set(application_ids))))
    return {row.application_id: row for row in rows}

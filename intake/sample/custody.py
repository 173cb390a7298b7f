"""The samples of the season on their way: taken at the gate, handed to the courier, received by the laboratory."""

from collections.abc import Callable
from datetime import date, datetime
from typing import Any

from sqlalchemy import select

from intake.actions.custody import hand_over_samples
from intake.models import Load
from intake.sample.setting import must
from intake.states import CustodyKind, LoadState
from office.db import db

COURIER, LAB = "K. Berg, courier", "Chequamegon Bay laboratory, sample desk"
# One sample of this day stays with who took it, the others wait with the courier.
ON_THE_WAY = date(2027, 2, 8)


def handed(season: Any, day: date) -> Callable[[datetime], None]:
    """The courier takes the day's bottles."""

    def do(at: datetime) -> None:
        bottles = _bottles(season, day)
        if day == ON_THE_WAY and len(bottles) > 1:
            bottles = bottles[:-1]
        _step(season, bottles, CustodyKind.HANDED, COURIER, at, "Receiving station", "On ice, 4 °C")

    return do


def received(season: Any, day: date) -> Callable[[datetime], None]:
    """The laboratory has them."""

    def do(at: datetime) -> None:
        if day != ON_THE_WAY:
            _step(season, _bottles(season, day), CustodyKind.RECEIVED, LAB, at, "Ashland", "On ice, 4 °C")

    return do


def _step(season: Any, bottles: list[str], kind: CustodyKind, who: str, at: datetime, place: str, kept: str) -> None:
    if bottles:
        by = season.story.who("operator@sample.example", at)
        must(hand_over_samples(season.plant, bottles, kind.value, who, at, place=place, preserved=kept, by=by, at=at,
                               law=season.story.law(at)))  # fmt: skip


def _bottles(season: Any, day: date) -> list[str]:
    query = select(Load.bottle).where(Load.plant_id == season.plant.id, Load.day == day, Load.bottle != "",
                                      Load.tested.is_(True), Load.state == LoadState.ACCEPTED.value)  # fmt: skip
    return list(db.session.scalars(query.order_by(Load.id)))

"""This room's tests answer the port themselves: no bookings and no season before, unless a test says otherwise."""

from collections.abc import Collection, Iterator
from datetime import date, datetime
from typing import Any

import pytest

from haulers import ports
from haulers.ports import BookingLine, LoadLine, PlaceLine, Record
from ordinances.loading import Mean
from ordinances.reader import Law


class Before:
    """A track record as the room above would answer it."""

    def __init__(self) -> None:
        self.records: dict[int, Record] = {}
        self.bookings: list[BookingLine] = []
        self.loads: list[LoadLine] = []
        self.strengths: dict[int, dict[tuple[str, str], Mean]] = {}
        self.points: list[PlaceLine] = []
        self.gone = (0, 0)

    def last_season(self, plant_id: int, business_ids: Collection[int], season_name: str) -> dict[int, Record]:
        return {ident: record for ident, record in self.records.items() if ident in business_ids}

    def means(self, plant_id: int, business_ids: Collection[int],
              season_name: str) -> dict[int, dict[tuple[str, str], Mean]]:  # fmt: skip
        return {ident: means for ident, means in self.strengths.items() if ident in business_ids}

    def bookings_of(self, approval_id: int, at: datetime) -> list[BookingLine]:
        return list(self.bookings)

    def loads_of(self, plant_id: int, business_id: int) -> list[LoadLine]:
        return list(self.loads)

    def places(self, plant_id: int, business_id: int, first: date, last: date) -> list[PlaceLine]:
        return list(self.points)

    def taken(self, approval_id: int, law: Law, at: datetime) -> tuple[int, int]:
        return self.gone

    def used(self, approval_id: int) -> int:
        return 0


@pytest.fixture(autouse=True)
def before(app: Any) -> Iterator[Before]:
    kept = ports._Provided.record
    made = Before()
    ports.provide(made)
    yield made
    ports._Provided.record = kept

"""A load over several days at a receiving tank: what comes on one of them leaves less room on the others."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import date, datetime

from intake.queries.capacity import DayPicture, planned
from ordinances.offers import Session


def beside(picture: DayPicture, others: Iterable[Session]) -> DayPicture:
    """A day with other parts of the same load in its tank; at other points they are nothing to it."""
    basin = picture.tank
    if basin is None:
        return picture
    alone = len(picture.places) == 1
    mine = [replace(one, point=basin.point_id) for one in others
            if one.point == basin.point_id or (alone and one.point is None)]  # fmt: skip
    return replace(picture, tank=basin.less([[one] for one in mine])) if mine else picture


def with_rest(picture: DayPicture, plant_id: int, booking_id: int | None, at: datetime, *,
              but: Collection[date] = (), only: Collection[date] | None = None) -> DayPicture:  # fmt: skip
    """A day from which a booking is left out, with those of its sessions that stay: on all days ``but`` some, or
    ``only`` on some. One query where there is a tank."""
    if picture.tank is None or booking_id is None or only == ():
        return picture
    return beside(picture, (
        Session(one.starts, one.ends, one.gph, one.gallons, one.point_id) for one in planned(plant_id, at, since=at)
        if one.booking_id == booking_id and one.day not in but and (only is None or one.day in only)
    ))  # fmt: skip

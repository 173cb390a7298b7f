"""Pages of intake, split by audience."""

from intake.routes import (
    booking,
    clerk,
    closures,
    director,
    driver,
    excess,
    feeds,
    flow,
    hauler,
    lab,
    limits,
    loads,
    moving,
    phone,
    points,
    public,
    running,
    schedule,
    special,
    station,
    waiting,
)
from intake.routes.base import bp, restriction_banner

__all__ = [
    "BANNERS",
    "booking",
    "bp",
    "clerk",
    "closures",
    "director",
    "driver",
    "excess",
    "feeds",
    "flow",
    "hauler",
    "lab",
    "limits",
    "loads",
    "moving",
    "phone",
    "points",
    "public",
    "running",
    "schedule",
    "special",
    "station",
    "waiting",
]

BANNERS = [restriction_banner]

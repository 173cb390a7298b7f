"""When an application came, in words: by the second online, by the day on paper, whose hour nobody wrote down."""

from datetime import datetime

from haulers.models import Application
from office.formats import date_only, day_time
from ordinances.reader import Law


def came_words(application: Application, law: Law) -> str:
    """ "Monday, August 31, 2026, 4:10 p.m.", or "September 1, 2026 (paper; hour not recorded)"."""
    if application.received_on is not None:
        return f"{date_only(application.received_on)} (paper; hour not recorded)"
    assert application.filed_at is not None
    return day_time(application.filed_at, law.zone)


def receipt_day(application: Application) -> datetime:
    """The instant its receipt is made: when it was sent, or when its paper was entered."""
    assert application.filed_at is not None
    return application.saved_at if application.received_on is not None else application.filed_at

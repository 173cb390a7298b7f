"""Events as an iCalendar file (RFC 5545), in the plant's zone by name: every calendar shows the plant's hours."""

from collections.abc import Sequence
from datetime import UTC, date, timedelta
from typing import TYPE_CHECKING

from intake.queries.feed import Event
from office.plants import Plant

if TYPE_CHECKING:
    from icalendar import Component

# How often a calendar is asked to look again.
REFRESH = timedelta(hours=1)


def calendar_file(plant: Plant, name: str, events: Sequence[Event], links: dict[str, str], *, refresh: bool = False,
                  method: str = "", organizer: str = "") -> bytes:  # fmt: skip
    """The file; the same events give the same bytes. ``links`` leads from a booking's number to its page.

    One that is mailed has a ``method`` (RFC 5546) and names the ``organizer``, the address the message is from.
    """
    from icalendar import Calendar  # noqa: PLC0415 - only readers of calendars wait for it

    made = Calendar()
    made.add("prodid", "-//Septage Desk//Bookings//EN")
    made.add("version", "2.0")
    if method:
        made.add("method", method)
    made.add("name", name)
    made.add("x-wr-calname", name)
    made.add("x-wr-timezone", plant.zone)
    if refresh:
        made.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
        made.add("x-published-ttl", "PT1H")
    for one in events:
        written = _event(plant, one, links.get(one.number))
        if organizer:
            written.add("organizer", f"mailto:{organizer}", parameters={"CN": plant.name})
        made.add_component(written)
    years = [one.starts.year for one in events]
    if years:
        made.add_missing_timezones(date(min(years), 1, 1), date(max(years) + 2, 1, 1))
    return bytes(made.to_ical())


def _event(plant: Plant, one: Event, link: str | None) -> "Component":
    from icalendar import Event as Written  # noqa: PLC0415 - as above

    made = Written()
    made.add("uid", one.uid)
    made.add("sequence", one.sequence)
    made.add("dtstamp", one.changed.astimezone(UTC).replace(microsecond=0))
    made.add("last-modified", one.changed.astimezone(UTC).replace(microsecond=0))
    made.add("created", one.made.astimezone(UTC).replace(microsecond=0))
    made.add("dtstart", one.starts.astimezone(plant.tz))
    made.add("dtend", one.ends.astimezone(plant.tz))
    made.add("status", one.status)
    made.add("summary", one.summary)
    made.add("description", one.words)
    made.add("location", one.place)
    made.add("transp", "TRANSPARENT" if one.status == "CANCELLED" else "OPAQUE")
    if link:
        made.add("url", link)
    return made

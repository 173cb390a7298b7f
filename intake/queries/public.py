"""What the plant says to everybody: one state, until when, how much is left. The page, the feeds and the gate agree."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from haulers import queries as haulers
from intake.queries import capacity, restrictions
from intake.queries.capacity import DayPicture
from intake.queries.largest import largest_at, largest_words
from intake.queries.public_state import Facts, facts, no_point
from intake.queries.restriction_words import point_names, public_words
from office import formats
from office.plants import Plant
from ordinances.calendar import FilingStatus, filing_status, next_open_day, season_of, shut_now, shut_part
from ordinances.reader import Law, NoLaw
from ordinances.refusal import Refusal

STATE_WORDS = {"open": "Open", "opens_later": "Opens later", "closed": "Closed", "restricted": "Restricted",
               "not_accepted": "Not accepted here"}  # fmt: skip
PANELS = {"open": "open", "opens_later": "closed", "closed": "closed", "restricted": "restricted",
          "not_accepted": "closed"}  # fmt: skip
NO_POINT = "no receiving point takes septage"
LOOKED_AT = 15
ZONES = {"E": "Eastern", "C": "Central", "M": "Mountain", "P": "Pacific"}


@dataclass(frozen=True)
class ApplicationBox:
    """The application window in words, and whether the form can be started now."""

    title: str
    words: str
    may_start: bool


@dataclass(frozen=True)
class Status:
    """What the plant says now. Gallons count from this instant on, rounded down once.

    ``next_free`` is the first start of the largest single load that fits, today or on the next day with room.

    ``where`` is the point that takes the largest load, as far as the others do not.

    ``state``: open, opens_later, closed, restricted, not_accepted. ``picture`` is today's when there is still
    something of it to come, else the next open day's; none where nothing is accepted.
    """

    state: str
    headline: str
    lines: tuple[str, ...]
    until: datetime | None
    gallons_left: int
    largest: int
    next_free: datetime | None
    limit_gph: int | None
    picture: DayPicture | None
    box: ApplicationBox | None
    at: datetime
    facts: Facts
    where: str = ""

    @property
    def where_shown(self) -> str:
        """The point that takes the largest load of the day shown, as far as the others do not."""
        return largest_at(self.picture) if self.picture is not None else ""

    @property
    def word(self) -> str:
        return STATE_WORDS[self.state]

    @property
    def panel(self) -> str:
        return PANELS[self.state]


def plant_status(plant: Plant, law: Law, at: datetime) -> Status:
    """The plant's state at an instant, for the page, the feeds and the operator's bar."""
    today = at.astimezone(plant.tz).date()
    box = application_box(plant, law, at)
    here = capacity.day_picture(plant, law, today, at)
    if isinstance(here.hours, Refusal) and here.hours.code in ("not_accepted", "by_agreement"):
        return _not_here(here.hours, box, at, facts(plant, law, here, None, at))
    runs = not isinstance(here.hours, Refusal) and at < here.hours.end and not no_point(law, here)
    shown = here if runs else next_taking(plant, law, today, at)
    limit = shown.limit_gph if shown else None
    free = _next_free(plant, law, here, at)
    whole = here.shut_whole(law)
    stop = whole or here.restriction
    state, headline, lines, until = _hours(law, here, shown, at)
    if stop is not None:
        hours = headline
        state, headline, lines, until = _restricted(plant, stop, today)
        # Less is taken, but in the same hours.
        lines = (restrictions.full_stop(hours), *lines) if stop.scope == "rate" else lines
    if stop is None or stop.scope == "rate":
        lines = (*lines, *_narrower(plant, here.narrower, today))
    left, largest = (0, 0) if whole is not None or no_point(law, here) else (here.room, here.largest)
    if whole is not None and free is not None and free < restrictions.planned_until(whole, law, at):
        free = None
    return Status(state, headline, lines, until, left, largest, free, limit, shown, box, at,
                  facts(plant, law, here, shown, at), largest_at(here))  # fmt: skip


def _hours(
    law: Law, here: DayPicture, shown: DayPicture | None, at: datetime
) -> tuple[str, str, tuple[str, ...], datetime | None]:
    hours = here.hours
    pointless = not isinstance(hours, Refusal) and at < hours.end and no_point(law, here)
    if not isinstance(hours, Refusal) and hours.start <= at < hours.end and not pointless:
        shut = shut_part(law, here.day)
        if shut is not None and shut_now(law, at) is not None:
            again = shut[0].end
            return "closed", f"Closed until {formats.clock_time(again)}", (f"Closed now: {shut[1]}.",), again
        lines = ("An operator is on duty. Booked haulers may unload.",)
        return "open", f"Open until {formats.clock_time(hours.end)}", lines, hours.end
    if shown is None or isinstance(shown.hours, Refusal):
        headline = f"Closed today: {NO_POINT}" if pointless else "Closed"
        return "closed", headline, ("No open day is planned. Call the plant.",), None
    opens = shown.hours.start
    day = f"{formats.day(opens).rpartition(',')[0]}, at {formats.clock_time(opens)}"
    free = f"{formats.volume(shown.room)} {'is' if shown.room == 1 else 'are'} free that day."
    if shown.room:
        free += f" The largest single load that fits is {largest_words(shown)}."
    closed = (NO_POINT, "") if pointless else _closed_whole(law, here.day)
    if closed is not None:
        name, first = closed
        return (
            "closed",
            f"Closed today: {name}",
            (f"{first}{restrictions.full_stop(f'Next open: {day}')} {free}",),
            opens,
        )
    if shown.day == here.day:
        return "opens_later", f"Opens today at {formats.clock_time(opens)}", (free,), opens
    return "opens_later", f"Opens {day}", (free,), opens


def _closed_whole(law: Law, day: date) -> tuple[str, str] | None:
    """Why the calendar closes a whole day, in a word, and what is said more of it; None where it does not."""
    closure = law.closures.get(day)
    if closure is None or closure.kind == "opened" or closure.is_part:
        return None
    return ("holiday", f"{closure.name}. ") if closure.kind == "holiday" else (closure.name, "")


def _restricted(
    plant: Plant, stop: restrictions.Restriction, today: date
) -> tuple[str, str, tuple[str, ...], datetime | None]:
    since = formats.clock_time(stop.starts, plant.tz)
    if stop.starts.astimezone(plant.tz).date() != today:
        since = formats.day_time(stop.starts, plant.tz)
    update = _update(plant, stop, today)
    reason = f"Reason: {restrictions.words_of(stop.reason)}."
    said = restrictions.last_words(stop)
    note = (said,) if said else ()
    if stop.scope == "rate":
        headline, first = f"Reduced to {formats.rate(stop.gph)}", restrictions.full_stop(f"Reduced since {since}")
    else:
        headline, first = f"Restricted since {since}", "No septage is being accepted."
    return (
        "restricted",
        headline,
        (f"{first} {reason}", *note, restrictions.full_stop(f"Next update by {update}")),
        stop.next_update,
    )


def _narrower(plant: Plant, rows: Sequence[restrictions.Restriction], today: date) -> tuple[str, ...]:
    """What is not taken while the rest is: some waste, or at some points."""
    names = point_names(rows)
    return tuple(
        f"{public_words(row, names)} Reason: {restrictions.words_of(row.reason)}. "
        f"{restrictions.full_stop(f'Next update by {_update(plant, row, today)}')}" for row in rows
    )  # fmt: skip


def _update(plant: Plant, row: restrictions.Restriction, today: date) -> str:
    if row.next_update.astimezone(plant.tz).date() != today:
        return formats.day_time(row.next_update, plant.tz)
    return formats.clock_time(row.next_update, plant.tz)


def _not_here(no: Refusal, box: ApplicationBox | None, at: datetime, known: Facts) -> Status:
    headline = "This plant does not accept septage" if no.code == "not_accepted" else "Septage only by agreement"
    lines = tuple(line for line in (no.why, no.next_step) if line)
    return Status("not_accepted", headline, lines, None, 0, 0, None, None, None, box, at, known)


def next_taking(plant: Plant, law: Law, today: date, at: datetime) -> DayPicture | None:
    """The next open day on which a point takes something; None where none comes soon."""
    day = today
    try:
        for _ in range(LOOKED_AT):
            day = next_open_day(law, day)
            found = capacity.day_picture(plant, law, day, at)
            if not no_point(law, found):
                return found
    except NoLaw:
        return None
    return None


def _next_free(plant: Plant, law: Law, here: DayPicture, at: datetime) -> datetime | None:
    if here.next_free is not None:
        return here.next_free
    days = [day for day in capacity.days_ahead(law, at, 10) if day != here.day]
    pictures = capacity.day_pictures(plant, law, days, at)
    return next((found for day in days if (found := pictures[day].next_free) is not None), None)


def application_box(plant: Plant, law: Law, at: datetime) -> ApplicationBox | None:
    """The application window by date; None where the place has none."""
    status = filing_status(law, at)
    if isinstance(status, Refusal):
        return None
    forms, opens = _month_day(status.form_opens), _month_day(status.opens)
    if status.state == "before_form":
        return _before(plant, law, status, at)
    if status.state == "draft":
        words = f"You can send it from {opens}. The committee decides by {_month_day(status.decide_by)}."
        return ApplicationBox("You can fill in the form now", words, True)
    if status.state == "open":
        return _open(status)
    words = f"Applications for season {status.season.name} were taken until {_month_day(status.closes)}."
    title = f"Closed. The committee decides by {_month_day(status.decide_by)}"
    return ApplicationBox(title, f"{words} Forms for the next season open {forms}.", False)


def _before(plant: Plant, law: Law, status: FilingStatus, at: datetime) -> ApplicationBox:
    words = f"Forms open {_month_day(status.form_opens)}. You can apply from {_month_day(status.opens)}."
    season = season_of(law, at.astimezone(plant.tz).date())
    if at.astimezone(plant.tz).date() < season.start + timedelta(days=60):
        out = bool(haulers.approvals_in_force(plant.id, at, law))
        title = "Decisions are out" if out else f"Decisions for season {season.name} were due"
        return ApplicationBox(title, f"Next season: {words[0].lower()}{words[1:]}", False)
    opens = f"You can apply from {_month_day(status.opens)}."
    return ApplicationBox(f"Forms open {_month_day(status.form_opens)}", opens, False)


def _open(status: FilingStatus) -> ApplicationBox:
    closes = f"{formats.day(status.closes).rpartition(',')[0]}, at {formats.clock_time(status.closes)}"
    title = f"{formats.time_left(status.left)} left to apply"
    words = f"Closes {closes} {_zone_words(status.closes)}. The committee decides by {_month_day(status.decide_by)}."
    return ApplicationBox(title, words, True)


def _month_day(moment: date | datetime) -> str:
    return f"{moment:%B} {moment.day}"


def _zone_words(moment: datetime) -> str:
    name = moment.tzname() or ""
    return f"{ZONES[name[0]]} time" if name[1:] in ("ST", "DT") and name[0] in ZONES else name

"""What people are told of a special time, and the letter that arranges it (§ 329-7 F(4) of Bayfield)."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from haulers import queries as haulers
from intake.models import Booking, SpecialTime
from intake.queries.special import QuoteLine, quoted_lines
from office import formats, letters
from office.access import TITLES, Actor, Role
from office.letters import Letter, where_kept
from office.notices import tell_party, tell_roles
from office.plants import Plant
from ordinances.other_times import arranged_by, may_arrange
from ordinances.reader import Law
from ordinances.screening import WASTE_TYPES

THERE = (Role.OPERATOR, Role.MANAGER)


def when(plant: Plant, row: SpecialTime) -> str:
    """``Tue, Oct 6, 2:00 to 4:16 p.m.``"""
    return f"{formats.day_short(row.starts, plant.tz)}, {formats.span(row.starts, row.ends, plant.tz)}"


def _cite(law: Law, day: date) -> str:
    found = arranged_by(law, day)
    return found.cite if found else ""


def _subject(plant: Plant, row: SpecialTime, word: str) -> str:
    return f"{word}: special time {when(plant, row)}, {formats.volume(row.gallons)} ({row.number})"


def what_words(plant: Plant, row: SpecialTime, law: Law) -> str:
    """Day, span, gallons and rate of a request as a sentence, with its section."""
    day, span = formats.day(row.starts, plant.tz), formats.span(row.starts, row.ends, plant.tz)
    load = f"{formats.volume(row.gallons)} at {formats.rate(row.gph)}"
    return f"{day}, {span}: {load}, outside the unloading hours ({_cite(law, row.day)})."


def charge_words(lines: Iterable[QuoteLine]) -> list[str]:
    """A quote line by line, each with its section."""
    return [
        f"{one.what}: {formats.number(one.quantity)} {one.unit} × {formats.price(one.unit_price)} = "
        f"{formats.money(one.amount)} ({one.cite})"
        for one in lines
    ]  # fmt: skip


def _charge(row: SpecialTime) -> list[str]:
    if row.quote_cents is None:
        return ["The charge cannot be quoted yet: a quote follows."]
    return [*charge_words(quoted_lines(row.quote)), f"Total {formats.money(row.quote_cents)}"]


def tell_hauler(plant: Plant, row: SpecialTime, kind: str, word: str, lines: list[str], at: datetime,
                letter: Letter | None = None) -> None:  # fmt: skip
    """A message to the hauler under the request's subject, with whom to call."""
    foot = ["", formats.full_stop(f"Questions: {plant.phone}, {plant.help_hours}")]
    tell_party(haulers.party_of_business(row.business_id), kind, _subject(plant, row, word), "\n".join([*lines, *foot]),
               at, plant_id=plant.id, letter_id=letter.id if letter else None)  # fmt: skip


def tell_arrangers(plant: Plant, row: SpecialTime, kind: str, word: str, lines: list[str], law: Law,
                   at: datetime) -> None:  # fmt: skip
    """A message to those who arrange other times, whose request it is first."""
    roles = [Role(one) for one in may_arrange(law, row.day)]
    name = haulers.party_of_business(row.business_id).name
    body = "\n".join([f"{name}:", *lines])
    tell_roles(roles, kind, _subject(plant, row, word), body, at, plant_id=plant.id)


def tell_asked(plant: Plant, row: SpecialTime, law: Law, at: datetime) -> None:
    """The hauler has it in writing; who arranges other times learns that somebody asks."""
    what, reason = what_words(plant, row, law), f"Reason: {row.reason}"
    phone = [f"Asked by phone, entered by {row.asked_by}."] if row.by_phone else []
    who = " or ".join(TITLES[Role(one)] for one in may_arrange(law, row.day))
    if row.accepted_at is not None:
        after = f"The {who} decides. Do not bring this load before you have the approval in writing."
    elif row.quote_cents is not None:
        after = "Accept the charge on your page or by phone; the request is decided then."
    else:
        after = "We will write with the charge. Nothing is arranged before you have accepted it."
    tell_hauler(plant, row, "special_asked", "Asked", [what, reason, *phone, "", *_charge(row), "", after], at)
    tell_arrangers(plant, row, "special_asked", "Asked", [what, reason, *phone, "", *_charge(row)], law, at)


def tell_quoted(plant: Plant, row: SpecialTime, law: Law, at: datetime) -> None:
    """The quote, to be accepted."""
    after = "Accept the charge on your page or by phone. Nothing is arranged before."
    tell_hauler(plant, row, "special_quoted", "Quote", [what_words(plant, row, law), "", *_charge(row), "", after], at)


def tell_accepted(plant: Plant, row: SpecialTime, law: Law, at: datetime) -> None:
    """Who arranges other times learns that the charge is accepted."""
    lines = [what_words(plant, row, law), f"The charge is accepted: {formats.money(row.quote_cents or 0)}."]
    tell_arrangers(plant, row, "special_accepted", "Charge accepted", lines, law, at)


def tell_arranged(plant: Plant, row: SpecialTime, booking: Booking, letter: Letter, law: Law, at: datetime) -> None:
    """The hauler has the approval in writing; who must be there is told."""
    what, latest = what_words(plant, row, law), _latest(plant, row)
    party = haulers.party_of_business(row.business_id)
    lines = [f"Approved as booking {booking.number}.", what, latest, "", *_charge(row), "",
             where_kept(letter, party.id, at)]  # fmt: skip
    tell_hauler(plant, row, "special_arranged", "Approved", lines, at, letter)
    body = "\n".join([f"{party.name}, booking {booking.number}:", what, latest,
                      "Somebody has to be there to supervise it."])  # fmt: skip
    tell_roles(THERE, "special_arranged", _subject(plant, row, "Be there"), body, at, plant_id=plant.id)


def _latest(plant: Plant, row: SpecialTime) -> str:
    until = formats.clock_time(row.until or row.ends, plant.tz)
    return formats.full_stop(f"The truck comes at the time booked; the load is out by {until}")


def tell_ended(plant: Plant, row: SpecialTime, law: Law, at: datetime) -> None:
    """Declined: the hauler reads why and what can be done. Withdrawn: who would have decided is told."""
    what = what_words(plant, row, law)
    if row.state == "declined":
        lines = [f"Your request is declined ({_cite(law, row.day)}).", what, f"Reason: {row.answer}", "",
                 "Book a time in the unloading hours, or ask for another special time."]  # fmt: skip
        tell_hauler(plant, row, "special_declined", "Declined", lines, at)
        return
    said = [f"Reason: {row.answer}"] if row.answer else []
    tell_arrangers(plant, row, "special_withdrawn", "Withdrawn", [what, *said], law, at)


def letter_data(plant: Plant, row: SpecialTime, booking: Booking, until: datetime, note: str, *, by: Actor,
                at: datetime, law: Law) -> dict[str, Any]:  # fmt: skip
    """What the letter prints: the arrangement, its charge line by line with the readings, its conditions."""
    truck = haulers.truck(row.truck_id)
    lines = quoted_lines(row.quote)
    role = by.capacity([Role(one) for one in may_arrange(law, row.day)])
    return {
        "request": row.number, "booking": booking.number, "cite": _cite(law, row.day),
        "asked_on": formats.date_only(row.asked_at, plant.tz), "reason": row.reason,
        "facts": [
            ["Day", formats.day(row.starts, plant.tz)], ["Time", formats.span(row.starts, row.ends, plant.tz)],
            ["Load", f"{formats.volume(row.gallons)} of {WASTE_TYPES[row.waste].lower()} waste"],
            ["Rate", formats.rate(row.gph)], ["Truck", truck.plate if truck else ""],
        ],
        "charges": [
            {"what": one.what, "quantity": f"{formats.number(one.quantity)} {one.unit}",
             "each": formats.price(one.unit_price), "amount": formats.money(one.amount), "cite": one.cite}
            for one in lines
        ],
        "total": formats.money(row.quote_cents or 0),
        "accepted": f"{row.accepted_by} accepted this charge on {formats.date_only(row.accepted_at or at, plant.tz)}.",
        "readings": [one.reading for one in lines if one.reading],
        "conditions": _conditions(plant, until, note),
        "signature": [by.name, TITLES[role] if role else ""],
    }  # fmt: skip


def _conditions(plant: Plant, until: datetime, note: str) -> list[str]:
    ends = formats.clock_time(until, plant.tz)
    said = [
        "The load is unloaded only while somebody from the plant supervises it.",
        "It runs slowly and steadily; the limit in gallons an hour holds at every time of the day.",
        formats.full_stop(f"It is out by {ends}"),
        "The charge is worked out anew from the time in which it was in fact supervised.",
        "A restriction of septage, or the end of your approval, ends this arrangement too.",
    ]
    return [*said, note] if note else said


def write_letter(plant: Plant, row: SpecialTime, booking: Booking, until: datetime, note: str, *, by: Actor,
                 at: datetime, law: Law) -> Letter:  # fmt: skip
    """Freeze the letter of an arrangement."""
    party = haulers.party_of_business(row.business_id)
    data = letter_data(plant, row, booking, until, note, by=by, at=at, law=law)
    return letters.write(plant, party, "special_time", f"Special time {row.number}", data, at, law_version=law.version)

"""The disposal plan of an approval: the state's six items, written from the law in force (NR 113.07(2)(b))."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from haulers.models import Application, Decision
from haulers.ports import PlaceLine, track_record
from haulers.queries import waste_words
from haulers.queries.words import ended
from haulers.states import Period
from office.formats import clock_time, date_only, rate, volume
from office.plants import Plant
from ordinances.calendar import Season, winter
from ordinances.fees import charged_for
from ordinances.rate_cap import cap_on
from ordinances.reader import Law, NoLaw
from ordinances.refusal import Refusal
from ordinances.schedule_fields import COUNTING
from ordinances.schedule_lines import dollars
from ordinances.schedule_words import charge_rows

ITEMS = ("Quantities, locations, times and methods", "Report of source and amount", "Payment for analysis", "Fees",
         "All other terms", "Formal approval")  # fmt: skip


@dataclass(frozen=True)
class Item:
    """One item of a plan: what it is about, what it says, under which section."""

    item: str
    text: str
    cite: str


@dataclass(frozen=True)
class Stands:
    """An approval as a plan states it: gallons with what was granted on top, which ``changes`` names ("" for nothing).

    From ``starts`` to ``ends``, both days included; ``wastes`` are the types it covers.
    """

    winter: int
    rest: int
    wastes: Sequence[str]
    starts: date
    ends: date
    changes: str = ""


def disposal_plan(plant: Plant, application: Application, decision: Decision, season: Season, law: Law,
                  stands: Stands) -> list[Item]:  # fmt: skip
    """The six items in the state's order. One the law in force does not state is left empty: see ``check_plan``."""
    day = season.start
    said = [
        _stated(lambda: _discharge(plant, application, decision, season, law, stands), law, day),
        _stated(lambda: _report(law, day), law, day), _stated(lambda: _analysis(law, day), law, day),
        _stated(lambda: _fees(law, day), law, day),
        ("The conditions of this approval, listed above it.", _cite(law, "approval.condition", day)),
        (f"{plant.name} approves {application.business_name} to unload septage from {date_only(stands.starts)}, to "
         f"{date_only(stands.ends)}.",
         _cite(law, "decision.body", day)),
    ]  # fmt: skip
    return [Item(title, text, cite) for title, (text, cite) in zip(_titles(law, day), said, strict=True)]


PERIOD_WORDS = {
    Period.DAY: "a day", Period.WEEK: "a week", Period.WINTER: "in winter", Period.REST: "in the rest of the year",
    Period.SEASON: "in the season",
}  # fmt: skip


def limit_words(limits: Sequence[dict[str, Any]]) -> str:
    """The limits of a decision in words, each with what happens when it is passed; "" for none."""
    said = []
    for one in limits:
        waste = f" of {waste_words([one['waste']])} waste" if one["waste"] else ""
        firm = "" if one["hard"] else " (more is noted, not refused)"
        said.append(f"{volume(one['gallons'])}{waste} {PERIOD_WORDS[Period(one['period'])]}{firm}")
    return f"Not more than {'; '.join(said)}." if said else ""


def check_plan(plan: Sequence[Item], who: str) -> Refusal | None:
    """No plan goes out while one of its items is empty (NR 113.07(2)(b)): which one it is."""
    empty = next((item for item in plan if not item.text.strip()), None)
    if empty is None:
        return None
    why = f"{who}: the disposal plan says nothing yet under '{empty.item}', so this letter is not issued."
    return Refusal("plan_empty", why, empty.cite, next_step="The law in force has to state it: see the rules.")


def _titles(law: Law, day: date) -> tuple[str, ...]:
    if not law.has("state.plan_items", day):
        return ITEMS
    stated = law.value("state.plan_items", day)
    return tuple(words[:1].upper() + words[1:] for words in stated) if len(stated) == len(ITEMS) else ITEMS


def _stated(write: Callable[[], tuple[str, str]], law: Law, day: date) -> tuple[str, str]:
    try:
        return write()
    except NoLaw:
        return "", _cite(law, "state.plan_items", day)


def _cite(law: Law, key: str, day: date) -> str:
    return law.cite(key, day) if law.has(key, day) else law.cite("programme.kind", day)


def _discharge(plant: Plant, application: Application, decision: Decision, season: Season, law: Law,
               stands: Stands) -> tuple[str, str]:  # fmt: skip
    day = season.start
    if law.has("winter.from", day):
        first, last = winter(law, season)
        amounts = (f"{volume(stands.winter)} from {date_only(first)}, to {date_only(last)}, and "
                   f"{volume(stands.rest)} in the rest of the season")  # fmt: skip
    else:
        amounts = f"{volume(stands.winter + stands.rest)} in the season"
    if stands.changes:
        amounts += f" ({stands.changes})"
    hours = law.row("hours.days", day)
    text = (
        f"{amounts}, {waste_words(stands.wastes)} waste only. {_where(plant, application, stands, law, day)} Booked "
        f"beforehand, at a steady rate; all haulers together not above {rate(cap_on(law, day).plan_gph)}."
    )
    text = f"{text} {limit_words(decision.allowances)}".strip()
    return text[:1].upper() + text[1:], f"{hours.cite}; {law.cite('rate.plan_gph', day)}"


def _where(plant: Plant, application: Application, stands: Stands, law: Law, day: date) -> str:
    """The receiving points with their hours; manholes only those a written approval lets this hauler use."""
    days, opens = law.row("hours.days", day).words, f"{law.row('hours.opens', day).words}"
    hours = f"{days}, {opens} to {law.row('hours.closes', day).words}"
    places = track_record().places(plant.id, application.business_id, stands.starts, stands.ends)
    if not places:
        return ended(f"At {plant.name}, {hours}")
    named = "; ".join(_place(one, law, day) for one in places)
    return f"At {plant.name}: {named}. {hours[:1].upper()}{hours[1:]}, where no other hours stand."


def _place(one: PlaceLine, law: Law, day: date) -> str:
    """ "Dump station 2, 8:00 a.m. to 12:00 noon, holding tank waste only" """
    named = "manhole" not in one.name.lower() and one.kind == "manhole"
    said = [f"manhole {one.name}" if named else one.name]
    if one.opens is not None or one.closes is not None:
        first = clock_time(one.opens) if one.opens is not None else law.row("hours.opens", day).words
        last = clock_time(one.closes) if one.closes is not None else law.row("hours.closes", day).words
        said.append(f"{first} to {last}")
    if one.wastes:
        said.append(f"{waste_words(one.wastes)} waste only")
    if one.since is not None and one.until is not None:
        said.append(f"by written approval from {date_only(one.since)}, to {date_only(one.until)}")
    return ", ".join(said)


def _report(law: Law, day: date) -> tuple[str, str]:
    due = law.row("record.due_working_days", day)
    days = "the next working day" if due.value == 1 else f"{due.value} working days"
    return f"The source and the gallons of each load, in writing, within {days} of unloading.", due.cite


def _analysis(law: Law, day: date) -> tuple[str, str]:
    test = charged_for(law, day, "tests")
    text, cite = "Analysis is not charged by itself.", law.cite("programme.kind", day)
    if test is not None:
        tests = " and ".join(law.value("fees.test_parameters", day))
        text, cite = f"Each tested load: {dollars(test.price or Decimal(0))} a test charge for {tests}.", test.cite
    if law.has("state.other_analysis", day):
        other = str(law.value("state.other_analysis", day))
        text += f" {other[:1].upper()}{other[1:]}."
    return text, cite


def _fees(law: Law, day: date) -> tuple[str, str]:
    rows = [row for row in charge_rows(law, day) if row.kind in (*COUNTING, "per_load")]
    if not rows:
        raise NoLaw(f"{law.profile.name} has no charge for unloading on {day}")
    text = " ".join(f"{row.words} unloaded{f' ({row.whom})' if row.whom else ''}." for row in rows)
    if law.has("state.fee_basis", day):
        text += f" The fees are {law.value('state.fee_basis', day)}."
    return text, "; ".join(dict.fromkeys(row.cite for row in rows))

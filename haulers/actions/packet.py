"""The committee's papers as numbered, kept letters: the packet, a page a hauler, and the worksheet (§ 329-7 B(2))."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from haulers.actions.decision_rules import exception_codes
from haulers.actions.motions import READERS
from haulers.queries.came import came_words
from haulers.queries.dossier import Dossier, SourceView, dossiers
from haulers.queries.dossier_words import (
    became_words,
    design_words,
    enforced,
    even_words,
    large_words,
    means_words,
    pounds_words,
    strength_words,
    strong_words,
)
from haulers.queries.papers_made import PACKET, TITLES, WORKSHEET
from haulers.queries.review import ReviewRow, ReviewTable, method_of, review_table
from haulers.states import STATE_WORDS, ApplicationState, Outcome
from office import letters
from office.access import Actor
from office.acts import act
from office.formats import date_only, day, day_time, gallons, plural, volume
from office.letters import Letter
from office.plants import Plant
from ordinances.allocation import Recommendation
from ordinances.calendar import Deadline, Season, decision_deadline
from ordinances.loading import Loading
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES
from ordinances.worksheet import PartCapacity, capacity_lines

OUTCOMES = {Outcome.APPROVED: "Approved", Outcome.IN_PART: "Approved in part", Outcome.REJECTED: "Not approved"}
PARTS = ("Winter", "Rest of the year")


@act("make_packet", roles=READERS)
def make_packet(plant: Plant, season: Season, *, by: Actor, at: datetime, law: Law) -> Letter | Refusal:
    """Freeze what the committee reads of every application of a season; no member's private note is in it.

    Refused: ``no_window`` where the place has none, ``nothing_filed``.
    """
    found = _table(plant, season, at, law)
    if isinstance(found, Refusal):
        return found
    table, deadline = found
    known = dossiers(table, table.rows, law)
    data = _head(table, deadline, by, at, law) | {
        "haulers": [_hauler(row, known[row.application.id], law, at) for row in table.rows],
        "codes": [f"{words} ({code})" for code, words in exception_codes(law, season).items()],
    }
    return letters.write(plant, None, PACKET, TITLES[PACKET].format(season.name), data, at,
                         law_version=law.version)  # fmt: skip


@act("make_worksheet", roles=READERS)
def make_worksheet(plant: Plant, season: Season, *, by: Actor, at: datetime, law: Law) -> Letter | Refusal:
    """Freeze how the suggested shares of a season are worked out. Refused as ``make_packet``."""
    found = _table(plant, season, at, law)
    if isinstance(found, Refusal):
        return found
    table, deadline = found
    lines = capacity_lines(law, season)
    names = {str(row.application.number): row.application.business_name for row in table.rows}
    data = _head(table, deadline, by, at, law) | {
        "cite": lines.cite, "method_cite": _method_cite(law, season), "method": method_of(law, season),
        "worked": [
            _worked(name, part, share, taken, names)
            for name, part, share, taken in zip(
                PARTS, (lines.winter, lines.rest), (table.winter, table.rest),
                (table.approved_winter, table.approved_rest), strict=True,
            )
        ],
    }  # fmt: skip
    return letters.write(plant, None, WORKSHEET, TITLES[WORKSHEET].format(season.name), data, at,
                         law_version=law.version)  # fmt: skip


def _table(plant: Plant, season: Season, at: datetime, law: Law) -> tuple[ReviewTable, Deadline] | Refusal:
    deadline = decision_deadline(law, season)
    if isinstance(deadline, Refusal):
        return deadline
    table = review_table(plant, season, law, at)
    if not table.rows:
        return Refusal("nothing_filed", f"No application for season {season.name} is before the committee yet.", "")
    return table, deadline


def _method_cite(law: Law, season: Season) -> str:
    key = "decision.allocation_method"
    return law.cite(key, season.start) if law.has(key, season.start) else ""


def _head(table: ReviewTable, deadline: Deadline, by: Actor, at: datetime, law: Law) -> dict[str, Any]:
    asked = [(table.asked(part, inside=True), table.asked(part, inside=False)) for part in ("winter", "rest")]
    holds = (table.capacity.winter, table.capacity.rest)
    return {
        "season": table.season.name, "made_by": by.name, "made": day_time(at, law.zone),
        "decide_by": day(deadline.day), "decide_cite": deadline.cite, "count": gallons(len(table.rows)),
        "undecided": gallons(len(table.undecided)),
        "bars": [_bar(name, inside, outside, room)
                 for name, (inside, outside), room in zip(PARTS, asked, holds, strict=True)],
        "rows": [_row(row, law) for row in table.rows],
    }  # fmt: skip


def _bar(name: str, inside: int, outside: int, room: int) -> dict[str, str]:
    most = max(inside + outside, room, 1)
    over = inside + outside - room
    said = f"{volume(over)} more than it can take." if over > 0 else f"{volume(-over)} would be left."
    return {
        "name": name, "inside": gallons(inside), "outside": gallons(outside), "asked": gallons(inside + outside),
        "room": gallons(room), "said": said, "inside_part": _percent(inside, most),
        "outside_part": _percent(outside, most), "room_part": _percent(room, most),
    }  # fmt: skip


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f}"


def _row(row: ReviewRow, law: Law) -> dict[str, str]:
    return {
        "number": str(row.application.number), "name": row.application.business_name,
        "asked": gallons(row.totals.asked), "inside": gallons(row.totals.inside),
        "outside": gallons(row.totals.asked - row.totals.inside), "suggested": _given(row),
        "last": gallons(row.last.gallons) if row.last else "–", "checks": _said(row, law),
    }  # fmt: skip


def _given(row: ReviewRow) -> str:
    if row.decision is not None:
        return gallons(row.decision.gallons_winter + row.decision.gallons_rest)
    return "" if row.decided else gallons(row.suggested)


def _said(row: ReviewRow, law: Law) -> str:
    if row.decision is not None:
        said = [OUTCOMES[Outcome(row.decision.outcome)], *(["letter not issued"] if row.unissued else [])]
        return ", ".join([*said, *became_words(row, law)])
    return ", ".join(row.said)


def _hauler(row: ReviewRow, dossier: Dossier, law: Law, at: datetime) -> dict[str, Any]:
    one = row.application
    assert one.filed_at is not None
    sums = row.totals
    parts = [
        [PARTS[0], gallons(sums.asked_winter), _part(row, 0)], [PARTS[1], gallons(sums.asked_rest), _part(row, 1)],
    ]  # fmt: skip
    return {
        "number": str(one.number), "name": one.business_name, "address": one.business_address.splitlines(),
        "filed": came_words(one, law), "state": STATE_WORDS[ApplicationState(one.state)],
        "checks": row.said, "parts": parts, "given": "Approved" if row.decision else "Suggested",
        "decision": _said(row, law) if row.decision else "", "reason": row.decision.reason if row.decision else "",
        "asked": gallons(sums.asked), "inside": gallons(sums.inside), "facts": _facts(row, dossier),
        "tiers": [[f"{view.tier.number}", view.tier.words, gallons(view.winter), gallons(view.rest)]
                  for view in dossier.tiers],
        "sources": [_source(view) for view in dossier.sources],
        "loadings": [*_loadings(PARTS[0], dossier.winter), *_loadings(PARTS[1], dossier.rest)],
        "strong": [strong_words(loading) for loading in dossier.strong],
        "enforced": enforced(row, law), "changed": row.changed.lines if row.changed is not None else [],
    }  # fmt: skip


def _part(row: ReviewRow, which: int) -> str:
    if row.decision is not None:
        return gallons((row.decision.gallons_winter, row.decision.gallons_rest)[which])
    return gallons((row.suggested_winter, row.suggested_rest)[which])


def _facts(row: ReviewRow, dossier: Dossier) -> list[list[str]]:
    last, licence, insurance = row.last, row.licence, row.insurance
    fee = "not received" if row.fee is None else "received" if row.fee.holds else "taken back"
    season = "no loads"
    if last is not None:
        season = (f"{plural(last.loads, 'load')}, {volume(last.gallons)}; refused {gallons(last.refused)}, "
                  f"late records {gallons(last.late_records)}, restrictions {gallons(last.restrictions)}")  # fmt: skip
        season += f", did not come {gallons(last.no_shows)}" if last.no_shows else ""
        season += f", cancelled late {gallons(last.late_cancels)}" if last.late_cancels else ""
        season += f", above the limit {gallons(last.over_limit)}" if last.over_limit else ""
        season += f", set aside at the gate {gallons(last.set_aside)}" if last.set_aside else ""
        season += f", from places not approved {gallons(last.elsewhere)}" if last.elsewhere else ""
    held = f"{licence.state} {licence.number}, ends {date_only(licence.ends_on)}" if licence else "none given"
    return [
        ["Filing fee", fee],
        ["License", held],
        ["Insurance", f"{insurance.insurer}, ends {date_only(insurance.ends_on)}" if insurance else "none entered"],
        ["Trucks", ", ".join(f"{one.plate} ({gallons(one.capacity)} gal)" for one in dossier.trucks) or "none"],
        ["Drivers", ", ".join(f"{one.name}{' (in charge)' if one.in_charge else ''}" for one in dossier.drivers)
         or "none entered"],
        ["Last season", season], ["Last season's results", means_words(row)],
    ]  # fmt: skip


def _source(view: SourceView) -> dict[str, str]:
    one = view.row
    tank = "replaces a failed system" if one.replaces_failed else "existing" if one.existing else "new"
    return {
        "what": f"{WASTE_TYPES.get(one.waste, '')} ({tank})", "often": one.frequency, "place": one.place,
        "tier": str(view.tier.number), "load": gallons(one.gallons_a_load or 0),
        "winter": gallons(one.gallons_winter or 0), "rest": gallons(one.gallons_rest or 0),
        "large": large_words(view),
    }  # fmt: skip


def _loadings(part: str, found: Sequence[Loading]) -> list[list[str]]:
    return [[part, one.parameter, pounds_words(one), design_words(one), strength_words(one)] for one in found]


def _worked(
    name: str, part: PartCapacity, share: Recommendation, taken: int, names: Mapping[str, str]
) -> dict[str, Any]:
    return {
        "name": name, "lines": list(part.lines), "closed": list(part.closed),
        "empty": f"{plural(part.empty_days, 'day')} and {volume(part.empty_gallons)} with an empty calendar",
        "taken": gallons(taken), "room": gallons(max(0, part.gallons - taken)), "left": gallons(share.left),
        "tiers": [
            {"number": str(step.number), "words": list(step.words),
             "rows": [[line.ref, names.get(line.ref, ""), gallons(line.wanted), even_words(line.even),
                       gallons(line.given)] for line in step.lines]}
            for step in share.tiers
        ],
    }  # fmt: skip

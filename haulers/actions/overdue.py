"""The committee is reminded while applications wait, and once they are overdue it gets that in a letter too."""

from datetime import datetime

from sqlalchemy import select

from haulers.actions.motions import body_words
from haulers.actions.reminding import KIND, month_day
from haulers.queries import sources_of, totals
from haulers.queries.decision_days import Deciding
from haulers.queries.last_days import carry_over_of
from office import letters
from office.access import Actor, Role
from office.acts import act
from office.db import db
from office.formats import date_only, gallons, plural, volume
from office.journal import because
from office.letters import Letter
from office.notices import tell_roles
from office.plants import Plant
from ordinances.reader import Law

LETTER = "overdue"
# A message names so many applications, the letter so many more: it stays on its one page.
NAMED, LISTED = 10, 20


@act("remind_committee", roles=(Role.SYSTEM,))
def remind_committee(plant: Plant, found: Deciding, *, by: Actor, at: datetime, law: Law) -> bool:
    """Tell the members what waits for a decision, and overdue the clerk and the director too (§ 329-7 B(2)).

    No answer is never an approval, and nothing is decided here.
    """
    count, due = plural(len(found.undecided), "application"), found.deadline.day
    verb = "waits" if len(found.undecided) == 1 else "wait"
    subject = f"{count} {verb} for a decision by {month_day(due)}"
    lead = f"{count} for season {found.season.name} {verb} for the committee, to be decided by {date_only(due)}."
    roles: tuple[Role, ...] = (Role.MEMBER,)
    letter: Letter | None = None
    if found.overdue:
        subject = f"Overdue: {count} {_were(found)} to be decided by {month_day(due)}"
        lead = f"{count} for season {found.season.name} {_were(found)} to be decided by {date_only(due)}, and the " \
               "committee has not voted. No answer is not an approval."  # fmt: skip
        roles += (Role.CLERK, Role.DIRECTOR)
        letter = _letter_once(plant, found, at, law)
    carried = carried_words(plant, found, law)
    body = [lead, "\n".join(_lines(found, NAMED)), carried, "Sign in and open Applications.",
            f"{plant.name}, {plant.phone}"]  # fmt: skip
    tell_roles(roles, KIND, subject, "\n\n".join(filter(None, body)), at, plant_id=plant.id,
               letter_id=letter.id if letter is not None else None)  # fmt: skip
    because(f"{subject} ({found.season.name})", found.deadline.cite)
    return True


def _were(found: Deciding) -> str:
    return "was" if len(found.undecided) == 1 else "were"


def _lines(found: Deciding, most: int) -> list[str]:
    more = len(found.undecided) - most
    named = [f"{one.number} {one.business_name}" for one in found.undecided[:most]]
    return [*named, f"and {more} more"] if more > 0 else named


def _letter_once(plant: Plant, found: Deciding, at: datetime, law: Law) -> Letter | None:
    """The overdue notice of a season, written the first time only; None afterwards."""
    title = f"Overdue decisions, season {found.season.name}"
    if db.session.scalars(select(Letter.id).filter_by(plant_id=plant.id, kind=LETTER, title=title)).first() is not None:
        return None
    ids = [one.id for one in found.undecided]
    sources = sources_of(ids)
    asked = {one.id: totals(sources.get(one.id, [])) for one in found.undecided}
    rows = [
        {"number": one.number, "name": one.business_name, "filed": date_only(one.filed_at, law.zone),
         "gallons": gallons(asked[one.id].asked)}
        for one in found.undecided[:LISTED] if one.filed_at is not None
    ]  # fmt: skip
    more = found.undecided[LISTED:]
    state = law.cite("state.decide_by", found.season.start) if law.has("state.decide_by", found.season.start) else ""
    data = {
        "addressee": [body_words(law, found.season.start), plant.city, *plant.address.splitlines()],
        "season": found.season.name, "due": date_only(found.deadline.day), "cite": found.deadline.cite,
        "reading": found.deadline.reading or "", "state_cite": state, "rows": rows,
        "count": plural(len(ids), "application"), "were": _were(found),
        "more": f"and {plural(len(more), 'more application', 'more applications')}, "
                f"{volume(sum(asked[one.id].asked for one in more))}" if more else "",
        "total": gallons(sum(one.asked for one in asked.values())), "carry_over": _carry_over(found, law),
        "carried": carried_words(plant, found, law),
    }  # fmt: skip
    return letters.write(plant, None, LETTER, title, data, at, law_version=law.version)


def carried_words(plant: Plant, found: Deciding, law: Law) -> str:
    """Until when haulers who wait may unload, where the committee carried last season's approvals over; else ""."""
    carried = carry_over_of(plant.id, found.season.name)
    if carried is None:
        return ""
    until, held_on = carried
    return (f"Haulers approved last season whose application waits may unload until its letter is issued, and to "
            f"{date_only(until)} at the latest: the committee carried their approvals over on {date_only(held_on)} "
            f"({law.cite('decision.carry_over_days', found.season.start)}).")  # fmt: skip


def _carry_over(found: Deciding, law: Law) -> str:
    """What the committee can do meanwhile about last season's approvals, where the law lets it."""
    key = "decision.carry_over_days"
    if not law.has(key, found.season.start) or not law.value(key, found.season.start):
        return ""
    row = law.row(key, found.season.start)
    return (f"By one recorded motion it may carry last season's approvals over for up to "
            f"{plural(row.value, 'day')} ({row.cite}).")  # fmt: skip

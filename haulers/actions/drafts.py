"""A draft: sources and answers kept as they are typed, last year's taken over, one begun late (§ 329-7 B(1))."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from haulers.actions.kept_words import write_to_us
from haulers.actions.registration import NOT_YOURS, stands_for
from haulers.actions.sources import LONGEST_LIST, TOO_MANY, put_sources
from haulers.models import Application, Business
from haulers.queries import SourceLine, application_for, business, party_of_business, sources_of
from haulers.queries.answers import Answers
from haulers.queries.applications import as_line, last_sent
from haulers.queries.completeness import NO_DRIVERS, TASK_WORDS
from haulers.queries.draft_marks import SOURCES, mark_of
from haulers.queries.new_sources import sources_granted
from haulers.queries.registered import signs_in
from haulers.queries.windows import Working, working_season
from haulers.queries.words import ended
from haulers.states import ApplicationState
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.formats import clock_time, date_only, day_time
from office.formats import day as day_words
from office.notices import tell_party
from office.plants import Plant
from ordinances.calendar import Season
from ordinances.reader import Law
from ordinances.refusal import Refusal

SAVED = "draft_saved"


@act("save_draft", roles=(Role.HAULER,))
def save_draft(plant: Plant, business_id: int, sources: Sequence[SourceLine], *, complete: bool | None = None,
               later: bool = False, seen: str = "", by: Actor, at: datetime,
               law: Law) -> Application | Refusal:  # fmt: skip
    """Keep the sources typed so far for the season now filed for. A draft may be incomplete; it outlives the close.

    ``complete`` is the hauler's word on whether the list is whole. ``later`` mails, once a draft, by when to come back.
    ``seen`` is the mark of the sources the form was filled from (``mark_of``): others saved since, by a colleague or
    by oneself in another window, are not overwritten unseen, refused ``saved_since``. Other tasks do not matter.
    """
    if len(sources) > LONGEST_LIST:
        return TOO_MANY
    found = _draft(plant, business_id, by, at, law, seen, SOURCES)
    if isinstance(found, Refusal):
        return found
    draft, work = found
    put_sources(draft, sources)
    _keep(draft, SOURCES, {"complete": complete}, by, at)
    if later:
        _mail_saved(plant, draft, work, at, law)
    return draft


@act("save_answers", roles=(Role.HAULER,))
def save_answers(plant: Plant, business_id: int, task: str, given: Mapping[str, str], *, later: bool = False,
                 seen: str = "", by: Actor, at: datetime, law: Law) -> Application | Refusal:  # fmt: skip
    """Keep the answers of one task (names of ``Answers``) in the draft, as ``save_draft`` keeps the sources."""
    unknown = set(given) - set(Answers.__dataclass_fields__)
    if unknown:
        raise ValueError(f"no such answers: {sorted(unknown)}")
    found = _draft(plant, business_id, by, at, law, seen, task)
    if isinstance(found, Refusal):
        return found
    draft, work = found
    _keep(draft, task, {name: value.strip() for name, value in given.items()}, by, at)
    if later:
        _mail_saved(plant, draft, work, at, law)
    return draft


@act("say_no_drivers", roles=(Role.HAULER,))
def say_no_drivers(plant: Plant, business_id: int, *, by: Actor, at: datetime, law: Law) -> Application | Refusal:
    """Keep in the draft that the company has no drivers to list; a driver listed later stands beside that."""
    found = _draft(plant, business_id, by, at, law)
    if isinstance(found, Refusal):
        return found
    draft = found[0]
    draft.answers = {**draft.answers, NO_DRIVERS: True}
    _saved(draft, ["drivers"], by, at)
    return draft


@act("use_last_answers", roles=(Role.HAULER,))
def use_last_answers(plant: Plant, business_id: int, *, by: Actor, at: datetime, law: Law) -> Application | Refusal:
    """Fill an empty draft with what the business last sent here, and the sources granted since by letter.

    Each part is marked until somebody looked at it.
    """
    found = _draft(plant, business_id, by, at, law, "")
    if isinstance(found, Refusal):
        return found
    draft, _ = found
    last = last_sent(plant.id, business_id, draft.season)
    if last is None:
        return Refusal("no_last", "There is no earlier application whose answers could be used.", "")
    if sources_of([draft.id], fresh=True).get(draft.id):
        return Refusal("not_empty", "Your draft has answers already: they are not written over.", "")
    said = [as_line(row) for row in sources_of([last.id]).get(last.id, [])]
    put_sources(draft, [*said, *sources_granted(last.id)][:LONGEST_LIST])
    kept = {name: last.answers[name] for name in ("season", "unusual", "words") if last.answers.get(name)}
    draft.answers = {**draft.answers, **kept, "check": list(TASK_WORDS) if len(kept) > 1 else [SOURCES]}
    _saved(draft, TASK_WORDS, by, at)
    return draft


@act("start_late", roles=(Role.HAULER,))
def start_late(plant: Plant, business_id: int, *, by: Actor, at: datetime, law: Law) -> Application | Refusal:
    """Begin an application after the close, to ask the committee to take it late. Nothing is asked yet."""
    found = _draft(plant, business_id, by, at, law, "", late=True)
    return found if isinstance(found, Refusal) else found[0]


def already_sent(application: Application, law: Law) -> Refusal:
    """The answer to sending again: the number and instant of the first time."""
    assert application.filed_at is not None
    said = f"Application {application.number} was sent on {day_time(application.filed_at, law.zone)}"
    if application.received_on is not None:
        said = f"Application {application.number} came on paper, received on {date_only(application.received_on)}"
    return Refusal("already_filed", ended(said), "",
                   details={"application_id": application.id, "number": application.number})  # fmt: skip


def _draft(plant: Plant, business_id: int, by: Actor, at: datetime, law: Law, seen: str = "", task: str = "", *,
           late: bool = False) -> tuple[Application, Working] | Refusal:  # fmt: skip
    """The draft of the season now worked on, made where there is none, locked by its business.

    ``seen`` is the mark its ``task`` was filled from; "" asks nothing.
    """
    owner = business(business_id)
    if owner is None or not stands_for(owner, by):
        return NOT_YOURS
    lock(Business, owner.id)
    work = working_season(plant.id, owner.id, law, at, late=late)
    if isinstance(work, Refusal):
        return work
    draft = application_for(plant.id, owner.id, work.season.name, fresh=True)
    if draft is not None and draft.state != ApplicationState.DRAFT.value:
        return already_sent(draft, law)
    if draft is None:
        return _new(plant, owner, work.season, by, at), work
    if seen and seen != (mark := mark_of(draft, task, fresh=True)):
        return _saved_since(draft, task, mark, by, law)
    draft.saved_at = at
    return draft, work


def _saved_since(draft: Application, task: str, mark: str, by: Actor, law: Law) -> Refusal:
    """Who saved this task after the form was opened: a colleague, or the same person in another window."""
    # A draft kept before tasks were told apart names only who saved it last.
    last = {"by": draft.answers.get("saved_by"), "by_id": draft.answers.get("saved_by_id"), "at": ""}
    last |= draft.answers.get("saves", {}).get(task, {})
    who, whose, where = last["by"] or "A colleague", "theirs", ""
    if last["by_id"] == by.person_id:
        who, where, whose = "You", " in another window, after you opened this one,", "what you saved there"
    when = datetime.fromisoformat(last["at"]) if last["at"] else draft.saved_at
    said = ended(f"{who} saved these answers{where} on {day_time(when, law.zone)}")
    again = f"What you typed is still here. Save it again to put it in the place of {whose}."
    return Refusal("saved_since", said, "", next_step=again, details={"seen": mark})


def _new(plant: Plant, owner: Business, season: Season, by: Actor, at: datetime) -> Application:
    party = party_of_business(owner.id)
    made = Application(plant_id=plant.id, business_id=owner.id, season=season.name,
                       state=ApplicationState.DRAFT.value, business_name=party.name, business_address=party.address,
                       answers={"saved_by": by.name, "saved_by_id": by.person_id}, saved_at=at)  # fmt: skip
    db.session.add(made)
    db.session.flush()
    return made


def _keep(draft: Application, task: str, given: Mapping[str, Any], by: Actor, at: datetime) -> None:
    """New answers beside the old ones; the task counts as looked at."""
    check = [one for one in draft.answers.get("check", []) if one != task]
    draft.answers = {**draft.answers, **given, "check": check}
    _saved(draft, [task], by, at)


def _saved(draft: Application, tasks: Iterable[str], by: Actor, at: datetime) -> None:
    """Who saved the draft last, and who saved each of some tasks."""
    save = {"by": by.name, "by_id": by.person_id, "at": at.isoformat()}
    saves = {**draft.answers.get("saves", {}), **dict.fromkeys(tasks, save)}
    draft.answers = {**draft.answers, "saves": saves, "saved_by": by.name, "saved_by_id": by.person_id}
    draft.saved_at = at


def _mail_saved(plant: Plant, draft: Application, work: Working, at: datetime, law: Law) -> None:
    if not draft.answers.get("mailed") and not work.late:
        mail_saved(plant, draft, work.opens, work.closes, at, law)


def mail_saved(plant: Plant, draft: Application, opens: datetime, closes: datetime, at: datetime, law: Law) -> None:
    """Tell a hauler that their draft is kept and by when to send it: part of an act, once a draft, under its lock."""
    draft.answers = {**draft.answers, "mailed": True}
    closes = closes.astimezone(law.zone)
    party = party_of_business(draft.business_id)
    how = "Sign in, open Application, and send them"
    if not signs_in(party.id, at):
        how = f"{write_to_us(plant)}, and let us have them on paper"
    tell_party(
        party, SAVED,
        f"Your septage application is saved: finish it by {closes:%B} {closes.day}",
        f"Your answers for season {draft.season} are kept at {plant.name}. They are not sent yet. {how} by "
        f"{clock_time(closes, law.zone)} on {day_words(closes, law.zone)}. Filing opens "
        f"{date_only(opens, law.zone)}.",
        at, plant_id=plant.id,
    )  # fmt: skip

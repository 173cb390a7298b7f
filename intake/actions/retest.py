"""New tests at the asker's cost: asked for, answered with their price, done beside the first (§ 329-6 J)."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal

from haulers import queries as haulers
from intake.actions import charging
from intake.actions.extra_tests import post_tests
from intake.actions.lab import Facts, questioned, wrong_days
from intake.models import Load, Result, Retest
from intake.queries import loads, retests
from intake.queries.results import NAMES, band_words
from intake.states import LoadState, RetestState
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.law import law_in_force
from office.notices import tell_party, tell_roles
from office.plants import Plant
from ordinances.lab_words import Reading, is_not_found, limits_wrong, read_result, unusual
from ordinances.reader import Law
from ordinances.refusal import Refusal

ASKERS = (Role.HAULER, Role.OPERATOR, Role.MANAGER, Role.DIRECTOR, Role.CLERK)
# Who acts as the Superintendent here.
DECIDERS = (Role.MANAGER, Role.DIRECTOR)
SOURCE = "retest"
NOT_MADE = "The new tests are not made, and nothing is charged for them."


@act("ask_retest", roles=ASKERS)
def ask_retest(load: Load, parameters: Sequence[str], reason: str, *, by: Actor, at: datetime, law: Law
               ) -> Retest | Refusal:  # fmt: skip
    """Ask for new tests of a load whose results are in, at the hauler's cost; who decides is told.

    The law is that of the load's day, whichever is in force when somebody asks or answers.

    Refusals: not_here, not_yours, no_results, asked, parameters, no_reason.
    """
    load = lock(Load, load.id)
    law = law_in_force(db.session.get_one(Plant, load.plant_id), load.day)
    hours, own = retests.hours_of(law, load.day), haulers.business_of_party(by.party_id)
    if hours is None:
        return Refusal("not_here", "The law of this plant has no new tests on request.", "")
    cite = law.cite(retests.HOURS, load.day)
    if Role.HAULER in by.roles and (own is None or own.id != load.business_id):
        return Refusal("not_yours", "This is another hauler's load.", "")
    refused = _wrong(load, parameters, reason, cite)
    if refused is not None:
        return refused
    row = Retest(
        plant_id=load.plant_id, load_id=load.id, parameters=[one for one in NAMES if one in parameters],
        reason=reason.strip(), state=RetestState.ASKED.value, asked_at=at, asked_by=by.name, hours=hours,
        prevails=None, law_version=law.version,
    )  # fmt: skip
    db.session.add(row)
    db.session.flush()
    because(reason.strip(), cite)
    body = f"{load.business_name}, load {load.ticket}: {names(row)}.\n\n{reason.strip()}"
    tell_roles(DECIDERS, "retest", f"New tests are asked for: load {load.ticket}", body, at, plant_id=load.plant_id)
    return row


def _wrong(load: Load, parameters: Sequence[str], reason: str, cite: str) -> Refusal | None:
    known = loads.results_of([load.id]).get(load.id, {})
    if load.state != LoadState.ACCEPTED.value or not known:
        return Refusal("no_results", f"Load {load.ticket} has no results yet that could be tested anew.", cite)
    if any(one.state in retests.OPEN for one in retests.of_loads([load.id]).get(load.id, ())):
        return Refusal("asked", f"New tests of load {load.ticket} are asked for already.", cite)
    if not parameters or not set(parameters) <= set(known):
        return Refusal("parameters", "Select what is to be tested anew.", cite)
    return None if reason.strip() else Refusal("no_reason", "Enter why.", cite)


def names(row: Retest) -> str:
    """What is tested anew, in words."""
    return " and ".join(NAMES[one] for one in row.parameters)


@act("answer_retest", roles=DECIDERS)
def answer_retest(
    plant: Plant, retest_id: int, accepted: bool, *, cost: Decimal | None = None, hours: int | None = None,
    words: str = "", by: Actor, at: datetime, law: Law,
) -> Retest | Refusal:  # fmt: skip
    """Accept new tests at a price, or refuse them with the reason; the hauler reads the price before they are made.

    ``cost`` in dollars; ``hours`` fewer than the law says only with ``words``. Refusals: no_retest, answered, cost,
    hours, no_words, void, own_business.
    """
    found = _to_decide(plant, retest_id, RetestState.ASKED, by)
    if isinstance(found, Refusal):
        return found
    row, load, of_day = found
    cite, least = of_day.cite(retests.HOURS, load.day), row.hours
    if accepted and (cost is None or cost < 0):
        return Refusal("cost", "Enter what the new tests cost.", cite)
    if accepted and (hours or least) < least and not words.strip():
        why = f"A test that is asked for runs {least} hours at least. Say why a shorter one is approved."
        return Refusal("hours", why, cite)
    if not accepted and not words.strip():
        return Refusal("no_words", "Enter why the new tests are refused.", cite)
    row.state = (RetestState.ACCEPTED if accepted else RetestState.REFUSED).value
    row.answered_at, row.answered_by, row.answer = at, by.name, words.strip()
    row.cents, row.hours = (int(cost * 100) if accepted and cost is not None else None), hours or least
    because(words.strip() or "Accepted", cite)
    price = f"They cost {formats.money(row.cents or 0)} ({cite}), charged when they are done."
    said = price if accepted else f"Refused: {words.strip()}"
    _tell(plant, load, "accepted" if accepted else "refused", "\n\n".join(filter(None, [
        said, words.strip() if accepted else ""])), at)  # fmt: skip
    return row


def _in_state(plant: Plant, retest_id: int, *states: RetestState) -> tuple[Retest, Load, Law] | Refusal:
    """New tests that stand so, their load, both locked in this order, and the law of its day."""
    row = retests.retest(plant.id, retest_id)
    if row is None:
        return Refusal("no_retest", "There are no such tests at this plant.", "")
    load: Load = lock(Load, row.load_id)
    locked: Retest = lock(Retest, row.id)
    law = law_in_force(plant, load.day)
    if load.state == LoadState.VOID.value:
        return Refusal("void", f"Load {load.ticket} is void.", law.cite(retests.HOURS, load.day))
    if locked.state not in {one.value for one in states}:
        said = retests.STATE_WORDS[RetestState(locked.state)]
        return Refusal("answered", f"It stands otherwise by now: {said.lower()}.", "")
    return locked, load, law


def _to_decide(plant: Plant, retest_id: int, state: RetestState, by: Actor) -> tuple[Retest, Load, Law] | Refusal:
    """The same for who decides on them: nobody does on their own business."""
    found = _in_state(plant, retest_id, state)
    if isinstance(found, Refusal):
        return found
    _, load, law = found
    return haulers.own_business(load.business_id, by, law.cite(retests.HOURS, load.day)) or found


def drop_retests(plant: Plant, load: Load, reason: str, *, by: Actor, at: datetime) -> None:
    """End new tests of a load that is voided: they are not made, and nothing is charged for them.

    The caller holds the lock of the load; its hauler learns of the void by the ticket, and here of the tests.
    """
    for row in retests.held_open(load.id):
        _end(plant, row, load, f"Load {load.ticket} is void: {reason.strip()}", by=by, at=at)


def _end(plant: Plant, row: Retest, load: Load, why: str, *, by: Actor, at: datetime) -> None:
    row.state, row.answered_at, row.answered_by = RetestState.ENDED.value, at, by.name
    row.answer, row.cents = why, None
    if load.business_id is not None:
        _tell(plant, load, "not made", f"{formats.full_stop(why)} {NOT_MADE}", at)


@act("take_back_retest", roles=ASKERS)
def take_back_retest(plant: Plant, retest_id: int, reason: str, *, by: Actor, at: datetime, law: Law
                     ) -> Retest | Refusal:  # fmt: skip
    """Take back new tests before they are made, such as when their price is read; nothing is charged for them.

    Both the hauler and who decides are told. Refusals: no_retest, not_yours, answered, void, no_reason.
    """
    row = retests.retest(plant.id, retest_id)
    if row is None:
        return Refusal("no_retest", "There are no such tests at this plant.", "")
    found = _in_state(plant, retest_id, RetestState.ASKED, RetestState.ACCEPTED)
    if isinstance(found, Refusal):
        return found
    row, load, of_day = found
    own = haulers.business_of_party(by.party_id)
    if Role.HAULER in by.roles and (own is None or own.id != load.business_id):
        return Refusal("not_yours", "This is another hauler's load.", "")
    cite = of_day.cite(retests.HOURS, load.day)
    if not reason.strip():
        return Refusal("no_reason", "Enter why they are taken back.", cite)
    because(reason.strip(), cite)
    _end(plant, row, load, f"Taken back by {by.name}: {reason.strip()}", by=by, at=at)
    tell_roles(DECIDERS, "retest", f"New tests are taken back: load {load.ticket}",
               f"{load.business_name}, load {load.ticket}: {names(row)}.\n\n{row.answer}", at,
               plant_id=plant.id)  # fmt: skip
    return row


def _tell(plant: Plant, load: Load, word: str, body: str, at: datetime) -> None:
    assert load.business_id is not None
    tell_party(haulers.party_of_business(load.business_id), "retest", f"New tests of load {load.ticket}: {word}",
               f"{body}\n\n{plant.name}, {plant.phone}", at, plant_id=plant.id)  # fmt: skip


@act("finish_retest", roles=DECIDERS)
def finish_retest(
    plant: Plant, retest_id: int, typed: Mapping[str, str], prevails: bool, why: str, *, sure: bool = False,
    facts: Mapping[str, Facts] | None = None, by: Actor, at: datetime, law: Law,
) -> Retest | Refusal:  # fmt: skip
    """Enter what the new tests found, and whether it counts in place of the first; they are charged now.

    They count where the Superintendent is satisfied that the plant ran under normal conditions (§ 329-6 J); charges by
    strength follow. A result outside what is usual is kept when one is ``sure``. Refusals: no_retest, answered, void,
    own_business, no_why, or a parameter's name with what is wrong in its result or asked about it (``reading`` says by
    what).
    """
    known = _to_decide(plant, retest_id, RetestState.ACCEPTED, by)
    if isinstance(known, Refusal):
        return known
    row, load, of_day = known
    cite = of_day.cite(retests.HOURS, load.day)
    found = _read(row, typed, facts or {}, load, at.astimezone(plant.tz).date(), sure=sure)
    wrong = _enter(row, found, prevails, why, cite)
    if wrong is not None:
        return wrong
    row.state, row.done_at, row.done_by = RetestState.DONE.value, at, by.name
    db.session.flush()
    because(why.strip(), cite)
    refused = post_tests(plant, load, (SOURCE, row.id), f"New tests asked for: {names(row)}", row.cents or 0, cite,
                         by=by, at=at, law=of_day)  # fmt: skip
    if refused is None and prevails:
        refused = charging.results_changed(load, "the new tests count", by=by, at=at, law=of_day)
    if refused is not None:
        return refused
    _tell_found(plant, load, row, "done", why, at)
    return row


@act("correct_retest", roles=DECIDERS)
def correct_retest(
    plant: Plant, retest_id: int, typed: Mapping[str, str], prevails: bool, why: str, *, sure: bool = False,
    facts: Mapping[str, Facts] | None = None, by: Actor, at: datetime, law: Law,
) -> Retest | Refusal:  # fmt: skip
    """Put right what new tests that are done found, or which results count, with the reason; the load's history keeps
    what stood before, charges by strength follow, and the hauler is told.

    Refusals are those of ``finish_retest``; answered is one that is not done.
    """
    known = _to_decide(plant, retest_id, RetestState.DONE, by)
    if isinstance(known, Refusal):
        return known
    row, load, of_day = known
    cite = of_day.cite(retests.HOURS, load.day)
    found = _read(row, typed, facts or {}, load, at.astimezone(plant.tz).date(), sure=sure)
    wrong = _enter(row, found, prevails, why, cite)
    if wrong is not None:
        return wrong
    db.session.flush()
    because(why.strip(), cite)
    refused = charging.results_changed(load, "the new tests are corrected", by=by, at=at, law=of_day)
    if refused is not None:
        return refused
    _tell_found(plant, load, row, "corrected", why, at)
    return row


def _enter(row: Retest, found: dict[str, dict[str, str]] | Refusal, prevails: bool, why: str, cite: str
           ) -> Refusal | None:  # fmt: skip
    if isinstance(found, Refusal):
        return found
    if not why.strip():
        return Refusal("no_why", "Enter under which conditions the plant ran.", cite)
    row.found, row.prevails, row.done_why = found, prevails, why.strip()
    return None


def _tell_found(plant: Plant, load: Load, row: Retest, word: str, why: str, at: datetime) -> None:
    lines = [f"{one.name}: {one.new}, first {one.first}" for one in retests.beside(row, _first(load))]
    counts = "The new results count." if row.prevails else "The first results count."
    _tell(plant, load, word, "\n".join([*lines, "", f"{counts} {why.strip()}"]), at)


def _first(load: Load) -> dict[str, Result]:
    return loads.results_of([load.id]).get(load.id, {})


def _read(row: Retest, typed: Mapping[str, str], facts: Mapping[str, Facts], load: Load, today: date, *, sure: bool
          ) -> dict[str, dict[str, str]] | Refusal:  # fmt: skip
    """Each figure as the first ones are read, with what the laboratory says of it (§ 329-7 F(1))."""
    found = {}
    for name in row.parameters:
        text, said = typed.get(name, "").strip(), facts.get(name, Facts())
        # The limit of the sheet is the one ND stands for.
        reading = read_result(text, name, f"{said.lod:f}" if said.lod is not None and is_not_found(text) else "")
        if isinstance(reading, Refusal):
            return _at(name, reading)
        wrong = _asked(row, name, reading, text, said, load, today, sure=sure)
        if wrong is not None:
            return _at(name, wrong)
        band = unusual(load.waste, name, reading)
        found[name] = {
            "typed": text, "qualifier": reading.qualifier, "value": str(reading.value),
            **{key: str(value) for key, value in said.given().items() if value},
            **({"asked": f"outside {band_words(band, name)}"} if band is not None else {}),
        }  # fmt: skip
    return found


def _at(name: str, wrong: Refusal) -> Refusal:
    return Refusal(name, f"{NAMES[name]}: {wrong.why}", "", reading=wrong.reading or wrong.why)


def _asked(row: Retest, name: str, reading: Reading, text: str, said: Facts, load: Load, today: date, *, sure: bool
           ) -> Refusal | None:  # fmt: skip
    """What is wrong in what a laboratory says, or asked about it; a figure that stays is asked about no more."""
    wrong = wrong_days(load, said, today) or limits_wrong(reading, said.lod, said.loq)
    before = row.found.get(name)
    stays = before and (before["qualifier"], before["value"]) == (reading.qualifier, str(reading.value))
    if wrong is not None or stays:
        return wrong
    return questioned(load, name, reading, text if sure else "", sure=sure)

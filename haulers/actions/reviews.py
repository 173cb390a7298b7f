"""A review asked for of what a letter told, step by step with the clocks the law in force states."""

from datetime import date, datetime

from sqlalchemy import select

from haulers.actions.decision_letters import signer
from haulers.actions.kept_words import where_kept
from haulers.actions.review_follows import follows, tell_city
from haulers.actions.review_letters import GOES_ON, KEEPERS, outcome_data, plain_words
from haulers.models import Review, ReviewStep
from haulers.queries import party_of_business
from haulers.queries.appeal_fees import appeal_fee_of
from haulers.queries.enforcement import review_of, reviews, steps_of, waiting_step
from haulers.queries.reviewed import business_of, letter_day, reviewed, what_of
from haulers.states import REVIEW_OUTCOMES, SUSTAINED
from office import letters
from office.access import Actor, Role
from office.acts import act
from office.db import db
from office.formats import date_only, day, money
from office.journal import because
from office.notices import tell_party, tell_role
from office.plants import Plant
from ordinances.fees import FeeLine, appeal_fee, appeal_fee_refundable
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.reviews import APPEAL, Clock, clocks

NO_CLOCKS = Refusal("no_steps", "The law in force names no steps of a review.", "",
                    next_step="Ask the city attorney, and keep what was asked for as a paper of the city.")  # fmt: skip


@act("enter_review", roles=KEEPERS)
def enter_review(
    plant: Plant, words: str, asked_on: date, asked_by: str, *, decision_id: int | None = None,
    revocation_id: int | None = None, amendment_id: int | None = None, suspension_id: int | None = None,
    violation_id: int | None = None, by: Actor, at: datetime, law: Law,
) -> Review | Refusal:  # fmt: skip
    """Enter a request for review as it came in, with its first step done and the next one's clock running.

    Of one thing that a letter told (``queries.reviewed``). One that came after the last day is entered too: whether it
    is heard is not for the program to say.
    """
    today = at.astimezone(law.zone).date()
    of = {"decision_id": decision_id, "revocation_id": revocation_id, "amendment_id": amendment_id,
          "suspension_id": suspension_id, "violation_id": violation_id}  # fmt: skip
    row, told = reviewed(plant.id, **of), letter_day(plant, law, **of)
    if row is None or told is None:
        return Refusal("nothing_to_review", "There is no letter of this plant a review could be asked of.", "")
    steps = clocks(law, told)
    if not steps:
        return NO_CLOCKS
    if not words.strip() or not asked_by.strip():
        return Refusal("no_words", "Enter what was asked for, and who asked.", steps[0].cite)
    before = review_of(**of)
    goes_on, since = goes_on_at(before, steps, told)
    if not since <= asked_on <= today:
        letter = "the letter" if since == told else "the outcome"
        why = f"The day must be {date_only(since)}, the day of {letter}, or later, and not after today."
        return Refusal("no_day", why, steps[goes_on].cite)
    if before is not None and before.closed_on is None:
        return Refusal("asked_before", "A review of this is going on already.", steps[0].cite)
    review = Review(plant_id=plant.id, asked_on=asked_on, asked_by=asked_by.strip(), words=words.strip(),
                    entered_at=at, **of)  # fmt: skip
    db.session.add(review)
    db.session.flush()
    first = _add_step(review, steps[goes_on], goes_on + 1, steps[goes_on].due(law, since))
    first.done_on = asked_on
    because(words.strip(), steps[goes_on].cite)
    _next_step(review, steps, goes_on + 1, asked_on, law)
    _confirm(plant, review, business_of(row), steps, by, at, law)
    return review


def goes_on_at(before: Review | None, steps: tuple[Clock, ...], told: date) -> tuple[int, date]:
    """Which step of the law's a request is, counted from nought, and the day its clock runs from.

    The first, from the day of the letter; after a review that left the decision as it was, or changed it, the next
    one of the hauler's (an appeal), from the day of that outcome.
    """
    if before is None or before.closed_on is None or before.outcome not in GOES_ON:
        return 0, told
    done = max((one.position for one in steps_of(before.id) if one.done_on is not None), default=0)
    if done >= len(steps) or not steps[done].by_hauler:
        return 0, told
    return done, before.closed_on


def _add_step(review: Review, clock: Clock, position: int, due: date) -> ReviewStep:
    step = ReviewStep(plant_id=review.plant_id, review_id=review.id, position=position, name=clock.name,
                      cite=clock.cite, due_on=due)  # fmt: skip
    db.session.add(step)
    return step


def _next_step(review: Review, steps: tuple[Clock, ...], done: int, on: date, law: Law) -> None:
    """The step after ``done`` steps, its clock running from the day the last one was done."""
    if done < len(steps):
        _add_step(review, steps[done], done + 1, steps[done].due(law, on))
        db.session.flush()


def _confirm(plant: Plant, review: Review, business_id: int, steps: tuple[Clock, ...], by: Actor, at: datetime,
             law: Law) -> None:  # fmt: skip
    """The letter that says the request is here and, where the law is sure of it, by when it is decided."""
    party, about = party_of_business(business_id), reviews(plant.id, review.id)[0].about
    waiting = waiting_step(review.id)
    at_step = waiting.position - 1 if waiting is not None else len(steps)
    sure = steps[at_step] if at_step < len(steps) and not steps[at_step].unconfirmed else None
    data: dict[str, object] = {
        "about": about, "asked_on": day(review.asked_on), "asked_by": review.asked_by,
        "words": review.words.splitlines(), "signature": signer(by, KEEPERS),
        "due": day(sure.due(law, review.asked_on)) if sure else "", "due_cite": sure.cite if sure else "",
        "fee": fee_words(steps, law, at),
    }  # fmt: skip
    letter = letters.write(plant, party, "review", f"Review: {about}", data, at, law_version=law.version)
    tell_party(
        party, "review", f"We received your request for a review: {about}",
        f"{plant.name} received the request of {review.asked_by} on {date_only(review.asked_on)}.\n\n{review.words}\n\n"
        f"{where_kept(letter, party, at)}\n{plant.name}, {plant.phone}",
        at, plant_id=plant.id, letter_id=letter.id,
    )  # fmt: skip
    for role in (*KEEPERS, Role.MEMBER):
        tell_role(role, "review", f"Review asked for by {party.name}: {about}", review.words, at, plant_id=plant.id)


def fee_words(steps: tuple[Clock, ...], law: Law, at: datetime) -> str:
    """What an appeal costs and whether that is given back, for the letter; "" where the law names no such fee."""
    today = at.astimezone(law.zone).date()
    line, back = appeal_fee(law, today), appeal_fee_refundable(law, today)
    if line is None or all(step.name != APPEAL for step in steps):
        return ""
    cost = f"An appeal costs {money(line.amount)}" if isinstance(line, FeeLine) else "An appeal has a fee"
    after = "It may be refunded if the appeal is sustained." if back else "It is not refunded."
    return f"{cost} ({line.cite}). {after}"


@act("finish_review_step", roles=KEEPERS)
def finish_review_step(plant: Plant, review_id: int, done_on: date, note: str, *, by: Actor, at: datetime,
                       law: Law) -> ReviewStep | Refusal:  # fmt: skip
    """Record that the step a review waits for was done, and start the next one's clock.

    The fee of an appeal is no step: see ``haulers.actions.appeal_fees``.
    """
    review = _open(plant, review_id)
    if isinstance(review, Refusal):
        return review
    steps = steps_of(review.id)
    step = next((one for one in steps if one.done_on is None), None)
    if step is None:
        return Refusal("no_step", "Every step of this review is done. Close it with its outcome.", "")
    before = max((one.done_on for one in steps if one.done_on is not None), default=review.asked_on)
    if not before <= done_on <= at.astimezone(law.zone).date():
        return Refusal("no_day", f"The day must be {date_only(before)} or later, and not after today.", step.cite)
    step.done_on, step.note = done_on, note.strip()
    because(note.strip() or step.name, step.cite)
    told = letter_day(plant, law, **what_of(review))
    _next_step(review, clocks(law, told or review.asked_on), step.position, done_on, law)
    return step


@act("close_review", roles=KEEPERS)
def close_review(plant: Plant, review_id: int, outcome: str, words: str, on: date, *, by: Actor, at: datetime,
                 law: Law) -> Review | Refusal:  # fmt: skip
    """Close a review with its outcome in words, and write it to the hauler: what was decided and what comes next.

    The step of the city's it waited for is done by it. What follows (a correction, a reinstatement) is an act of its
    own. Refused: ``no_outcome``, ``no_words``, ``no_day``, ``closed``, ``no_review_block``.
    """
    checked = check_outcome(plant, review_id, outcome, words, on, by, at, law)
    if isinstance(checked, Refusal):
        return checked
    review, title, data = checked
    told = letter_day(plant, law, **what_of(review))
    steps = steps_of(review.id)
    known = clocks(law, told or review.asked_on)
    waiting = next((one for one in steps if one.done_on is None), None)
    if waiting is not None and waiting.position <= len(known) and not known[waiting.position - 1].by_hauler:
        waiting.done_on, waiting.note = on, REVIEW_OUTCOMES[outcome].capitalize()
    review.outcome, review.outcome_words, review.closed_on = outcome, words.strip(), on
    because(words.strip())
    found = reviews(plant.id, review.id)[0]
    party = party_of_business(found.business_id)
    letter = letters.write(plant, party, "review_outcome", title, data, at, law_version=law.version)
    review.letter_id = letter.id
    tell_party(party, "review_closed", f"Your review is closed: {REVIEW_OUTCOMES[outcome]}",
               f"{plain_words(plant, data)}\n\n{where_kept(letter, party, at)}", at, plant_id=plant.id,
               letter_id=letter.id)  # fmt: skip
    tell_city(plant, found, party.name, at)
    return review


def check_outcome(plant: Plant, review_id: int, outcome: str, words: str, on: date, by: Actor, at: datetime,
                  law: Law) -> tuple[Review, str, dict[str, object]] | Refusal:  # fmt: skip
    """The review, and title and words of the letter of its outcome, to be read back before it is sent."""
    review = _open(plant, review_id)
    if isinstance(review, Refusal):
        return review
    if outcome not in REVIEW_OUTCOMES:
        return Refusal("no_outcome", "Select the outcome.", "")
    if not words.strip():
        return Refusal("no_words", "Enter the outcome in words, with its reason.", "")
    steps = steps_of(review.id)
    last = max(one.done_on for one in steps if one.done_on is not None)
    if not last <= on <= at.astimezone(law.zone).date():
        return Refusal("no_day", f"The day must be {date_only(last)} or later, and not after today.", "")
    found = reviews(plant.id, review.id)[0]
    told = letter_day(plant, law, **what_of(review)) or review.asked_on
    data = outcome_data(found, steps, told, outcome, words, on, _fee_follows(review, outcome, law, at), by, at, law)
    if isinstance(data, Refusal):
        return data
    data["follows"] = follows(review, outcome, law, at)
    return review, f"Outcome of the review: {found.about}", data


def _fee_follows(review: Review, outcome: str, law: Law, at: datetime) -> str:
    """What becomes of the appeal's fee, for the letter of the outcome; "" where none was received."""
    today = at.astimezone(law.zone).date()
    fee, row = appeal_fee_of(review), appeal_fee_refundable(law, today)
    if fee is None or not fee.holds or row is None:
        return ""
    if outcome in SUSTAINED:
        if not fee.back_cents:
            return ""
        return (f"The fee of the appeal, {money(fee.back_cents)}, may be refunded now ({row.cite}). We write once it "
                "is on its way.")  # fmt: skip
    return (f"The fee of the appeal, {money(fee.cents)}, is not refunded: that is for an appeal that is sustained "
            f"({row.cite}).")  # fmt: skip


def _open(plant: Plant, review_id: int) -> Review | Refusal:
    query = select(Review).filter_by(id=review_id, plant_id=plant.id).with_for_update()
    review = db.session.scalars(query.execution_options(populate_existing=True)).one_or_none()
    if review is None:
        return Refusal("no_review", "There is no such review.", "")
    if review.closed_on is not None:
        return Refusal("closed", f"This review was closed on {date_only(review.closed_on)}.", "")
    return review

"""Bring in another version of the law, tell haulers what it raises, put it in force or take it back (§ 281.49(12))."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from billing import ports
from billing.actions.rises import dispute_words
from billing.queries.laws import Start, frozen, start_of
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.law import Adoption, LawText, adopt_law, adopted_since, law_in_force, law_with, profile_of, stored
from office.law_drafts import LawDraft, LawTold
from office.letters import write
from office.notices import Notice, tell_party, tell_roles
from office.people import Party
from office.plants import Plant
from ordinances.fee_rise import NOTICE
from ordinances.law_changes import Change, cannot_hold, changes
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.rows import NoLaw, Profile

WHO = (Role.CLERK, Role.ADMINISTRATOR)
STAFF = (Role.DIRECTOR, Role.MANAGER, Role.OPERATOR, Role.CLERK)
MOST_SAID = 12
TOMORROW = timedelta(days=1)


@act("draft_law", roles=WHO)
def draft_law(
    plant: Plant, profile: Profile, since: date, resolution: str, basis: str, *, by: Actor, at: datetime, law: Law
) -> LawDraft | Refusal:
    """Bring in a version that passed the checks of a law; it holds nowhere until ``adopt_draft``.

    Refused: ``no_resolution``, ``no_basis``, ``begun``, ``nothing_yet``, ``nothing_changes``.
    """
    if not resolution.strip():
        return Refusal("no_resolution", "Enter the resolution or order that adopts this law.", "")
    if not basis.strip():
        return Refusal("no_basis", "Enter the costs that its charges rest on.", "")
    lock(Plant, plant.id)
    refusal = _day(plant, profile, since, at)
    if refusal is None and not start_of(plant, profile, since, at).changes:
        refusal = Refusal("nothing_changes", "This version changes nothing on that day or later.", "")
    if refusal is not None:
        return refusal
    made = LawDraft(plant_id=plant.id, law_text_id=stored(profile).id, since=since, resolution=resolution.strip(),
                    basis=basis.strip(), entered_at=at, entered_by=by.name)  # fmt: skip
    db.session.add(made)
    because(resolution.strip())
    return made


def _day(plant: Plant, profile: Profile, since: date, at: datetime) -> Refusal | None:
    """Why a version cannot start on a day, whatever it raises."""
    first = at.astimezone(plant.tz).date() + TOMORROW
    if since < first:
        why = f"A law starts on {formats.date_only(first)} or later: what was unloaded before keeps its charges."
        return Refusal("begun", why, "")
    try:
        law_in_force(plant, since)
    except NoLaw:
        return Refusal("no_law", "No law is adopted here for that day. The plant's first one comes with set-up.", "")
    return cannot_hold(law_with(plant, profile), since)


@act("tell_of_law", roles=WHO)
def tell_of_law(
    plant: Plant, draft: LawDraft, since: date, *, by: Actor, at: datetime, law: Law
) -> list[LawTold] | Refusal:
    """Tell every approved hauler by a letter which charges a version raises from a day on, which becomes its day.

    Refused: ``closed``, ``begun``, ``nothing_yet``, ``not_a_rise``, ``nobody_approved``, ``told_before``,
    ``told_too_late``.
    """
    lock(Plant, plant.id)
    profile, today = profile_of(db.session.get_one(LawText, draft.law_text_id)), at.astimezone(plant.tz).date()
    refusal = _open(draft) or _day(plant, profile, since, at)
    if refusal is not None:
        return refusal
    start = start_of(plant, profile, since, at)
    refusal = _cannot_tell(start, since, today)
    if refusal is not None:
        return refusal
    in_force = law_in_force(plant, since)
    if start.notice is not None and today + start.notice > since:
        why = f"Told today, it can start on {formats.date_only(today + start.notice)} or later."
        return Refusal("told_too_late", why, in_force.cite(NOTICE, since))
    draft.since = since
    cite = in_force.cite(NOTICE, since) if start.notice is not None else ""
    because(draft.resolution, cite or None)
    return _tell(plant, draft, start, in_force, at)


def _open(draft: LawDraft) -> Refusal | None:
    if draft.open:
        return None
    what = "is in force or will be" if draft.adoption_id is not None else "was taken back"
    return Refusal("closed", f"This version {what}. Bring in another one.", "")


def _cannot_tell(start: Start, since: date, today: date) -> Refusal | None:
    if not start.rises:
        return Refusal("not_a_rise", "It raises no charge, so nobody has to be told first. Put it in force.", "")
    if not start.approved:
        return Refusal("nobody_approved", "No hauler is approved here, so nobody has to be told. Put it in force.", "")
    if start.notice is not None and not start.untold:
        return Refusal("told_before", "Every approved hauler was told of this before. Put it in force.", "")
    return None


def _tell(plant: Plant, draft: LawDraft, start: Start, law: Law, at: datetime) -> list[LawTold]:
    """One letter and one message to each who was not told of all of it; they say the same."""
    subject = f"Charges rise from {formats.date_only(draft.since)}"
    paragraphs, today, made = _rise_words(plant, draft, start, law), at.astimezone(plant.tz).date(), []
    for party in start.untold:
        letter = write(plant, party, "fee_notice", "Notice that charges rise", {"paragraphs": paragraphs}, at,
                       law_version=law.version, template="notice")  # fmt: skip
        made.append(LawTold(plant_id=plant.id, draft_id=draft.id, party_id=party.id, told_on=today,
                            letter_id=letter.id, rises=[frozen(one) for one in start.rises]))  # fmt: skip
        tell_party(party, "fee_notice", subject, "\n".join(paragraphs), at, plant_id=plant.id, letter_id=letter.id)
    db.session.add_all(made)
    db.session.flush()
    return made


def _rise_words(plant: Plant, draft: LawDraft, start: Start, law: Law) -> list[str]:
    return [
        f"{plant.city} raises what haulers of septage pay, by {formats.full_stop(draft.resolution)}",
        *(change_words(one) for one in start.rises),
        f"What it rests on: {formats.full_stop(draft.basis)}",
        *dispute_words(law, draft.since),
    ]


def change_words(one: Change) -> str:
    """One change as a letter has it: what was charged until now, what is from which day on, and its section."""
    day, cite = formats.day(one.since), f" ({one.cite})" if one.cite else ""
    if not one.was:
        return f"{one.what}: new, {one.becomes} from {day} on{cite}."
    if not one.becomes:
        return f"{one.what}: {one.was} until now, none from {day} on{cite}."
    return f"{one.what}: {one.was} until now, {one.becomes} from {day} on{cite}."


@act("adopt_draft", roles=WHO)
def adopt_draft(plant: Plant, draft: LawDraft, since: date, *, by: Actor, at: datetime, law: Law) -> Adoption | Refusal:
    """Put a version in force from a day on, and tell all who are approved and all who work here what it changes.

    One that changes more than charges is the administrator's. Refused: ``closed``, ``begun``, ``nothing_yet``,
    ``not_your_role``, and as by ``adopt_law``.
    """
    lock(Plant, plant.id)
    profile = profile_of(db.session.get_one(LawText, draft.law_text_id))
    refusal = _open(draft) or _day(plant, profile, since, at)
    if refusal is not None:
        return refusal
    start = start_of(plant, profile, since, at)
    if not start.charges_only and Role.ADMINISTRATOR not in by.roles:
        why = "This version changes more than charges: an administrator puts it in force."
        return Refusal("not_your_role", why, "")
    adopted = adopt_law(plant, profile, since, draft.resolution, basis=draft.basis, by=by, at=at)
    if isinstance(adopted, Refusal):
        return adopted
    db.session.flush()
    draft.adoption_id, draft.since = adopted.id, since
    _tell_all(plant, draft, start.changes, at)
    return adopted


def _tell_all(plant: Plant, draft: LawDraft, changes: Sequence[Change], at: datetime) -> None:
    charges = [one for one in changes if one.charge]
    subject = f"{'Charges' if charges else 'Rules'} at {plant.name} change on {formats.date_only(draft.since)}"
    for mine, people in ((charges or list(changes), ports.approved(plant, at)), (list(changes), None)):
        said = [change_words(one) for one in mine[:MOST_SAID]]
        if len(mine) > MOST_SAID:
            said.append(f"And {formats.plural(len(mine) - MOST_SAID, 'more change')}: see the rules.")
        body = "\n".join([f"By {formats.full_stop(draft.resolution)}", *said])
        _send(plant, subject, body, people, at)


def _send(plant: Plant, subject: str, body: str, people: Sequence[Party] | None, at: datetime) -> None:
    if people is None:
        tell_roles(STAFF, "new_law", subject, body, at, plant_id=plant.id)
        return
    for party in people:
        tell_party(party, "new_law", subject, body, at, plant_id=plant.id)


@act("withdraw_draft", roles=WHO)
def withdraw_draft(plant: Plant, draft: LawDraft, *, by: Actor, at: datetime, law: Law) -> LawDraft | Refusal:
    """Take a version back that is not in force; who was told that charges rise is told that they do not.

    Refused: ``closed``.
    """
    lock(Plant, plant.id)
    refusal = _open(draft)
    if refusal is not None:
        return refusal
    draft.ended_at, draft.ended_by = at, by.name
    subject = f"Charges do not rise on {formats.date_only(draft.since)}"
    body = f"{plant.city} has taken back what you were told: {formats.full_stop(draft.resolution)} Charges stay."
    _send(plant, subject, body, _told(draft.id), at)
    return draft


def _told(draft_id: int) -> list[Party]:
    """Who was told by a letter what a version raises."""
    query = db.select(Party).join(LawTold, LawTold.party_id == Party.id).where(LawTold.draft_id == draft_id).distinct()
    return list(db.session.scalars(query.order_by(Party.id)))


def _heard(plant: Plant, adoption: Adoption) -> list[Party]:
    """Who was told of an adopted version: by a letter before, or by the message of its adoption."""
    mine = db.select(LawDraft.id).where(LawDraft.adoption_id == adoption.id)
    by_message = db.select(Notice.party_id).where(
        Notice.plant_id == plant.id, Notice.kind == "new_law", Notice.written_at == adoption.adopted_at
    )
    by_letter = db.select(LawTold.party_id).where(LawTold.draft_id.in_(mine))
    query = db.select(Party).where(Party.id.in_(by_message) | Party.id.in_(by_letter)).order_by(Party.id)
    return list(db.session.scalars(query))


@act("take_back_law", roles=WHO)
def take_back_law(
    plant: Plant, adoption: Adoption, reason: str, *, by: Actor, at: datetime, law: Law
) -> Adoption | Refusal:
    """Take an adopted version back before its day: the law before it goes on, and who was told of it hears so.

    What the same day's earlier versions would bring goes with it. One that changes more than charges is the
    administrator's. Refused: ``no_reason``, ``taken_back``, ``begun``, ``later_first``, ``only_law``,
    ``not_your_role``.
    """
    if not reason.strip():
        return Refusal("no_reason", "Enter why it is taken back.", "")
    lock(Plant, plant.id)
    adoption = lock(Adoption, adoption.id)
    refusal = _stays(plant, adoption, at.astimezone(plant.tz).date())
    if refusal is not None:
        return refusal
    profile = profile_of(db.session.get_one(LawText, adoption.law_text_id))
    before = law_in_force(plant, adoption.since - TOMORROW)
    found = changes(before, law_with(plant, profile), adoption.since)
    if not all(one.charge for one in found) and Role.ADMINISTRATOR not in by.roles:
        return Refusal("not_your_role", "This version changes more than charges: an administrator takes it back.", "")
    told = _heard(plant, adoption)
    query = db.select(Adoption).filter_by(plant_id=plant.id, since=adoption.since, taken_back_at=None)
    for one in db.session.scalars(query.order_by(Adoption.id)):
        one.taken_back_at, one.taken_back_by, one.taken_back_why = at, by.name, reason.strip()
    because(f"{adoption.resolution}: {reason.strip()}")
    db.session.flush()
    _tell_back(plant, adoption, bool([one for one in found if one.charge]), told, at)
    return adoption


def _stays(plant: Plant, adoption: Adoption, today: date) -> Refusal | None:
    """Why an adopted version cannot be taken back."""
    if adoption.taken_back_at is not None:
        return Refusal("taken_back", "This version was taken back before.", "")
    if adoption.since <= today:
        why = f"It is in force since {formats.date_only(adoption.since)}: what was charged by it stays."
        return Refusal("begun", why, "", next_step="Bring in another version.")
    days = adopted_since(plant.id)
    later = [day for day in days if day > adoption.since]
    if later:
        why = f"The version from {formats.date_only(later[-1])} was made beside it. Take that one back first."
        return Refusal("later_first", why, "")
    if days[0] == adoption.since:
        return Refusal("only_law", "It is the first law here: without it none would hold.", "",
                       next_step="Bring in another version from the same day.")  # fmt: skip
    return None


def _tell_back(plant: Plant, adoption: Adoption, charges: bool, told: Sequence[Party], at: datetime) -> None:
    """The hauler who was told of a version, and all who work here, hear that it does not come."""
    what = "Charges" if charges else "Rules"
    subject = f"{what} at {plant.name} do not change on {formats.date_only(adoption.since)}"
    body = "\n".join([
        f"{plant.city} has taken back what you were told: {formats.full_stop(adoption.resolution)}",
        f"Why: {formats.full_stop(adoption.taken_back_why)}", f"{what} stay as they are.",
    ])  # fmt: skip
    _send(plant, subject, body, told, at)
    _send(plant, subject, body, None, at)

"""What people are told as deadlines come near. Each is one message; whether it is due the caller has found out."""

from datetime import date, datetime, timedelta

from haulers.actions.change_letters import how_to_answer
from haulers.actions.drafts import mail_saved
from haulers.actions.kept_words import write_to_us
from haulers.models import Application, Business
from haulers.queries import application_for, party_of_business
from haulers.queries.deadlines import Asked, Closing, Ending, paper_asked
from haulers.queries.registered import signs_in
from haulers.queries.words import ended
from haulers.queries.written_days import Issuing
from haulers.states import ApplicationState
from office.access import Actor, Role
from office.acts import act
from office.db import lock
from office.formats import clock_time, date_only, day, plural
from office.journal import because
from office.notices import tell_party, tell_role, tell_roles
from office.plants import Plant
from ordinances.calendar import FilingStatus
from ordinances.reader import Law

KIND = "reminder"
PAPERS = {"license": "state license", "insurance": "liability insurance"}
# A message names so many applications.
NAMED = 10
# What the page under Application calls them.
LISTED = {"license": "State license", "insurance": "Insurance"}


def month_day(moment: date) -> str:
    """ "September 1": as the subjects of messages name a day."""
    return f"{moment:%B} {moment.day}"


@act("remind_of_window", roles=(Role.SYSTEM,))
def remind_of_window(plant: Plant, business_id: int, found: Closing, draft: Application | None, *, by: Actor,
                     at: datetime, law: Law) -> bool:  # fmt: skip
    """Tell a hauler until when applications are taken, and how many days are left (§ 329-7 B(1))."""
    status = found.status
    closes = status.closes.astimezone(law.zone)
    left = f"{plural(found.days_left, 'day')} {'is' if found.days_left == 1 else 'are'} left."
    if found.days_left == 0:
        left = "Today is the last day."
    yours = "You have not sent one yet."
    if draft is not None:
        yours = "Your draft is saved. It is not sent yet."
    party = party_of_business(business_id)
    how = "Sign in, open Application, and send it."
    if not signs_in(party.id, at):
        how = f"It must be with us by then. {write_to_us(plant)}."
    tell_party(
        party, KIND,
        f"Apply by {month_day(closes)} to unload septage in season {status.season.name}",
        f"{plant.name} takes applications for season {status.season.name} until {clock_time(closes, law.zone)} on "
        f"{day(closes, law.zone)}. {left} {yours}\n\n{how}\n\n"
        f"{plant.name}, {plant.phone}",
        at, plant_id=plant.id,
    )  # fmt: skip
    because(f"Reminder: {left.rstrip('.').lower()}", status.cite)
    return True


@act("mail_saved_draft", roles=(Role.SYSTEM,))
def mail_saved_draft(plant: Plant, draft: Application, status: FilingStatus, lying: timedelta, *, by: Actor,
                     at: datetime, law: Law) -> bool:  # fmt: skip
    """Tell a hauler, once a draft, that it is kept and by when to send it; False while somebody is at work on it."""
    lock(Business, draft.business_id)
    found = application_for(plant.id, draft.business_id, draft.season, fresh=True)
    if found is None or found.state != ApplicationState.DRAFT.value or found.answers.get("mailed"):
        return False
    if found.saved_at > at - lying:
        return False
    mail_saved(plant, found, status.opens, status.closes, at, law)
    because("Draft left unsent", status.cite)
    return True


@act("remind_of_paper", roles=(Role.SYSTEM,))
def remind_of_paper(plant: Plant, found: Ending, *, by: Actor, at: datetime, law: Law) -> bool:
    """Tell a hauler that their state license or liability insurance ends soon."""
    words, when = PAPERS[found.kind], _in_days(found.days_left)
    ends = date_only(found.paper.ends_on)
    asked = ""
    if paper_asked(law, found.kind, found.paper.ends_on):
        asked = f" You cannot unload at {plant.name} from the next day on until the new one is entered."
    party = party_of_business(found.paper.business_id)
    how = f"Sign in, open Application, then {LISTED[found.kind]}, and enter the new one."
    if not signs_in(party.id, at):
        how = f"{write_to_us(plant)}: we enter the new one for you."
    tell_party(
        party, KIND, f"Your {words} ends {when}: send us the new one",
        f"The {words} we have of you ends {ends}.{asked}\n\n{how}\n\n{plant.name}, {plant.phone}",
        at, plant_id=plant.id,
    )  # fmt: skip
    because(f"The {words} ends {ends}")
    return True


@act("tell_clerk_of_paper", roles=(Role.SYSTEM,))
def tell_clerk_of_paper(plant: Plant, found: Ending, *, by: Actor, at: datetime, law: Law) -> bool:
    """Tell the clerk that a license or an insurance an approval rests on ends within days."""
    name, words = party_of_business(found.paper.business_id).name, PAPERS[found.kind]
    ends = date_only(found.paper.ends_on)
    tell_role(
        Role.CLERK, KIND, f"The {words} of {name} ends {_in_days(found.days_left)}",
        ended(f"The {words} of {name} ends {ends}, and no later one is entered. The hauler was told. From the next day "
              "on their trucks are turned away until they enter the new one"),
        at, plant_id=plant.id,
    )  # fmt: skip
    because(f"The {words} of {name} ends {ends}")
    return True


def _in_days(left: int) -> str:
    return {0: "today", 1: "tomorrow"}.get(left, f"in {left} days")


@act("remind_of_information", roles=(Role.SYSTEM,))
def remind_of_information(plant: Plant, found: Asked, *, by: Actor, at: datetime, law: Law) -> bool:
    """Remind a hauler of what the committee asked for, or tell the clerk that its day has passed."""
    change, application = found.change, found.application
    due = change.due_on
    assert due is not None
    if found.mark == "late":
        tell_role(
            Role.CLERK, KIND, f"Application {application.number}: more information was due {month_day(due)}",
            f"{application.business_name} was asked for it and has not answered by the end of {day(due)}.\n\n"
            f"Asked for: {change.words}\n\nThe committee may decide on what it has.",
            at, plant_id=plant.id,
        )  # fmt: skip
    else:
        party = party_of_business(application.business_id)
        how = how_to_answer(plant, signs_in(party.id, at), f"the end of {day(due)}")
        tell_party(
            party, KIND, f"We need more information for application {application.number} by {month_day(due)}",
            f"{change.words}\n\n{how} Until "
            f"then what you sent stands as it is.\n\n{plant.name}, {plant.phone}",
            at, plant_id=plant.id,
        )  # fmt: skip
    because(f"More information due {date_only(due)}")
    return True


@act("remind_of_letters", roles=(Role.SYSTEM,))
def remind_of_letters(plant: Plant, found: Issuing, *, by: Actor, at: datetime, law: Law) -> bool:
    """Tell the clerk which decisions are not in writing yet, before the day they are due by and after it (NR 113.07).

    The vote alone is no written decision: the hauler has it with the issued letter.
    """
    count, due = plural(len(found.unissued), "letter"), found.deadline.day
    one = len(found.unissued) == 1
    subject = f"{count} {'waits' if one else 'wait'} to be issued by {month_day(due)}"
    by_when = f"{'is' if one else 'are'} due in writing by {date_only(due)}"
    if found.overdue:
        subject = f"Overdue: {count} {'was' if one else 'were'} to be issued by {month_day(due)}"
        by_when = f"{'was' if one else 'were'} due in writing by {date_only(due)}"
    what = "application for season" if one else "applications for season"
    lead = (f"The committee has voted on {len(found.unissued)} {what} {found.season}. "
            f"{'The decision' if one else 'The decisions'} {by_when} ({found.deadline.cite}), and haulers hear nothing "
            "before their letter is issued.")  # fmt: skip
    named = [f"{row.number} {row.business_name}" for row in found.unissued[:NAMED]]
    more = len(found.unissued) - len(named)
    rows = "\n".join([*named, *([f"and {more} more"] if more else [])])
    tell_role(Role.CLERK, KIND, subject, f"{lead}\n\n{rows}\n\nSign in and open Letters to issue.\n\n{plant.name}, "
              f"{plant.phone}", at, plant_id=plant.id)  # fmt: skip
    because(f"{subject} ({found.season})", found.deadline.cite)
    return True


@act("warn_of_review_block", roles=(Role.SYSTEM,))
def warn_of_review_block(plant: Plant, season: str, why: str, cite: str, *, by: Actor, at: datetime, law: Law) -> bool:
    """Tell clerk and administrator that letters which turn somebody down cannot be made yet."""
    tell_roles(
        (Role.CLERK, Role.ADMINISTRATOR), KIND, f"Before the letters of season {season}: set the text on review rights",
        f"{why} Approvals in part, rejections and revocations are not issued without it. The administrator enters the "
        "text under Settings; the city attorney approves it.",
        at, plant_id=plant.id,
    )  # fmt: skip
    because(why, cite)
    return True

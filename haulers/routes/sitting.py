"""Whose votes a page of a motion asks for: the members of the day typed as the meeting's, without any script."""

from flask import request

from haulers.forms.motion import MeetingDay
from haulers.queries.sitting import members_on, span_of
from office.pages import Page
from office.people import Person


def sitting_here(here: Page) -> list[Person]:
    """The members who sat on the meeting day in the form sent; today's before one is typed, or for a day to come."""
    typed = MeetingDay(request.form)
    day = typed.held_on.data
    if day is None or day > here.today:
        return members_on(here.plant, span_of(here.today, None, here.plant.tz))
    return members_on(here.plant, span_of(day, typed.began.data, here.plant.tz))

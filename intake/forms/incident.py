"""Forms of accidents: report one, add to it, close it."""

from datetime import datetime, time
from zoneinfo import ZoneInfo

from office.forms import AreaField, Date3Field, Form, GallonsField, PhoneField, TextField, TickField, TimeField

MOST = 10_000_000
AT_FIELD = {"no_what": "what", "no_place": "place", "future": "clock", "no_load": "ticket", "no_words": "words"}


class IncidentForm(Form):
    """What happened. Only what and where must be said."""

    what = AreaField("What was discharged, and how?", empty="Enter what was discharged", longest=4_000, rows=3)
    place = TextField("Where?", "Street, manhole or receiving point", empty="Enter where it happened", longest=300)
    phone = PhoneField("Your phone", "So that the plant can call you back", empty=None)
    day = Date3Field("Known since", empty="Enter the day")
    clock = TimeField("At", empty="Enter the time", word="The time")
    gallons = GallonsField("About how many gallons?", empty=None, word="Gallons", min=0, max=MOST)
    steps = AreaField("What was done so far?", empty=None, longest=4_000, rows=2)
    ticket = TextField("Load ticket", "If it came with a load, such as 2026-00412", empty=None, longest=20)

    def known(self, zone: ZoneInfo) -> datetime:
        """The instant typed."""
        assert self.day.data is not None
        return datetime.combine(self.day.data, self.clock.data or time(0), zone)


class WordsForm(Form):
    """What is known since."""

    words = AreaField("What is known since?", empty="Enter what is known since", longest=8_000, rows=4)
    written = TickField("This is the written report")


class CloseForm(Form):
    """Why an accident is closed."""

    words = AreaField("What was done?", "Why it can be closed", empty="Enter what was done, and why it can be closed",
                      longest=4_000, rows=3)  # fmt: skip

"""The form that corrects what is recorded of a meeting."""

from datetime import datetime, time
from zoneinfo import ZoneInfo

from office.forms import AreaField, Date3Field, Form, TimeField


class MeetingForm(Form):
    """When the agenda was posted and the meeting began, as it was, and what was wrong with what is recorded."""

    agenda_on = Date3Field("Day the agenda was posted", empty=None)
    agenda_at = TimeField("Time it was posted", "For example, 4:30 p.m.", empty=None)
    began = TimeField("Time the meeting began", "For example, 6:00 p.m.", empty=None)
    reason = AreaField("What was wrong", "And how it is known. The minutes say it.", word="what was wrong", rows=2)

    def agenda(self, zone: ZoneInfo) -> datetime | None:
        """When the agenda was posted; a day without a time counts from its first minute."""
        if self.agenda_on.data is None:
            return None
        return datetime.combine(self.agenda_on.data, self.agenda_at.data or time(0), zone)

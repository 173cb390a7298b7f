"""Forms around an application already sent: asking for a change, answering it, making it; asking to be taken late."""

from typing import Any

from haulers.forms.application import SeasonFields, SourceFields, UnusualFields
from haulers.queries.completeness import season_differs
from office.forms import AreaField, Date3Field, Form
from office.upload_fields import LAST, UploadField


class AskChangeForm(Form):
    """What the hauler wants to change."""

    words = AreaField("What do you want to change?", "For example, the gallons of source 2 in winter", rows=4,
                      longest=2000, empty="Enter what you want to change")  # fmt: skip


class OpenChangeForm(Form):
    """The clerk asks the hauler for more, or opens what the hauler asked for."""

    words = AreaField("What is needed, or is to be changed?", "The hauler reads this", rows=3, longest=2000,
                      empty="Enter what is needed or is to be changed")  # fmt: skip
    due_on = Date3Field("By which day", "Leave this empty for no day", empty=None)


class OpenAskedForm(Form):
    """The clerk opens what the hauler asked for."""

    due_on = Date3Field("By which day", "Leave this empty for no day", empty=None)


class RefuseChangeForm(Form):
    """The clerk says why the application stays as it is."""

    reason = AreaField("Why does it stay as it is?", "The hauler reads this", rows=3, longest=2000,
                       empty="Enter why it stays as it is")  # fmt: skip


class ChangeForm(SourceFields, SeasonFields, UnusualFields, Form):
    """A copy of the answers, to be changed."""

    sheet = UploadField("Lab sheet", LAST, empty=None)

    def validate(self, extra_validators: Any = None) -> bool:
        if not (super().validate(extra_validators) and self.explained()):
            return False
        said = season_differs(self.season.data or "", self.lines())
        if said:
            self.refuse("season", said.rstrip("."))
        return not said


class LateForm(Form):
    """Why the application comes late."""

    reason = AreaField("Why does your application come late?", "The committee reads this before it votes", rows=4,
                       longest=2000, empty="Enter why your application comes late")  # fmt: skip

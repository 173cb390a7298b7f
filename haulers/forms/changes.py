"""Forms around an application already sent: asking for a change, answering it, making it; asking to be taken late."""

from collections.abc import Collection, Sequence
from typing import Any

from haulers.forms.application import SeasonFields, SourceFields, UnusualFields
from haulers.queries.completeness import season_differs
from haulers.queries.opened import FILES, GALLONS, PARTS, SEASON, SOURCES, UNUSUAL, Wish
from office.forms import AreaField, ChoiceField, Date3Field, Form, TicksField
from office.people import Person
from office.upload_fields import UploadField


class AskChangeForm(Form):
    """What the hauler wants to change."""

    words = AreaField("What do you want to change?", "For example, the gallons of source 2 in winter", rows=4,
                      longest=2000, empty="Enter what you want to change")  # fmt: skip


def opens_field() -> TicksField:
    """Which parts of an application are open."""
    named = tuple((key, words[:1].upper() + words[1:]) for key, words in PARTS.items())
    return TicksField("What may be changed?", named, "Only what you tick is open.", "Select what may be changed")


class Opening:
    """What opening an application says: which parts, by when, and who of the committee asked for it."""

    _fields: dict[str, Any]
    member: Any
    asked_on: Any
    opens = opens_field()
    due_on = Date3Field("By which day", "Left blank, and in the window: until the window closes.", empty=None)

    def fit(self, sitting: Sequence[Person], needed: bool) -> Any:
        """Offer the members; ``needed`` after the close, when nothing is opened without their request."""
        self.member.choices = tuple((one.id, one.name) for one in sitting)
        if needed:
            self.member.empty, self.member.optional = "Select who of the committee asked for it", False
            self.member.hint = "After the close nothing is opened without the committee's request."
            self.asked_on.empty, self.asked_on.optional = "Enter the day they asked for it", False
            self.due_on.hint = None
        return self

    def without_member(self) -> None:
        """For a member: that they ask is the request."""
        del self._fields["member"], self._fields["asked_on"]

    def wish(self) -> Wish | None:
        """Who of the committee asked, and when; None while one of the two is blank."""
        if self.member.data is None or self.asked_on.data is None:
            return None
        return Wish(self.member.data, self.asked_on.data)


def member_field() -> ChoiceField:
    """Who of the committee asked for a change."""
    return ChoiceField("Who of the committee asked for it?", hint="Left blank, it ends with the window.", empty=None,
                       coerce=int)  # fmt: skip


class OpenChangeForm(Opening, Form):
    """The clerk asks the hauler for more, or opens what the hauler asked for."""

    words = AreaField("What is needed, or is to be changed?", "The hauler reads this", rows=3, longest=2000,
                      empty="Enter what is needed or is to be changed")  # fmt: skip
    member = member_field()
    asked_on = Date3Field("On which day did they ask?", empty=None)


class OpenAskedForm(Opening, Form):
    """The clerk opens what the hauler asked for."""

    member = member_field()
    asked_on = Date3Field("On which day did they ask?", empty=None)


class RefuseChangeForm(Form):
    """The clerk says why the application stays as it is."""

    reason = AreaField("Why does it stay as it is?", "The hauler reads this", rows=3, longest=2000,
                       empty="Enter why it stays as it is")  # fmt: skip


class ChangeForm(SourceFields, SeasonFields, UnusualFields, Form):
    """A copy of the answers, to be changed."""

    sheet = UploadField("Lab sheet", empty=None)

    def leave_out(self, opens: Collection[str]) -> "ChangeForm":
        """Show only what is open; where nothing was named all is."""
        parts = {"sources": (SOURCES, GALLONS), "season": (SEASON, GALLONS), "unusual": (UNUSUAL,),
                 "words": (UNUSUAL,), "sheet": (FILES,)}  # fmt: skip
        for name, any_of in parts.items():
            if opens and not set(any_of) & set(opens):
                del self._fields[name]
        return self

    def validate(self, extra_validators: Any = None) -> bool:
        if not super().validate(extra_validators):
            return False
        if "unusual" in self._fields and not self.explained():
            return False
        if "sources" not in self._fields or "season" not in self._fields:
            return True
        said = season_differs(self.season.data or "", self.lines())
        if said:
            self.refuse("season", said.rstrip("."))
        return not said


class LateForm(Form):
    """Why the application comes late."""

    reason = AreaField("Why does your application come late?", "The committee reads this before it votes", rows=4,
                       longest=2000, empty="Enter why your application comes late")  # fmt: skip

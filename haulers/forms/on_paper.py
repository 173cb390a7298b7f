"""What the clerk enters for an application on paper: its changed answers, that it is withdrawn, a wrong entry."""

from haulers.forms.application import SeasonFields, SourceFields, UnusualFields
from haulers.queries.completeness import season_differs
from haulers.queries.opened import Wish
from office.forms import AreaField, ChoiceField, Date3Field, Form
from office.upload_fields import UploadField

STAMPED = ("Date received", "As stamped on the paper", "Enter the date it was received")


class PaperChangeForm(SourceFields, SeasonFields, UnusualFields, Form):
    """A copy of the answers, to be changed as the paper says."""

    received_on = Date3Field(*STAMPED)
    wish = AreaField("What is changed?", "For example, the gallons of source 2 in winter", rows=3, longest=2000,
                     empty="Enter what is changed")  # fmt: skip
    member = ChoiceField("Who of the committee asked for it?", hint="For a paper that came after the window closed.",
                         empty=None, coerce=int)  # fmt: skip
    asked_on = Date3Field("On which day did they ask?", empty=None)
    scan = UploadField("Scan of the paper", empty=None)

    def asked(self, waiting: bool) -> "PaperChangeForm":
        """Season and unusual waste may be left out, as on the paper; for a change asked for, what it is is known."""
        for name in ("received_on", "wish", "member", "asked_on", "sources", "season", "unusual", "words", "scan"):
            self._fields[name] = self._fields.pop(name)
        for field in (self.season, self.unusual):
            field.empty, field.optional = None, True
        if waiting:
            self.wish.empty = None
        return self

    def committee(self) -> Wish | None:
        """Who of the committee asked, and when; None while one of the two is blank."""
        if self.member.data is None or self.asked_on.data is None:
            return None
        return Wish(self.member.data, self.asked_on.data)

    def validate(self, extra_validators: object = None) -> bool:
        if not (super().validate(extra_validators) and self.explained()):
            return False
        said = season_differs(self.season.data or "", self.lines())
        if said:
            self.refuse("season", said.rstrip("."))
        return not said


class PaperWithdrawForm(Form):
    """The day the paper that takes it back came."""

    received_on = Date3Field(*STAMPED)


class WrongEntryForm(Form):
    """Why an entry is taken back."""

    reason = AreaField("What is wrong with the entry?", "The company reads this", rows=3, longest=2000,
                       empty="Enter what is wrong with the entry")  # fmt: skip

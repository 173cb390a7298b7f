"""The committee's record: what is decided about each application, with the motion and roll call of ``forms.motion``."""

from collections.abc import Mapping, Sequence
from typing import Any

from flask import request
from wtforms import HiddenField

from haulers.forms.limits import LimitsField
from haulers.forms.motion import Sitting, make_nought, motion_fields, over_field
from haulers.states import Outcome
from office.forms import AreaField, ChoiceField, Form, GallonsField, Row, RowsField, TickField
from office.people import Person

OUTCOMES = ((Outcome.APPROVED, "Approve"), (Outcome.IN_PART, "Approve a part"), (Outcome.REJECTED, "Reject"))


class DecisionRow(Row):
    """What is decided about one application."""

    application_id = HiddenField()
    outcome = ChoiceField("Decision", tuple((one.value, words) for one, words in OUTCOMES), word="the decision")
    gallons_winter = GallonsField("Approved gallons in winter", min=0)
    gallons_rest = GallonsField("Approved gallons in the rest of the year", min=0)
    reason = AreaField("Reason in the letter", "Needed when not all of it is approved. The hauler reads this.",
                       empty=None, rows=2)  # fmt: skip
    reason_code = ChoiceField("The state's reason, when winter gallons are cut", empty=None)
    departure = AreaField("Reason in the minutes for another number than suggested",
                          "For the record. The hauler does not read this.", empty=None, rows=2)  # fmt: skip
    conditions = AreaField("Conditions in the approval", "For this hauler alone, one a line", empty=None, rows=2)
    limits = LimitsField()

    def validate(self, extra_validators: Any = None) -> bool:
        if self.outcome.data == Outcome.REJECTED.value:
            make_nought(self.gallons_winter, self.gallons_rest)
        return bool(super().validate(extra_validators))


class DecisionForm(Sitting, Form):
    """A motion over several applications; subclassed for the members who sit."""

    rows = RowsField(DecisionRow, "Applications", "Application", least=0, most=600)
    conditions = AreaField("Conditions for all", "One a line. The ordinance's own condition is always in.", empty=None,
                           rows=2)  # fmt: skip

    def edited_limits(self) -> bool:
        """Do a press of "Add a limit" or "Remove limit" of one application; True when it was one."""
        added, removed = request.form.get("add_row", ""), request.form.get("remove_row", "")
        pressed = [entry.form.limits.edited(added, removed) for entry in self.rows.entries]
        return any(pressed)

    def fit(self, members: Sequence[Person], codes: Mapping[str, str]) -> "DecisionForm":
        """Offer the members and the state's reasons."""
        self.offer(members)
        for entry in self.rows.entries:
            entry.form.reason_code.choices = tuple(codes.items())
        return self

    def leave_out(self, outcome: Outcome) -> None:
        """Offer an outcome no more: one that would always be refused."""
        for entry in self.rows.entries:
            field = entry.form.outcome
            field.choices = tuple(choice for choice in field.choices if choice[0] != outcome.value)


def decision_form(members: Sequence[Person], change: str = "", corrects: bool = False) -> type[DecisionForm]:
    """The form with one vote a member; ``change`` is the day of a change made after the vote, which may be taken in.

    A correction says what was wrong, and whether the decision was recorded otherwise than voted.
    """
    fields = motion_fields(members) | {"over_capacity": over_field()}
    if not corrects:
        fields["as_changed"] = TickField("The committee decided on the answers as they are now",
                                         "Only when answers were changed after the meeting began")  # fmt: skip
    if corrects:
        fields["wrong"] = AreaField("What was wrong with the decision as recorded", "The hauler reads this.",
                                    word="what was wrong", rows=2)  # fmt: skip
        fields["misrecorded"] = TickField("The decision was recorded otherwise than the committee voted",
                                          "Needed to take anything from an approval that is issued")  # fmt: skip
    if change:
        fields["with_change"] = TickField(f"Take in the change of {change}",
                                          "What is decided then counts against the changed answers")  # fmt: skip
    return type("SittingForm", (DecisionForm,), fields)


def typed_lines(text: str) -> list[str]:
    """The lines of a box, blank ones left out."""
    return [line.strip() for line in text.splitlines() if line.strip()]

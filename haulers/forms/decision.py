"""The committee's record: what is decided about each application, the motion, the roll call."""

from collections.abc import Mapping, Sequence
from typing import Any

from wtforms import HiddenField

from haulers.states import Ballot, Outcome
from office.forms import AreaField, ChoiceField, Date3Field, Form, GallonsField, Row, RowsField, TickField
from office.people import Person

OUTCOMES = ((Outcome.APPROVED, "Approve"), (Outcome.IN_PART, "Approve a part"), (Outcome.REJECTED, "Reject"))
BALLOTS = ((Ballot.AYE, "Aye"), (Ballot.NO, "No"), (Ballot.ABSTAIN, "Abstain"), (Ballot.ABSENT, "Absent"),
           (Ballot.RECUSED, "Recused"))  # fmt: skip


class DecisionRow(Row):
    """What is decided about one application."""

    application_id = HiddenField()
    outcome = ChoiceField("Decision", tuple((one.value, words) for one, words in OUTCOMES), word="the decision")
    gallons_winter = GallonsField("Approved gallons in winter", min=0)
    gallons_rest = GallonsField("Approved gallons in the rest of the year", min=0)
    reason = AreaField("Why", "Needed when not all of it is approved. The hauler reads this.", empty=None, rows=2)
    reason_code = ChoiceField("The state's reason, when winter gallons are cut", empty=None)
    conditions = AreaField("Conditions for this hauler", "One a line", empty=None, rows=2)


class DecisionForm(Form):
    """A motion over several applications; subclassed for the members who sit."""

    rows = RowsField(DecisionRow, "Applications", "Application", least=0, most=600)
    conditions = AreaField("Conditions for all", "One a line. The ordinance's own condition is always in.", empty=None,
                           rows=2)  # fmt: skip
    held_on = Date3Field("Meeting date", empty="Enter the meeting date")
    words = AreaField("Words of the motion", empty="Enter the words of the motion", rows=2)
    mover = ChoiceField("Moved by", coerce=int, word="who moved")
    seconder = ChoiceField("Seconded by", coerce=int, word="who seconded")
    over_capacity = TickField("The committee accepts this", "Only when the total is above what the plant can take")

    def votes(self) -> dict[int, Ballot]:
        """The roll call by person id."""
        return {int(name.removeprefix("vote_")): Ballot(field.data) for name, field in self._fields.items()
                if name.startswith("vote_") and field.data}  # fmt: skip

    def vote_fields(self) -> list[Any]:
        """The vote boxes in the members' order."""
        return [field for name, field in self._fields.items() if name.startswith("vote_")]

    def fit(self, members: Sequence[Person], codes: Mapping[str, str]) -> "DecisionForm":
        """Offer the members and the state's reasons."""
        names = tuple((person.id, person.name) for person in members)
        self.mover.choices = self.seconder.choices = names
        for entry in self.rows.entries:
            entry.form.reason_code.choices = tuple(codes.items())
        return self


def decision_form(members: Sequence[Person]) -> type[DecisionForm]:
    """The form with one vote a member. "Record a vote for every member" is said at each one left out."""
    votes = {
        f"vote_{person.id}": ChoiceField(person.name, tuple((one.value, words) for one, words in BALLOTS),
                                         empty=f"Record a vote for {person.name}")
        for person in members
    }  # fmt: skip
    return type("SittingForm", (DecisionForm,), votes)


def typed_lines(text: str) -> list[str]:
    """The lines of a box, blank ones left out."""
    return [line.strip() for line in text.splitlines() if line.strip()]

"""The motion and its roll call, as every motion of the committee has them, and the motions that decide nothing."""

from collections.abc import Sequence
from datetime import datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from flask import request

from haulers.forms.changes import opens_field
from haulers.queries.motion_lines import RollCall
from haulers.states import Ballot
from office.formats import date_only
from office.forms import (
    AreaField,
    ChoiceField,
    Date3Field,
    Form,
    GallonsField,
    Row,
    TickField,
    TicksField,
    TimeField,
)
from office.people import Person

BALLOTS = ((Ballot.AYE, "Aye"), (Ballot.NO, "No"), (Ballot.ABSTAIN, "Abstain"), (Ballot.ABSENT, "Absent"),
           (Ballot.RECUSED, "Recused"))  # fmt: skip


def motion_fields(members: Sequence[Person]) -> dict[str, Any]:
    """Fresh fields of a motion, to stand after those of the form they go into, with one vote a member.

    "Record a vote for every member" is said at each one left out.
    """
    fields: dict[str, Any] = {
        "held_on": Date3Field("Meeting date", empty="Enter the meeting date"),
        "began": TimeField("Time the meeting began", "For example, 6:00 p.m.", empty=None),
        "words": AreaField("Words of the motion", empty="Enter the words of the motion", rows=2),
        "mover": ChoiceField("Moved by", coerce=int, word="who moved"),
        "seconder": ChoiceField("Seconded by", coerce=int, word="who seconded"),
        "conflicts": AreaField("Conflicts of interest", "What members said of them. Left blank: none stated.",
                               empty=None, rows=2),
        "agenda_on": Date3Field("Day the agenda was posted", empty=None),
        "agenda_at": TimeField("Time it was posted", "For example, 4:30 p.m.", empty=None),
    }  # fmt: skip
    votes = {
        f"vote_{person.id}": ChoiceField(person.name, tuple((one.value, words) for one, words in BALLOTS),
                                         empty=f"Record a vote for {person.name}")
        for person in members
    }  # fmt: skip
    return fields | votes


class MeetingDay(Row):
    """The day and hour of the meeting in a form of a motion, read before the rest: they say whose votes it asks for."""

    held_on = Date3Field("Meeting date", empty=None)
    began = TimeField("Time the meeting began", empty=None)


def over_field() -> TickField:
    """The tick that lets a motion pass what the plant can take."""
    return TickField("The committee accepts this", "Only when the total is above what the plant can take")


def make_nought(*fields: GallonsField) -> None:
    """Gallons of what is turned down are 0, whatever stood in the boxes: a suggestion must not stop it."""
    for field in fields:
        field.data, field.typed, field.wrong = 0, field.show(0), None


class Sitting:
    """What a form with ``motion_fields`` can do."""

    _fields: dict[str, Any]
    mover: Any
    seconder: Any
    held_on: Any
    began: Any
    words: Any
    conflicts: Any
    agenda_on: Any
    agenda_at: Any

    def offer(self, members: Sequence[Person]) -> None:
        """Offer the members who sit as mover and seconder."""
        self.mover.choices = self.seconder.choices = tuple((person.id, person.name) for person in members)

    def votes(self) -> dict[int, Ballot]:
        """The roll call by person id."""
        return {int(name.removeprefix("vote_")): Ballot(field.data) for name, field in self._fields.items()
                if name.startswith("vote_") and field.data}  # fmt: skip

    def vote_fields(self) -> list[Any]:
        """The vote boxes in the members' order."""
        return [field for name, field in self._fields.items() if name.startswith("vote_")]

    def sat(self) -> str:
        """Whose votes the form asks for, to be sent back with them."""
        return ",".join(name.removeprefix("vote_") for name in self._fields if name.startswith("vote_"))

    def other_roll(self) -> bool:
        """Whether the page that was filled in showed the roll of another day's members."""
        return request.form.get("sat", self.sat()) != self.sat()

    def unshown_votes(self) -> list[tuple[str, str]]:
        """Votes marked for people who did not sit on the day typed now: kept for when it is typed back."""
        return [(name, value) for name, value in request.form.items()
                if name.startswith("vote_") and name not in self._fields]  # fmt: skip

    def validate(self, extra_validators: Any = None) -> bool:
        """The answers, and that the votes marked are those of the members of the day typed (§ 329-7 B(2))."""
        good = bool(super().validate(extra_validators))  # type: ignore[misc]
        if not self.other_roll() or self.held_on.data is None:
            return good
        for field in self.vote_fields():
            field.errors = []  # nobody could mark what was not shown
        self.held_on.errors = [*self.held_on.errors, f"The roll call now shows the members of "
                               f"{date_only(self.held_on.data)}: mark their votes"]  # fmt: skip
        return False

    def all_aye(self) -> None:
        """A vote for aye for every member nothing was marked for; not for members who were not shown."""
        if self.other_roll():
            return
        for field in self.vote_fields():
            field.typed = field.data = field.data or Ballot.AYE.value

    def roll(self, zone: ZoneInfo) -> RollCall:
        """The roll call of what was typed. An agenda posted on a day without a time counts from its first minute."""
        posted = None
        if self.agenda_on.data is not None:
            posted = datetime.combine(self.agenda_on.data, self.agenda_at.data or time(0), zone)
        return RollCall(self.held_on.data, self.words.data, self.mover.data, self.seconder.data, self.votes(),
                        self.conflicts.data, posted, self.began.data)  # fmt: skip


class ReferForm(Sitting, Form):
    """A motion that tables applications, sends them back for changes or takes late ones; subclassed for the members."""

    applications = TicksField("Applications", empty="Select the applications the motion is about", coerce=int)


class CarryForm(Sitting, Form):
    """The motion that carries last season's approvals over; subclassed for the members."""

    until = Date3Field("Last day", "They hold to this day at the latest, the day included.")


def refer_form(members: Sequence[Person], kind: str) -> type[ReferForm]:
    """The form of a motion of a kind: why it is tabled, what is to be changed by when, or nothing more."""
    more: dict[str, Any] = {}
    if kind == "table":
        more["why"] = AreaField("Why", "For the record. Haulers are not told.", empty=None, rows=2)
    elif kind == "ask-changes":
        more["why"] = AreaField("What is to be changed", "Each hauler reads this in a letter.", word="what to change")
        more["opens"] = opens_field()
        more["due_on"] = Date3Field("By", "The last day for the answer", empty=None)
    return type("ReferSittingForm", (ReferForm,), more | motion_fields(members))


def carry_form(members: Sequence[Person]) -> type[CarryForm]:
    """The form of the carry-over motion."""
    return type("CarrySittingForm", (CarryForm,), motion_fields(members))

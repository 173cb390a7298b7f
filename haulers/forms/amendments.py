"""Asking for a change of an approval, and the committee's motions on it and on giving a revoked one back."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any

from wtforms import HiddenField

from haulers.forms.application import ASKED_IN, TANKS
from haulers.forms.motion import Sitting, make_nought, motion_fields, over_field
from haulers.forms.on_paper import STAMPED
from haulers.queries.applications import ASKS
from haulers.queries.motion_lines import AmendLine
from office.forms import AreaField, ChoiceField, Date3Field, Form, GallonsField, Row, RowsField, TextField
from office.people import Person
from office.upload_fields import UploadField
from ordinances.allocation import AREAS
from ordinances.screening import WASTE_TYPES


class AskForm(Form):
    """More gallons, another source or another truck."""

    words = AreaField("Why do you ask for it?", "The committee reads this.", empty="Enter why you ask for the change",
                      rows=4)  # fmt: skip

    def asked(self) -> tuple[dict[str, Any], int, int]:
        """What is new, and the gallons asked for on top in winter and in the rest of the year."""
        names = ("waste", "place", "area", "frequency", "plate", "capacity")
        new = {name: self[name].data or "" for name in names if name in self}
        if "tank" in self:
            tank = self["tank"].data
            new |= {"existing": tank != "new", "replaces_failed": tank == "replaces"}
        winter, rest = (self[name].data or 0 if name in self else 0 for name in ("extra_winter", "extra_rest"))
        return new, winter, rest


class _Gallons(AskForm):
    extra_winter = GallonsField("More gallons in winter", "Enter 0 if none", min=0, max=100_000_000)
    extra_rest = GallonsField("More gallons in the rest of the year", "Enter 0 if none", min=0, max=100_000_000)


class _Source(_Gallons):
    waste = ChoiceField("Type of waste", word="the type of waste")
    place = TextField("Where it comes from", "Place or area, as on the application.", word="where it comes from",
                      longest=300)  # fmt: skip
    area = ChoiceField("Service area of the place", tuple(AREAS.items()), "Not sure? Call us: the number is below.",
                       word="the service area")  # fmt: skip
    tank = ChoiceField("The tank", TANKS, word="what the tank is")
    frequency = TextField("How often", "For example, 4 loads a month, or Weekly in summer", "Enter how often")


class _Truck(AskForm):
    plate = TextField("Plate", word="the plate", longest=20)
    capacity = GallonsField("Tank size in gallons", min=1, max=100_000)


KINDS: Mapping[str, type[AskForm]] = {"gallons": _Gallons, "source": _Source, "truck": _Truck}


def ask_form(kind: str, wastes: Sequence[str], asks: Collection[str] = ASKS,
             truck: Mapping[str, Any] | None = None) -> AskForm:  # fmt: skip
    """The form of a kind of change, a ``truck`` filled in; the types of waste are those approvals may cover.

    ``asks`` is what the law asks of a source (``application.asks``); the rest of it may be left empty.
    """
    return _with_wastes(KINDS[kind](data=truck or {}), wastes, asks)


def paper_ask_form(kind: str, wastes: Sequence[str], today: date, asks: Collection[str] = ASKS) -> AskForm:
    """The same for the clerk, who enters what came on paper: the day stamped on it comes first, a scan last."""
    added = {
        "received_on": Date3Field(*STAMPED), "scan": UploadField("Scan of the paper", empty=None),
        "words": AreaField("Why does the company ask for it?", "As the paper says. The committee reads this.",
                           empty="Enter why the company asks for the change", rows=4),
    }  # fmt: skip
    form: AskForm = type("PaperAskForm", (KINDS[kind],), added)(received_on=today)
    for name in [name for name in form._fields if name not in added] + ["words", "scan"]:
        form._fields[name] = form._fields.pop(name)
    return _with_wastes(form, wastes, asks)


def _with_wastes(form: AskForm, wastes: Sequence[str], asks: Collection[str]) -> AskForm:
    if "waste" in form:
        form["waste"].choices = tuple((one, WASTE_TYPES[one]) for one in wastes)
        for name in (name for ask, names in ASKED_IN.items() if ask not in asks for name in names):
            if name in form:
                form[name].empty, form[name].optional = None, True
    return form


class AmendRow(Row):
    """What is done with one request."""

    amendment_id = HiddenField()
    answer = ChoiceField("Decision", (("grant", "Grant"), ("refuse", "Refuse")), word="the decision")
    winter = GallonsField("Granted gallons in winter", min=0)
    rest = GallonsField("Granted gallons in the rest of the year", min=0)
    reason = AreaField("Why", "Needed when not all of it is granted. The hauler reads this.", empty=None, rows=2)

    def validate(self, extra_validators: Any = None) -> bool:
        if self.answer.data == "refuse":
            make_nought(self.winter, self.rest)
        return bool(super().validate(extra_validators))

    def line(self) -> AmendLine:
        """The row as the act takes it."""
        granted = self.answer.data == "grant"
        return AmendLine(int(self.amendment_id.data), granted, self.winter.data if granted else 0,
                         self.rest.data if granted else 0, self.reason.data)  # fmt: skip


class AmendForm(Sitting, Form):
    """A motion on requests; subclassed for the members who sit."""

    rows = RowsField(AmendRow, "Requests", "Request", least=0, most=200)


class ReinstateForm(Sitting, Form):
    """A motion to give a revoked approval back; subclassed for the members who sit."""

    starts = Date3Field("First day of the new approval", empty="Enter the first day")
    reason = AreaField("Why", "The hauler reads this.", empty="Enter the reason", rows=3)


def amend_form(members: Sequence[Person]) -> type[AmendForm]:
    """The form of a motion on requests, with one vote a member."""
    return _sitting("AmendSittingForm", AmendForm, members)


def reinstate_form(members: Sequence[Person]) -> type[ReinstateForm]:
    """The form of a motion to reinstate, with one vote a member."""
    return _sitting("ReinstateSittingForm", ReinstateForm, members)


def _sitting(name: str, base: Any, members: Sequence[Person]) -> Any:
    fields: Mapping[str, Any] = motion_fields(members) | {"over_capacity": over_field()}
    return type(name, (base,), dict(fields))

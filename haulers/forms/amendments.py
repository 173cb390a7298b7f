"""Asking for a change of an approval, and the committee's motions on it and on giving a revoked one back."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from wtforms import HiddenField

from haulers.forms.motion import Sitting, make_nought, motion_fields, over_field
from haulers.forms.on_paper import STAMPED
from haulers.queries.motion_lines import AmendLine
from office.forms import AreaField, ChoiceField, Date3Field, Form, GallonsField, Row, RowsField, TextField
from office.people import Person
from office.upload_fields import UploadField
from ordinances.screening import WASTE_TYPES


class AskForm(Form):
    """More gallons, another source or another truck."""

    words = AreaField("Why do you ask for it?", "The committee reads this.", empty="Enter why you ask for the change",
                      rows=4)  # fmt: skip

    def asked(self) -> tuple[dict[str, Any], int, int]:
        """What is new, and the gallons asked for on top in winter and in the rest of the year."""
        new = {name: self[name].data for name in ("waste", "place", "plate", "capacity") if name in self}
        winter, rest = (self[name].data or 0 if name in self else 0 for name in ("extra_winter", "extra_rest"))
        return new, winter, rest


class _Gallons(AskForm):
    extra_winter = GallonsField("More gallons in winter", "Enter 0 if none", min=0, max=100_000_000)
    extra_rest = GallonsField("More gallons in the rest of the year", "Enter 0 if none", min=0, max=100_000_000)


class _Source(_Gallons):
    waste = ChoiceField("Type of waste", word="the type of waste")
    place = TextField("Where it comes from", "Place or area, as on the application.", word="where it comes from",
                      longest=300)  # fmt: skip


class _Truck(AskForm):
    plate = TextField("Plate", word="the plate", longest=20)
    capacity = GallonsField("Tank size in gallons", min=1, max=100_000)


KINDS: Mapping[str, type[AskForm]] = {"gallons": _Gallons, "source": _Source, "truck": _Truck}


def ask_form(kind: str, wastes: Sequence[str], truck: Mapping[str, Any] | None = None) -> AskForm:
    """The form of a kind of change, a ``truck`` filled in; the types of waste are those approvals may cover."""
    return _with_wastes(KINDS[kind](data=truck or {}), wastes)


def paper_ask_form(kind: str, wastes: Sequence[str], today: date) -> AskForm:
    """The same for the clerk, who enters what came on paper: the day stamped on it comes first, a scan last."""
    added = {
        "received_on": Date3Field(*STAMPED), "scan": UploadField("Scan of the paper", empty=None),
        "words": AreaField("Why does the company ask for it?", "As the paper says. The committee reads this.",
                           empty="Enter why the company asks for the change", rows=4),
    }  # fmt: skip
    form: AskForm = type("PaperAskForm", (KINDS[kind],), added)(received_on=today)
    for name in [name for name in form._fields if name not in added] + ["words", "scan"]:
        form._fields[name] = form._fields.pop(name)
    return _with_wastes(form, wastes)


def _with_wastes(form: AskForm, wastes: Sequence[str]) -> AskForm:
    if "waste" in form:
        form["waste"].choices = tuple((one, WASTE_TYPES[one]) for one in wastes)
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

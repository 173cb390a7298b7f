"""The laboratory grid: one row a sample, one box a result that is not in yet; and changing one that is."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from intake.models import Load
from intake.queries.results import NAMES, Waiting
from intake.states import NO_RESULT_WORDS
from office.forms import ChoiceField, Date3Field, Form, TextField, TickField
from ordinances.lab_words import limit_of

ASKED = {"zero": "Is it 0? Type it again", "no_limit": "Below which limit? Type the figure"}
SURE = "It is right as the laboratory has it"


def cell(load_id: int, parameter: str) -> str:
    """The name of one box of the grid."""
    return f"r{load_id}_{parameter}"


def again(load_id: int, parameter: str) -> str:
    """The name of the box in which a 0 is typed again, or the detection limit of ND."""
    return f"{cell(load_id, parameter)}_again"


def sure(load_id: int, parameter: str) -> str:
    """The name of the tick under a result outside what is usual."""
    return f"{cell(load_id, parameter)}_sure"


def number(load_id: int) -> str:
    """The name of the box of a sample's number at the laboratory."""
    return f"r{load_id}_lab"


def place(load: Load, parameter: str) -> str:
    """Which box of the grid something is said of, for the summary above it."""
    bottle = f"Bottle {load.bottle}, load" if load.bottle else "Load"
    return f"{bottle} {load.ticket}, {NAMES[parameter]}"


def grid(samples: Iterable[Waiting]) -> type[Form]:
    """The form of the grid for these samples; each box names its test and ticket for those who cannot see the table.

    Beside each is a box to type a rare 0 again or the limit of ND, and a tick; the page draws them where it asks.
    """
    boxes: dict[str, Any] = {}
    tests = dict.fromkeys(key for one in samples for key in one.tests if key not in one.results)
    for one in samples:
        load, open_ones = one.load, [key for key in one.tests if key not in one.results]
        for key in open_ones:
            name = f"{NAMES[key]} of load {load.ticket}"
            boxes[cell(load.id, key)] = TextField(name, empty=None, longest=60, autocomplete="off")
            boxes[again(load.id, key)] = TextField(f"{name} once more", empty=None, longest=60, autocomplete="off")
            boxes[sure(load.id, key)] = TickField(SURE)
        if open_ones:
            boxes[number(load.id)] = TextField(f"The laboratory's number of load {load.ticket}", empty=None,
                                               longest=60, autocomplete="off")  # fmt: skip
    return type("GridForm", (SheetForm,), boxes | of_tests(tests))


class LimitField(TextField):
    """A laboratory's limit of detection or quantitation of a test: typed as a figure, read in the test's unit."""

    def __init__(self, parameter: str, label: str, hint: str = "", **given: Any) -> None:
        self.parameter = parameter
        super().__init__(label, hint, empty=None, longest=20, autocomplete="off", **given)

    def read(self, typed: str) -> str:
        if limit_of(typed, self.parameter) is None:
            raise ValueError(f"{self.label.text} must be a number above 0, like 2")
        return typed

    @property
    def limit(self) -> Decimal | None:
        """The limit as a figure; None where none is typed."""
        return limit_of(self.data or "", self.parameter)


def of_tests(tests: Iterable[str]) -> dict[str, Any]:
    """The boxes of what a laboratory says of each test: its method, day and limits."""
    found: dict[str, Any] = {}
    for key in tests:
        found[f"method_{key}"] = TextField(f"Method of {NAMES[key]}", empty=None, longest=100)
        found[f"analysed_{key}"] = Date3Field(f"Day {NAMES[key]} was analyzed", empty=None)
        found[f"lod_{key}"] = LimitField(key, f"Limit of detection of {NAMES[key]}")
        found[f"loq_{key}"] = LimitField(key, f"Limit of quantitation of {NAMES[key]}")
    return found


class SheetForm(Form):
    """What a laboratory says of a whole sheet: it is kept with each result that is typed."""

    analyst = TextField("Analyst", empty=None, longest=100, autocomplete="off")
    sampled = Date3Field("Day of the samples", "Only if it is not the day of each load", empty=None)
    received = Date3Field("Day the laboratory received them", empty=None)


class LostForm(Form):
    """Why no result of a sample will come."""

    code = ChoiceField("Why does no result come?", tuple(NO_RESULT_WORDS.items()), empty="Select why no result comes")
    words = TextField("What happened?", empty=None, longest=300)


class ResultForm(Form):
    """Another result in place of one that is in, or what the laboratory says of it: both are kept."""

    typed = TextField("Result", "Like 4,200, or <2 if not detected", longest=60, autocomplete="off")
    limit = TextField("Detection limit", "Only if the result is ND", empty=None, longest=60, autocomplete="off")
    sure = TickField(SURE)
    method = TextField("Method", empty=None, longest=100)
    analyst = TextField("Analyst", empty=None, longest=100, autocomplete="off")
    lab_number = TextField("The laboratory's number of the sample", empty=None, longest=60, autocomplete="off")
    sampled = Date3Field("Day of the sample", empty=None)
    received = Date3Field("Day the laboratory received it", empty=None)
    analysed = Date3Field("Day it was analyzed", empty=None)
    reason = TextField("Why does it change?", empty="Enter why the result changes", word="why the result changes")


class ResultBackForm(Form):
    """Why a result is none of this load."""

    reason = TextField("Why is it taken back?", "Such as whose result it is", empty="Enter why it is taken back",
                       longest=300)  # fmt: skip


def result_form(parameter: str) -> type[ResultForm]:
    """The form that changes a result of a test, with the laboratory's limits in the unit of that test."""
    return type("OneResultForm", (ResultForm,), {
        "lod": LimitField(parameter, "Limit of detection", "If the laboratory states it, like 2"),
        "loq": LimitField(parameter, "Limit of quantitation", "If the laboratory states it, like 6"),
    })  # fmt: skip

"""Forms of new tests that somebody asks for."""

from collections.abc import Mapping
from typing import Any

from intake.forms.lab import SURE, SheetForm, of_tests
from intake.queries.counting import new_result
from office import formats
from office.forms import (
    AreaField,
    ChoiceField,
    Date3Field,
    Form,
    MoneyField,
    TextField,
    TickField,
    TicksField,
    WholeField,
)

MOST_HOURS = 168


class AskRetestForm(Form):
    """What is to be tested anew, and why."""

    parameters = TicksField("What is to be tested anew?", empty="Select what is to be tested anew")
    reason = AreaField("Why?", empty="Enter why", longest=2_000, rows=3)


class TakeBackForm(Form):
    """Why new tests are taken back."""

    reason = AreaField("Why?", empty="Enter why they are taken back", longest=2_000, rows=2)


class AnswerRetestForm(Form):
    """Accepted at a price, or refused with the reason."""

    accepted = ChoiceField("Your answer", (("yes", "Accept"), ("no", "Refuse")), empty="Select your answer")
    cost = MoneyField("What the new tests cost", "The hauler pays it when they are done", empty=None)
    hours = WholeField("Hours they run", empty=None, min=1, max=MOST_HOURS)
    words = AreaField("In words", "Why it is refused, or why a shorter test is approved", empty=None, longest=2_000,
                      rows=2)  # fmt: skip


class NewSheetForm(SheetForm):
    """What a laboratory says of the sheet of new tests."""

    sampled = Date3Field("Day of the sample", "Only if it is not the day of the load", empty=None)
    received = Date3Field("Day the laboratory received it", empty=None)
    lab_number = TextField("The laboratory's number of the sample", empty=None, longest=60, autocomplete="off")

    def sheet(self) -> list[Any]:
        """The boxes of what the laboratory says, in their order."""
        of_each = [self[name] for name in self._fields if name.startswith(("method_", "analysed_", "lod_", "loq_"))]
        return [self.analyst, self.lab_number, self.sampled, self.received, *of_each]


def filled(found: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """What the form begins with where new tests are done already."""
    data: dict[str, Any] = {}
    for name, one in found.items():
        result = new_result(name, one)
        sheet = {"analyst": result.analyst, "lab_number": result.lab_number, "sampled": result.sampled_on,
                 "received": result.received_on}  # fmt: skip
        # What is said of one test only is said of the sheet.
        data |= {key: value for key, value in sheet.items() if value and not data.get(key)}
        data |= {name: one["typed"], f"method_{name}": result.method, f"analysed_{name}": result.analysed_on}
        data |= {f"{key}_{name}": formats.number(limit) for key, limit in (("lod", result.lod), ("loq", result.loq))
                 if limit is not None}  # fmt: skip
    return data


def finish_form(names: dict[str, str], *, done: bool = False) -> type[Form]:
    """The form of what new tests found: a box a test, what the laboratory says of them as in the grid, which results
    count, under which conditions the plant ran; of those that are ``done`` why it is corrected."""
    boxes = {
        name: TextField(words, "Like 4,200, or <2 if not detected", longest=60, autocomplete="off",
                        empty=f"Enter the result of {words}")
        for name, words in names.items()
    }  # fmt: skip
    return type("FinishForm", (NewSheetForm,), boxes | {"sure": TickField(SURE)} | of_tests(names) | {
        "prevails": ChoiceField("Which results count?", (
            ("yes", "The new ones", "The plant ran under normal conditions"), ("no", "The first ones")),
            empty="Select which results count"),
        "why": AreaField("Why is it corrected, and under which conditions did the plant run?", longest=2_000, rows=2,
                         empty="Enter why it is corrected") if done else
               AreaField("Under which conditions did the plant run?", longest=2_000, rows=2,
                         empty="Enter under which conditions the plant ran"),
    })  # fmt: skip

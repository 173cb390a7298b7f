"""The laboratory grid: one row a sample, one box a result that is not in yet; and changing one that is."""

from collections.abc import Iterable

from intake.queries.results import NAMES, Waiting
from office.forms import Form, TextField


def cell(load_id: int, parameter: str) -> str:
    """The name of one box of the grid."""
    return f"r{load_id}_{parameter}"


def grid(samples: Iterable[Waiting]) -> type[Form]:
    """The form of the grid for these samples; each box names its test and ticket for those who cannot see the table."""
    boxes = {
        cell(one.load.id, parameter): TextField(f"{name} of load {one.load.ticket}", empty=None, longest=60,
                                                autocomplete="off")
        for one in samples
        for parameter, name in NAMES.items()
        if parameter not in one.results
    }  # fmt: skip
    return type("GridForm", (Form,), boxes)


class ResultForm(Form):
    """Another result in place of one that is in: both are kept."""

    typed = TextField("Result", "In mg/L, like 4,200, or <2 if not detected", longest=60, autocomplete="off")
    reason = TextField("Why does it change?", empty="Enter why the result changes", word="why the result changes")

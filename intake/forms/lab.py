"""The laboratory grid: one row a sample, one box a result that is not in yet; and changing one that is."""

from collections.abc import Iterable

from intake.models import Load
from intake.queries.results import NAMES, Waiting
from office.forms import Form, TextField


def cell(load_id: int, parameter: str) -> str:
    """The name of one box of the grid."""
    return f"r{load_id}_{parameter}"


def again(load_id: int, parameter: str) -> str:
    """The name of the box in which a 0 is typed again."""
    return f"{cell(load_id, parameter)}_again"


def place(load: Load, parameter: str) -> str:
    """Which box of the grid something is said of, for the summary above it."""
    bottle = f"Bottle {load.bottle}, load" if load.bottle else "Load"
    return f"{bottle} {load.ticket}, {NAMES[parameter]}"


def grid(samples: Iterable[Waiting]) -> type[Form]:
    """The form of the grid for these samples; each box names its test and ticket for those who cannot see the table.

    Beside each is a box to type a rare 0 again; the page draws it only where it is asked for.
    """
    waiting = [(one.load, key) for one in samples for key in NAMES if key not in one.results]
    boxes = {
        again(load.id, key): TextField(f"{NAMES[key]} of load {load.ticket} once more", empty=None, longest=60,
                                       autocomplete="off")
        for load, key in waiting
    }  # fmt: skip
    boxes |= {
        cell(load.id, key): TextField(f"{NAMES[key]} of load {load.ticket}", empty=None, longest=60,
                                      autocomplete="off")
        for load, key in waiting
    }  # fmt: skip
    return type("GridForm", (Form,), boxes)


class ResultForm(Form):
    """Another result in place of one that is in: both are kept."""

    typed = TextField("Result", "In mg/L, like 4,200, or <2 if not detected", longest=60, autocomplete="off")
    reason = TextField("Why does it change?", empty="Enter why the result changes", word="why the result changes")

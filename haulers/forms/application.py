"""The application's sources as a form: type, frequency, quantity and location of each (§ 329-7 B(1))."""

from collections.abc import Iterable
from typing import Any

from haulers.models import ApplicationSource
from haulers.queries import SourceLine
from office.forms import ChoiceField, Form, GallonsField, Row, RowsField, TextField, leaves
from ordinances.allocation import AREAS

TANKS = (
    ("existing", "It is there already"),
    ("new", "It is new"),
    ("replaces", "A holding tank that replaced a failed system"),
)


class SourceRow(Row):
    """One source."""

    waste = ChoiceField("Type of waste", word="the type of waste")
    place = TextField("Where it comes from", "A place, road or group of customers", "Enter the place", longest=300)
    area = ChoiceField("Service area of the place", tuple(AREAS.items()), "Not sure? Call us: the number is below.",
                       word="the service area")  # fmt: skip
    tank = ChoiceField("The tank", TANKS, word="what the tank is")
    frequency = TextField("How often", "For example, 4 loads a month, or Weekly in summer", "Enter how often")
    gallons_a_load = GallonsField("Gallons a load", min=1, max=20000)
    gallons_winter = GallonsField("Gallons in winter", "All loads together. Enter 0 if none", min=0, max=100_000_000)
    gallons_rest = GallonsField("Gallons in the rest of the year", "All loads together. Enter 0 if none", min=0,
                                max=100_000_000)  # fmt: skip

    def line(self) -> SourceLine:
        tank = self.tank.data
        return SourceLine(
            self.waste.data or "", self.place.data, self.area.data or "", self.frequency.data,
            self.gallons_a_load.data, self.gallons_winter.data, self.gallons_rest.data, existing=tank != "new",
            replaces_failed=tank == "replaces",
        )  # fmt: skip


class SourcesForm(Form):
    """All sources of one application."""

    sources = RowsField(SourceRow, "Sources", "Source")

    def fit(self, wastes: Iterable[tuple[str, str]], winter_words: str = "") -> "SourcesForm":
        """Offer the types an approval covers, and say when winter is. Needed again after a row was added."""
        choices = tuple(wastes)
        for entry in self.sources.entries:
            entry.form.waste.choices = choices
            if winter_words:
                entry.form.gallons_winter.hint = f"{winter_words}. All loads together. Enter 0 if none"
        return self

    def lenient(self) -> "SourcesForm":
        """For a draft: what is blank may stay blank. What cannot be read is still asked about."""
        for leaf in leaves(self.sources.entries):
            leaf.empty = None
        return self

    def lines(self) -> list[SourceLine]:
        return [entry.form.line() for entry in self.sources.entries]


def as_fields(source: ApplicationSource) -> dict[str, Any]:
    """A stored source as the row shows it."""
    tank = "replaces" if source.replaces_failed else "existing" if source.existing else "new"
    names = ("waste", "place", "area", "frequency", "gallons_a_load", "gallons_winter", "gallons_rest")
    return {name: getattr(source, name) for name in names} | {"tank": tank if source.waste else None}

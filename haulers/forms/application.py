"""The application as forms: its sources with type, frequency, quantity and location (§ 329-7 B(1)), then the rest."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from wtforms import HiddenField

from haulers.models import ApplicationSource
from haulers.queries import SourceLine
from haulers.queries.answers import FEE_WAYS, SEASONS, Answers
from haulers.queries.applications import ASKS
from haulers.queries.completeness import season_differs
from office.forms import AreaField, ChoiceField, Form, GallonsField, Row, RowsField, TextField, leaves
from office.upload_fields import UploadField
from ordinances.allocation import AREAS

YES_NO = (("yes", "Yes"), ("no", "No"))
ASKED_IN = {"type": ("waste", "tank"), "location": ("place", "area"), "frequency": ("frequency",),
            "quantity": ("gallons_a_load", "gallons_winter", "gallons_rest")}  # fmt: skip

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
    months = TextField("In which months", "For example, May to October, or All year", empty=None)
    gallons_a_load = GallonsField("Gallons a load", min=1, max=20000)
    gallons_winter = GallonsField("Gallons in winter", "All loads together. Enter 0 if none", min=0, max=100_000_000)
    gallons_rest = GallonsField("Gallons in the rest of the year", "All loads together. Enter 0 if none", min=0,
                                max=100_000_000)  # fmt: skip

    def line(self) -> SourceLine:
        tank = self.tank.data
        return SourceLine(
            self.waste.data or "", self.place.data, self.area.data or "", self.frequency.data,
            self.gallons_a_load.data, self.gallons_winter.data, self.gallons_rest.data, existing=tank != "new",
            replaces_failed=tank == "replaces", months=self.months.data,
        )  # fmt: skip


class SourceFields:
    """All sources of one application."""

    sources = RowsField(SourceRow, "Sources", "Source")

    def fit(self, wastes: Iterable[tuple[str, str]], winter_words: str = "", asks: Collection[str] = ASKS) -> Any:
        """Offer the types an approval covers, say when winter is, ask what the law asks. Again after an added row."""
        choices = tuple(wastes)
        open_to = [name for ask, names in ASKED_IN.items() if ask not in asks for name in names]
        for entry in self.sources.entries:
            entry.form.waste.choices = choices
            if winter_words:
                entry.form.gallons_winter.hint = f"{winter_words}. All loads together. Enter 0 if none"
            for name in open_to:
                entry.form[name].empty, entry.form[name].optional = None, True
        return self

    def lenient(self) -> Any:
        """For a draft: what is blank may stay blank. What cannot be read is still asked about."""
        for leaf in leaves(self.sources.entries):
            leaf.empty = None
        return self

    def lines(self) -> list[SourceLine]:
        return [entry.form.line() for entry in self.sources.entries]


class DraftForm(Form):
    """A form of the draft: it carries which state of the draft it was filled from.

    ``overtaken`` once it was refused because somebody saved after that.
    """

    overtaken = False
    seen = HiddenField()


class SourcesForm(SourceFields, DraftForm):
    """The task of the sources, and whether the hauler calls it whole."""

    complete = ChoiceField("Have you completed this section?", YES_NO, empty=None)

    def whole(self) -> bool | None:
        """The hauler's word; None when the question was left out."""
        return {"yes": True, "no": False}.get(self.complete.data or "")


class SeasonFields:
    """When it is brought."""

    season = ChoiceField("When will you bring it?", tuple(SEASONS.items()), word="when you will bring it")

    def fit_season(self, winter_words: str, lines: Sequence[SourceLine]) -> Any:
        """Say when winter is, and hold the answer against the gallons of the sources."""
        self.season.hint = f"Winter is {winter_words}" if winter_words else None
        self.sources_said = tuple(lines)
        return self


class SeasonForm(SeasonFields, DraftForm):
    """Winter, the rest of the year, or both, as the gallons say."""

    def validate(self, extra_validators: Any = None) -> bool:
        good = super().validate(extra_validators)
        said = season_differs(self.season.data or "", getattr(self, "sources_said", ())) if good else ""
        if said:
            self.refuse("season", said.rstrip("."))
        return good and not said


class UnusualFields:
    """Waste that is not everyday septage."""

    unusual = ChoiceField("Is any of it unusual waste?", YES_NO,
                          "For example, from a shop, a kitchen, a car wash, or with chemicals in it",
                          word="whether any of it is unusual waste")  # fmt: skip
    words = AreaField("What is unusual about it?", "Leave this empty if you selected No", rows=4, longest=2000,
                      empty=None)  # fmt: skip

    def explained(self) -> bool:
        """Unusual waste needs words."""
        if self.unusual.data != "yes" or self.words.data:
            return True
        self.words.errors = [*self.words.errors, "Enter what is unusual about it"]
        return False


class UnusualForm(UnusualFields, DraftForm):
    """Yes or no, what, and a lab sheet."""

    sheet = UploadField("Lab sheet", empty=None)

    def validate(self, extra_validators: Any = None) -> bool:
        return super().validate(extra_validators) and self.explained()


class FeeWayForm(DraftForm):
    """How the filing fee is paid."""

    fee = ChoiceField("How will you pay the filing fee?", tuple(FEE_WAYS.items()), word="how you will pay the fee")
    receipt = TextField("Receipt number", "Only if it is paid already", empty=None, longest=60)

    def validate(self, extra_validators: Any = None) -> bool:
        good = super().validate(extra_validators)
        if good and self.fee.data == "paid" and not self.receipt.data:
            self.refuse("receipt", "Enter the receipt number")
            return False
        return good


def answers_in(form: Any) -> Answers:
    """The answers a form holds."""
    given = {name: form[name].data or "" for name in Answers.__dataclass_fields__ if name in form._fields}
    if given.get("unusual") == "no":
        given["words"] = ""
    if "fee" in given and given["fee"] != "paid":
        given["receipt"] = ""
    return Answers(**given)


def as_fields(source: ApplicationSource | SourceLine) -> dict[str, Any]:
    """A stored source as the row shows it."""
    tank = "replaces" if source.replaces_failed else "existing" if source.existing else "new"
    names = ("waste", "place", "area", "frequency", "months", "gallons_a_load", "gallons_winter", "gallons_rest")
    return {name: getattr(source, name) for name in names} | {"tank": tank if source.waste else None}

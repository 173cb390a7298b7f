"""Forms beside a load at the gate: set an answer aside, refuse the rest, write where a refused load went."""

from wtforms import HiddenField

from intake.forms.kinds import MOST, OtherTiles
from intake.forms.running import BY_RATE, OUT
from intake.forms.station import ASKS_WHY, MOST_POUNDS, MOST_YARDS, WHY_KEPT
from intake.queries.figures import Figures
from intake.states import BASIS_WORDS, REFUSAL_WORDS
from office.forms import (
    AreaField,
    ChoiceField,
    Date3Field,
    DecimalField_,
    Form,
    GallonsField,
    TextField,
    TilesField,
    WholeField,
)
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES

REASONS = tuple((one.value, words) for one, words in REFUSAL_WORDS.items())


class SetAsideForm(Form):
    """Why an answer of the gate is set aside for one load; ``code`` is the answer that was shown."""

    code = HiddenField()
    reason = AreaField("Why is it set aside?", "In words the hauler and the committee will read",
                       empty="Enter why it is set aside for this load", longest=500, rows=3)  # fmt: skip


class RestForm(Form):
    """What stays in the truck of a load that was taken in part, and why."""

    gallons = GallonsField("Gallons still in the truck", word="Gallons", max=MOST)
    code = TilesField("Why is the rest refused?", REASONS, empty="Select why the rest is refused")
    reason = AreaField("What was wrong", "In words the hauler will read", empty="Enter what was wrong", longest=500,
                       rows=3)  # fmt: skip


class StopRestForm(RestForm):
    """The same for a truck that unloads or waits: what stays in it follows from what is out."""

    out = GallonsField(OUT, BY_RATE, word="Gallons", min=0, max=MOST)
    gallons = GallonsField("Gallons still in the truck", "Leave it empty: what was logged and is not out.", empty=None,
                           word="Gallons", max=MOST)  # fmt: skip


class CorrectForm(OtherTiles):
    """The figures of a load as they should be, and why they were others."""

    gallons = GallonsField("Gallons", max=MOST)
    flush = GallonsField("Of that, flush water", "Gallons that washed the tank out", word="Flush water", empty=None,
                         min=0, max=MOST)  # fmt: skip
    waste = TilesField("Type of waste", tuple(WASTE_TYPES.items()), empty="Select the type of waste")
    basis = ChoiceField("Gallons found by", tuple((one.value, words) for one, words in BASIS_WORDS.items()))
    full_lb = WholeField("Weighed full, pounds", word="Weight", empty=None, max=MOST_POUNDS)
    empty_lb = WholeField("Weighed empty, pounds", word="Weight", empty=None, max=MOST_POUNDS)
    driver = TextField("Driver", empty="Enter the driver's name", longest=100, autocomplete="off")
    ph = DecimalField_("pH", empty=None, places=2)
    bottle = TextField("Sample bottle", empty=None, longest=20, autocomplete="off")
    origin = TilesField("Where is the waste from?", empty=None)
    cubic_yards = DecimalField_("Cubic yards", empty=None, places=2, max=MOST_YARDS)
    reason = AreaField("Why is it corrected?", "In words the hauler will read", empty="Enter why it is corrected",
                       longest=500, rows=3)  # fmt: skip
    kept = TextField(WHY_KEPT, empty=None, longest=300)
    # Which odd figures this page has asked about: why they are right is of no other.
    about = HiddenField(default="")
    asks_why = False

    def asked_about(self) -> tuple[str, ...]:
        """The odd figures this page asked about, as codes of refusals."""
        return tuple(one for one in (self.about.data or "").split(",") if one in ASKS_WHY)

    def show_refusal(self, name: str | None, refusal: Refusal) -> None:
        """Put a refusal at its field; an odd figure is asked about beside those asked about before."""
        self.asks_why = refusal.code in ASKS_WHY
        asks = refusal.next_step if self.asks_why or refusal.code == "weighs" else ""
        if refusal.code == "weighs":
            self.gallons.process_data(refusal.details["gallons"])
        self.refuse(name, " ".join(filter(None, (refusal.why, asks))))
        if not self.asks_why:
            return
        self.kept.optional = False
        self.about.data = ",".join(dict.fromkeys((*self.asked_about(), refusal.code)))

    def figures(self) -> Figures:
        """What the act takes."""
        yards = self.cubic_yards.data if "cubic_yards" in self else None
        return Figures(self.gallons.data, self.flush.data or 0, self.basis.data, self.waste.data, self.driver.data,
                       self.ph.data, self.bottle.data, self.origin.data or "", self.others(), yards, self.full_lb.data,
                       self.empty_lb.data)  # fmt: skip


class SignForm(Form):
    """The driver's name and what was written in the box; the places of the load, where no record is in yet."""

    strokes = HiddenField()
    name = TextField("Driver", empty="Enter the driver's name", longest=200, autocomplete="off")
    places = AreaField("Where did the load come from?", "One line a place, with its gallons, like 12 Lake Road 600",
                       empty=None, longest=1_000, rows=4)  # fmt: skip


class ElsewhereForm(Form):
    """Where a refused load was taken, on which day, and who says so."""

    went_to = AreaField("Where did the load go?", "Name and place of the plant or field", empty="Enter where it went",
                        word="Where it went", longest=500, rows=3)  # fmt: skip
    went_on = Date3Field("On which day?", word="The day")
    signed_by = TextField("Who states it?", "First and last name, as a signature", empty="Enter who states it",
                          longest=200, autocomplete="name")  # fmt: skip

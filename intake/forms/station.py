"""Forms of the receiving station: log a load by exception, go on with one, refuse one, void one."""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

from wtforms import HiddenField
from wtforms.validators import StopValidation

from intake.forms.kinds import MOST, OtherTiles, offer
from intake.queries import pickups
from intake.states import BASIS_WORDS, REFUSAL_WORDS, Basis
from office.forms import (
    AreaField,
    ChoiceField,
    DecimalField_,
    Form,
    GallonsField,
    TextField,
    TicksField,
    TilesField,
    WholeField,
    fresh,
)
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.schedule_words import asks_more, zones
from ordinances.screening import WASTE_TYPES

MOST_POUNDS, MOST_YARDS = 1_000_000, 1_000
YES_NO = (("yes", "Yes"), ("no", "No"))
WHY_KEPT = "Why the number is right"
# Where a refusal of the act is shown; what is not here stands above the form.
AT_FIELD = {
    "no_gallons": "gallons", "gallons_over_tank": "gallons", "allowance": "gallons", "no_room": "gallons",
    "not_now": "gallons", "ph_impossible": "ph", "screening": "ph", "bottle_used": "bottle", "no_bottle": "bottle",
    "untested_why": "tested", "say_what": "note", "basis": "basis", "not_septage": "waste",
    "waste_not_covered": "waste", "who": "business_name", "ask": "answer", "not_begun": "gallons",
    "supervision": "supervised", "circumstances": "circumstances", "manhole": "point", "point_waste": "point",
    "point_closed": "point",
    "more_than_logged": "gallons", "gallons_below": "gallons", "no_reason": "reason", "gallons_unloaded": "gallons",
    "driver": "driver", "rate": "rate", "weights": "full_lb", "weighs": "gallons", "flush": "flush",
    "temp_impossible": "temp_f", "full_tank": "gallons", "more_by": "ordered", "bottle_odd": "bottle",
    "pretreated": "note", "origin_missing": "origin", "same_time": "gallons", "long_ago": "day", "ahead": "time",
    "parts_over": "other_gallons", "quantity_missing": "cubic_yards",
    "no_law": "day",
}  # fmt: skip
ASKS_WHY = ("gallons_over_tank", "full_tank", "ph_impossible", "temp_impossible", "bottle_odd", "same_time", "long_ago")


def kept_id(typed: str | None) -> str:
    """The id the load was given where it is typed; a new one when there is none that can be used."""
    return typed if typed and re.fullmatch(r"[0-9A-Za-z-]{8,64}", typed) else fresh()


class StartField(ChoiceField):
    """A later start that was offered; ``data`` an aware datetime or None. Whether it is free the act decides."""

    def read(self, typed: str) -> datetime:
        """The instant as the page wrote it; raises ValueError for anything else."""
        try:
            start = datetime.fromisoformat(typed).astimezone(UTC)
            if start.second or start.microsecond:
                raise ValueError("a start is a whole minute")
            return start
        except (ValueError, OverflowError):
            raise ValueError("Select one of the times shown") from None

    def pre_validate(self, form: Any) -> None:
        if self.wrong:
            raise StopValidation(self.wrong)


class StationForm(Form):
    """What the forms of the gate share: an id made at the tablet, and refusals shown where they belong."""

    client_id = HiddenField(default=fresh, filters=[kept_id])
    asks_why = False
    asks_answer = False

    def show_refusal(self, refusal: Refusal) -> None:
        """Put an act's refusal at its field, with the next step."""
        sentence = " ".join(filter(None, (refusal.why, refusal.next_step)))
        name = self.kind_at(refusal) if isinstance(self, OtherTiles) else None
        name = name or AT_FIELD.get(refusal.code)
        if refusal.code == "screening":
            # At the box of what was measured, else at what was ticked.
            measured = str(refusal.details.get("parameter", "ph"))
            name = measured if measured in ("ph", "temp_f") else "flags"
        self.refuse(name if name in self._fields else None, sentence)
        self.asks_why = refusal.code in ASKS_WHY
        if self.asks_why:
            self._fields["reason"].optional = False
        self.asks_answer = refusal.code == "ask"
        if self.asks_answer:
            self._fields["answer"].optional = False


SUPERVISED = "A load into a manhole runs only under supervision"


class LoadForm(StationForm, OtherTiles):
    """Log a load: what was booked is filled in, only what differs is changed."""

    driver = TextField("Driver", empty="Enter the driver's name", longest=100, autocomplete="off")
    waste = TilesField("Type of waste", tuple(WASTE_TYPES.items()), empty="Select the type of waste")
    normal = TilesField("Looks and smells normal?", YES_NO, default="yes", word="whether it looks normal")
    tested = TilesField("Test this load?", YES_NO, default="yes", word="whether it is tested")
    gallons = GallonsField("Gallons", max=MOST)
    ph = DecimalField_("pH", empty=None, places=2)
    bottle = TextField("Sample bottle", empty=None, longest=20, autocomplete="off")
    basis = ChoiceField("Gallons found by", tuple((b.value, words) for b, words in BASIS_WORDS.items()),
                        default=Basis.METER.value)  # fmt: skip
    note = AreaField("Note", empty=None, longest=500, rows=2)
    flags = TicksField("What was seen or smelled?", empty=None)
    temp_f = DecimalField_("Temperature, °F", empty=None, places=1)
    flush = GallonsField("Of that, flush water", "Gallons that washed the tank out", word="Flush water", empty=None,
                         min=0, max=MOST)  # fmt: skip
    full_lb = WholeField("Weighed full, pounds", word="Weight", empty=None, max=MOST_POUNDS)
    empty_lb = WholeField("Weighed empty, pounds", word="Weight", empty=None, max=MOST_POUNDS)
    pickups = AreaField("Pick-ups", "One a line: place and gallons, like 12 Lake Road 600", empty=None, longest=1_000,
                        rows=3)  # fmt: skip
    reason = TextField(WHY_KEPT, empty=None, longest=300)
    # Which odd values this page has asked about: the reason is of no other.
    about = HiddenField(default="")
    untested = TextField("Why it is not tested", empty=None, longest=300)
    answer = TextField("What the Superintendent answered", "Name and words", empty=None, longest=300,
                       autocomplete="off")  # fmt: skip
    finding = TilesField("What is to follow?", empty=None)
    start = StartField("The truck waits until", empty=None)
    point = TilesField("Where?", empty=None)
    origin = TilesField("Where is the waste from?", empty=None)
    cubic_yards = DecimalField_("Cubic yards", "Where the load is charged by them", empty=None, places=2,
                               max=MOST_YARDS)  # fmt: skip
    supervised = TextField("Who of the plant stands by?", SUPERVISED, empty=None, longest=100, autocomplete="off")
    circumstances = TextField("Why into the manhole?", "The special circumstances", empty=None, longest=300)
    ordered = TextField("Who ordered this test?", "Name and office", empty=None, longest=100, autocomplete="off")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Whether a bottle is needed hangs on the test: the act says so, the label does not call it optional.
        self.bottle.optional = False
        # The same for where it goes, and for who stands by at a manhole.
        self.point.optional = self.supervised.optional = self.finding.optional = self.ordered.optional = False
        self.circumstances.optional = self.origin.optional = False

    asks_untested = False

    def show_refusal(self, refusal: Refusal) -> None:
        """As on every form of the gate; an odd value is asked about beside those asked about before."""
        if self.tested.data == "no" and not self.untested.data and not self.about.data:
            self.untested.data, self.reason.data = self.reason.data, ""
        super().show_refusal(refusal)
        if self.asks_why:
            self.about.data = ",".join(dict.fromkeys((*self.asked_about(), refusal.code)))
        self.asks_untested = refusal.code == "untested_why"
        if self.asks_untested:
            self.untested.optional = False

    def asked_about(self) -> tuple[str, ...]:
        """The odd values this page asked about, as codes of refusals."""
        return tuple(one for one in (self.about.data or "").split(",") if one in ASKS_WHY)

    def values(self) -> dict[str, Any]:
        """What ``log_load`` takes of it."""
        return {
            "driver": self.driver.data, "waste": self.waste.data, "gallons": self.gallons.data, "ph": self.ph.data,
            "bottle": self.bottle.data, "tested": self.tested.data == "yes", "normal": self.normal.data == "yes",
            "basis": self.basis.data, "note": self.note.data, "reason": self.reason.data,
            "answer": self.answer.data, "finding": self.finding.data or "", "flags": tuple(self.flags.data or ()),
            "temp_f": self.temp_f.data, "flush": self.flush.data or 0, "full_lb": self.full_lb.data,
            "empty_lb": self.empty_lb.data, "pickups": pickups.read(self.pickups.data or ""),
            "point_id": int(self.point.data) if self.point.data else None,
            "supervised_by": self.supervised.data, "circumstances": self.circumstances.data,
            "ordered_by": self.ordered.data, "origin": self.origin.data or "",
            "untested": self.untested.data, "about": self.asked_about(), "others": self.others(),
            "cubic_yards": self.cubic_yards.data if "cubic_yards" in self else None,
        }  # fmt: skip


def offer_kinds(form: Any, law: Law, day: date) -> None:
    """What there is to choose where the charges of a day hang on zones, on several kinds or on cubic yards."""
    form.origin.choices = zones(law, day)
    # Whether a zone is needed hangs on the kind of waste: the act says so.
    form.origin.optional = False
    offer(form, law, day)
    if "cubic_yards" not in asks_more(law, day) and "cubic_yards" in form:
        del form["cubic_yards"]


class ContinueForm(StationForm):
    """Another morning of the same load: its gallons, and who drives: one who was named before, or another."""

    gallons = GallonsField("Gallons this morning", word="Gallons", max=MOST)
    drives = TilesField("Who drives this morning?", empty=None)
    driver = TextField("Driver", empty=None, longest=100, autocomplete="off")
    full_lb = WholeField("Weighed full, pounds", word="Weight", empty=None, max=MOST_POUNDS)
    empty_lb = WholeField("Weighed empty, pounds", word="Weight", empty=None, max=MOST_POUNDS)
    note = AreaField("Note", empty=None, longest=500, rows=2)
    reason = TextField(WHY_KEPT, empty=None, longest=300)
    start = StartField("The truck waits until", empty=None)
    supervised = TextField("Who of the plant stands by?", SUPERVISED, empty=None, longest=100, autocomplete="off")

    def offer_drivers(self, named: Mapping[str, str]) -> None:
        """Names that were given before, each with when: nobody of them drives until somebody says so."""
        self.drives.choices = [(name, name, hint) for name, hint in named.items()]
        self.drives.optional = self.driver.optional = False
        if named:
            self.driver.label.text = "Or another driver"

    @property
    def drove(self) -> str:
        """Who drives: what was typed, else who was chosen."""
        return (self.driver.data or self.drives.data or "").strip()

    def validate(self, extra_validators: Any = None) -> bool:
        """True when it can be read, and somebody is named."""
        good = super().validate(extra_validators)
        if not self.drove and not self.driver.errors:
            self.driver.errors = ["Enter the driver's name"]
            return False
        return good


class RefuseForm(StationForm):
    """A truck that is turned away. Name and plate only when the page does not know them."""

    business_name = TextField("Name on the truck", empty=None, autocomplete="off")
    plate = TextField("Plate", empty=None, longest=20, autocomplete="off")
    driver = TextField("Driver", empty=None, longest=100, autocomplete="off")
    reason_code = TilesField("Why is it refused?", tuple((r.value, words) for r, words in REFUSAL_WORDS.items()),
                             empty="Select why the load is refused")  # fmt: skip
    reason = AreaField("What was wrong", "In words the hauler will read", empty="Enter what was wrong", longest=500,
                       rows=3)  # fmt: skip
    ph = DecimalField_("pH", empty=None, places=2)
    gallons = GallonsField("Gallons unloaded", "0 when nothing was unloaded", min=0, max=MOST)

    def __init__(self, *args: Any, known: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Where no truck is chosen the act asks for the name.
        self.business_name.optional = known


class StopForm(StationForm):
    """A truck that is stopped: what came out until now, and why."""

    gallons = GallonsField("How many gallons were unloaded?", word="Gallons", min=0, max=MOST)
    reason = TextField("Why is it stopped?", empty="Enter why the truck is stopped", longest=300, autocomplete="off")


class VoidForm(Form):
    """Why a ticket is taken back."""

    reason = AreaField("Why is it voided?", empty="Enter why the load is voided", word="why it is voided", rows=3)

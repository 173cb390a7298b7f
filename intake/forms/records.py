"""The written record of a load: where it came from."""

from collections.abc import Iterable, Sequence
from typing import Any

from wtforms import FieldList

from haulers.queries import ApprovedPlace
from intake.queries.named_places import NamedPlace
from office import formats
from office.forms import AreaField, Form, GallonsField, Row, RowsField, TextField, TickField, leaves

MOST = 100_000
SOURCES = "Where did the load come from?"
DETAILS = "Addresses and kinds of tank"


class OtherRow(Row):
    """A place that is not among the approved sources."""

    place = TextField("Which place?", "Address, and kind of tank", "Enter the place", longest=300)
    gallons = GallonsField("Gallons from there", empty="Enter the gallons from there", max=MOST)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # No other place is needed; one that is begun is asked for whole.
        self.place.optional = self.gallons.optional = True


class OthersField(RowsField):
    """Other places, none needed; a row left blank is dropped."""

    def validate(self, form: Any, extra_validators: Iterable[Any] = ()) -> bool:
        for n in reversed(range(len(self.entries))):
            if not any(leaf.typed for leaf in leaves(self.entries[n].form)):
                self.pop_entry(n)
        good = FieldList.validate(self, form, extra_validators)
        if not good and not self.entries:
            self.append_entry()
        return bool(good)


class RecordForm(Form):
    """One line for each place is enough; the words are kept as they are written."""

    sources = AreaField(SOURCES, "One line for each place: address, kind of tank, gallons",
                        empty="Enter where the load came from", word="Where the load came from", rows=5)  # fmt: skip
    approved: Sequence[ApprovedPlace] = ()

    def places(self) -> list[NamedPlace]:
        """The places named with their gallons; none where the form asks in words only."""
        return []

    def own(self) -> list[Any]:
        """The fields of the approved sources."""
        return []

    def agreed(self, _gallons: int) -> bool:
        """Whether the places make up the load, or who writes them says that they are right all the same."""
        return True


class PlacesForm(RecordForm):
    """Gallons from each source the approval covers, and from other places; ``places_form`` gives each its field."""

    others = OthersField(OtherRow, "Another place", "Place")
    sources = AreaField(DETAILS, "One line for each place: address, kind of tank", empty=None, rows=3, word=DETAILS)
    sure = TickField("The gallons are right as I wrote them")
    # Whether it may be written in words only.
    words_enough = False

    def own(self) -> list[Any]:
        return [self[f"from_{one.key}"] for one in self.approved]

    def places(self) -> list[NamedPlace]:
        named = [NamedPlace(one.place, field.data, one.key)
                 for one, field in zip(self.approved, self.own(), strict=True) if field.data]  # fmt: skip
        return named + [NamedPlace(row.form.place.data, row.form.gallons.data) for row in self.others.entries]

    def agreed(self, gallons: int) -> bool:
        places = self.places()
        named = sum(one.gallons for one in places)
        if named == gallons or self.sure.data or (self.words_enough and not places):
            return True
        self.refuse(self.sure, f"The places add up to {formats.volume(named)}; the load was {formats.volume(gallons)}. "
                               "Change the gallons, or confirm that they are right")  # fmt: skip
        return False

    def validate(self, extra_validators: Any = None) -> bool:
        good = super().validate(extra_validators)
        if good and not self.places() and not (self.words_enough and self.sources.data):
            self.refuse(self.own()[0], "Enter the gallons from a source, or another place")
            return False
        return good


class Why:
    """What a correction asks besides."""

    why = AreaField("Why is the record corrected?", "The city reads it, and it stays beside the first record",
                    empty="Enter why the record is corrected", rows=2, longest=1_000)  # fmt: skip


class CorrectedForm(Why, RecordForm):
    """The correction of a record in words."""


class CorrectedPlacesForm(Why, PlacesForm):
    """The correction of a record by the sources the approval covers; what was written in words may stay so."""

    words_enough = True


def record_form(approved: Sequence[ApprovedPlace], data: dict[str, Any] | None = None, *, correcting: bool = False
                ) -> RecordForm:  # fmt: skip
    """The form of a record: by the sources an approval covers, or in words where it names none. ``data`` fills it.

    ``correcting`` one that is filed: it asks why.
    """
    if not approved:
        return (CorrectedForm if correcting else RecordForm)(data=data)
    fields = {f"from_{one.key}": GallonsField(one.words, word="Gallons", empty=None, min=0, max=MOST)
              for one in approved}  # fmt: skip
    kind = CorrectedPlacesForm if correcting else PlacesForm
    return type("RecordOfPlacesForm", (kind,), fields | {"approved": tuple(approved)})(data=data)

"""The other kinds of a mixed load: each with its gallons and where it is from, each kind of waste once."""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any, NamedTuple

from office.forms import ChoiceField, Form, GallonsField, TilesField
from ordinances.hauled import Part
from ordinances.refusal import Refusal
from ordinances.rows import Law
from ordinances.schedule_words import asks_more, zones
from ordinances.screening import WASTE_TYPES

MOST, NOTHING = 100_000, "nothing"
# How many other kinds a form has boxes for; how many it asks for is the law's (`offer`).
BOXES = len(WASTE_TYPES) - 1


class Kind(NamedTuple):
    """The boxes of one other kind; ``origin`` is None where no charge hangs on it."""

    waste: Any
    gallons: Any
    origin: Any

    @property
    def chosen(self) -> bool:
        """Whether a kind is named."""
        return self.waste.data not in (None, "", NOTHING)

    @property
    def begun(self) -> bool:
        """Whether anything is typed or wrong in it."""
        wrong = self.waste.errors or self.gallons.errors or (self.origin and self.origin.errors)
        return bool(self.chosen or self.gallons.data or wrong)


class OtherKinds(Form):
    """The boxes of other kinds on a form: `other_waste`, `other_gallons`, `other_origin`, then the same with `_2` …"""

    def kinds(self) -> list[Kind]:
        """The other kinds that are asked for; none where the law knows no mixed load."""
        boxes = ([self._fields.get(name) for name in names(n)] for n in range(1, BOXES + 1))
        return [Kind(waste, gallons, origin if origin and origin.choices else None)
                for waste, gallons, origin in boxes if waste and gallons and waste.choices]  # fmt: skip

    def others(self) -> tuple[Part, ...]:
        """The other kinds in a mixed load; one without its gallons is asked for them by the act."""
        return tuple(Part(one.waste.data, (one.origin.data or None) if one.origin else None, one.gallons.data or 0)
                     for one in self.kinds() if one.chosen)  # fmt: skip

    def kind_at(self, refusal: Refusal) -> str | None:
        """The box a refusal of the other kinds is of; None where it is of none of them."""
        chosen = [one for one in self.kinds() if one.chosen]
        if refusal.code == "parts_over" and chosen:
            return str(next((one for one in chosen if not one.gallons.data), chosen[-1]).gallons.name)
        waste = refusal.details.get("waste")
        if waste is None or waste == self["waste"].data:
            return None
        return next((str(one.waste.name) for one in chosen if one.waste.data == waste), None)

    def validate(self, extra_validators: Any = None) -> bool:
        """Gallons of no kind are asked about, never left out."""
        good = super().validate(extra_validators)
        loose = [] if self.too_late else [one for one in self.kinds() if one.gallons.data and not one.chosen]
        for one in loose:
            self.refuse(one.waste, f"Select which kind the {one.gallons.data:,} gallons are of, or clear the gallons")
        return good and not loose


class OtherTiles(OtherKinds):
    """The boxes as the station draws them."""


class OtherChoices(OtherKinds):
    """The boxes as a page of choices draws them."""


def names(n: int) -> tuple[str, str, str]:
    """What the boxes of the n-th other kind are called."""
    last = "" if n == 1 else f"_{n}"
    return f"other_waste{last}", f"other_gallons{last}", f"other_origin{last}"


for _n in range(1, BOXES + 1):
    for _form, _choice, _asked, _from in (
        (OtherTiles, TilesField, "Which other kind is in it?", "Where is that kind from?"),
        (OtherChoices, ChoiceField, "Another kind in the same load", "Where that kind comes from"),
    ):
        _waste, _gallons, _origin = names(_n)
        setattr(_form, _waste, _choice(_asked, empty=None, default=NOTHING))
        setattr(_form, _gallons, GallonsField("Of the gallons, of that kind", word="Gallons", empty=None, max=MOST))
        setattr(_form, _origin, _choice(_from, empty=None))


def offer(form: Any, law: Law, day: date) -> None:
    """What there is to choose of other kinds by the charges of a day, and no more boxes than there can be kinds."""
    where, kinds = zones(law, day), list(WASTE_TYPES)
    if law.has("approval.covers", day):
        kinds = list(law.value("approval.covers", day))
    # A load of one kind from one zone has nothing else in it to name.
    most = len(kinds) * max(1, len(where)) - 1 if "mixed" in asks_more(law, day) else 0
    named = [(NOTHING, "Nothing else"), *((one, WASTE_TYPES[one]) for one in kinds)]
    for n in range(1, BOXES + 1):
        waste, gallons, origin = names(n)
        if n > max(1, most):
            for name in (waste, gallons, origin):
                del form[name]
            continue
        form[waste].choices, form[origin].choices = (named, where) if most else ([], [])
        form[waste].optional = False


def typed(others: Iterable[Part]) -> dict[str, Any]:
    """The other kinds of a load as they fill the boxes of a form."""
    return dict(_typed(others))


def _typed(others: Iterable[Part]) -> Iterator[tuple[str, Any]]:
    for n, part in enumerate(others, start=1):
        yield from zip(names(n), (part.waste, part.gallons, part.origin or ""), strict=True)

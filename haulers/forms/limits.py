"""The limits of one hauler, a row each: how many gallons of which waste in what time, refused or only noted."""

from collections.abc import Iterable
from typing import Any

from wtforms import FieldList

from haulers.queries.motion_lines import Limit
from haulers.states import Period
from office.forms import ChoiceField, GallonsField, Row, RowsField, leaves

MOST = 9_999_999
# Stands in the form for a limit on all waste together.
ALL = "all"
PERIODS = (
    (Period.DAY.value, "A day"), (Period.WEEK.value, "A week"), (Period.WINTER.value, "The winter"),
    (Period.REST.value, "The rest of the year"), (Period.SEASON.value, "The season"),
)  # fmt: skip
HARD = (("refuse", "Refuse it when booking and at the gate"), ("note", "Only note it"))


class LimitRow(Row):
    """One limit."""

    gallons = GallonsField("Gallons", word="Gallons", max=MOST)
    waste = ChoiceField("Of which waste", ((ALL, "All"),), default=ALL, word="the type of waste")
    period = ChoiceField("In what time", PERIODS, word="the time the limit is for")
    hard = ChoiceField("When a load passes it", HARD, default="refuse", word="what follows when a load passes it")

    def limit(self) -> Limit:
        """The limit typed; only of a row without errors."""
        waste = "" if self.waste.data == ALL else self.waste.data
        return Limit(waste, Period(self.period.data), self.gallons.data, self.hard.data == "refuse")

    @property
    def blank(self) -> bool:
        """Whether nothing is said yet: what is chosen beforehand says nothing by itself."""
        return not (self.gallons.typed or self.period.typed or self.waste.typed not in ("", ALL))


class LimitsField(RowsField):
    """The limits of a hauler, none at first; rows left blank are dropped. Errors name the limit by its number."""

    def __init__(self, label: str = "Limits for this hauler", **kwargs: Any) -> None:
        super().__init__(LimitRow, label, "Limit", least=0, most=20, **kwargs)

    def validate(self, form: Any, extra_validators: Iterable[Any] = ()) -> bool:
        for n in reversed([n for n, entry in enumerate(self.entries) if entry.form.blank]):
            self.pop_entry(n)
        good = FieldList.validate(self, form, extra_validators)
        for n, entry in enumerate(self.entries, start=1):
            for leaf in leaves([entry]):
                leaf.errors = [f"limit {n}: {said[:1].lower()}{said[1:]}" for said in leaf.errors]
        return bool(good)

    def offer(self, wastes: Iterable[tuple[str, str]]) -> None:
        """Offer the types of waste an application names. Again after an added row."""
        choices = ((ALL, "All"), *wastes)
        for entry in self.entries:
            entry.form.waste.choices = choices

    def limits(self) -> list[Limit]:
        """The limits typed."""
        return [entry.form.limit() for entry in self.entries]

    def edited(self, added: str, removed: str) -> bool:
        """Do a press of "Add a limit" or "Remove" where it is for these limits, by their name in the page."""
        name, _, place = removed.rpartition("-")
        if added == self.name and len(self) < self.most:
            self.append_entry()
            self.focus = len(self) - 1
        elif name == self.name and place.isdecimal() and int(place) < len(self):
            self.pop_entry(int(place))
            self.focus = min(int(place), len(self) - 1) if len(self) else None
        return self.name in (added, name)


def as_rows(limits: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Limits kept with a decision as their rows show them."""
    return [{"gallons": one["gallons"], "waste": one["waste"] or ALL, "period": one["period"],
             "hard": "refuse" if one["hard"] else "note"} for one in limits]  # fmt: skip

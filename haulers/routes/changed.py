"""What the pages of a decision show of answers that changed: after the vote, or after a meeting recorded late."""

from collections.abc import Sequence

from haulers.actions.changed_since import changed_since
from haulers.forms import DecisionForm
from haulers.models import Application, ApplicationChange
from haulers.queries.answers import differences
from office.pages import Page


def changed_answers(made: ApplicationChange | None) -> list[tuple[str, str, str]]:
    """(answer, before, after) of a change; none for none."""
    return differences(made.before or {}, made.after or {}) if made is not None else []


def since_rows(here: Page, form: DecisionForm, found: Sequence[Application]) -> list[tuple[str, str, str]]:
    """(hauler and answer, before, now) of what was changed since the meeting began, where that is asked about."""
    tick = form._fields.get("as_changed")
    if tick is None or form.held_on.data is None or not (tick.errors or tick.data):
        return []
    made = changed_since(here.plant, found, form.roll(here.plant.tz), here.law)
    return [(f"{one.business_name}: {name}", before, now) for one, change in made
            for name, before, now in changed_answers(change)]  # fmt: skip

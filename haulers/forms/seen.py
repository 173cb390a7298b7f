"""A form that knows from which state of a record it was filled, so that nobody's newer save is overwritten unseen."""

from typing import Any

from wtforms import HiddenField

from office.forms import Form
from ordinances.refusal import Refusal


class SeenForm(Form):
    """Carries ``seen``, the mark of the record as it was shown (``haulers.queries.saves.mark_of``).

    ``overtaken`` once it was refused because somebody saved after that.
    """

    overtaken = False
    seen = HiddenField()

    def first_shown(self, mark: str) -> "SeenForm":
        """Put the mark in when the form is shown the first time; one sent back keeps its own."""
        if not self.is_submitted():
            self.seen.data = mark
        return self

    def refused(self, refusal: Refusal, fields: dict[str, str]) -> Any:
        """Show a refusal at its field; after ``saved_since`` the next press puts these answers in place of theirs."""
        if refusal.code == "saved_since":
            self.seen.data, self.overtaken = refusal.details["seen"], True
        self.refuse(fields.get(refusal.code), " ".join(filter(None, [refusal.why, refusal.next_step])))

"""The form of a paper application, filled in by the clerk."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from haulers.forms.application import SeasonFields, SourceFields, UnusualFields
from haulers.forms.registration import StateField, TruckRow
from haulers.queries import TruckLine
from haulers.queries.answers import PaperCompany
from haulers.queries.completeness import season_differs
from haulers.queries.registered import Registered
from office.formats import date_only as date_words
from office.forms import AreaField, ChoiceField, Date3Field, EmailField, Form, PhoneField, RowsField, TextField
from office.upload_fields import UploadField

NEW = "new"


class CompanyOnPaper:
    """The company, one of those known or a new one."""

    received_on = Date3Field("Date received", "As stamped on the paper", "Enter the date it was received")
    sure = ChoiceField("Is that the day it was received?", empty=None)
    find = TextField("Find the company", "Part of its name, or its license number. Leave it empty to list all of them",
                     empty=None)  # fmt: skip
    company = ChoiceField("Which company is it from?", word="which company it is from")
    name = TextField("Company name", "Only for a new company, as are the questions down to the trucks", empty=None)
    address = AreaField("Mailing address", "Street, town, state and ZIP code, on separate lines", rows=3, longest=400,
                        empty=None)  # fmt: skip
    phone = PhoneField("Phone", empty=None)
    email = EmailField("E-mail", "Leave this empty if the paper gives none", empty=None, longest=254)
    contact = TextField("Contact person", empty=None)
    licence_state = StateField("State that gave the license", "Two letters, like WI", empty=None)
    licence_number = TextField("License number", empty=None, longest=40)
    licence_ends = Date3Field("License end date", empty=None)
    trucks = RowsField(TruckRow, "Trucks", "Truck")


class LateOnPaper:
    """Paper received after the close; a scan of it."""

    late_reason = AreaField("If it came after the close: why is it late?",
                            "Then the committee votes on whether to take it", rows=3, longest=2000,
                            empty=None)  # fmt: skip
    scan = UploadField("Scan of the paper", empty=None)


class PaperForm(CompanyOnPaper, SourceFields, SeasonFields, UnusualFields, LateOnPaper, Form):
    """Everything the paper says.

    ``licensed``: a new company needs a license. ``came_late``: when papers were taken, where this one came afterwards.
    """

    licensed = False
    came_late = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The errors are listed as the page asks; the fields of a class come in the order they were written anywhere.
        last = ("scan", "late_reason", "words", "unusual", "season", "sources", "trucks")
        for name in reversed(last):
            self._fields[name] = self._fields.pop(name)

    def doubt(self, day: date, season: str) -> None:
        """Ask whether the day received is right, and with it the season; what was said of another day is forgotten."""
        self.sure.choices = [(day.isoformat(), f"Yes, on {date_words(day)}, for season {season}")]
        self.sure.optional = False
        if self.sure.typed != day.isoformat():
            self.sure.process_data(None)

    def confirmed(self) -> date | None:
        """The unlikely day the clerk said is right."""
        return self.received_on.data if self.sure.data else None

    def known(self, companies: Iterable[Registered]) -> "PaperForm":
        """Offer the companies registered here, and a new one."""
        self.company.choices = [*((str(one.id), one.name, one.words) for one in companies), (NEW, "A new company")]
        return self

    def relaxed(self) -> "PaperForm":
        """A paper says what it says: season, unusual waste and trucks may be left out."""
        for field in (self.season, self.unusual):
            field.empty, field.optional = None, True
        for entry in self.trucks.entries:
            for leaf in entry.form:
                if self.company.data != NEW or not any(leaf.data for leaf in entry.form):
                    leaf.empty = None
        return self

    def validate(self, extra_validators: Any = None) -> bool:
        good = super().validate(extra_validators)
        if self.too_late:
            return False
        self._complete()
        if not self.explained() or not good:
            return False
        said = season_differs(self.season.data or "", self.lines())
        if said:
            self.refuse("season", said.rstrip("."))
        return not self.problems()

    def _complete(self) -> None:
        """All that is missing in one answer: of a new company, and why a paper that came after the close is late."""
        needed = [(self.name, "Enter the company name"), (self.address, "Enter the mailing address")]
        if self.licensed:
            needed += [(self.licence_number, "Enter the license number"),
                       (self.licence_ends, "Enter the license end date")]  # fmt: skip
        for field, said in needed if self.company.data == NEW else ():
            if not field.data and not field.errors:
                self.refuse(field, said)
        if self.came_late and not self.late_reason.data:
            self.refuse("late_reason", f"{self.came_late} Enter why it is late, or correct the date received")

    def who(self) -> int | PaperCompany:
        """The business picked, or the company as the paper names it."""
        if self.company.data != NEW:
            return int(self.company.data)
        trucks = [TruckLine(row.form.plate.data, row.form.capacity.data, row.form.name.data, row.form.sticker.data)
                  for row in self.trucks.entries if row.form.plate.data]  # fmt: skip
        return PaperCompany(self.name.data, self.address.data, self.phone.data, self.email.data, self.contact.data,
                            self.licence_state.data, self.licence_number.data, self.licence_ends.data,
                            trucks)  # fmt: skip

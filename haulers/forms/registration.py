"""Forms for a hauler's company, trucks, state license and insurance."""

from datetime import date
from typing import Any

from wtforms.widgets import PasswordInput

from haulers.forms.seen import SeenForm
from haulers.queries import TruckLine
from haulers.queries.us_states import NO_STATE, state_code
from office.forms import (
    AreaField,
    Date3Field,
    EmailField,
    Form,
    GallonsField,
    PhoneField,
    Plain,
    Row,
    RowsField,
    TextField,
    UploadField,
)
from office.signin import SHORTEST_PASSWORD


class PasswordField_(Plain):  # noqa: N801  (PasswordField is WTForms' own)
    """A password to be chosen: any characters, kept as typed, never shown again."""

    blank = ""
    widget = PasswordInput()
    autocomplete = "new-password"

    def process_formdata(self, values: Any) -> None:
        self.typed = self.data = values[0] if values else ""
        self.wrong = None

    def check(self, value: str) -> str | None:
        return f"Enter a password of {SHORTEST_PASSWORD} characters or more" if len(value) < SHORTEST_PASSWORD else None


class TruckFields:
    """What a truck is described by; capacities in gallons."""

    plate = TextField("Plate", empty="Enter the plate", longest=20)
    capacity = GallonsField("Tank size", "In gallons, as written on the tank", "Enter the tank size", min=1, max=20000)
    name = TextField("What you call it", "For example, Big Red", empty=None, longest=100)
    sticker = TextField("State vehicle number", "On the sticker at the rear of the tank", empty=None, longest=40)


class TruckRow(TruckFields, Row):
    """One truck among others."""


class TruckForm(TruckFields, SeenForm):
    """One truck added to the list, or changed on it."""

    def line(self) -> TruckLine:
        return TruckLine(self.plate.data, self.capacity.data, self.name.data, self.sticker.data)


class CompanyFields:
    """How a company is named and reached."""

    name = TextField("Company name", empty="Enter the company name", autocomplete="organization")
    address = AreaField("Mailing address", "Street, town, state and ZIP code, on separate lines", rows=3, longest=400,
                        empty="Enter the mailing address", autocomplete="street-address")  # fmt: skip
    phone = PhoneField("Phone", "Include the extension if there is one", "Enter a phone number")
    contact = TextField("Contact person", empty="Enter the name of a contact person", autocomplete="name")
    email = EmailField("E-mail", "Decisions, tickets and restrictions are sent here", "Enter an e-mail address",
                       longest=254)  # fmt: skip


class CompanyForm(CompanyFields, SeenForm):
    """Change what a company is called or how it is reached."""


PASSWORD_HINT = "10 characters or more; spaces are fine"


class SignInFields:
    """The password of a new account. Fields stand in a form in the order they are written in this file."""

    password = PasswordField_("Choose a password", PASSWORD_HINT, "Enter a password")


class StateField(TextField):
    """A state, by its two letters or its name; ``data`` is the two letters."""

    size = "short"

    def read(self, typed: str) -> str:
        code = state_code(typed)
        if code is None:
            raise ValueError(NO_STATE)
        return code


class LicenseFields:
    """A state license as the hauler gives it."""

    licence_state = StateField("State that gave the license", "Two letters, like WI",
                               "Enter the state that gave the license")  # fmt: skip
    licence_number = TextField("License number", empty="Enter the license number", longest=40)
    licence_ends = Date3Field("License end date", "For example, 6 30 2027", "Enter the license end date")


class LicenseForm(LicenseFields, Form):
    """A new license, perhaps with a copy of it."""

    copy = UploadField("A copy of the license", empty=None)


class InsuranceForm(Form):
    """A liability insurance, perhaps with its certificate."""

    insurer = TextField("Insurance company", empty="Enter the insurance company", longest=200)
    policy = TextField("Policy number", empty=None, longest=80)
    ends = Date3Field("Insurance end date", "For example, 6 30 2027", "Enter the insurance end date")
    copy = UploadField("The certificate of insurance", empty=None)


class RegisterForm(CompanyFields, SignInFields, LicenseFields, Form):
    """Open an account: company, sign-in, license, trucks."""

    trucks = RowsField(TruckRow, "Trucks", "Truck")

    def typed_again(self) -> "RegisterForm":
        """Ask for the password again on a page that comes back: it is never sent to the browser."""
        if self.is_submitted() and self.password.data:
            self.password.hint = f"Type your password again: it is not kept on this page. {PASSWORD_HINT}"
        return self

    def lines(self) -> list[TruckLine]:
        return [TruckLine(row.form.plate.data, row.form.capacity.data, row.form.name.data, row.form.sticker.data)
                for row in self.trucks.entries]  # fmt: skip

    def values(self) -> dict[str, Any]:
        """Everything for the act, by its own names."""
        names = ("name", "address", "phone", "email", "contact", "password", "licence_state", "licence_number")
        ends: date = self.licence_ends.data
        return {name: self[name].data for name in names} | {"licence_ends": ends, "trucks": self.lines()}

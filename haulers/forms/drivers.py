"""The forms of a company's drivers and of the people who act for it."""

from typing import Any

from haulers.forms.registration import PASSWORD_HINT, PasswordField_
from haulers.forms.seen import SeenForm
from haulers.queries.drivers import DriverLine, OnRoster
from office.forms import ChoiceField, Date3Field, EmailField, Form, TextField, TickField

NONE = "none"
NAMED = ("Master operator", "Vehicle operator", "Operator in training", "Another certificate")
CERTIFICATES = (*((words, words) for words in NAMED), (NONE, "No certificate"))


class DriverForm(SeenForm):
    """A driver, the state's certificate, and a sign-in of their own if wanted."""

    name = TextField("Driver's name", empty="Enter the driver's name", longest=200)
    certificate = ChoiceField("State certificate", CERTIFICATES, empty=None)
    certificate_number = TextField("Certificate number", empty=None, longest=40)
    certificate_ends = Date3Field("Certificate end date", "For example, 6 30 2027", None)
    in_charge = TickField("This driver is our operator-in-charge",
                          "One driver is. In place of the one named before, if there is one")  # fmt: skip
    email = EmailField("Driver's e-mail", "Only for a driver who is to sign in and see today's bookings", None,
                       longest=254)  # fmt: skip
    password = PasswordField_("First password", f"{PASSWORD_HINT}. Tell it to the driver, who can change it", None)

    def without_sign_in(self) -> "DriverForm":
        """For a driver who signs in already."""
        del self.email, self.password
        return self

    def line(self) -> DriverLine:
        certificate = self.certificate.data or ""
        return DriverLine(self.name.data, "" if certificate == NONE else certificate, self.certificate_number.data,
                          self.certificate_ends.data, bool(self.in_charge.data))  # fmt: skip

    def sign_in(self) -> tuple[str, str]:
        """E-mail and password typed, "" for none."""
        return (self.email.data, self.password.data) if "email" in self else ("", "")


def driver_fields(one: OnRoster) -> dict[str, Any]:
    """A driver on record as the form shows them."""
    row = one.row
    if row is None:
        return {"name": one.name}
    return {"name": row.name, "certificate": row.certificate or None, "certificate_number": row.certificate_number,
            "certificate_ends": row.certificate_ends_on, "in_charge": row.in_charge}  # fmt: skip


class PersonForm(Form):
    """Somebody invited to act for the company."""

    name = TextField("Name", empty="Enter the person's name", longest=200, autocomplete="off")
    email = EmailField("E-mail", "They sign in with it", "Enter the person's e-mail", longest=254, autocomplete="off")

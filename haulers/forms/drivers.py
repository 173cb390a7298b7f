"""The form that adds a driver."""

from haulers.forms.registration import PASSWORD_HINT, PasswordField_
from office.forms import EmailField, Form, TextField


class DriverForm(Form):
    """A driver and their sign-in."""

    name = TextField("Driver's name", empty="Enter the driver's name", longest=200)
    email = EmailField("Driver's e-mail", "The driver signs in with it", "Enter the driver's e-mail", longest=254)
    password = PasswordField_("First password", f"{PASSWORD_HINT}. Tell it to the driver, who can change it",
                              "Enter a password")  # fmt: skip

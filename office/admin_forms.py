"""Forms of set-up and of the administrator's pages."""

import re
from typing import Any

from wtforms import Field, ValidationError

from office.access import STAFF, TITLES, Role
from office.forms import (
    AreaField,
    ChoiceField,
    Date3Field,
    EmailField,
    Form,
    MoneyField,
    SecretField,
    TextField,
    TicksField,
)
from ordinances.reader import shipped

ROLES = (*STAFF, Role.MEMBER, Role.STATE)
ZONES = [(f"America/{name}", f"{name.replace('_', ' ')} time zone")
         for name in ("Chicago", "New_York", "Denver", "Los_Angeles", "Anchorage")]  # fmt: skip
AMOUNTS = {"fees.filing": "The filing fee of an application", "fees.wage": "The supervisor's wage, an hour",
           "fees.appeal": "The fee of an appeal"}  # fmt: skip


def slug(_form: Any, field: Field) -> None:
    """A short address: small letters, digits and hyphens."""
    if not re.fullmatch(r"[a-z][a-z0-9-]{1,40}", field.data):
        raise ValidationError("The short name must be small letters, digits and hyphens, like bayfield")


class SetUpForm(Form):
    """The first visit: the plant, its law, and the person who looks after both."""

    city = TextField("City or town", hint="As letters print it, like City of Bayfield", empty="Enter the city or town")
    name = TextField("Name of the plant", empty="Enter the name of the plant")
    slug = TextField("Short name in addresses", hint="Like bayfield", empty="Enter a short name", longest=60,
                     validators=[slug])  # fmt: skip
    address = AreaField("Mailing address", empty="Enter the mailing address")
    phone = TextField("Help phone", empty="Enter the help phone", longest=60)
    help_hours = TextField("When somebody answers it", hint="Like weekdays 7 a.m. to 3 p.m.", empty="Enter the hours")
    zone = ChoiceField("Time zone", choices=ZONES, empty="Select a time zone")
    law = ChoiceField("Ordinance", choices=[(name, name.title()) for name in sorted(shipped())],
                      empty="Select an ordinance")  # fmt: skip
    since = Date3Field("In force at your plant since", empty="Enter the day it took effect")
    resolution = TextField("By which ordinance or resolution", empty="Enter the ordinance or resolution")
    person = TextField("Your name", empty="Enter your name")
    email = EmailField("Your e-mail", empty="Enter your e-mail")
    password = SecretField("Choose a password", hint="10 characters or more", empty="Enter a password")


class PersonForm(Form):
    """A person of the city with their roles."""

    name = TextField("Name", empty="Enter the name")
    email = EmailField("E-mail", empty="Enter the e-mail")
    roles = TicksField(
        "Roles", choices=[(role.value, TITLES[role]) for role in ROLES], empty="Select at least one role"
    )


class AmountForm(Form):
    """An amount the Council sets, from a day on."""

    key = ChoiceField("Amount", empty="Select the amount")
    value = MoneyField("Dollars", empty="Enter the amount, like 75.00")
    since = Date3Field("In force from", empty="Enter the day it takes effect")
    resolution = TextField("By which resolution", "With its number and day", empty="Enter the resolution")
    basis = AreaField("Which costs does it rest on?", "Such as hours of staff and bills of the laboratory",
                      empty="Enter the costs that the amount rests on", rows=3)  # fmt: skip


class ReviewForm(Form):
    """The words on review rights that rejections and revocations carry; the city attorney approves them."""

    text = AreaField("If you disagree: the review rights", empty="Enter the words on review rights")
    since = Date3Field("In force from", empty="Enter the day they take effect")
    resolution = TextField("Approved by", hint="Like City Attorney, June 2, 2026", empty="Enter who approved them")

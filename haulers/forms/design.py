"""The form of what the plant is built for."""

from office.forms import Date3Field, Form, TextField, WholeField


class DesignForm(Form):
    """Design loads of the plant in pounds a day; one left empty stays as it is."""

    bod = WholeField("BOD5, pounds a day", empty=None)
    tss = WholeField("Suspended solids, pounds a day", empty=None)
    since = Date3Field("In force from", empty="Enter the day they take effect")
    resolution = TextField("From which document or order", "Like Facility plan of 2019, page 12",
                           word="the document or order")  # fmt: skip

"""The written record of a load: where it came from."""

from office.forms import AreaField, Form


class RecordForm(Form):
    """One line for each place is enough; the words are kept as they are written."""

    sources = AreaField("Where did the load come from?", "One line for each place: address, kind of tank, gallons",
                        empty="Enter where the load came from", word="Where the load came from", rows=5)  # fmt: skip

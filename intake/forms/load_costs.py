"""The forms of a cost the plant paid for a load, and of what was taken back of one."""

from decimal import Decimal

from office.forms import AreaField, ChoiceField, Form, MoneyField, TextField

MOST = Decimal(100_000)


class CostForm(Form):
    """What was paid for what, by whose bill; the page sets what the charges pass on."""

    name = ChoiceField("What did the plant pay for?", empty="Select what the plant paid for")
    dollars = MoneyField("Dollars", max=MOST, empty="Enter what the plant paid, like 62.50")
    bill = TextField("Whose bill is it?", "Such as Northern Lab, bill 4471 of October 9",
                     empty="Enter whose bill it is")  # fmt: skip


class AnewForm(Form):
    """Why what was taken back of a load is charged after all."""

    reason = AreaField("Why is it charged after all?", "The hauler reads this.",
                       empty="Enter why it is charged after all")  # fmt: skip

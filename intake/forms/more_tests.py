"""The form of further tests."""

from office.forms import AreaField, ChoiceField, Form, MoneyField, TextField, WholeField

AT_FIELD = {"no_what": "what", "tests": "tests", "office": "office", "no_name": "ordered_by", "no_reason": "reason",
            "cost": "cost"}  # fmt: skip


class MoreTestsForm(Form):
    """What is tested, for whom and why."""

    what = TextField("What is tested?", "Such as phosphorus, or metals", empty="Enter what is tested", longest=185)
    tests = WholeField("How many tests?", empty="Enter how many tests", word="Tests", min=1)
    office = ChoiceField("Who ordered them?", empty="Select who ordered them")
    ordered_by = TextField("Name of who ordered them", empty="Enter the name of who ordered them", longest=200)
    reason = AreaField("Why are they needed?", "The hauler reads it", empty="Enter why they are needed", longest=2_000,
                       rows=2)  # fmt: skip
    cost = MoneyField("What they cost", "Empty: the charge of a test, for each", empty=None)

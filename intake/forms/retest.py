"""Forms of new tests that somebody asks for."""

from intake.forms.lab import SURE
from office.forms import AreaField, ChoiceField, Form, MoneyField, TextField, TickField, TicksField, WholeField

MOST_HOURS = 168


class AskRetestForm(Form):
    """What is to be tested anew, and why."""

    parameters = TicksField("What is to be tested anew?", empty="Select what is to be tested anew")
    reason = AreaField("Why?", empty="Enter why", longest=2_000, rows=3)


class TakeBackForm(Form):
    """Why new tests are taken back."""

    reason = AreaField("Why?", empty="Enter why they are taken back", longest=2_000, rows=2)


class AnswerRetestForm(Form):
    """Accepted at a price, or refused with the reason."""

    accepted = ChoiceField("Your answer", (("yes", "Accept"), ("no", "Refuse")), empty="Select your answer")
    cost = MoneyField("What the new tests cost", "The hauler pays it when they are done", empty=None)
    hours = WholeField("Hours they run", empty=None, min=1, max=MOST_HOURS)
    words = AreaField("In words", "Why it is refused, or why a shorter test is approved", empty=None, longest=2_000,
                      rows=2)  # fmt: skip


def finish_form(names: dict[str, str], *, done: bool = False) -> type[Form]:
    """The form of what new tests found: a box a test, which results count, under which conditions the plant ran; of
    those that are ``done`` why it is corrected."""
    boxes = {
        name: TextField(words, "Like 4,200, or <2 if not detected", longest=60, autocomplete="off",
                        empty=f"Enter the result of {words}")
        for name, words in names.items()
    }  # fmt: skip
    return type("FinishForm", (Form,), boxes | {
        "sure": TickField(SURE),
        "prevails": ChoiceField("Which results count?", (
            ("yes", "The new ones", "The plant ran under normal conditions"), ("no", "The first ones")),
            empty="Select which results count"),
        "why": AreaField("Why is it corrected, and under which conditions did the plant run?", longest=2_000, rows=2,
                         empty="Enter why it is corrected") if done else
               AreaField("Under which conditions did the plant run?", longest=2_000, rows=2,
                         empty="Enter under which conditions the plant ran"),
    })  # fmt: skip

"""What the Director and the clerk write down of a broken rule: a revocation, a suspension, a notice of violation."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from haulers.ports import LoadLine
from office.forms import AreaField, ChoiceField, Date3Field, Form, TextField, TickField, TicksField

NOW, LATER = "now", "day"


class RuleForm(Form):
    """Which rule was broken, what happened, and the load tickets it rests on."""

    rule = ChoiceField("Which rule was broken?", word="the rule that was broken")
    reason = AreaField("What happened?", "The facts, with dates. The letter prints this.", rows=6,
                       empty="Enter the reason. The ordinance requires it in writing", longest=1500)  # fmt: skip
    loads = TicksField("Load tickets", hint="The letter lists those you tick.", empty=None)

    def fit(self, rules: Sequence[str], loads: Sequence[LoadLine], words: Any) -> Any:
        """Offer the provisions, whose words are the value, as the letter prints them, and the newest loads."""
        self.rule.choices = tuple(_offered(rule) for rule in rules)
        self.loads.choices = tuple((one.ticket, one.ticket, words(one).split(": ", 1)[1]) for one in loads)
        return self


class RevokeForm(RuleForm):
    """A revocation: from now, or from a day to come."""

    when = ChoiceField("From when?", ((NOW, "Now", "From the moment you send the letter"),
                                      (LATER, "From a day to come")), word="from when")  # fmt: skip
    from_day = Date3Field("First day without the approval", "Only for a day to come.", empty=None)

    def begins(self) -> date | None:
        """The first day without the approval; None for now."""
        return self.from_day.data if self.when.data == LATER else None

    def validate(self, extra_validators: Any = None) -> bool:
        good = super().validate(extra_validators)
        if self.when.data == LATER and self.from_day.data is None and not self.from_day.errors:
            self.refuse("from_day", "Enter the first day without the approval")
            return False
        return good


class SuspendForm(RuleForm):
    """A suspension to a last day, or until it is lifted."""

    until = Date3Field("Last day of the suspension", "Left blank: until you lift it.", empty=None)


class ViolationForm(RuleForm):
    """A notice of violation: the days it happened on and the day to correct it by."""

    first = Date3Field("First day it happened", empty="Enter the first day it happened")
    last = Date3Field("Last day it happened", "Left blank: one day only.", empty=None)
    correct_by = Date3Field("Correct it by", "A reasonable time.", empty="Enter the day to correct it by")
    sure = TickField("The days are right")

    def days(self) -> list[date]:
        """Every day from the first to the last; empty when they are the wrong way round."""
        return days_between(self.first.data, self.last.data or self.first.data)


class MoreDaysForm(Form):
    """Days a violation went on."""

    first = Date3Field("First day it went on", empty="Enter the first day it went on")
    last = Date3Field("Last day it went on", "Left blank: one day only.", empty=None)

    def days(self) -> list[date]:
        """Every day from the first to the last."""
        return days_between(self.first.data, self.last.data or self.first.data)


class CorrectedForm(Form):
    """How and when a violation was corrected."""

    on = Date3Field("Corrected on", empty="Enter the day it was corrected on")
    how = AreaField("How it was corrected", empty="Enter how it was corrected", rows=3)


class LiftForm(Form):
    """Why a suspension is lifted."""

    why = AreaField("Why is it lifted?", "The hauler reads this.", empty="Enter why the suspension is lifted", rows=3)


class MailForm(Form):
    """The number of a certified letter."""

    number = TextField("Certified mail number", "From the green card or the receipt.", longest=40,
                       empty="Enter the number of the certified mail")  # fmt: skip


def days_between(first: date, last: date) -> list[date]:
    """Every day from first to last, both included; at most 400, empty when last is earlier."""
    return [first + timedelta(days=n) for n in range(min(400, (last - first).days + 1))]


def _offered(rule: str) -> tuple[str, ...]:
    """Value and label; a condition's own words, often long, stand below its number."""
    return (rule, *rule.split(": ", 1)) if rule.startswith("Condition ") else (rule, rule)

"""The Director's reason for revoking an approval."""

from collections.abc import Sequence

from office.forms import AreaField, ChoiceField, Form


class RevokeForm(Form):
    """Which rule was broken and what happened."""

    rule = ChoiceField("Which rule was broken?", word="the rule that was broken")
    reason = AreaField("What happened?", "The facts, with dates and load tickets. The letter prints this.", rows=6,
                       empty="Enter the reason. The ordinance requires it in writing", longest=1500)  # fmt: skip

    def fit(self, rules: Sequence[str]) -> "RevokeForm":
        """Offer the provisions; the words of the rule are the value, as the letter prints them."""
        self.rule.choices = tuple(_offered(rule) for rule in rules)
        return self


def _offered(rule: str) -> tuple[str, ...]:
    """Value and label; a condition's own words, often long, stand below its number."""
    return (rule, *rule.split(": ", 1)) if rule.startswith("Condition ") else (rule, rule)

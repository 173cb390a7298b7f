"""The four outcomes where a waste is judged, in the law's words, and what each must say (§ 329-6 E)."""

import pytest

from ordinances.reader import load_profile
from ordinances.remedies import outcome, outcomes_wrong

WORDS = ("reject the waste", "require pretreatment", "control quantities and rates",
         "require payment of the added cost")  # fmt: skip
BARE = {"pretreatment": "", "gph": None, "cents": None, "cite": "§ 329-6 E"}
WHOLE = {"pretreatment": "Screened", "gph": 300, "cents": 500, "cite": "§ 329-6 E"}


def test_laws_words_name_the_four_outcomes():
    assert [outcome(words) for words in WORDS] == ["reject", "pretreat", "control", "pay"]
    assert outcome("tell the press") == ""
    for name in ("bayfield", "gillett"):
        assert '"reject the waste"' in load_profile(name).text


@pytest.mark.parametrize(("chosen", "changed", "code"), [
    ((), {}, "outcomes"), (WORDS[:2], {}, "outcomes"), (WORDS[1:2], {"pretreatment": " "}, "pretreatment"),
    (WORDS[2:3], {"gph": None}, "gph"), (WORDS[2:3], {"gph": 0}, "gph"), (WORDS[3:], {"cents": None}, "cents"),
    (WORDS[3:], {"cents": 0}, "cents"),
])  # fmt: skip
def test_each_outcome_says_what_it_asks(chosen, changed, code):
    found = outcomes_wrong(chosen, **(WHOLE | changed))
    assert found is not None
    assert (found.code, found.cite) == (code, "§ 329-6 E")


@pytest.mark.parametrize(("chosen", "given"), [
    (WORDS[:1], BARE), (WORDS[1:], WHOLE), (WORDS[2:3], BARE | {"gph": 300}), (WORDS[3:], BARE | {"cents": 500}),
])  # fmt: skip
def test_whole_findings_pass(chosen, given):
    assert outcomes_wrong(chosen, **given) is None


@pytest.mark.parametrize(("typed", "code", "named"), [
    ({"pretreatment": "Screened"}, "pretreatment", "what must be done first"),
    ({"gph": 200}, "gph", "the highest rate"), ({"cents": 500}, "cents", "the added cost"),
])  # fmt: skip
def test_what_is_typed_for_an_outcome_that_is_not_selected_is_asked_about_and_not_dropped(typed, code, named):
    chosen = WORDS[1:2] if code == "gph" else WORDS[2:3]
    needed = {"pretreatment": "Screened"} if code == "gph" else {"gph": 300}
    found = outcomes_wrong(chosen, **(BARE | needed | typed))
    assert found is not None
    assert (found.code, found.why) == (code, f"Select the outcome that {named} belongs to, or leave this empty.")

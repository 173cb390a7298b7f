"""What another version changes, in words; other amounts in the law as it stands; a law written out as its file."""

import re
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from ordinances.amending import amended, amounts
from ordinances.law_changes import Change, cannot_hold, changes, covers
from ordinances.law_text import toml_of
from ordinances.reader import Law, load_profile, profile_from_toml, shipped
from ordinances.rows import LawError
from tests.ordinances.common import without_items
from tests.ordinances.town import HERE, item, towns

D = Decimal
JAN_1, JUL_1 = date(2027, 1, 1), date(2027, 7, 1)
OLD = Law(load_profile("bayfield"))


def text() -> str:
    return shipped()["bayfield"].read_text(encoding="utf-8")


def law(*swaps: tuple[str, str], extra: str = "") -> Law:
    whole = text() + extra
    for old, new in swaps:
        assert whole.count(old) == 1
        whole = whole.replace(old, new)
    return Law(profile_from_toml(whole))


def found(new: Law, since: date = JAN_1, old: Law = OLD) -> list[tuple[str, str, str, str, bool]]:
    return [(one.name, one.was, one.becomes, one.since.isoformat(), one.rises) for one in changes(old, new, since)]


def test_the_same_law_changes_nothing() -> None:
    assert changes(OLD, OLD, JAN_1) == []


CLASSES = "".join(
    f'\n[[strength_class]]\ncode = "{code}"\nabove = {{ bod = "{bod}" }}\nneeds = "any"\nfrom = 1992-01-01\n'
    'cite = "§ 9-1"\n'
    for code, bod in (("high", 6000), ("middle", 3000))
)
UNTESTED = '\n[[untested]]\nstrength_class = "{0}"\nfrom = 1992-01-01\ncite = "§ 9-2"\n'


def test_what_a_load_counts_as_that_is_not_tested_is_told_and_raises_once_it_is_another_class() -> None:
    silent, normal, high = (
        law(extra=CLASSES + more) for more in ("", UNTESTED.format("normal"), UNTESTED.format("high"))
    )
    words = ["", "counts as of normal strength", "counts as of high strength"]
    assert found(normal, old=silent) == [("untested", words[0], words[1], "2027-01-01", False)]
    assert found(high, old=normal) == [("untested", words[1], words[2], "2027-01-01", True)]
    assert found(silent, old=high) == [("untested", words[2], words[0], "2027-01-01", False)]


def test_a_price_and_an_hour_are_told_old_against_new_charges_first() -> None:
    closes = '[[hours.closes]]\nvalue = "10:00"'
    new = law(('price = "0.024"', 'price = "0.026"'), (closes, closes.replace("10:00", "11:00")))
    assert found(new) == [
        ("charge volume", "$0.024 a gallon", "$0.026 a gallon", "2027-01-01", True),
        ("hours.closes", "10:00 a.m.", "11:00 a.m.", "2027-01-01", False),
    ]


def test_a_row_that_begins_later_is_told_from_its_own_day() -> None:
    later = 'from = 1992-01-01\ncite = "§ 329-7 F(2); § 329-2 B(2)(d)"'
    row = text()[text().index('[[item]]\ncode = "volume"') : text().index('[[item]]\ncode = "test"')]
    second = row.replace("from = 1992-01-01", "from = 2027-07-01").replace("0.024", "0.030")
    assert later in row
    assert found(law((row, row + second))) == [
        ("charge volume", "$0.024 a gallon", "$0.03 a gallon", "2027-07-01", True),
    ]


def test_a_new_charge_an_ended_one_and_what_its_words_do_not_say_are_told() -> None:
    gate = item("gate", "per_load", 'price = "7.00"')
    rounded = ('kind = "per_gallons"\nprice', 'kind = "per_gallons"\nround_to = "0.05"\nprice')
    extra = text()[text().index('[[item]]\ncode = "extra_test"') : text().index('[[item]]\ncode = "special_wage"')]
    assert found(law(rounded, (extra, ""), extra=gate)) == [
        ("charge volume", "$0.024 a gallon; rounded to: 0.01", "$0.024 a gallon; rounded to: 0.05", "2027-01-01", True),
        ("charge extra_test", "$12.16 a test", "", "2027-01-01", False),
        ("charge gate", "", "$7.00 a load", "2027-01-01", True),
    ]


def test_the_late_charge_rises_by_its_percent_and_by_coming_again() -> None:
    percent = 'value = "10"\nfrom = 1992-01-01\ncite = "§ 329-2 A(3)(g)"'
    once = text().index("[[billing.late_once]]")
    row = text()[once : once + 60]
    new = law((percent, percent.replace("10", "12")), (row, row.replace("value = true", "value = false")))
    assert [(one[0], one[4]) for one in found(new)] == [("billing.late_percent", True), ("billing.late_once", True)]
    assert [(one[0], one[4]) for one in found(OLD, old=new)] == [
        ("billing.late_percent", False), ("billing.late_once", False),
    ]  # fmt: skip


def rise(**more: Any) -> Change:
    given = {"name": "charge a", "what": "A", "was": "$1.00", "becomes": "$2.00", "since": JAN_1, "cite": "§ 1"}
    return Change(**(given | {"charge": True, "rises": True, "amount": D(2)} | more))


@pytest.mark.parametrize(
    ("told", "covered"),
    [({}, True), ({"since": JUL_1}, False), ({"name": "charge b"}, False), ({"becomes": "$3.00", "amount": D(3)}, True),
     ({"becomes": "$1.99", "amount": D("1.99")}, False), ({"becomes": "$3.00", "amount": None}, False)],
)  # fmt: skip
def test_what_was_told_covers_as_much_or_less_from_its_day_on(told: dict[str, Any], covered: bool) -> None:
    assert covers([rise(**told)], rise()) is covered


def test_a_version_that_begins_later_cannot_hold_before() -> None:
    later = Law(profile_from_toml(text().replace("from = 1992-01-01", "from = 2027-07-01")))
    refused = cannot_hold(later, JAN_1)
    assert refused is not None
    assert (refused.code, refused.why) == (
        "nothing_yet", "On Friday, January 1, 2027 this version says nothing of: What the plant offers.",
    )  # fmt: skip
    assert cannot_hold(later, JUL_1) is None


def test_other_amounts_begin_on_their_day_and_leave_what_was_before() -> None:
    names = {"item volume price": D("0.026"), "row billing.late_percent value": D(12)}
    new = Law(amended(OLD, names, JAN_1))
    assert [one[:4] for one in found(new)] == [
        ("charge volume", "$0.024 a gallon", "$0.026 a gallon", "2027-01-01"),
        ("billing.late_percent", "10 percent", "12 percent", "2027-01-01"),
    ]
    assert changes(OLD, new, date(2026, 12, 31))[0].since == JAN_1
    again = Law(amended(new, {"item volume price": D("0.025")}, JAN_1))
    assert {one.name: str(one.value) for one in amounts(again, JAN_1)}["item volume price"] == "0.025"


def test_an_amount_no_law_may_have_is_refused_as_a_file_would_be() -> None:
    with pytest.raises(LawError) as error:
        amended(OLD, {"row billing.late_percent value": D(4000)}, JAN_1)
    assert error.value.problems[0].key == "billing.late_percent"


@pytest.mark.parametrize("name", towns())
def test_every_amount_of_a_town_can_be_changed_by_its_name(name: str) -> None:
    charges = re.sub(r"(?m)^(id|name|source) = .*\n", "", (HERE / f"{name}.toml").read_text(encoding="utf-8"))
    town = Law(profile_from_toml(without_items(text()) + "\n" + charges))
    for one in amounts(town, JAN_1):
        new = amended(town, {one.name: one.value + 1}, JAN_1)
        assert {two.name: two.value for two in amounts(Law(new), JAN_1)}[one.name] == one.value + 1
        assert [two for two in changes(town, Law(new), JAN_1) if two.rises]


@pytest.mark.parametrize("name", sorted(shipped()))
def test_a_law_written_out_is_read_again_to_its_hash(name: str) -> None:
    profile = load_profile(name)
    assert profile_from_toml(toml_of(profile)).sha256 == profile.sha256

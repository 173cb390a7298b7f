import pytest

from ordinances.programme import not_served
from ordinances.values import MonthDay
from tests.ordinances.common import LOADED, bayfield, law_of

REVIEW = {
    "review.reconsider_days": 10,
    "review.decided_days": 15,
    "review.appeal_days": 10,
    "review.appeal_to": "Lawrence Utility District Secretary",
    "interceptor.report_by": MonthDay(1, 31),
    "programme.arbiter": "Lawrence Utility District Attorney",
}


def test_bayfield_is_served() -> None:
    assert not_served(bayfield(), LOADED) is None


@pytest.mark.parametrize(("name", "code"), [("gillett", "by_agreement"), ("lawrence", "not_accepted")])
def test_the_others_say_why_not(name: str, code: str) -> None:
    refusal = not_served(law_of(name), LOADED)
    assert refusal is not None
    assert refusal.code == code
    assert refusal.reading is not None


@pytest.mark.parametrize("name", ["gillett", "lawrence"])
def test_a_place_without_a_window_has_no_row_for_one(name: str) -> None:
    assert [row.key for row in law_of(name).rows(LOADED) if row.schema.group in ("Applications", "Hours", "Rate")] == []


def test_lawrence_has_its_review_and_its_interceptor_report() -> None:
    law = law_of("lawrence")
    assert {key: law.value(key, LOADED) for key in REVIEW} == REVIEW


def test_all_three_stand_under_the_same_state_law() -> None:
    for name in ("bayfield", "gillett", "lawrence"):
        assert law_of(name).value("winter.from", LOADED) == MonthDay(11, 15)
        assert [code for code, _ in law_of(name).value("state.exceptions", LOADED)] == [
            "capacity_or_limits", "incompatible", "no_approval", "rule_breach",
        ]  # fmt: skip
        assert law_of(name).value("state.fee_notice_days", LOADED) == 60

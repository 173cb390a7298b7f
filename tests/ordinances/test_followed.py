from pathlib import Path
from typing import Any

import pytest

from ordinances.followed import FOLLOWED, check_followed
from ordinances.reader import LawError, check, load_profile
from ordinances.schema import KEYS
from ordinances.values import WrongValue, parse
from tests.ordinances.common import changed, profile
from tests.ordinances.town import item

TYPED = {
    "hours.grace_minutes": ("0", "15", "15 is not followed by any act yet", "Write 0"),
    "revocation.by": ('"director"', '"committee"', "committee is not followed by any act yet", "Write director"),
    "restriction.scopes": ('["everything", "types", "points", "rate"]', '["everything", "trucks", "hours"]',
                           "trucks, hours are not followed by any act yet",
                           "Write only everything, types, points, rate"),
}  # fmt: skip


@pytest.mark.parametrize("key", TYPED)
def test_a_value_no_act_follows_is_refused_with_file_key_and_the_value_that_works(tmp_path: Path, key: str) -> None:
    old, new, what, mend = TYPED[key]
    path = changed(tmp_path, (f"[[{key}]]\nvalue = {old}", f"[[{key}]]\nvalue = {new}"))
    assert [str(one) for one in check([path])] == [f"{path}: {key}: {what}. {mend}"]
    with pytest.raises(LawError):
        load_profile(path)


def other_values(key: str) -> list[Any]:
    kind, options = KEYS[key].type, KEYS[key].options
    known: list[Any] = [True, False] if kind == "flag" else list(options) if kind == "choice" else [0, 1]
    if kind == "names":
        known = [["trucks"], [*FOLLOWED[key], "hours"]]
    return [parse(kind, one, options) for one in known if one not in FOLLOWED[key]]


@pytest.mark.parametrize("key", FOLLOWED)
def test_every_key_of_the_list_has_a_value_that_works_and_one_that_does_not(key: str) -> None:
    for value in FOLLOWED[key]:
        listed = [value] if KEYS[key].type == "names" else value
        check_followed(key, parse(KEYS[key].type, listed, KEYS[key].options))
    assert other_values(key)
    for value in other_values(key):
        with pytest.raises(WrongValue):
            check_followed(key, value)


@pytest.mark.parametrize(
    ("key", "old", "new"),
    [
        ("fees.special_weekends", "false", "true"),
        ("application.fee_blocks_filing", "false", "true"),
        ("revocation.reapply_bar", '"none"', '"one_year"'),
        ("suspension.enabled", "false", "true"),
        ("billing.period", '"bimonthly"', '"monthly"'),
        ("billing.period", '"bimonthly"', '"per_load"'),
        ("billing.late_once", "true", "false"),
        ("billing.late_base", '"unpaid_current_period"', '"unpaid"'),
        ("fees.volume_basis", '"measured_else_declared"', '"capacity"'),
        ("fees.strength_surcharge", '"none"', '"table_2007"'),
    ],
)  # fmt: skip
def test_values_that_acts_follow_are_taken(tmp_path: Path, key: str, old: str, new: str) -> None:
    assert check([changed(tmp_path, (f"[[{key}]]\nvalue = {old}", f"[[{key}]]\nvalue = {new}"))]) == []


def test_a_place_without_a_programme_of_its_own_may_say_what_its_text_says() -> None:
    (row,) = [row for row in profile("gillett").rows if row.key == "billing.tax_roll"]
    assert row.value == "property_accounts"
    with pytest.raises(WrongValue):
        check_followed(row.key, row.value)


@pytest.mark.parametrize(
    ("swaps", "rows", "said"),
    [
        ((), item("call", "per_event", 'price = "75.00"\nevent = "call_out"'),
         "item call.event: 'call_out' is not followed by any act yet. Write an item of the kind \"staff_hours\", or "
         "one for each load or test"),
        ((("[schedule]\n", '[schedule]\nwastes = ["septic_tank", "mud_pit"]\n'),), "",
         "schedule.wastes: 'mud_pit' is no kind of waste a plant's load can be. Write \"other\" and say in `what` "
         "which waste it is; the kinds are septic_tank, holding_tank, portable_toilet, grease_interceptor, other"),
        ((), item("check", "per_event", 'price = "25.00"\nevent = "returned_check"'), None),
    ],
)  # fmt: skip
def test_a_charge_no_act_of_a_plant_makes_is_refused_with_what_to_write(
    tmp_path: Path, swaps: tuple[tuple[str, str], ...], rows: str, said: str | None
) -> None:
    path = changed(tmp_path, *swaps, extra=rows)
    assert [str(one).removeprefix(f"{path}: ") for one in check([path])] == ([said] if said else [])

from dataclasses import replace
from datetime import date, time
from decimal import Decimal
from pathlib import Path

import pytest

from ordinances.reader import Closure, Law, NoLaw, plant_row
from ordinances.values import MonthDay, WrongValue
from tests.ordinances.common import LOADED, bayfield, changed_law, law_of, profile, row_text

FILING = plant_row("fees.filing", "75.00", date(2026, 1, 1), "Resolution 3", until=date(2026, 12, 31))


def test_values_come_as_what_they_are() -> None:
    law = bayfield()
    assert law.value("fees.surcharge_2007_bod", LOADED) == Decimal("1.35")
    assert law.value("hours.opens", LOADED) == time(7)
    assert law.value("application.opens", LOADED) == MonthDay(8, 1)
    assert law.value("hours.days", LOADED) == ("mon", "tue", "wed", "thu", "fri")
    assert law.cite("rate.plan_gph", LOADED) == "§ 329-7 F(3)"


def test_before_the_first_date_there_is_no_law() -> None:
    law = bayfield()
    assert law.has("rate.plan_gph", date(1992, 1, 1)) is True
    assert law.has("rate.plan_gph", date(1991, 12, 31)) is False
    with pytest.raises(NoLaw, match=r"has no rate\.plan_gph on 1991-12-31: its first date is 1992-01-01"):
        law.row("rate.plan_gph", date(1991, 12, 31))


def test_a_key_the_schema_does_not_have_is_no_law() -> None:
    with pytest.raises(NoLaw, match=r"rate\.plan_gpm is no term of the law"):
        bayfield().value("rate.plan_gpm", LOADED)


def test_a_key_the_profile_does_not_have_is_no_law() -> None:
    with pytest.raises(NoLaw, match=r"application\.opens: filing opens is not part of its law"):
        law_of("lawrence").value("application.opens", LOADED)


def test_an_amendment_takes_over_on_its_day(tmp_path: Path) -> None:
    law = changed_law(tmp_path, extra=row_text("rate.plan_gph", "600", "2027-01-01"))
    assert [law.value("rate.plan_gph", day) for day in (date(2026, 12, 31), date(2027, 1, 1))] == [666, 600]


def test_after_its_end_a_term_is_gone_and_no_older_one_comes_back(tmp_path: Path) -> None:
    ended = row_text("rate.plan_gph", "600", "2027-01-01") + "until = 2027-12-31\n"
    law = changed_law(tmp_path, extra=ended)
    assert law.value("rate.plan_gph", date(2027, 12, 31)) == 600
    with pytest.raises(NoLaw, match="on 2028-01-01: it is no longer in force"):
        law.value("rate.plan_gph", date(2028, 1, 1))


def test_a_plants_row_counts_within_its_dates() -> None:
    law = bayfield(rows=(FILING,))
    days = (date(2025, 12, 31), date(2026, 1, 1), date(2026, 12, 31), date(2027, 1, 1))
    assert [law.has("fees.filing", day) for day in days] == [False, True, True, False]
    row = law.row("fees.filing", LOADED)
    assert (row.value, row.source, row.resolution, row.cite) == (
        Decimal("75.00"), "plant", "Resolution 3", "Resolution 3",
    )  # fmt: skip


def test_of_two_rows_of_a_plant_from_one_day_the_later_entered_counts() -> None:
    corrected = replace(FILING, value=Decimal("80.00"))
    assert bayfield(rows=(FILING, corrected)).value("fees.filing", LOADED) == Decimal("80.00")


def test_a_plants_row_for_a_term_of_the_law_does_not_count() -> None:
    forged = replace(FILING, key="rate.plan_gph", value=9999)
    assert bayfield(rows=(forged,)).value("rate.plan_gph", LOADED) == 666


def test_a_plant_cannot_set_a_term_of_the_law() -> None:
    with pytest.raises(NoLaw, match=r"rate\.plan_gph is not a term a plant sets itself"):
        plant_row("rate.plan_gph", 9999, LOADED, "Order 1")


def test_a_plants_row_is_read_from_text() -> None:
    assert plant_row("rate.flow_in_force_gpd", "125000", LOADED, "Order 1").value == 125000
    with pytest.raises(WrongValue):
        plant_row("rate.flow_in_force_gpd", "125.5", LOADED, "Order 1")
    with pytest.raises(WrongValue):
        plant_row("fees.wage", "-1", LOADED, "Order 1")


def test_rows_in_force_stand_in_reading_order() -> None:
    groups = [row.schema.group for row in bayfield(rows=(FILING,)).rows(LOADED)]
    assert list(dict.fromkeys(groups)) == [
        "Programme", "Applications", "Decision", "Approval", "Restriction", "Hours", "Booking", "Rate", "Charges",
        "Testing", "Written record", "Billing", "Waste limits", "Violations and revocation", "State law",
    ]  # fmt: skip
    assert groups == sorted(groups, key=groups.index)


def test_rows_in_force_leave_out_what_has_not_begun() -> None:
    keys = {row.key for row in bayfield().rows(date(2000, 1, 1))}
    assert "fees.surcharge_older_bod" in keys
    assert "fees.surcharge_2007_bod" not in keys
    assert "state.fee_notice_days" not in keys


def test_rows_read_as_words() -> None:
    law = bayfield()
    words = {
        key: law.row(key, LOADED).words
        for key in ("rate.flow_gpd", "fees.surcharge_2007_bod", "hours.days", "hours.closes", "limits.ph_low")
    }
    assert words == {
        "rate.flow_gpd": "160,000 gallons a day",
        "fees.surcharge_2007_bod": "$1.35 a pound",
        "hours.days": "Monday to Friday",
        "hours.closes": "10:00 a.m.",
        "limits.ph_low": "pH below 5.5: the load is refused",
    }


def test_the_version_is_the_hash_of_the_profile_and_not_of_the_plants_rows() -> None:
    assert bayfield().version == bayfield(rows=(FILING,)).version == profile().sha256
    assert Law(profile()).zone.key == "America/Chicago"


def test_a_closure_is_one_of_three_kinds() -> None:
    assert [Closure(LOADED, "x", kind).kind for kind in ("holiday", "closed", "opened")] == [
        "holiday", "closed", "opened",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="'shut' is not one of holiday, closed, opened"):
        Closure(LOADED, "x", "shut")

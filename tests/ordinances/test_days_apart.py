"""A load over several days: what is counted by the gallon takes the time of its own day, all else that of the first."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ordinances.fees import for_load
from ordinances.hauled import Load, Part, time_classes
from ordinances.reader import Law, load_profile
from ordinances.rows import Closure
from tests.ordinances.common import changed, without_items
from tests.ordinances.town import item, made, quote, refused, septic, shown, town

THU, FRI, SAT, SUN, MON = (date(2026, 12, day) for day in (10, 11, 12, 13, 14))
INSIDE, WEEKEND = time_classes(False, False, False), time_classes(False, True, False)
GALLON = 'price = "{0}"\nbasis = ["measured", "declared"]\nwhen = [{1}]'
WEEKDAYS = item("weekday", "per_gallons", GALLON.format("0.05", '"inside", "after_hours"'))
WEEKENDS = item("weekend", "per_gallons", GALLON.format("0.08", '"weekend", "holiday"'))
VOLUME = item("volume", "per_gallons", 'price = "0.05"\nbasis = ["declared"]')


def over(first: date, second: date, gallons: tuple[int, int] = (1000, 501), **known: Any) -> Load:
    """A load over two days, each with the time of its day."""
    days = ((first, gallons[0]), (second, gallons[1]))
    on = {second: WEEKEND if second.weekday() > 4 else INSIDE}
    return Load((septic(sum(gallons)),), sessions=days, weekend=first.weekday() > 4, other_times=on, **known)


def lines(schedule: Any, load: Load) -> list[tuple[str, str, str]]:
    found = quote(schedule, load, load.sessions[0][0])
    return [(one.code, str(one.amount), f"{one.day:%a}") for one in found.lines]


def law_of(folder: Path, *rows: str) -> Law:
    path = changed(folder)
    path.write_text(without_items(path.read_text(encoding="utf-8")) + "".join(rows), encoding="utf-8")
    return Law(load_profile(path))


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (SAT, MON, [("weekday", "25.05", "Mon"), ("weekend", "80.00", "Sat")]),
        (FRI, SAT, [("weekday", "50.00", "Fri"), ("weekend", "40.08", "Sat")]),
        (SAT, SUN, [("weekend", "80.00", "Sat"), ("weekend", "40.08", "Sun")]),
        (THU, FRI, [("weekday", "50.00", "Thu"), ("weekday", "25.05", "Fri")]),
    ],
)
def test_each_day_pays_the_price_of_its_own_time(
    tmp_path: Path, first: date, second: date, expected: list[tuple[str, str, str]]
) -> None:
    assert lines(made(WEEKDAYS, WEEKENDS), over(first, second)) == expected
    # The same of a plant, that knows its days itself.
    found = for_load(law_of(tmp_path, WEEKDAYS, WEEKENDS), [(first, 1000), (second, 501)], "septic_tank", tested=False)
    assert isinstance(found, tuple)
    assert [(one.code, str(one.amount), f"{one.day:%a}") for one in found] == expected


@pytest.mark.parametrize("kind", ["holiday", "opened", "closed"])
def test_a_holiday_is_that_of_its_day_and_stays_one_where_the_plant_opens_on_it(tmp_path: Path, kind: str) -> None:
    law = law_of(tmp_path, WEEKDAYS, WEEKENDS)
    closure = Closure(FRI, "Founders' Day", kind, over="" if kind == "holiday" else "Founders' Day")
    law = replace(law, closures={FRI: closure})

    def priced(first: date, second: date) -> list[tuple[str, str]]:
        found = for_load(law, [(first, 1000), (second, 501)], "septic_tank", tested=False)
        assert isinstance(found, tuple)
        return shown(found)

    assert priced(THU, FRI) == [("weekday", "50.00"), ("weekend", "40.08")]
    assert priced(FRI, MON) == [("weekday", "25.05"), ("weekend", "80.00")]
    law = replace(law, closures={FRI: Closure(FRI, "Pump repair", "closed")})
    assert priced(THU, FRI) == [("weekday", "50.00"), ("weekday", "25.05")]


def test_each_day_is_asked_of_the_law_of_that_day_whether_it_is_a_holiday(tmp_path: Path) -> None:
    law = law_of(tmp_path, WEEKDAYS, WEEKENDS)
    laws = {THU: law, FRI: replace(law, closures={FRI: Closure(FRI, "Founders' Day", "holiday")})}
    found = for_load(law, [(THU, 1000), (FRI, 501)], "septic_tank", laws=laws, tested=False)
    assert isinstance(found, tuple) and shown(found) == [("weekday", "50.00"), ("weekend", "40.08")]


def test_a_day_that_began_outside_the_hours_pays_so_and_the_others_do_not(tmp_path: Path) -> None:
    rows = [item(name, "per_gallons", GALLON.format(price, f'"{name}"'))
            for name, price in (("inside", "0.05"), ("after_hours", "0.09"))]  # fmt: skip
    law = law_of(tmp_path, *rows)
    for outside, after, expected in (
        ([FRI], False, [("inside", "50.00"), ("after_hours", "45.09")]),
        ([], True, [("inside", "25.05"), ("after_hours", "90.00")]),
        ([], False, [("inside", "50.00"), ("inside", "25.05")]),
    ):
        found = for_load(law, [(THU, 1000), (FRI, 501)], "septic_tank", tested=False, outside=outside,
                         after_hours=after)  # fmt: skip
        assert isinstance(found, tuple) and shown(found) == expected


MORE = item("more", "percent", 'percent = "33"\nof = ["volume"]\nwhen = ["weekend", "holiday"]')


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (SAT, MON, [("more", "16.50", "Sat")]),
        (FRI, SAT, [("more", "8.27", "Sat")]),
        (THU, FRI, []),
        # Alike days together: 33 % of $75.05, rounded once.
        (SAT, SUN, [("more", "24.77", "Sat")]),
    ],
)
def test_a_percent_is_of_the_gallons_of_its_own_days(
    first: date, second: date, expected: list[tuple[str, str, str]]
) -> None:
    found = lines(made(VOLUME, MORE), over(first, second))
    assert [one for one in found if one[0] == "more"] == expected


def test_a_percent_that_rises_between_the_days_is_that_of_each_day() -> None:
    rows = [item("more", "percent", 'percent = "10"\nof = ["volume"]'),
            item("more", "percent", 'percent = "20"\nof = ["volume"]', f"{FRI}")]  # fmt: skip
    assert lines(made(VOLUME, *rows), over(THU, FRI)) == [
        ("volume", "50.00", "Thu"), ("volume", "25.05", "Fri"), ("more", "5.00", "Thu"), ("more", "5.01", "Fri"),
    ]  # fmt: skip


def test_what_counts_the_whole_load_keeps_the_time_of_its_first_day() -> None:
    bottoms = town("american_bottoms")
    assert lines(bottoms, over(FRI, SAT, capacity=2500)) == [("capacity", "175.00", "Fri")]
    assert lines(bottoms, over(SAT, MON, capacity=2500)) == [
        ("capacity", "175.00", "Sat"),
        ("off_hours", "57.75", "Sat"),
    ]
    bands = [item(name, "size_band", f'bands = [{{ up_to = 3000, price = "{price}" }}]\nbasis = ["declared"]\n'
                  f'when = ["{when}"]')
             for name, price, when in (("plain", "75.00", "inside"), ("feast", "100.00", "weekend"))]  # fmt: skip
    assert lines(made(*bands), over(FRI, SAT)) == [("plain", "75.00", "Fri")]
    assert lines(made(*bands), over(SAT, MON)) == [("feast", "100.00", "Sat")]
    fee = item("night", "per_load", 'price = "50.00"\nwhen = ["weekend"]')
    assert lines(made(VOLUME, fee), over(FRI, SAT)) == [("volume", "50.00", "Fri"), ("volume", "25.05", "Sat")]
    assert lines(made(VOLUME, fee), over(SAT, MON))[-1] == ("night", "50.00", "Sat")


def test_a_load_by_the_gallon_on_one_day_and_as_a_whole_on_the_other_has_no_one_price() -> None:
    whole = item("whole", "size_band", 'bands = [{ up_to = 3000, price = "90.00" }]\nbasis = ["declared"]\n'
                 'when = ["weekend"]')  # fmt: skip
    for first, second in ((FRI, SAT), (SAT, MON)):
        refusal = refused(made(WEEKDAYS, whole), over(first, second), first)
        assert (refusal.code, refusal.cite) == ("days_differ", "§ 1-1")
    # Beside gallons that are counted on every day it is a charge of the first one.
    assert lines(made(VOLUME, whole), over(FRI, SAT)) == [("volume", "50.00", "Fri"), ("volume", "25.05", "Sat")]
    assert lines(made(VOLUME, whole), over(SAT, MON))[-1] == ("whole", "90.00", "Sat")


def test_a_load_mixed_by_the_charges_of_its_second_day_alone_is_priced_as_mixed() -> None:
    rows = [item("all_week", "per_gallons", GALLON.format("0.05", '"inside"'))]
    rows += [item(name, "per_gallons", GALLON.format(price, '"weekend"') + f'\nwaste = ["{name}"]')
             for name, price in (("septic_tank", "0.08"), ("holding_tank", "0.04"))]  # fmt: skip
    parts = (septic(1000), Part("holding_tank", None, 500))
    days = ((FRI, 900), (SAT, 600))
    load = Load(parts, sessions=days, other_times={SAT: WEEKEND})
    assert refused(made(*rows), load, FRI).code == "mixed_not_said"
    rule = '\n[[mixed]]\nrule = "by_part"\nfrom = 2020-01-01\ncite = "§ 1-2"\n'
    assert lines(made(*rows, rule), load) == [
        ("all_week", "45.00", "Fri"), ("septic_tank", "32.00", "Sat"), ("holding_tank", "8.00", "Sat"),
    ]  # fmt: skip


def test_a_least_charge_of_a_load_over_two_days_is_reached_once() -> None:
    least = item("least", "minimum", 'price = "100.00"\nof = ["volume"]')
    assert lines(made(VOLUME, least), over(FRI, SAT)) == [
        ("volume", "50.00", "Fri"), ("volume", "25.05", "Sat"), ("least", "24.95", "Fri"),
    ]  # fmt: skip
    assert quote(made(VOLUME, least), over(FRI, SAT), FRI).total == Decimal("100.00")

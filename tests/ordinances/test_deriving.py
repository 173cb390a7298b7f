"""Percents and least charges of a mixed load and of a load over several days: only of what they are for."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from ordinances.fees import for_load
from ordinances.hauled import Load, Part, time_classes
from ordinances.schedule_law import Succession
from tests.ordinances.test_days_apart import law_of
from tests.ordinances.town import item, made, quote, refused, septic, shown

GREASE = Part("grease_interceptor", None, 500)
VOLUME = item("volume", "per_gallons", 'price = "0.05"\nbasis = ["measured", "declared"]')
MORE = item("more", "percent", 'percent = "20"\nof = ["volume"]\nwaste = ["grease_interceptor"]')
BY_PART = '\n[[mixed]]\nrule = "by_part"\nfrom = 2020-01-01\ncite = "§ 1-2"\n'
DEAREST = BY_PART.replace("by_part", "highest_rate")
DATED = 'from = 2020-01-01\ncite = "§ 1-3"\n'
FRI, SAT = date(2026, 12, 11), date(2026, 12, 12)
WEEKEND = time_classes(False, True, False)


def how(schedule: Any, load: Load, code: str = "more", day: date = date(2026, 10, 6)) -> tuple[str, str]:
    (one,) = [one for one in quote(schedule, load, day).lines if one.code == code]
    return str(one.amount), " ".join(filter(None, [one.how, one.also]))


@pytest.mark.parametrize("rule", ["", BY_PART])
def test_a_percent_on_one_kind_is_of_the_part_of_that_kind(rule: str) -> None:
    schedule = made(VOLUME, MORE, rule)
    load = Load((septic(1000), GREASE))
    assert how(schedule, load) == ("5.00", "20 % of $25.00 (Volume, 500 of 1,500 gallons)")
    # Measured more than declared: the gallons of each kind grow with it, as where a kind has its own price.
    assert how(schedule, Load((septic(1000), GREASE), measured=1501)) == (
        "5.00", "20 % of $25.00 (Volume, 500 of 1,501 gallons)"
    )  # fmt: skip
    assert how(schedule, Load((septic(1000), GREASE), measured=1600)) == (
        "5.33", "20 % of $26.65 (Volume, 533 of 1,600 gallons)"
    )  # fmt: skip
    # All of it is of that kind, or none.
    assert how(schedule, Load((GREASE,))) == ("5.00", "20 % of $25.00 (Volume)")
    assert shown(quote(schedule, Load((septic(1500),))).lines) == [("volume", "75.00")]


def test_a_percent_by_zone_and_of_a_fee_of_the_whole_load_is_of_its_part_too() -> None:
    rows = (
        item("load", "per_load", 'price = "40.00"'),
        item("more", "percent", 'percent = "50"\nof = ["load"]\norigin = ["outside"]'),
    )
    load = Load((septic(900, "inside"), septic(300, "outside")))
    schedule = made(*rows, head='origins = ["inside", "outside"]')
    assert how(schedule, load) == ("5.00", "50 % of $10.00 (Load, 300 of 1,200 gallons)")
    refusal = refused(schedule, Load((septic(None, "inside"), septic(300, "outside"))))
    assert (refusal.code, refusal.next_step) == ("quantity_missing", "Give the gallons of each kind.")


def test_a_mixed_load_at_its_dearest_rate_pays_the_percent_of_all_of_it() -> None:
    assert how(made(VOLUME, MORE, DEAREST), Load((septic(1000), GREASE))) == ("15.00", "20 % of $75.00 (Volume)")


def test_a_line_of_that_kind_alone_gives_its_percent_whole_and_one_of_others_none() -> None:
    prices = [
        item(name, "per_gallons", f'price = "{price}"\nbasis = ["declared"]\nwaste = ["{waste}"]')
        for name, price, waste in (("volume", "0.10", "grease_interceptor"), ("septage", "0.05", "septic_tank"))
    ]
    more = item("more", "percent", 'percent = "20"\nof = ["volume", "septage"]\nwaste = ["grease_interceptor"]')
    found = how(made(*prices, more, BY_PART), Load((septic(1000), GREASE)))
    assert found[0] == "10.00"


def test_a_percent_of_a_percent_is_of_the_part_of_its_own_kind() -> None:
    twice = item("twice", "percent", 'percent = "10"\nof = ["more", "volume"]\nwaste = ["grease_interceptor"]')
    found = quote(made(VOLUME, MORE, twice), Load((septic(1000), GREASE)))
    # 10 % of the $5.00 that is of grease alone and of the $25.00 that is.
    assert shown(found.lines) == [("volume", "75.00"), ("more", "5.00"), ("twice", "3.00")]


def test_a_least_charge_of_one_kind_is_held_against_its_part() -> None:
    least = item("least", "minimum", 'price = "30.00"\nof = ["volume"]\nwaste = ["grease_interceptor"]')
    assert how(made(VOLUME, least), Load((septic(1000), GREASE)), "least") == ("5.00", "$30.00 at least, less $25.00")


def over(*sessions: tuple[date, int], **known: Any) -> Load:
    return Load((septic(sum(gallons for _, gallons in sessions)),), sessions=sessions, **known)


def test_a_percent_that_begins_on_the_second_day_is_of_that_day(tmp_path: Any) -> None:
    more = item("more", "percent", 'percent = "33"\nof = ["volume"]', since=f"{SAT}")
    load = over((FRI, 1000), (SAT, 501))
    assert how(made(VOLUME, more), load, day=FRI) == (
        "8.27", "33 % of $25.05 (Volume) Only of what was unloaded on Saturday, December 12, 2026.",
    )  # fmt: skip
    assert shown(quote(made(VOLUME, more), load, FRI).lines) == [
        ("volume", "50.00"),
        ("volume", "25.05"),
        ("more", "8.27"),
    ]
    # The same of a plant, and where it has ended by then.
    law = law_of(tmp_path, VOLUME, more)
    found = for_load(law, [(FRI, 1000), (SAT, 501)], "septic_tank", tested=False)
    assert isinstance(found, tuple) and shown(found)[-1] == ("more", "8.27")
    assert shown(quote(made(VOLUME, more), over((date(2026, 12, 10), 1000), (FRI, 501)), date(2026, 12, 10)).lines) == [
        ("volume", "50.00"), ("volume", "25.05"),
    ]  # fmt: skip


def test_a_percent_of_another_law_adopted_for_the_second_day_is_of_that_day() -> None:
    before, after = made(VOLUME), made(VOLUME, item("more", "percent", 'percent = "33"\nof = ["volume"]'))
    both = Succession(
        before.id, before.name, before.source, before.wastes, before.origins, before.points, before.tests, before.items,
        version=before.version, days={FRI: before, SAT: after},
    )  # fmt: skip
    found = quote(both, over((FRI, 1000), (SAT, 501)), FRI).lines
    assert [(one.code, str(one.amount), one.law_version) for one in found] == [
        ("volume", "50.00", before.version), ("volume", "25.05", after.version), ("more", "8.27", after.version),
    ]  # fmt: skip


def test_a_weekend_percent_of_the_second_morning_says_of_which_it_is() -> None:
    more = item("more", "percent", 'percent = "33"\nof = ["volume"]\nwhen = ["weekend"]')
    load = over((FRI, 1000), (SAT, 501), other_times={SAT: WEEKEND})
    assert how(made(VOLUME, more), load, day=FRI) == (
        "8.27", "33 % of $25.05 (Volume) Only of what was unloaded on Saturday, December 12, 2026.",
    )  # fmt: skip


def test_a_percent_for_stronger_loads_waits_for_the_result_and_spares_a_load_nobody_tested() -> None:
    high = '\n[[strength_class]]\ncode = "high"\nabove = { bod = "300" }\nneeds = "any"\n' + DATED
    schedule = made(VOLUME, item("more", "percent", 'percent = "20"\nof = ["volume"]\nstrength_class = ["high"]'), high)
    waiting = quote(schedule, Load((septic(1000),)))
    assert (shown(waiting.lines), waiting.awaited) == ([("volume", "50.00")], ("bod",))
    strong = quote(schedule, Load((septic(1000),), strengths={"bod": Decimal(301)}))
    assert (shown(strong.lines), strong.awaited) == ([("volume", "50.00"), ("more", "10.00")], ())
    untested = quote(schedule, Load((septic(1000),), untested=True))
    assert (shown(untested.lines), untested.awaited) == ([("volume", "50.00")], ())

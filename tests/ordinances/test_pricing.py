"""What loads cost by the schedules of real towns, to the cent; every line says why."""

from datetime import date
from decimal import Decimal

import pytest

from ordinances.hauled import Load, Part
from ordinances.pricing import application_lines, deposit_lines, price_load, truck_lines
from ordinances.rows import NoLaw
from ordinances.schedule_lines import more_than_price
from tests.ordinances.town import DAY, cost, item, made, quote, refused, septic, shown, town

OFF_HOURS = [{"after_hours": True}, {"weekend": True}, {"holiday": True}, {"after_hours": True, "weekend": True}]
GREASE = "grease_interceptor"


def test_cedarburg_takes_86_50_for_1500_gallons_of_a_septic_tank() -> None:
    found = quote(town("cedarburg"), Load((septic(1500),)))
    assert shown(found.lines) == [("septic", "76.50"), ("truckload", "10.00")]
    assert found.total == Decimal("86.50")
    assert [line.sentence for line in found.lines] == [
        "Septic tank waste: 1,500 gallons declared at $51.00 for each 1,000 gallons = $76.50 "
        "(Water Recycling Center rates of January 1, 2023).",
        "Administrative fee: 1 load at $10.00 = $10.00 (Water Recycling Center rates of January 1, 2023).",
    ]
    assert found.lines[0].law_version == town("cedarburg").version
    assert (str(found.lines[0].quantity), found.lines[0].unit) == ("1.5", "thousand gallons")


def test_cedarburg_takes_23_88_for_1500_gallons_of_a_holding_tank_half_up() -> None:
    assert cost("cedarburg", Load((Part("holding_tank", None, 1500),))) == Decimal("23.88")


def test_a_mixed_load_at_cedarburg_pays_each_kind_by_its_part_and_one_truckload() -> None:
    found = quote(town("cedarburg"), Load((septic(500), Part("holding_tank", None, 1000))))
    assert shown(found.lines) == [("septic", "25.50"), ("holding", "9.25"), ("truckload", "10.00")]
    assert found.lines[0].sentence.endswith(
        "Mixed load, each kind by its part (Water Recycling Center rates of January 1, 2023)."
    )
    assert found.lines[2].also == ""


@pytest.mark.parametrize(
    ("gallons", "total"),
    [(0, "0.00"), (1, "80.00"), (1000, "80.00"), (1001, "88.00"), (1100, "88.00"), (1101, "96.00"), (1240, "104.00")],
)
def test_manchester_takes_80_dollars_and_8_for_each_hundred_begun_after_a_thousand(gallons: int, total: str) -> None:
    assert cost("manchester", Load((septic(gallons),))) == Decimal(total)


def test_manchester_by_the_scale_takes_8_cents_for_each_8_34_pounds() -> None:
    found = quote(town("manchester"), Load((septic(),), pounds=10342))
    assert shown(found.lines) == [("scale", "99.20")]
    assert found.lines[0].how == "1,240 gallons by weight at $0.08 a gallon"


def test_falmouth_has_its_winter_price_through_march_31_and_its_summer_price_from_april_1() -> None:
    load = Load((septic(2000),))
    days = {"2026-03-31": "160.00", "2026-04-01": "190.00", "2026-09-30": "190.00", "2026-10-01": "160.00",
            "2026-12-31": "160.00", "2027-01-01": "160.00"}  # fmt: skip
    assert {day: str(cost("falmouth", load, date.fromisoformat(day))) for day in days} == days


def test_falmouth_adds_100_dollars_after_hours() -> None:
    assert cost("falmouth", Load((septic(2000),), after_hours=True), date(2026, 3, 31)) == Decimal("260.00")


def test_falmouth_weighs_first_and_prices_each_day_of_a_load_by_its_own_season() -> None:
    assert cost("falmouth", Load((septic(9),), pounds=16680), date(2026, 4, 1)) == Decimal("190.00")
    days = ((date(2026, 3, 31), 1500), (date(2026, 4, 1), 500))
    found = quote(town("falmouth"), Load((septic(2000),), sessions=days), date(2026, 3, 31))
    assert shown(found.lines) == [("winter", "120.00"), ("summer", "47.50")]


def test_marshalltown_takes_the_full_tank_or_the_meter_and_10_dollars() -> None:
    truck = {"capacity": 2000, "measured": 1800}
    assert cost("marshalltown", Load((septic(),), **truck)) == Decimal("236.00")
    found = quote(town("marshalltown"), Load((septic(),), metered=True, **truck))
    assert shown(found.lines) == [("septage_metered", "212.40"), ("meter", "10.00")]
    assert found.total == Decimal("222.40")


@pytest.mark.parametrize(("zone", "total"), [("in_city", "135.00"), ("outside", "270.00")])
def test_marshalltown_takes_grease_by_where_it_comes_from(zone: str, total: str) -> None:
    assert cost("marshalltown", Load((Part(GREASE, zone),), capacity=1000)) == Decimal(total)


def test_grease_of_no_named_zone_is_asked_for_its_zone() -> None:
    refusal = refused(town("marshalltown"), Load((Part(GREASE),), capacity=1000))
    assert (refusal.code, refusal.next_step) == ("origin_missing", "Give the zone: in city, outside.")
    assert refusal.why == "The price of grease interceptor waste depends on where it comes from."


def test_grease_mixed_with_septage_at_marshalltown_pays_the_rate_of_grease_for_all_of_it() -> None:
    parts = (septic(1000), Part(GREASE, "in_city", 500))
    for load in (Load(parts, capacity=2000), Load(parts[::-1], capacity=2000)):
        found = quote(town("marshalltown"), load)
        assert shown(found.lines) == [("grease_in_city", "270.00")]
        assert found.lines[0].also == (
            "Mixed load, all of it as grease interceptor (in city) (Code of Ordinances, hauled waste)."
        )


def test_marshalltown_takes_mud_by_the_load_and_the_cubic_yard_over_2() -> None:
    mud = (Part("other"),)
    assert cost("marshalltown", Load(mud, cubic_yards=2)) == Decimal("50.00")
    found = quote(town("marshalltown"), Load(mud, cubic_yards=Decimal("3.5")))
    assert shown(found.lines) == [("mud_pit", "50.00"), ("mud_pit_yards", "37.50")]
    assert found.lines[1].how == "1.5 cubic yards over 2 at $25.00 a cubic yard"


@pytest.mark.parametrize(
    ("capacity", "lines"),
    [(800, [("tank", "24.00"), ("least", "6.00")]), (1000, [("tank", "30.00")]), (1001, [("tank", "30.03")])],
)
def test_chandler_takes_3_cents_of_tank_and_at_least_30_dollars(capacity: int, lines: list[tuple[str, str]]) -> None:
    found = quote(town("chandler"), Load((septic(),), capacity=capacity))
    assert shown(found.lines) == lines
    assert found.total == max(Decimal("30.00"), Decimal("0.03") * capacity)


@pytest.mark.parametrize("when", OFF_HOURS)
def test_chandler_adds_50_dollars_off_hours_once(when: dict[str, bool]) -> None:
    found = quote(town("chandler"), Load((septic(),), capacity=800, **when))  # type: ignore[arg-type]
    assert shown(found.lines) == [("tank", "24.00"), ("least", "6.00"), ("off_hours", "50.00")]
    assert found.lines[1].sentence == (
        "Least charge of a load: $30.00 at least, less $24.00 = $6.00 (Code of Ordinances, hauled waste)."
    )


def test_chandler_passes_costs_on_and_takes_at_least_100_for_cleaning() -> None:
    costs = {"lab": Decimal("31.40"), "cleaning": Decimal("40.00")}
    found = quote(town("chandler"), Load((septic(),), capacity=1000, costs=costs))
    assert shown(found.lines) == [("tank", "30.00"), ("cleaning", "100.00"), ("testing", "31.40")]
    assert found.lines[1].how == "$40.00 paid, at least $100.00 charged"
    dear = quote(town("chandler"), Load((septic(),), capacity=1000, costs={"cleaning": Decimal("140.00")}))
    assert shown(dear.lines)[1] == ("cleaning", "140.00")


def test_superior_takes_11_25_a_truckload_as_two_and_a_half_times_the_fixed_fee() -> None:
    found = quote(town("superior"), Load((septic(1500),)))
    assert [line.sentence for line in found.lines] == [
        "Fixed fee of a truckload: 1 load at $11.25 (2.5 × $4.50, Fixed fee of a connected customer) = $11.25 "
        "(Septic hauler rates of January 1, 2024)."
    ]
    assert str(found.lines[0].unit_price) == "11.25"


def test_superior_takes_75_dollars_the_first_year_and_25_later() -> None:
    assert shown(application_lines(town("superior"), DAY)) == [("permit", "75.00")]
    assert shown(application_lines(town("superior"), DAY, renewal=True)) == [("permit", "25.00")]


@pytest.mark.parametrize("when", OFF_HOURS)
def test_american_bottoms_takes_a_third_more_off_hours_once(when: dict[str, bool]) -> None:
    assert cost("american_bottoms", Load((septic(),), capacity=2500)) == Decimal("175.00")
    found = quote(town("american_bottoms"), Load((septic(),), capacity=2500, **when))  # type: ignore[arg-type]
    assert shown(found.lines) == [("capacity", "175.00"), ("off_hours", "57.75")]
    assert found.lines[1].how == "33 % of $175.00 (Hauled wastewater by the truck)"


@pytest.mark.parametrize(("zone", "total"), [("resident", "80.00"), ("bourne", "100.00"), ("nonresident", "180.00")])
def test_wareham_takes_8_10_or_18_cents_by_zone(zone: str, total: str) -> None:
    assert cost("wareham", Load((septic(1000, zone),))) == Decimal(total)


def test_the_measured_gallons_of_a_mixed_load_are_shared_by_what_was_declared() -> None:
    parts = (septic(1000, "resident"), septic(500, "bourne"))
    found = quote(town("wareham"), Load(parts, measured=1501))
    assert [(str(line.quantity), str(line.amount)) for line in found.lines] == [("1001", "80.08"), ("500", "50.00")]


def test_eden_takes_75_dollars_to_3000_gallons_and_has_no_price_beyond() -> None:
    assert [cost("eden", Load((septic(gallons),))) for gallons in (1, 2999, 3000)] == [Decimal("75.00")] * 3
    refusal = refused(town("eden"), Load((septic(3001),)))
    assert (refusal.code, refusal.why) == (
        "over_largest", "The schedule has no price for 3,001 gallons: its largest load is 3,000."
    )  # fmt: skip


def test_one_gallon_is_a_gallon() -> None:
    found = quote(town("eden"), Load((septic(1),)))
    assert found.lines[0].how == "1 gallon declared, a load up to 3,000, at $75.00"


def test_one_truckload_of_several_tanks_is_one_truckload() -> None:
    assert cost("eden", Load((septic(1000), Part("holding_tank", None, 900)))) == Decimal("75.00")


def test_bell_has_a_first_hour_and_a_price_after_it() -> None:
    found = quote(town("bell"), Load((septic(1500),), staff_minutes=90))
    assert shown(found.lines) == [
        ("load", "25.00"), ("surcharge", "10.00"), ("call_out", "75.00"), ("call_out_more", "25.00"),
    ]  # fmt: skip
    assert cost("bell", Load((septic(1500),), staff_minutes=10)) == Decimal("110.00")
    assert cost("bell", Load((septic(1500),))) == Decimal("35.00")


def test_a_strength_class_waits_for_its_results() -> None:
    def load(**results: int) -> Load:
        return Load((septic(),), capacity=1010, strengths={name: Decimal(one) for name, one in results.items()})

    waiting = quote(town("grand_island"), load())
    assert (shown(waiting.lines), waiting.awaited) == ([("awaits_result", "0.00")], ("bod", "tss"))
    assert waiting.lines[0].sentence == (
        "Price by strength, awaits the result of BOD5 and TSS: not known yet = $0.00 "
        "(Code of Ordinances, hauled waste)."
    )
    assert shown(quote(town("grand_island"), load(bod=6000)).lines) == [("normal", "66.00")]
    assert shown(quote(town("grand_island"), load(bod=6001, tss=20000)).lines) == [("normal", "66.00")]
    assert shown(quote(town("grand_island"), load(bod=6001, tss=20001)).lines) == [("high", "104.50")]
    assert quote(town("grand_island"), load(bod=6001)).awaited == ("tss",)


def test_a_mixed_load_waits_for_a_result_any_of_its_kinds_may_be_charged_by() -> None:
    rows = [
        item("septage", "per_gallons", 'price = "0.10"\nbasis = ["declared"]\nwaste = ["septic_tank"]'),
        item("holding", "per_gallons", 'price = "0.01"\nbasis = ["declared"]\nwaste = ["holding_tank"]'),
        item("bod", "per_pound_over", 'price = "0.16"\nparameter = "bod"\nabove = "200"\nlb_factor = "8.34"\n'
             'basis = ["declared"]\nwaste = ["holding_tank"]'),
        '\n[[mixed]]\nrule = "highest_rate"\nfrom = 2020-01-01\ncite = "§ 1-2"\n',
    ]  # fmt: skip
    found = quote(made(*rows), Load((septic(500), Part("holding_tank", None, 500))))
    assert shown(found.lines) == [("septage", "100.00")]
    assert found.awaited == ("bod",)


def test_waste_no_item_counts_has_no_price() -> None:
    refusal = refused(town("cedarburg"), Load((septic(500), Part(GREASE, None, 500))))
    assert (refusal.code, refusal.why) == (
        "no_price", "The schedule has no price for grease interceptor waste on Tuesday, October 6, 2026."
    )  # fmt: skip


def test_what_is_not_known_is_asked_for() -> None:
    refusal = refused(town("chandler"), Load((septic(1500),)))
    assert (refusal.code, refusal.next_step) == ("quantity_missing", "Give the capacity of the tank.")
    assert refusal.why == "Septage by the licensed tank cannot be priced: the capacity of the tank is not known."


def test_a_mixed_load_has_no_price_where_the_schedule_does_not_say_how() -> None:
    rows = [item(name, "per_gallons", f'price = "0.1{at}"\nbasis = ["declared"]\nwaste = ["{name}"]')
            for at, name in enumerate(("septic_tank", "holding_tank"))]  # fmt: skip
    refusal = refused(made(*rows), Load((septic(500), Part("holding_tank", None, 100))))
    assert (refusal.code, refusal.next_step) == ("mixed_not_said", "Bring each kind by itself.")


def test_the_price_is_that_of_the_day_of_discharge() -> None:
    gallon = 'price = "0.{0}"\nbasis = ["declared"]'
    rows = [item("volume", "per_gallons", gallon.format("024"), "2020-01-01"),
            item("volume", "per_gallons", gallon.format("030"), "2027-01-01")]  # fmt: skip
    load = Load((septic(1000),))
    assert quote(made(*rows), load, date(2026, 12, 31)).total == Decimal("24.00")
    assert quote(made(*rows), load, date(2027, 1, 1)).total == Decimal("30.00")
    with pytest.raises(NoLaw, match="its first date is 2020-01-01"):
        price_load(made(*rows), date(2019, 12, 31), load)


def test_a_load_over_days_between_which_the_way_of_charging_changed_is_entered_apart() -> None:
    rows = [item("volume", "per_gallons", 'price = "0.02"\nbasis = ["declared"]', "2020-01-01"),
            item("volume", "per_gallons", 'price = "0.02"\neach = 100\nparts = "started"\nbasis = ["declared"]',
                 "2027-01-01")]  # fmt: skip
    days = ((date(2026, 12, 31), 500), (date(2027, 1, 1), 500))
    refusal = refused(made(*rows), Load((septic(1000),), sessions=days), date(2026, 12, 31))
    assert (refusal.code, refusal.next_step) == (
        "days_differ",
        "Enter what was unloaded each day as a load of its own.",
    )


def test_begun_thousands_of_a_load_over_two_days_are_begun_once() -> None:
    row = item("volume", "per_gallons", 'price = "20.00"\neach = 1000\nparts = "started"\nbasis = ["declared"]')
    days = ((date(2026, 12, 30), 900), (date(2026, 12, 31), 600))
    found = quote(made(row), Load((septic(1500),), sessions=days), date(2026, 12, 30))
    assert shown(found.lines) == [("volume", "40.00")]
    assert found.lines[0].how == "1,500 gallons declared at $20.00 for each 1,000 gallons begun, 2 of them"


def test_trucks_and_deposits_are_charged_by_the_truck() -> None:
    schedule = made(
        item("volume", "per_load", 'price = "5.00"'),
        item("truck", "per_truck_year", 'price = "10.00"'),
        item("bond", "deposit", 'price = "50.00"'),
        item("safe", "deposit", 'price = "5000.00"\nper = "hauler"'),
    )
    assert shown(truck_lines(schedule, DAY, 3, renewal=True)) == [("truck", "30.00")]
    assert truck_lines(schedule, DAY, 3)[0].sentence == "Truck: 3 trucks at $10.00 each = $30.00 (§ 1-1)."
    assert shown(deposit_lines(schedule, DAY, 2)) == [("bond", "100.00"), ("safe", "5000.00")]
    assert shown(quote(schedule, Load((septic(100),))).lines) == [("volume", "5.00")]


def test_a_wage_is_the_dated_one_unless_it_comes_with_the_load() -> None:
    hours = item("hours", "staff_hours", 'role = "operator"\nround_hours = "0.25"')
    wage = '\n[[wage]]\nrole = "operator"\nprice = "{0}"\nfrom = {1}\ncite = "Res. 2026-{2}"\n'
    wages = wage.format("28.00", "2026-01-01", "3"), wage.format("31.00", "2026-11-01", "9")
    load = Load((septic(100),), staff_minutes=61)
    found = quote(made(hours, *wages), load)
    assert [line.sentence for line in found.lines] == [
        "Hours, 1 hour 1 minute: 1.25 hours at $28.00 an hour = $35.00 (§ 1-1; Res. 2026-3)."
    ]
    assert quote(made(hours, *wages), load, date(2026, 11, 1)).total == Decimal("38.75")
    given = Load((septic(100),), staff_minutes=61, wage=Decimal("40.00"))
    assert quote(made(hours, *wages), given).total == Decimal("50.00")
    assert refused(made(hours), load).why == "No hourly wage of the operator is set on Tuesday, October 6, 2026."


def test_pounds_above_a_strength_are_charged_once_the_result_is_there() -> None:
    row = item("bod", "per_pound_over", 'price = "0.16"\nparameter = "bod"\nabove = "200"\nlb_factor = "8.34"\n'
               'basis = ["measured", "declared"]')  # fmt: skip
    base = item("volume", "per_gallons", 'price = "0.01"\nbasis = ["measured", "declared"]')
    results = {"bod": Decimal(6480)}
    found = quote(made(base, row), Load((septic(1500),), strengths=results))
    assert shown(found.lines) == [("volume", "15.00"), ("bod", "12.57")]
    assert found.lines[1].how == ("6,480 mg/L less 200, in 1,500 gallons declared 78.5628 pounds, at $0.16 a pound")
    assert quote(made(base, row), Load((septic(1500),))).awaited == ("bod",)
    assert shown(quote(made(base, row), Load((septic(1500),), strengths={"bod": Decimal(200)})).lines) == [
        ("volume", "15.00")
    ]


@pytest.mark.parametrize(("gallons", "total"), [(1001, "25.03"), (1005, "25.13")])
def test_half_cents_go_up(gallons: int, total: str) -> None:
    row = item("volume", "per_gallons", 'price = "0.025"\nbasis = ["declared"]')
    assert str(quote(made(row), Load((septic(gallons),))).total) == total


@pytest.mark.parametrize(
    ("rounding", "total"), [("half_up", "25.05"), ("up", "25.05"), ("down", "25.00")]
)  # fmt: skip
def test_an_item_may_round_by_its_own_step(rounding: str, total: str) -> None:
    fields = f'price = "0.025"\nbasis = ["declared"]\nround_to = "0.05"\nrounding = "{rounding}"'
    assert str(quote(made(item("volume", "per_gallons", fields)), Load((septic(1001),))).total) == total


def test_a_minimum_may_count_from_a_percent_and_a_point_may_have_its_own_price() -> None:
    rows = [
        item("least", "minimum", 'price = "20.00"\nof = ["volume", "more"]'),
        item("more", "percent", 'percent = "50"\nof = ["volume"]\nwhen = ["holiday"]'),
        item("volume", "per_gallons", 'price = "0.01"\nbasis = ["declared"]\npoint = ["manhole"]'),
        item("dock", "per_gallons", 'price = "0.10"\nbasis = ["declared"]\npoint = ["dock"]'),
    ]
    schedule = made(*rows, head='points = ["manhole", "dock"]')
    found = quote(schedule, Load((septic(1000),), point="manhole", holiday=True))
    assert shown(found.lines) == [("least", "5.00"), ("more", "5.00"), ("volume", "10.00")]
    assert quote(schedule, Load((septic(1000),), point="dock", holiday=True)).total == Decimal("100.00")
    assert refused(schedule, Load((septic(1000),))).code == "no_price"


def test_hours_that_are_not_rounded_are_multiplied_by_their_minutes() -> None:
    found = quote(made(item("hours", "staff_hours", 'price = "36.015"')), Load((septic(1),), staff_minutes=20))
    assert str(found.total) == "12.01"
    assert found.lines[0].sentence == "Hours, 20 minutes: 0.3333 hours at $36.015 an hour = $12.01 (§ 1-1)."


def test_a_bound_in_gallons_is_that_of_a_whole_load_over_two_days() -> None:
    row = item("volume", "per_gallons", 'price = "0.10"\nover = "1000"\nbasis = ["declared"]')
    days = ((date(2026, 12, 30), 900), (date(2026, 12, 31), 600))
    found = quote(made(row), Load((septic(1500),), sessions=days), date(2026, 12, 30))
    assert shown(found.lines) == [("volume", "50.00")]


def test_a_class_by_any_strength_waits_until_one_is_passed_or_all_are_known() -> None:
    rows = [
        item("least", "minimum", 'price = "99.00"\nof = ["strong", "weak"]\nstrength_class = ["high"]'),
        item("strong", "per_load", 'price = "60.00"\nstrength_class = ["high"]'),
        item("weak", "per_load", 'price = "40.00"\nstrength_class = ["normal"]'),
        '\n[[strength_class]]\ncode = "high"\nabove = { bod = "300", tss = "350" }\nneeds = "any"\n'
        'from = 2020-01-01\ncite = "§ 1-3"\n',
    ]

    def priced(**results: int) -> tuple[list[tuple[str, str]], tuple[str, ...]]:
        strengths = {name: Decimal(one) for name, one in results.items()}
        found = quote(made(*rows), Load((septic(1),), strengths=strengths))
        return shown(found.lines), found.awaited

    assert priced(bod=300) == ([("awaits_result", "0.00")], ("tss",))
    assert priced(bod=301) == ([("least", "39.00"), ("strong", "60.00")], ())
    assert priced(bod=300, tss=350) == ([("weak", "40.00")], ())


def test_a_zone_no_item_names_has_no_price() -> None:
    refusal = refused(town("wareham"), Load((septic(500, "elsewhere"),)))
    assert (refusal.code, refusal.why) == (
        "no_price", "The schedule has no price for septic tank waste from elsewhere on Tuesday, October 6, 2026."
    )  # fmt: skip


def test_a_multiple_counts_as_the_item_it_multiplies_counts() -> None:
    thousand = 'price = "7.50"\neach = 1000\nparts = "started"\nover = "500"\nbasis = ["capacity"]\nbase = true'
    pound = ('price = "0.10"\nparameter = "bod"\nabove = "200"\nlb_factor = "8.34"\nbasis = ["capacity"]\n'
             "base = true")  # fmt: skip
    rows = [
        item("sewer", "per_gallons", thousand),
        item("strength", "per_pound_over", pound),
        item("hauled", "multiple", 'of = ["sewer"]\ntimes = "3"'),
        item("hauled_bod", "multiple", 'of = ["strength"]\ntimes = "1.5"'),
    ]
    found = quote(made(*rows), Load((septic(),), capacity=2000, strengths={"bod": Decimal(1200)}))
    assert [line.sentence for line in found.lines] == [
        "Hauled: 1,500 gallons over 500 of tank capacity at $22.50 for each 1,000 gallons begun, 2 of them "
        "(3 × $7.50, Sewer) = $45.00 (§ 1-1).",
        "Hauled bod: 1,200 mg/L less 200, in 2,000 gallons of tank capacity 16.68 pounds, at $0.15 a pound "
        "(1.5 × $0.10, Strength) = $2.50 (§ 1-1).",
    ]


@pytest.mark.parametrize(
    "how",
    ["1,500 gallons measured at $0.024 a gallon.", "1 load at $12.16.", "2 trucks at $10.00 each",
     "2.5 hours at $30.00 an hour."],
)  # fmt: skip
def test_a_quantity_at_a_price_needs_no_more_words_beside_its_columns(how: str) -> None:
    assert more_than_price(how) == ""


@pytest.mark.parametrize(
    "how",
    ["$30.00 at least, less $24.00.", "33 % of $140.00 (Hauled wastewater by the truck).",
     "1 load at $11.25 (2.5 × $4.50, Fixed fee of a connected customer).", "$9.00 paid, at least $100.00 charged.",
     "240 gallons declared over 1,000 at $8.00 for each 100 gallons begun, 3 of them."],
)  # fmt: skip
def test_any_other_arithmetic_is_told(how: str) -> None:
    assert more_than_price(how) == how

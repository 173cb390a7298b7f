"""Every mistake in a schedule is named with its file, its key, and what to write instead."""

from pathlib import Path

import pytest

from ordinances.reader import check
from ordinances.rows import LawError
from ordinances.schedule_reader import check_schedule, read_schedule, schedule_from_text
from tests.ordinances.town import HEAD, HERE, item, towns

GALLONS = 'price = "0.02"\nbasis = ["declared"]'


def mistakes(*rows: str, head: str = HEAD) -> list[str]:
    with pytest.raises(LawError) as caught:
        schedule_from_text(head + "\n" + "".join(rows), "a.toml")
    return [str(one) for one in caught.value.problems]


def one(code: str, kind: str, fields: str) -> list[str]:
    return mistakes(item(code, kind, fields))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ('price = 0.02\nbasis = ["declared"]',
         'price: 0.02 is a TOML float, which cannot hold money or rates exactly. Write "0.02" in quotes'),
        ('price = 2\nbasis = ["declared"]', 'price: 2 stands without quotes. Write "2" in quotes'),
        ('price = "-1"\nbasis = ["declared"]', "price: -1 is below zero. Write zero or more"),
        ('price = "2,50"\nbasis = ["declared"]',
         'price: \'2,50\' is not a plain number. Write digits and a point only, such as "0.25"'),
        ('price = "100001"\nbasis = ["declared"]', "price: 100001 is too high. Write 0 to 100,000"),
        ('basis = ["declared"]',
         "price: is missing. An item 'per_gallons' is charged for so many gallons: write it"),
        (GALLONS + '\nprise = "1"', "prise: unknown key. Did you mean price?"),
        ('price = "1"\nbasis = ["tank"]',
         "basis: 'tank' is not one of the choices. Write one of: measured, declared, capacity, weight"),
        ('price = "1"\nbasis = []', "basis: the list is empty. Name at least one, or leave the field out"),
        (GALLONS + "\neach = 1000",
         'parts: is missing. Write parts = "exact" to charge a part by its share, or "started" to charge it as a '
         "whole one"),
        (GALLONS + '\neach = 0\nparts = "exact"',
         "each: 0 of something cannot be counted. Write how many there are to a price, such as 100"),
        ('price = "1"\nbasis = ["weight"]',
         "lb_per_gallon: is missing. Write how many pounds a gallon weighs, in quotes"),
        (GALLONS + '\nover = "5"\nup_to = "5"', "up_to: 5 is not more than over. Write the larger bound in up_to"),
        (GALLONS + '\nwaste = ["septic_tnk"]',
         "waste: 'septic_tnk' is not among the schedule's wastes. Did you mean septic_tank?"),
        (GALLONS + '\norigin = ["town"]',
         "origin: 'town' is not among the schedule's origins. List it under [schedule]: origins = [\"town\"]"),
        (GALLONS + '\nseason = ["10-01"]',
         "season: ['10-01'] is not a season. Write its first and last day, such as [\"11-01\", \"02-28\"]"),
        (GALLONS + '\nseason = ["02-30", "03-31"]',
         'season: 02-30 is not a day of the calendar. Write month and day of a day every year has, such as "03-31"'),
        (GALLONS + '\nwhen = ["night"]',
         "when: 'night' is not one of the choices. Write one of: inside, after_hours, weekend, holiday"),
        (GALLONS + '\nmetered = "yes"', "metered: 'yes' is neither true nor false. Write true or false without quotes"),
        (GALLONS + '\nstrength_class = ["high"]',
         "strength_class: there is no class 'high'. Write a [[strength_class]] for it"),
        (GALLONS + "\nuntil = 2019-01-01",
         "until: 2019-01-01 is before 2020-01-01. Write the last day on which the row counts"),
        (GALLONS + '\nround_to = "0.005"',
         'round_to: 0.005 is no whole number of cents. Write a step such as "0.01", "0.05" or "1.00"'),
        (GALLONS + '\nround_to = "0"', "round_to: 0 is too low. Write more than 0 to 100"),
    ],
)  # fmt: skip
def test_a_wrong_field_of_gallons_is_named(fields: str, said: str) -> None:
    assert one("volume", "per_gallons", fields) == [f"a.toml: item volume.{said}"]


@pytest.mark.parametrize(
    ("kind", "fields", "said"),
    [
        ("per_galon", "", "kind: 'per_galon' is no kind of charge. Did you mean per_gallons?"),
        ("size_band", 'basis = ["declared"]\nbands = [{ up_to = 9, price = "1" }, { up_to = 8, price = "2" }]',
         'bands: the bands do not rise. Write [{ up_to = 1500, price = "40.00" }, ...], the smallest first'),
        ("size_band", 'basis = ["declared"]\nbands = [{ price = "2" }]',
         "bands: [{'price': '2'}] is not a list of bands. "
         'Write [{ up_to = 1500, price = "40.00" }, ...], the smallest first'),
        ("staff_hours", "",
         "role: is missing. Name a role whose wage is dated, or write a price: one of the two"),
        ("minimum", 'price = "30"\nof = ["tank"]', "of: there is no item 'tank'. Name one of: volume"),
        ("multiple", 'times = "2"\nof = ["volume"]', "of: 'volume' has no price of its own. Name an item with a price"),
        ("deposit", 'price = "50"\nwaste = ["septic_tank"]',
         "waste: a 'deposit' has none. Leave it out, or write an item of another kind"),
        ("per_test", 'price = "5"\ntest = ["pair"]',
         "test: 'pair' is not among the schedule's tests. List it under [schedule]: tests = [\"pair\"]"),
    ],
)  # fmt: skip
def test_a_wrong_field_of_another_kind_is_named(kind: str, fields: str, said: str) -> None:
    assert one("volume", kind, fields) == [f"a.toml: item volume.{said}"]


def test_a_row_without_a_section_is_named() -> None:
    text = item("volume", "per_gallons", GALLONS)
    mend = 'Write the section, such as cite = "§ 12-3", or the sheet the price stands in: "Fee schedule of 2024"'
    assert mistakes(text.replace('cite = "§ 1-1"\n', "")) == [f"a.toml: item volume.cite: is missing. {mend}"]
    assert mistakes(text.replace("§ 1-1", "the clerk")) == [
        f"a.toml: item volume.cite: 'the clerk' names no section, resolution or sheet. {mend}"
    ]


def test_dates_of_one_code_follow_one_another() -> None:
    rows = [item("volume", "per_gallons", GALLONS, day) for day in ("2021-01-01", "2021-01-01")]
    assert mistakes(*rows) == [
        "a.toml: item volume.from: 2021-01-01 does not follow 2021-01-01. "
        "Put the rows of one code in the order of their dates, each date once"
    ]
    assert mistakes(rows[0].replace("2021-01-01", '"2021"')) == [
        "a.toml: item volume.from: '2021' is not a day. Write a day without quotes, such as 2024-07-01"
    ]


def test_a_circle_of_minimums_and_percents_is_named() -> None:
    rows = [item("volume", "per_gallons", GALLONS), item("least", "minimum", 'price = "9"\nof = ["volume", "more"]'),
            item("more", "percent", 'percent = "5"\nof = ["least"]')]  # fmt: skip
    assert mistakes(*rows) == [
        "a.toml: item: minimums and percents count from one another in a circle. "
        "Let each minimum and percent count from lines that do not count from it"
    ]


def test_wages_classes_and_mixed_rows_are_checked_too() -> None:
    volume = item("volume", "per_gallons", GALLONS)
    rows = '\n[[wage]]\nrole = "operator"\nprice = 30\nfrom = 2020-01-01\ncite = "§ 1-1"\n' \
           '\n[[strength_class]]\ncode = "high"\nabove = {}\nneeds = "all"\nfrom = 2020-01-01\ncite = "§ 1-1"\n' \
           '\n[[mixed]]\nrule = "dearest"\nfrom = 2020-01-01\ncite = "§ 1-1"\n'  # fmt: skip
    assert mistakes(volume, rows) == [
        'a.toml: wage operator.price: 30 stands without quotes. Write "30" in quotes',
        'a.toml: strength_class high: {} names no strengths. Write { bod = "300", tss = "350" }, in mg/L',
        "a.toml: mixed.rule: 'dearest' is not one of the choices. Write one of: highest_rate, by_part",
    ]


def test_a_role_without_a_wage_among_dated_ones_is_named() -> None:
    hours = item("hours", "staff_hours", 'role = "operater"')
    wage = '\n[[wage]]\nrole = "operator"\nprice = "30.00"\nfrom = 2020-01-01\ncite = "Res. 2020-3"\n'
    assert mistakes(hours, wage) == ["a.toml: item hours.role: no wage of 'operater' is dated. Did you mean operator?"]
    assert mistakes(hours, wage.replace('price = "30.00"\n', "")) == [
        'a.toml: wage operator.price: is missing. Write what an hour costs, such as price = "31.00"'
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "schedule: the file does not say what it is. Begin with one table, [schedule]"),
        ("[schedule", "not TOML: "),
        ('[schedule]\nid = "a"\nname = "A"\nsource = ""\n',
         'schedule.source: is missing. Write source = "..." under [schedule]'),
        (HEAD + 'zone = ["a"]\n', "schedule.zone: unknown key. "),
        (HEAD, "item: the schedule charges nothing. Write at least one [[item]]"),
        (HEAD + "\n[[items]]\n", "items: unknown table. Did you mean item?"),
        ('item = "x"\n' + HEAD, "item: is not a list of rows. Write [[item]] above each row"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_schedule_says_so(text: str, said: str) -> None:
    with pytest.raises(LawError) as caught:
        schedule_from_text(text, "a.toml")
    assert str(caught.value.problems[0]).removeprefix("a.toml: ").startswith(said)


def test_a_file_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    assert [str(one) for one in check_schedule(tmp_path / "none.toml")] == [
        f"{tmp_path}/none.toml: the file cannot be read (No such file or directory). Name a file that exists"
    ]
    (tmp_path / "a.toml").write_bytes(b"\xff")
    assert [one.what for one in check_schedule(tmp_path / "a.toml")] == ["the file is not UTF-8 text"]


def test_the_check_of_the_law_knows_schedules(tmp_path: Path) -> None:
    wrong = tmp_path / "a.toml"
    wrong.write_text(HEAD + item("volume", "per_gallons", 'price = "1"'), encoding="utf-8")
    assert [one.key for one in check([wrong, *HERE.glob("*.toml")])] == ["item volume.basis"]


@pytest.mark.parametrize("name", towns())
def test_every_town_under_tests_says_where_its_prices_stand(name: str) -> None:
    schedule = read_schedule(HERE / f"{name}.toml")
    assert schedule.source and schedule.items
    assert (HERE / f"{name}.toml").read_text(encoding="utf-8").startswith("# ")


def test_a_load_not_tested_counts_as_a_class_the_schedule_has() -> None:
    row = '\n[[untested]]\nstrength_class = "{0}"\nfrom = 2020-01-01\ncite = "§ 1-1"\n'
    volume = item("volume", "per_gallons", GALLONS)
    schedule_from_text(HEAD + "\n" + volume + row.format("normal"))
    assert mistakes(volume, row.format("high")) == [
        "a.toml: untested.strength_class: there is no class 'high'. Use one of: normal"
    ]

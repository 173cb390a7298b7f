"""``law quote FILE``: what a load costs by a fee schedule, plain and as JSON, with exit codes scripts may rely on."""

import json

import pytest

from tests.office.test_law_commands import ask
from tests.ordinances.town import HEAD, HERE, item


def quoted(app, name, words):
    answer = ask(app, f"quote {HERE / name}.toml --date {words}")
    return answer.exit_code, answer.output.splitlines()


def test_a_quote_says_each_line_in_a_sentence_and_the_total(app):
    assert quoted(app, "cedarburg", "2026-10-06 --waste septic_tank:1500") == (0, [
        "Septic tank waste: 1,500 gallons declared at $51.00 for each 1,000 gallons = $76.50 "
        "(Water Recycling Center rates of January 1, 2023).",
        "Administrative fee: 1 load at $10.00 = $10.00 (Water Recycling Center rates of January 1, 2023).",
        "Total $86.50",
    ])  # fmt: skip


@pytest.mark.parametrize(
    ("name", "words", "total"),
    [
        ("manchester", "2026-10-06 --waste septic_tank:1240", "$104.00"),
        ("falmouth", "2026-03-31 --waste septic_tank:2000", "$160.00"),
        ("falmouth", "2026-04-01 --waste septic_tank:2000 --after-hours", "$290.00"),
        ("marshalltown", "2026-10-06 --waste septic_tank --capacity 2000 --measured 1800 --metered", "$222.40"),
        ("marshalltown", "2026-10-06 --waste other --cubic-yards 3.5", "$87.50"),
        ("chandler", "2026-10-06 --waste septic_tank --capacity 800", "$30.00"),
        ("chandler", "2026-10-10 --waste septic_tank --capacity 800", "$80.00"),
        ("chandler", "2026-10-06 --waste septic_tank --capacity 800 --holiday --cost lab=31.40", "$111.40"),
        ("wareham", "2026-10-06 --waste septic_tank:1000:bourne --waste septic_tank:500:resident", "$140.00"),
        ("bayfield", "2026-10-06 --waste septic_tank:1500 --test pair=1 --after-hours --staff-minutes 136 --wage 30.00",
         "$128.16"),
    ],
)  # fmt: skip
def test_a_quote_of_a_town_comes_to_its_cents(app, name, words, total):
    code, lines = quoted(app, name, words)
    assert (code, lines[-1]) == (0, f"Total {total}")


def test_a_quote_as_json_is_one_object_with_money_as_strings(app):
    code, lines = quoted(app, "superior", "2026-10-06 --waste septic_tank:900 --json")
    assert (code, len(lines)) == (0, 1)
    assert json.loads(lines[0]) == {
        "lines": [{
            "code": "truckload", "what": "Fixed fee of a truckload", "quantity": "1", "unit": "load",
            "unit_price": "11.25", "amount": "11.25", "cite": "Septic hauler rates of January 1, 2024",
            "sentence": "Fixed fee of a truckload: 1 load at $11.25 (2.5 × $4.50, Fixed fee of a connected customer) "
                        "= $11.25 (Septic hauler rates of January 1, 2024).",
        }],
        "total": "11.25",
        "awaited": [],
    }  # fmt: skip


def test_a_quote_names_the_results_still_awaited(app):
    code, lines = quoted(app, "grand_island", "2026-10-06 --waste septic_tank --capacity 1010 --strength bod=6001")
    assert (code, lines) == (0, [
        "Price by strength, awaits the result of TSS: not known yet = $0.00 (Code of Ordinances, hauled waste).",
        "Total $0.00", "Still awaited, and may be charged: tss.",
    ])  # fmt: skip


def test_a_load_without_a_price_is_refused_with_exit_1(app):
    code, lines = quoted(app, "eden", "2026-10-06 --waste septic_tank:3001")
    assert code == 1
    assert lines == [
        "The schedule has no price for 3,001 gallons: its largest load is 3,000. "
        "(Fee schedule, utility services) Bring the load in parts."
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("2026-10-06 --waste mud:5", "mud is not among: septic_tank, holding_tank"),
        ("2026-10-06 --waste septic_tank:1:town", "town is not among the zones: none"),
        ("2026-10-06 --waste septic_tank:many", "septic_tank:many is no kind of waste, like septic_tank:1500"),
        ("2026-10-06 --waste septic_tank:1 --strength bod=NaN", "bod=NaN is no name and number"),
        ("2026-10-06 --waste septic_tank:1 --cost lab", "lab is no name and number"),
        ("1999-01-01 --waste septic_tank:1", "has no price in force on 1999-01-01: its first date is 2023-01-01"),
    ],
)
def test_a_question_that_cannot_be_read_ends_with_exit_2(app, words, said):
    answer = ask(app, f"quote {HERE}/cedarburg.toml --date {words}")
    assert answer.exit_code == 2
    assert said in answer.output


def test_a_file_with_mistakes_names_them_and_so_does_the_check(app, tmp_path):
    path = tmp_path / "a.toml"
    path.write_text(HEAD + item("volume", "per_gallons", 'price = 2\nbasis = ["declared"]'), encoding="utf-8")
    said = f'{path}: item volume.price: 2 stands without quotes. Write "2" in quotes'
    answer = ask(app, f"quote {path} --date 2026-10-06 --waste septic_tank:1")
    assert answer.exit_code == 2
    assert said in answer.output
    checked = ask(app, f"check {path}")
    assert (checked.exit_code, checked.output) == (1, f"{said}\n")

from pathlib import Path

import pytest

from ordinances.reader import LawError, Problem, check, load_profile, shipped
from tests.ordinances.common import changed, row_text, without_items

HOURS = '[[hours.opens]]\nvalue = "07:00"'
PRICE = '[[fees.volume_per_gal]]\nvalue = "0.024"'
PLAN = "[[rate.plan_gph]]\nvalue = 666"


def problems_of(folder: Path, *swaps: tuple[str, str], extra: str = "") -> list[tuple[str, str, str]]:
    found = check([changed(folder, *swaps, extra=extra)])
    assert {one.file for one in found} <= {str(folder / "bayfield.toml")}
    return [(one.key, one.what, one.mend) for one in found]


def test_every_shipped_file_is_without_a_mistake() -> None:
    assert check(shipped()) == []
    assert sorted(shipped()) == ["bayfield", "gillett", "lawrence"]


MISTAKES = {
    "unknown key": (
        (),
        row_text("rate.plan_gpm", "666"),
        ("rate.plan_gpm", "unknown key", "Did you mean rate.plan_gph?"),
    ),
    "float money": (
        ((PRICE, "[[fees.volume_per_gal]]\nvalue = 0.024"),),
        "",
        ("fees.volume_per_gal", "0.024 is a TOML float, which cannot hold money or rates exactly",
         'Write "0.024" in quotes'),
    ),
    "money without quotes": (
        (('[[fees.extra_test]]\nvalue = "12.16"', "[[fees.extra_test]]\nvalue = 12"),),
        "",
        ("fees.extra_test", "12 stands without quotes", 'Write "12" in quotes'),
    ),
    "cite missing": (
        (('from = 1992-01-01\ncite = "§ 329-7 F(6)"\n\n[[rate.purposes]]', "from = 1992-01-01\n\n[[rate.purposes]]"),),
        "",
        ("rate.bleed", "cite is missing", 'Write the section, such as cite = "§ 1-2 A(3)"'),
    ),
    "cite without a section": (
        (('cite = "§ 329-1, slug"\n\n[[slug.minutes]]', 'cite = "the definitions"\n\n[[slug.minutes]]'),),
        "",
        ("slug.times", "cite 'the definitions' names no section", 'Write the section, such as cite = "§ 1-2 A(3)"'),
    ),
    "cite with the sign alone": (
        (('cite = "§ 329-1, slug"\n\n[[slug.minutes]]', 'cite = "§"\n\n[[slug.minutes]]'),),
        "",
        ("slug.times", "cite '§' names no section", 'Write the section, such as cite = "§ 1-2 A(3)"'),
    ),
    "from missing": (
        ((PLAN + "\nfrom = 1992-01-01", PLAN),),
        "",
        ("rate.plan_gph", "from is missing", "Write from = 1992-01-01 without quotes or hours"),
    ),
    "from in quotes": (
        ((PLAN + "\nfrom = 1992-01-01", PLAN + '\nfrom = "1992-01-01"'),),
        "",
        ("rate.plan_gph", "from 1992-01-01 is not a date", "Write from = 1992-01-01 without quotes or hours"),
    ),
    "rows out of order": (
        (),
        row_text("rate.plan_gph", "665", "1991-01-01"),
        ("rate.plan_gph", "rows out of order: 1991-01-01 stands after 1992-01-01", "Put the oldest row first"),
    ),
    "two rows of one day": (
        (),
        row_text("rate.plan_gph", "665"),
        ("rate.plan_gph", "two rows begin on 1992-01-01", "Give each its own date"),
    ),
    "overlapping dates": (
        ((PLAN + "\n", PLAN + "\nuntil = 2000-01-01\n"),),
        row_text("rate.plan_gph", "665", "2000-01-01"),
        ("rate.plan_gph", "dates overlap: 2000-01-01 is in force into 2000-01-01", "End the first a day earlier"),
    ),
    "impossible hour": (
        ((HOURS, '[[hours.opens]]\nvalue = "25:00"'),),
        "",
        ("hours.opens", "25:00 is not an hour of the day", 'Write hours and minutes of a day, such as "06:30"'),
    ),
    "impossible day": (
        (('[[decision.by]]\nvalue = "10-01"', '[[decision.by]]\nvalue = "02-30"'),),
        "",
        ("decision.by", "02-30 is not a day of the calendar",
         'Write month and day of a day every year has, such as "03-31"'),
    ),
    "leap day": (
        (('[[decision.by]]\nvalue = "10-01"', '[[decision.by]]\nvalue = "02-29"'),),
        "",
        ("decision.by", "02-29 is not a day of the calendar",
         'Write month and day of a day every year has, such as "03-31"'),
    ),
    "wrong type": (
        ((PLAN, '[[rate.plan_gph]]\nvalue = "666"'),),
        "",
        ("rate.plan_gph", "'666' is not a whole number", "Write a whole number without quotes, such as 20"),
    ),
    "unknown choice": (
        (('value = "bimonthly"', 'value = "weekly"'),),
        "",
        ("billing.period", "'weekly' is not one of the choices", "Write one of: monthly, bimonthly, per_load"),
    ),
    "negative number": (
        ((PLAN, "[[rate.plan_gph]]\nvalue = -666"),),
        "",
        ("rate.plan_gph", "-666 is below zero", "Write zero or more"),
    ),
    "closes before opens": (
        ((HOURS, '[[hours.opens]]\nvalue = "11:00"'),),
        "",
        ("hours.closes", "hours.closes 10:00:00 comes before hours.opens 11:00:00 (Wednesday, January 1, 1992)",
         "Write it after hours.opens"),
    ),
    "until before from": (
        ((PLAN + "\n", PLAN + "\nuntil = 1991-12-31\n"),),
        "",
        ("rate.plan_gph", "until 1991-12-31 is before from 1992-01-01", "Write the last day in force"),
    ),
    "key missing": (
        (("[[application.closes]]", "[[application.form_opens]]"),
         ("[[application.form_opens]]\nvalue = \"07-01\"", "[[application.opens]]\nvalue = \"07-01\"")),
        "",
        ("application.closes", "is missing, and the programme window_committee needs it",
         "Add [[application.closes]] with value, from and cite"),
    ),
    "unknown state layer": (
        (('state_layer = "wi-281.49"', 'state_layer = "wi-281.94"'),),
        "",
        ("profile.state_layer", "there is no state layer 'wi-281.94'", "Did you mean wi-281.49?"),
    ),
    "unknown time zone": (
        (('zone = "America/Chicago"', 'zone = "America/Bayfield"'),),
        "",
        ("profile.zone", "'America/Bayfield' is not a time zone", 'Write a name such as "America/Chicago"'),
    ),
    "name missing": (
        (('place = "Bayfield, Wisconsin"\n', ""),),
        "",
        ("profile.place", "is missing", 'Write place = "..." under [profile]'),
    ),
    "unknown field of a row": (
        ((PLAN + "\n", PLAN + '\nreeding = "x"\n'),),
        "",
        ("rate.plan_gph", "a row has no 'reeding'", "Did you mean reading?"),
    ),
    "a unit of its own": (
        ((PLAN + "\n", PLAN + '\nunitt = "gallons an hour"\n'),),
        "",
        ("rate.plan_gph", "a row has no 'unitt'",
         "Did you mean unit? Take it out: each key has its own (gallons an hour)"),
    ),
    "a unit beside the value of a limit": (
        (('[[limits.temp_high]]\n', '[[limits.temp_high]]\nunitt = "°F"\n'),),
        "",
        ("limits.temp_high", "a row has no 'unitt'", "Did you mean unit? It stands inside value = { ... }"),
    ),
    "a unit misspelled in a limit": (
        (('above = "150", unit =', 'above = "150", unitt ='),),
        "",
        ("limits.temp_high", "a limit has no unitt",
         'Did you mean unit? Write { parameter = "ph", below = "6.0", severity = "reject" }'),
    ),
    "closes as it opens": (
        ((HOURS, '[[hours.opens]]\nvalue = "10:00"'),),
        "",
        ("hours.closes", "hours.closes 10:00:00 is the same as hours.opens 10:00:00 (Wednesday, January 1, 1992)",
         "Write it after hours.opens"),
    ),
    "a state key in a profile": (
        (),
        row_text("winter.from", '"11-15"'),
        ("winter.from", "belongs in a state layer", "Move it there"),
    ),
    "a plant's own key in a profile": (
        (),
        row_text("fees.filing", '"75.00"'),
        ("fees.filing", "is set by each plant, not by a profile", "Take it out and set it at the plant"),
    ),
    "plan above hard": (
        ((PLAN, "[[rate.plan_gph]]\nvalue = 671"),),
        "",
        ("rate.hard_gph", "rate.hard_gph 670 is lower than rate.plan_gph 671 (Wednesday, January 1, 1992)",
         "Write 671 or more, or lower rate.plan_gph"),
    ),
    "a limit without severity": (
        (('severity = "reject" }\nfrom = 1992-01-01\ncite = "§ 329-6 C(1)"',
          'severity = "no" }\nfrom = 1992-01-01\ncite = "§ 329-6 C(1)"'),),
        "",
        ("limits.flammable", "'no' is not a severity", "Write one of: reject, ask, warn"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_check_names_the_mistake(tmp_path: Path, name: str) -> None:
    swaps, extra, expected = MISTAKES[name]
    assert expected in problems_of(tmp_path, *swaps, extra=extra)


def test_check_names_ten_mistakes_of_one_file_in_one_run(tmp_path: Path) -> None:
    names = (
        "unknown key", "float money", "cite missing", "from missing", "impossible hour", "impossible day",
        "unknown choice", "unknown state layer", "unknown field of a row", "a limit without severity",
    )  # fmt: skip
    swaps = [swap for name in names for swap in MISTAKES[name][0] if name != "unknown field of a row"]
    extra = "".join(MISTAKES[name][1] for name in names)
    swaps.append(("[[rate.hard_gph]]\nvalue = 670\n", '[[rate.hard_gph]]\nvalue = 670\nreeding = "x"\n'))
    found = problems_of(tmp_path, *swaps, extra=extra)
    expected = [MISTAKES[name][2] for name in names if name != "unknown field of a row"]
    assert sorted(found) == sorted([*expected, ("rate.hard_gph", "a row has no 'reeding'", "Did you mean reading?")])


def test_a_problem_reads_file_key_what_and_mend(tmp_path: Path) -> None:
    (problem,) = check([changed(tmp_path, (PLAN, "[[rate.plan_gph]]\nvalue = -1"))])
    assert str(problem) == f"{tmp_path}/bayfield.toml: rate.plan_gph: -1 is below zero. Write zero or more"


def test_toml_syntax_names_the_line_and_the_other_file_is_still_checked(tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text("[profile]\nid = \n", encoding="utf-8")
    second = changed(tmp_path, (PLAN, "[[rate.plan_gph]]\nvalue = -1"))
    first, other = check([broken, second])
    assert (first.file, first.key) == (str(broken), "")
    assert first.what.startswith("not TOML: Invalid value (at line 2, column 6")
    assert (other.file, other.key) == (str(second), "rate.plan_gph")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = tmp_path / "nowhere.toml"
    assert check([path]) == [
        Problem(str(path), "", "the file cannot be read (No such file or directory)", "Name a file that exists")
    ]


def test_a_file_that_is_not_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(b"\xff\xfe")
    assert check([path]) == [Problem(str(path), "", "the file is not UTF-8 text", "Save it as UTF-8")]


def test_an_empty_file_is_no_profile(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text("", encoding="utf-8")
    assert [(one.key, one.what) for one in check([path])][:2] == [
        ("profile", "the file does not say what it is"),
        ("programme.kind", "is missing, and the programme by_agreement or prohibited needs it"),
    ]


def test_a_plain_value_instead_of_dated_rows_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    head = '[profile]\nid = "x"\nname = "X"\nplace = "X"\nzone = "UTC"\n'
    path.write_text(f'{head}[programme]\nkind = "prohibited"\n', encoding="utf-8")
    assert [str(one) for one in check([path])] == [
        f"{path}: programme.kind: is not a dated row. Write [[programme.kind]] with value, from and cite under it"
    ]


def test_loading_a_profile_with_mistakes_raises_all_of_them(tmp_path: Path) -> None:
    path = changed(tmp_path, (PLAN, "[[rate.plan_gph]]\nvalue = -1"), (HOURS, '[[hours.opens]]\nvalue = "7"'))
    with pytest.raises(LawError) as raised:
        load_profile(path)
    assert [one.key for one in raised.value.problems] == ["hours.opens", "rate.plan_gph"]


def test_loading_a_state_layer_as_a_profile_is_refused() -> None:
    with pytest.raises(LawError, match="is a state layer, not a profile"):
        load_profile(shipped()["bayfield"].parent / "wisconsin.toml")


def test_a_state_layer_without_the_winter_duty_is_named(tmp_path: Path) -> None:
    layer = tmp_path / "state.toml"
    layer.write_text('[layer]\nid = "x"\nname = "X"\n', encoding="utf-8")
    assert [one.key for one in check([layer])] == [
        "winter.from", "winter.to", "state.apply_before", "state.decide_by", "state.exceptions", "state.tiers",
    ]  # fmt: skip


ITEM = 'code = "volume"\nwhat = "Septage unloaded"\nkind = "per_gallons"\nprice = "0.024"'
ITEM_MISTAKES = {
    "price without quotes": (ITEM, ITEM.replace('"0.024"', "0.024"), "item volume.price",
                             "0.024 is a TOML float, which cannot hold money or rates exactly",
                             'Write "0.024" in quotes'),
    "unknown kind": (ITEM, ITEM.replace("per_gallons", "per_galons"), "item volume.kind",
                     "'per_galons' is no kind of charge", "Did you mean per_gallons?"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "key", "what", "mend"), ITEM_MISTAKES.values(), ids=ITEM_MISTAKES)
def test_a_mistake_in_a_charge_is_named(tmp_path: Path, old: str, new: str, key: str, what: str, mend: str) -> None:
    assert problems_of(tmp_path, (old, new)) == [(key, what, mend)]


def test_a_charge_is_written_once_as_an_item_or_as_a_row(tmp_path: Path) -> None:
    path = changed(tmp_path)
    path.write_text(path.read_text(encoding="utf-8") + row_text("fees.volume_per_gal", '"0.024"'), encoding="utf-8")
    assert [(one.key, one.what, one.mend) for one in check([path])] == [
        ("fees.volume_per_gal", "is written as the item 'volume' too", "Write it once: keep the item")
    ]


def test_a_programme_without_any_charge_names_each_row_it_needs(tmp_path: Path) -> None:
    path = changed(tmp_path)
    path.write_text(without_items(path.read_text(encoding="utf-8")), encoding="utf-8")
    assert [one.key for one in check([path])] == [
        "fees.volume_per_gal", "fees.test", "fees.test_unit", "fees.extra_test", "fees.special_per_test",
        "fees.special_min_hours", "fees.special_round_hours",
    ]  # fmt: skip


def test_a_name_of_its_own_in_the_charges_of_a_profile_is_named(tmp_path: Path) -> None:
    found = problems_of(tmp_path, ("[schedule]\n", '[schedule]\nid = "x"\n'))
    assert found == [("schedule.id", "is that of the profile", "Leave it out")]

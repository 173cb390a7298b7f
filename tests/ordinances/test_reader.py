import json
import re
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from ordinances.reader import LawError, load_profile, profile_from_canonical, shipped, state_rows
from tests.ordinances.common import changed, in_rows, profile, row_text


@pytest.mark.parametrize("name", ["bayfield", "gillett", "lawrence"])
def test_the_canonical_text_reads_back_the_same(name: str) -> None:
    read = profile_from_canonical(profile(name).text)
    assert read == profile(name)
    assert read.sha256 == profile(name).sha256
    assert len(read.sha256) == 64


def test_the_hash_does_not_see_comments_whitespace_or_the_order_of_keys(tmp_path: Path) -> None:
    text = shipped()["bayfield"].read_text(encoding="utf-8")
    head, *rows = re.split(r"\n(?=\[)", text)
    items = [row for row in rows if row.startswith(("[[item]]", "[schedule]"))]  # lines are printed in their order
    others = reversed([row for row in rows if row not in items])
    shuffled = "\n\n# a remark\n".join([head, *others, *items]).replace(" = ", "   =   ")
    path = tmp_path / "copy.toml"
    path.write_text(shuffled, encoding="utf-8")
    assert load_profile(path).sha256 == profile().sha256


def test_the_hash_sees_every_row_of_profile_and_state_layer() -> None:
    stored = json.loads(profile().text)
    hashes = {profile().sha256}
    for row in stored["rows"]:
        row["note"] = "changed"
        hashes.add(profile_from_canonical(json.dumps(stored)).sha256)
    assert len(hashes) == len(stored["rows"]) + 1 == len(profile().rows) + 1


def test_the_head_of_bayfield_marks_it_historic() -> None:
    head = profile()
    assert (head.id, head.place, head.zone, head.state_layer) == (
        "bayfield-wi-1992-2007", "Bayfield, Wisconsin", "America/Chicago", "wi-281.49",
    )  # fmt: skip
    assert head.historic is not None and head.historic.startswith("Historic text: the chapter was replaced in full")


def test_rows_know_where_they_come_from() -> None:
    assert {row.source for row in profile().rows} == {"profile", "state"}
    assert all(row.schema.state == (row.source == "state") for row in profile().rows)


def test_a_path_loads_like_its_short_name() -> None:
    assert load_profile(shipped()["bayfield"]) == load_profile(str(shipped()["bayfield"])) == profile("bayfield")


def test_a_name_that_is_not_shipped_is_named() -> None:
    with pytest.raises(LawError, match=r"atlantis\.toml: the file cannot be read"):
        load_profile("atlantis")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"profile": {}}'])
def test_a_text_that_is_not_canonical_is_refused(text: str) -> None:
    with pytest.raises(LawError, match="is not a canonical text"):
        profile_from_canonical(text)


def test_a_stored_text_with_a_mistake_is_refused() -> None:
    with pytest.raises(LawError, match=r"stored law: rate\.plan_gph: 'x' is not a whole number"):
        profile_from_canonical(profile().text.replace('"value": 666,', '"value": "x",'))


def test_a_changed_file_changes_the_version_but_not_what_was_stored(tmp_path: Path) -> None:
    stored = profile().text
    other = load_profile(changed(tmp_path, extra=row_text("rate.plan_gph", "665", "2027-01-01")))
    assert other.sha256 != profile().sha256
    assert profile_from_canonical(stored).sha256 == profile().sha256


def test_a_state_layer_beside_a_profile_is_found(tmp_path: Path) -> None:
    layer = shipped()["bayfield"].parent / "wisconsin.toml"
    (tmp_path / "mn.toml").write_text(
        layer.read_text(encoding="utf-8").replace('id = "wi-281.49"', 'id = "mn"'), encoding="utf-8"
    )
    path = changed(tmp_path, ('state_layer = "wi-281.49"', 'state_layer = "mn"'))
    assert load_profile(path).state_layer == "mn"


def test_a_profile_may_do_without_a_state_layer(tmp_path: Path) -> None:
    alone = load_profile(changed(tmp_path, ('state_layer = "wi-281.49"\n', "")))
    assert {row.source for row in alone.rows} == {"profile"}
    assert profile_from_canonical(alone.text) == alone


def test_state_rows_are_those_of_the_layer() -> None:
    assert {row.source for row in state_rows("wi-281.49")} == {"state"}


@pytest.mark.parametrize("name", ["bayfield", "gillett", "lawrence"])
def test_every_row_has_a_section_and_a_first_date(name: str) -> None:
    for row in profile(name).rows:
        assert re.search(r"§ \d|NR \d", row.cite), row
        assert row.since >= date(1992, 1, 1)


def test_rows_amended_in_2007_begin_in_2007() -> None:
    assert sorted(row.key for row in profile().rows if row.since == date(2007, 5, 23)) == [
        "fees.surcharge_2007_bod", "fees.surcharge_2007_p", "fees.surcharge_2007_tss", "strength.normal_p",
    ]  # fmt: skip


def test_what_is_not_confirmed_is_marked_and_so_is_that_the_states_review_reaches_revocations() -> None:
    assert sorted(row.key for row in profile().rows if row.unconfirmed) == [
        "revocation.review", "state.court_days", "state.day_counting", "state.hearing_days",
        "state.hearing_decided_days", "state.large_source_gpd", "state.meeting_notice_hours",
        "state.plant_keeps_years",
        "state.review_done_days", "state.review_request_days", *(
            f"strength.typical_{waste}_{name}" for waste in ("holding_tank", "portable_toilet", "septic_tank")
            for name in ("bod", "tss")),
    ]  # fmt: skip


def test_no_reading_repeats_a_figure_of_the_law() -> None:
    figures = ("666", "670", "6,666", "160,000", "160000", "1,998", "0.024", "12.16", "7:00", "August 1")
    for row in profile().rows:
        words = f"{row.reading or ''} {row.note} {row.quote}"
        assert [figure for figure in figures if figure in words] == [], row.key


def test_what_a_whole_section_says_stands_in_rows_of_its_own() -> None:
    said = {row.key: (row.words, row.cite) for row in profile().rows}
    assert {key: said[key] for key in (
        "limits.solidifying", "limits.solidify_from_f", "limits.solidify_to_f", "limits.grinder_hp",
        "limits.grinder_by", "testing.facilities_approved_by", "hours.grace_minutes", "testing.spot_for",
        "violations.accident_by", "violations.accident_phone",
    )} == {
        "limits.solidifying": ("the Superintendent is asked", "§ 329-6 D(2)"),
        "limits.solidify_from_f": ("32 °F", "§ 329-6 D(2)"),
        "limits.solidify_to_f": ("150 °F", "§ 329-6 D(2)"),
        "limits.grinder_hp": ("0.75 horsepower", "§ 329-6 D(3)"),
        "limits.grinder_by": ("the Superintendent", "§ 329-6 D(3)"),
        "testing.facilities_approved_by": ("the Director", "§ 329-7 E(1)"),
        "hours.grace_minutes": ("0 minutes", "§ 329-7 F(4)"),
        "testing.spot_for": ("each hauler, by letter", "§ 329-7 F(5)"),
        "violations.accident_by": ("the person responsible, or the owner or occupant of the premises", "§ 329-6 L"),
        "violations.accident_phone": ("the plant's own number", "§ 329-6 L"),
    }  # fmt: skip


def test_a_text_adopted_before_a_rule_for_new_texts_stays_readable(tmp_path: Path) -> None:
    stored = json.loads(in_rows(tmp_path).text)
    scopes = next(row for row in stored["rows"] if row["key"] == "restriction.scopes")
    charge = next(row for row in stored["rows"] if row["key"] == "fees.test")
    scopes["value"], charge["value"] = ["everything", "trucks"], "12.165"
    read = profile_from_canonical(json.dumps(stored))
    assert {row.value for row in read.rows if row.key in ("restriction.scopes", "fees.test")} == {
        ("everything", "trucks"), Decimal("12.165"),
    }  # fmt: skip

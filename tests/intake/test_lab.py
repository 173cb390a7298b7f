"""Results as laboratories write them: below detection is never 0, and what was typed is kept."""

from datetime import date
from decimal import Decimal

import pytest
from sqlalchemy import select

from intake.actions.lab import Facts, enter_result, read_result
from intake.actions.station import void_load
from intake.models import Result
from intake.queries import counting, results
from office.db import db
from office.journal import JournalEntry
from tests import world
from tests.intake.gatehouse import TUESDAY_0700, good, kept, log, refuse, said
from tests.intake.plant import hauler

NUMBER = "Result must be a number, like 4,200 or <2"
ND = "Enter ND with its limit, like <2"
LATER = world.at("2026-10-12T14:00")


@pytest.mark.parametrize(("typed", "qualifier", "value"), [
    ("4200", "", "4200"), ("4,200", "", "4200"), (" 4,200 mg/L ", "", "4200"), ("<2", "<", "2"), ("< 2", "<", "2"),
    ("> 9000", ">", "9000"), ("1000000", "", "1000000"),
    (">9,000", ">", "9000"), ("0", "", "0"), ("12.5", "", "12.5"), ("310 ppm", "", "310"),
])  # fmt: skip
def test_a_result_is_read_as_the_lab_wrote_it(typed, qualifier, value):
    reading = good(read_result(typed))
    assert (reading.qualifier, reading.value) == (qualifier, Decimal(value))


@pytest.mark.parametrize(("typed", "code", "why"), [
    ("ND", "no_limit", ND), ("nd", "no_limit", ND), ("N.D.", "no_limit", ND), ("<LOD", "no_limit", ND),
    ("abc", "not_a_number", NUMBER), ("4.200,5", "not_a_number", NUMBER), ("-5", "not_a_number", NUMBER),
    ("42,00", "not_a_number", NUMBER), ("<", "not_a_number", NUMBER), ("1e3", "not_a_number", NUMBER),
    ("", "empty", "Enter the result, like 4,200 or <2"),
    ("   ", "empty", "Enter the result, like 4,200 or <2"),
    ("<0", "no_limit", "The limit after < or > must be above 0, like <2"),
    ("4200 ug/L", "unit", "Enter the result in mg/L, not in ug/L"),
    ("99999999", "too_much", "Result must be 1,000,000 mg/L or less, not 99999999"),
    (">1,000,001", "too_much", "Result must be 1,000,000 mg/L or less, not 1,000,001"),
    ("0.4 %", "unit", "Enter the result in mg/L, not in %"),
])  # fmt: skip
def test_what_is_no_result_is_refused_in_words(typed, code, why):
    assert said(read_result(typed))[:2] == (code, why)


def enter(load, parameter, typed, **given):
    return kept(enter_result(load, parameter, typed, by=world.staff("operator"), at=LATER, law=world.law(), **given))


@pytest.mark.usefixtures("app")
class TestEntering:
    def test_a_pair_is_kept_with_text_qualifier_unit_and_who(self):
        load = good(log(hauler()))
        good(enter(load, "BOD5", "4,200"))
        good(enter(load, "TSS", "<2", sure=True))
        rows = db.session.scalars(select(Result).order_by(Result.id)).all()
        assert [(r.parameter, r.typed, r.qualifier, r.value, r.unit, r.entered_by, r.entered_at) for r in rows] == [
            ("BOD5", "4,200", "", Decimal(4200), "mg/L", "Operator of the City", LATER),
            ("TSS", "<2", "<", Decimal(2), "mg/L", "Operator of the City", LATER),
        ]
        assert [(results.as_typed(r), results.in_words(r)) for r in rows] == [
            ("4,200", "4,200 mg/L"), ("<2", "Not detected (below 2 mg/L)")]  # fmt: skip

    def test_a_0_is_asked_about_and_kept_when_it_is_typed_again_also_with_a_reason(self):
        load = good(log(hauler()))
        rare = "Result is 0: check it, or enter <2 if nothing was found"
        assert said(enter(load, "BOD5", "0"))[:2] == ("zero", rare)
        assert said(enter(load, "BOD5", "0.0", again="2"))[0] == "zero"
        assert good(enter(load, "BOD5", "0", again="0")).value == 0
        assert said(enter(load, "TSS", "0", reason="The lab says so"))[:2] == ("zero", rare)
        assert good(enter(load, "TSS", "0", again="0", reason="The lab says so")).value == 0

    @pytest.mark.parametrize(("typed", "given"), [
        ("<2", {}), ("<309.9", {}), ("ND", {"again": "2"}), (">93,379", {}), ("6.48", {}),
    ])  # fmt: skip
    def test_what_is_implausible_is_asked_about_also_with_a_sign_before_it(self, typed, given):
        load = good(log(hauler()))
        asked = enter(load, "TSS", typed, **given)
        assert said(asked)[0] == "unusual"
        assert "usual is 310 to 93,378" in asked.why
        assert good(enter(load, "TSS", typed, sure=True, **given)).asked == "outside 310 to 93,378 mg/L"

    @pytest.mark.parametrize("typed", ["<310", ">9000", "<90000", "310"])
    def test_what_may_lie_within_the_band_is_not_asked_about(self, typed):
        assert good(enter(good(log(hauler())), "TSS", typed)).asked == ""

    @pytest.mark.parametrize(("typed", "estimate"), [("500", True), ("799.9", True), ("800", False), ("<500", False)])
    def test_result_between_the_limits_of_a_laboratory_is_an_estimate(self, typed, estimate):
        load = good(log(hauler()))
        row = good(enter(load, "BOD5", typed, facts=Facts(lod=Decimal(500), loq=Decimal(800))))
        words = ", between the laboratory's limits of detection and of quantitation: an estimate"
        assert (results.in_words(row).endswith(words), counting.estimated(row)) == (estimate, estimate)
        assert results.facts_of(row)[-2:] == [("Limit of detection", "500 mg/L"), ("Limit of quantitation", "800 mg/L")]

    @pytest.mark.parametrize(("typed", "lod", "loq", "code", "why"), [
        ("499", 500, 800, "below_limit", "499 is below the limit of detection, 500. Enter it as <500"),
        ("900", 800, 500, "limits", "The limit of quantitation, 500, is below that of detection, 800. Check both"),
    ])  # fmt: skip
    def test_result_and_limits_that_cannot_be_are_refused(self, typed, lod, loq, code, why):
        facts = Facts(lod=Decimal(lod), loq=Decimal(loq))
        assert said(enter(good(log(hauler())), "BOD5", typed, facts=facts))[:2] == (code, why)

    def test_nothing_found_stands_for_the_limit_of_the_sheet(self):
        row = good(enter(good(log(hauler())), "BOD5", "ND", facts=Facts(lod=Decimal(500))))
        assert (row.qualifier, row.value, row.typed) == ("<", 500, "ND, limit 500")

    def test_above_the_test_is_said_in_words(self):
        load = good(log(hauler()))
        assert results.in_words(good(enter(load, "BOD5", "> 9000"))) == "Above what the test can measure (9,000 mg/L)"

    def test_the_same_result_again_changes_nothing(self):
        load = good(log(hauler()))
        first = good(enter(load, "BOD5", "4200"))
        assert good(enter(load, "BOD5", "4,200")).id == first.id
        assert db.session.scalars(select(Result.typed)).all() == ["4200"]

    def test_a_changed_result_needs_a_reason_and_both_are_on_record(self):
        load = good(log(hauler()))
        good(enter(load, "BOD5", "4200"))
        assert said(enter(load, "BOD5", "420"))[:2] == (
            "changed", "BOD of load 2026-00001 is 4,200 already. Say why it changes.")  # fmt: skip
        assert said(enter(load, "BOD5", "420", reason="Decimal slip at the lab"))[0] == "unusual"
        good(enter(load, "BOD5", "420", reason="Decimal slip at the lab", sure=True))
        entry = db.session.scalars(
            select(JournalEntry).filter_by(table_name="result").order_by(JournalEntry.id.desc()).limit(1)
        ).one()
        assert (entry.old["value"], entry.new["value"], entry.reason) == ("4200", "420", "Decimal slip at the lab")

    def test_only_a_tested_load_has_results(self):
        who = hauler()
        refused = good(refuse(who))
        assert said(enter(refused, "BOD5", "4200"))[0] == "not_tested"
        load = good(log(who))
        good(kept(void_load(load, "Typed twice", by=world.staff("operator"), at=TUESDAY_0700, law=world.law())))
        assert said(enter(load, "BOD5", "4200"))[0] == "not_tested"

    def test_an_unknown_test_is_a_mistake_of_the_program(self):
        load = good(log(hauler()))
        with pytest.raises(ValueError, match="COD"):
            enter(load, "COD", "1")

    def test_a_sample_waits_until_both_results_are_in_and_is_missed_on_day_8(self):
        load = good(log(hauler()))
        plant = world.plant().id
        good(enter(load, "BOD5", "4200"))
        shown = [(w.load.ticket, sorted(w.results), w.missing) for w in results.waiting(plant, date(2026, 10, 13))]
        assert shown == [("2026-00001", ["BOD5"], False)]
        assert [w.missing for w in results.waiting(plant, date(2026, 10, 14))] == [True]
        good(enter(load, "TSS", "9,000"))
        assert results.waiting(plant, date(2026, 10, 14)) == []
        assert [w.load.ticket for w in results.waiting(plant, date(2026, 10, 14), everything=True)] == ["2026-00001"]

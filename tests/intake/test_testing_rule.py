"""How often a hauler's loads are tested: the letter, the draw, what is flagged, the proof (§ 329-7 F(5))."""

import re
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy import text as sql

from billing.queries import entries_of
from intake.actions.station import void_load
from intake.actions.testing_rule import set_testing_rule, set_testing_rules
from intake.models import SamplingDraw, SamplingRule, SamplingSecret
from intake.queries import testing_rule
from office.access import system
from office.db import db
from office.journal import JournalEntry
from office.law import adopt_law
from office.letters import Letter
from office.notices import Notice
from office.verify import verify
from ordinances.reader import shipped
from ordinances.testing_draw import commitment, drawn, how_words
from tests import world
from tests.intake.gatehouse import good, kept, log, said
from tests.intake.plant import Hauler, hauler, queries
from tests.intake.test_station_pages import fields, get, load_page, post, signed_in, text

OCT_5, OCT_6, OCT_7 = date(2026, 10, 5), date(2026, 10, 6), date(2026, 10, 7)
SECRET = "known to this test"


@pytest.fixture(autouse=True)
def _app(app: Any, clock_at: Any) -> None:
    clock_at("2026-10-05T15:00")


@pytest.fixture
def known_secret(monkeypatch: Any) -> None:
    monkeypatch.setattr("secrets.token_hex", lambda _bytes: SECRET)


def rule(who: Hauler, kind: str = "one_in", figure: int | None = 3, since: date = OCT_6, at: str = "2026-10-05T15:00",
         by: str = "director", reason: str = "Forty loads alike.") -> Any:  # fmt: skip
    return kept(set_testing_rule(world.plant(), who.business_id, kind, figure, since, reason, by=world.staff(by),
                                 at=world.at(at), law=world.law()))  # fmt: skip


def asked(who: Hauler, day: date = OCT_6) -> testing_rule.Asked:
    return testing_rule.asked_of(world.plant(), who.business_id, world.law(), day)


def as_drawn(who: Hauler, minute: int, **given: Any) -> Any:
    """Log a small load the way its draw says."""
    return good(log(who, 100, f"2026-10-06T07:{minute:02d}", tested=asked(who).due, **given))


def test_without_a_letter_every_load_is_tested():
    who = hauler()
    found = asked(who)
    assert (found.due, found.answer, found.why, found.cite) == (True, "yes", "Every load is tested.", "§ 329-7 F(1)")
    assert said(log(who, tested=False)) == (
        "untested_why", "Every load is tested. Say why this one is not.", "§ 329-7 F(1)")  # fmt: skip
    good(log(who))
    assert list(db.session.scalars(select(SamplingDraw))) == []


@pytest.mark.parametrize("named", [True, False])
def test_town_that_tests_on_the_spot_does_so_as_often_as_the_director_has_written(tmp_path, app, clock_at, named):
    who, path = hauler("Duffy Septic"), tmp_path / "bayfield.toml"
    law = shipped()["bayfield"].read_text().replace('[[testing.regime]]\nvalue = "every_load"',
                                                    '[[testing.regime]]\nvalue = "spot"')  # fmt: skip
    path.write_text(law if named else re.sub(r"\[\[testing\.spot_by\]\]\n(?:.+\n)+", "", law))
    good(kept(adopt_law(world.plant(), path, OCT_6, "Ordinance 400", by=system(), at=world.at("2026-10-05T15:00"))))
    found = testing_rule.asked_of(world.plant(), who.business_id, world.law(OCT_6), OCT_6)
    assert (found.answer, found.why, found.cite) == (
        "as you decide", "Some loads are tested, chosen on the spot; the Director's letter does not say yet how often.",
        "§ 329-7 F(1)")  # fmt: skip
    clock_at("2026-10-06T06:00")
    page = text(get(signed_in(app, "director"), "/director/testing"))
    assert "No letter says yet how often the loads of 1 hauler are tested" in page
    assert "Write the letter to 1 hauler" in page
    director = {"by": world.staff("director"), "at": world.at("2026-10-06T06:00"), "law": world.law(OCT_6)}
    row = good(kept(set_testing_rule(world.plant(), who.business_id, "one_in", 3, OCT_6, "So", **director)))
    cite = "§ 329-7 F(5)" if named else "§ 329-7 F(1)"
    assert db.session.get_one(Letter, row.letter_id).data["cite"] == cite
    found = testing_rule.asked_of(world.plant(), who.business_id, world.law(OCT_6), OCT_6)
    assert (found.free, found.number, found.cite) == (False, 1, cite)
    assert "No letter says yet" not in text(get(signed_in(app, "director"), "/director/testing"))


def test_letter_holds_the_fingerprint_and_hauler_and_operators_are_told(known_secret):
    who = hauler("Duffy Septic")
    row = good(rule(who))
    letter = db.session.get_one(Letter, row.letter_id)
    assert letter.data["rule"] == (
        "One load in 3 is tested from October 6, 2026. Of each 3 loads that follow each other exactly one is tested, "
        "at a place drawn anew each time.")  # fmt: skip
    assert letter.data["how"] == how_words("one_in", 3, blocks=True)
    assert (letter.data["cite"], letter.data["fingerprint"]) == ("§ 329-7 F(5)", commitment(SECRET))
    told = {one.to_name: one.subject for one in db.session.scalars(select(Notice).filter_by(kind="testing_rule"))}
    assert told == {
        "Duffy Septic": f"One load in 3 is tested from October 6, 2026 ({letter.number})",
        "Manager of the City": "Duffy Septic: one load in 3 is tested from October 6, 2026",
        "Operator of the City": "Duffy Septic: one load in 3 is tested from October 6, 2026",
    }


def test_secret_is_in_no_history(known_secret):
    good(rule(hauler()))
    entries = db.session.scalars(select(JournalEntry)).all()
    assert [one.table_name for one in entries if SECRET in str(one.new) + str(one.old)] == []
    assert db.session.scalars(select(SamplingSecret.secret)).one() == SECRET


@pytest.mark.parametrize(("kind", "figure", "since", "reason", "by", "code"), [
    ("one_in", 1, OCT_6, "So", "director", "figure"), ("one_in", 101, OCT_6, "So", "director", "figure"),
    ("one_in", None, OCT_6, "So", "director", "figure"), ("share", 0, OCT_6, "So", "director", "figure"),
    ("share", 100, OCT_6, "So", "director", "figure"), ("often", 3, OCT_6, "So", "director", "kind"),
    ("one_in", 3, date(2026, 10, 4), "So", "director", "since"), ("one_in", 3, OCT_6, " ", "director", "no_reason"),
    ("one_in", 3, OCT_6, "So", "manager", "not_your_role"), ("one_in", 3, OCT_6, "So", "operator", "not_your_role"),
])  # fmt: skip
def test_what_no_letter_may_say(kind, figure, since, reason, by, code):
    assert said(rule(hauler(), kind, figure, since, reason=reason, by=by))[0] == code
    assert list(db.session.scalars(select(SamplingRule))) == []


def test_nobody_writes_how_often_their_own_loads_are_tested():
    who = hauler()
    mine = replace(world.staff("director"), party_id=who.by.party_id)
    refused = kept(set_testing_rule(world.plant(), who.business_id, "one_in", 3, OCT_6, "So", by=mine,
                                    at=world.at("2026-10-05T15:00"), law=world.law()))  # fmt: skip
    assert said(refused) == ("own_business", "Nobody decides on their own business.", "§ 329-7 F(5)")


def test_same_rule_again_and_a_stranger_are_refused():
    who = hauler()
    good(rule(who))
    assert said(rule(who))[:2] == ("same", "One load in 3 is tested already, since October 6, 2026.")
    nobody = Hauler(9999, 0, 0, "", who.by)
    assert said(rule(nobody))[0] == "no_hauler"


def test_rule_of_before_draws_each_load_by_itself_still_and_may_be_told_anew(known_secret):
    who = hauler()
    row = good(rule(who))
    row.blocks = False
    db.session.commit()
    for minute in range(0, 60, 10):
        as_drawn(who, minute)
    assert [one.draw.due for one in testing_rule.draws_of(row.id)] == [
        drawn(SECRET, number, "one_in", 3) for number in range(1, 7)]  # fmt: skip
    assert testing_rule.check_draws() == []
    assert good(rule(who, since=OCT_7)).blocks


def test_rule_holds_from_its_first_day(known_secret):
    who = hauler()
    good(rule(who, since=OCT_7))
    assert asked(who, OCT_6).rule_id is None
    assert asked(who, OCT_7).number == 1


def test_each_load_is_drawn_by_its_number_and_charged_for_what_was_sampled(known_secret):
    who = hauler()
    row = good(rule(who))
    loads = [as_drawn(who, minute) for minute in range(0, 60, 10)]
    wanted = [drawn(SECRET, number, "one_in", 3, blocks=True) for number in range(1, 7)]
    assert wanted == [load.tested for load in loads]
    assert (sum(wanted[:3]), sum(wanted[3:])) == (1, 1)
    draws = testing_rule.draws_of(row.id)
    assert [(one.draw.number, one.draw.due, one.load.id) for one in draws] == [
        (n, due, load.id) for n, (due, load) in enumerate(zip(wanted, loads, strict=True), start=1)]  # fmt: skip
    charged = [[entry.amount_cents for entry in entries_of("load", load.id)] for load in loads]
    assert charged == [[240, 1216] if due else [240] for due in wanted]
    assert verify() == []


def test_drawn_and_not_sampled_needs_a_reason_and_is_flagged(known_secret):
    who = hauler()
    letter = good(rule(who, "share", 99)).letter_id
    number = db.session.get_one(Letter, letter).number
    assert said(log(who, 100, tested=False))[:2] == (
        "untested_why", f"Drawn as load 1 under letter {number}: 99 percent of the loads are tested. "
                        f"Say why this one is not.")  # fmt: skip
    load = good(log(who, 100, tested=False, reason="No bottle left"))
    assert [(one.load.id, one.draw.why) for one in testing_rule.not_sampled(world.plant().id)] == [
        (load.id, "No bottle left")]  # fmt: skip
    assert [entry.amount_cents for entry in entries_of("load", load.id)] == [240]


def test_test_that_was_not_due_names_who_ordered_it(known_secret):
    who = hauler()
    number = db.session.get_one(Letter, good(rule(who, "share", 1)).letter_id).number
    assert said(log(who, 100)) == (
        "more_by", f"Not drawn as load 1 under letter {number}: 1 percent of the loads are tested. "
                   f"Enter who ordered the test.", "§ 329-7 F(1)")  # fmt: skip
    load = good(log(who, 100, ordered_by="Department of Natural Resources, K. Berg"))
    assert [(one.load.id, one.draw.ordered_by) for one in testing_rule.ordered(world.plant().id)] == [
        (load.id, "Department of Natural Resources, K. Berg")]  # fmt: skip
    assert [entry.amount_cents for entry in entries_of("load", load.id)] == [240, 1216]


def test_untested_load_of_no_letter_is_flagged_too():
    load = good(log(hauler(), tested=False, reason="Bottle broke"))
    (one,) = testing_rule.not_sampled(world.plant().id)
    assert (one.load.id, one.draw.rule_id, one.draw.why) == (load.id, None, "Bottle broke")


def test_void_load_keeps_its_draw(known_secret):
    who = hauler()
    row = good(rule(who))
    load = as_drawn(who, 0)
    good(
        kept(
            void_load(load, "Typed twice", by=world.staff("operator"), at=world.at("2026-10-06T07:05"), law=world.law())
        )
    )
    assert asked(who).number == 2
    assert [one.draw.number for one in testing_rule.draws_of(row.id)] == [1]


def test_secret_is_shown_when_the_next_rule_begins_and_proves_every_draw(known_secret):
    who = hauler()
    row = good(rule(who))
    as_drawn(who, 0)
    good(rule(who, "every", None, OCT_7, at="2026-10-06T09:00"))
    assert testing_rule.proof_of(row, OCT_6) is None
    assert testing_rule.proof_of(row, OCT_7) == testing_rule.Proof(SECRET, [])
    assert (asked(who, OCT_7).due, asked(who, OCT_7).number) == (True, None)


def test_verify_names_a_draw_that_does_not_follow(known_secret):
    who = hauler()
    row = good(rule(who))
    as_drawn(who, 0)
    draw = db.session.scalars(select(SamplingDraw)).one()
    turned = not draw.due
    # By hand, past every act.
    db.session.execute(sql("UPDATE sampling_draw SET due = :due, why = 'x', ordered_by = 'x'"), {"due": turned})
    db.session.commit()
    said_ = [one for one in verify() if one.startswith("sampling_rule")]
    assert said_ == [f"sampling_rule {row.id}: Load 1 under this rule was {'' if turned else 'not '}drawn; "
                     f"the secret says otherwise."]  # fmt: skip
    db.session.rollback()


def test_rule_whose_secret_is_gone_samples_every_load_and_verify_names_it(known_secret):
    who = hauler()
    row = good(rule(who, "share", 1))
    db.session.execute(sql("DELETE FROM sampling_secret"))
    db.session.commit()
    assert asked(who).due is True
    assert [one for one in verify() if one.startswith("sampling_rule")] == [
        f"sampling_rule {row.id}: The secret is not the one whose fingerprint stands in the letter."]  # fmt: skip


def test_director_writes_the_letter_after_reading_it(app, clock_at):
    who = hauler("Duffy Septic")
    director = signed_in(app, "director")
    path = f"/director/testing/{who.business_id}/letter"
    sent = {"kind": "one_in", "figure": "4", "reason": "Forty loads alike."} | {
        name: {"month": "10", "day": "6", "year": "2026"}[name.split("_")[-1].split("-")[-1]]
        for name in fields(get(director, path)) if name.startswith("since")}  # fmt: skip
    shown = post(director, path, sent)
    assert shown.status_code == 200
    assert "Check the letter" in shown.text
    assert ("One load in 4 is tested from October 6, 2026. Of each 4 loads that follow each other exactly one is "
            "tested, at a place drawn anew each time.") in text(shown.text)  # fmt: skip
    assert list(db.session.scalars(select(SamplingRule))) == []
    done = director.post(f"/bayfield{path}", data=fields(shown.text) | sent)
    assert done.status_code == 303
    row = db.session.scalars(select(SamplingRule)).one()
    assert (row.kind, row.figure, row.since) == ("one_in", 4, OCT_6)
    assert "One load in 4 is tested" in text(get(director, f"/director/testing/{who.business_id}"))
    assert "One load in 4 is tested, not yet October 6, 2026" in text(get(director, "/director/testing"))
    clock_at("2026-10-06T07:00")
    assert "One load in 4 is tested October 6, 2026" in text(get(director, "/director/testing"))


def test_director_writes_the_same_to_every_hauler_without_a_letter_at_once(app):
    told, *others = (hauler(name, number=n) for n, name in enumerate(("Told", "Northwoods", "Lakeside"), start=1))
    good(rule(told, "every", None, OCT_6))
    director, path = signed_in(app, "director"), "/director/testing/letter"
    sent = {"kind": "one_in", "figure": "4", "reason": "All alike."}
    shown = post(director, path, sent)
    page = text(shown.text)
    assert ("This is what the letter to 2 haulers will say, each with a fingerprint of its own. They are Lakeside, "
            "Northwoods.") in page  # fmt: skip
    assert director.post(f"/bayfield{path}", data=fields(shown.text) | sent).status_code == 303
    rows = db.session.scalars(select(SamplingRule).where(SamplingRule.kind == "one_in")).all()
    assert [(one.business_id, one.figure) for one in rows] == [(one.business_id, 4) for one in others]
    assert len({one.commitment for one in rows}) == len({one.letter_id for one in rows}) == 2
    assert "Every hauler of this plant has a letter." in text(get(director, path, 409))
    assert verify() == []


def test_letters_to_several_are_all_of_them_or_none():
    one, other = hauler("Northwoods", number=1), hauler("Lakeside", number=2)
    good(rule(other))
    refused = kept(set_testing_rules(world.plant(), [one.business_id, other.business_id], "one_in", 3, OCT_6, "So",
                                     by=world.staff("director"), at=world.at("2026-10-05T15:00"),
                                     law=world.law()))  # fmt: skip
    assert said(refused)[0] == "same"
    assert [row.business_id for row in db.session.scalars(select(SamplingRule))] == [other.business_id]


def test_letter_without_figure_is_asked_for_at_its_box(app):
    who = hauler()
    page = post(signed_in(app, "director"), f"/director/testing/{who.business_id}/letter",
                {"kind": "one_in", "figure": "", "reason": "So"})  # fmt: skip
    assert page.status_code == 422
    assert "Enter one load in how many: 2 to 100." in text(page.text)


def test_station_says_whether_to_sample_and_asks_who_ordered_it(app, clock_at, known_secret):
    who = hauler()
    number = db.session.get_one(Letter, good(rule(who, "share", 1)).letter_id).number
    clock_at("2026-10-06T07:00")
    operator = signed_in(app, "operator")
    page = get(operator, load_page(who))
    assert (f"Sample this load: no. Not drawn as load 1 under letter {number}: 1 percent of the loads are tested."
            in text(page))  # fmt: skip
    assert fields(page)["tested"] == "no"
    asked_ = post(operator, load_page(who), {"tested": "yes", "gallons": "100", "driver": "Ann"})
    assert asked_.status_code == 422
    assert "Who ordered this test?" in text(asked_.text)
    done = operator.post(f"/bayfield{load_page(who)}", data=fields(asked_.text) | {"ordered": "Plant operator Lee"})
    assert done.status_code == 303
    assert "Test ordered by Plant operator Lee." in text(get(operator, done.location.removeprefix("/bayfield")))


def test_hauler_sees_its_own_rules_and_draws_and_no_others(app, clock_at, known_secret):
    who, other = hauler("Duffy Septic"), hauler("Other Pumping", number=2)
    row = good(rule(who))
    as_drawn(who, 0)
    clock_at("2026-10-06T12:00")
    mine = signed_in(app, who.email)
    assert "One load in 3 is tested" in text(get(mine, "/hauler/testing"))
    page = text(get(mine, f"/hauler/testing/{row.id}"))
    assert commitment(SECRET) in page
    assert "Not shown while the rule holds" in page
    assert SECRET not in page
    get(signed_in(app, other.email), f"/hauler/testing/{row.id}", 404)
    good(rule(who, "every", None, OCT_7, at="2026-10-06T12:00"))
    clock_at("2026-10-07T07:00")
    page = text(get(mine, f"/hauler/testing/{row.id}"))
    assert SECRET in page
    assert "Every draw follows from the secret" in page


def test_list_asks_the_same_however_many_haulers(app, clock_at):
    for number in range(1, 4):
        who = hauler(f"Hauler {number}", number=number)
        good(rule(who))
    operator = signed_in(app, "operator")
    get(operator, "/director/testing")
    with queries() as seen:
        get(operator, "/director/testing")
    assert len([one for one in seen if one.startswith("SELECT")]) == 7

"""New tests on request at the asker's cost, and the hauler's own sheets beside the plant's results (§ 329-6 J)."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from io import BytesIO
from typing import Any

import pytest
from sqlalchemy import select

from billing.queries import entries_of
from intake.actions.charging import strengths
from intake.actions.lab import enter_result
from intake.actions.own_sheet import attach_own_sheet
from intake.actions.retest import answer_retest, ask_retest, correct_retest, finish_retest, take_back_retest
from intake.actions.station import void_load
from intake.models import OwnSheet, Retest
from intake.queries import load_table, own_sheets, pounds, retests
from intake.queries.load_table import Sought
from intake.queries.track_record import Records
from office.access import system
from office.db import db
from office.files import Upload
from office.law import adopt_law
from office.notices import Notice
from office.verify import verify
from ordinances.loading import Mean
from ordinances.reader import shipped
from ordinances.strength import BELOW_WORDS
from tests import world
from tests.intake.gatehouse import balance, good, kept, log, said
from tests.intake.plant import hauler, queries
from tests.intake.test_station_pages import fields, get, post, signed_in, text

NOW = "2026-10-20T09:00"
PDF = b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"


@pytest.fixture(autouse=True)
def _app(app: Any, clock_at: Any) -> None:
    clock_at(NOW)


def with_results(results: Any = (("BOD5", "4,200"), ("TSS", "9,000")), gallons: int = 100) -> tuple[Any, Any]:
    """A hauler and its load with results."""
    who = hauler("Duffy Septic")
    load = good(log(who, gallons))
    for parameter, typed in results:
        good(kept(enter_result(load, parameter, typed, by=world.staff("operator"), at=world.at("2026-10-12T09:00"),
                               law=world.law())))  # fmt: skip
    return who, load


def ask(load: Any, by: Any, parameters: Any = ("BOD5",), reason: str = "Twice as much as ever") -> Any:
    return kept(ask_retest(load, parameters, reason, by=by, at=world.at(NOW), law=world.law()))


def answer(row: Any, accepted: bool = True, cost: str | None = "48.00", by: str = "manager", **given: Any) -> Any:
    return kept(answer_retest(world.plant(), row.id, accepted, cost=Decimal(cost) if cost else None,
                              by=world.staff(by), at=world.at(NOW), law=world.law(), **given))  # fmt: skip


def finish(row: Any, prevails: bool = True, why: str = "Dry weather", by: str = "manager", sure: bool = True,
           **typed: str) -> Any:  # fmt: skip
    return kept(finish_retest(world.plant(), row.id, typed or {"BOD5": "2,100"}, prevails, why, sure=sure,
                              by=world.staff(by), at=world.at(NOW), law=world.law()))  # fmt: skip


def test_new_tests_are_asked_for_answered_with_their_price_done_and_charged():
    who, load = with_results()
    before = balance(who)
    row = good(ask(load, who.by))
    assert (row.hours, retests.usual_price(world.law(), load.day, 1)) == (24, Decimal("12.16"))
    good(answer(row))
    good(finish(row))
    assert balance(who) - before == 4_800
    (entry,) = entries_of("retest", row.id)
    assert (entry.what, entry.cite, entry.source_label) == (
        "New tests asked for: BOD", "§ 329-6 J", f"Load {load.ticket}")  # fmt: skip
    (one,) = retests.beside(row, {})
    assert (one.name, one.new, one.counts) == ("BOD", "2,100 mg/L", "New")
    told = [one.subject for one in db.session.scalars(select(Notice).filter_by(kind="retest", to_name="Duffy Septic"))]
    assert told == [f"New tests of load {load.ticket}: accepted", f"New tests of load {load.ticket}: done"]
    assert verify() == []


@pytest.mark.parametrize(("prevails", "bod"), [(True, "2100"), (False, "4200")])
def test_which_result_counts_is_what_charges_by_strength_are_made_of(prevails, bod):
    who, load = with_results()
    row = good(ask(load, who.by))
    good(answer(row))
    good(finish(row, prevails))
    assert strengths(load) == {"bod": Decimal(bod), "tss": Decimal("9000")}


def reckoned(load: Any) -> tuple[str, str, list[str]]:
    """BOD of a load in words, its pounds, and what is a slug."""
    found = pounds.of_load(load)
    assert found is not None
    bod = found.tests[0]
    return bod.words, bod.pounds.words if bod.pounds else "", [one.parameter for one in found.slugs]


def test_new_test_that_counts_is_reckoned_with_in_pounds_slug_day_sums_means_and_the_file():
    who, load = with_results((("BOD5", "70,000"), ("TSS", "9,000")), 1_500)
    first, plain = ("70,000 mg/L", "875.7 pounds", ["BOD5"]), "70000"
    assert reckoned(load) == first
    row = good(ask(load, who.by))
    good(answer(row))
    good(finish(row, prevails=False, BOD5="<2"))
    assert reckoned(load) == first and filed(load)["BOD5 (mg/L)"] == Decimal(plain)
    row = good(ask(load, who.by))
    good(answer(row))
    good(finish(row, BOD5="2,100.5"))
    assert reckoned(load) == ("2,100.5 mg/L (the new test counts; first: 70,000 mg/L)", "26.3 pounds", [])
    assert filed(load)["BOD5 (mg/L)"] == Decimal("2100.5")
    row = good(ask(load, who.by))
    good(answer(row))
    good(finish(row, BOD5="<240"))
    said = "Not detected (below 240 mg/L) (the new test counts; first: 70,000 mg/L)"
    assert reckoned(load) == (said, "less than 3.1 pounds", [])
    day = pounds.of_day(world.plant(), world.law(), load.day)
    assert (day.sums["BOD5"], day.rule) == (Decimal("3.1"), BELOW_WORDS)
    means = Records().means(world.plant().id, [who.business_id], "2026-27")[who.business_id]
    assert means[load.waste, "BOD5"] == Mean(Decimal(240), 1, 1)
    cells = filed(load)
    assert (cells["BOD5 (mg/L)"], cells["BOD5 pounds"], cells["First results, where a new test counts"]) == (
        "<240", "<3.1", "BOD5 70,000")  # fmt: skip
    assert (cells["New tests asked for"], cells["Charged in all"]) == (Decimal("144.00"), Decimal("192.16"))


def filed(load: Any) -> dict[str, Any]:
    made = load_table.table(world.plant(), Sought(words=load.ticket), world.at(NOW))
    (cells,) = made.rows
    return dict(zip(made.heads, cells, strict=True))


def test_new_tests_are_asked_for_answered_and_finished_by_the_law_of_the_loads_day(tmp_path):
    who, load = with_results()
    row = good(ask(load, who.by))
    later, found = tmp_path / "bayfield.toml", shipped()["bayfield"].read_text()
    later.write_text(found.replace("§ 329-6 J", "§ 329-9 A"))
    good(adopt_law(world.plant(), later, date(2026, 10, 15), "Ordinance 400", by=system(), at=world.at(NOW)))
    today = world.law(date(2026, 10, 20))
    assert today.cite(retests.HOURS, load.day) == "§ 329-9 A"
    refused = kept(answer_retest(world.plant(), row.id, True, by=world.staff("manager"), at=world.at(NOW), law=today))
    assert said(refused) == ("cost", "Enter what the new tests cost.", "§ 329-6 J")
    good(kept(answer_retest(world.plant(), row.id, True, cost=Decimal("48.00"), by=world.staff("manager"),
                            at=world.at(NOW), law=today)))  # fmt: skip
    good(kept(finish_retest(world.plant(), row.id, {"BOD5": "2,100"}, True, "Dry weather", by=world.staff("manager"),
                            at=world.at(NOW), law=today)))  # fmt: skip
    (entry,) = entries_of("retest", row.id)
    assert (entry.cite, entry.law_version) == ("§ 329-6 J", world.law(load.day).version)
    told = db.session.scalars(select(Notice).filter_by(kind="retest", to_name="Duffy Septic")).first()
    assert told is not None and "They cost $48.00 (§ 329-6 J), charged when they are done." in told.body
    assert said(kept(ask_retest(load, (), "Again", by=who.by, at=world.at(NOW), law=today)))[2] == "§ 329-6 J"


def correct(row: Any, why: str = "A slip of the pen", prevails: bool = True, sure: bool = True, by: Any = None,
            **typed: str) -> Any:  # fmt: skip
    return kept(correct_retest(world.plant(), row.id, typed, prevails, why, sure=sure, at=world.at(NOW),
                               by=by or world.staff("manager"), law=world.law()))  # fmt: skip


def test_new_tests_that_are_done_are_corrected_with_a_reason_and_what_counts_follows():
    who, load = with_results()
    row = good(ask(load, who.by))
    good(answer(row))
    assert said(correct(row, BOD5="2,100"))[0] == "answered"
    good(finish(row, BOD5="42,000"))
    before = balance(who)
    assert said(correct(row, BOD5="4.2", sure=False))[0] == "BOD5"
    assert said(correct(row, why=" ", BOD5="4,200"))[0] == "no_why"
    good(correct(row, BOD5="2,100"))
    assert (row.state, row.found["BOD5"]["value"], balance(who) - before) == ("done", "2100", 0)
    assert reckoned(load)[0] == "2,100 mg/L (the new test counts; first: 4,200 mg/L)"
    told = db.session.scalars(select(Notice).filter_by(kind="retest", to_name="Duffy Septic")).all()[-1]
    assert told.subject == f"New tests of load {load.ticket}: corrected"
    assert told.body.startswith("BOD: 2,100 mg/L, first 4,200 mg/L\n\nThe new results count. A slip of the pen")
    good(correct(row, prevails=False, BOD5="2,100"))
    assert row.prevails is False
    assert verify() == []


def test_done_new_tests_are_corrected_on_their_page_and_the_history_keeps_both(app):
    who, load = with_results()
    row = good(ask(load, who.by))
    good(answer(row))
    good(finish(row, BOD5="42,000"))
    manager = signed_in(app, "manager")
    assert "Correct of load" in text(get(manager, "/plant/retests"))
    page = get(manager, f"/plant/retests/{row.id}")
    assert 'value="42,000"' in page and "Correct the new results" in page
    typed = {"BOD5": "2,100", "prevails": "yes"}
    assert "Enter why it is corrected" in text(post(manager, f"/plant/retests/{row.id}", typed | {"why": ""}).text)
    assert post(manager, f"/plant/retests/{row.id}", typed | {"why": "One digit too many"}).status_code == 303
    history = text(get(manager, f"/station/load/{load.ticket}"))
    assert "BOD: 2,100, before 42,000, this counts, first 4,200" in history and "One digit too many" in history
    assert "BOD: 42,000, this counts, first 4,200" in history


def test_nobody_answers_finishes_or_corrects_new_tests_of_their_own_business():
    who, load = with_results()
    row, mine = good(ask(load, who.by)), replace(world.staff("manager"), party_id=who.by.party_id)
    given: Any = {"by": mine, "at": world.at(NOW), "law": world.law()}
    wanted = ("own_business", "Nobody decides on their own business.", "§ 329-6 J")
    assert said(kept(answer_retest(world.plant(), row.id, True, cost=Decimal(0), **given))) == wanted
    good(answer(row))
    assert said(kept(finish_retest(world.plant(), row.id, {"BOD5": "2,100"}, True, "Dry", **given))) == wanted
    good(finish(row))
    assert said(correct(row, by=mine, BOD5="2,100")) == wanted


def test_new_tests_of_a_void_load_are_not_finished_and_not_charged():
    who, load = with_results()
    row = good(ask(load, who.by))
    good(answer(row))
    good(kept(void_load(load, "Logged twice", by=world.staff("manager"), at=world.at(NOW), law=world.law())))
    assert said(finish(row)) == ("void", f"Load {load.ticket} is void.", "§ 329-6 J")
    assert (row.state, row.answer, entries_of("retest", row.id)) == (
        "ended", f"Load {load.ticket} is void: Logged twice", [])  # fmt: skip
    told = db.session.scalars(select(Notice).filter_by(kind="retest", to_name="Duffy Septic")).all()[-1]
    void = f"Load {load.ticket} is void: Logged twice. The new tests are not made, and nothing is charged for them."
    assert (told.subject, told.body.splitlines()[0]) == (f"New tests of load {load.ticket}: not made", void)
    assert retests.of_plant(world.plant().id, open_only=True) == []


def test_new_tests_done_before_the_load_was_voided_stay_done_and_charged_and_the_ticket_says_so(app):
    who, load = with_results()
    row = good(ask(load, who.by))
    good(answer(row))
    good(finish(row))
    good(kept(void_load(load, "Logged twice", by=world.staff("manager"), at=world.at(NOW), law=world.law())))
    assert (row.state, len(entries_of("retest", row.id))) == ("done", 1)
    (entry,) = entries_of("retest", row.id)
    cents = f"{entry.what}, ${entry.amount_cents / 100:.2f} (§ 329-6 J)"
    left = f"Nothing is charged for it but the new tests that are done: {cents}."
    assert balance(who) == entry.amount_cents > 0
    assert db.session.scalars(select(Notice).filter_by(kind="ticket_void")).one().body.endswith(f"twice\n\n{left}")
    assert left in text(get(signed_in(app, "manager"), f"/station/load/{load.ticket}"))


@pytest.mark.parametrize("accepted", [False, True])
def test_asker_takes_new_tests_back_before_they_are_made_and_may_ask_again(accepted):
    who, load = with_results()
    before, row = balance(who), good(ask(load, who.by))
    if accepted:
        good(answer(row))
    assert said(take_back(row, who.by, " ")) == ("no_reason", "Enter why they are taken back.", "§ 329-6 J")
    assert said(take_back(row, hauler("Other Pumping", number=2).by))[0] == "not_yours"
    good(take_back(row, who.by))
    assert (row.state, row.answer, balance(who) - before) == (
        "ended", "Taken back by Duffy Septic Owner: Too expensive", 0)  # fmt: skip
    told = [one.subject for one in db.session.scalars(select(Notice).filter_by(kind="retest")).all()][-3:]
    assert told == [
        f"New tests of load {load.ticket}: not made",
        *[f"New tests are taken back: load {load.ticket}"] * 2,
    ]
    assert [said(one)[0] for one in (take_back(row, who.by), answer(row), finish(row))] == ["answered"] * 3
    good(ask(load, who.by))
    assert verify() == []


def take_back(row: Any, by: Any, reason: str = "Too expensive") -> Any:
    return kept(take_back_retest(world.plant(), row.id, reason, by=by, at=world.at(NOW), law=world.law()))


def test_hauler_reads_the_price_and_takes_new_tests_back_on_a_page(app):
    who, load = with_results()
    owner = signed_in(app, who.email)
    row = good(answer(good(ask(load, who.by))))
    path = f"/loads/{load.ticket}/retest/{row.id}/back"
    assert f'href="/bayfield{path}"' in get(owner, f"/hauler/loads/{load.ticket}")
    assert "They would cost $48.00." in text(get(owner, path))
    assert post(owner, path, {"reason": ""}).status_code == 422
    assert post(owner, path, {"reason": "Too expensive"}).status_code == 303
    page = get(owner, f"/hauler/loads/{load.ticket}")
    assert "Not made. Taken back by Duffy Septic Owner: Too expensive" in text(page) and path not in page
    assert "Not made. Taken back by" in text(get(owner, path))
    get(signed_in(app, hauler("Other Pumping", number=2).email), path, 404)


def test_refused_with_a_reason_and_nothing_is_charged():
    who, load = with_results()
    before, row = balance(who), good(ask(load, who.by))
    assert said(answer(row, accepted=False, words=" "))[:2] == ("no_words", "Enter why the new tests are refused.")
    good(answer(row, accepted=False, words="The bottle is used up"))
    assert (row.state, balance(who) - before) == ("refused", 0)
    assert said(finish(row))[0] == "answered"
    good(ask(load, who.by))


def test_shorter_test_needs_a_reason():
    who, load = with_results()
    row = good(ask(load, who.by))
    assert said(answer(row, hours=23)) == (
        "hours",
        "A test that is asked for runs 24 hours at least. Say why a shorter one is approved.",
        "§ 329-6 J",
    )
    assert good(answer(row, hours=23, words="One truck only")).hours == 23


def test_what_cannot_be_asked():
    who, load = with_results()
    other = hauler("Other Pumping", number=2)
    bare = good(log(other, 100, "2026-10-06T07:20"))
    assert said(ask(load, other.by))[0] == "not_yours"
    assert said(ask(bare, other.by))[:2] == (
        "no_results", f"Load {bare.ticket} has no results yet that could be tested anew.")  # fmt: skip
    assert said(ask(load, who.by, ()))[0] == "parameters"
    assert said(ask(load, who.by, ("P",)))[0] == "parameters"
    assert said(ask(load, who.by, reason=" "))[0] == "no_reason"
    good(ask(load, who.by))
    assert said(ask(load, who.by))[:2] == ("asked", f"New tests of load {load.ticket} are asked for already.")
    assert said(answer(db.session.scalars(select(Retest)).one(), by="operator"))[0] == "not_your_role"


@pytest.mark.parametrize(("typed", "why"), [
    ("abc", "BOD: Result must be a number, like 4,200 or <2"),
    ("ND", "BOD: Enter ND with its limit, like <2"),
    ("4 lb", "BOD: Enter the result in mg/L, not in lb"),
])  # fmt: skip
def test_new_result_is_read_as_the_first_is(typed, why):
    who, load = with_results()
    row = good(ask(load, who.by))
    good(answer(row))
    assert said(finish(row, BOD5=typed))[:2] == ("BOD5", why)
    assert said(finish(row, why=" "))[0] == "no_why"


@pytest.mark.parametrize(("typed", "why"), [
    ("2.1", "BOD: Check 2.1 mg/L: usual is 440 to 78,600"),
    ("<2", "BOD: Check <2 mg/L: usual is 440 to 78,600"),
    ("0", "BOD: Result is 0: check it, or enter <2 if nothing was found"),
])  # fmt: skip
def test_implausible_new_result_is_asked_about_as_the_first_is(typed, why):
    who, load = with_results()
    row = good(ask(load, who.by))
    good(answer(row))
    assert said(finish(row, BOD5=typed, sure=False))[:2] == ("BOD5", why)
    assert good(finish(row, BOD5=typed)).found["BOD5"]["typed"] == typed


def test_hauler_asks_manager_answers_and_both_see_it_on_the_load(app):
    who, load = with_results()
    owner, manager = signed_in(app, who.email), signed_in(app, "manager")
    path = f"/loads/{load.ticket}/retest"
    assert "A test that is asked for runs 24 hours at least" in text(get(owner, path))
    empty = post(owner, path, {"parameters": ["BOD5"], "reason": ""})
    assert empty.status_code == 422
    assert post(owner, path, {"parameters": ["BOD5"], "reason": "Too high"}).status_code == 303
    row = db.session.scalars(select(Retest)).one()
    answered = post(manager, f"/plant/retests/{row.id}", {"accepted": "yes"})
    assert answered.status_code == 303
    assert "Accepted: $12.16, charged when done." in text(get(owner, f"/hauler/loads/{load.ticket}"))
    wrong = post(manager, f"/plant/retests/{row.id}", {"BOD5": "ND", "prevails": "yes", "why": "Dry"})
    assert wrong.status_code == 422
    odd = post(manager, f"/plant/retests/{row.id}", {"BOD5": "2.1", "prevails": "yes", "why": "Dry"})
    assert (odd.status_code, 'name="sure"' in odd.text) == (422, True)
    assert "EPA 832-F-99-068, septage; not confirmed" in odd.text
    assert 'name="sure"' not in get(manager, f"/plant/retests/{row.id}")
    done = post(manager, f"/plant/retests/{row.id}", {"BOD5": "2,100", "prevails": "yes", "why": "Dry"})
    assert done.status_code == 303
    for client, page in ((owner, f"/hauler/loads/{load.ticket}"), (manager, f"/station/load/{load.ticket}")):
        assert "BOD 4,200 mg/L 2,100 mg/L Counts" in text(get(client, page))


def test_another_haulers_load_is_not_found(app):
    _, load = with_results()
    other = hauler("Other Pumping", number=2)
    get(signed_in(app, other.email), f"/loads/{load.ticket}/retest", 404)


def attach(load: Any, who: Any, content: bytes = PDF, name: str = "lab.pdf") -> Any:
    return kept(attach_own_sheet(load, Upload(name, len(content), content), "BOD 1,900", by=who.by, at=world.at(NOW),
                                 law=world.law()))  # fmt: skip


def test_own_sheet_stands_beside_the_plants_result_and_never_in_its_place():
    who, load = with_results()
    row = good(attach(load, who))
    assert good(attach(load, who, name="again.pdf")).id == row.id
    assert said(attach(load, who, b"hello"))[0] == "bad_file"
    assert said(attach(load, hauler("Other Pumping", number=2)))[0] == "not_yours"
    assert strengths(load)["bod"] == Decimal("4200")
    found = own_sheets.counts(world.law(), load.day)
    assert (found.words, found.cite) == (
        "The plant samples and tests; a sheet of the hauler's is kept beside its result.", "§ 329-7 F(1)")  # fmt: skip
    assert verify() == []


def test_own_sheet_is_attached_and_read_on_pages(app):
    who, load = with_results()
    owner = signed_in(app, who.email)
    path = f"/hauler/loads/{load.ticket}/sheet"
    sent = fields(get(owner, path)) | {"file": (BytesIO(PDF), "lab.pdf"), "note": "BOD 1,900"}
    done = owner.post(f"/bayfield{path}", data=sent, content_type="multipart/form-data")
    assert done.status_code == 303
    row = db.session.scalars(select(OwnSheet)).one()
    assert "lab.pdf" in get(owner, f"/hauler/loads/{load.ticket}")
    operator = signed_in(app, "operator")
    assert "lab.pdf" in get(operator, f"/station/load/{load.ticket}")
    assert operator.get(f"/bayfield/plant/sheets/{row.id}").data == PDF
    assert owner.get(f"/bayfield/hauler/sheets/{row.id}").data == PDF
    get(signed_in(app, hauler("Other Pumping", number=2).email), f"/hauler/sheets/{row.id}", 404)


def test_list_asks_the_same_however_many(app):
    operator, counts = signed_in(app, "operator"), []
    who, load = with_results()
    for _ in range(3):
        good(answer(good(ask(load, who.by)), accepted=False, words="No"))
        get(operator, "/plant/retests")
        with queries() as seen:
            get(operator, "/plant/retests")
        counts.append(len([one for one in seen if one.startswith("SELECT")]))
    assert counts == [3, 3, 3]

"""At the station: charges to the cent, one ticket each, the limit kept, refusals and voids with their reasons."""

import io
from datetime import date
from decimal import Decimal

import pytest
from pypdf import PdfReader
from sqlalchemy import select

from billing.models import Entry
from billing.queries import entries_of
from haulers import ports
from haulers.actions import revoke_approval
from haulers.queries import party_of_business
from intake.actions.station import continue_load, finish_load, log_load, void_load
from intake.models import Load, Run
from intake.queries import loads
from intake.queries.track_record import Records
from office.db import db
from office.journal import JournalEntry
from office.law import law_in_force
from office.letters import Letter, render
from office.notices import Notice
from office.numbers import Counter
from ordinances.reader import shipped
from ordinances.refusal import Refusal
from ordinances.screening import AS_IT_IS
from tests import world
from tests.billing.new_laws import told_and_adopted
from tests.intake.gatehouse import TUESDAY_0700, balance, booked, good, kept, log, refuse, said
from tests.intake.plant import MORNING, TUESDAY, WEDNESDAY, book, hauler, picture, planned, session

pytestmark = pytest.mark.usefixtures("app")


def charges(load: Load) -> list[tuple[str, str, str, int]]:
    return [
        (e.what, e.unit_price and format(e.unit_price, "f"), e.cite, e.amount_cents)
        for e in entries_of("load", load.id)
    ]


def runs(load: Load) -> list[tuple[str, str, int, int]]:
    zone = world.ZONE
    return [(f"{r.starts.astimezone(zone):%a %H:%M}", f"{r.ends.astimezone(zone):%H:%M}", r.gph, r.gallons)
            for r in loads.runs_of(load.id)]  # fmt: skip


def test_1500_gallons_make_two_cited_charges_of_48_16():
    who = hauler()
    load = good(log(who, 1_500))
    assert charges(load) == [
        ("Septage unloaded", "0.024", "§ 329-7 F(2); § 329-2 B(2)(d)", 3600),
        ("Testing for BOD5 and TSS", "12.16", "§ 329-2 B(2)(d); § 329-7 F(1)", 1216),
    ]
    assert balance(who) == 4816
    assert {entry.law_version for entry in entries_of("load", load.id)} == {world.law().version}
    assert {entry.source_label for entry in entries_of("load", load.id)} == {"Load 2026-00001"}
    assert (load.law_version, load.ticket) == (world.law().version, "2026-00001")


def test_the_same_load_sent_again_is_one_load_one_ticket_one_charge():
    who = hauler()
    first = good(log(who, 1_500, client_id="tablet-1"))
    again = good(log(who, 1_500, "2026-10-06T07:05", client_id="tablet-1"))
    assert again.id == first.id
    assert len(db.session.scalars(select(Load)).all()) == 1
    assert len(db.session.scalars(select(Letter).filter_by(kind="ticket")).all()) == 1
    assert db.session.scalars(select(Counter.last).filter_by(series="ticket")).all() == [1]
    assert balance(who) == 4816


def test_a_refusal_takes_no_ticket_number():
    who = hauler()
    assert said(log(who, 1_500, ph=Decimal("5.4")))[0] == "screening"
    assert good(log(who, 1_500)).ticket == "2026-00001"
    assert good(refuse(who, "2026-10-06T09:30")).ticket == "2026-00002"


def test_ph_below_the_hard_limit_is_not_accepted():
    result = log(hauler(), ph=Decimal("5.4"))
    assert said(result) == ("screening", "pH 5.4 is below 5.5. Do not accept this load.", "§ 329-6 C(3)")
    assert isinstance(result, Refusal) and result.next_step == "Record it as a refused load."


@pytest.mark.parametrize("ph", ["5.5", "9.5"])
def test_a_ph_at_the_edge_of_its_limits_is_not_asked_about(ph):
    assert good(log(hauler(), ph=Decimal(ph))).note == ""


ASK = "Ask the Superintendent, select what is to follow, and write what was answered."


def test_a_limit_the_superintendent_judges_is_asked_about_and_the_answer_is_kept():
    who = hauler()
    result = log(who, ph=Decimal(10))
    assert said(result) == ("ask", "pH 10 is above 9.5 (§ 329-6 D(8)).", "§ 329-6 D(8)")
    assert isinstance(result, Refusal) and result.next_step == ASK
    assert said(log(who, ph=Decimal(10), answer="  "))[0] == "ask"
    assert said(log(who, ph=Decimal(10), answer="J. Berg: take it, slowly"))[0] == "ask"
    load = good(log(who, ph=Decimal(10), answer="J. Berg: slowly", finding="control quantities and rates"))
    words = [
        "For the Superintendent to judge: pH 10 is above 9.5 (§ 329-6 D(8)).",
        "The Superintendent found (§ 329-6 E): control quantities and rates. J. Berg: slowly",
    ]
    assert load.note.splitlines() == words
    assert db.session.get_one(Letter, load.letter_id).data["remarks"] == words


def test_what_was_seen_is_asked_about_like_what_was_measured():
    who = hauler()
    limits = [row.value for row in world.law().rows(TUESDAY) if row.schema.type == "limit"]
    flags = [one.parameter for one in limits if one.severity == "ask" and one.parameter not in ("ph", "temp_f")]
    assert flags
    for flag in flags:
        assert said(log(who, flags=[flag]))[0] == "ask"
    load = good(log(who, flags=flags, answer="Yes", finding=AS_IT_IS))
    assert "The Superintendent found (§ 329-6 E): take it as it is. Yes" in load.note
    assert (load.flags, load.finding) == (sorted(flags), AS_IT_IS)


def test_an_impossible_ph_is_asked_about_and_kept_with_its_reason():
    who = hauler()
    assert said(log(who, ph=Decimal(72))) == (
        "ph_impossible",
        "pH is between 0 and 14. You entered 72. Check the number.",
        "",
    )
    assert said(log(who, ph=Decimal(72), reason="Meter shows 72, being repaired"))[0] == "ask"
    load = good(log(who, ph=Decimal(72), reason="Meter shows 72, being repaired", answer="The paper says 7",
                    finding=AS_IT_IS))  # fmt: skip
    assert load.ph == Decimal(72)
    assert load.note.splitlines()[-1] == "Kept as entered (pH 72) because: Meter shows 72, being repaired"


def test_gallons_over_the_tank_are_asked_about_and_kept_with_their_reason():
    who = hauler(tank=1_000)
    result = log(who, 1_500)
    assert said(result) == (
        "gallons_over_tank", "Gallons are more than this truck holds (1,000). Check the number.",
        "§ 329-7 F(2); § 329-2 B(2)(d)",
    )  # fmt: skip
    load = good(log(who, 1_500, reason="Second tank on a trailer"))
    assert (load.gallons, load.note) == (
        1_500, "Kept as entered (1,500 gallons in a tank of 1,000) because: Second tank on a trailer")  # fmt: skip


def test_a_full_tank_is_what_the_truck_holds_all_mornings_together():
    who = hauler(tank=1_500)
    assert said(log(who, 1_499, basis="capacity")) == (
        "full_tank", "This truck's full tank is 1,500 gallons. You entered 1,499. Check the number.",
        "§ 329-7 F(2); § 329-2 B(2)(d)",
    )  # fmt: skip
    assert good(log(who, 1_500, basis="capacity")).note == ""
    load = good(log(who, 300, "2026-10-07T07:00", basis="capacity", reason="Baffled tank"))
    assert load.note == "Kept as entered (300 gallons as a full tank of 1,500) because: Baffled tank"
    parts = [session("2026-10-08T07:00", 900), session("2026-10-09T07:00", 600)]
    split = booked(book(who, parts))
    assert said(log(who, 901, "2026-10-08T07:00", basis="capacity", booking=split))[0] == "full_tank"
    assert good(log(who, 900, "2026-10-08T07:00", basis="capacity", booking=split)).gallons == 900
    assert good(log(hauler("Metered", tank=1_500, number=2), 300, "2026-10-09T08:00")).basis == "meter"


def test_looks_wrong_needs_words():
    who = hauler()
    assert said(log(who, normal=False))[:2] == ("say_what", "Write what looks or smells wrong.")
    assert good(log(who, normal=False, note="Grey foam")).note == "Grey foam"


def test_a_bottle_is_used_once_and_the_next_free_number_is_named():
    who = hauler()
    good(log(who, 300, bottle="1006-01"))
    assert (
        said(log(who, 400, "2026-10-06T08:00", bottle="1006-01"))[1]
        == "Bottle 1006-01 was used at 7:00 a.m. Use 1006-02."
    )


def test_a_load_left_untested_says_why_and_has_no_test_charge():
    who = hauler()
    assert said(log(who, tested=False, bottle="")) == (
        "untested_why", "Every load is tested. Say why this one is not.", "§ 329-7 F(1)")  # fmt: skip
    load = good(log(who, tested=False, bottle="", reason="Lab closed"))
    assert [cents for *_, cents in charges(load)] == [3600]


def test_grease_is_not_taken():
    assert said(log(hauler(), waste="grease_interceptor"))[0] == "not_septage"


def test_a_booked_truck_on_time_runs_as_booked():
    who = hauler()
    booking = booked(book(who, session("2026-10-06T07:15", 1_000)))
    load = good(log(who, 1_000, "2026-10-06T07:05", booking=booking))
    assert runs(load) == [("Tue 07:15", "08:46", 660, 1_000)]
    assert load.booking_id == booking.id


def test_fewer_gallons_than_booked_end_sooner_and_free_the_rest():
    who = hauler()
    booking = booked(book(who, session("2026-10-06T07:00", 1_998)))
    load = good(log(who, 999, booking=booking))
    assert runs(load) == [("Tue 07:00", "08:30", 666, 999)]
    assert picture(TUESDAY, TUESDAY_0700).room == 999


def test_an_unbooked_truck_finds_its_own_booking():
    who = hauler()
    booking = booked(book(who, session("2026-10-06T07:00", 1_000)))
    assert good(log(who, 1_000)).booking_id == booking.id


def test_a_late_truck_runs_later_when_there_is_room():
    who = hauler()
    booking = booked(book(who, session("2026-10-06T07:00", 1_000)))
    load = good(log(who, 1_000, "2026-10-06T07:40", booking=booking))
    assert runs(load) == [("Tue 07:40", "09:11", 660, 1_000)]


def test_a_late_truck_runs_slower_beside_another():
    late, other = hauler("Late Pumping"), hauler("Other Pumping", number=2)
    booking = planned(late, session("2026-10-06T07:00", 300, gph=366))
    planned(other, session("2026-10-06T07:30", 750, gph=300))
    load = good(log(late, 300, "2026-10-06T07:40", booking=booking))
    assert runs(load) == [("Tue 07:40", "08:30", 360, 300)]


def test_a_late_truck_is_never_put_over_the_limit_but_told_what_fits():
    late, other = hauler("Late Pumping"), hauler("Other Pumping", number=2)
    booking = booked(book(late, session("2026-10-06T07:00", 999)))
    booked(book(other, session("2026-10-06T08:30", 999)))
    result = log(late, 999, "2026-10-06T07:31", booking=booking)
    assert said(result) == (
        "no_room", "999 gallons do not fit under the limit by 10:00 a.m. today. 654 would.", "§ 329-7 F(3)",
    )  # fmt: skip
    assert isinstance(result, Refusal)
    assert result.next_step == "Unload up to 654 gallons today and book the rest for another day."
    assert runs(good(log(late, 654, "2026-10-06T07:31", booking=booking))) == [("Tue 07:31", "08:30", 666, 654)]


def test_a_later_start_is_taken_only_when_it_is_asked_for():
    first, second = hauler("First Pumping"), hauler("Second Pumping", number=2)
    booked(book(first, session("2026-10-06T07:00", 666)))
    result = log(second, 600)
    assert said(result)[:2] == (
        "not_now", "600 gallons do not fit under the limit now. The first time that fits is 8:00 to 8:55 a.m. at 655 "
        "gallons an hour.")  # fmt: skip
    assert isinstance(result, Refusal)
    load = good(log(second, 600, start=result.details["sessions"][0].start))
    assert runs(load) == [("Tue 08:00", "08:55", 655, 600)]


def test_a_start_that_was_never_free_is_refused():
    first, second = hauler("First Pumping"), hauler("Second Pumping", number=2)
    booked(book(first, session("2026-10-06T07:00", 666)))
    assert said(log(second, 600, start=world.at("2026-10-06T07:30")))[0] == "not_now"


def test_the_allowance_of_the_approval_is_kept_to_the_gallon():
    who = hauler(rest=1_500)
    assert said(log(who, 1_501)) == (
        "allowance", "Approval A-2026-27-001 has 1,500 gallons left for the rest of the season, not 1,501.",
        "§ 329-7 B(2)")  # fmt: skip
    good(log(who, 1_500))
    assert said(log(who, 1, "2026-10-06T09:30"))[0] == "allowance"


def test_a_booked_truck_may_use_what_it_booked_and_no_more():
    who = hauler(rest=1_500)
    booking = booked(book(who, session("2026-10-06T07:00", 1_500)))
    assert said(log(who, 1_501, booking=booking))[0] == "allowance"
    good(log(who, 1_500, booking=booking))


def test_a_split_load_has_one_ticket_one_test_and_each_morning_its_own_charge():
    who = hauler()
    booking = booked(book(who, [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 502)]))
    load = good(log(who, 1_998, booking=booking))
    due_first = load.record_due
    good(kept(continue_load(load, 502, by=world.staff("operator"), at=world.at("2026-10-07T07:00"), law=world.law())))
    assert (load.ticket, load.gallons) == ("2026-00001", 2_500)
    assert [(what, cents) for what, _, _, cents in charges(load)] == [
        ("Septage unloaded", 4795), ("Testing for BOD5 and TSS", 1216), ("Septage unloaded", 1205)]  # fmt: skip
    assert [str(e.on_day) for e in entries_of("load", load.id)] == ["2026-10-06", "2026-10-06", "2026-10-07"]
    assert runs(load) == [("Tue 07:00", "10:00", 666, 1_998), ("Wed 07:00", "07:46", 655, 502)]
    assert due_first == load.record_due == world.at("2026-10-08T23:59:59")
    assert len(db.session.scalars(select(Load)).all()) == 1


def test_each_morning_is_priced_by_the_law_of_its_own_day(tmp_path):
    who = hauler()
    booking = booked(book(who, [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 502)]))
    load = good(log(who, 1_998, booking=booking))
    dearer = _dearer(tmp_path)
    good(kept(continue_load(load, 502, by=world.staff("operator"), at=world.at("2026-10-07T07:00"), law=dearer)))
    assert [cents for *_, cents in charges(load)] == [4795, 1216, 1506]
    assert {e.law_version for e in entries_of("load", load.id)} == {world.law().version, dearer.version}


def _dearer(folder):
    copy = folder / "bayfield.toml"
    copy.write_text(shipped()["bayfield"].read_text().replace('price = "0.024"', 'price = "0.030"'))
    told_and_adopted(copy, date(2026, 10, 7), MORNING)
    return law_in_force(world.plant(), date(2026, 10, 7))


def test_a_finished_load_gives_its_later_mornings_back():
    who = hauler(rest=3_000)
    booking = booked(book(who, [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 502)]))
    load = good(log(who, 1_500, booking=booking))
    operator = world.staff("operator")
    good(kept(finish_load(load, by=operator, at=world.at("2026-10-06T09:30"), law=world.law())))
    assert picture(WEDNESDAY).room == 1_998
    assert load.record_due == world.at("2026-10-07T23:59:59")
    assert (booking.state, booking.end_reason) == ("cancelled", "Unloaded in full as load 2026-00001")
    booked(book(who, session("2026-10-07T07:00", 1_500), at=world.at("2026-10-06T10:30")))
    again = kept(finish_load(load, by=operator, at=world.at("2026-10-06T09:31"), law=world.law()))
    assert said(again)[:2] == ("not_to_continue", "Load 2026-00001 has no further morning booked.")


def test_a_load_opened_on_an_earlier_morning_gets_no_second_ticket():
    who = hauler()
    booking = booked(book(who, [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 502)]))
    good(log(who, 1_998, booking=booking))
    for given in ({"booking": booking}, {}):
        result = log(who, 502, "2026-10-07T07:00", **given)
        assert said(result)[:2] == ("goes_on", f"Booking {booking.number} was opened as load 2026-00001.")
    assert balance(who) == 4795 + 1216


def test_a_load_that_ran_whole_has_nothing_to_finish():
    who = hauler()
    booking = booked(book(who, session("2026-10-06T07:00", 300)))
    load = good(log(who, 300, booking=booking))
    result = kept(finish_load(load, by=world.staff("operator"), at=world.at("2026-10-06T09:00"), law=world.law()))
    assert said(result)[0] == "not_to_continue"
    assert booking.state == "booked"


def test_a_load_of_one_morning_is_not_continued():
    load = good(log(hauler(), 300))
    result = continue_load(load, 100, by=world.staff("operator"), at=world.at("2026-10-07T07:00"), law=world.law())
    assert said(result)[0] == "not_to_continue"


def test_a_refused_load_is_kept_with_its_reason_and_0_gallons():
    who = hauler()
    load = good(refuse(who, gallons=0, ph=Decimal("5.4"), reason_code="field_test", reason="pH 5.4"))
    assert (load.state, load.gallons, load.reason_code, load.reason, load.ph) == (
        "refused", 0, "field_test", "pH 5.4", Decimal("5.4"))  # fmt: skip
    assert (balance(who), runs(load), load.record_due) == (0, [], None)
    assert [n.subject for n in db.session.scalars(select(Notice).filter_by(kind="ticket"))] == [
        "Load refused: ticket 2026-00001"]  # fmt: skip


@pytest.mark.parametrize(("given", "why"), [
    ({"reason": " "}, "Enter in words why the load is refused."),
    ({"reason_code": ""}, "Select why the load is refused."),
    ({"gallons": 10}, "Log the gallons that were unloaded as a load, then refuse the rest."),
])  # fmt: skip
def test_a_refused_load_without_its_reason_is_not_kept(given, why):
    assert said(refuse(hauler(), **given))[1] == why
    assert db.session.scalars(select(Load)).all() == []


def test_a_truck_nobody_knows_is_refused_by_the_name_on_it():
    assert said(refuse(None))[1] == "Enter the name on the truck."
    load = good(
        refuse(None, business_name="Night Pumping", plate="XX-1", reason_code="permission", reason="No approval")
    )
    assert (load.business_id, load.business_name, load.plate) == (None, "Night Pumping", "XX-1")


def test_a_refused_booking_gives_its_room_and_gallons_back():
    who = hauler(rest=1_998)
    booking = booked(book(who, session("2026-10-06T07:00", 1_998)))
    good(refuse(who, booking=booking))
    assert picture(TUESDAY, TUESDAY_0700).room == 1_998
    booked(book(who, session("2026-10-07T07:00", 1_998), at=TUESDAY_0700))


def test_a_void_load_costs_exactly_nothing_and_stays_with_its_reason():
    who = hauler()
    load = good(log(who, 1_500))
    operator = world.staff("operator")
    assert (
        said(void_load(load, " ", by=operator, at=TUESDAY_0700, law=world.law()))[1] == "Enter why the load is voided."
    )
    good(kept(void_load(load, "Wrong hauler", by=operator, at=TUESDAY_0700, law=world.law())))
    assert (load.state, load.reason, balance(who)) == ("void", "Wrong hauler", 0)
    assert [e.amount_cents for e in db.session.scalars(select(Entry).order_by(Entry.id))] == [3600, 1216, -3600, -1216]
    assert picture(TUESDAY, TUESDAY_0700).room == 1_998
    entry = db.session.scalars(select(JournalEntry).filter_by(table_name="load", act="void_load")).one()
    assert (entry.old["state"], entry.new["state"], entry.reason, entry.person) == (
        "accepted", "void", "Wrong hauler", "Operator of the City")  # fmt: skip


def test_a_void_load_is_not_voided_twice():
    load = good(log(hauler(), 1_500))
    operator = world.staff("operator")
    good(kept(void_load(load, "Wrong hauler", by=operator, at=TUESDAY_0700, law=world.law())))
    assert said(void_load(load, "Again", by=operator, at=TUESDAY_0700, law=world.law()))[0] == "already_void"


def test_a_voided_load_may_be_logged_again_in_its_booking():
    who = hauler()
    booking = booked(book(who, session("2026-10-06T07:00", 1_000)))
    load = good(log(who, 1_000, booking=booking))
    good(kept(void_load(load, "Typed twice", by=world.staff("operator"), at=TUESDAY_0700, law=world.law())))
    assert runs(good(log(who, 1_000, booking=booking, client_id="second"))) == [("Tue 07:00", "08:31", 660, 1_000)]


def test_only_the_plants_people_log_loads():
    who = hauler()
    result = log_load(world.plant(), "x", business_id=who.business_id, truck_id=who.truck_id, waste="septic_tank",
                      gallons=300, bottle="1", by=who.by, at=TUESDAY_0700, law=world.law())  # fmt: skip
    assert said(result)[0] == "not_your_role"


def test_the_hauler_is_told_the_ticket_its_price_and_when_the_record_is_due():
    who = hauler()
    good(log(who, 1_500))
    notice = db.session.scalars(select(Notice).filter_by(kind="ticket")).one()
    assert notice.party_id == party_of_business(who.business_id).id
    assert notice.subject == "Load ticket 2026-00001: 1,500 gallons, $48.16"
    assert notice.body.splitlines() == [
        "Tue, Oct 6: 1,500 gallons, 7:00 to 9:16 a.m. at 662 gallons an hour",
        "Septage unloaded: $36.00 (§ 329-7 F(2); § 329-2 B(2)(d))",
        "Testing for BOD5 and TSS: $12.16 (§ 329-2 B(2)(d); § 329-7 F(1))",
        "Total $48.16", "", "Written record due by the end of Wednesday, October 7, 2026.",
    ]  # fmt: skip


def test_the_ticket_prints_twice_on_one_page_with_all_it_must_say():
    load = good(log(hauler(), 1_500))
    letter = db.session.get_one(Letter, load.letter_id)
    pages = PdfReader(io.BytesIO(render("ticket", letter.data))).pages
    text = " ".join(pages[0].extract_text().split())
    assert len(pages) == 1
    for words in ("Load ticket 2026-00001", "T-1", "1,500 (meter)", "$48.16", "$36.00", "$12.16", load.bottle,
                  "Ann Nuñez-Łukasik", "Written record due by the end of Wednesday, October 7, 2026."):  # fmt: skip
        assert text.count(words) >= 2, words


def test_a_refused_load_prints_its_reason():
    load = good(refuse(hauler()))
    letter = db.session.get_one(Letter, load.letter_id)
    text = " ".join(PdfReader(io.BytesIO(render("ticket", letter.data))).pages[0].extract_text().split())
    assert text.count("Refused load 2026-00001") == 2
    assert text.count("Refused: fails a field test. Smells of solvent") == 2


def test_a_revoked_hauler_is_stopped_at_the_gate_at_once():
    who = hauler()
    ports.provide(Records())
    rule = world.law().value("revocation.grounds", TUESDAY)[0]
    good(kept(revoke_approval(world.plant(), who.approval_id, rule, "Unloaded at night", by=world.staff("director"),
                              at=world.at("2026-10-06T06:59"), law=world.law())))  # fmt: skip
    assert said(log(who)) == (
        "revoked", "Do not accept: approval A-2026-27-001 was revoked on October 6, 2026.", "§ 329-7 G")  # fmt: skip


def test_runs_belong_to_the_day_and_point_they_ran_at():
    load = good(log(hauler(), 300))
    run = db.session.scalars(select(Run)).one()
    assert (run.load_id, run.day, run.point_id is not None) == (load.id, TUESDAY, True)

"""What was typed wrong of a load is put right with a reason: both figures stay, the charges follow."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import select

from billing.actions import credit_charge, make_invoice, open_dispute, take_back_line
from billing.models import Entry
from billing.queries import (
    check_ledger,
    disputes,
    entries_of,
    held_charges,
    invoice_lines,
    left_of,
    reversal_of,
    unpaid_cents,
)
from haulers.queries import party_of_business
from intake.actions.correcting import correct_load
from intake.actions.voiding import void_load
from intake.models import Excess
from intake.queries import load_history, loads
from intake.queries.checks import check_capacity
from intake.queries.figures import figures
from office.db import db
from office.journal import JournalEntry
from office.notices import Notice
from tests import world
from tests.billing import books
from tests.intake.gatehouse import balance, good, kept, log, refuse, said
from tests.intake.plant import Hauler, hauler
from tests.intake.test_station_pages import fields, text

AFTER = "2026-10-06T09:30"
WHY = "The meter was read wrong"


@pytest.fixture
def who(app: Any) -> Hauler:
    return hauler()


def correct(load: Any, at: str = AFTER, reason: str = WHY, kept_for: tuple[str, tuple[str, ...]] = ("", ()),
            **changed: Any) -> Any:  # fmt: skip
    return kept(correct_load(load, replace(figures(load), **changed), reason, *kept_for, by=world.staff("operator"),
                             at=world.at(at), law=world.law()))  # fmt: skip


def charges(load: Any) -> list[tuple[str, int]]:
    return [(entry.kind, entry.amount_cents) for entry in entries_of("load", load.id)]


def test_fewer_gallons_are_charged_anew_and_the_old_charge_is_taken_back(who):
    load = good(log(who, 1_500))
    good(correct(load, gallons=1_050))
    assert (load.gallons, balance(who)) == (1_050, 2_520 + 1_216)
    assert [run.gallons for run in loads.runs_of(load.id)] == [1_050]
    assert load.note == f"Corrected: 1,050 gallons, not 1,500. {WHY}"
    assert check_capacity() == []


def test_more_gallons_than_the_rate_could_bring_are_a_rate_above_the_limit(who):
    load = good(log(who, 600))
    good(correct(load, gallons=700))
    (run,) = loads.runs_of(load.id)
    assert (run.gallons, run.gph, run.measured, balance(who)) == (700, 764, True, 1_680 + 1_216)
    over = db.session.scalars(select(Excess)).one()
    assert (over.gph, over.drawn_gph) == (764, 764)
    assert load.note.splitlines() == [
        "The plant drew 764 gallons an hour, above the limit of 670 (§ 329-7 F(3)).",
        f"Corrected: 700 gallons, not 600. {WHY}",
    ]
    assert check_capacity() == []


def test_what_costs_nothing_changes_no_charge(who):
    load = good(log(who, 600))
    before = charges(load)
    good(correct(load, driver="Bo Berg", ph=Decimal("7.1"), bottle="1006-77", basis="sight_glass", flush=20))
    assert charges(load) == before
    assert load.note == (
        "Corrected: 20 of it flush water, not 0; gallons by sight glass, not meter; driver Bo Berg, not Ann "
        f"Nuñez-Łukasik; pH 7.1, not 6.9; bottle 1006-77, not B-10060700-600. {WHY}"
    )


def test_a_reason_in_several_lines_is_one_line_of_the_note(who):
    load = good(log(who, 600))
    good(correct(load, driver="Bo Berg", reason="Wrong name.\n\nAsked the driver.\n"))
    assert load.note == "Corrected: driver Bo Berg, not Ann Nuñez-Łukasik. Wrong name. Asked the driver."


def test_the_history_says_who_when_why_and_the_old_value(who):
    load = good(log(who, 1_500))
    good(correct(load, gallons=1_050, waste="holding_tank"))
    good(kept(void_load(load, "Another plant's load", by=world.staff("manager"), at=world.at("2026-10-06T09:40"),
                        law=world.law())))  # fmt: skip
    found = load_history.lines(loads.history(load))
    assert [(one["what"], one["who"], one["at"], one["changes"], one["reason"]) for one in found[-2:]] == [
        ("Corrected", "Operator of the City", world.at(AFTER),
         ["Gallons: 1,050, before 1,500", "Waste: Holding tank, before Septic tank"],
         f"1,050 gallons, not 1,500; waste holding tank, not septic tank. {WHY}"),
        ("Voided", "Manager of the City", world.at("2026-10-06T09:40"), ["State: void, before accepted"],
         "Another plant's load"),
    ]  # fmt: skip


def test_a_ph_that_would_have_been_rejected_is_kept_and_noticed(who):
    load = good(log(who, 600))
    good(correct(load, ph=Decimal("5.2")))
    assert load.note.splitlines()[0] == "Noticed: pH 5.2 is below 5.5 (§ 329-6 C(3))."


def test_the_hauler_reads_what_was_corrected(who):
    good(correct(good(log(who, 1_500)), gallons=1_050))
    notice = db.session.scalars(select(Notice).where(Notice.kind == "ticket").order_by(Notice.id.desc())).first()
    assert notice is not None
    assert notice.subject == "Load 2026-00001 is corrected: 1,050 gallons, $37.36"
    assert notice.body.startswith(f"Corrected: 1,050 gallons, not 1,500. {WHY}\n\n")


@pytest.mark.parametrize(("given", "answer"), [
    ({"reason": " ", "gallons": 5}, ("no_reason", "Enter why it is corrected.")),
    ({}, ("same", "Nothing is different. Change what is wrong.")),
    ({"gallons": 0}, ("no_gallons", "Gallons must be 1 or more. A load that never was is voided.")),
    ({"flush": 601}, ("flush", "Flush water must be between 0 and the load's 600 gallons.")),
    ({"driver": " "}, ("driver", "Enter the driver's name.")),
    ({"bottle": ""}, ("no_bottle", "Enter the sample bottle number.")),
    ({"bottle": "OTHER"}, ("bottle_used", "Bottle OTHER is that of load 2026-00001.")),
    ({"basis": "weight"}, ("weights", "Enter what the truck weighed full and empty, or select how else the gallons "
                           "were found.")),
    ({"basis": "guess"}, ("basis", "Select how the gallons were found, and the type of waste.")),
    ({"at": "2026-10-06T07:30", "gallons": 5}, ("still_runs", "Load 2026-00002 still unloads.")),
])  # fmt: skip
def test_a_correction_that_cannot_be_is_refused(who, given, answer):
    good(log(who, 10, "2026-10-05T07:00", bottle="OTHER"))
    load = good(log(who, 600))
    assert said(correct(load, **given))[:2] == answer
    assert (load.gallons, load.note) == (600, "")


def test_a_refused_truck_has_nothing_to_correct(who):
    assert said(correct(good(refuse(who)), driver="Bo"))[0] == "not_to_correct"


def test_the_page_corrects_a_load_and_its_ticket_shows_both(app, clock_at, who):
    good(log(who, 1_500))
    clock_at(AFTER)
    client = app.test_client()
    world.sign_in(client, "operator")
    address = "/bayfield/station/load/2026-00001/correct"
    sent = fields(client.get(address).text)
    assert {key: sent[key] for key in ("gallons", "waste", "basis", "ph")} == {
        "gallons": "1,500", "waste": "septic_tank", "basis": "meter", "ph": "6.9"}  # fmt: skip
    unchanged = client.post(address, data=sent | {"reason": WHY})
    assert (unchanged.status_code, "Nothing is different. Change what is wrong." in unchanged.text) == (422, True)
    done = client.post(address, data=sent | {"reason": WHY, "gallons": "1,050", "once": sent["once"][::-1]})
    assert done.status_code == 303
    page = text(client.get(done.location).text)
    assert f"Gallons: 1,050, before 1,500. 1,050 gallons, not 1,500. {WHY}" in page


def test_an_odd_figure_is_asked_about_and_kept_only_with_a_reason_of_its_own(who):
    load = good(log(who, 600))
    tank, ph = (
        "Gallons are more than this truck holds (5,000). Check the number.",
        "pH is between 0 and 14. You entered 72.",
    )
    assert said(correct(load, gallons=15_000))[:2] == ("gallons_over_tank", tank)
    assert said(correct(load, ph=Decimal(72)))[:2] == ("ph_impossible", f"{ph} Check the number.")
    assert said(correct(load, basis="capacity"))[:2] == (
        "full_tank", "This truck's full tank is 5,000 gallons. You entered 600. Check the number.")  # fmt: skip
    other = {"kept_for": ("The meter of the lab", ("ph_impossible",))}
    assert said(correct(load, gallons=15_000, **other))[0] == "gallons_over_tank"
    assert (load.gallons, load.note) == (600, "")
    good(correct(load, ph=Decimal(72), **other))
    assert load.note.splitlines()[-2:] == [
        f"Corrected: pH 72, not 6.9. {WHY}", "Kept as entered (pH 72) because: The meter of the lab"]  # fmt: skip
    good(correct(load, driver="Bo Berg"))


def test_the_page_asks_why_an_odd_figure_is_right_beside_why_it_is_corrected(app, clock_at, who):
    good(log(who, 600))
    clock_at(AFTER)
    client = app.test_client()
    world.sign_in(client, "operator")
    address = "/bayfield/station/load/2026-00001/correct"
    sent = fields(client.get(address).text) | {"reason": WHY, "ph": "72"}
    assert "kept" not in sent
    asked = client.post(address, data=sent)
    assert "pH is between 0 and 14. You entered 72. Check the number. If the number is right, say why." in text(
        asked.text
    )
    again = fields(asked.text) | {"reason": WHY, "kept": "Read twice"}
    assert (again["about"], client.post(address, data=again).status_code) == ("ph_impossible", 303)
    assert loads.load(1).note.splitlines()[-1] == "Kept as entered (pH 72) because: Read twice"


def billed(who, load):
    account = books.account(party_of_business(load.business_id))
    made = make_invoice(world.plant(), account, by=world.staff("clerk"), at=world.at(AFTER), law=world.law())
    return good(made)


def test_a_dispute_goes_over_to_the_charge_in_place_of_the_one_disputed(who):
    load = good(log(who, 1_500))
    volume, test = entries_of("load", load.id)
    dispute = good(open_dispute(world.plant(), books.account(party_of_business(load.business_id)), [volume],
                                "The gallons", gallons=1500, waste="septic_tank", asked_on=load.day,
                                by=world.staff("clerk"), at=world.at(AFTER), law=world.law()))  # fmt: skip
    good(correct(load, gallons=1_050))
    (found,) = disputes(world.plant().id)
    assert [(one.amount_cents, one.reverses_id) for one in found.charges] == [(2_520, None)]
    held = held_charges(world.plant().id)
    assert [(one.entry.amount_cents, one.dispute) for one in held] == [(2_520, dispute.number)]
    invoice = billed(who, load)
    assert [entry.id for entry, _ in invoice_lines(invoice.id)] == [test.id]
    good(correct(load, waste="holding_tank"))
    (found,) = disputes(world.plant().id)
    assert [(one.amount_cents, reversal_of(one.id)) for one in found.charges] == [(2_520, None)]
    hold = held_charges(world.plant().id)[0].hold
    shown = db.session.scalars(
        select(JournalEntry).filter_by(table_name="charge_hold", record_id=hold.id).order_by(JournalEntry.id)
    ).one()
    assert (shown.act, dispute.number in str(shown.new)) == ("correct_load", True)


def test_what_was_credited_goes_over_to_the_charge_in_place_and_counts_once(who):
    load = good(log(who, 1_500))
    invoice = billed(who, load)
    volume, _test = [entry for entry, _ in invoice_lines(invoice.id)]
    given = {"by": world.staff("clerk"), "at": world.at(AFTER), "law": world.law()}
    good(credit_charge(volume, 500, "A goodwill", **given))
    assert balance(who) == 3_600 + 1_216 - 500
    good(correct(load, gallons=1_050))
    assert (balance(who), unpaid_cents(invoice.id)) == (2_520 + 1_216 - 500, 1_216)
    assert check_ledger() == []
    (new,) = [one for one in entries_of("load", load.id) if one.amount_cents == 2_520]
    silent = take_back_line(new, " ", **given)
    assert (silent.code, balance(who)) == ("no_reason", 2_520 + 1_216 - 500)
    again = billed(who, load)
    assert (again.total_cents, unpaid_cents(again.id)) == (2_520, 2_020)
    good(correct(load, gallons=100))  # $2.40: the rest of the credit is credited of the test
    (small,) = [one for one in entries_of("load", load.id) if one.amount_cents == 240]
    assert (left_of(small), left_of(_test), balance(who)) == (0, 1_216 - 260, 240 + 1_216 - 500)
    over = db.session.query(Entry).filter_by(credits_id=_test.id).one()
    assert (over.amount_cents, over.reason) == (-260, f"A goodwill (left over of {volume.what}, {volume.source_label})")
    assert check_ledger() == []
    good(void_load(load, "Another hauler's", **given | {"by": world.staff("operator")}))
    assert (balance(who), check_ledger()) == (0, [])


def test_a_charge_on_no_invoice_is_taken_back_with_the_credit_it_took_over(who):
    load = good(log(who, 1_500))
    volume, _test = [entry for entry, _ in invoice_lines(billed(who, load).id)]
    given = {"by": world.staff("clerk"), "at": world.at(AFTER), "law": world.law()}
    good(credit_charge(volume, 500, "A goodwill", **given))
    good(correct(load, gallons=1_050))
    (new,) = [one for one in entries_of("load", load.id) if one.amount_cents == 2_520]
    good(take_back_line(new, "Charged by hand", **given))
    db.session.commit()
    assert (balance(who), check_ledger()) == (1_216, [])

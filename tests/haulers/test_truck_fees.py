"""Charges apart from any load: a truck's year, first and renewed, its deposit, and what an application costs."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from billing import actions as money
from billing.actions.deposits import draw_deposit
from billing.models import Account, Entry
from billing.queries import balance_cents, check_ledger, invoice_lines, left_of, unpaid_cents
from haulers import actions
from haulers.actions.receipts import fee_words
from haulers.actions.truck_fees import charge_trucks
from haulers.models import Approval, TruckOfBusiness
from haulers.queries import TruckLine, trucks_of
from haulers.queries.motion_lines import AmendLine
from office.access import Actor, Role, system
from office.acts import act
from office.db import db
from office.law import adopt_law, law_in_force
from office.plants import set_up_plant
from ordinances.fees import filing_fee
from ordinances.pricing import truck_lines
from ordinances.refusal import Refusal
from ordinances.schedule_law import schedule_of
from tests import world
from tests.billing.books import noon
from tests.haulers import test_amendments as asking
from tests.haulers import test_issue_changes as changes
from tests.haulers.builders import RECORDED_AT, approved, hauler, issue
from tests.ordinances.common import changed
from tests.ordinances.town import item

ROWS = (
    item("sticker", "per_truck_year", 'price = "75.00"\nrenewal = "25.00"')
    + item("bond", "deposit", 'price = "50.00"')
    + item("permit", "per_application", 'price = "40.00"\nrenewal = "15.00"')
)


def town(folder: Path) -> None:
    adopt_law(world.plant(), changed(folder, extra=ROWS), date(2026, 1, 1), "Ord. 1", by=system(), at=world.START)
    db.session.commit()


def charged() -> list[tuple[str, int, str, str]]:
    rows = db.session.query(Entry).filter(Entry.source_kind == "truck").order_by(Entry.id)
    return [(one.code, one.amount_cents, one.source_label, one.how) for one in rows]


def next_season(approval: Approval) -> Any:
    """The approval of the same trucks for the season after."""
    return SimpleNamespace(id=approval.id, plant_id=approval.plant_id, business_id=approval.business_id,
                           season="2027-28", trucks=approval.trucks, starts=date(2027, 10, 1))  # fmt: skip


def test_each_truck_of_an_approval_is_charged_for_its_first_year_and_then_renewed(app: Any, tmp_path: Path) -> None:
    town(tmp_path)
    approval = approved(hauler())
    plates = [truck["plate"] for truck in approval.trucks or ()]
    assert plates
    first = [
        line for plate in plates for line in (
            ("sticker", 7500, f"Truck {plate}, 2026-27", "1 truck at $75.00."),
            ("bond", 5000, f"Truck {plate}, 2026-27", "1 truck at $50.00."),
        )
    ]  # fmt: skip
    assert charged() == first
    law = world.law(date(2026, 9, 20))
    given: dict[str, Any] = {"by": world.staff("clerk"), "at": world.at(RECORDED_AT), "law": law}
    assert charge_trucks(world.plant(), approval, **given) == []
    made = charge_trucks(world.plant(), next_season(approval), **given)
    assert not isinstance(made, Refusal)
    assert [(one.code, one.amount_cents, one.source_label) for one in made] == [
        ("sticker", 2500, f"Truck {plate}, 2027-28") for plate in plates
    ]
    db.session.commit()
    assert check_ledger() == []


@pytest.mark.parametrize("credited", [True, False])
def test_what_a_clerk_credited_or_took_back_for_a_truck_stays_so_and_the_next_change_of_the_season_goes_out(
    app: Any, tmp_path: Path, credited: bool
) -> None:
    town(tmp_path)
    approval = approved(hauler())
    given: dict[str, Any] = {"by": world.staff("clerk"), "at": world.at(RECORDED_AT), "law": world.law(changes.DAY)}
    first = db.session.query(Entry).filter_by(source_kind="truck").order_by(Entry.id).all()
    if credited:
        money.make_invoice(world.plant(), db.session.get_one(Account, first[0].account_id), **given)
    for entry in first:
        done = (money.credit_charge(entry, None, "Broken down all season", **given) if credited
                else money.reverse_entry(entry, "A slip", **given))  # fmt: skip
        assert not isinstance(done, Refusal)
    asked = asking.ask(approval, winter=4000)
    made: Any = issue(changes.vote(AmendLine(asked.id, True, 4000)), [asked.id], changes.ISSUED_AT)
    assert [one.title for one in made] == ["Change of approval A-2026-27-001: granted"]
    assert [(one.code, one.amount_cents) for one in db.session.query(Entry).filter_by(
        source_kind="truck").order_by(Entry.id)] == [("sticker", 7500), ("bond", 5000)]  # fmt: skip
    assert balance_cents(first[0].account_id) == 0
    later: Any = charge_trucks(world.plant(), next_season(approval), **given)
    assert [(one.code, one.amount_cents) for one in later] == [
        ("sticker", 2500 if credited else 7500), ("bond", 5000),
    ]  # fmt: skip
    db.session.commit()
    assert check_ledger() == []


def test_a_deposit_of_the_hauler_is_left_once_and_anew_after_it_was_given_back(app: Any, tmp_path: Path) -> None:
    rows = item("bond", "deposit", 'price = "1000.00"\nper = "hauler"')
    adopt_law(world.plant(), changed(tmp_path, extra=rows), date(2026, 1, 1), "Ord. 1", by=system(), at=world.START)
    trucks = (TruckLine("WI 1234", 1500, "Big Red"), TruckLine("WI 99", 1000, "Small"))
    approval = approved(hauler(trucks=trucks))
    (bond,) = db.session.query(Entry).filter_by(source_kind="business")
    assert (bond.code, bond.amount_cents, bond.source_label, bond.how) == (
        "bond", 100000, "Approval 2026-27", "1 hauler at $1,000.00.",
    )  # fmt: skip
    given: dict[str, Any] = {"by": world.staff("clerk"), "at": world.at(RECORDED_AT), "law": world.law()}
    assert charge_trucks(world.plant(), next_season(approval), **given) == []
    account = db.session.get_one(Account, bond.account_id)
    money.make_invoice(world.plant(), account, **given)
    received = world.at(RECORDED_AT).date()
    money.record_payment(world.plant(), account, 100000, "check", "7", received, **given)
    money.credit_charge(bond, None, "The deposit is given back", **given)
    assert balance_cents(account.id) == -100000
    money.refund_credit(world.plant(), account, None, "check", "12", "The deposit is given back", **given)
    assert balance_cents(account.id) == 0
    assert charge_trucks(world.plant(), approval, **given) == []
    made: Any = charge_trucks(world.plant(), next_season(approval), **given)
    assert [(one.code, one.amount_cents, one.source_label) for one in made] == [("bond", 100000, "Approval 2027-28")]
    db.session.commit()
    assert check_ledger() == []


def test_a_deposit_pays_what_is_owed_and_has_to_be_left_anew(app: Any, tmp_path: Path) -> None:
    town(tmp_path)
    approved(hauler())
    bond = db.session.query(Entry).filter_by(code="bond").order_by(Entry.id).first()
    assert bond is not None
    account = db.session.get_one(Account, bond.account_id)
    given: dict[str, Any] = {"by": world.staff("clerk"), "at": world.at(RECORDED_AT), "law": world.law()}
    received = world.at(RECORDED_AT).date()
    early: Any = draw_deposit(bond, "Unpaid", **given)
    assert early.code == "deposit_unpaid"
    money.make_invoice(world.plant(), account, **given)
    money.record_payment(world.plant(), account, balance_cents(account.id), "check", "7", received, **given)
    assert balance_cents(account.id) == 0
    nothing: Any = draw_deposit(bond, "Unpaid", **given)
    assert nothing.code == "nothing_owed"
    line = replace(truck_lines(schedule_of(world.law()), received, 1)[0], code="damage", amount=Decimal("30.00"))
    money.post_charges(world.plant(), account.party_id, [line], "load", 1, received, **given)
    unpaid: Any = money.make_invoice(world.plant(), account, **given)
    not_due: Any = draw_deposit(bond, "Unpaid", **given)
    assert (not_due.code, not_due.why) == ("nothing_owed", "Nothing is overdue that the deposit could pay.")
    overdue = {**given, "at": noon(unpaid.due_on + timedelta(days=1))}
    dispute: Any = money.open_dispute(
        world.plant(), account, [entry for entry, _ in invoice_lines(unpaid.id)], "Not ours", gallons=0,
        waste="other", asked_on=unpaid.due_on, **overdue,
    )  # fmt: skip
    assert draw_deposit(bond, "Unpaid", **overdue).code == "nothing_owed"
    money.take_dispute_on(dispute, "", "It stands", overdue["at"].date(), **overdue)
    made: Any = draw_deposit(bond, "The invoice of September is unpaid", **overdue)
    (made,) = made
    assert (made.code, made.amount_cents, made.source_label) == ("bond", 3000, bond.source_label)
    assert (unpaid_cents(unpaid.id), left_of(bond), balance_cents(account.id)) == (0, 2000, 3000)
    assert draw_deposit(bond, "Pressed again", **overdue).code == "nothing_owed"
    again: Any = money.make_invoice(world.plant(), account, **overdue)
    later = {**given, "at": noon(again.due_on + timedelta(days=1))}
    assert (again.total_cents, draw_deposit(bond, "Its own", **later).code) == (3000, "nothing_owed")
    sticker = db.session.query(Entry).filter_by(code="sticker").first()
    assert sticker is not None
    wrong: Any = draw_deposit(sticker, "Unpaid", **given)
    assert wrong.code == "not_a_deposit"
    db.session.commit()
    assert check_ledger() == []
    clerk = app.test_client()
    world.sign_in(clerk, "clerk")
    page = clerk.get(f"/bayfield/clerk/accounts/{account.id}").get_data(as_text=True)
    address = f"/bayfield/clerk/accounts/{account.id}/draw/{bond.id}"
    assert (page.count("Draw on it"), page.count(f'href="{address}"')) == (2, 1)  # the other: the one left anew
    asked = clerk.get(address).get_data(as_text=True)
    assert "Nothing is overdue that the deposit could pay." in asked and "Draw on it</button>" not in asked


def test_nothing_is_charged_for_trucks_where_no_item_is_for_them(app: Any) -> None:
    approved(hauler())
    assert charged() == []


def test_an_application_costs_what_the_schedule_says_and_less_when_it_is_renewed(app: Any, tmp_path: Path) -> None:
    town(tmp_path)
    law, day = world.law(date(2026, 8, 12)), date(2026, 8, 12)
    lines = [filing_fee(law, day, renewal=again) for again in (False, True)]
    assert [(one.code, one.cents) for one in lines if not isinstance(one, Refusal)] == [
        ("permit", 4000), ("permit", 1500),
    ]  # fmt: skip
    assert fee_words(law, day) == "The filing fee is $40.00, $15.00 for a renewal. It is not refunded."
    from tests.haulers.builders import filed

    application = filed(hauler())
    payment = actions.record_filing_fee(
        world.plant(), application.id, "check", "7", date(2026, 8, 20), by=world.staff("clerk"),
        at=world.at("2026-08-20T10:00"), law=law,
    )  # fmt: skip
    assert not isinstance(payment, Refusal)
    entry = db.session.get_one(Entry, payment.charge_id)
    assert (entry.code, entry.amount_cents, entry.cite) == ("permit", 4000, "§ 1-1")


@act("test_neighbour", roles=(Role.SYSTEM,))
def _neighbour(file: Path, *, by: Actor, at: datetime) -> Any:
    made: Any = set_up_plant(slug="elsewhere", name="Elsewhere Works", city="Town of Elsewhere",
                             zone="America/Chicago", phone="715-555-0999", help_hours="never", address="1 Road",
                             by=by, at=at)  # fmt: skip
    db.session.flush()
    adopt_law(made, file, date(2026, 1, 1), "Ord. 1", by=by, at=at)
    return made


def test_a_truck_is_charged_at_each_plant_it_is_approved_at_and_to_each_owner_as_its_first_year(
    app: Any, tmp_path: Path
) -> None:
    town(tmp_path)
    approval = approved(hauler())
    elsewhere = _neighbour(changed(tmp_path, extra=ROWS), by=system(), at=world.START)
    law = law_in_force(elsewhere, date(2026, 9, 20))
    given: dict[str, Any] = {"by": world.staff("clerk"), "at": world.at(RECORDED_AT), "law": law}
    made: Any = charge_trucks(elsewhere, approval, **given)
    (plate,) = [truck["plate"] for truck in approval.trucks or ()]
    both = [("sticker", 7500, f"Truck {plate}, 2026-27"), ("bond", 5000, f"Truck {plate}, 2026-27")]
    assert [(one.code, one.amount_cents, one.source_label) for one in made] == both
    assert charge_trucks(elsewhere, approval, **given) == []
    # The truck goes to another hauler of the first plant in the same season.
    other = hauler("Second Owner", "second@hauler.example", trucks=())
    truck = trucks_of(approval.business_id)[0]
    db.session.add(TruckOfBusiness(truck_id=truck.id, business_id=other.id, since=world.START))
    db.session.flush()
    theirs: Any = SimpleNamespace(id=approval.id, plant_id=approval.plant_id, business_id=other.id, season="2026-27",
                             trucks=approval.trucks, starts=approval.starts)  # fmt: skip
    sold: Any = charge_trucks(world.plant(), theirs, **given)
    assert [(one.code, one.amount_cents, one.source_label) for one in sold] == both
    assert [balance_cents(one.id) for one in db.session.query(Account).order_by(Account.id)] == [12500] * 3
    db.session.commit()
    assert check_ledger() == []

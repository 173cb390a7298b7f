"""Loads at a running plant charged in the ways of other towns: mixed, by the cubic yard, by the scale, by the point."""

from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from billing.queries import entries_of
from intake.actions import charging, open_point
from intake.actions.tickets import charges_of
from intake.models import Booking, Load, LoadCost
from intake.queries.bookings import first_point
from office.access import system
from office.db import db
from office.law import Adoption, adopt_law, law_in_force
from office.letters import Letter
from office.notices import Notice
from ordinances.hauled import Part
from ordinances.reader import load_profile
from ordinances.screening import WASTE_TYPES
from tests import world
from tests.billing.test_fees_pages import in_town, words
from tests.intake.gatehouse import booked, good, log, said
from tests.intake.plant import book, hauler, session
from tests.intake.specials import arranged, working_hours
from tests.intake.test_blanks import enter, issue, one, written
from tests.ordinances.town import item

OCT_6 = date(2026, 10, 6)
ASK = {"day-month": "10", "day-day": "7", "day-year": "2026", "begins": "2:00 p.m.", "gallons": "600",
       "waste": "septic_tank", "reason": "The bridge is shut in the morning"}  # fmt: skip
COST = {"name": "lab", "dollars": "62.50", "bill": "Northern Lab, bill 4471"}


def at_town(folder: Path, name: str, extra: str = "", swap: tuple[str, str] = ("\n\n\n\n", "")) -> Any:
    """A hauler of a plant with the charges of another town, all kinds of waste covered."""
    path = in_town(folder, name)
    path.write_text(path.read_text(encoding="utf-8").replace(*swap) + extra, encoding="utf-8")
    made = adopt_law(world.plant(), load_profile(path), OCT_6, "Ord. 1", by=system(), at=world.START)
    assert isinstance(made, Adoption), made
    db.session.commit()
    return hauler(wastes=list(WASTE_TYPES))


def charged(load: Any) -> list[tuple[str, int]]:
    return [(entry.code, entry.amount_cents) for entry in entries_of("load", load.id)]


def test_a_mixed_load_is_charged_all_at_the_rate_of_its_dearest_kind(app: Any, tmp_path: Path) -> None:
    who = at_town(tmp_path, "marshalltown")
    kinds = (Part("grease_interceptor", "outside", 200),)
    load = good(log(who, 1000, origin="in_city", others=kinds))
    assert charged(load) == [("grease_outside", 27000), ("meter", 1000)]
    entry = entries_of("load", load.id)[0]
    assert entry.what == "Grease from outside the city"
    assert load.others == kinds


def test_other_kinds_leave_some_of_the_first_and_name_their_gallons(app: Any, tmp_path: Path) -> None:
    who = at_town(tmp_path, "marshalltown")
    for gallons in (1000, 0):
        refused = log(who, 1000, origin="in_city", others=(Part("grease_interceptor", "outside", gallons),))
        assert said(refused)[0] == "parts_over"
    assert good(log(who, 1000, origin="in_city", others=(Part("grease_interceptor", "outside", 999),)))


def test_another_kind_the_approval_does_not_cover_is_refused(app: Any, tmp_path: Path) -> None:
    at_town(tmp_path, "marshalltown")
    who = hauler("Birch Pumping", number=2)
    refused = log(who, 1000, origin="in_city", others=(Part("grease_interceptor", "outside", 200),))
    assert said(refused)[0] == "waste_not_covered"


def test_a_load_by_the_cubic_yard_is_charged_by_what_was_measured(app: Any, tmp_path: Path) -> None:
    who = at_town(tmp_path, "marshalltown")
    code, why, _ = said(log(who, 500, waste="other", basis="declared"))
    assert (code, why) == (
        "quantity_missing",
        "Mud pit waste beyond 2 cubic yards cannot be priced: the cubic yards of the load are not known.",
    )  # fmt: skip
    load = good(log(who, 500, waste="other", basis="declared", cubic_yards=Decimal("3.5")))
    assert charged(load) == [("mud_pit", 5000), ("mud_pit_yards", 3750)]


def test_a_weighed_load_is_charged_by_the_scale_and_any_other_by_the_tank(app: Any, tmp_path: Path) -> None:
    who = at_town(tmp_path, "manchester")
    by_tank = good(log(who, 1240, basis="declared"))
    assert charged(by_tank) == [("first_thousand", 8000), ("hundreds", 2400)]
    by_scale = good(log(who, 100, "2026-10-06T09:40", basis="weight", full_lb=20834, empty_lb=20000))
    assert charged(by_scale) == [("scale", 800)]


def test_a_charge_of_one_point_falls_on_loads_there_only(app: Any, tmp_path: Path) -> None:
    extra = item("here", "per_load", 'price = "7.00"\npoint = ["receiving_station"]') + item(
        "there", "per_load", 'price = "9.00"\npoint = ["lagoon"]'
    )
    who = at_town(tmp_path, "eden", extra, ("[schedule]\n", '[schedule]\npoints = ["receiving_station", "lagoon"]\n'))
    assert charged(good(log(who, 1000))) == [("truckload", 7500), ("here", 700)]


def test_a_point_of_the_schedule_that_no_point_is_called_is_said_where_points_and_laws_are_set(
    app: Any, tmp_path: Path, clock_at: Any
) -> None:
    clock_at("2026-10-06T06:00")
    extra = item("here", "per_load", 'price = "7.00"\npoint = ["receiving_station"]') + item(
        "there", "per_load", 'price = "9.00"\npoint = ["lift_station_2"]'
    )
    names = '[schedule]\npoints = ["receiving_station", "lift_station_2"]\n'
    at_town(tmp_path, "eden", extra, ("[schedule]\n", names))
    manager, clerk = app.test_client(), app.test_client()
    world.sign_in(manager, "manager")
    world.sign_in(clerk, "clerk")
    point = first_point(world.plant().id)
    assert point is not None
    pages = [(manager, "/bayfield/director/points"), (manager, f"/bayfield/director/points/{point.id}"),
             (clerk, "/bayfield/admin/law")]  # fmt: skip
    for client, address in pages:
        shown = words(client.get(address).get_data(as_text=True))
        assert shown.count("No receiving point is called") == 1
        assert "No receiving point is called Lift station 2" in shown
    good(open_point(world.plant(), "Lift Station 2", "station", by=world.staff("director"),
                    at=world.at("2026-10-06T06:00"), law=law_in_force(world.plant(), OCT_6)))  # fmt: skip
    db.session.commit()
    for client, address in pages:
        assert "No receiving point is called" not in words(client.get(address).get_data(as_text=True))


def test_a_correction_changes_the_zone_and_the_other_kind_and_the_charges_follow(
    app: Any, tmp_path: Path, clock_at: Any
) -> None:
    who = at_town(tmp_path, "marshalltown")
    load = good(log(who, 1000, origin="in_city", waste="grease_interceptor"))
    assert charged(load) == [("grease_in_city", 13500), ("meter", 1000)]
    clock_at("2026-10-06T10:00")
    client = app.test_client()
    world.sign_in(client, "operator")
    address = f"/bayfield/station/load/{load.ticket}/correct"
    page = words(client.get(address).get_data(as_text=True))
    assert "Where is the waste from? In city Outside" in page
    given = {"gallons": "1000", "waste": "grease_interceptor", "basis": "meter", "driver": "Ann", "bottle": load.bottle,
             "ph": "6.9", "origin": "outside", "other_waste": "septic_tank", "other_gallons": "400",
             "other_origin": "in_city", "reason": "The driver named the wrong street", "once": "a" * 32}  # fmt: skip
    assert client.post(address, data=given).status_code == 303
    db.session.expire_all()
    assert [(entry.code, entry.amount_cents) for entry in charges_of(load)] == [
        ("meter", 1000),
        ("grease_outside", 27000),
    ]
    assert "from outside, not in city; other kinds: 400 gallons of septic tank from in city, not none" in load.note


def test_a_booking_shows_its_price_from_each_zone_where_that_decides(app: Any, tmp_path: Path, clock_at: Any) -> None:
    clock_at("2026-10-06T06:00")
    who = at_town(tmp_path, "wareham")
    booking = booked(book(who, [session("2026-10-06T07:00", 1000)]))
    client = app.test_client()
    world.sign_in(client, who.email)
    page = words(client.get(f"/bayfield/hauler/bookings/{booking.number}").get_data(as_text=True))
    assert "It hangs on where the waste comes from; you are asked when you unload." in page
    assert [page.split(f"From: {zone} ", 1)[1].split("Total ", 1)[1].split()[0] for zone in ("resident", "bourne")] == [
        "$80.00", "$100.00",
    ]  # fmt: skip
    assert page.split("From: nonresident ", 1)[1].split("Total ", 1)[1].startswith("$180.00")


def test_a_ticket_says_how_a_charge_came_about_that_is_no_quantity_at_a_price(app: Any, tmp_path: Path) -> None:
    at_town(tmp_path, "chandler")
    small = hauler("Birch Pumping", number=2, tank=800, wastes=list(WASTE_TYPES))
    load = good(log(small, 800, basis="capacity"))
    ticket = db.session.get_one(Letter, load.letter_id)
    assert [(row["amount"], row.get("how")) for row in ticket.data["charges"]] == [
        ("$24.00", None), ("$6.00", "$30.00 at least, less $24.00."),
    ]  # fmt: skip


def test_what_the_plant_paid_for_a_load_is_charged_on_and_taken_back_again(
    app: Any, tmp_path: Path, clock_at: Any
) -> None:
    who = at_town(tmp_path, "chandler")
    load = good(log(who, 1500, basis="declared"))
    assert charged(load) == [("tank", 15000)]
    clock_at("2026-10-09T10:00")
    client = app.test_client()
    world.sign_in(client, "clerk")
    address = f"/bayfield/plant/loads/{load.ticket}/costs"
    assert "What the plant paid for it" in words(
        client.get(f"/bayfield/station/load/{load.ticket}").get_data(as_text=True)
    )
    assert client.post(address, data={"once": "a" * 32, **COST, "bill": ""}).status_code == 422
    assert client.post(address, data={"once": "b" * 32, **COST}).status_code == 303
    assert standing(load) == [("tank", 15000), ("testing", 6250)]
    assert client.post(address, data={"once": "c" * 32, **COST, "name": "cleaning", "dollars": "9"}).status_code == 303
    # A site left dirty costs 100 dollars or more.
    assert standing(load) == [("tank", 15000), ("testing", 6250), ("cleaning", 10000)]
    page = words(client.get(address).get_data(as_text=True))
    assert "Northern Lab, bill 4471, entered by" in page
    row = db.session.query(LoadCost).filter_by(name="lab").one()
    assert client.post(f"{address}/{row.id}/back", data={"once": "d" * 32}).status_code == 303
    assert standing(load) == [("tank", 15000), ("cleaning", 10000)]
    notice = db.session.query(Notice).filter_by(kind="load_cost").order_by(Notice.id).first()
    assert notice.body.splitlines() == [
        f"Load {load.ticket} of Tuesday, October 6, 2026: $62.50 paid for it: testing, as the laboratory billed it "
        "(Northern Lab, bill 4471).",
        "Its charges are $212.50 now.",
    ]  # fmt: skip


def standing(load: Any) -> list[tuple[str, int]]:
    db.session.expire_all()
    return [(entry.code, entry.amount_cents) for entry in charges_of(load)]


def test_a_special_time_is_quoted_and_charged_where_no_wage_is_but_a_price_for_the_night(
    app: Any, tmp_path: Path, clock_at: Any
) -> None:
    clock_at("2026-10-06T06:00")
    who = at_town(tmp_path, "american_bottoms")
    client = app.test_client()
    world.sign_in(client, who.email)
    given = ASK | {"truck": str(who.truck_id)}
    page = words(client.post("/bayfield/hauler/special", data=given | {"once": "a" * 32}).get_data(as_text=True))
    # A tank of 5,000 gallons at 7 cents, and a third more at night.
    assert "Total $465.50" in page
    assert "Not in it" not in page
    working_hours()
    row = arranged(who, 600)
    assert (row.quote_cents, row.wage) == (46550, None)
    db.session.commit()
    booking = db.session.get_one(Booking, row.booking_id)
    load = good(log(who, 600, "2026-10-06T14:00", booking=booking))
    assert charged(load) == [("capacity", 35000), ("off_hours", 11550)]


def test_a_special_time_asks_the_zone_where_the_price_hangs_on_it(app: Any, tmp_path: Path, clock_at: Any) -> None:
    clock_at("2026-10-06T06:00")
    who = at_town(tmp_path, "wareham")
    client = app.test_client()
    world.sign_in(client, who.email)
    given = ASK | {"truck": str(who.truck_id)}
    missing = client.post("/bayfield/hauler/special", data=given | {"once": "a" * 32})
    assert missing.status_code == 422
    assert "Select where the waste comes from" in words(missing.get_data(as_text=True))
    page = client.post("/bayfield/hauler/special", data=given | {"once": "b" * 32, "origin": "bourne"})
    assert "Total $60.00" in words(page.get_data(as_text=True))


@pytest.mark.parametrize(
    ("name", "began", "lines"),
    [
        ("falmouth", "2026-10-06T09:59", [("winter", 2400)]),
        ("falmouth", "2026-10-06T10:00", [("winter", 2400), ("after_hours", 10000)]),
        ("falmouth", "2026-10-06T06:59", [("winter", 2400), ("after_hours", 10000)]),
        ("falmouth", "2026-10-10T09:00", [("winter", 2400), ("after_hours", 10000)]),
        ("chandler", "2026-10-06T14:00", [("tank", 15000), ("off_hours", 5000)]),
        ("american_bottoms", "2026-10-06T09:00", [("capacity", 35000)]),
        ("american_bottoms", "2026-10-06T20:00", [("capacity", 35000), ("off_hours", 11550)]),
    ],
)
def test_a_load_told_late_is_charged_by_when_its_unloading_began_without_any_arrangement(
    app: Any, tmp_path: Path, name: str, began: str, lines: list[tuple[str, int]]
) -> None:
    who = at_town(tmp_path, name)
    good(issue(1))
    load = good(enter(one(), written(who, "P-2026-0001", began), "2026-10-10T12:00"))
    assert charged(load) == lines
    # Corrected later it stays as it is.
    found: Any = charging.quote(world.plant(), load, world.law(OCT_6), world.at("2026-10-11T09:00"))
    assert [(line.code, line.cents) for line in found.lines] == lines


def test_after_hours_bayfield_adds_nothing_without_an_arrangement(app: Any) -> None:
    who = hauler()
    good(issue(1))
    load = good(enter(one(), written(who, "P-2026-0001", "2026-10-06T14:00"), "2026-10-06T18:00"))
    assert charged(load) == [("volume", 720), ("test", 1216)]


def test_a_mixed_load_names_every_other_kind_at_the_station_and_in_a_correction(
    app: Any, tmp_path: Path, clock_at: Any
) -> None:
    clock_at("2026-10-06T07:00")
    who = at_town(tmp_path, "marshalltown")
    booking = booked(book(who, [session("2026-10-06T07:00", 1000)]))
    client = app.test_client()
    world.sign_in(client, "operator")
    page = client.get(f"/bayfield/station/load?booking={booking.number}").get_data(as_text=True)
    assert words(page).count("One more kind in the same load") == 3
    given = {"gallons": "1000", "waste": "septic_tank", "basis": "meter", "driver": "Ann", "bottle": "7", "ph": "7.0",
             "normal": "yes", "tested": "yes", "origin": "in_city", "once": "a" * 32,
             "other_waste": "holding_tank", "other_gallons": "300", "other_origin": "in_city",
             "other_waste_2": "grease_interceptor", "other_gallons_2": "", "other_origin_2": "outside"}  # fmt: skip
    missing = client.post(f"/bayfield/station/load?booking={booking.number}", data=given)
    assert missing.status_code == 422
    assert 'href="#other_gallons_2"' in missing.get_data(as_text=True)
    loose = given | {"once": "b" * 32, "other_waste_2": "nothing", "other_gallons_2": "100"}
    said_page = words(
        client.post(f"/bayfield/station/load?booking={booking.number}", data=loose).get_data(as_text=True)
    )
    assert "Select which kind the 100 gallons are of, or clear the gallons" in said_page
    full = given | {"once": "c" * 32, "other_gallons_2": "100"}
    assert client.post(f"/bayfield/station/load?booking={booking.number}", data=full).status_code == 303
    load = db.session.query(Load).one()
    assert load.others == (
        Part("holding_tank", "in_city", 300),
        Part("grease_interceptor", "outside", 100),
    )
    assert charged(load) == [("grease_outside", 27000), ("meter", 1000)]
    clock_at("2026-10-06T10:00")
    address = f"/bayfield/station/load/{load.ticket}/correct"
    shown = client.get(address).get_data(as_text=True)
    assert 'id="other_gallons_2" inputmode="numeric" name="other_gallons_2" type="text" value="100"' in shown
    right = full | {"once": "d" * 32, "reason": "No grease", "other_waste_2": "nothing", "other_gallons_2": "",
                    "bottle": load.bottle}  # fmt: skip
    assert client.post(address, data=right).status_code == 303
    db.session.expire_all()
    assert (
        "other kinds: 300 gallons of holding tank from in city, not 300 gallons of holding tank from in city "
        "and 100 gallons of grease interceptor from outside"
    ) in load.note
    assert load.others == (Part("holding_tank", "in_city", 300),)


@pytest.mark.parametrize(
    ("name", "waste", "total", "without"),
    [
        (
            "marshalltown",
            "septic_tank",
            "$590.00",
            "another kind of waste in the same load; gallons by an approved meter",
        ),
        (
            "marshalltown",
            "other",
            "",
            "another kind of waste in the same load; cubic yards; gallons by an approved meter",
        ),
        ("manchester", "septic_tank", "$80.00", "pounds by the scale"),
        ("chandler", "septic_tank", "$150.00", "what the plant pays for the load and passes on"),
        ("eden", "septic_tank", "$75.00", ""),
    ],
)
def test_a_booking_says_what_is_not_in_its_price(
    app: Any, tmp_path: Path, clock_at: Any, monkeypatch: Any, name: str, waste: str, total: str, without: str
) -> None:
    clock_at("2026-10-06T06:00")
    who = at_town(tmp_path, name)
    # The act that books asks the town's law which waste there is.
    monkeypatch.setattr(world, "law", lambda day: law_in_force(world.plant(), OCT_6))
    booking = booked(book(who, [session("2026-10-06T07:00", 1000)], waste=waste))
    client = app.test_client()
    world.sign_in(client, who.email)
    page = words(client.get(f"/bayfield/hauler/bookings/{booking.number}").get_data(as_text=True))
    assert page.partition("Total ")[2].partition(" ")[0] == total
    asked = page.partition("Not in it, as it shows only when it unloads: ")[2].partition(". Work out a load")[0]
    assert asked == without

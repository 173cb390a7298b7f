"""The form a tablet keeps asks what the station's form asks: zones, other kinds in the load, cubic yards."""

import re
from typing import Any

import pytest

from billing.queries import entries_of
from intake.models import Load
from office.db import db
from tests.intake.offline import body, device, enrolled, send
from tests.intake.plant import hauler
from tests.intake.test_blanks import issue
from tests.intake.test_charged_ways import at_town
from tests.intake.test_station_pages import get, signed_in

NOON = "2026-10-06T12:00"
ASKED = re.compile(r'name="(origin|cubic_yards|other_[a-z_0-9]+)"')


def asked(page: str) -> set[str]:
    return set(ASKED.findall(page))


def test_the_kept_form_and_the_paper_ask_what_the_station_asks(app, clock_at, tmp_path):
    clock_at("2026-10-05T15:00")
    issue(1)
    who = at_town(tmp_path, "marshalltown")
    clock_at("2026-10-06T07:10")
    operator = signed_in(app, "operator")
    truck = f"business={who.business_id}&truck={who.truck_id}"
    online = asked(get(operator, f"/station/load?{truck}&waste=septic_tank"))
    assert {"origin", "cubic_yards", "other_waste", "other_gallons", "other_origin", "other_waste_2"} <= online
    assert asked(get(operator, "/station/offline")) == online
    assert asked(get(operator, f"/station/blank-tickets/P-2026-0001?{truck}")) == online
    page = get(operator, "/station/offline")
    assert "How gallons were found, what else is in it, cubic yards" in page
    zones = page.index('name="origin"')
    assert zones < page.index("How gallons were found")


def test_where_the_schedule_asks_for_none_of_it_the_kept_form_does_not(app, clock_at):
    clock_at("2026-10-06T07:10")
    hauler()
    assert asked(get(signed_in(app, "operator"), "/station/offline")) == set()


@pytest.mark.parametrize("yards", ["", "3.5"])
def test_a_load_of_two_kinds_or_by_the_yard_is_charged_as_one_logged_at_the_station(app, clock_at, tmp_path, yards):
    who = at_town(tmp_path, "marshalltown")
    clock_at(NOON)
    enrolled()
    typed = [["origin", "in_city"]]
    typed += [["cubic_yards", yards], ["waste", "other"]] if yards else [
        ["other_waste", "grease_interceptor"], ["other_gallons", "200"], ["other_origin", "outside"]]  # fmt: skip
    load: dict[str, Any] = body(who, 1_000, now=NOON)
    names = {name for name, _ in typed}
    load["fields"] = [one for one in load["fields"] if one[0] not in names] + typed
    assert send(device(app), load)["state"] == "taken"
    found = [(entry.code, entry.amount_cents) for entry in entries_of("load", db.session.query(Load).one().id)]
    assert found == ([("meter", 1_000), ("mud_pit", 5_000), ("mud_pit_yards", 3_750)] if yards else [
        ("grease_outside", 27_000), ("meter", 1_000)])  # fmt: skip

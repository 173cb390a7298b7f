"""What the line above the form of a load says: never that it may unload where something was refused."""

import re
from typing import Any

import pytest
from sqlalchemy import select

from intake.models import Load
from office.db import db
from tests.intake.plant import hauler
from tests.intake.test_limits import limit
from tests.intake.test_station_pages import fields, get, load_page, post, signed_in, text, truck_page


@pytest.fixture
def operator(app: Any, clock_at: Any) -> Any:
    clock_at("2026-10-06T07:00")
    return signed_in(app, "operator")


def verdict(page: str) -> str:
    found = re.search(r'<p class="gate-line[^"]*">(.*?)</p></div>', page, re.DOTALL)
    assert found is not None
    return text(found[1])


def test_fewer_gallons_in_the_approval_than_the_truck_holds_are_said_at_the_first_look(operator):
    who = hauler(rest=169, tank=1_500)
    few = "169 gallons are left in the approval. Unload up to 169 gallons. The hauler asks the committee for more."
    assert verdict(get(operator, load_page(who))) == f"{few} § 329-7 B(2)"
    answer = post(operator, load_page(who), {"driver": "Ann", "gallons": "1,500"})
    assert verdict(answer.text).startswith(
        "Approval A-2026-27-001 has 169 gallons left for the rest of the season, not 1,500. Unload up to 169 gallons."
    )
    assert "May unload" not in text(answer.text)
    unnamed = post(operator, load_page(who), {"driver": "", "gallons": "170"})
    assert verdict(unnamed.text).startswith("169 gallons are left in the approval.")
    assert post(operator, load_page(who), {"driver": "Ann", "gallons": "169"}).status_code == 303


def test_another_waste_that_is_chosen_is_refused_in_the_verdict_and_goes_along_to_the_refusal(operator):
    who = hauler(wastes=["holding_tank"])
    answer = post(operator, truck_page(who), {"driver": "Ann", "gallons": "300", "waste": "other"})
    assert (answer.status_code, "May unload" in answer.text) == (422, False)
    assert verdict(answer.text).startswith("Do not accept: ")
    led = re.search(r'href="/bayfield(/station/refuse[^"]*)"', answer.text)
    assert led is not None
    assert "waste=other" in led[1]
    assert "T-1 · other hauled waste" in text(get(operator, led[1].replace("&amp;", "&")))
    sent = {"reason_code": "field_test", "reason": "Not septage", "gallons": "0"}
    assert post(operator, led[1].replace("&amp;", "&"), sent).status_code == 303
    assert db.session.scalars(select(Load.waste)).all() == ["other"]


def test_what_was_seen_is_refused_at_its_ticks_and_a_measured_ph_at_its_box(operator):
    who = hauler()
    seen = post(operator, load_page(who), {"driver": "Ann", "gallons": "300", "normal": "no", "note": "Smells",
                                           "flags": "flammable"})  # fmt: skip
    said = "Flammable or explosive: seen or smelled in this load. Do not accept this load."
    assert (seen.status_code, verdict(seen.text).startswith(said), "May unload" in seen.text) == (422, True, False)
    assert ('id="flags-error"' in seen.text, 'id="ph-error"' in seen.text) == (True, False)
    sour = post(operator, load_page(who), {"driver": "Ann", "gallons": "300", "ph": "5.4"})
    assert ('id="flags-error"' in sour.text, 'id="ph-error"' in sour.text) == (False, True)


def refusal_of(page: str) -> str:
    """Where the page of a load leads to for recording it as refused."""
    found = re.findall(r'<a class="([^"]*)" href="/bayfield(/station/refuse[^"]*)">([^<]+)</a>', page)
    assert len(found) == 1
    return str(found[0][1]).replace("&amp;", "&")


def test_a_load_that_fails_is_recorded_as_refused_with_what_was_typed_and_why(operator):
    who = hauler()
    sour = post(operator, load_page(who), {"driver": "Ann", "gallons": "300", "ph": "5.4"}).text
    assert re.search(r'<a class="btn btn-danger" href="[^"]*">Record a refused load</a>', sour)
    there = fields(get(operator, refusal_of(sour)))
    assert {key: there[key] for key in ("reason_code", "driver", "ph", "gallons")} == {
        "reason_code": "field_test", "driver": "Ann", "ph": "5.4", "gallons": "0"}  # fmt: skip
    assert operator.post(f"/bayfield{refusal_of(sour)}", data=there | {"reason": "pH 5.4"}).status_code == 303
    load = db.session.scalars(select(Load)).one()
    assert (load.state, load.waste, load.driver, str(load.ph)) == ("refused", "septic_tank", "Ann", "5.4")


def test_what_can_be_put_right_is_no_reason_to_refuse(operator):
    who = hauler(tank=1_500)
    over = post(operator, load_page(who), {"driver": "Ann", "gallons": "1,501"}).text
    assert "Record a refused load" not in over
    assert "reason_code" not in fields(get(operator, refusal_of(over)))
    few = post(operator, load_page(hauler("Few", rest=100, number=2)), {"driver": "Ann", "gallons": "101"}).text
    assert fields(get(operator, refusal_of(few)))["reason_code"] == "permission"


@pytest.mark.parametrize("typed", ["ph=sNaN&code=mood&why=x", "ph=1e-999999", "ph=6,9&code="])
def test_an_address_that_says_nonsense_fills_nothing_in(operator, typed):
    assert fields(get(operator, f"/station/refuse?{typed}"))["ph"] == ""


def test_a_truck_is_chosen_first_else_its_name_is_asked_for(operator):
    who = hauler()
    page = text(get(operator, "/station/refuse"))
    assert "Name on the truck (optional)" not in page
    assert page.index("Choose the truck") < page.index("Or enter whose it is") < page.index("Name on the truck")
    assert "No approval or license" in page
    bare = post(operator, "/station/refuse", {"reason_code": "other", "reason": "Left", "gallons": "0"})
    assert (bare.status_code, "Enter the name on the truck" in text(bare.text)) == (422, True)
    chosen = get(operator, truck_page(who).replace("load?", "refuse?"))
    assert "business_name" not in fields(chosen)


def test_a_limit_of_the_approval_is_said_at_the_first_look_as_it_is_refused(operator):
    who = hauler(tank=1_500)
    limit(who, "week", 500, "septic_tank")
    said = ("Approval A-2026-27-001 allows 500 gallons of septic tank waste a week: 500 are left for the week from "
            "October 5, 2026, and this load has 1,500. Unload up to 500 gallons.")  # fmt: skip
    assert verdict(get(operator, load_page(who))).startswith(said)
    answer = post(operator, load_page(who), {"driver": "Ann"})
    assert (answer.status_code, verdict(answer.text).startswith(said)) == (422, True)
    assert post(operator, load_page(who), {"driver": "Ann", "gallons": "500"}).status_code == 303


def test_a_full_tank_that_is_none_asks_why_and_ph_has_steps_of_a_tenth(operator):
    who = hauler(tank=1_500)
    page = get(operator, load_page(who))
    steps = re.findall(r'data-step="([^"]+)" data-for="ph" aria-label="([^"]+)"', page)
    assert steps == [("-0.1", "Lower pH by 0.1"), ("0.1", "Raise pH by 0.1")]
    answer = post(operator, load_page(who), {"driver": "Ann", "gallons": "1,400", "basis": "capacity"})
    assert verdict(answer.text).startswith("This truck&#39;s full tank is 1,500 gallons. You entered 1,400.")
    assert ('id="gallons-error"' in answer.text, "Why the number is right" in answer.text) == (True, True)

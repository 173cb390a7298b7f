"""The forms of a motion: what Enter in a field sends, which folds begin open, how the parts of the area are named."""

import re
from dataclasses import replace
from typing import Any

import pytest

from haulers.actions.amendments import ask_amendment
from haulers.actions.revocation import revoke_approval
from haulers.models import Approval, Business
from office.db import db
from tests import world
from tests.haulers.builders import OUTSIDE, SOURCE, acting, approved, filed, hauler
from tests.haulers.test_pages_hauler import signed_in, text

RULE = "§ 329-7 F(4): Unloading within the hours"


@pytest.fixture
def approval(app: Any, clock_at: Any) -> Approval:
    clock_at("2026-10-30T09:00")
    return approved(hauler())


def first_button(page: str) -> str:
    """The button Enter presses: the first that sends the page's own form."""
    form = re.findall(r'<form method="post" novalidate data-once>.*?</form>', page.split("<main")[1], re.DOTALL)[0]
    return re.findall(r"<button[^>]*>", form)[0]


def ask_and_revoke(approval: Approval) -> None:
    ask_amendment(world.plant(), approval.id, "gallons", "A new customer.", {}, 4000, 0, law=world.law(),
                  by=acting(db.session.get_one(Business, approval.business_id)),
                  at=world.at("2026-10-10T09:00"))  # fmt: skip
    revoke_approval(world.plant(), approval.id, RULE, "At night.", by=world.staff("director"),
                    at=world.at("2026-10-20T09:00"), law=world.law())  # fmt: skip


def test_enter_in_a_field_of_any_motion_reviews_it(app: Any, approval: Approval) -> None:
    filed(hauler("Second Septic", "second@hauler.example"), at="2026-08-13T10:00")
    ask_and_revoke(approval)
    client = signed_in(app, "clerk")
    for address in ("committee/2026-27/decide", "committee/changes/decide", "committee/2026-27/motion/table",
                    f"committee/approvals/{approval.id}/reinstate"):  # fmt: skip
        page = text(client.get(f"/bayfield/{address}"))
        assert first_button(page) == '<button type="submit" hidden name="step" value="review">', address


def test_the_folds_of_many_parts_begin_closed_and_that_of_one_open(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    first = filed(hauler(), replace(SOURCE, gallons_winter=300_000))
    filed(hauler("Second Septic", "second@hauler.example"), replace(SOURCE, gallons_winter=300_000))
    address, client = "/bayfield/committee/2026-27/decide", signed_in(app, "clerk")
    many = re.findall(r"<details class=\"fold\"( open)?><summary>(Reason[^<]*)", text(client.get(address)))
    assert many == [("", "Reason (needed), conditions and limits")] * 2
    one = re.findall(r"<details class=\"fold\"( open)?><summary>(Reason[^<]*)",
                     text(client.get(f"{address}?application={first.id}")))  # fmt: skip
    assert one == [(" open", "Reason (needed), conditions and limits")]


def test_both_sides_of_the_service_area_are_named_whole(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    filed(hauler(), OUTSIDE)
    page = text(signed_in(app, "member1").get("/bayfield/committee?season=2026-27"))
    heads = re.findall(r'<th scope="col" class="num not-tablet">([^<]+)</th>', page)
    assert heads == ["Inside the service area", "Outside the service area"]
    assert "<br>0 inside, 20,000 outside the service area</span>" in page
    assert page.count('<th scope="row">Outside the service area</th>') == 2
    assert "Outside the service area 3,000</li>" in " ".join(page.split()).replace("</span>", "")

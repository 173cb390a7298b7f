"""A source asked for after the approval is stated and judged as one of the application (§ 329-7 B(1), NR 205.07)."""

from typing import Any

import pytest

from haulers.actions.drafts import use_last_answers
from haulers.models import Approval
from haulers.queries import business, sources_of
from haulers.queries.applications import as_line
from haulers.queries.motion_lines import AmendLine
from haulers.queries.new_sources import approved_sources, source_words, tier_asked
from office.db import db
from office.letters import Letter
from tests import world
from tests.haulers.builders import SOURCE, acting, approved, hauler
from tests.haulers.company import post, signed_in, wrong
from tests.haulers.test_amendments import ASKED_AT, CABINS, ask, decide
from tests.haulers.test_pages_hauler import text

WORDS = "holding tank waste from Cabins, outside the planning area, a new tank, Twice a summer (tier 4)"


@pytest.fixture
def approval(app: Any) -> Approval:
    return approved(hauler())


@pytest.mark.parametrize(("said", "tier"), [
    ({}, 4), ({"area": "planning"}, 3), ({"area": "planning", "existing": True, "replaces_failed": True}, 2),
    ({"area": "holding_tank_service"}, 1), ({"area": "holding_tank_service", "waste": "septic_tank"}, 3),
])  # fmt: skip
def test_a_source_asked_for_has_its_tier(said: dict[str, Any], tier: int) -> None:
    found = tier_asked(CABINS | said)
    assert found is not None and found.number == tier


def test_a_request_of_before_names_no_tier() -> None:
    old = {"waste": "holding_tank", "place": "Cabins"}
    assert (source_words(old), tier_asked(old)) == ("holding tank waste from Cabins", None)


def test_the_committee_and_the_letter_read_area_tank_and_tier(app: Any, clock_at: Any, approval: Approval) -> None:
    asked = ask(approval, "source", CABINS, rest=500)
    db.session.commit()
    clock_at(ASKED_AT)
    for path in ("changes", "changes/decide"):
        assert WORDS in text(signed_in(app, "member1@city.example").get(f"/bayfield/committee/{path}"))
    decide(AmendLine(asked.id, True, 0, 500))
    letter = db.session.get_one(Letter, asked.letter_id)
    assert letter.data["asked"] == f"{WORDS}, 0 gallons more in winter and 500 in the rest of the year"


def test_the_page_asks_what_the_application_asks(app: Any, clock_at: Any, approval: Approval) -> None:
    db.session.commit()
    clock_at(ASKED_AT)
    address = f"/hauler/approval/{approval.id}/ask/source"
    client = signed_in(app)
    answer = post(client, address, waste="holding_tank", place="Cabins", extra_winter="0", extra_rest="500",
                  words="New")  # fmt: skip
    assert wrong(answer) == [("area-0", "Select the service area"), ("tank-0", "Select what the tank is"),
                             ("frequency", "Enter how often")]  # fmt: skip
    good = post(client, address, waste="holding_tank", place="Cabins", area="outside", tank="new",
                frequency="Twice a summer", extra_winter="0", extra_rest="500", words="New")  # fmt: skip
    assert good.location == "/bayfield/hauler/approval"


def test_last_years_answers_hold_a_source_granted_since(app: Any, approval: Approval) -> None:
    owner: Any = business(approval.business_id)
    decide(AmendLine(ask(approval, "source", CABINS, rest=500).id, True, 0, 400, reason="Nearly full."))
    decide(AmendLine(ask(approval, "source", CABINS | {"place": "Inn"}).id, False, reason="Full."))
    draft: Any = use_last_answers(world.plant(), owner.id, by=acting(owner), at=world.at("2027-07-05T09:00"),
                                  law=world.law())  # fmt: skip
    lines = [as_line(row) for row in sources_of([draft.id])[draft.id]]
    assert [(one.place, one.area, one.existing, one.frequency, one.gallons_winter, one.gallons_rest)
            for one in lines] == [
        (SOURCE.place, SOURCE.area, SOURCE.existing, SOURCE.frequency, SOURCE.gallons_winter, SOURCE.gallons_rest),
        ("Cabins", "outside", False, "Twice a summer", 0, 400),
    ]  # fmt: skip


def test_the_sources_an_approval_covers_are_named_with_those_granted(app: Any, approval: Approval) -> None:
    decide(AmendLine(ask(approval, "source", CABINS, rest=500).id, True, 0, 500))
    assert approved_sources(approval.id) == [f"{SOURCE.place}: septic tank waste", "Cabins: holding tank waste"]
    assert approved_sources(None) == []

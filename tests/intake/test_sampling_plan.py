"""How a hauler's waste is sampled: proposed, approved from a day on or returned with a reason (§ 329-7 E)."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from intake.actions.sampling_plan import approve_sampling_plan, propose_sampling_plan, return_sampling_plan
from intake.models import SamplingPlan
from intake.queries import sampling_plan as plans
from office.db import db
from office.letters import Letter
from office.notices import Notice
from office.verify import verify
from tests import world
from tests.intake.gatehouse import good, kept, log, said
from tests.intake.plant import Hauler, hauler, queries
from tests.intake.test_station_pages import fields, get, post, signed_in, text

NOW, TODAY = "2026-10-06T08:00", date(2026, 10, 6)
CITE = "§ 329-7 E(2); § 329-7 E(1)"
PARTS = {
    "methods": "Grab sample, SM 5210 B", "places": "Valve of the truck", "times": "Half way through",
    "durations": "One minute", "frequencies": "Each load", "facility": "Northern Lab, Ashland, No. 802001",
    "access": "At the station", "preservation": "On ice, 24 hours",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _app(app: Any, clock_at: Any) -> None:
    clock_at(NOW)


def propose(who: Hauler, by: Any = None, **changed: str) -> Any:
    return kept(propose_sampling_plan(world.plant(), who.business_id, PARTS | changed, by=by or who.by,
                                      at=world.at(NOW), law=world.law()))  # fmt: skip


def approve(row: Any, since: date = TODAY, by: str = "director", note: str = "") -> Any:
    return kept(approve_sampling_plan(world.plant(), row.id, since, note=note, by=world.staff(by), at=world.at(NOW),
                                      law=world.law()))  # fmt: skip


def send_back(row: Any, reason: str, by: str = "director") -> Any:
    return kept(return_sampling_plan(world.plant(), row.id, reason, by=world.staff(by), at=world.at(NOW),
                                     law=world.law()))  # fmt: skip


def mine(who: Hauler) -> list[SamplingPlan]:
    return plans.of_business(world.plant().id, who.business_id)


def test_proposed_plan_holds_only_once_the_director_approves_it():
    who = hauler("Duffy Septic")
    row = good(propose(who))
    notice = db.session.scalars(select(Notice).filter_by(kind="sampling_plan")).one()
    assert (notice.to_name, notice.subject) == (
        "Director of the City", "Sampling plan of Duffy Septic waits for you")  # fmt: skip
    assert plans.in_force(mine(who), TODAY) is None
    assert said(approve(row, by="manager"))[0] == "not_your_role"
    good(approve(row, date(2026, 10, 7), note="Well thought out"))
    assert plans.in_force(mine(who), TODAY) is None
    assert plans.in_force(mine(who), date(2026, 10, 7)).id == row.id
    letter = db.session.get_one(Letter, row.letter_id)
    assert (letter.data["word"], letter.data["cite"], letter.data["answer"]) == (
        "approved from October 7, 2026", CITE, ["Well thought out"])  # fmt: skip
    assert letter.data["parts"][5] == ["Testing facility", "Northern Lab, Ashland, No. 802001"]
    assert verify() == []


def test_returned_plan_leaves_the_one_before_in_force():
    who = hauler()
    first = good(approve(good(propose(who))))
    second = good(propose(who, methods="By nose"))
    assert said(send_back(second, " "))[:2] == ("no_reason", "Enter what is to be changed.")
    good(send_back(second, "No method of that name"))
    assert plans.in_force(mine(who), TODAY).id == first.id
    assert (second.state, second.answer) == ("returned", "No method of that name")
    assert said(approve(second))[:2] == ("decided", "Director of the City has answered it already: returned.")


def test_new_proposal_takes_the_place_of_one_that_waits():
    who = hauler()
    first, second = good(propose(who)), good(propose(who, times="At the end"))
    assert (first.state, first.answer) == ("returned", "Another plan was proposed in its place.")
    assert plans.proposed(mine(who)).id == second.id


@pytest.mark.parametrize("part", ["methods", "places", "times", "durations", "frequencies", "facility"])
def test_each_part_of_the_text_must_be_said(part):
    code, why, cite = said(propose(hauler(), **{part: " "}))
    assert (code, cite) == (part, CITE)
    assert why == f"Enter {dict(plans.PARTS)[part].lower()}."


def test_access_and_preservation_may_be_left_empty():
    row = good(propose(hauler(), access="", preservation=""))
    assert plans.told(row)[6:] == [
        ("Access for the plant's laboratory", "Nothing said"),
        ("How samples are preserved", "Nothing said"),
    ]


def test_clerk_enters_it_from_paper_and_others_propose_nothing_for_it():
    who, other = hauler(), hauler("Other Pumping", number=2)
    assert good(propose(who, world.staff("clerk"))).on_paper is True
    assert said(propose(who, other.by))[0] == "not_yours"
    assert said(propose(who, world.staff("operator")))[0] == "not_your_role"


def test_first_day_is_not_in_the_past():
    row = good(propose(hauler()))
    assert said(approve(row, date(2026, 10, 5)))[:2] == ("since", "The first day must be today or later.")


def test_hauler_proposes_and_director_approves_on_pages(app):
    who = hauler("Duffy Septic")
    owner, director = signed_in(app, who.email), signed_in(app, "director")
    page = get(owner, "/hauler/sampling/propose")
    assert "Standard Methods for the Examination of Water and Wastewater" in text(page)
    wrong = post(owner, "/hauler/sampling/propose", PARTS | {"facility": ""})
    assert wrong.status_code == 422
    assert "Enter testing facility" in text(wrong.text)
    assert post(owner, "/hauler/sampling/propose", PARTS).status_code == 303
    assert "1 sampling plan waits for you" in text(get(director, "/director"))
    row = db.session.scalars(select(SamplingPlan)).one()
    path = f"/director/sampling/plans/{row.id}"
    refused = director.post(f"/bayfield{path}", data=fields(get(director, path)) | {"step": "return", "reason": ""})
    assert refused.status_code == 422
    assert "Enter what is to be changed" in text(refused.text)
    done = director.post(f"/bayfield{path}", data=fields(get(director, path)) | {"step": "approve"})
    assert done.status_code == 303
    assert "In force since October 6, 2026" in text(get(owner, "/hauler/sampling"))
    assert "Northern Lab" in text(get(signed_in(app, "operator"), "/director/sampling"))


def test_plan_is_shown_beside_the_sample(app):
    who = hauler()
    good(approve(good(propose(who))))
    good(log(who, 100, bottle="1006-01"))
    assert "On ice, 24 hours" in text(get(signed_in(app, "operator"), "/plant/samples/1006-01"))


def test_clerk_enters_one_on_its_page(app):
    who = hauler()
    clerk = signed_in(app, "clerk")
    assert post(clerk, f"/clerk/sampling/{who.business_id}/enter", PARTS).status_code == 303
    assert "entered from paper" in text(get(clerk, f"/director/sampling/{who.business_id}"))


def test_list_asks_the_same_however_many(app):
    operator = signed_in(app, "operator")
    counts = []
    for number in range(1, 4):
        good(approve(good(propose(hauler(f"Hauler {number}", number=number)))))
        get(operator, "/director/sampling")
        with queries() as seen:
            get(operator, "/director/sampling")
        counts.append(len([one for one in seen if one.startswith("SELECT")]))
    assert counts == [4, 4, 4]

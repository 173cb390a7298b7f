"""The Director's pages: restrict in two clicks, lift by what was done, flow in force, close a day."""

import re
from datetime import date, datetime, timedelta
from uuid import uuid4

import pytest
from sqlalchemy import select

from intake.actions.flow_readings import import_flow
from intake.actions.restriction import restrict_plant
from intake.models import FlowReading, Restriction
from office.access import Actor, Grant, Role, system
from office.acts import act
from office.db import db
from office.law import adopt_law
from office.plants import PlantRow
from tests import world
from tests.intake.gatehouse import booked, good, log
from tests.intake.plant import book, hauler, session
from tests.ordinances.common import changed

NOW = "2026-10-06T08:12"


@pytest.fixture
def client(app, clock_at):
    clock_at(NOW)
    made = app.test_client()
    world.sign_in(made, "director")
    return made


@act("test_second_role", roles=(Role.SYSTEM,))
def _grant(person_id: int, role: Role, *, by: Actor, at: datetime) -> bool:
    db.session.add(Grant(person_id=person_id, plant_id=world.plant().id, role=role.value, since=at))
    return True


def two_roles(name: str, role: Role) -> None:
    """Give one of the city's people another role beside theirs."""
    _grant(world.staff(name).person_id, role, by=system(), at=world.START)
    db.session.commit()


def text(answer) -> str:
    return str(answer.get_data(as_text=True))


def post(client, path, **data):
    return client.post(f"/bayfield{path}", data={"once": uuid4().hex} | data)


def test_restricting_takes_the_button_on_the_first_page_and_one_reason(app, client):
    book(hauler(), session("2026-10-06T09:00", 300))
    assert 'href="/bayfield/director/restrict"' in text(client.get("/bayfield/director"))
    page = text(client.get("/bayfield/director/restrict"))
    assert "holds 1 booking until Wednesday, October 7, 2026, 10:00 a.m. (1 of them today)" in page
    words = "7 people: 1 hauler, 1 operator, 1 plant manager, 1 clerk and 3 committee members"
    assert f"tells {words}." in page
    reasons = re.findall(r'name="reason" value="([^"]+)"', page)
    assert reasons == ["operational_problem", "maintenance_problem", "permit_threat"]
    done = post(client, "/director/restrict", reason=reasons[2], scope="everything", hours="4")
    assert done.location == "/bayfield/director/restrictions/1"
    shown = text(client.get(done.location))
    # No mail server is set here, so nobody is mailed, and the page says so and gives the numbers to call.
    assert shown.count("Not mailed: no mail server is set") == 7
    assert "7 people were not reached: call them" in shown
    app.config["MAIL_SERVER"] = "mail.city.example"
    assert text(client.get(done.location)).count("Waiting to be sent") == 7
    assert "Test Pumping" in shown
    public = text(app.test_client().get("/bayfield/"))
    assert "Restricted since 8:12 a.m." in public
    assert "Test Pumping" not in public


def test_the_page_names_what_runs_and_what_is_logged_to_start_later(client, clock_at):
    who = hauler()
    booking = booked(book(who, session("2026-10-06T09:30", 300)))
    good(log(hauler("Second Pumping", number=2), 600, "2026-10-06T08:00"))
    good(log(who, 300, "2026-10-06T08:10", booking=booking))
    before = text(client.get("/bayfield/director/restrict"))
    assert "1 truck is unloading now and must stop. 1 truck is logged to start later and must not start." in before
    shown = text(client.get(post(client, "/director/restrict", reason="permit_threat").location))
    panel = shown.split("Stop these trucks")[1].split("</ul>")[0]
    assert re.findall(r"<li>(.*?)</li>", panel) == [
        "Second Pumping, T-2, ticket 2026-00001: unloading now at 655 gallons an hour, until 8:55 a.m.",
        "Test Pumping, T-1, ticket 2026-00002: to start at 9:30 a.m., 643 gallons an hour",
    ]
    clock_at("2026-10-06T08:56")
    later = text(client.get("/bayfield/director/restrictions/1"))
    assert ("2026-00001" in later, "ticket 2026-00002: to start at 9:30 a.m." in later) == (False, True)
    post(client, "/director/restrictions/1/lift", done="Blower 2 replaced")
    assert "Stop these trucks" not in text(client.get("/bayfield/director/restrictions/1"))


def test_one_person_with_two_roles_is_counted_and_told_once(client):
    two_roles("operator", Role.MEMBER)
    words = "6 people: 0 haulers, 1 operator, 1 plant manager, 1 clerk and 3 committee members"
    assert words in text(client.get("/bayfield/director/restrict"))
    shown = text(client.get(post(client, "/director/restrict", reason="permit_threat").location))
    assert shown.count("Not mailed: no mail server is set") == 6


def test_the_pages_of_an_update_and_of_lifting_end_their_sentences_once(client):
    post(client, "/director/restrict", reason="permit_threat")
    pages = [text(client.get(f"/bayfield/director/restrictions/1{tail}")) for tail in ("", "/update", "/lift")]
    assert [re.findall(r"[ap]\.m\.\.", page) for page in pages] == [[], [], []]
    assert "The update goes to 6 people: 0 haulers, 1 operator" in pages[1]
    assert "Holds bookings until" in pages[0]


def course(page: str) -> list[tuple[str, str, str]]:
    """What the page says of how a restriction went: time, what, words."""
    rows = re.findall(r'<li><span class="when">(.*?)</span> <b>(.*?)</b>(.*?)</li>', page, re.DOTALL)
    return [(when, what, " ".join(re.sub("<[^>]+>", " ", rest).split())) for when, what, rest in rows]


def test_every_update_keeps_its_time_and_words_between_start_and_end(app, client, clock_at):
    post(client, "/director/restrict", reason="permit_threat", note="Ammonia is high")
    for moment, words in (("10:00", "Blower ordered"), ("12:30", "Blower arrives at 3 p.m.")):
        clock_at(f"2026-10-06T{moment}")
        post(client, "/director/restrictions/1/update", note=words, hours="4")
    visitor = app.test_client()
    assert "Blower arrives at 3 p.m." in text(visitor.get("/bayfield/"))
    assert "Ammonia is high" not in text(visitor.get("/bayfield/"))
    clock_at("2026-10-06T15:00")
    post(client, "/director/restrictions/1/lift", done="Blower 2 replaced")
    day = "Tuesday, October 6, 2026, "
    public = [
        (f"{day}8:12 a.m.", "Restricted", "Ammonia is high"), (f"{day}10:00 a.m.", "Update", "Blower ordered"),
        (f"{day}12:30 p.m.", "Update", "Blower arrives at 3 p.m."),
        (f"{day}3:00 p.m.", "Lifted", "What was done: Blower 2 replaced"),
    ]  # fmt: skip
    assert course(text(visitor.get("/bayfield/notices/1"))) == public
    inside = [(when, what, f"by Director of the City {words}") for when, what, words in public]
    assert course(text(client.get("/bayfield/director/restrictions/1"))) == inside
    feed = text(visitor.get("/bayfield/status.atom"))
    assert [words in feed for words in ("Ammonia is high", "Blower ordered", "arrives at 3 p.m.")] == [True] * 3
    assert re.findall(r"[ap]\.m\.\.", feed) == []


def test_the_page_offers_to_restrict_what_the_law_lists_and_no_more(client, tmp_path):
    def offered() -> list[str]:
        return re.findall(r'name="scope" value="([^"]+)"', text(client.get("/bayfield/director/restrict")))

    listed = ["everything", "types", "points", "rate"]
    assert offered() == listed == list(world.law().value("restriction.scopes", date(2026, 10, 6)))
    path = changed(tmp_path, ('value = ["everything", "types", "points", "rate"]', 'value = ["everything"]'))
    good(adopt_law(world.plant(), str(path), date(2026, 10, 6), "Ord. 400", by=system(), at=world.START))
    db.session.commit()
    assert offered() == ["everything"]


def test_five_clicks_make_one_restriction(client):
    once = uuid4().hex
    for _ in range(5):
        client.post("/bayfield/director/restrict", data={"once": once, "reason": "permit_threat"})
    assert len(db.session.scalars(select(Restriction)).all()) == 1


def test_a_lower_limit_that_is_none_is_said_at_the_field(client):
    answer = post(client, "/director/restrict", reason="permit_threat", scope="rate", hours="4", gph="700")
    assert answer.status_code == 422
    assert "The lower limit must be between 1 and 665 gallons an hour." in text(answer)


def test_lifting_asks_what_was_done(client):
    post(client, "/director/restrict", reason="permit_threat")
    empty = post(client, "/director/restrictions/1/lift", done=" ")
    assert (empty.status_code, "Enter what was done to fix the problem" in text(empty)) == (422, True)
    done = post(client, "/director/restrictions/1/lift", done="Blower 2 replaced")
    assert done.location == "/bayfield/director/restrictions/1"
    assert "Blower 2 replaced" in text(client.get("/bayfield/notices/1"))


@pytest.mark.parametrize("role", ["operator", "clerk", "manager", "member1"])
def test_nobody_else_opens_the_page_that_restricts(app, clock_at, role):
    clock_at(NOW)
    client = app.test_client()
    world.sign_in(client, role)
    assert client.get("/bayfield/director/restrict").status_code == 403
    assert post(client, "/director/restrict", reason="permit_threat").status_code == 403


def test_another_plants_restriction_is_not_found(client):
    assert client.get("/bayfield/director/restrictions/99").status_code == 404
    assert client.get("/bayfield/notices/99").status_code == 404


def test_a_flow_that_ends_bookings_shows_them_first(client):
    book(hauler(), session("2026-10-07T07:00", 1_998))
    boxes = re.findall(r'name="(since[^"]*)"', text(client.get("/bayfield/director/flow")))
    data = {"flow": "125,000", "order": "Order 12"} | dict(zip(boxes, ("10", "7", "2026"), strict=True))
    page = post(client, "/director/flow", **data)
    met = "1 booking would lose its time"
    assert (page.status_code, "B-1007-01" in text(page), met in text(page)) == (200, True, True)
    data["seen"] = re.findall(r'name="seen" value="([^"]+)"', text(page))[0]
    again = post(client, "/director/flow", **data)
    assert (again.status_code, text(again).count("Tick the box to take these times away")) == (422, 2)
    assert db.session.scalars(select(PlantRow).filter_by(key="rate.flow_in_force_gpd")).all() == []
    assert post(client, "/director/flow", **data, sure="1").status_code == 303
    row = db.session.scalars(select(PlantRow).filter_by(key="rate.flow_in_force_gpd")).one()
    assert (row.value, row.resolution) == (125_000, "Order 12")


def flow_data(client, flow: str, *day: str) -> dict[str, str]:
    boxes = re.findall(r'name="(since[^"]*)"', text(client.get("/bayfield/director/flow")))
    return {"flow": flow, "order": "Order 12"} | dict(zip(boxes, day, strict=True))


def test_the_limit_a_flow_gives_is_shown_before_it_is_in_force(client):
    data = flow_data(client, "125,000", "10", "7", "2026")
    page = text(post(client, "/director/flow", **data))
    assert "The limit would be 520 gallons an hour" in page
    assert (
        "125,000 gallons a day from Wednesday, October 7, 2026 on. Now it is 666 gallons an hour for that day." in page
    )
    assert "Put this flow in force</button>" in page
    assert db.session.scalars(select(PlantRow).filter_by(key="rate.flow_in_force_gpd")).all() == []
    seen = re.findall(r'name="seen" value="([^"]+)"', page)[0]
    other = text(post(client, "/director/flow", **data | {"flow": "120,000", "seen": seen}))
    assert "The limit would be 500 gallons an hour" in other
    assert db.session.scalars(select(PlantRow).filter_by(key="rate.flow_in_force_gpd")).all() == []
    assert post(client, "/director/flow", **data, seen=seen).status_code == 303
    assert db.session.scalars(select(PlantRow.value).filter_by(key="rate.flow_in_force_gpd")).one() == 125_000


@pytest.mark.parametrize(("flow", "day", "said"), [
    ("125,000", ("10", "5", "2026"), "The flow must be in force from today or a later day"),
    ("100", ("10", "7", "2026"), "100 gallons a day leave no whole gallon an hour"),
])  # fmt: skip
def test_a_flow_that_cannot_come_in_force_is_said_at_once(client, flow, day, said):
    book(hauler(), session("2026-10-07T07:00", 1_998))
    answer = post(client, "/director/flow", **flow_data(client, flow, *day))
    page = text(answer)
    assert (answer.status_code, page.count(said)) == (422, 2)
    assert [word for word in ("would lose", "The limit would be") if word in page] == []


def test_gallons_unloaded_today_are_those_that_ran_until_now(client, clock_at):
    who, other = hauler(), hauler("Second Pumping", number=2)
    booking = booked(book(who, session("2026-10-06T09:30", 300)))
    good(log(other, 600, "2026-10-06T08:00"))
    good(log(who, 300, "2026-10-06T08:10", booking=booking))
    seen, facts = [], r"<b>([\d,]+)</b> <span>gallons (?:unloaded today until now|in the busiest hour)"
    for moment in ("08:00:00", "08:12:00", "08:13:00", "08:55:00", "09:29:59", "09:40:00", "11:00:00"):
        clock_at(f"2026-10-06T{moment}")
        page = text(client.get("/bayfield/director"))
        seen.append(tuple(re.findall(facts, page)))
    assert seen == [
        ("0", "0"), ("131", "131"), ("141", "141"), ("600", "600"), ("600", "600"), ("707", "600"), ("900", "600"),
    ]  # fmt: skip


def test_the_limit_beside_the_busiest_hour_stays_that_of_the_law_while_all_is_restricted(client):
    assert "gallons in the busiest hour, limit 666" in text(client.get("/bayfield/director"))
    by = world.staff("director")
    good(restrict_plant(world.plant(), "operational_problem", by=by, at=world.at(NOW), law=world.law()))
    db.session.commit()
    assert "gallons in the busiest hour, limit 666" in text(client.get("/bayfield/director"))


def test_a_bar_above_that_days_own_flow_is_said_beside_the_limit_in_force(client):
    good(log(hauler(), 600, "2026-10-05T08:00"))
    import_flow(world.plant(), [(date(2026, 10, 5), 125_000)], "flow.csv", by=system(), at=world.at(NOW))
    db.session.commit()
    page = text(client.get("/bayfield/director"))
    words = "No hour went over the limit in force. More than that day's own flow would allow on Mon, Oct 5."
    assert re.findall(r"<figcaption>(No hour[^<]*)", page.replace("&#39;", "'"))[0].strip() == words


def test_a_reading_without_a_figure_can_only_be_said_to_be_a_slip(client):
    import_flow(world.plant(), [(date(2026, 9, 20), "NODI: 9")], "flow.csv", by=system(), at=world.at(NOW))
    db.session.commit()
    page = text(client.get("/bayfield/director/flow"))
    assert "Sunday, September 20, 2026: no figure" in page
    assert "The file says NODI: 9, which is no measured figure. It cannot count: say that nothing was measured" in page
    assert re.findall(r'name="answer" value="(\w+)"', page) == ["dismiss"]
    row = db.session.scalars(select(FlowReading)).one()
    assert post(client, f"/director/flow/readings/{row.id}", answer="accept").status_code == 409
    assert post(client, f"/director/flow/readings/{row.id}", answer="dismiss").status_code == 303


def test_an_odd_reading_is_settled_on_the_page(client):
    rows = [(date(2026, 9, 1) + timedelta(days=n), 160_000) for n in range(8)] + [(date(2026, 9, 20), 8_270_000)]
    import_flow(world.plant(), rows, "flow.csv", by=system(), at=world.at(NOW))
    db.session.commit()
    assert "8,270,000 gallons is more than 3 times the usual 160,000." in text(client.get("/bayfield/director/flow"))
    row = db.session.scalars(select(FlowReading).filter_by(state="held")).one()
    assert post(client, f"/director/flow/readings/{row.id}", answer="dismiss").status_code == 303
    assert db.session.scalars(select(FlowReading.state).filter_by(id=row.id)).one() == "dismissed"

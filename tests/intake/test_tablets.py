"""Tablets are enrolled by the plant manager, once each, and revoked at once."""

import html
import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import select

from intake.actions.tablets import enrol_tablet, renew_tablet_link, revoke_tablet, take_up_tablet
from intake.models import Load, OfflineLoad, Tablet, TabletSeen
from intake.queries import tablets
from office.access import NOBODY
from office.db import db
from office.notices import Notice
from office.verify import verify
from tests import world
from tests.intake.gatehouse import good, log, said
from tests.intake.offline import KEY, WORD, body, device, enrolled, kept, send
from tests.intake.plant import hauler, queries

NOON = "2026-10-06T12:00"


def text(answer: Any) -> str:
    """The words of a page's own part."""
    main = answer.get_data(as_text=True).partition("<main")[2].partition(">")[2].partition("</main>")[0]
    words = re.sub(r"<(script|style|svg).*?</\1>|<[^>]+>", " ", main, flags=re.S)
    return " ".join(html.unescape(words).split())


def post(client: Any, path: str, **typed: Any) -> Any:
    return client.post(f"/bayfield{path}", data={"once": uuid4().hex} | typed)


@pytest.fixture
def manager(app: Any, clock_at: Any) -> Any:
    clock_at(NOON)
    client = app.test_client()
    world.sign_in(client, "manager")
    return client


@pytest.fixture
def operator(app: Any, clock_at: Any) -> Any:
    clock_at(NOON)
    client = app.test_client()
    world.sign_in(client, "operator")
    return client


def make(name: str = "Gate tablet", at: Any = world.START) -> Any:
    return enrol_tablet(world.plant(), name, KEY, by=world.staff("manager"), at=at)


def test_numbers_have_no_gap_and_are_never_given_again(app):
    first, second = good(make()), good(make("Shed"))
    good(revoke_tablet(second, "Broken", by=world.staff("director"), at=world.START))
    third = good(make("Shed"))
    assert [one.mark for one in (first, second, third)] == ["T1", "T2", "T3"]
    assert said(make("Shed")) == ("name_taken", "A tablet is called Shed already. Give this one another name.", "")
    assert said(make("  "))[0] == "no_name"


@pytest.mark.parametrize(("later", "works"), [(timedelta(days=1, seconds=-1), True), (timedelta(days=1), False)])
def test_link_works_for_a_day_and_once(app, later, works):
    row = good(make())
    link = tablets.word_of(row.nonce, KEY)
    done = take_up_tablet(world.plant(), link, WORD, by=NOBODY, at=world.START + later)
    if not works:
        assert said(done)[1] == "This link does not enrol a tablet any more."
        return
    assert (done.token_sha256, done.nonce != link) == (tablets.digest_of(WORD), True)
    again = take_up_tablet(world.plant(), link, "6" * 64, by=NOBODY, at=world.START + later)
    assert said(again)[0] == "link_gone"
    assert said(renew_tablet_link(row, KEY, by=world.staff("manager"), at=world.START))[0] == "in_use"


def test_new_link_ends_the_one_before(app):
    row = good(make())
    before = tablets.word_of(row.nonce, KEY)
    good(renew_tablet_link(row, KEY, by=world.staff("manager"), at=world.START))
    assert tablets.with_link(world.plant().id, before, world.START) is None
    assert tablets.shown_link(row, KEY, world.START) not in (None, before)
    # Under another key of the server the link is not shown, for it would not be the one that is looked for.
    assert tablets.shown_link(row, KEY.upper(), world.START) is None


def test_link_is_opened_on_the_tablet_and_its_word_is_no_scripts(app, manager):
    page = post(manager, "/director/tablets", name="Gate tablet")
    assert page.status_code == 303
    shown = manager.get(page.location)
    address = re.search(r"http://[^<\s]+/station/enrol/[0-9a-f]{40}", shown.get_data(as_text=True))
    assert address is not None
    path = address[0].partition("/bayfield")[2]
    tablet = app.test_client()
    assert text(tablet.get(f"/bayfield{path}")).endswith("This is Gate tablet (T1)")
    done = post(tablet, path)
    cookies = done.headers.getlist("Set-Cookie")
    word = next(one for one in cookies if one.startswith("septage_tablet="))
    assert re.fullmatch(r"septage_tablet=[0-9a-f]{64}; .*HttpOnly; Path=/bayfield/station; SameSite=Strict", word)
    assert tablet.post("/bayfield/station/hello", json={}).get_json()["called"] == "Gate tablet (T1)"
    assert "/station/enrol/" not in manager.get(page.location).get_data(as_text=True)
    assert tablet.get(f"/bayfield{path}").status_code == 200
    stranger = app.test_client()
    assert (stranger.get(f"/bayfield{path}").status_code, post(stranger, path).status_code) == (404, 409)
    assert [one.token_sha256 for one in db.session.scalars(select(Tablet))] == [tablets.digest_of(word[15:79])]
    assert verify() == []


def test_list_shows_when_each_was_heard_its_clock_and_last_slip_in_as_many_queries(app, manager):
    assert "No tablet is enrolled yet. Without one the station works only with network." in text(
        manager.get("/bayfield/director/tablets"))  # fmt: skip
    enrolled()
    late = (world.at(NOON) + timedelta(minutes=7)).isoformat()
    device(app).post("/bayfield/station/hello", json={"now": late, "last": 12, "waiting": 2})
    manager.get("/bayfield/director/tablets")
    with queries() as few:
        shown = text(manager.get("/bayfield/director/tablets"))
    assert ("Gate tablet T1, enrolled by Manager of the City In use Tuesday, October 6, 2026, 12:00 noon "
            "2 loads on it then 7 minutes fast T1-0012") in shown  # fmt: skip
    enrolled("Second", "6" * 64)
    enrolled("Third", "7" * 64)
    manager.get("/bayfield/director/tablets")
    with queries() as many:
        manager.get("/bayfield/director/tablets")
    assert [len([one for one in several if one.startswith("SELECT")]) for several in (few, many)] == [5, 5]


@pytest.mark.parametrize("sent", ["hello", "outbox"])
def test_tablet_that_is_heard_keeps_its_word_and_its_mark_for_another_year(app, clock_at, sent):
    clock_at(NOON)
    enrolled()
    answer = device(app).post(f"/bayfield/station/{sent}", json=body(hauler(), now=NOON))
    kept_for = [re.findall(r"^(\w+)=(\w+);.* Max-Age=(\d+);", one) for one in answer.headers.getlist("Set-Cookie")]
    assert [one for found in kept_for for one in found] == [
        ("septage_tablet", WORD, "34560000"), ("septage_mark", "T1", "34560000")]  # fmt: skip


def test_slips_heard_only_go_up(app, clock_at):
    clock_at(NOON)
    enrolled()
    for last in (12, 3, "x", -4, 10**12):
        device(app).post("/bayfield/station/hello", json={"last": last})
    assert [one.last_slip for one in db.session.scalars(select(TabletSeen))] == [12]


def test_revoked_with_a_reason_and_its_people_are_told(manager):
    row = enrolled()
    address = f"/director/tablets/{row.id}"
    assert "Enter why the tablet is revoked" in text(post(manager, address, reason=" "))
    assert post(manager, address, reason="Stolen").status_code == 303
    shown = text(manager.get(f"/bayfield{address}"))
    assert "Revoked Tuesday, October 6, 2026, 12:00 noon By Manager of the City: Stolen" in shown
    told = db.session.scalars(select(Notice.subject).filter_by(kind="tablet").order_by(Notice.id)).all()
    assert told == ["Gate tablet (T1) is enrolled"] * 2 + ["Gate tablet (T1) is revoked"] * 2
    assert post(manager, address, reason="Stolen").status_code == 409


def waits(app: Any) -> OfflineLoad:
    """A load that waits because its bottle was used."""
    enrolled()
    who = hauler()
    good(log(who, 100, "2026-10-06T07:00", bottle="1006-01"))
    load = body(who, at="2026-10-06T08:30", now=NOON)
    assert send(device(app), load)["state"] == "waits"
    return kept(load)


def typed(**other: Any) -> dict[str, Any]:
    return {
        "day-month": "10", "day-day": "6", "day-year": "2026", "time": "8:30 a.m.", "on_duty": "Olga Olsen",
        "driver": "Ann Nuñez", "waste": "septic_tank", "normal": "yes", "tested": "yes", "gallons": "300", "ph": "6.9",
        "bottle": "1006-02", "basis": "meter", "signed": "no",
    } | other  # fmt: skip


def test_load_that_waits_is_entered_by_a_person_with_its_own_time(app, operator):
    row = waits(app)
    assert "1 load needs you Slip T1-0001 Tuesday, October 6, 2026, 8:30 a.m. · Olga Olsen Bottle 1006-01" in text(
        operator.get("/bayfield/station/waiting-loads"))  # fmt: skip
    address = f"/station/waiting-loads/{row.id}"
    page = operator.get(f"/bayfield{address}")
    assert 'name="bottle" type="text" value="1006-01"' in page.get_data(as_text=True)
    again = post(operator, address, **typed(bottle="1006-01"))
    assert (again.status_code, "Bottle 1006-01 was used at 7:00 a.m. Use 1006-02." in text(again)) == (422, True)
    done = post(operator, address, **typed())
    assert done.location == "/bayfield/station/load/2026-00002"
    load = db.session.scalars(select(Load).filter_by(ticket="2026-00002")).one()
    assert (load.slip, load.logged_by, load.logged_at) == ("T1-0001", "Olga Olsen", world.at("2026-10-06T08:30"))
    assert operator.get("/bayfield/station/load?find=t1-0001").location == done.location
    assert operator.get("/bayfield/station/load?find=T1-0002").status_code == 200
    history = text(operator.get(done.location)).partition("History")[2]
    assert "Entered from the tablet" in history
    assert ("Logged without network on Gate tablet (T1), slip T1-0001; entered by Operator of the City. It had waited: "
            "Bottle 1006-01 was used at 7:00 a.m. Use 1006-02.") in history  # fmt: skip
    # The tablet that sends it once more is told its ticket.
    assert send(device(app), row.sent)["ticket"] == "2026-00002"
    assert post(operator, address, **typed()).status_code == 409
    assert verify() == []


def test_load_that_waits_is_not_entered_for_a_time_that_lies_ahead(app, operator):
    address = f"/station/waiting-loads/{waits(app).id}"
    for later in ({"time": "12:01 p.m."}, {"day-day": "7"}, {"day-year": "2027"}):
        again = post(operator, address, **typed(**later))
        assert (again.status_code, "This time lies ahead. Check the day and the time." in text(again)) == (422, True)
    assert db.session.scalars(select(Load.ticket)).all() == ["2026-00001"]
    assert post(operator, address, **typed(time="12:00 noon")).location == "/bayfield/station/load/2026-00002"


def test_load_that_waits_is_given_up_with_a_reason_and_stays(app, operator):
    row = waits(app)
    address = f"/station/waiting-loads/{row.id}/give-up"
    assert "Enter why it is not entered" in text(post(operator, address, reason=""))
    assert post(operator, address, reason="The same load as 2026-00001").status_code == 303
    shown = text(operator.get("/bayfield/station/waiting-loads"))
    assert "No load waits for you" in shown
    assert "Given up Who was on duty was typed on the tablet: Olga Olsen. Operator of the City: The same load" in shown
    answer = send(device(app), row.sent)
    assert (answer["state"], answer["ticket"]) == ("given_up", "")


def test_load_of_an_unknown_truck_is_entered_once_its_truck_is_said(app, operator):
    enrolled()
    who = hauler()
    load = body(None, at="2026-10-06T08:30", now=NOON, note="Truck not listed: T-1")
    assert send(device(app), load)["state"] == "waits"
    address = f"/station/waiting-loads/{kept(load).id}"
    shown = operator.get(f"/bayfield{address}").get_data(as_text=True)
    chosen = re.search(rf'href="(/bayfield{address}\?[^"]+)"', shown)
    assert chosen is not None
    done = post(operator, html.unescape(chosen[1]).removeprefix("/bayfield"), **typed())
    assert done.location == "/bayfield/station/load/2026-00001"
    assert db.session.scalars(select(Load.business_id)).all() == [who.business_id]


def test_kept_pages_name_nobody_and_hold_no_token(app, operator):
    hauler("Northwoods Pumping")
    app.config["WTF_CSRF_ENABLED"] = True
    operator.get("/bayfield/station/load")
    for page in ("offline", "on-tablet"):
        shown = operator.get(f"/bayfield/station/{page}").get_data(as_text=True)
        found = [one for one in ("Operator of the City", "csrf", "whose", 'name="once"', "data-duty", "Sign out")
                 if one in shown]  # fmt: skip
        assert found == [], page
    assert '<a href="/bayfield/accident">Report an accident</a>' in shown
    assert "Northwoods Pumping" in operator.get("/bayfield/station/offline").get_data(as_text=True)


def test_worker_is_the_stations_and_names_only_files_that_are_there(app, operator):
    answer = app.test_client().get("/bayfield/station/sw.js")
    assert (answer.mimetype, answer.headers["Service-Worker-Allowed"]) == ("text/javascript", "/bayfield/station")
    files = re.search(r'"files": (\[[^\]]*\])', answer.get_data(as_text=True))
    assert files is not None
    for one in re.findall(r'"([^"]+)"', files[1]):
        answer = operator.get(one)
        assert answer.status_code == 200, one
        answer.close()
    shown = operator.get("/bayfield/station/offline").get_data(as_text=True)
    needed = re.findall(r'(?:href|src)="(/(?:static|bootstrap)[^"]+)"', shown)
    assert set(needed) <= set(re.findall(r'"([^"]+)"', files[1]))

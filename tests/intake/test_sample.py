"""The demo prints one sign-in per role of a plant, and each leads to that role's own pages."""

import re

import pytest

from intake.sample.cast import PASSWORD
from office.access import GRANTED, TITLES, Role
from tests import world

pytestmark = pytest.mark.xdist_group("season")


def test_the_demo_prints_one_sign_in_for_every_role_and_each_works(season):
    printed = season.test_cli_runner().invoke(args=["demo"]).output
    rows = dict(re.findall(r"^  (.+?) {2,}(\S+@sample\.example)", printed, re.MULTILINE))
    assert sorted(rows) == sorted(TITLES[Role(role)] for role in GRANTED)
    for title, email in rows.items():
        client = season.test_client()
        world.sign_in(client, email, PASSWORD)
        page = client.get("/account/home", follow_redirects=True)
        assert (page.status_code, title) == (200, title)


def test_the_state_viewer_reads_loads_with_results_and_finds_nothing_to_press_and_no_money(season):
    client = season.test_client()
    world.sign_in(client, "state@sample.example", PASSWORD)
    listed = str(client.get("/bayfield/plant/loads").get_data(as_text=True))
    tickets = re.findall(r'href="(/bayfield/station/load/[^"]+)"', listed)
    assert len(tickets) > 50
    page = str(client.get(tickets[-1]).get_data(as_text=True)).split("<main")[1].split("</main>")[0]
    assert "Suspended solids" in page
    assert [word for word in ("Charges", "$", "<form", "btn", "Change", "void this ticket") if word in page] == []
    for path in ("/bayfield/history", "/bayfield/rules", "/bayfield/approved", "/bayfield/"):
        assert client.get(path).status_code == 200
    for path in (f"{tickets[-1]}/ticket.pdf", f"{tickets[-1]}/void", "/bayfield/director/approvals", "/bayfield/clerk",
                 "/bayfield/admin", "/bayfield/ledger", "/bayfield/messages"):  # fmt: skip
        assert client.get(path).status_code in (403, 404), path


def test_the_administrator_gives_the_state_viewer_role(app, clock_at):
    clock_at("2026-10-05T09:00")
    client = app.test_client()
    world.sign_in(client, "admin")
    client.post("/bayfield/admin/people", data={"once": "a" * 32, "name": "Ina Spector", "email": "ina@state.example",
                                                "roles": "state_viewer"})  # fmt: skip
    assert "State viewer" in str(client.get("/bayfield/admin/people").get_data(as_text=True))

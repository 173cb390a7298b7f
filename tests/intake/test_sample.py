"""The demo prints one sign-in per role of a plant, and each leads to that role's own pages."""

import os
import re
import subprocess
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import func, select

from haulers.models import Application
from intake import sample
from intake.models import Load
from intake.sample.cast import HAULERS, PASSWORD
from intake.sample.command import Progress, must_be_made
from office.access import GRANTED, TITLES, Role
from office.db import db
from office.plants import all_plants
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


def test_samples_of_the_last_days_wait_at_each_stage(season):
    client = season.test_client()
    world.sign_in(client, "operator@sample.example", PASSWORD)
    page = str(client.get("/bayfield/plant/samples").get_data(as_text=True))
    rows = re.findall(r'<tr><th scope="row">.*?</tr>', page, re.DOTALL)
    assert 2 <= len(rows) <= 5
    assert {who for row in rows for who in ("K. Berg, courier", "Olive Operator") if who in row} == {
        "K. Berg, courier", "Olive Operator"}  # fmt: skip
    got = str(client.get("/bayfield/plant/lab").get_data(as_text=True))
    assert len(re.findall(r'data-column="BOD5"', got)) > len(rows)


def test_the_administrator_gives_the_state_viewer_role(app, clock_at):
    clock_at("2026-10-05T09:00")
    client = app.test_client()
    world.sign_in(client, "admin")
    client.post("/bayfield/admin/people", data={"once": "a" * 32, "name": "Ina Spector", "email": "ina@state.example",
                                                "roles": "state_viewer"})  # fmt: skip
    assert "State viewer" in str(client.get("/bayfield/admin/people").get_data(as_text=True))


def stop_after_three(loads: int, _day: date) -> None:
    if loads == 3:
        raise KeyboardInterrupt


def test_an_interrupted_season_is_taken_away_and_made_again_and_it_says_so(bare_app, capsys):
    assert (sample.reached(), must_be_made(), capsys.readouterr().out) == ("", True, "")
    with pytest.raises(KeyboardInterrupt):
        sample.load(stop_after_three)
    db.session.rollback()
    assert (sample.reached(), db.session.scalar(select(func.count(Load.id)))) == (sample.BEGUN, 3)
    assert must_be_made() is True
    assert capsys.readouterr().out == (
        "Making the sample season was interrupted. What there is of it is taken away; it begins again.\n"
    )
    assert (sample.reached(), all_plants(), db.session.scalar(select(func.count(Load.id)))) == ("", [], 0)


def test_a_season_made_to_its_end_is_not_made_again(season):
    assert (sample.reached(), must_be_made()) == (sample.DONE, False)
    assert "Making" not in season.test_cli_runner().invoke(args=["demo"]).output


def test_a_plant_of_ones_own_is_never_taken_away_for_the_demo(app):
    answer = app.test_cli_runner().invoke(args=["demo"])
    words = "This database holds a plant of its own, not the sample season. Set DATABASE_URL to another database."
    assert (answer.exit_code, answer.output) == (1, f"Error: {words}\n")
    assert len(all_plants()) == 1


@pytest.mark.parametrize(("terminal", "said"), [
    (False, "  Tue, Oct 6: 25 loads\n  Tue, Oct 6: 50 loads\nAll\n"),
    (True, "\r" + "\r".join(f"{f'  Tue, Oct 6: {loads} loads':<40}" for loads in range(5, 56, 5)) + "\rAll\n"),
])  # fmt: skip
def test_progress_rewrites_its_line_only_on_a_terminal(capsys, terminal, said):
    progress = Progress(terminal)
    for loads in range(58):
        progress(loads, date(2026, 10, 6))
        progress(loads, date(2026, 10, 6))
    progress.end("All")
    assert capsys.readouterr().out == said


def test_every_answer_of_the_sample_applications_is_given(season):
    client = season.test_client()
    world.sign_in(client, "member@sample.example", PASSWORD)
    filed = db.session.scalars(select(Application)).all()
    assert len(filed) == len(HAULERS)
    for one in filed:
        shown = str(client.get(f"/bayfield/committee/{one.number}").get_data(as_text=True))
        assert (one.number in shown, shown.count("Not provided")) == (True, 0), one.number


@pytest.mark.parametrize(("given", "starts"), [
    ({}, sample.NOW), ({"SEPTAGE_CLOCK": ""}, sample.NOW), ({"SEPTAGE_CLOCK": "2026-12-09T08:00"}, "2026-12-09T08:00"),
])  # fmt: skip
def test_make_demo_starts_on_the_samples_morning_unless_told_another(given, starts):
    env = {key: value for key, value in os.environ.items() if not key.startswith(("SEPTAGE_", "MAKE"))} | given
    root = Path(__file__).parents[2]
    asked = ["make", "--no-print-directory", "-f", "-", "demo", "READY=", "BIN=."]
    shown = (root / "Makefile").read_text().replace("@mkdir -p instance", '@echo "$$SEPTAGE_CLOCK"; exit 1')
    made = subprocess.run(asked, input=shown, env=env, cwd=root, capture_output=True, text=True, check=False)
    assert made.stdout.strip() == starts

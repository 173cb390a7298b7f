"""``flask intake import-flow``: what it takes, holds and refuses, in words and exit codes."""

from datetime import date

import pytest
from openpyxl import Workbook
from sqlalchemy import select

from intake.models import FlowReading
from office import clock
from office.db import db
from tests import world

HEAD = "date,flow_mgd\n"


@pytest.fixture(autouse=True)
def _october(app):
    with clock.held(world.at("2026-10-06T07:40")):
        yield


def run(app, *args):
    done = app.test_cli_runner().invoke(args=["intake", "import-flow", *args])
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done.exit_code, done.output


def recorded():
    return [(row.gallons, row.state) for row in db.session.scalars(select(FlowReading).order_by(FlowReading.day))]


@pytest.fixture
def flows(tmp_path):
    return tmp_path / "flow.csv"


def test_a_second_import_of_the_same_file_adds_nothing_and_says_so(app, flows):
    flows.write_text(HEAD + "2020-10-05,0.162\n2020-10-12,0.154\n")
    first = "2 readings in flow.csv.\n  2 of 2\nTaken: 2. Recorded before: 0. Held for a person: 0.\n"
    again = (
        "2 readings in flow.csv.\n  2 of 2\nTaken: 0. Recorded before: 2. Held for a person: 0.\n"
        "Nothing is added: every reading of this file was recorded before.\n"
    )
    assert run(app, "bayfield", str(flows)) == (0, first)
    assert run(app, "bayfield", str(flows)) == (0, again)


def test_odd_cells_are_held_with_their_reason_and_the_rest_is_taken(app, flows):
    flows.write_text(HEAD + "2020-10-05,0.162\n2020-10-06,0\n2020-10-07,-0.1\n2020-10-08,\n2020-10-09,NODI: 9\n")
    assert run(app, "bayfield", str(flows)) == (0, (
        "5 readings in flow.csv.\n  5 of 5\nTaken: 1. Recorded before: 0. Held for a person: 4.\n"
        "  held 2020-10-06: 0 gallons: the meter stood still.\n  held 2020-10-07: -100,000 gallons is below 0.\n"
        "  held 2020-10-08: The file has no figure.\n"
        "  held 2020-10-09: The file says NODI: 9, which is no measured figure.\n"
        "Held readings wait on the page Daily flow for the Director or the plant manager.\n"))  # fmt: skip
    assert recorded() == [(162_000, "accepted"), (0, "held"), (-100_000, "held"), (None, "held"), (None, "held")]


def test_another_figure_than_the_one_recorded_is_listed(app, flows):
    flows.write_text(HEAD + "2020-10-05,0.162\n2020-10-06,\n")
    run(app, "bayfield", str(flows))
    flows.write_text(HEAD + "2020-10-05,0.163\n2020-10-06,NODI\n")
    assert run(app, "bayfield", str(flows))[1].splitlines()[3:] == [
        "  kept 2020-10-05: 162,000 gallons are recorded, the file says 163,000.",
        "  kept 2020-10-06: no figure is recorded, the file says NODI.",
    ]


def test_a_cell_that_is_no_flow_refuses_every_row(app, flows):
    flows.write_text(HEAD + "2020-10-05,0.162\n2020-10-12,abc\n")
    lines = (
        "row 3, column B (flow_mgd): 'abc' is not a flow. Type it like 0.162, or NODI where none was measured.\n"
        "Nothing was taken. Mend these cells and import the file again.\n"
    )
    assert run(app, "bayfield", str(flows)) == (1, f"Error: {flows}: {lines}")
    assert recorded() == []


def test_a_workbook_is_taken_like_text(app, tmp_path):
    book = Workbook()
    for row in (["Date", "Flow (MGD)"], [date(2020, 10, 5), 0.162]):
        book.active.append(row)
    book.save(tmp_path / "flow.xlsx")
    assert run(app, "bayfield", str(tmp_path / "flow.xlsx"))[0] == 0
    assert recorded() == [(162_000, "accepted")]


def test_gallons_are_taken_where_the_option_says_so(app, flows):
    flows.write_text("date,flow\n2020-10-05,162000\n")
    assert run(app, "bayfield", str(flows), "--unit", "gallons")[0] == 0
    assert recorded() == [(162_000, "accepted")]


def test_days_to_come_no_file_a_folder_and_no_plant_are_said_in_words(app, flows, tmp_path):
    assert run(app, "bayfield", str(flows)) == (
        1, f"Error: {flows} cannot be read: No such file or directory. Name a file that is there.\n")  # fmt: skip
    assert run(app, "bayfield", str(tmp_path)) == (
        1, f"Error: {tmp_path} cannot be read: Is a directory. Name a file that is there.\n")  # fmt: skip
    flows.write_text(HEAD + "2026-10-07,0.162\n")
    why = "A flow is measured, not foreseen. These days are still to come: 2026-10-07. Nothing was taken.\n"
    assert run(app, "bayfield", str(flows)) == (1, f"1 readings in flow.csv.\nError: {flows}: {why}")
    assert run(app, "nowhere", str(flows)) == (1, "Error: There is no plant named nowhere. Here: bayfield.\n")


def test_a_host_without_plants_says_how_to_set_one_up(bare_app, flows):
    why = "There is no plant named bayfield. None is set up: start flask --app app serve and open its address."
    assert run(bare_app, "bayfield", str(flows)) == (1, f"Error: {why}\n")

"""The station's board while trucks unload: pause, resume, rate, stop, each one tap; by the meter a page and a save."""

from typing import Any

from intake.queries import loads
from tests import world
from tests.intake.gatehouse import booked, good, log
from tests.intake.plant import book, hauler, queries, session
from tests.intake.test_running import heard, pieces
from tests.intake.test_station_pages import fields, get, signed_in, text

BOARD = "/station"


def press(client: Any, path: str, **typed: str) -> str:
    """Open a page of the board, change what is named and save; the page it leads to, or the page itself with 422."""
    answer = client.post(f"/bayfield{path}", data=fields(get(client, path)) | typed)
    if answer.status_code == 303:
        return text(get(client, answer.location.removeprefix("/bayfield")))
    assert answer.status_code == 422, answer.status_code
    return text(answer.text)


def tap(client: Any, path: str, value: str = "now", board: str = BOARD) -> str:
    """Press a button of the board; the page it leads to, or the one that asks."""
    page = get(client, board)
    assert (f'formaction="/bayfield{path}" name="tap" value="{value}"') in page, path
    answer = client.post(f"/bayfield{path}", data=fields(page) | {"tap": value})
    if answer.status_code == 303:
        return text(get(client, answer.location.removeprefix("/bayfield")))
    return f"{answer.status_code} {text(answer.text)}"


def start(clock_at: Any) -> Any:
    """Two booked haulers, the first unloading since 7:00; the operator at 7:10."""
    first, second = hauler("Duffy Septic"), hauler("Elm Pumping", number=2)
    one = booked(book(first, session("2026-10-06T07:00", 600)))
    booked(book(second, session("2026-10-06T07:55", 600)))
    load = good(log(first, 600, booking=one))
    clock_at("2026-10-06T07:10")
    return load


def test_pause_and_resume_are_a_tap_and_a_save_each(app, clock_at):
    load = start(clock_at)
    operator = signed_in(app, "operator")
    page = text(get(operator, BOARD))
    assert "655 gallons an hour · 109 of 600 gallons out Limit 666, hard limit 670 Started 7:00 a.m." in page
    assert "45 minutes to go Pause Stop Another rate, gallons an hour 166 333 499 666 Other" in page
    page = get(operator, "/station/load/2026-00001/pause")
    assert "by its rate 109 of 600 gallons are out" in text(page) and 'value="109"' in page
    page = press(operator, "/station/load/2026-00001/pause")
    assert "Load 2026-00001 is paused. Its room is kept." in page
    assert "Paused Duffy Septic 491 gallons still in the truck Its room is kept until 7:55 a.m. Resume Stop" in page
    assert "Resume by the meter" in page
    assert "Running now" not in page and "0 of 666 gallons an hour in use" in page
    clock_at("2026-10-06T07:20")
    how = "Stop at 7:55 a.m.: Elm Pumping's load begins. The last 109 gallons fit 8:50 to 9:00 a.m."
    assert how in text(get(operator, "/station/load/2026-00001/resume")).replace("&#39;", "'")
    page = press(operator, "/station/load/2026-00001/resume").replace("&#39;", "'")
    assert f"Resumed at 7:20 a.m. {how}" in page
    assert "Stop at 7:55 a.m. The last 109 gallons fit 8:50 to 9:00 a.m." in page
    clock_at("2026-10-06T07:56")
    page = text(get(operator, BOARD))
    assert "Paused Duffy Septic 109 gallons still in the truck Its time is 8:50 to 9:00 a.m. Resume" in page
    assert "Tue, Oct 6: paused 7:10 to 7:20 a.m." in text(get(operator, "/station/load/2026-00001"))
    assert len(pieces(load)) == 4


def test_where_nothing_is_free_a_later_time_is_chosen(app, clock_at):
    start(clock_at)
    operator = signed_in(app, "operator")
    press(operator, "/station/load/2026-00001/pause")
    clock_at("2026-10-06T08:00")
    page = get(operator, "/station/load/2026-00001/resume")
    assert "It does not fit under the limit now. Choose a later time" in text(page)
    page = press(operator, "/station/load/2026-00001/resume")
    assert "The first time that fits is 8:50 to 9:35 a.m. at 655 gallons an hour." in page
    chosen = world.at("2026-10-06T08:50").isoformat()
    assert "Goes on 8:50 to 9:35 a.m." in press(operator, "/station/load/2026-00001/resume", start=chosen)


def test_a_rate_above_the_hard_limit_is_saved_and_stands_on_the_board_and_the_ticket(app, clock_at):
    start(clock_at)
    operator = signed_in(app, "operator")
    page = text(get(operator, "/station/load/2026-00001/rate"))
    assert "Planned up to 666 gallons an hour for the whole plant. Above 670 in all it is recorded" in page
    assert "668 gallons an hour, above the planning limit of 666. Lower the rate." in press(
        operator, "/station/load/2026-00001/rate", rate="668")  # fmt: skip
    page = press(operator, "/station/load/2026-00001/rate", rate="700")
    assert "700 gallons an hour, above the hard limit of 670. Lower the rate." in page
    assert "The plant drew 700 gallons an hour, above the limit of 670 (§ 329-7 F(3))." in page
    page = text(get(operator, "/station/load/2026-00001"))
    assert "Above the limit Tuesday, October 6, 2026, 7:10 a.m.: 700 gallons an hour, 670 are allowed." in page
    assert "Rate measured" in page
    assert "The rate must be between 1 and 100,000" in press(operator, "/station/load/2026-00001/rate", rate="0")


def test_more_than_was_logged_is_entered_from_what_ended_by_the_plan(app, clock_at):
    load = start(clock_at)
    operator = signed_in(app, "operator")
    clock_at("2026-10-06T08:01")
    page = text(get(operator, BOARD))
    assert "Ended by the plan Duffy Septic 600 gallons · ended 7:55 a.m. · still running?" in page
    page = press(operator, "/station/load/2026-00001/more", more="200").replace("&#39;", "'")
    assert "200 gallons more than logged. Stop at 8:01 a.m.:" in page
    assert pieces(load)[-1] == "rest 08:56-09:09 135 at 624"
    assert "Paused Duffy Septic 135 gallons still in the truck Its time is 8:56 to 9:09 a.m. Resume" in page
    clock_at("2026-10-06T09:20")
    assert "Its room is not kept any more" in text(get(operator, BOARD))


def test_a_part_is_refused_on_one_page_also_while_the_truck_unloads(app, clock_at):
    load = start(clock_at)
    operator = signed_in(app, "operator")
    path = "/station/load/2026-00001/rest"
    page = get(operator, path)
    assert ('value="109"' in page, "Stop and refuse the rest" in page) == (True, True)
    assert "Stop it and refuse the rest" in get(operator, "/station/load/2026-00001/stop")
    assert "Enter what was wrong" in press(operator, path, code="field_test")
    words = {"code": "field_test", "reason": "Smells of solvent"}
    assert "The load was logged with 600 gallons. Check the number." in press(operator, path, out="601", **words)
    page = press(operator, path, out="120", **words)
    assert "The rest of load 2026-00001 is refused." in page
    assert "The rest was refused, 480 gallons: fails a field test. Smells of solvent" in page
    assert pieces(load) == ["07:00-07:10 120 at 655"]
    assert "Ended by the plan" not in text(get(operator, BOARD))


def test_stop_everything_is_one_tap_and_one_answer(app, clock_at):
    load = start(clock_at)
    operator = signed_in(app, "operator")
    assert 'formaction="/bayfield/station/stop-everything"' in get(operator, BOARD)
    assert "Duffy Septic, truck T-1: 109 gallons out" in text(get(operator, "/station/stop-everything"))
    assert "Enter why everything is stopped" in press(operator, "/station/stop-everything", reason=" ")
    page = press(operator, "/station/stop-everything")
    assert load.note.splitlines()[-1] == "Paused at 7:10 a.m.: The plant stops all unloading at once."
    assert "Stopped: 1 truck. Correct the gallons where the meter says otherwise." in page
    assert pieces(load) == ["07:00-07:10 109 at 655", "rest 07:10-07:55 491 at 655"]
    assert "stop-everything" not in get(operator, BOARD)
    assert "No truck unloads now." in text(get(operator, "/station/stop-everything"))


def test_each_is_one_tap_and_taken_back_with_another(app, clock_at):
    load = start(clock_at)
    operator = signed_in(app, "operator")
    one = "/station/load/2026-00001"
    page = tap(operator, f"{one}/pause")
    assert "Load 2026-00001 is paused. Its room is kept." in page
    assert pieces(load) == ["07:00-07:10 109 at 655", "rest 07:10-07:55 491 at 655"]
    page = tap(operator, f"{one}/resume", board=f"{BOARD}?did=paused&load=2026-00001")
    assert "Resumed at 7:10 a.m. It runs until 7:55 a.m. at 655 gallons an hour." in page and "Undo: pause it" in page
    clock_at("2026-10-06T07:12")
    again = f"{BOARD}?did=resumed&load=2026-00001"
    assert "Load 2026-00001 is paused." in tap(operator, f"{one}/pause", board=again)
    assert "Undo" not in text(get(operator, again))


def test_an_offered_rate_is_one_tap_and_asked_about_where_the_load_does_not_end_as_planned(app, clock_at):
    load = start(clock_at)
    operator = signed_in(app, "operator")
    rate = "/station/load/2026-00001/rate"
    page = tap(operator, rate, "666")
    assert "From 7:10 a.m. at 666 gallons an hour as measured." in page and "Undo: back to 655 gallons an hour" in page
    clock_at("2026-10-06T07:11")
    page = tap(operator, rate, "655", board=f"{BOARD}?did=rate&load=2026-00001&was=655")
    assert "From 7:11 a.m. at 655 gallons an hour as measured." in page
    clock_at("2026-10-06T07:22")
    assert "Undo" not in text(get(operator, f"{BOARD}?did=rate&load=2026-00001&was=666"))
    before = pieces(load)
    page = tap(operator, rate, "333").replace("&#39;", "'")
    assert "At 333 gallons an hour it does not end as planned" in page
    assert "Stop at 7:55 a.m.: Elm Pumping's load begins." in page and "Save this rate" in page
    assert pieces(load) == before
    page = press(operator, rate, rate="333")
    assert "From 7:22 a.m. at 333 gallons an hour as measured." in page


def test_one_tap_stops_the_flow_and_then_the_gallons_are_typed(app, clock_at):
    load = start(clock_at)
    operator = signed_in(app, "operator")
    page = tap(operator, "/station/load/2026-00001/stop")
    assert "The flow is stopped at 7:10 a.m. Enter the gallons, and why." in page and "Leave it paused" in page
    assert pieces(load) == ["07:00-07:10 109 at 655", "rest 07:10-07:55 491 at 655"]
    clock_at("2026-10-06T07:14")
    page = press(operator, "/station/load/2026-00001/stop", gallons="120", reason="Leak")
    assert "Load 2026-00001 is stopped: 120 gallons unloaded." in page
    assert pieces(load)[0].startswith("07:00-07:10 120 at")


def test_everything_is_stopped_with_one_tap_and_goes_on_with_another(app, clock_at):
    load = start(clock_at)
    operator = signed_in(app, "operator")
    page = tap(operator, "/station/stop-everything")
    assert "Stopped: 1 truck." in page and "Undo: let them go on" in page
    assert load.note.splitlines()[-1] == "Paused at 7:10 a.m.: The plant stops all unloading at once."
    page = tap(operator, "/station/resume-everything", "2026-00001", board=f"{BOARD}?did=stopped&load=2026-00001")
    assert "1 truck goes on." in page and "Running now Duffy Septic" in page
    answer = operator.post("/bayfield/station/resume-everything", data=fields(get(operator, BOARD)) | {"tap": "x"})
    assert (answer.status_code, "No truck is paused." in text(answer.text)) == (409, True)


def test_a_tap_that_cannot_go_on_whole_shows_how_it_would_and_asks(app, clock_at):
    load = start(clock_at)
    operator = signed_in(app, "operator")
    tap(operator, "/station/load/2026-00001/pause")
    clock_at("2026-10-06T07:20")
    before = pieces(load)
    page = tap(operator, "/station/load/2026-00001/resume")
    assert page.startswith("200 ") and "Stop at 7:55 a.m.:" in page and pieces(load) == before
    clock_at("2026-10-06T08:00")
    assert "It does not fit under the limit now." in tap(operator, "/station/load/2026-00001/resume")


def test_a_load_that_does_not_run_is_neither_paused_nor_resumed(app, clock_at):
    start(clock_at)
    operator = signed_in(app, "operator")
    answer = operator.post("/bayfield/station/load/2026-00001/resume",
                           data=fields(get(operator, "/station/load/2026-00001/resume")))  # fmt: skip
    assert (answer.status_code, "Load 2026-00001 is not paused." in text(answer.text)) == (409, True)
    assert operator.get("/bayfield/station/load/2026-00009/pause").status_code == 404


def test_the_hauler_reads_its_pieces_without_the_name_of_another(app, clock_at):
    load = start(clock_at)
    operator = signed_in(app, "operator")
    press(operator, "/station/load/2026-00001/rate", rate="400")
    page = text(get(signed_in(app, "duffy.septic@hauler.example"), "/hauler/loads/2026-00001"))
    assert "another load begins" in heard(load) and "Elm" not in f"{heard(load)} {page}"
    assert "191 gallons still in the truck, room kept 8:50 to 9:08 a.m." in page
    assert loads.runs_of(load.id)[1].measured


def test_the_board_takes_as_many_queries_however_many_trucks_unload(app, clock_at):
    load = start(clock_at)
    operator = signed_in(app, "operator")
    with queries() as one:
        get(operator, BOARD)
    for n in (3, 4):
        good(log(hauler(f"Hauler {n}", number=n), 1, "2026-10-06T07:05", tested=False, bottle="", reason="None"))
    press(operator, "/station/load/2026-00001/rate", rate="400")
    with queries() as several:
        get(operator, BOARD)
    assert len(several) <= len(one) + 1
    assert load.ticket == "2026-00001"

"""Who holds each sample: from the truck to the laboratory, by the number on its bottle (§ 329-7 E(1))."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event, select

from intake.actions.custody import hand_over_samples
from intake.actions.custody_correction import correct_custody, take_back_custody
from intake.actions.lab import enter_result
from intake.actions.labels import print_labels
from intake.actions.station import void_load
from intake.models import CustodyStep
from intake.queries import custody, load_history, loads
from office.db import db
from office.verify import verify
from tests import world
from tests.intake.gatehouse import good, kept, log, said
from tests.intake.plant import hauler, queries
from tests.intake.test_station_pages import fields, get, post, signed_in, text

NOON = "2026-10-06T12:00"


@pytest.fixture(autouse=True)
def _app(app: Any, clock_at: Any) -> None:
    clock_at(NOON)


def step(bottles: list[str], kind: str = "handed", to: str = "K. Berg, courier", when: str = "2026-10-06T09:00",
         by: str = "operator", **more: str) -> Any:  # fmt: skip
    return kept(hand_over_samples(world.plant(), bottles, kind, to, world.at(when), by=world.staff(by),
                                  at=world.at(NOON), law=world.law(), **more))  # fmt: skip


def two() -> tuple[Any, Any]:
    who = hauler()
    return good(log(who, 100, bottle="1006-01")), good(log(who, 100, "2026-10-06T07:20", bottle="1006-02"))


def test_chain_begins_with_who_logged_the_load():
    first, _ = two()
    (link,) = custody.sample_of(first).links
    assert (link.words, link.at, link.entered) == (
        "Taken by Operator of the City", first.logged_at, "As the load was logged")  # fmt: skip


def test_samples_are_handed_over_together_and_received():
    first, second = two()
    assert [one.load.id for one in custody.not_received(world.plant().id)] == [first.id, second.id]
    good(step(["1006-01", "1006-02", "1006-01"], place="Gate", preserved="On ice"))
    good(step(["1006-01"], "received", "Northern Lab", "2026-10-06T11:00"))
    chain = custody.sample_of(first)
    assert [(one.words, one.from_name, one.to_name, one.place, one.preserved) for one in chain.links] == [
        ("Taken by Operator of the City", "", "Operator of the City", "", ""),
        ("Handed over to K. Berg, courier", "Operator of the City", "K. Berg, courier", "Gate", "On ice"),
        ("Received by the laboratory: Northern Lab", "K. Berg, courier", "Northern Lab", "", ""),
    ]
    assert (chain.received, chain.holder) == (True, "Northern Lab")
    assert [one.load.id for one in custody.not_received(world.plant().id)] == [second.id]
    assert verify() == []


def test_wrong_bottle_is_asked_about_and_none_of_the_others_goes():
    two()
    assert said(step(["1006-01", "1006-20"]))[:2] == (
        "unknown_bottle",
        "No load has bottle 1006-20. Check the number on the label. The newest bottles in use: 1006-02, 1006-01.",
    )
    assert list(db.session.scalars(select(CustodyStep))) == []


@pytest.mark.parametrize(("given", "code", "why"), [
    ({"bottles": []}, "no_bottles", "Select the samples, or enter their bottle numbers."),
    ({"bottles": ["1006-01"], "to": " "}, "no_name", "Enter who has the samples now."),
    ({"bottles": ["1006-01"], "when": "2026-10-06T12:01"}, "future", "The time must be now or earlier."),
    ({"bottles": ["1006-01"], "when": "2026-10-06T06:59"}, "before",
     "Bottle 1006-01 was with Operator of the City from Tuesday, October 6, 2026, 7:00 a.m. on. Enter a later time."),
    ({"bottles": ["1006-01"], "by": "director"}, "not_your_role",
     "Only a plant operator or plant manager may do this."),
])  # fmt: skip
def test_what_cannot_have_happened_is_refused(given, code, why):
    two()
    assert said(step(**given))[:2] == (code, why)


def test_minute_of_the_load_itself_is_late_enough():
    two()
    good(step(["1006-01"], when="2026-10-06T07:00"))


def test_received_once():
    two()
    good(step(["1006-01"], "received", "Northern Lab"))
    assert said(step(["1006-01"], "received", "Other Lab", "2026-10-06T10:00"))[:2] == (
        "received", "Bottle 1006-01 was received by Northern Lab on Tuesday, October 6, 2026, 9:00 a.m.")  # fmt: skip


def right(load: Any, step_id: int, to: str = "Sam Lee", when: str = "2026-10-06T06:58", why: str = "Sam stood there",
          kind: str = "handed", **more: str) -> Any:  # fmt: skip
    return kept(correct_custody(world.plant(), load, step_id, kind, to, world.at(when), why, by=world.staff("manager"),
                                at=world.at(NOON), law=world.law(), **more))  # fmt: skip


def back(load: Any, step_id: int, why: str = "It is in our fridge", by: str = "operator") -> Any:
    return kept(take_back_custody(world.plant(), load, step_id, why, by=world.staff(by), at=world.at(NOON),
                                  law=world.law()))  # fmt: skip


def standing(load: Any) -> list[str]:
    return [one.words for one in custody.sample_of(load).links]


def gone(load: Any) -> list[tuple[str, ...]]:
    return [(one.words, one.ended.word, one.ended.by, one.ended.why) for one in custody.sample_of(load).gone]


def history(load: Any) -> list[tuple[Any, ...]]:
    return [(one["what"], one["who"], one["changes"], one["reason"])
            for one in load_history.lines(loads.history(load))]  # fmt: skip


def test_who_took_it_is_said_anew_with_the_reason_and_both_are_shown():
    first, _ = two()
    assert said(right(first, 0, why=" "))[:2] == ("no_reason", "Enter why it is put right.")
    assert said(right(first, 0, when="2026-10-05T23:59"))[:2] == (
        "before", "The load is of October 6, 2026. Enter a time of that day or later.")  # fmt: skip
    good(right(first, 0))
    assert standing(first) == ["Taken by Sam Lee"]
    assert gone(first) == [("Taken by Operator of the City", "Corrected", "Manager of the City",
                            "Sam stood there")]  # fmt: skip
    assert history(first)[-1] == (
        "Sample corrected", "Manager of the City",
        ["Taken by Sam Lee, Tuesday, October 6, 2026, 6:58 a.m., before: Taken by Operator of the City, "
         "Tuesday, October 6, 2026, 7:00 a.m."],
        "Sam stood there",
    )  # fmt: skip
    taking = custody.sample_of(first).links[0].step_id
    good(step(["1006-01"]))
    assert custody.sample_of(first).links[-1].from_name == "Sam Lee"
    assert said(right(first, taking, "Kim Ash", "2026-10-06T09:30"))[:2] == (
        "after", "It went on to K. Berg, courier on Tuesday, October 6, 2026, 9:00 a.m. Enter an earlier time, or "
                 "correct that step first.")  # fmt: skip
    good(right(first, taking, "Kim Ash", why="Sam was ill"))
    # Who handed it over is who had it, also where that is said anew afterwards.
    assert custody.sample_of(first).links[-1].from_name == "Kim Ash"
    assert [one[0] for one in gone(first)] == ["Taken by Sam Lee", "Taken by Operator of the City"]
    assert history(first)[-1][2] == [
        "Taken by Kim Ash, Tuesday, October 6, 2026, 6:58 a.m., before: Taken by Sam Lee, Tuesday, October 6, 2026, "
        "6:58 a.m."]  # fmt: skip
    assert said(back(first, custody.sample_of(first).links[0].step_id))[:2] == (
        "taken", "Somebody took the sample. Enter who it was.")  # fmt: skip
    assert verify() == []


def test_received_by_mistake_is_taken_back_and_the_sample_waits_again():
    first, second = two()
    good(step(["1006-01"]))
    good(step(["1006-01"], "received", "Northern Lab", "2026-10-06T11:00"))
    wrong = custody.sample_of(first).links[-1].step_id
    assert said(back(first, wrong, why=""))[0] == "no_reason"
    assert said(back(first, wrong, by="director"))[0] == "not_your_role"
    assert said(back(second, wrong))[0] == "gone"
    good(back(first, wrong))
    chain = custody.sample_of(first)
    assert (chain.received, chain.holder) == (False, "K. Berg, courier")
    assert gone(first) == [("Received by the laboratory: Northern Lab", "Taken back", "Operator of the City",
                            "It is in our fridge")]  # fmt: skip
    assert [one.load.bottle for one in custody.not_received(world.plant().id)] == ["1006-01", "1006-02"]
    assert history(first)[-1] == (
        "Sample, taken back", "Operator of the City",
        ["Received by the laboratory: Northern Lab, Tuesday, October 6, 2026, 11:00 a.m.: it did not happen"],
        "It is in our fridge",
    )  # fmt: skip
    assert said(back(first, wrong))[:2] == (
        "gone", "That step was corrected or taken back by now. Look at the sample again.")  # fmt: skip
    good(step(["1006-01"], "received", "Northern Lab", "2026-10-06T11:30"))
    assert custody.sample_of(first).received
    assert verify() == []


def test_a_step_is_corrected_between_those_beside_it():
    first, _ = two()
    good(step(["1006-01"], when="2026-10-06T08:00"))
    good(step(["1006-01"], to="Driver Ash", when="2026-10-06T09:00"))
    courier = custody.sample_of(first).links[1].step_id
    same = right(first, courier, "K. Berg, courier", "2026-10-06T08:00")
    assert said(same)[:2] == ("same", "That is what stands there already. Change what is wrong in it.")
    assert said(right(first, courier, "K. Berg", "2026-10-06T06:59"))[0] == "before"
    assert said(right(first, courier, "K. Berg", "2026-10-06T09:01"))[0] == "after"
    assert said(right(first, courier, "K. Berg", "2026-10-06T12:01"))[0] == "future"
    assert said(right(first, courier, "Northern Lab", "2026-10-06T08:00", kind="received"))[0] == "after"
    good(right(first, courier, "K. Bergman", "2026-10-06T08:10", "Name misread", place="Gate"))
    chain = custody.sample_of(first)
    assert [(one.words, one.from_name) for one in chain.links] == [
        ("Taken by Operator of the City", ""), ("Handed over to K. Bergman", "Operator of the City"),
        ("Handed over to Driver Ash", "K. Bergman")]  # fmt: skip
    assert [(one.words, one.ended is None) for one in chain.told] == [
        ("Taken by Operator of the City", True), ("Handed over to K. Berg, courier", False),
        ("Handed over to K. Bergman", True), ("Handed over to Driver Ash", True)]  # fmt: skip
    assert history(first)[-1][2] == [
        "Handed over to K. Bergman, Tuesday, October 6, 2026, 8:10 a.m., Gate, before: Handed over to K. Berg, "
        "courier, Tuesday, October 6, 2026, 8:00 a.m."]  # fmt: skip


def test_a_void_ticket_has_no_sample_to_put_right():
    first, _ = two()
    good(kept(void_load(first, "Typed twice", by=world.staff("operator"), at=world.at(NOON), law=world.law())))
    assert said(right(first, 0))[0] == "void"


def test_the_pages_correct_a_step_and_show_both(app):
    first, _ = two()
    good(step(["1006-01"], "received", "Northern Lab", "2026-10-06T11:00"))
    operator = signed_in(app, "operator")
    where = f"/plant/samples/1006-01/steps/{custody.sample_of(first).links[-1].step_id}"
    assert "What happened next" not in text(get(operator, "/plant/samples/1006-01"))
    page = get(operator, where)
    assert fields(page)["to_name"] == "Northern Lab"
    assert "Enter why it is corrected" in text(post(operator, where, {"kind": "nothing"}).text)
    blank = {"to_name": "", "clock": "", "day-day": "", "day-month": "", "day-year": ""}
    sent = post(operator, where, {"kind": "nothing", "why": "Wrong bottle", **blank})
    assert sent.status_code == 303
    page = text(get(operator, "/plant/samples/1006-01"))
    assert "Taken back by Operator of the City, Tuesday, October 6, 2026, 12:00 noon: Wrong bottle" in page
    assert "What happened next" in page
    where = "/plant/samples/1006-01/steps/0"
    assert "What happened?" not in text(get(operator, where))
    assert "That is what stands there already" in text(post(operator, where, {"why": "Slip"}).text)
    assert post(operator, where, {"to_name": "Sam Lee", "why": "Sam took it"}).status_code == 303
    page = text(get(operator, "/plant/samples/1006-01"))
    assert "Corrected by Operator of the City, Tuesday, October 6, 2026, 12:00 noon: Sam took it" in page
    history = text(get(operator, f"/station/load/{first.ticket}"))
    assert "Taken by Sam Lee, Tuesday, October 6, 2026, 7:00 a.m., before: Taken by Operator of the City" in history
    # Another tab still shows the step that is gone.
    assert "That step was corrected or taken back by now" in text(get(operator, where, 409))


def locked() -> Iterator[list[int]]:
    """Collect the numbers of the loads that are locked, in the order of locking."""
    seen: list[int] = []

    def note(_connection: Any, _cursor: Any, statement: str, given: Any, *_rest: Any) -> None:
        # SQLite takes the number by its place, PostgreSQL by its name.
        if re.search(r"FROM load\s+WHERE load\.id = (\?|%)", statement):
            seen.append(given["ident"] if isinstance(given, dict) else given[0])

    event.listen(db.engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(db.engine, "before_cursor_execute", note)


def test_loads_are_locked_in_the_order_of_their_numbers_whatever_is_typed_first():
    first, second = two()
    numbers = [first.id, second.id]
    with contextmanager(locked)() as seen:
        made = good(step(["1006-02", "1006-01"]))
    assert seen[:2] == numbers
    assert [one.bottle for one in made] == ["1006-02", "1006-01"]


def test_bottle_with_a_blank_in_its_number_is_typed(app):
    who = hauler()
    good(log(who, 100, bottle="A 12"))
    good(log(who, 100, "2026-10-06T07:20", bottle="1006-02"))
    good(log(who, 100, "2026-10-06T07:40", bottle="1006-03"))
    operator = signed_in(app, "operator")
    sent = fields(get(operator, "/plant/samples")) | {
        "typed": " A 12 \r\n1006-02, 1006-03,\r\n", "to_name": "K. Berg", "kind": "received",
    }  # fmt: skip
    assert operator.post("/bayfield/plant/samples", data=sent).status_code == 303
    steps = db.session.scalars(select(CustodyStep).order_by(CustodyStep.id))
    assert [one.bottle for one in steps] == ["A 12", "1006-02", "1006-03"]


def test_a_sample_whose_results_are_all_in_is_with_the_laboratory_and_waits_for_nobody():
    first, second = two()
    for load, parameter in ((first, "BOD5"), (second, "BOD5"), (second, "TSS")):
        good(kept(enter_result(load, parameter, "4200", sure=True, by=world.staff("operator"), at=world.at(NOON),
                               law=world.law())))  # fmt: skip
    assert [one.load.id for one in custody.not_received(world.plant().id)] == [first.id]
    good(step(["1006-02"], "received", "Northern Lab"))
    assert custody.sample_of(second).received


def test_void_load_has_no_sample():
    first, _ = two()
    good(kept(void_load(first, "Typed twice", by=world.staff("operator"), at=world.at(NOON), law=world.law())))
    assert said(step(["1006-01"]))[0] == "unknown_bottle"
    assert [one.load.bottle for one in custody.not_received(world.plant().id)] == ["1006-02"]


def test_operator_hands_over_what_is_ticked_and_typed(app):
    two()
    operator = signed_in(app, "operator")
    page = get(operator, "/plant/samples")
    assert "2 samples have not been received by the laboratory." in text(page)
    wrong = post(operator, "/plant/samples", {"bottles": ["1006-01"], "typed": "1006-3", "to_name": "K. Berg"})
    assert wrong.status_code == 422
    assert "No load has bottle 1006-3." in text(wrong.text)
    sent = fields(page) | {
        "bottles": ["1006-01"],
        "typed": "1006-02\n1006-01",
        "to_name": "K. Berg",
        "kind": "received",
    }
    done = operator.post("/bayfield/plant/samples", data=sent)
    assert done.status_code == 303
    page = text(get(operator, "/plant/samples"))
    assert "2 samples: it is on record." in page
    assert "No sample waits to be received by the laboratory." in page


def test_page_of_a_bottle_shows_its_chain_and_asks_about_one_nobody_used(app):
    first, _ = two()
    good(kept(print_labels(world.plant(), 1, by=world.staff("operator"), at=world.at(NOON))))
    operator = signed_in(app, "operator")
    page = text(get(operator, "/plant/samples/1006-01"))
    assert "Sample in bottle 1006-01" in page
    assert first.ticket in page
    assert "This label is printed, and no load has used it yet." in text(get(operator, "/plant/samples/0009", 404))
    assert "No load has bottle 0099, and no label with this number is printed." in text(
        get(operator, "/plant/samples/0099", 404))  # fmt: skip
    done = post(operator, "/plant/samples/1006-01", {"to_name": "K. Berg"})
    assert done.status_code == 303
    assert "Handed over to K. Berg" in text(get(operator, "/plant/samples/1006-01"))
    assert "Sample" in text(get(operator, f"/station/load/{first.ticket}"))


def test_director_reads_the_chain_and_changes_nothing(app):
    two()
    page = text(get(signed_in(app, "director"), "/plant/samples/1006-01"))
    assert "Taken by Operator of the City" in page
    assert "What happened next" not in page


def test_list_asks_the_same_for_one_sample_and_many(app):
    who = hauler()
    operator = signed_in(app, "operator")
    counts = []
    for minute in (0, 20, 40):
        good(log(who, 100, f"2026-10-06T07:{minute:02d}", bottle=f"1006-{minute}"))
        get(operator, "/plant/samples")
        with queries() as seen:
            get(operator, "/plant/samples")
        counts.append(len([one for one in seen if one.startswith("SELECT")]))
    assert counts == [5, 5, 5]

"""The limits of a disposal plan as rows of the committee's record: added, removed, kept, wrong at their cell."""

from dataclasses import replace
from typing import Any

from sqlalchemy import select

from haulers.models import Decision, Motion
from haulers.queries.motion_lines import Limit
from haulers.states import Period
from office.db import db
from tests.haulers.builders import OUTSIDE, SOURCE, approve, decide, filed, hauler
from tests.haulers.test_pages_city import SHOWN, decision, full
from tests.haulers.test_pages_hauler import signed_in, text

DECIDE = "/bayfield/committee/2026-27/decide"
PART = {"gallons_winter": "15,000", "gallons_rest": "25,000"}


def limit(n: int, gallons: str, period: str = "", waste: str = "all", hard: str = "refuse") -> dict[str, str]:
    """One limit of a row of the record as the page sends it."""
    typed = {"gallons": gallons, "waste": waste, "hard": hard} | ({"period": period} if period else {})
    return {f"limits-{n}-{name}": value for name, value in typed.items()}


def sent(app: Any, *rows: dict[str, str], step: str = "", **more: str) -> Any:
    data = decision(*rows, **more) | ({"step": step} if step else {})
    return signed_in(app, "clerk").post(DECIDE, data=data)


def test_without_script_a_limit_is_added_and_removed_and_all_that_is_typed_stays(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    application = filed(hauler(), SOURCE, OUTSIDE)
    first = text(signed_in(app, "clerk").get(DECIDE))
    assert (first.count('name="add_row" value="rows-0-limits"'), first.count("<legend>Limit ")) == (1, 0)
    assert f'>Add a limit<span class="visually-hidden"> for {SHOWN}</span></button>' in first
    row = full(application) | PART | {"reason": "Half typed"}
    answer = sent(app, row, add_row="rows-0-limits", words="To approve, with a li")
    page = text(answer)
    assert (answer.status_code, page.count("There is a problem")) == (200, 0)
    for kept in ('value="15,000"', "\nHalf typed</textarea>", "\nTo approve, with a li</textarea>"):
        assert kept in page, kept
    assert page.count("<legend>Limit ") == 1
    assert 'id="rows-0-limits-0-gallons"' in page
    assert page.count("autofocus") == 1
    typed = row | limit(0, "3,0", "day", "holding_tank") | limit(1, "1500", "week", hard="note")
    page = text(sent(app, typed, remove_row="rows-0-limits-0"))
    assert page.count("<legend>Limit ") == 1
    assert 'name="rows-0-limits-0-gallons" type="text" value="1500"' in page
    for chosen in ('period" value="week" checked', 'hard" value="note" checked'):
        assert f'name="rows-0-limits-0-{chosen}' in page, chosen
    assert db.session.scalars(select(Motion)).all() == []


def test_a_limit_of_one_hauler_is_added_to_that_one(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    first, second = filed(hauler()), filed(hauler("Second Septic", "second@hauler.example"))
    page = text(sent(app, full(first) | limit(0, "9", "day"), full(second), add_row="rows-1-limits"))
    assert 'id="rows-0-limits-0-gallons"' in page
    assert 'id="rows-1-limits-0-gallons"' in page
    assert page.count("<legend>Limit ") == 2
    page = text(sent(app, full(first), full(second), add_row="rows-9-limits", remove_row="rows-0-limits-4"))
    assert page.count("<legend>Limit ") == 0


def test_the_types_offered_are_those_the_application_names(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    first, second = filed(hauler(), SOURCE), filed(hauler("Second Septic", "second@hauler.example"), SOURCE, OUTSIDE)
    page = text(sent(app, full(first) | limit(0, "9"), full(second) | limit(0, "9")))
    assert [page.count(f'name="rows-{n}-limits-0-waste" value="holding_tank"') for n in (0, 1)] == [0, 1]
    assert [page.count(f'name="rows-{n}-limits-0-waste" value="all" checked') for n in (0, 1)] == [1, 1]


def test_what_is_wrong_stands_at_its_cell_with_the_limit_and_the_hauler(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    row = full(filed(hauler(), SOURCE, OUTSIDE)) | PART
    row |= limit(0, "none", "day") | limit(1, "", "week", "holding_tank") | limit(2, "5") | limit(3, "", "")
    page = sent(app, row, step="review")
    assert page.status_code == 422
    for cell, said in (
        ("0-gallons", "limit 1: gallons must be a number, like 1,500"),
        ("1-gallons", "limit 2: enter gallons"),
        ("2-period-0", "limit 3: select the time the limit is for"),
    ):
        assert text(page).count(f'<a href="#rows-0-limits-{cell}">{SHOWN}: {said}</a>') == 1, said
    assert text(page).count("<legend>Limit ") == 3, "the blank one is dropped"
    assert 'value="none"' in text(page)


def test_what_the_act_refuses_stands_at_the_limit_it_is_about(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    row = full(filed(hauler(), SOURCE, OUTSIDE)) | PART
    twice = row | limit(0, "3,000", "day", "holding_tank") | limit(1, "10", "day") | limit(2, "20", "day")
    page = text(sent(app, twice, step="review"))
    said = f"{SHOWN}: one waste has two limits for the same time. Keep one of them."
    assert page.count(f'<a href="#rows-0-limits-2-period-0">{said}</a>') == 1
    no = row | {"outcome": "rejected", "reason": "No.", "reason_code": "incompatible"} | limit(0, "3,000", "day")
    page = text(sent(app, no, step="review"))
    assert f'<a href="#rows-0-limits-0-gallons">{SHOWN}: a rejected application has no limits.</a>' in page


def test_limits_of_the_read_back_are_sent_on_and_recorded(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    row = full(filed(hauler(), SOURCE, OUTSIDE)) | PART
    row |= limit(0, "") | limit(1, "3,000", "season") | limit(2, "1", "winter", "septic_tank", "note")
    page = text(sent(app, row, step="review"))
    assert "Not more than 3,000 gallons in the season; 1 gallon of septic tank waste in winter (more is noted" in page
    assert '<input type="hidden" name="rows-0-limits-1-gallons" value="3,000">' in page
    sent(app, row, step="record")
    assert db.session.scalars(select(Decision)).one().allowances == [
        {"waste": "", "period": "season", "gallons": 3000, "hard": True},
        {"waste": "septic_tank", "period": "winter", "gallons": 1, "hard": False},
    ]  # fmt: skip


def test_a_correction_begins_with_the_limits_that_were_recorded(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    application = filed(hauler(), SOURCE, OUTSIDE)
    limits = (Limit("holding_tank", Period.WEEK, 1500, hard=False),)
    decide([replace(approve(application), allowances=limits)])
    db.session.commit()
    old = db.session.scalars(select(Decision)).one()
    page = text(signed_in(app, "clerk").get(f"/bayfield/committee/decisions/{old.id}/correct"))
    for shown in ('value="1,500"', 'value="holding_tank" checked', 'value="week" checked', 'value="note" checked'):
        assert shown in page, shown
    assert "Add another limit" in page

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from ordinances.calendar import (
    Deadline,
    FilingStatus,
    Hours,
    decision_deadline,
    dump_hours,
    filing_status,
    may_file,
    next_open_day,
    open_days,
    record_due,
    written_deadline,
)
from ordinances.reader import Closure, NoLaw
from ordinances.refusal import Refusal
from ordinances.seasons import season_named
from tests.ordinances.common import HOLIDAYS, bayfield, changed_law, law_of, local, utc

WINDOW = "Saturday, August 1, 2026 to Tuesday, September 1, 2026"


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("2026-06-30 23:59:59", "before_form"),
        ("2026-07-01 00:00:00", "draft"),
        ("2026-07-31 23:59:59", "draft"),
        ("2026-08-01 00:00:00", "open"),
        ("2026-09-01 23:59:59", "open"),
        ("2026-09-01 23:59:59.500000", "open"),
        ("2026-09-02 00:00:00", "closed"),
        ("2026-09-30 23:59:59", "closed"),
        ("2026-10-01 00:00:00", "before_form"),
    ],
)
def test_filing_status_at_each_edge_of_the_year(text: str, state: str) -> None:
    status = filing_status(bayfield(), local(text))
    assert isinstance(status, FilingStatus)
    assert status.state == state
    assert status.season.name == ("2027-28" if text >= "2026-10-01" else "2026-27")


def test_filing_at_the_first_second_of_august_is_accepted() -> None:
    status = may_file(bayfield(), local("2026-08-01 00:00:00"))
    assert isinstance(status, FilingStatus)
    assert (status.opens, status.closes) == (local("2026-08-01 00:00:00"), local("2026-09-01 23:59:59"))
    assert (status.days_left, status.decide_by, status.late_for_state) == (31, date(2026, 10, 1), False)


def test_filing_one_second_before_august_is_refused_with_dates_and_next_step() -> None:
    refusal = may_file(bayfield(), local("2026-07-31 23:59:59"))
    assert isinstance(refusal, Refusal)
    assert refusal.code == "window_not_open"
    assert refusal.why == f"Applications for season 2026-27 are taken from {WINDOW}."
    assert refusal.next_step == "Save a draft now and send it when filing opens."
    assert refusal.cite == "§ 329-7 B(1)"


def test_filing_before_july_is_told_when_the_form_opens() -> None:
    refusal = may_file(bayfield(), local("2026-06-30 23:59:59"))
    assert isinstance(refusal, Refusal)
    assert refusal.next_step == "The form opens Wednesday, July 1, 2026."


@pytest.mark.parametrize("text", ["2026-09-01 23:59:59", "2026-09-01 23:59:59.500000"])
def test_filing_in_the_last_second_is_accepted_and_late_for_the_state(text: str) -> None:
    status = may_file(bayfield(), local(text))
    assert isinstance(status, FilingStatus)
    assert (status.state, status.days_left, status.late_for_state) == ("open", 0, True)


def test_filing_on_august_31_is_in_time_for_the_state() -> None:
    status = may_file(bayfield(), local("2026-08-31 23:59:59"))
    assert isinstance(status, FilingStatus)
    assert (status.days_left, status.late_for_state) == (1, False)


def test_filing_on_september_2_is_refused_with_dates_and_next_step() -> None:
    refusal = may_file(bayfield(), local("2026-09-02 00:00:00"))
    assert isinstance(refusal, Refusal)
    assert refusal.code == "window_closed"
    assert refusal.why == f"Applications for season 2026-27 were taken from {WINDOW}."
    assert refusal.next_step == (
        "Ask the committee to take the application late. The next window opens Sunday, August 1, 2027."
    )
    assert refusal.details["closes"] == local("2026-09-01 23:59:59")


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("2026-08-01 04:59:59", "draft"),
        ("2026-08-01 05:00:00", "open"),
        ("2026-09-02 04:59:59", "open"),
        ("2026-09-02 05:00:00", "closed"),
    ],
)
def test_filing_status_from_a_utc_instant(text: str, state: str) -> None:
    status = filing_status(bayfield(), utc(text))
    assert isinstance(status, FilingStatus)
    assert status.state == state


def test_filing_status_without_a_zone_is_an_error() -> None:
    with pytest.raises(ValueError, match="time zone"):
        filing_status(bayfield(), datetime.fromisoformat("2026-08-01"))


@pytest.mark.parametrize(
    ("year", "closes"), [(2025, "Monday"), (2026, "Tuesday"), (2029, "Saturday"), (2030, "Sunday")]
)
def test_the_closing_day_does_not_move_from_holidays_or_weekends(year: int, closes: str) -> None:
    labor_day = Closure(date(2025, 9, 1), "Labor Day", "holiday")
    law = bayfield(labor_day)
    status = filing_status(law, local(f"{year}-09-01 23:59:59"))
    assert isinstance(status, FilingStatus)
    assert (status.state, f"{status.closes:%A}") == ("open", closes)
    assert isinstance(may_file(law, local(f"{year}-09-02 00:00:00")), Refusal)


def test_a_closing_day_that_rolls_ends_on_the_next_open_day(tmp_path: Path) -> None:
    law = changed_law(tmp_path, ('value = "none"\nfrom = 1992-01-01\ncite = "§ 329-7 B(1)"', ROLLS))
    saturday = filing_status(law, local("2029-08-15 12:00:00"))
    assert isinstance(saturday, FilingStatus)
    assert saturday.closes == local("2029-09-03 23:59:59")


ROLLS = 'value = "next_open_day"\nfrom = 1992-01-01\ncite = "§ 329-7 B(1)"'


def test_a_closing_day_that_does_not_count_ends_the_evening_before(tmp_path: Path) -> None:
    exclusive = ('value = true\nfrom = 1992-01-01\ncite = "§ 329-7 B(1)"\nreading = "The closing day counts', NOT)
    law = changed_law(tmp_path, exclusive)
    assert isinstance(may_file(law, local("2026-08-31 23:59:59")), FilingStatus)
    assert isinstance(may_file(law, local("2026-09-01 00:00:00")), Refusal)


NOT = 'value = false\nfrom = 1992-01-01\ncite = "§ 329-7 B(1)"\nreading = "The closing day counts'


def test_each_state_has_its_sentence() -> None:
    sentences = [
        status.sentence
        for text in ("2026-06-01", "2026-07-15", "2026-08-15", "2026-09-15")
        if isinstance(status := filing_status(bayfield(), local(text)), FilingStatus)
    ]
    assert sentences == [
        "The form for season 2026-27 opens Wednesday, July 1, 2026; filing opens Saturday, August 1, 2026.",
        "You can prepare an application for season 2026-27 now; filing opens Saturday, August 1, 2026.",
        "Applications for season 2026-27 are open. File by the end of Tuesday, September 1, 2026.",
        "Applications for season 2026-27 closed at the end of Tuesday, September 1, 2026.",
    ]


def test_decisions_are_overdue_from_the_midnight_after_october_1() -> None:
    law = bayfield()
    deadline = decision_deadline(law, season_named(law, "2026-27"))
    assert isinstance(deadline, Deadline)
    assert (deadline.day, deadline.cite) == (date(2026, 10, 1), "§ 329-7 B(2)")
    assert [deadline.overdue(local(f"2026-10-{at}")) for at in ("01 00:00:00", "01 23:59:59", "02 00:00:00")] == [
        False, False, True,
    ]  # fmt: skip
    assert deadline.overdue(utc("2026-10-02 04:59:59")) is False


def test_a_written_decision_is_due_by_the_states_own_date() -> None:
    law = bayfield()
    for season, day in (("2026-27", date(2026, 10, 1)), ("2027-28", date(2027, 10, 1))):
        deadline = written_deadline(law, season_named(law, season))
        assert deadline is not None
        assert (deadline.day, deadline.cite) == (day, "NR 113.07(2)(b), Wis. Adm. Code")
        assert deadline.after.isoformat() == f"{day.year}-10-02T00:00:00-05:00"


@pytest.mark.parametrize(
    ("day", "starts", "ends"),
    [
        (date(2026, 10, 30), "2026-10-30 12:00", "2026-10-30 15:00"),
        (date(2026, 11, 2), "2026-11-02 13:00", "2026-11-02 16:00"),
        (date(2027, 3, 12), "2027-03-12 13:00", "2027-03-12 16:00"),
        (date(2027, 3, 15), "2027-03-15 12:00", "2027-03-15 15:00"),
    ],
)
def test_dump_hours_keep_their_wall_time_over_the_clock_change(day: date, starts: str, ends: str) -> None:
    hours = dump_hours(bayfield(), day)
    assert isinstance(hours, Hours)
    assert (hours.start.astimezone(UTC), hours.end.astimezone(UTC)) == (utc(starts), utc(ends))
    assert (f"{hours.start:%H:%M}", f"{hours.end:%H:%M}", hours.cite) == ("07:00", "10:00", "§ 329-7 F(4)")


def test_a_weekend_day_is_refused_by_name() -> None:
    refusal = dump_hours(bayfield(), date(2026, 10, 31))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.cite) == ("closed", "§ 329-7 F(4)")
    assert refusal.why == "The plant is closed on Saturday, October 31, 2026: unloading is Monday to Friday only."


def test_a_holiday_is_closed_on_the_listed_day_and_no_other() -> None:
    kept_monday = Closure(date(2027, 7, 5), "Independence Day (kept Monday)", "holiday")
    law = bayfield(kept_monday)
    refusal = dump_hours(law, date(2027, 7, 5))
    assert isinstance(refusal, Refusal)
    assert refusal.why == "The plant is closed on Monday, July 5, 2027: Independence Day (kept Monday)."
    assert isinstance(dump_hours(law, date(2027, 7, 6)), Hours)
    assert isinstance(dump_hours(law, date(2027, 12, 24)), Hours)
    assert isinstance(dump_hours(law, date(2028, 7, 4)), Hours)


def test_a_closure_is_the_managers_and_says_so() -> None:
    refusal = dump_hours(bayfield(Closure(date(2026, 10, 13), "Pump repair", "closed")), date(2026, 10, 13))
    assert isinstance(refusal, Refusal)
    assert (refusal.why, refusal.cite) == (
        "The plant is closed on Tuesday, October 13, 2026: Pump repair.", "§ 329-7 C(1)",
    )  # fmt: skip


def test_an_opened_weekday_has_the_normal_hours() -> None:
    hours = dump_hours(bayfield(Closure(date(2026, 12, 25), "Operator on duty", "opened")), date(2026, 12, 25))
    assert isinstance(hours, Hours)
    assert (hours.start, hours.end) == (local("2026-12-25 07:00"), local("2026-12-25 10:00"))


def test_an_opened_saturday_stays_closed_as_the_text_says_monday_to_friday_only() -> None:
    opened = Closure(date(2026, 10, 31), "Extra day", "opened")
    assert isinstance(dump_hours(bayfield(opened), opened.day), Refusal)


def test_holidays_are_open_where_the_law_says_so(tmp_path: Path) -> None:
    law = changed_law(tmp_path, ('value = "closed"', 'value = "open"'))
    law = type(law)(law.profile, (), {HOLIDAYS[0].day: HOLIDAYS[0]})
    assert isinstance(dump_hours(law, HOLIDAYS[0].day), Hours)


def test_dump_hours_before_the_first_date_is_no_law() -> None:
    with pytest.raises(NoLaw, match="its first date is 1992-01-01"):
        dump_hours(bayfield(), date(1991, 12, 31))


def test_open_days_leave_out_weekends_and_holidays() -> None:
    days = open_days(bayfield(*HOLIDAYS), date(2026, 11, 23), date(2026, 11, 30))
    assert [day.day for day in days] == [23, 24, 25, 27, 30]


def test_next_open_day_passes_weekend_and_holiday() -> None:
    assert next_open_day(bayfield(*HOLIDAYS), date(2026, 12, 24)) == date(2026, 12, 28)


def test_next_open_day_gives_up_after_400_days() -> None:
    closed = (Closure(date.fromordinal(date(2026, 10, 6).toordinal() + n), "Rebuilding", "closed") for n in range(402))
    with pytest.raises(NoLaw, match="no open day within 400 days after 2026-10-06"):
        next_open_day(bayfield(*closed), date(2026, 10, 6))


@pytest.mark.parametrize(
    ("discharged", "due"),
    [
        ("2026-10-06 07:40", "2026-10-07 23:59:59"),
        ("2026-10-09 09:59", "2026-10-12 23:59:59"),
        ("2026-10-30 08:00", "2026-11-02 23:59:59"),
        ("2026-11-25 08:00", "2026-11-27 23:59:59"),
        ("2026-12-24 08:00", "2026-12-28 23:59:59"),
    ],
)
def test_record_due_at_the_end_of_the_next_open_day(discharged: str, due: str) -> None:
    answer = record_due(bayfield(*HOLIDAYS), local(discharged))
    assert (answer.at, answer.cite) == (local(due), "§ 329-7 C(3)")


def test_record_due_counts_the_day_in_the_plants_zone() -> None:
    assert record_due(bayfield(), utc("2026-10-07 03:30")).at == local("2026-10-07 23:59:59")


def test_record_due_skips_a_closure() -> None:
    law = bayfield(Closure(date(2026, 10, 12), "Pump repair", "closed"))
    assert record_due(law, local("2026-10-09 08:00")).at == local("2026-10-13 23:59:59")


def test_record_due_in_two_working_days(tmp_path: Path) -> None:
    law = changed_law(tmp_path, ("[[record.due_working_days]]\nvalue = 1", "[[record.due_working_days]]\nvalue = 2"))
    assert record_due(law, local("2026-10-09 08:00")).at == local("2026-10-13 23:59:59")


def test_gillett_takes_septage_by_agreement_only() -> None:
    law = law_of("gillett")
    refusal = filing_status(law, local("2026-08-15"))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.cite) == ("by_agreement", "§ 20-23 E")
    assert refusal.next_step == ("Ask the Utility Committee (the Approving Authority) or its deputy for an agreement.")
    assert may_file(law, local("2026-08-15")) == refusal
    assert dump_hours(law, date(2026, 10, 6)) == refusal
    assert open_days(law, date(2026, 10, 1), date(2026, 10, 31)) == []


def test_lawrence_accepts_none_and_names_where_to_go() -> None:
    law = law_of("lawrence")
    refusal = filing_status(law, local("2026-08-15"))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.cite) == ("not_accepted", "§ 216-9")
    assert refusal.why == "Lawrence, Wisconsin does not accept hauled septage."
    assert refusal.next_step == "Green Bay Metropolitan Sewerage District has receiving facilities for it."
    assert refusal.details == {"redirect": "Green Bay Metropolitan Sewerage District"}
    assert decision_deadline(law, season_named(law, "2026-27")) == refusal


@pytest.mark.parametrize(("at", "left"), [
    ("2026-08-01 00:00:00", timedelta(days=32)), ("2026-09-01 23:41:00", timedelta(minutes=19)),
    ("2026-09-01 23:59:59", timedelta(seconds=1)), ("2026-09-02 00:00:00", timedelta(0)),
])  # fmt: skip
def test_the_time_left_runs_to_the_last_instant_that_counts(at: str, left: timedelta) -> None:
    status = filing_status(bayfield(), local(at))
    assert isinstance(status, FilingStatus)
    assert status.left == left

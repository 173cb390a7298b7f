"""Every job of every room is known to the application: one forgotten at the door would never run."""

from office.jobs import JOBS
from tests.house.sources import ROOMS, ROOT


def test_every_job_written_in_a_room_is_registered(app):
    written = {
        line.split('"')[1]
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("@job(")
    }
    assert written == {
        "invoices", "late_charges", "record_overdue", "window_reminders", "saved_drafts", "decision_reminders",
        "review_block_warning", "letters_unissued", "ending_papers", "information_due", "waiting_list", "special_times",
        "draft_files", "restrictions_outlasting", "late_charges_corrected",
    }  # fmt: skip
    assert written <= set(JOBS)

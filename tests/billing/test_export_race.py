"""A line begun before the ledger is handed out and committed after it: it is in the next file, once."""

import threading
from datetime import date
from typing import Any

import pytest
from flask import current_app

from billing import actions
from billing.models import Account, Invoice
from billing.queries import files
from office.access import system
from office.db import db, engine_name
from office.exports import LEDGER, Export, hand_out
from tests import world
from tests.billing import books

SEPT_30, OCT_1, OCT_31, NOV_1, NOV_30 = (
    date(2026, 9, 30), date(2026, 10, 1), date(2026, 10, 31), date(2026, 11, 1), date(2026, 11, 30),
)  # fmt: skip


def handed_out(first: date, last: date, at: str) -> int:
    made: Any = hand_out(world.plant(), LEDGER, first, last, by=world.staff("clerk"), at=world.at(at))
    assert isinstance(made, Export), made
    db.session.commit()
    return made.id


def lines(export_id: int) -> list[tuple[Any, ...]]:
    """(cents, invoice) of the file of a ledger as its address makes it."""
    made = db.session.get_one(Export, export_id)
    found = [(int(row[7] * 100), row[10]) for row in files.handed_out_rows(made)]
    db.session.rollback()
    return found


class Other:
    """Another connection: it begins at once, and commits when told."""

    def __init__(self, work: Any) -> None:
        self.app, self.begun, self.go = current_app._get_current_object(), threading.Event(), threading.Event()  # type: ignore[attr-defined]
        self.broken: list[BaseException] = []
        # SQLite lets one write at a time: there it begins by its clock and waits for its turn.
        self.thread = threading.Thread(target=self._run, args=(work, engine_name() == "sqlite"))
        self.thread.start()
        assert self.begun.wait(60)

    def _run(self, work: Any, later: bool) -> None:
        try:
            with self.app.app_context():
                if later:
                    self.begun.set()
                    assert self.go.wait(60)
                work()
                db.session.flush()
                self.begun.set()
                assert self.go.wait(60)
                db.session.commit()
                db.session.remove()
        except BaseException as error:
            self.broken.append(error)
            self.begun.set()

    def commits(self) -> None:
        self.go.set()
        self.thread.join(60)
        assert self.broken == []


def test_a_line_committed_after_an_export_it_was_begun_before_is_in_the_next_once(app: Any) -> None:
    who = books.party()
    books.load(who, day=SEPT_30)
    db.session.commit()
    party, law = who.id, world.law(OCT_31)

    def late() -> None:
        # Begun an hour before the ledger is handed out.
        actions.post_charges(world.plant(), party, [books.volume(law, OCT_31, 1000)], "load", 900, OCT_31,
                             by=system(), at=world.at("2026-11-01T08:00"), law=law)  # fmt: skip

    other = Other(late)
    first = handed_out(OCT_1, OCT_31, "2026-11-01T09:00")
    before = lines(first)
    other.commits()
    # The file stays as it was downloaded.
    assert lines(first) == before == []
    books.load(who, 500, day=NOV_1)
    db.session.commit()
    second = handed_out(NOV_1, NOV_30, "2026-12-01T09:00")
    third = handed_out(date(2026, 12, 1), date(2026, 12, 1), "2026-12-01T10:00")
    assert lines(second) == [(2400, None), (1200, None), (1216, None)]
    assert lines(third) == []
    assert lines(first) == []


@pytest.mark.parametrize("at", ["2026-11-01T09:00", "2026-11-01T09:30"])
def test_a_line_committed_before_an_export_is_in_it_whatever_its_clock_says(app: Any, at: str) -> None:
    who, law = books.party(), world.law(OCT_31)
    actions.post_charges(world.plant(), who.id, [books.volume(law, OCT_31, 1000)], "load", 900, OCT_31, by=system(),
                         at=world.at(at), law=law)  # fmt: skip
    db.session.commit()
    first = handed_out(OCT_1, OCT_31, "2026-11-01T09:00")
    second = handed_out(NOV_1, NOV_30, "2026-12-01T09:00")
    assert (lines(first), lines(second)) == ([(2400, None)], [])


def test_an_invoice_made_while_a_ledger_is_handed_out_is_not_in_its_file(app: Any) -> None:
    who = books.party()
    books.load(who, day=OCT_1)
    db.session.commit()
    ident, law = books.account(who).id, world.law(OCT_31)

    def bill() -> None:
        account = db.session.get_one(Account, ident)
        made: Any = actions.make_invoice(world.plant(), account, by=system(), at=world.at("2026-10-31T08:00"), law=law)
        assert isinstance(made, Invoice)

    other = Other(bill)
    first = handed_out(OCT_1, OCT_31, "2026-10-31T09:00")
    before = lines(first)
    other.commits()
    assert lines(first) == before
    assert [invoice for _, invoice in before] == [None, None]


def charged(party: int, number: int, day: date, gallons: int, at: str) -> None:
    law = world.law(day)
    actions.post_charges(world.plant(), party, [books.volume(law, day, gallons)], "load", number, day, by=system(),
                         at=world.at(at), law=law)  # fmt: skip
    db.session.commit()


def test_a_line_dated_back_is_in_one_file_though_a_part_of_its_month_was_handed_out_again(app: Any) -> None:
    party = books.party().id
    charged(party, 900, NOV_1, 1000, "2026-11-01T12:00")
    november = handed_out(NOV_1, NOV_30, "2026-12-01T09:00")
    charged(party, 901, date(2026, 11, 15), 500, "2026-12-05T09:00")
    again = handed_out(date(2026, 11, 20), NOV_30, "2026-12-06T09:00")
    charged(party, 902, date(2026, 11, 16), 250, "2026-12-07T09:00")
    december = handed_out(date(2026, 12, 1), date(2026, 12, 7), "2026-12-08T09:00")
    assert (lines(november), lines(again), lines(december)) == ([(2400, None)], [(1200, None)], [(600, None)])


def test_a_month_handed_out_after_the_one_behind_it_repeats_nothing(app: Any) -> None:
    party = books.party().id
    charged(party, 900, OCT_31, 1000, "2026-10-31T12:00")
    handed_out(OCT_1, OCT_31, "2026-11-01T09:00")
    charged(party, 901, OCT_31, 500, "2026-12-02T09:00")
    charged(party, 902, date(2026, 11, 15), 250, "2026-12-03T09:00")
    december = handed_out(date(2026, 12, 1), date(2026, 12, 4), "2026-12-04T09:00")
    november = handed_out(NOV_1, NOV_30, "2026-12-04T10:00")
    after = handed_out(date(2026, 12, 5), date(2026, 12, 5), "2026-12-05T10:00")
    assert (lines(december), lines(november), lines(after)) == ([(1200, None)], [(600, None)], [])

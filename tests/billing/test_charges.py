from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import func, select

from billing import actions
from billing.models import Account, Entry
from billing.queries import balance_cents
from office.access import system
from office.db import db
from ordinances import fees
from ordinances.refusal import Refusal
from tests import world
from tests.billing import books

OCT_6 = date(2026, 10, 6)


def test_load_is_charged_as_cited_lines(app: Any) -> None:
    posted = books.load(books.party(), 1500, OCT_6, label="Load 2026-00001")
    assert [(e.code, e.amount_cents, e.quantity, e.unit, e.unit_price, e.cite) for e in posted] == [
        ("volume", 3600, Decimal(1500), "gallons", Decimal("0.024"), "§ 329-7 F(2); § 329-2 B(2)(d)"),
        ("test", 1216, Decimal(1), "load", Decimal("12.16"), "§ 329-2 B(2)(d); § 329-7 F(1)"),
    ]
    assert {(e.source_label, e.on_day, e.law_version) for e in posted} == {
        ("Load 2026-00001", OCT_6, world.law(OCT_6).version)
    }
    assert balance_cents(posted[0].account_id) == 4816


def law_at(price: str) -> Any:
    """Bayfield's law with another price of a gallon."""
    law = world.law(OCT_6)
    schedule = law.profile.schedule
    assert schedule is not None
    items = tuple(replace(item, price=Decimal(price)) if item.code == "volume" else item for item in schedule.items)
    return replace(law, profile=replace(law.profile, schedule=replace(schedule, items=items)))


@pytest.mark.parametrize(
    ("price", "gallons", "cents"), [("0.025", 1001, 2503), ("0.025", 1005, 2513), ("0.024", 1998, 4795)]
)
def test_half_cent_goes_up(app: Any, price: str, gallons: int, cents: int) -> None:
    line = books.volume(law_at(price), OCT_6, gallons)
    posted: Any = actions.post_charges(world.plant(), books.party().id, [line], "load", 1, OCT_6, by=system(),
                                       at=books.noon(OCT_6), law=world.law(OCT_6))  # fmt: skip
    db.session.commit()
    assert db.session.scalars(select(Entry.amount_cents)).all() == [cents]
    assert balance_cents(posted[0].account_id) == cents


def post(who: Any, source: int, part: int = 1) -> Any:
    line = books.volume(world.law(OCT_6), OCT_6, 500)
    return actions.post_charges(world.plant(), who.id, [line], "load", source, OCT_6, part=part, by=system(),
                                at=books.noon(OCT_6), law=world.law(OCT_6))  # fmt: skip


def test_same_source_charged_again_is_refused_and_posts_nothing(app: Any) -> None:
    who = books.party()
    first = post(who, 7)[0]
    again = post(who, 7)
    assert isinstance(again, Refusal)
    assert (again.code, again.why) == ("already_charged", "Load is already charged: septage unloaded.")
    assert db.session.scalars(select(func.count(Entry.id))).one() == 1
    assert balance_cents(first.account_id) == 1200


def test_second_morning_of_a_load_is_its_own_part(app: Any) -> None:
    who = books.party()
    assert [e.line_code for e in post(who, 7) + post(who, 7, part=2)] == ["volume", "volume/2"]
    assert isinstance(post(who, 7, part=2), Refusal)


def test_two_parts_posted_at_once_are_two_lines(app: Any) -> None:
    who, law = books.party(), world.law(OCT_6)
    lines: Any = fees.for_load(law, [(OCT_6, 1000), (date(2026, 10, 7), 500)], "septic_tank")
    posted: Any = actions.post_charges(world.plant(), who.id, lines, "load", 9, OCT_6, by=system(),
                                       at=books.noon(OCT_6), law=law)  # fmt: skip
    assert [(e.line_code, e.amount_cents) for e in posted] == [("volume", 2400), ("volume/2", 1200), ("test", 1216)]


def test_reversed_charge_may_be_made_again(app: Any) -> None:
    who = books.party()
    first = post(who, 7)[0]
    actions.reverse_entry(first, "Wrong gallons", by=world.staff("clerk"), at=books.noon(OCT_6))
    second = post(who, 7)[0]
    assert second.line_code == "volume#2"
    assert isinstance(post(who, 7), Refusal)
    assert balance_cents(first.account_id) == 1200


def test_no_lines_open_no_account(app: Any) -> None:
    posted = actions.post_charges(world.plant(), books.party().id, [], "load", 1, OCT_6, by=system(),
                                  at=books.noon(OCT_6), law=world.law(OCT_6))  # fmt: skip
    assert posted == []
    assert db.session.scalars(select(func.count(Account.id))).one() == 0


def test_ledger_line_cannot_be_changed_or_removed(app: Any) -> None:
    entry = books.load(books.party())[0]
    db.session.commit()
    entry.amount_cents = 1
    with pytest.raises(RuntimeError, match=r"entry \d+ cannot be changed \(amount_cents\): reverse it"):
        db.session.flush()
    db.session.rollback()
    db.session.delete(entry)
    with pytest.raises(RuntimeError, match=r"entry \d+ cannot be removed: reverse it"):
        db.session.flush()
    db.session.rollback()


def test_operator_alone_cannot_post_charges(app: Any) -> None:
    answer = actions.post_charges(world.plant(), books.party().id, [], "load", 1, OCT_6, by=world.staff("operator"),
                                  at=books.noon(OCT_6), law=world.law(OCT_6))  # fmt: skip
    assert isinstance(answer, Refusal)
    assert answer.code == "not_your_role"

"""Random months of an account: what every act must leave, by books kept by other code (tests/billing/own_books.py).

200 months in the test command; ``make soak`` plays 10,000. Month n is the same in both: ``SEPTAGE_MONTH=n`` plays it
alone, ``SEPTAGE_FIRST`` says which is the first. Every fourth is of Gillett (§ 20-27 B), the others are of Bayfield
(§ 329-2 A(3)(g)), half of all of one that asks deposits and takes less for what is issued from October 25 on.
"""

import os
from collections import Counter, defaultdict
from datetime import date, timedelta
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

from billing import actions, queries
from billing.models import Account
from billing.queries import InvoiceState, check_ledger
from office.access import system
from office.db import db
from office.law import Adoption, adopt_law
from office.people import Party
from tests import world
from tests.billing import books
from tests.billing.month_acts import ACTS
from tests.billing.month_charges import dollars
from tests.billing.months import Month
from tests.billing.own_books import AMENDED, DEPOSIT, Books, day_of
from tests.ordinances.common import changed
from tests.ordinances.town import item

MONTHS = int(os.environ.get("SEPTAGE_EXAMPLES") or 200)
FROM, ALONE = int(os.environ.get("SEPTAGE_FIRST") or 0), os.environ.get("SEPTAGE_MONTH")
TOWNS = ("gillett", "bayfield", "amended", "amended")
SHARES = len(TOWNS)
AGES = queries.AGES


def holds(month: Month) -> None:
    """Ledger, invoices, aging, statements and the list of accounts say what the rows say by other sums."""
    raw, account, plant, day = month.raw, month.account.id, world.plant(), month.day
    views = queries.invoice_states(plant.id, day, account)
    assert {one.invoice.id: one.unpaid_cents for one in views} == {one: raw.unpaid(one) for one in raw.invoices}
    assert {one.invoice.id: one.state for one in views} == {one: _state(raw, one, day) for one in raw.invoices}
    assert queries.balance_cents(account) == raw.balance()
    assert queries.credit_cents(account) == raw.credit()
    assert [one.balance_cents for one in queries.ledger(account)][-1] == raw.balance()
    (listed,) = [one for one in queries.accounts(plant.id) if one.account_id == account]
    assert (listed.balance_cents, listed.unbilled_cents) == (raw.balance(), raw.unbilled())
    _aged(raw, next((one for one in queries.aging(plant.id, day) if one.account_id == account), None), day)
    for _ in range(2):
        last = day - timedelta(days=month.lot.randint(0, 40))
        _aged(raw, queries.aging_of(account, "", last), last)
        _stated(month, raw, last - timedelta(days=month.lot.randint(0, 30)), last)
    if not month.chosen:
        stored: dict[tuple[int, int], dict[date, int]] = defaultdict(lambda: defaultdict(int))
        for one in raw.parts:
            stored[one.payment_id, one.invoice_id][day_of(one.on_day)] += one.amount_cents
        assert _moves(stored) == _moves(raw.spread())
    assert check_ledger() == []


def _moves(found: Any) -> list[tuple[Any, ...]]:
    return sorted((*pair, day, cents) for pair, days in found.items() for day, cents in days.items() if cents)


def _state(raw: Books, invoice: int, today: date) -> InvoiceState:
    given_up = any(
        row.kind == "write_off" and raw.on.get(row.credits_id) == invoice and row.id not in raw.back
        for row in raw.entries.values()
    )
    if raw.unpaid(invoice) == 0:
        gone = raw.asked(invoice) == 0 < raw.invoices[invoice].total_cents
        return InvoiceState.WRITTEN_OFF if given_up else InvoiceState.CANCELLED if gone else InvoiceState.PAID
    doubted = sum(one.left() for one in raw.lines_of(invoice) if (one.id, "dispute") in raw.held)
    if doubted >= raw.unpaid(invoice):
        return InvoiceState.DISPUTED
    return InvoiceState.LATE if day_of(raw.invoices[invoice].due_on) < today else InvoiceState.OPEN


def _aged(raw: Books, old: Any, day: date) -> None:
    unbilled, ages, balance = raw.unbilled(day), raw.ages(day), raw.balance(day)
    if old is None:
        assert (unbilled, sum(ages), balance) == (0, 0, 0)
        return
    assert [old.by_age[age] for age in AGES] == ages
    assert (old.unbilled_cents, old.balance_cents) == (unbilled, balance)
    assert old.credit_cents == sum(ages) + unbilled - balance >= 0


def _stated(month: Month, raw: Books, first: date, last: date) -> None:
    """The statement as it would be sent, in words."""
    words = actions.statement_words(month.account, db.session.get_one(Party, month.account.party_id), first, last,
                                    month.day)  # fmt: skip
    late = month.not_stated(raw, first)
    opening = raw.balance(first - timedelta(days=1)) - sum(one.amount_cents for one in late)
    assert (words["opening"], words["closing"]) == (dollars(opening), dollars(raw.balance(last)))
    running, rows = opening, []
    for one in (*late, *raw.within(first, last)):
        running += one.amount_cents
        rows.append((dollars(one.amount_cents), dollars(running)))
    assert [(row["amount"], row["balance"]) for row in (*words["earlier"], *words["rows"])] == rows


def laws(town: str, folder: Path) -> list[tuple[date, Any]]:
    """What the plant adopts besides the Bayfield it has, and from which day on."""
    if town == "gillett":
        return [(date(2026, 9, 1), town)]
    if town == "bayfield":
        return []
    bond = item(DEPOSIT, "deposit", 'price = "50.00"')
    percent = '[[billing.late_percent]]\nvalue = "{}"'
    swap = (percent.format(10), percent.format(8))
    return [(date(2026, 9, 1), changed(folder, extra=bond)),
            (AMENDED, changed(Path(mkdtemp(dir=folder)), swap, extra=bond))]  # fmt: skip


@pytest.mark.parametrize("share", range(SHARES))
def test_random_months_agree_with_books_kept_by_other_code(app: Any, tmp_path: Path, share: int) -> None:
    town, who, done = TOWNS[share], books.party(), Counter[str]()
    for since, law in laws(town, tmp_path):
        made = adopt_law(world.plant(), law, since, "Ordinance", by=system(), at=world.START)
        assert isinstance(made, Adoption), made
    account = actions.locked_account(world.plant(), who.id, by=system(), at=world.START)
    clerk, ident = world.staff("clerk"), account.id
    db.session.commit()
    for number in [int(ALONE)] if ALONE else range(FROM, FROM + MONTHS):
        if number % SHARES != share:
            continue
        month = Month(number, db.session.get_one(Account, ident), town, clerk)
        month.play(ACTS)
        holds(month)
        done += month.done
        db.session.rollback()
    if not ALONE and MONTHS >= 100 * SHARES:  # in fewer one of the rare acts may not come up
        wanted = {act.__name__ for act, _ in ACTS} - ({"deposit"} if town != "amended" else set())
        assert wanted <= {name.removesuffix(" done") for name in done if name.endswith(" done")}, done

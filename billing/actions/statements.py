"""What a statement prints, and sending one: frozen as words, as an invoice is."""

from datetime import date, datetime
from typing import Any

from billing.models import Account
from billing.queries import AGES, LedgerLine, Statement, aging_of, statement, statements_sent
from office import formats
from office.access import Actor, Role, party_signs_in
from office.acts import act
from office.db import db, lock
from office.letters import Letter, write
from office.notices import tell_party
from office.people import Party
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal


def statement_words(account: Account, party: Party, first: date, last: date, today: date) -> dict[str, Any]:
    """The statement of an account between two days in words: lines with balances, what is owed by age, the slip."""
    found = statement(account.id, first, last, statements_sent(account))
    by_age = aging_of(account.id, party.name, last)
    closing = found.closing_cents
    ages = [(f"Invoices {age}", by_age.by_age[age]) for age in AGES if by_age.by_age[age]]
    ages.append(("Charges on no invoice yet", by_age.unbilled_cents))
    ages.append(("Credit", -by_age.credit_cents))
    return {
        "first": formats.date_only(first), "last": formats.date_only(last), "made": formats.date_only(today),
        "account": str(account.id), "opening": formats.money(found.opening_cents),
        "earlier_words": earlier_words(found), "earlier": [_words(line) for line in found.earlier],
        "rows": [_words(line) for line in found.lines],
        "last_day": last.isoformat(), "newest": str(found.newest),
        "closing": formats.money(closing),
        "ages": [{"what": what, "amount": formats.money(cents)} for what, cents in ages if cents],
        "to_pay": formats.money(closing) if closing > 0 else "",
        "credit": formats.money(-closing) if closing < 0 else "",
    }  # fmt: skip


def earlier_words(found: Statement) -> str:
    """Over the lines of earlier days that are on no statement yet; "" where there is none."""
    if found.since is None:
        return ""
    return f"Of earlier days, entered since the statement to {found.since.data['last']} was sent"


def _words(line: LedgerLine) -> dict[str, str]:
    entry = line.entry
    about = (entry.source_label, f"in place of one of {formats.date_only(entry.for_day)}" if entry.for_day else "",
             f"invoice {line.invoice_number}" if line.invoice_number else "",
             f"receipt {line.receipt_number}" if line.receipt_number else "", entry.reason)  # fmt: skip
    return {"day": formats.date_only(entry.on_day), "what": entry.what, "about": ", ".join(filter(None, about)),
            "amount": formats.money(entry.amount_cents), "balance": formats.money(line.balance_cents)}  # fmt: skip


@act("send_statement", roles=(Role.CLERK,))
def send_statement(
    plant: Plant, account: Account, first: date, last: date, *, by: Actor, at: datetime, law: Law
) -> Letter | Refusal:
    """Send an account's statement between two days, as it stands now; it never changes after. Refused: ``wrong_days``.

    A last day still to come is today's: what is entered after it is on the next one, also of these days.
    """
    today = at.astimezone(plant.tz).date()
    last = min(last, today)
    if first > last:
        return Refusal("wrong_days", f"The first day must be {formats.date_only(last)} or earlier.", "")
    # So that nothing is entered between the lines and the sums.
    account = lock(Account, account.id)
    party = db.session.get_one(Party, account.party_id)
    data = statement_words(account, party, first, last, today)
    letter = write(plant, party, "statement", "Statement of account", data, at, law_version=law.version)
    owed = f"{data['to_pay']} owed" if data["to_pay"] else f"{data['credit']} credit" if data["credit"] else "all paid"
    where = "The statement is on your Money page after you sign in."
    if not party_signs_in(party.id, at):
        questions = formats.full_stop(f"Questions: {plant.phone}, {plant.help_hours}")
        where = f"The statement with every line is enclosed. {questions}"
    tell_party(
        party, "statement", f"Statement of {plant.city} to {data['last']}: {owed}",
        f"Your account for unloading septage from {data['first']} to {data['last']}: {owed} at its end.\n{where}",
        at, plant_id=plant.id, letter_id=letter.id,
    )  # fmt: skip
    return letter

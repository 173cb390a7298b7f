"""Statements: what the PDF holds to the cent, as of any day, and that one that was sent never changes."""

import io
from datetime import date
from typing import Any

import pytest
from pypdf import PdfReader
from sqlalchemy import event

from billing import actions
from billing.models import Account
from billing.queries import aging_of, statement
from office import letters
from office.db import db
from office.letters import Letter
from office.notices import Notice
from office.people import Party
from ordinances.refusal import Refusal
from tests import world
from tests.billing import books
from tests.billing.test_routes import send, signed_in, text_of, two
from tests.intake.plant import queries

__all__ = ["two"]
SEP_1, SEP_30, OCT_1, OCT_6, OCT_9, OCT_12, OCT_31 = (
    date(2026, 9, 1), date(2026, 9, 30), date(2026, 10, 1), date(2026, 10, 6), date(2026, 10, 9), date(2026, 10, 12),
    date(2026, 10, 31),
)  # fmt: skip
SPAN = "from=2026-10-01&to=2026-10-12"


def words_of(content: bytes) -> str:
    return " ".join(" ".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(content)).pages)


def sent(account: Account, first: date, last: date, on: date = OCT_12) -> Any:
    return actions.send_statement(world.plant(), account, first, last, by=world.staff("clerk"), at=books.noon(on),
                                  law=world.law(on))  # fmt: skip


def test_the_pdf_has_every_line_with_its_balance_what_is_owed_by_age_and_a_slip(app: Any, two: Any) -> None:
    account = books.account(two[0]).id
    answer = signed_in(app, "clerk").get(f"/bayfield/clerk/accounts/{account}/statement.pdf?{SPAN}")
    assert answer.headers["Content-Disposition"] == (
        f"attachment; filename=statement-bayfield-{account}-2026-10-01-2026-10-12.pdf"
    )
    text = words_of(answer.get_data())
    for words in (
        "Apostle Example Septic 12 Example Road Washburn, WI 54891",
        f"Statement of account October 1, 2026 to October 12, 2026 Made October 12, 2026 Account {account}",
        "Owed before October 1, 2026 $48.16",
        "October 6, 2026 Payment by check, no. 1042 receipt 2026-00001 −$20.00 $28.16",
        "October 6, 2026 Septage unloaded $12.00 $40.16",
        "October 6, 2026 Testing for BOD5 and TSS $12.16 $52.32",
        "Owed after October 12, 2026 $52.32",
        "Invoices not due $28.16 Charges on no invoice yet $24.16 Together $52.32",
        "Send this part with your check to City of Bayfield, 125 South First Street, Bayfield, WI 54814",
        f"From Account Owed after October 12, 2026 Apostle Example Septic {account} $52.32",
    ):
        assert words in text, (words, text)
    assert text.count("Owed before") == 1


def test_the_hauler_downloads_only_its_own(app: Any, two: Any) -> None:
    client = signed_in(app, "second@septic.example")
    text = words_of(client.get(f"/bayfield/hauler/statement.pdf?{SPAN}").get_data())
    assert "Birch Example Pumping" in text
    assert "Apostle" not in text
    assert client.get(f"/bayfield/clerk/accounts/{books.account(two[0]).id}/statement.pdf").status_code == 403


def test_credit_asks_for_no_money(app: Any, two: Any) -> None:
    books.pay(two[1], "50.00", OCT_6)
    db.session.commit()
    text = words_of(signed_in(app, "second@septic.example").get(f"/bayfield/hauler/statement.pdf?{SPAN}").get_data())
    assert "Credit −$13.84 Together −$13.84" in text
    assert "Nothing is to be paid. $13.84 is kept as credit for the next invoice." in text
    assert "Send this part" not in text


@pytest.mark.parametrize(
    ("day", "found"),
    [(date(2026, 9, 29), (0, 0, 0, 0)), (SEP_30, (4816, 0, 4816, 0)), (OCT_1, (4816, 4816, 0, 0)),
     (OCT_6, (5232, 2816, 2416, 0)), (date(2026, 10, 8), (5232, 2816, 2416, 0)), (OCT_9, (1232, 0, 2416, 1184))],
)  # fmt: skip
def test_age_as_of_a_day_counts_what_happened_by_its_end(app: Any, two: Any, day: date, found: Any) -> None:
    books.pay(two[0], "40.00", OCT_9)
    then = aging_of(books.account(two[0]).id, "", day)
    assert (then.balance_cents, then.unpaid_cents, then.unbilled_cents, then.credit_cents) == found


def test_a_filing_fee_paid_at_the_desk_is_no_charge_that_waits(app: Any, two: Any) -> None:
    line = books.volume(world.law(OCT_6), OCT_6, 1000)
    paid: Any = actions.charge_and_pay(world.plant(), two[1].id, line, "test", 1, "cash", "", OCT_6,
                                       by=world.staff("clerk"), at=books.noon(OCT_6), law=world.law(OCT_6))  # fmt: skip
    account = books.account(two[1]).id
    assert aging_of(account, "", OCT_6).unbilled_cents == 0
    actions.return_check(world.plant(), paid, "Bounced", by=world.staff("clerk"), at=books.noon(OCT_9),
                         law=world.law(OCT_9))  # fmt: skip
    assert aging_of(account, "", OCT_9).unbilled_cents == 0  # cash is never returned as a check


def test_a_statement_that_was_sent_stays_as_it_was(app: Any, two: Any) -> None:
    clerk, account = signed_in(app, "clerk"), books.account(two[0])
    answer = send(clerk, f"/clerk/accounts/{account.id}/statement?{SPAN}")
    assert answer.status_code == 303
    letter = db.session.query(Letter).filter_by(kind="statement").one()
    address = f"/bayfield/clerk/accounts/{account.id}/statements/{letter.number}.pdf"
    before = clerk.get(address).get_data()
    assert "Owed after October 12, 2026 $52.32" in words_of(before)
    party = db.session.get_one(Party, two[0].id)
    books.load(party, 999, OCT_6)
    books.pay(party, "10.00", OCT_6)
    db.session.commit()
    assert clerk.get(address).get_data() == before
    mine = f"/bayfield/hauler/statements/{letter.number}.pdf"
    assert signed_in(app, "first@septic.example").get(mine).get_data() == before
    assert signed_in(app, "second@septic.example").get(mine).status_code == 404
    other = f"/bayfield/clerk/accounts/{books.account(two[1]).id}/statements/{letter.number}.pdf"
    assert clerk.get(other).status_code == 404
    page = text_of(clerk.get(f"/bayfield/clerk/accounts/{account.id}/statement?{SPAN}"))
    assert "October 1, 2026 to October 12, 2026: $52.32</li>" in page


def test_the_hauler_is_told_what_is_owed_at_its_end(app: Any, two: Any) -> None:
    letter: Any = sent(books.account(two[0]), OCT_1, OCT_31)
    notice = db.session.query(Notice).filter_by(kind="statement").one()
    assert (notice.letter_id, notice.subject) == (
        letter.id, "Statement of City of Bayfield to October 12, 2026: $52.32 owed",
    )  # fmt: skip
    assert notice.body == (
        "Your account for unloading septage from October 1, 2026 to October 12, 2026: $52.32 owed at its end.\n"
        "The statement is on your Money page after you sign in."
    )


def test_days_the_wrong_way_round_are_refused_on_the_form_and_by_the_act(app: Any, two: Any) -> None:
    account = books.account(two[0])
    assert sent(account, date(2026, 11, 1), OCT_31) == Refusal(
        "wrong_days", "The first day must be October 12, 2026 or earlier.", ""
    )
    boxes = {"first-month": "10", "first-day": "6", "first-year": "2026", "last-month": "10", "last-day": "5",
             "last-year": "2026"}  # fmt: skip
    clerk, address = signed_in(app, "clerk"), f"/bayfield/clerk/accounts/{account.id}/statement"
    assert "To must be October 6, 2026 or later" in text_of(clerk.get(address, query_string=boxes))
    good = clerk.get(address, query_string=boxes | {"last-day": "9"})
    assert good.location == f"{address}?from=2026-10-06&to=2026-10-09"


def test_a_longer_account_takes_no_more_queries(app: Any, two: Any) -> None:
    clerk, counts = signed_in(app, "clerk"), []
    address = f"/bayfield/clerk/accounts/{books.account(two[0]).id}/statement?{SPAN}"
    for _ in range(2):
        clerk.get(address)
        with queries() as seen:
            clerk.get(address)
        counts.append(len([one for one in seen if one.startswith("SELECT")]))
        for n in range(5):
            books.load(two[0], 100 + n, OCT_6)
        books.bill(two[0], OCT_9)
        db.session.commit()
    assert counts == [12, 12]


def test_a_statement_is_of_the_account_as_it_is_locked(app: Any, two: Any) -> None:
    """So that a payment entered meanwhile is on it with its sum, or with neither."""
    asked: list[str] = []

    def note(run: Any) -> None:
        if run.is_select and run.statement._for_update_arg is not None:
            asked.append(str(run.statement.get_final_froms()[0]))

    account = books.account(two[0])
    event.listen(db.session, "do_orm_execute", note)
    try:
        assert isinstance(sent(account, OCT_1, OCT_12), Letter)
    finally:
        event.remove(db.session, "do_orm_execute", note)
    assert "account" in asked


def told_late(who: Party, gallons: int, day: date, source: int) -> None:
    """A load that is told after its day: its line is the newest entered, dated its day."""
    line = books.volume(world.law(day), day, gallons)
    known: dict[str, Any] = {"by": world.staff("clerk"), "at": books.noon(day), "law": world.law(day)}
    made: Any = actions.post_charges(world.plant(), who.id, [line], "load", source, day, label="Load", **known)
    assert made[0].on_day == day
    db.session.commit()


def rows_of(letter: Letter) -> list[tuple[str, str, str]]:
    return [(one["day"], one["amount"], one["balance"]) for one in (*letter.data["earlier"], *letter.data["rows"])]


def test_a_line_dated_back_is_on_the_next_statement_which_opens_as_the_last_one_closed(app: Any) -> None:
    who = books.party()
    books.load(who)
    account = books.account(who)
    first: Any = sent(account, SEP_1, SEP_30, OCT_1)
    assert (first.data["closing"], first.data["earlier"]) == ("$48.16", [])
    told_late(who, 2000, SEP_30, 501)
    books.pay(who, "10.00", OCT_6)
    second: Any = sent(account, OCT_1, OCT_9, OCT_9)
    assert second.data["opening"] == first.data["closing"] == "$48.16"
    assert second.data["earlier_words"] == "Of earlier days, entered since the statement to September 30, 2026 was sent"
    assert rows_of(second) == [
        ("September 30, 2026", "$48.00", "$96.16"), ("October 6, 2026", "−$10.00", "$86.16"),
    ]  # fmt: skip
    assert second.data["closing"] == "$86.16"
    # On the third it is not listed again; what came of the days of both since is.
    told_late(who, 1000, SEP_30, 502)
    told_late(who, 500, OCT_6, 503)
    third: Any = sent(account, date(2026, 10, 10), OCT_31, OCT_31)
    assert (third.data["opening"], third.data["closing"]) == ("$86.16", "$122.16")
    assert rows_of(third) == [("September 30, 2026", "$24.00", "$110.16"), ("October 6, 2026", "$12.00", "$122.16")]
    db.session.commit()
    client = signed_in(app, "clerk")
    text = words_of(letters.render("statement", second.data))
    assert (
        "Owed before October 1, 2026 $48.16 Of earlier days, entered since the statement to September 30, 2026 was "
        "sent September 30, 2026 Septage unloaded Load $48.00 $96.16 Of these days October 6, 2026 Payment by check"
    ) in text
    assert "What is entered later is on the next statement, also of days before it begins." in text
    page = text_of(client.get(f"/bayfield/clerk/accounts/{account.id}/statement?from=2026-10-01&to=2026-10-09"))
    assert (
        page.index("Owed before October 1, 2026") < page.index("Of earlier days, entered since") < page.index("$48.00")
    )
    # A statement of the first days again goes on from none: it has the lines in their place.
    again: Any = sent(account, SEP_1, SEP_30, OCT_31)
    assert (again.data["opening"], again.data["closing"], again.data["earlier"]) == ("$0.00", "$120.16", [])


def test_a_line_dated_back_is_on_one_statement_though_a_part_of_its_month_was_sent_again(app: Any) -> None:
    who = books.party()
    books.load(who)
    account = books.account(who)
    sent(account, SEP_1, SEP_30, OCT_1)
    told_late(who, 2000, date(2026, 9, 15), 501)
    again: Any = sent(account, date(2026, 9, 20), SEP_30, OCT_6)
    assert [one["amount"] for one in again.data["earlier"]] == ["$48.00"]
    assert again.data["earlier_words"] == "Of earlier days, entered since the statement to September 30, 2026 was sent"
    told_late(who, 1000, date(2026, 9, 16), 502)
    after: Any = sent(account, OCT_1, OCT_9, OCT_9)
    assert [one["amount"] for one in after.data["earlier"]] == ["$24.00"]
    assert after.data["opening"] == again.data["closing"]


def test_what_is_entered_in_the_evening_of_a_statements_day_is_on_the_next(app: Any, two: Any) -> None:
    account = books.account(two[0])
    first: Any = sent(account, OCT_1, OCT_12, OCT_12)
    books.load(two[0], 1000, OCT_12)
    second: Any = sent(account, date(2026, 10, 13), OCT_31, OCT_31)
    assert second.data["opening"] == first.data["closing"] == "$52.32"
    assert [one[:2] for one in rows_of(second)] == [("October 12, 2026", "$24.00"), ("October 12, 2026", "$12.16")]


def test_a_statement_sent_before_statements_kept_their_newest_line_counts_by_when_it_was_sent(app: Any) -> None:
    who = books.party()
    books.load(who)
    account = books.account(who)
    first: Any = sent(account, SEP_1, SEP_30, OCT_1)
    first.data = {key: value for key, value in first.data.items() if key not in ("newest", "last_day")}
    books.load(who, 500, OCT_6)
    line = books.volume(world.law(SEP_30), SEP_30, 2000)
    actions.post_charges(world.plant(), who.id, [line], "load", 501, SEP_30, by=world.staff("clerk"),
                         at=books.noon(OCT_6), law=world.law(SEP_30))  # fmt: skip
    found = statement(account.id, OCT_1, OCT_9, [first])
    assert (found.opening_cents, [one.balance_cents for one in found.earlier]) == (4816, [9616])
    db.session.rollback()

"""The numbered receipt of an application, and the filing fee in words."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from haulers.models import Application, ApplicationSource
from haulers.queries import totals
from haulers.queries.answers import answers_of, source_words
from haulers.queries.as_sent import company_words, file_words
from haulers.queries.came import came_words, receipt_day
from haulers.queries.completeness import filed_or_complete
from haulers.queries.words import ended
from office import letters
from office.formats import date_only, day, gallons, money
from office.letters import Letter
from office.people import Party
from office.plants import Plant
from ordinances import fees
from ordinances.allocation import AREAS
from ordinances.calendar import FilingStatus
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES


def fee_words(law: Law, on: date) -> str:
    """What the filing fee is, or that it is not set, as clerks and haulers read it."""
    line = fees.filing_fee(law, on)
    if isinstance(line, Refusal):
        return f"{line.why} {line.next_step or ''}".strip()
    first = " Nothing is decided before it is paid." if fees.fee_before_decision(law, on) else ""
    again = fees.filing_fee(law, on, renewal=True)
    other = not isinstance(again, Refusal) and again.cents != line.cents
    renewed = f", {money(again.amount)} for a renewal" if other and not isinstance(again, Refusal) else ""
    return f"The filing fee is {money(line.amount)}{renewed}. It is not refunded.{first}"


def fee_day(application: Application, law: Law, on: date) -> date:
    """The day whose filing fee an application owes: that it was sent on, or ``on`` where none was set then."""
    sent = application.filed_at.astimezone(law.zone).date() if application.filed_at is not None else on
    return on if isinstance(fees.filing_fee(law, sent), Refusal) else sent


def fee_amount(law: Law, on: date) -> str:
    """The filing fee as an amount: "$75.00"; "" where none is set or a renewal has another."""
    first, again = fees.filing_fee(law, on), fees.filing_fee(law, on, renewal=True)
    if isinstance(first, Refusal) or isinstance(again, Refusal) or first.cents != again.cents:
        return ""
    return money(first.amount)


def fee_due_words(law: Law, on: date) -> str:
    """What a hauler who has sent an application does about its fee."""
    if isinstance(fees.filing_fee(law, on), Refusal):
        return f"{fee_words(law, on)} There is nothing to pay now."
    return f"{fee_words(law, on)} Pay it at City Hall or by mail; it was not received yet."


def write_receipt(plant: Plant, party: Party, application: Application, sources: Sequence[ApplicationSource],
                  status: FilingStatus, law: Law, *, taken: datetime | None = None) -> Letter:  # fmt: skip
    """Freeze the receipt: number, instant, every source as stated, what happens next.

    ``taken`` is when the committee's vote to take it late was recorded; the receipt is of then.
    """
    assert application.filed_at is not None
    standing = filed_or_complete(None, law, _day(application, law))
    data = _said(application, sources, law, status.cite) | {
        "fee": fee_words(law, _day(application, law)),
        "standing": f"{standing.word}. {standing.sentence} {standing.reading or ''}".strip(),
        "decide_by": day(status.decide_by),
        "state_date": "Sent on or after the state's own date; the duty to accept in winter may be contested."
        if status.late_for_state else "",
    }  # fmt: skip
    if taken is not None:
        asked = came_words(application, law)
        data["opening"] = f"The committee voted to take your application {application.number} for season "
        data["opening"] += f"{application.season} late. " + ended(f"You asked for it on {asked}")
        if taken.astimezone(law.zone).date() > status.decide_by:
            data["next"] = "The committee decides on your application now."
    return letters.write(plant, party, "application_receipt", f"Receipt for application {application.number}", data,
                         taken or receipt_day(application), law_version=law.version,
                         number=application.number)  # fmt: skip


def write_late_receipt(plant: Plant, party: Party, application: Application, sources: Sequence[ApplicationSource],
                       cite: str, law: Law) -> Letter:  # fmt: skip
    """Freeze the receipt of a late request: what was asked, and that nothing is filed by asking (§ 329-7 B(1))."""
    assert application.filed_at is not None
    data = _said(application, sources, law, cite) | {
        "fee": "No filing fee is due before the committee takes it.", "standing": "", "decide_by": "", "state_date": "",
        "opening": f"On {came_words(application, law)}, you asked the committee to take your application for season "
                   f"{application.season} late. The request has the number {application.number}. Why it comes late: "
                   f"{application.late_reason}",
        "next": "It is not filed by asking. The committee votes on whether to take it; it need not take it. If it "
                "does, you receive another receipt, and it decides on your application then.",
    }  # fmt: skip
    return letters.write(plant, party, "late_receipt", f"Receipt for late request {application.number}", data,
                         receipt_day(application), law_version=law.version, number=application.number,
                         template="application_receipt")  # fmt: skip


def _said(application: Application, sources: Sequence[ApplicationSource], law: Law, cite: str) -> dict[str, Any]:
    """What was sent, as every receipt repeats it."""
    assert application.filed_at is not None
    sums = totals(sources)
    return {
        "season": application.season, "filed": came_words(application, law),
        "declared": application.declared_by, "licence": _licence(application),
        "sources": [_source(row) for row in sources],
        "winter": gallons(sums.asked_winter), "rest": gallons(sums.asked_rest), "total": gallons(sums.asked),
        "paper": _paper(application), "cite": cite,
        "answers": [[name, words] for name, words in answers_of(application).rows() if words],
        "company": [[name, words] for name, words in _company(application) if words],
        "files": [file_words(one) for one in (application.sent or {}).get("files", ())],
    }  # fmt: skip


def _day(application: Application, law: Law) -> date:
    assert application.filed_at is not None
    return application.filed_at.astimezone(law.zone).date()


def _company(application: Application) -> list[tuple[str, str]]:
    """What the application rests on besides name, address and license, which stand above it in the letter."""
    sent = application.sent or {}
    rows = company_words(sent)[2:] if "company" in sent else []
    return [(name, words) for name, words in rows if name != "State license"]


def _paper(application: Application) -> str:
    if application.received_on is None:
        return ""
    return f"Your paper was entered here by {application.entered_by}."


def _licence(application: Application) -> str:
    if not application.licence_number or application.licence_ends_on is None:
        return ""
    return f"{application.licence_number}, good until {date_only(application.licence_ends_on)}"


def _source(row: ApplicationSource) -> dict[str, str]:
    return {
        "what": WASTE_TYPES.get(row.waste, ""), "place": row.place, "area": AREAS.get(row.area, ""),
        "tank": dict(source_words(row))["The tank"],
        "often": ", ".join(filter(None, (row.frequency, row.months))),
        "load": gallons(row.gallons_a_load or 0), "winter": gallons(row.gallons_winter or 0),
        "rest": gallons(row.gallons_rest or 0),
    }  # fmt: skip

"""A records request gathers what the plant holds of one hauler between two days, and stays in the history."""

import csv
import io
import zipfile
from datetime import date
from typing import Any
from uuid import uuid4

from billing.actions import make_invoices
from haulers.queries import party_of_business
from intake.queries.records_request import gather
from office.db import db
from office.exports import Export, hand_out
from office.jobs import tick
from office.journal import JournalEntry
from tests import world
from tests.billing.test_routes import send, signed_in, text_of
from tests.intake.gatehouse import good, log
from tests.intake.plant import hauler

OCT_6 = date(2026, 10, 6)


def two_haulers() -> tuple[Any, Any]:
    first = hauler("=Nuñez & Sons")
    second = hauler("Birch Example Pumping")
    good(log(first, 500))
    good(log(second, 300, at="2026-10-06T08:00"))
    make_invoices(world.plant(), by=world.staff("clerk"), at=world.at("2026-10-07T10:00"), law=world.law())
    db.session.commit()
    tick(world.at("2026-10-07T10:05"))
    return first, second


def asked(client: Any, who: Any, **more: str) -> Any:
    form = {"business": str(who.business_id), "asked_by": "The Ashland Daily Press", "first-month": "10",
            "first-day": "6", "first-year": "2026", "last-month": "10", "last-day": "7",
            "last-year": "2026"}  # fmt: skip
    return send(client, "/clerk/records", once=uuid4().hex, **(form | more))


def table(whole: zipfile.ZipFile, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(whole.read(name).decode("utf-8-sig"), newline="")))


def test_everything_of_one_hauler_is_one_file_and_the_request_is_kept(app: Any, clock_at: Any) -> None:
    first, _second = two_haulers()
    clock_at("2026-10-08T09:00")
    clerk = signed_in(app, "clerk")
    answer = asked(clerk, first)
    made = db.session.query(Export).one()
    assert answer.location == f"/bayfield/clerk/records/{made.id}"
    assert (made.kind, made.party_id, made.asked_by) == (
        "records", party_of_business(first.business_id).id, "The Ashland Daily Press",
    )  # fmt: skip
    entry = db.session.query(JournalEntry).filter_by(table_name="export", record_id=made.id).one()
    assert (entry.act, entry.reason) == ("hand_out", "Asked for by The Ashland Daily Press")
    page = text_of(clerk.get(answer.location))
    assert 'Loads with results and charges</th><td class="num">1</td>' in page
    assert 'Lines of the ledger</th><td class="num">2</td>' in page
    file = clerk.get(f"{answer.location}/zip")
    assert file.headers["Content-Disposition"].endswith("-2026-10-06-2026-10-07.zip")
    whole = zipfile.ZipFile(io.BytesIO(file.get_data()))
    (load,) = table(whole, "loads.csv")
    assert (load["Hauler"], load["Gallons"], load["Charged in all"]) == ("'=Nuñez & Sons", "500", "24.16")
    assert [row["Amount"] for row in table(whole, "ledger.csv")] == ["12.00", "12.16"]
    letters = table(whole, "letters.csv")
    assert [(one["Kind"], one["Number"]) for one in letters] == [("ticket", "2026-00001"), ("invoice", "2026-00001")]
    assert [whole.read(one["File"])[:5] for one in letters] == [b"%PDF-"] * 2
    assert [one["Subject"] for one in table(whole, "messages.csv")][:1] == [
        "Load ticket 2026-00001: 500 gallons, $24.16"
    ]
    assert table(whole, "applications.csv") == []
    done = {row["What was done"] for row in table(whole, "history.csv")}
    assert {"log load", "make invoices"} <= done
    assert {part.date_time for part in whole.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    index = whole.read("index.html").decode()
    assert "Records of =Nuñez &amp; Sons" in index
    assert "Birch" not in "".join(whole.read(name).decode("utf-8-sig") for name in whole.namelist()
                                  if not name.endswith(".pdf"))  # fmt: skip


def test_a_request_names_who_asks_and_days_in_order(app: Any, clock_at: Any) -> None:
    clerk = signed_in(app, "clerk")
    clock_at("2026-10-08T09:00")
    assert "No hauler has applied at this plant yet" in text_of(clerk.get("/bayfield/clerk/records"))
    who = hauler("Birch Example Pumping")
    db.session.commit()
    assert "Enter who asks for them" in text_of(asked(clerk, who, asked_by=" "))
    assert "To must be October 6, 2026 or later" in text_of(asked(clerk, who, **{"last-day": "5"}))
    late = text_of(asked(clerk, who, **{"first-day": "20", "last-day": "21"}))
    assert "From must be October 8, 2026 or earlier" in late
    assert "To must be October 8, 2026 or earlier" in late
    assert "From must be after December 31, 2025" in text_of(asked(clerk, who, **{"first-year": "1900"}))
    assert db.session.query(Export).count() == 0
    assert clerk.get("/bayfield/clerk/records/99").status_code == 404


def test_gathering_asks_no_more_for_more_rows(app: Any) -> None:
    from sqlalchemy import event

    first, _second = two_haulers()
    made: Any = hand_out(world.plant(), "records", OCT_6, OCT_6, asked_by="x", by=world.staff("clerk"),
                         party_id=party_of_business(first.business_id).id, at=world.at("2026-10-08T09:00"))  # fmt: skip
    assert gather(world.plant(), made).applications == []
    wide: Any = hand_out(world.plant(), "records", date(2026, 1, 1), OCT_6, asked_by="x", by=world.staff("clerk"),
                         party_id=made.party_id, at=world.at("2026-10-08T09:00"))  # fmt: skip
    (sent,) = gather(world.plant(), wide).applications
    assert (sent[1], sent[2]) == ("2026-27", "approved")
    found: list[str] = []
    event.listen(db.engine, "before_cursor_execute", lambda *a: found.append(a[2]))
    counts = []
    for n in range(3):
        gather(world.plant(), made)  # the first after a change asks again who somebody is
        found.clear()
        gather(world.plant(), made)
        counts.append(len(found))
        good(log(first, 50 + n, at=f"2026-10-06T09:{10 * n:02}"))
    assert counts[1] == counts[2]

"""The clerk's, the committee's and the Director's pages."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from sqlalchemy import event, func, select

from haulers.models import Application, Approval, Decision, FilingFee, Motion, Revocation
from haulers.ports import Record
from office.db import db
from tests import world
from tests.haulers.builders import OUTSIDE, SOURCE, approved, filed, hauler, votes
from tests.haulers.test_pages_hauler import once, signed_in, text

SHOWN = "O&#39;Brien &amp; Søn Septic, L.L.C."


def count(model: Any) -> int:
    return db.session.scalar(select(func.count(model.id))) or 0


def decision(*rows: dict[str, str], ballot: str = "aye", **more: str) -> dict[str, str]:
    first, second, _ = ids = list(votes())
    data = {"held_on-month": "9", "held_on-day": "15", "held_on-year": "2026", "words": "Approve as shown.",
            "mover": str(first), "seconder": str(second)}  # fmt: skip
    data |= {f"vote_{ident}": ballot for ident in ids}
    data |= {f"rows-{n}-{name}": value for n, row in enumerate(rows) for name, value in row.items()}
    return data | more | once()


def full(application: Application) -> dict[str, str]:
    return {"application_id": str(application.id), "outcome": "approved", "gallons_winter": "12,000",
            "gallons_rest": "8000"}  # fmt: skip


def test_the_clerk_records_the_fee_and_the_receipt_is_numbered(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-20T09:00")
    application = filed(hauler())
    client = signed_in(app, "clerk")
    page = text(client.get("/bayfield/clerk/filings"))
    assert SHOWN in page
    assert "Record the fee" in page
    address = f"/bayfield/clerk/filings/{application.id}/fee"
    assert "$75.00" in text(client.get(address))
    paid = {"method": "check", "reference": "1042", "received_on-month": "8", "received_on-day": "19",
            "received_on-year": "2026"}  # fmt: skip
    answer = client.post(address, data=paid | once())
    assert answer.location == "/bayfield/clerk/receipts/2026-00001"
    assert "/bayfield/clerk/receipts/2026-00001" in text(client.get(f"/bayfield/clerk/filings/{application.id}"))
    fee = db.session.scalars(select(FilingFee)).one()
    assert fee.paid_on == date(2026, 8, 19)
    again = client.post(address, data=paid | once())
    assert "is recorded already" in text(again)
    assert count(FilingFee) == 1


def test_a_fee_that_is_not_set_is_said_and_filing_works(app: Any, clock_at: Any) -> None:
    from office.access import Role, system
    from office.acts import act
    from office.plants import PlantRow

    @act("test_no_fee", roles=(Role.SYSTEM,))
    def no_fee(*, by: Any, at: Any) -> bool:
        for row in db.session.scalars(select(PlantRow).filter_by(key="fees.filing")):
            row.since = date(2027, 1, 1)
        return True

    clock_at("2026-08-20T09:00")
    no_fee(by=system(), at=world.START)
    db.session.commit()
    application = filed(hauler())
    client = signed_in(app, "clerk")
    page = text(client.get(f"/bayfield/clerk/filings/{application.id}/fee"))
    assert "The filing fee is not set: no resolution with its amount is in force." in page
    assert application.state == "filed"


def test_the_committee_sees_inside_first_against_capacity(app: Any, clock_at: Any, before: Any) -> None:
    clock_at("2026-09-22T09:00")
    outside = filed(hauler("Outside Septic", "outside@hauler.example"), OUTSIDE, at="2026-08-02T09:00")
    inside = filed(hauler(), SOURCE)
    before.records = {inside.business_id: Record(7, 9000, 1, 2)}
    client = signed_in(app, "member1")
    from haulers import ports

    ports.provide(before)
    page = text(client.get("/bayfield/committee"))
    assert "Decide by <b>Thursday, October 1, 2026</b>: 9 days left. 2 applications, 0 decided." in page
    assert page.index(f"{SHOWN}</a>") < page.index("Outside Septic</a>")
    assert "Haulers asked for 15,000 gallons; the plant can take 209,790" in page
    assert "Tier 1 asks for 12,000 gallons of 209,790: all of it fits." in page
    assert "9,000" in page
    assert "2 late records" in page
    assert "Fee not received" in page
    one = text(client.get(f"/bayfield/committee/2026-27/{int(str(outside.number).split('/')[1])}"))
    assert "Priority 4" in one
    assert "NR 205.07(2)(e)4, Wis. Adm. Code" in one
    assert client.get("/bayfield/committee/2026-27/99").status_code == 404


def test_after_october_first_what_is_undecided_is_overdue_and_not_approved(app: Any, clock_at: Any) -> None:
    filed(hauler())
    client = signed_in(app, "member1")
    clock_at("2026-10-01T23:59:59")
    assert "Decide by <b>Thursday, October 1, 2026</b>: today." in text(client.get("/bayfield/committee"))
    clock_at("2026-10-02T00:00:00")
    assert "1 application is past the October 1, 2026 date" in text(client.get("/bayfield/committee"))
    assert count(Approval) == 0


def test_decide_reviews_first_and_records_only_then(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    application = filed(hauler())
    client = signed_in(app, "clerk")
    address = "/bayfield/committee/2026-27/decide"
    assert 'value="12,000"' in text(client.get(f"{address}?application={application.id}"))
    review = client.post(address, data=decision(full(application), step="review"))
    assert review.status_code == 200
    assert "Approved 20,000 of 20,000 gallons." in text(review)
    assert (count(Motion), count(Decision)) == (0, 0)
    done = client.post(address, data=decision(full(application), step="record"))
    motion = db.session.scalars(select(Motion)).one()
    assert done.location == f"/bayfield/committee/motions/{motion.id}"
    page = text(client.get(done.location))
    assert "Roll call: 3 aye, 0 no, 0 abstained, 0 absent, 0 recused. Aye: Member1" in page
    assert "Motion carried." in page
    assert db.session.scalars(select(Decision)).one().letter_id is None
    assert (count(Approval), application.state) == (0, "filed")


@pytest.mark.parametrize(
    ("change", "target", "words"),
    [
        ({"rows-0-outcome": "rejected", "rows-0-gallons_winter": "0", "rows-0-gallons_rest": "0"}, "rows-0-reason",
         f"{SHOWN}: enter why the application was rejected."),
        ({"rows-0-gallons_rest": "9000"}, "rows-0-gallons_winter",
         f"{SHOWN}: approved gallons must not be more than asked for "
         "(12,000 in winter, 8,000 in the rest of the year)."),
        ({"held_on-day": "17"}, "held_on-month",
         "The meeting date must be today or earlier: votes are recorded as taken."),
        ({"words": ""}, "words", "Enter the words of the motion"),
    ],
)  # fmt: skip
def test_what_the_act_refuses_is_said_at_its_field(app: Any, clock_at: Any, change: dict[str, str], target: str,
                                                   words: str) -> None:  # fmt: skip
    clock_at("2026-09-16T09:00")
    application = filed(hauler())
    client = signed_in(app, "clerk")
    answer = client.post("/bayfield/committee/2026-27/decide",
                         data=decision(full(application), step="review") | change)  # fmt: skip
    assert answer.status_code == 422
    assert f'<li><a href="#{target}">{words}</a></li>' in text(answer)
    assert count(Motion) == 0


def test_a_missing_vote_and_all_present_voted_aye(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    application = filed(hauler())
    client = signed_in(app, "clerk")
    address, third = "/bayfield/committee/2026-27/decide", list(votes())[2]
    data = decision(full(application), step="review")
    del data[f"vote_{third}"]
    assert "Record a vote for Member3 of the City" in text(client.post(address, data=data))
    page = text(client.post(address, data=data | {"step": "aye"}))
    assert "<h1>Read back the decision</h1>" in page
    assert page.count("<td>Aye</td>") == 3
    assert f'<input type="hidden" name="vote_{third}" value="aye">' in page
    said = data | {"step": "aye", f"vote_{third}": "absent"}
    assert (text(client.post(address, data=said)).count("<td>Aye</td>"), count(Motion)) == (2, 0)


def test_an_excess_can_be_accepted_on_the_page_only_when_there_is_one(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    much = filed(hauler(), replace(SOURCE, gallons_winter=400000))
    client, address = signed_in(app, "clerk"), "/bayfield/committee/2026-27/decide"
    assert "The committee accepts this" not in text(client.get(address))
    data = decision(full(much) | {"gallons_winter": "400,000", "departure": "It can be stored"}, step="review")
    page = text(client.post(address, data=data))
    assert "more than the plant can take" in page
    assert "The committee accepts this" in page
    assert "Read back the decision" in text(client.post(address, data=data | {"over_capacity": "1"}))


def test_all_present_voted_aye_keeps_the_votes_beside_what_is_missing_yet(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    data = {name: value for name, value in decision(full(filed(hauler())), step="aye").items()
            if name != "words" and not name.startswith("vote_")}  # fmt: skip
    page = text(signed_in(app, "clerk").post("/bayfield/committee/2026-27/decide", data=data))
    assert "Enter the words of the motion" in page
    assert page.count('value="aye" checked') == 3


@pytest.mark.parametrize(
    ("others", "lost"),
    [
        (("aye", "aye"), ""),
        (("aye", "absent"), ""),
        (("abstain", "absent"), ""),
        (("no", "recused"), "Tie: 1 aye, 1 no."),
        (("no", "no"), "Voted down: 1 aye, 2 no."),
    ],
)
def test_the_read_back_says_why_a_motion_does_not_carry(app: Any, clock_at: Any, others: tuple[str, str],
                                                        lost: str) -> None:  # fmt: skip
    clock_at("2026-09-16T09:00")
    application = filed(hauler())
    client = signed_in(app, "clerk")
    _, second, third = votes()
    data = decision(full(application), step="review") | {f"vote_{second}": others[0], f"vote_{third}": others[1]}
    data["conflicts"] = "Member3 is related to a hauler." if "recused" in others else ""
    page = text(client.post("/bayfield/committee/2026-27/decide", data=data))
    assert "Read back the decision" in page
    assert ("The motion does not carry" in page, lost in page) == (bool(lost), True)
    done = client.post("/bayfield/committee/2026-27/decide", data=data | {"step": "record"} | once())
    assert done.status_code == 303
    assert db.session.scalars(select(Motion.lost)).one() == lost


def test_an_application_of_no_such_id_is_not_found(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    application = filed(hauler())
    client = signed_in(app, "clerk")
    row = full(application) | {"application_id": "999"}
    assert client.post("/bayfield/committee/2026-27/decide", data=decision(row, step="record")).status_code == 404


def test_the_director_checks_the_letter_then_revokes_and_sends(app: Any, clock_at: Any) -> None:
    clock_at("2026-10-20T09:00")
    approval = approved(hauler())
    client = signed_in(app, "director")
    assert "Revoke…" in text(client.get("/bayfield/director/approvals"))
    address = f"/bayfield/director/approvals/{approval.id}/revoke"
    empty = client.post(address, data={"step": "check"} | once())
    assert empty.status_code == 422
    assert "Enter the reason. The ordinance requires it in writing" in text(empty)
    rule = "§ 329-7 C(3): Filing the written record of each load in time"
    typed = {"rule": rule, "reason": "Three loads without a record.", "when": "now"}
    check = text(client.post(address, data=typed | {"step": "check"} | once()))
    assert "revoked from Tuesday, October 20, 2026, 9:00 a.m." in check
    assert "Revoke and send" in check
    assert count(Revocation) == 0
    done = client.post(address, data=typed | {"step": "send"} | once())
    assert done.location == f"/bayfield/director/approvals/{approval.id}/revoked"
    page = text(client.get(done.location))
    assert "clerk@city.example" in page
    assert "Not mailed: no mail server is set" in page
    assert "Revoked since October 20, 2026" in text(app.test_client().get("/bayfield/approved"))
    theirs = text(signed_in(app).get(f"/bayfield/hauler/apply/sent/{approval.application_id}"))
    assert "is revoked from Tuesday, October 20, 2026, 9:00 a.m." in theirs
    assert "Three loads without a record." in theirs
    table = text(signed_in(app, "member1").get("/bayfield/committee?season=2026-27"))
    assert "Revoked October 20, 2026" in table


def test_a_hauler_may_not_open_the_citys_pages(app: Any, clock_at: Any) -> None:
    clock_at("2026-10-20T09:00")
    approval = approved(hauler())
    client = signed_in(app)
    for one in ("/clerk/filings", "/committee", "/committee/2026-27/1", "/committee/2026-27/decide",
                f"/director/approvals/{approval.id}/revoke", "/letters/1"):  # fmt: skip
        assert client.get(f"/bayfield{one}").status_code == 403, one


def test_queries_of_the_committee_table_do_not_grow_with_applications(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    filed(hauler())
    client = signed_in(app, "member1")

    def queries(address: str) -> int:
        client.get(address)
        seen: list[str] = []
        listener = lambda *args: seen.append(args[2])  # noqa: E731
        event.listen(db.engine, "before_cursor_execute", listener)
        assert client.get(address).status_code == 200
        event.remove(db.engine, "before_cursor_execute", listener)
        return len(seen)

    addresses = ("/bayfield/committee", "/bayfield/approved")
    few = [queries(one) for one in addresses]
    for n in range(5):
        filed(hauler(f"Hauler {n}", f"h{n}@hauler.example"))
    db.session.commit()
    assert [queries(one) for one in addresses] == few

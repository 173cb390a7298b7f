"""Another version of the law at a running plant: checked, shown in words, told sixty days ahead where it is dearer."""

from datetime import date
from typing import Any

import pytest

from billing.actions import laws as acts
from office.access import system
from office.db import db
from office.journal import JournalEntry
from office.law import Adoption, adopt_law, law_in_force
from office.law_drafts import LawDraft, LawTold
from office.letters import Letter
from office.notices import Notice
from ordinances.fees import for_load
from ordinances.law_text import toml_of
from ordinances.reader import load_profile, profile_from_toml, shipped
from ordinances.refusal import Refusal
from tests import world
from tests.billing import books
from tests.billing.test_fees_pages import words
from tests.billing.test_routes import send, signed_in
from tests.intake.plant import book, hauler, session
from tests.intake.plant import queries as counted
from tests.ordinances.town import item

OCT_6, OCT_7, DEC_4, DEC_5 = date(2026, 10, 6), date(2026, 10, 7), date(2026, 12, 4), date(2026, 12, 5)
LEAST = "A fee rises 60 days after every approved hauler was told, or later."
BY = {"resolution": "Ordinance 401 of October 5, 2026", "basis": "Power and staff of 2026, $31,000"}
DAY = {"since-month": "12", "since-day": "5", "since-year": "2026"}
FORM = DAY | BY
# Director, plant manager, operator and clerk of the plant of these tests.
STAFF = 4


@pytest.fixture
def two(app: Any, clock_at: Any) -> Any:
    clock_at("2026-10-06T10:00")
    return hauler("Apostle Pumping"), hauler("Birch Pumping", number=2)


def dearer(price: str = "0.026") -> Any:
    return changed('price = "0.024"', f'price = "{price}"')


def changed(old: str, new: str) -> Any:
    text = shipped()["bayfield"].read_text(encoding="utf-8")
    assert text.count(old) == 1
    return profile_from_toml(text.replace(old, new))


def draft(profile: Any = None, since: date = DEC_5, on: date = OCT_6, **more: Any) -> Any:
    return acts.draft_law(world.plant(), profile or dearer(), since, **(BY | more),
                          by=world.staff("clerk"), at=books.noon(on), law=world.law(on))  # fmt: skip


def tell(row: LawDraft, since: date = DEC_5, on: date = OCT_6) -> Any:
    return acts.tell_of_law(world.plant(), row, since, by=world.staff("clerk"), at=books.noon(on), law=world.law(on))


def adopt(row: LawDraft, since: date = DEC_5, on: date = OCT_7, who: str = "clerk") -> Any:
    return acts.adopt_draft(world.plant(), row, since, by=world.staff(who), at=books.noon(on), law=world.law(on))


def seen(client: Any, address: str) -> str:
    return words(client.get(address).get_data(as_text=True))


def cents(day: date) -> str:
    found: Any = for_load(law_in_force(world.plant(), day), [(day, 1000)], "septic_tank", tested=False)
    return str(found[0].amount)


def test_a_version_that_raises_a_charge_nobody_was_told_of_is_adopted_by_no_way(two: Any) -> None:
    row = draft()
    refused: Any = adopt(row)
    assert (refused.code, refused.cite) == ("not_told", "§ 281.49(12), Wis. Stats.")
    assert refused.why == (
        f"{LEAST} Not told of this yet: Apostle Pumping, Birch Pumping. Told today, it can start on December 6, 2026."
    )
    by_system: Any = adopt_law(world.plant(), dearer(), DEC_5, "Ord. 401", by=system(), at=books.noon(OCT_6))
    assert by_system.code == "not_told"
    assert db.session.query(Adoption).count() == 1


def test_told_in_time_it_starts_on_its_day_and_loads_before_keep_the_old_price(two: Any) -> None:
    row = draft()
    assert len(tell(row)) == 2
    early: Any = adopt(row, since=DEC_4)
    assert (early.code, early.why.split(":")[0]) == ("not_told", f"{LEAST} Not told of this yet")
    made = adopt(row)
    assert isinstance(made, Adoption), made
    assert (made.basis, made.resolution, row.adoption_id) == (BY["basis"], BY["resolution"], made.id)
    db.session.commit()
    assert (cents(DEC_4), cents(DEC_5)) == ("24.00", "26.00")


@pytest.mark.parametrize(("price", "code"), [("0.0261", "not_told"), ("0.026", None), ("0.025", None)])
def test_who_was_told_of_so_much_was_told_of_less_too(two: Any, price: str, code: str | None) -> None:
    tell(draft())
    answer = adopt(draft(dearer(price)))
    assert (answer.code if isinstance(answer, Refusal) else None) == code


def test_the_day_of_the_last_letter_counts_and_a_later_day_is_told_instead(two: Any) -> None:
    row = draft(since=DEC_4)
    late: Any = tell(row, since=DEC_4)
    assert (late.code, late.why) == ("told_too_late", "Told today, it can start on December 5, 2026 or later.")
    assert len(tell(row, since=DEC_5)) == 2
    assert row.since == DEC_5
    hauler("Cedar Pumping", number=3)
    missing: Any = adopt(row)
    assert "Not told of this yet: Cedar Pumping. Told today, it can start on December 6" in missing.why
    assert len(tell(row, since=date(2026, 12, 6), on=OCT_7)) == 1
    assert adopt(row).code == "not_told"
    assert isinstance(adopt(row, since=date(2026, 12, 6)), Adoption)


def test_the_letter_says_old_and_new_its_cost_basis_and_how_to_dispute(two: Any) -> None:
    tell(draft())
    letters = db.session.query(Letter).filter_by(kind="fee_notice").order_by(Letter.id).all()
    notices = db.session.query(Notice).filter_by(kind="fee_notice").order_by(Notice.id).all()
    assert [one.to_name for one in notices] == ["Apostle Pumping", "Birch Pumping"]
    assert notices[0].subject == "Charges rise from December 5, 2026"
    assert letters[0].data["paragraphs"][:4] == notices[0].body.splitlines()[:4] == [
        "City of Bayfield raises what haulers of septage pay, by Ordinance 401 of October 5, 2026.",
        "Septage unloaded: $0.024 a gallon until now, $0.026 a gallon from Saturday, December 5, 2026 on "
        "(§ 329-7 F(2); § 329-2 B(2)(d)).",
        "What it rests on: Power and staff of 2026, $31,000.",
        "Each approved hauler is told 60 days ahead or earlier (§ 281.49(12), Wis. Stats.).",
    ]  # fmt: skip


def test_a_version_that_falls_starts_tomorrow_and_tells_everybody(two: Any) -> None:
    row = draft(dearer("0.020"), since=OCT_7)
    assert tell(row).code == "not_a_rise"
    assert adopt(row, since=OCT_6, on=OCT_6).code == "begun"
    assert isinstance(adopt(row, since=OCT_7, on=OCT_6), Adoption)
    told = db.session.query(Notice).filter_by(kind="new_law").order_by(Notice.id).all()
    assert [one.to_name for one in told] == [
        "Apostle Pumping", "Birch Pumping", *[one.to_name for one in told if one.person_id is not None],
    ]  # fmt: skip
    assert len(told) == 2 + STAFF
    assert told[0].subject == "Charges at Bayfield Wastewater Treatment Works change on October 7, 2026"
    assert told[0].body.splitlines()[1].startswith("Septage unloaded: $0.024 a gallon until now, $0.02 a gallon from")
    db.session.commit()
    assert (cents(OCT_6), cents(OCT_7)) == ("24.00", "20.00")


def test_a_version_that_changes_more_than_charges_is_the_administrators(two: Any) -> None:
    row = draft(changed('[[hours.closes]]\nvalue = "10:00"', '[[hours.closes]]\nvalue = "11:00"'), since=OCT_7)
    refused: Any = adopt(row, since=OCT_7, on=OCT_6)
    assert (refused.code, refused.why) == (
        "not_your_role", "This version changes more than charges: an administrator puts it in force.",
    )  # fmt: skip
    assert isinstance(adopt(row, since=OCT_7, on=OCT_6, who="admin"), Adoption)


def test_what_cannot_be_a_version_here_is_refused_in_words(two: Any) -> None:
    assert draft(resolution=" ").code == "no_resolution"
    assert draft(basis=" ").code == "no_basis"
    same: Any = draft(load_profile("bayfield"))
    assert (same.code, same.why) == ("nothing_changes", "This version changes nothing on that day or later.")
    began: Any = draft(since=OCT_6)
    assert began.why == "A law starts on October 7, 2026 or later: what was unloaded before keeps its charges."
    later = toml_of(load_profile("gillett")).replace("from = 1", "from = 3")
    empty: Any = draft(profile_from_toml(later))
    assert (empty.code, empty.why) == (
        "nothing_yet", "On Saturday, December 5, 2026 this version says nothing of: What the plant offers.",
    )  # fmt: skip


def test_a_version_taken_back_is_in_force_never_and_who_was_told_hears_it(two: Any) -> None:
    row = draft()
    tell(row)
    assert acts.withdraw_draft(world.plant(), row, by=world.staff("clerk"), at=books.noon(OCT_7), law=world.law(OCT_7))
    assert (adopt(row).code, tell(row).code) == ("closed", "closed")
    told = db.session.query(Notice).filter_by(kind="new_law").order_by(Notice.id).all()
    assert [one.to_name for one in told] == ["Apostle Pumping", "Birch Pumping"]
    assert told[0].subject == "Charges do not rise on December 5, 2026"


def test_who_was_told_and_then_told_otherwise_has_to_be_told_again(two: Any) -> None:
    row = draft()
    tell(row)
    assert acts.withdraw_draft(world.plant(), row, by=world.staff("clerk"), at=books.noon(OCT_7), law=world.law(OCT_7))
    again = draft(on=OCT_7)
    assert adopt(again).code == "not_told"


def back(made: Adoption, reason: str = "The Council voted again", on: date = OCT_7, who: str = "clerk") -> Any:
    return acts.take_back_law(world.plant(), made, reason, by=world.staff(who), at=books.noon(on), law=world.law(on))


def test_an_adopted_law_is_taken_back_before_its_day_and_who_was_told_hears_why(app: Any, two: Any) -> None:
    row = draft()
    tell(row)
    made = adopt(row)
    assert isinstance(made, Adoption)
    assert cents(DEC_5) == "26.00"
    assert back(made, " ").code == "no_reason"
    assert back(made) is made
    db.session.commit()
    assert cents(DEC_5) == "24.00"
    entry = db.session.query(JournalEntry).filter_by(act="take_back_law", table_name="adoption").one()
    assert entry.reason == "Ordinance 401 of October 5, 2026: The Council voted again"
    told = db.session.query(Notice).filter(Notice.subject.contains("do not change")).order_by(Notice.id).all()
    assert [one.to_name for one in told][:2] == ["Apostle Pumping", "Birch Pumping"]
    assert len(told) == 2 + STAFF
    assert told[0].subject == "Charges at Bayfield Wastewater Treatment Works do not change on December 5, 2026"
    assert told[0].body.splitlines() == [
        "City of Bayfield has taken back what you were told: Ordinance 401 of October 5, 2026.",
        "Why: The Council voted again.", "Charges stay as they are.",
    ]  # fmt: skip
    assert back(made).code == "taken_back"
    # Who was told that charges stay has to be told again.
    assert adopt(draft(on=OCT_7)).code == "not_told"
    page = seen(signed_in(app, "clerk"), f"/bayfield/admin/law/{row.id}")
    assert "Taken back on Wednesday, October 7, 2026 by Clerk of the City The Council voted again" in page


def test_a_law_in_force_or_before_a_later_one_stays_and_rules_are_the_administrators(two: Any) -> None:
    first, later = adopt(draft(dearer("0.020"))), adopt(draft(dearer("0.019"), since=date(2026, 12, 20)),
                                                        since=date(2026, 12, 20))  # fmt: skip
    refused = back(first)
    assert (refused.code, refused.why) == (
        "later_first", "The version from December 20, 2026 was made beside it. Take that one back first."
    )  # fmt: skip
    begun = back(later, on=date(2026, 12, 20))
    assert (begun.code, begun.why) == (
        "begun", "It is in force since December 20, 2026: what was charged by it stays."
    )  # fmt: skip
    assert back(later) is later
    assert back(first) is first
    assert cents(date(2026, 12, 24)) == "24.00"
    only: Any = back(db.session.query(Adoption).order_by(Adoption.id).first(), on=date(2026, 7, 1))
    assert only.code in ("only_law", "begun")
    rules = changed('[[hours.closes]]\nvalue = "10:00"', '[[hours.closes]]\nvalue = "11:00"')
    made = adopt(draft(rules), who="admin")
    assert isinstance(made, Adoption), made
    assert back(made).code == "not_your_role"
    assert back(made, who="admin") is made


def test_the_pages_take_a_law_to_come_back_and_keep_the_reason(app: Any, two: Any) -> None:
    made = adopt(draft(dearer("0.020")))
    db.session.commit()
    client = signed_in(app, "clerk")
    address = f"/admin/law/adopted/{made.id}/back"
    assert f'href="/bayfield{address}"' in client.get("/bayfield/admin/law").get_data(as_text=True)
    missing = send(client, address, reason=" ")
    assert missing.status_code == 422
    assert "Enter why it is taken back" in words(missing.get_data(as_text=True))
    assert send(client, address, reason="The Council voted again").location == "/bayfield/admin/law"
    assert cents(DEC_5) == "24.00"
    page = seen(client, "/bayfield/admin/law")
    assert "Taken back on October 6, 2026 by Clerk of the City: The Council voted again" in page
    assert "Take it back" not in page
    again = words(send(client, address, reason="Once more").get_data(as_text=True))
    assert "This version was taken back before." in again
    first = db.session.query(Adoption).order_by(Adoption.id).first()
    assert "It is in force: what was charged by it stays." in seen(
        client, f"/bayfield/admin/law/adopted/{first.id}/back"
    )
    assert client.get("/bayfield/admin/law/adopted/999/back").status_code == 404


def test_of_two_versions_from_one_day_none_is_left_when_it_is_taken_back(two: Any) -> None:
    first, second = adopt(draft(dearer("0.020"))), adopt(draft(dearer("0.019")))
    assert back(second) is second
    db.session.commit()
    assert first.taken_back_why == "The Council voted again"
    assert cents(DEC_5) == "24.00"


def test_another_version_from_the_same_day_takes_the_place_of_the_first(two: Any) -> None:
    first, second = draft(dearer("0.020")), draft(dearer("0.021"))
    assert isinstance(adopt(first), Adoption)
    # Beside the first one the second is dearer on that day.
    assert adopt(second).code == "not_told"
    third = draft(dearer("0.019"))
    assert isinstance(adopt(third), Adoption)
    db.session.commit()
    assert cents(DEC_5) == "19.00"


def test_the_pages_lead_from_a_changed_amount_to_the_law_in_force(app: Any, two: Any) -> None:
    client = signed_in(app, "clerk")
    form = seen(client, "/bayfield/admin/law/amounts")
    assert "Septage unloaded" in form
    amounts = {"item_volume_price": "0.026", "item_test_price": "12.16", "item_extra_test_price": "12.16",
               "item_special_test_price": "5.00", "row_billing_late_percent_value": "10"}  # fmt: skip
    given = {f"amount_{name}": value for name, value in amounts.items()}
    sent = send(client, "/admin/law/amounts", **FORM, **given)
    row = db.session.query(LawDraft).one()
    assert sent.location.endswith(f"/bayfield/admin/law/{row.id}")
    page = seen(client, sent.location)
    assert "Septage unloaded from December 5, 2026, § 329-7 F(2); § 329-2 B(2)(d) Rises $0.024 a gallon $0.026" in page
    assert "It raises charges, and cannot start on December 5, 2026 yet" in page
    assert "Tell 2 haulers that it starts on December 5, 2026" in page
    send(client, f"/admin/law/{row.id}/tell", once="b" * 32, since="2026-12-05")
    assert db.session.query(LawTold).count() == 2
    done = send(client, f"/admin/law/{row.id}", once="c" * 32, **DAY)
    assert done.status_code == 303
    assert "Adopted, in force from Saturday, December 5, 2026" in words(
        client.get(sent.location).get_data(as_text=True)
    )
    assert "to come City of Bayfield, ch. 329 (1992-2007) Ordinance 401" in words(
        client.get("/bayfield/admin/law").get_data(as_text=True)
    )


def test_a_text_that_fails_the_checks_of_a_law_names_each_mistake(app: Any, two: Any) -> None:
    client = signed_in(app, "clerk")
    text = shipped()["bayfield"].read_text(encoding="utf-8").replace('price = "0.024"', "price = 0.024")
    sent = send(client, "/admin/law/new", **FORM, text=text)
    assert sent.status_code == 422
    shown = words(sent.get_data(as_text=True))
    assert "The version has 1 mistake, named over the form" in shown
    assert "item volume.price : 0.024 is a TOML float, which cannot hold money or rates exactly. Write" in shown
    assert db.session.query(LawDraft).count() == 0


def test_a_version_says_which_of_its_points_the_plant_has_not(app: Any, two: Any) -> None:
    text = shipped()["bayfield"].read_text(encoding="utf-8") + item(
        "lagoon", "per_load", 'price = "7.00"\npoint = ["lagoon"]'
    )
    assert "[schedule]\n" in text
    row = draft(profile_from_toml(text.replace("[schedule]\n", '[schedule]\npoints = ["lagoon"]\n')))
    db.session.commit()
    page = seen(signed_in(app, "clerk"), f"/bayfield/admin/law/{row.id}")
    assert "No receiving point is called Lagoon" in page
    assert "This version has charges for loads unloaded there" in page


def test_an_adopted_law_is_handed_out_as_the_file_it_was(app: Any, two: Any) -> None:
    client = signed_in(app, "clerk")
    found = db.session.query(Adoption).one()
    file = client.get(f"/bayfield/admin/law/{found.id}.toml")
    assert profile_from_toml(file.get_data(as_text=True)).sha256 == load_profile("bayfield").sha256


def test_the_list_asks_as_little_for_three_versions_as_for_one(app: Any, two: Any) -> None:
    client = signed_in(app, "clerk")
    draft()
    db.session.commit()
    client.get("/bayfield/admin/law")
    with counted() as one:
        client.get("/bayfield/admin/law")
    draft(dearer("0.027"))
    draft(dearer("0.028"))
    db.session.commit()
    client.get("/bayfield/admin/law")
    with counted() as three:
        client.get("/bayfield/admin/law")
    assert len(three) == len(one)


def test_a_booking_is_quoted_by_the_law_of_the_day_it_is_for(app: Any, two: Any) -> None:
    assert isinstance(adopt(draft(dearer("0.020"), since=OCT_7), since=OCT_7, on=OCT_6), Adoption)
    db.session.commit()
    who = two[0]
    client = app.test_client()
    world.sign_in(client, who.email)
    made = book(who, [session(f"{OCT_7}T07:00", 1000)])
    assert not isinstance(made, Refusal), made
    db.session.commit()
    assert "Total $32.16" in seen(client, f"/bayfield/hauler/bookings/{made.number}")

"""A rise of a fee is told to every approved hauler sixty days ahead, each by a letter, or it does not start."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from billing import actions
from billing.models import FeeNotice, FeeNoticeTo
from billing.queries import told, untold
from office.access import system
from office.db import db
from office.law import adopt_law
from office.letters import Letter
from office.notices import Notice
from office.plants import PlantRow, set_plant_row
from ordinances.refusal import Refusal
from tests import world
from tests.billing import books
from tests.billing.test_routes import send, signed_in, text_of
from tests.intake.plant import hauler, queries

OCT_6, OCT_7, OCT_12, DEC_4, DEC_5 = (
    date(2026, 10, 6), date(2026, 10, 7), date(2026, 10, 12), date(2026, 12, 4), date(2026, 12, 5),
)  # fmt: skip
FORM = {"key": "fees.filing", "value": "90.00", "since-month": "12", "since-day": "5", "since-year": "2026",
        "resolution": "Resolution 2026-41", "basis": "Two hours of the clerk at $45.00"}  # fmt: skip
LEAST = "A fee rises 60 days after every approved hauler was told, or later."


@pytest.fixture
def two(app: Any, clock_at: Any) -> Any:
    clock_at("2026-10-06T10:00")
    return hauler("Apostle Pumping"), hauler("Birch Pumping", number=2)


def announce(value: str = "90.00", since: date = DEC_5, on: date = OCT_6, **more: Any) -> Any:
    words = {"resolution": "Resolution 2026-41", "basis": "Two hours of the clerk"} | more
    return actions.announce_rise(world.plant(), "fees.filing", Decimal(value), since, **words, by=world.staff("clerk"),
                                 at=books.noon(on), law=world.law(on))  # fmt: skip


def put(value: str = "90.00", since: date = DEC_5, on: date = OCT_7) -> Any:
    return set_plant_row(world.plant(), "fees.filing", value, since, "Resolution 2026-41", by=world.staff("clerk"),
                         at=books.noon(on))  # fmt: skip


def test_a_rise_nobody_was_told_of_is_refused_and_stores_nothing(two: Any) -> None:
    refused: Any = put()
    assert (refused.code, refused.cite) == ("not_told", "§ 281.49(12), Wis. Stats.")
    assert refused.why == (
        f"{LEAST} Not told of this yet: Apostle Pumping, Birch Pumping. Told today, it can start on December 6, 2026."
    )
    assert db.session.query(PlantRow).filter_by(key="fees.filing").count() == 1


def test_told_in_time_it_starts_on_its_day_and_not_one_earlier(two: Any) -> None:
    made: Any = announce()
    assert isinstance(made, FeeNotice), made
    assert (made.was, made.becomes, made.cite) == (Decimal("75.00"), Decimal("90.00"), "§ 281.49(12), Wis. Stats.")
    early: Any = put(since=DEC_4)
    assert (early.code, early.why.split(": ")[0]) == ("not_told", f"{LEAST} Not told of this yet")
    assert isinstance(put(), PlantRow)
    assert (world.law(DEC_4).value("fees.filing", DEC_4), world.law(DEC_5).value("fees.filing", DEC_5)) == (
        Decimal("75.00"), Decimal("90.00"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("value", "since", "code"),
    [("90.01", DEC_5, "not_told"), ("89.99", DEC_5, None), ("80.00", date(2027, 2, 1), None),
     ("75.00", OCT_7, None), ("60.00", OCT_7, None)],
)  # fmt: skip
def test_a_notice_covers_so_much_or_less_from_its_day_on_and_what_is_no_rise_needs_none(
    two: Any, value: str, since: date, code: str | None
) -> None:
    announce()
    result = put(value, since)
    assert (result.code if isinstance(result, Refusal) else None) == code


def test_the_day_of_the_last_notice_counts_for_who_was_approved_since(two: Any) -> None:
    made: Any = announce(since=date(2026, 12, 10))
    third = hauler("Cedar Pumping", number=3)
    refused: Any = put(since=date(2026, 12, 10))
    assert "Not told of this yet: Cedar Pumping. Told today" in refused.why
    then = books.noon(OCT_12)
    told_now: Any = actions.tell_of_rise(world.plant(), made, by=world.staff("clerk"), at=then, law=world.law(OCT_6))
    assert len(told_now) == 1
    late: Any = put(since=date(2026, 12, 10), on=OCT_12)
    assert (late.code, late.why) == (
        "told_too_late", f"{LEAST} The last notice went out on October 12, 2026: it can start on December 11, 2026.",
    )  # fmt: skip
    assert isinstance(put(since=date(2026, 12, 11), on=OCT_12), PlantRow)
    assert third.business_id


def test_each_approved_hauler_gets_one_letter_and_one_message_that_say_the_same(two: Any) -> None:
    made: Any = announce()
    notices = db.session.query(Notice).filter_by(kind="fee_notice").order_by(Notice.id).all()
    letters = db.session.query(Letter).filter_by(kind="fee_notice").order_by(Letter.id).all()
    assert [one.to_name for one in notices] == ["Apostle Pumping", "Birch Pumping"]
    assert [one.letter_id for one in notices] == [one.id for one in letters]
    assert db.session.query(FeeNoticeTo).filter_by(notice_id=made.id).count() == 2
    assert notices[0].subject == "Filing fee: $90.00 from December 5, 2026"
    assert notices[0].body.splitlines() == letters[0].data["paragraphs"] == [
        "City of Bayfield raises an amount that haulers of septage pay, by Resolution 2026-41.",
        "Filing fee, an application: $75.00 until now, $90.00 from Saturday, December 5, 2026 on.",
        "What it rests on: Two hours of the clerk.",
        "Each approved hauler is told 60 days ahead or earlier (§ 281.49(12), Wis. Stats.).",
        "You can dispute it: write to the city which fee, and for what quantity and type of septage. The stages are: "
        "review by the municipal system; review by Public Service Commission staff; formal proceeding of the Public "
        "Service Commission (§ 281.49(11), Wis. Stats.).",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("given", "code"),
    [({"since": DEC_4}, "told_too_late"), ({"value": "75.00"}, "not_a_rise"), ({"resolution": " "}, "no_resolution"),
     ({"basis": " "}, "no_basis")],
)  # fmt: skip
def test_what_cannot_be_told_is_refused(two: Any, given: dict[str, Any], code: str) -> None:
    assert announce(**given).code == code
    assert db.session.query(Notice).filter_by(kind="fee_notice").count() == 0


def test_a_rise_is_told_once(two: Any) -> None:
    announce()
    assert announce().code == "told_before"
    assert len(told(world.plant().id)) == 1


def test_where_nobody_is_approved_nobody_is_told(app: Any) -> None:
    assert announce().code == "nobody_approved"
    assert untold(world.plant(), "fees.filing", Decimal(90), DEC_5, books.noon(OCT_6)) == []
    assert isinstance(put(since=OCT_7), PlantRow)


def test_the_clerk_is_led_from_the_refused_amount_to_the_letters_and_back(app: Any, two: Any) -> None:
    clerk = signed_in(app, "clerk")
    refused = send(clerk, "/admin/amounts", **FORM)
    assert refused.status_code == 422
    page = text_of(refused)
    assert "This rise cannot start on that day" in page
    assert "Told today, it can start on December 5, 2026." in page
    lead = "/bayfield/admin/fee-notices/new?key=fees.filing&amp;value=90.00&amp;since=2026-12-05&amp;by=Resolution+2026"
    assert lead in page
    form = text_of(clerk.get(lead.replace("&amp;", "&")))
    assert "2 approved haulers get a letter and a message at once." in form
    assert "a rise can start on <b>Saturday, December 5, 2026</b> or later." in form
    assert 'value="Resolution 2026"' in form
    assert "Filing fee, $75.00 now" in form
    assert "such as the price of a gallon, rises under" in form
    done = send(clerk, "/admin/fee-notices/new", **FORM, once="b" * 32)
    assert done.status_code == 303
    shown = text_of(clerk.get(done.location))
    assert "Told, and not set yet" in shown
    assert send(clerk, done.location.removeprefix("/bayfield"), once="c" * 32).location == done.location
    assert "Set from Saturday, December 5, 2026" in text_of(clerk.get(done.location))
    row = db.session.query(PlantRow).order_by(PlantRow.id.desc()).first()
    assert row is not None
    assert (row.value, row.since, row.basis) == ("90.00", DEC_5, FORM["basis"])
    assert "told to 2 by October 6, 2026" in text_of(clerk.get("/bayfield/admin/fee-notices"))
    letter = db.session.query(Letter).filter_by(kind="fee_notice").order_by(Letter.id).first()
    assert letter is not None
    pdf = clerk.get(f"{done.location}/{letter.number}.pdf")
    assert (pdf.status_code, pdf.get_data()[:4]) == (200, b"%PDF")
    assert clerk.get(f"{done.location}/2026-99999.pdf").status_code == 404


def test_more_rises_take_no_more_queries(app: Any, two: Any) -> None:
    clerk, counts = signed_in(app, "clerk"), []
    for cents in (1, 2):
        announce(f"90.0{cents}")
        db.session.commit()
        clerk.get("/bayfield/admin/fee-notices")
        with queries() as seen:
            clerk.get("/bayfield/admin/fee-notices")
        counts.append(len([one for one in seen if one.startswith("SELECT")]))
    assert counts == [5, 5]


@pytest.mark.parametrize(("town", "offered"), [("gillett", False), ("bayfield", True)])
def test_settings_ask_a_town_only_for_amounts_its_law_charges_by(app: Any, clock_at: Any, town: str,
                                                                 offered: bool) -> None:  # fmt: skip
    clock_at("2027-10-06T10:00")
    adopt_law(world.plant(), town, date(2027, 10, 1), "Ordinance", by=system(), at=books.noon(OCT_6))
    db.session.commit()
    clerk = signed_in(app, "clerk")
    assert ("Amounts the Council sets" in text_of(clerk.get("/bayfield/admin"))) == offered

"""A small season under Bayfield's law, to look at through changed copies of that law (``law_places``).

Acts are taken back, so that the next row of the law finds the same season.
"""

import json
import re
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from flask import Flask
from sqlalchemy import func, select

from billing import actions as billing
from billing.models import Account, Invoice
from haulers.models import Business
from haulers.queries import SourceLine, TruckLine, party_of_business, trucks_of
from intake.actions.booking import book_discharge
from intake.actions.station import log_load
from intake.models import Booking, Load
from office import clock
from office.db import db
from office.law import law_now
from office.letters import Letter
from office.notices import Notice
from ordinances.reader import Law
from ordinances.refusal import Refusal
from tests import world
from tests.haulers import builders
from tests.intake.plant import session

OWNER, WAITING, DRAFTING = "owner@hauler.example", "waiting@hauler.example", "drafting@hauler.example"
BIG = (
    SourceLine("septic_tank", "Homes in town", "sewer_service", "Daily", 1500, 150_000, 400_000),
    SourceLine("holding_tank", "Cabins by the lake", "outside", "Daily", 1500, 90_000, 200_000),
)
SOURCES = (builders.SOURCE, SourceLine("portable_toilet", "Fairs", "outside", "In summer", 500, 500, 3000))
TUESDAY = "2026-10-06T07:10"


def law_at(at: datetime) -> Law:
    """The law in force at an instant, whichever copy was adopted last."""
    return law_now(world.plant(), at)


@dataclass
class Scene:
    """The season: an approved hauler with a booking, a load and an unpaid invoice; two more who apply."""

    app: Flask
    clients: dict[str, Any]
    last_letter: int = 0
    last_notice: int = 0

    def page(self, who: str, address: str, at: str = "2026-08-12T08:00") -> str:
        """A page of the plant as somebody sees it at an instant, without tokens."""
        db.session.rollback()
        clock.hold(world.at(at))
        text = self.clients[who].get(f"/bayfield{address}").get_data(as_text=True)
        return re.sub(r'<input[^>]*type="hidden"[^>]*>|value="[0-9a-f-]{20,}"|/static/\S+', "", text)

    def business(self, email: str) -> Business:
        """One of the three haulers."""
        ids = {party_of_business(one.id).email: one.id for one in db.session.scalars(select(Business))}
        return db.session.get_one(Business, ids[email])

    def done(self, result: Any, *more: Any) -> str:
        """What an act answered, wrote and told; then it is taken back."""
        said = [refused(result) if isinstance(result, Refusal) else type(result).__name__, *map(str, more)]
        db.session.flush()
        for letter in db.session.scalars(select(Letter).where(Letter.id > self.last_letter).order_by(Letter.id)):
            said += [letter.kind, letter.title, json.dumps(letter.data, ensure_ascii=False, sort_keys=True)]
        for one in db.session.scalars(select(Notice).where(Notice.id > self.last_notice).order_by(Notice.id)):
            said += [one.to_email, one.subject, one.body]
        db.session.rollback()
        return "\n".join(said)


def refused(one: Refusal) -> str:
    return f"{one.code}: {one.why} ({one.cite}) {one.next_step} {one.details}"


def build(app: Flask) -> Scene:
    """Play the season up to an unpaid invoice."""
    owner = builders.hauler("Owner Pumping", OWNER, trucks=[TruckLine("WI 1", 3000, "One")])
    approval = builders.approved(owner, *SOURCES)
    waiting = builders.hauler("Waiting Pumping", WAITING, trucks=[TruckLine("WI 2", 3000, "Two")])
    builders.filed(waiting, *BIG, at="2026-08-13T09:00")
    other = builders.hauler("Next Pumping", "next@hauler.example", trucks=[TruckLine("WI 4", 3000, "Four")])
    builders.filed(other, *BIG[::-1], at="2026-08-14T09:00")
    drafting = builders.hauler("Drafting Pumping", DRAFTING, trucks=[TruckLine("WI 3", 3000, "Three")])
    builders.answered(drafting, *BIG)
    db.session.commit()
    scene = Scene(app, {})
    at = world.at(TUESDAY)
    assert approval.gallons_rest
    book = book_discharge(world.plant(), owner.id, trucks_of(owner.id)[0].id, "septic_tank", 1200,
                          [session("2026-10-08T07:00", 1200)], by=builders.acting(owner), at=at,
                          law=law_at(at))  # fmt: skip
    assert isinstance(book, Booking), book
    load = log(owner, at)
    assert isinstance(load, Load), load
    account = db.session.scalars(select(Account).filter_by(party_id=party_of_business(owner.id).id)).one()
    made = billing.make_invoice(world.plant(), account, by=world.staff("clerk"), at=world.at("2026-10-07T09:00"),
                                law=law_at(at))  # fmt: skip
    assert isinstance(made, Invoice), made
    waits = log(owner, world.at("2026-10-07T09:30"), gallons=200)
    assert isinstance(waits, Load), waits
    db.session.commit()
    scene.last_letter = db.session.scalars(select(func.max(Letter.id))).one()
    scene.last_notice = db.session.scalars(select(func.max(Notice.id))).one()
    clock.hold(world.at("2026-08-12T08:00"))
    scene.clients["anybody"] = app.test_client()
    for who in ("clerk", "member1", "director", "operator", OWNER, DRAFTING):
        scene.clients[who] = app.test_client()
        world.sign_in(scene.clients[who], who)
    return scene


def log(owner: Business, at: datetime, **given: Any) -> Any:
    """Log a load of the approved hauler: the act's own answer."""
    values: dict[str, Any] = {
        "waste": "septic_tank", "gallons": 1_000, "driver": "Ann", "bottle": f"B-{at:%m%d%H%M}", "ph": Decimal("6.9"),
    } | given  # fmt: skip
    return log_load(world.plant(), f"c-{at:%m%d%H%M}", business_id=owner.id, truck_id=trucks_of(owner.id)[0].id,
                    by=world.staff("operator"), at=at, law=law_at(at), **values)  # fmt: skip

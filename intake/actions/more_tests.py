"""Further tests of a load, ordered by the operator or the state and billed to the hauler (§ 329-7 F(1) of Bayfield)."""

from datetime import datetime
from decimal import Decimal

from haulers import queries as haulers
from intake.actions.extra_tests import post_tests
from intake.models import Load, MoreTests
from intake.queries import more_tests
from intake.queries.retests import usual_price
from intake.states import LoadState
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.notices import tell_party
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal

ORDERERS = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR)
SOURCE, MOST = "more_tests", 20


@act("order_more_tests", roles=ORDERERS)
def order_more_tests(
    load: Load, what: str, tests: int, office: str, ordered_by: str, reason: str, *, cost: Decimal | None = None,
    by: Actor, at: datetime, law: Law,
) -> MoreTests | Refusal:  # fmt: skip
    """Order further tests of a load and bill them: at ``cost`` in dollars where it is said, else by the schedule.

    ``office`` is one the law lets order them. Refusals: not_here, not_accepted, no_what, tests, office, no_name,
    no_reason, cost.
    """
    plant = db.session.get_one(Plant, load.plant_id)
    load = lock(Load, load.id)
    today = at.astimezone(plant.tz).date()
    named = more_tests.offices(law, today)
    if not named:
        return Refusal("not_here", "The law of this plant says nobody who may order further tests.", "")
    cite = law.cite(more_tests.MORE_BY, today)
    if load.state != LoadState.ACCEPTED.value or load.business_id is None:
        return Refusal("not_accepted", f"Load {load.ticket} was not unloaded.", cite)
    refused = _wrong(what, tests, office in named, ordered_by, reason, cite)
    if refused is not None:
        return refused
    price = cost if cost is not None else usual_price(law, today, tests)
    if price is None or price < 0:
        return Refusal("cost", "Enter what the further tests cost.", cite)
    row = MoreTests(
        plant_id=plant.id, load_id=load.id, what=what.strip(), tests=tests, office=office,
        ordered_by=ordered_by.strip(), reason=reason.strip(), cents=int(price * 100), made_at=at, made_by=by.name,
        law_version=law.version,
    )  # fmt: skip
    db.session.add(row)
    db.session.flush()
    because(reason.strip(), cite)
    refused = post_tests(plant, load, (SOURCE, row.id), f"Further tests: {row.what}", row.cents, cite, tests=row.tests,
                         also=f"Ordered by {row.ordered_by}, {row.office}.", by=by, at=at, law=law)  # fmt: skip
    if refused is not None:
        return refused
    body = (f"{row.what}, ordered by {row.ordered_by}, {row.office}: {row.reason}\n\nThey cost "
            f"{formats.money(row.cents)} ({cite}).\n\n{plant.name}, {plant.phone}")  # fmt: skip
    party = haulers.party_of_business(load.business_id)
    tell_party(party, "more_tests", f"Further tests of load {load.ticket}", body, at, plant_id=plant.id)
    return row


def _wrong(what: str, tests: int, known: bool, ordered_by: str, reason: str, cite: str) -> Refusal | None:
    if not what.strip():
        return Refusal("no_what", "Enter what is tested.", cite)
    if not 1 <= tests <= MOST:
        return Refusal("tests", f"Tests must be 1 to {MOST}.", cite)
    if not known:
        return Refusal("office", "Select who ordered them.", cite)
    if not ordered_by.strip():
        return Refusal("no_name", "Enter the name of who ordered them.", cite)
    return None if reason.strip() else Refusal("no_reason", "Enter why they are needed.", cite)

"""The Director's own orders on the limit, each dated and signed (§ 329-7 F(3) of Bayfield).

A ceiling, lower limits for part of a day or a season, flows above or below which nothing is unloaded, pounds of BOD5.
Bookings that no longer fit lose their time and their haulers are told: none is dropped in silence.
"""

from datetime import date, datetime
from typing import Any

from intake.actions.freed import offer_anywhere
from intake.actions.listing import OTHERS, list_lost
from intake.actions.turning_down import tell_turn_down
from intake.queries import capacity
from intake.queries.limit_met import key_of, lost_under, with_order
from intake.queries.limits import OWN
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.plants import Plant, PlantRow, set_plant_row, withdraw_plant_row
from ordinances.reader import Law, NoLaw, plant_row
from ordinances.refusal import Refusal
from ordinances.values import WrongValue


@act("set_limit", roles=(Role.DIRECTOR,))
def set_limit(
    plant: Plant, key: str, value: Any, since: date, order: str, *, seen: str | None = None, by: Actor, at: datetime,
    law: Law,
) -> PlantRow | Refusal:  # fmt: skip
    """Put an order on the limit in force from a day on. ``value`` as the law keeps it: a whole number, or for
    ``rate.own_lower`` the list of its parts. ``seen``: what the Director was shown (``limit_met.key_of``).

    Refusals: not_here, past, wrong_value, no_strength, no_resolution, others.
    """
    lock(Plant, plant.id)
    law = capacity.law_under_lock(plant, at)
    refused = limit_refused(law, key, value, since, at)
    if refused is not None:
        return refused
    lost = lost_under(plant, with_order(law, key, value, since, order.strip() or "-"), since, at)
    if seen is not None and seen != key_of(lost):
        return Refusal("others", OTHERS, law.cite("rate.percent", since))
    row = set_plant_row(plant, key, value, since, order, by=by, at=at)
    if isinstance(row, Refusal):
        return row
    because(order, law.cite("rate.percent", since))
    law = capacity.law_under_lock(plant, at)
    list_lost(plant, law, lost, at)
    tell_turn_down(plant, law, since, at)
    return row


@act("withdraw_limit", roles=(Role.DIRECTOR,))
def withdraw_limit(
    plant: Plant, key: str, since: date, order: str, *, by: Actor, at: datetime, law: Law
) -> PlantRow | Refusal:
    """End an order on the limit from a day on. The limit can only rise by it: no booking loses its time.

    Refusals: not_here, past, not_set, no_resolution.
    """
    lock(Plant, plant.id)
    law = capacity.law_under_lock(plant, at)
    refused = _not_ours(law, key, since, at)
    if refused is not None:
        return refused
    row = withdraw_plant_row(plant, key, since, order, by=by, at=at)
    if not isinstance(row, Refusal):
        because(order, law.cite("rate.percent", since))
        db.session.flush()
        offer_anywhere(plant, at, capacity.law_under_lock(plant, at))
    return row


def limit_refused(law: Law, key: str, value: Any, since: date, at: datetime) -> Refusal | None:
    """Why an order cannot come in force: asked before its effect is shown, and by the act."""
    refused = _not_ours(law, key, since, at)
    if refused is not None:
        return refused
    try:
        plant_row(key, value, since, "-")
    except (WrongValue, NoLaw) as error:
        return Refusal("wrong_value", f"{str(error).rstrip('.')}.", "")
    if key == OWN["pounds"] and not law.has("strength.lb_factor", since):
        why = "The law of this plant does not say how pounds are reckoned from gallons and strength"
        return Refusal("no_strength", why, law.cite("rate.percent", since))
    return None


def _not_ours(law: Law, key: str, since: date, at: datetime) -> Refusal | None:
    today = at.astimezone(law.zone).date()
    if key not in OWN.values() or not law.has("rate.plan_gph", today):
        return Refusal("not_here", "The law of this plant has no limit that an order could lower.", "")
    if since < today:
        return Refusal("past", f"The order must be in force from {formats.date_only(today)} or a later day",
                       law.cite("rate.percent", today))  # fmt: skip
    return None

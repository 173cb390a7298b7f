"""What the plant itself enters for special times: the supervisor's wage and its normal working hours (§ 329-7 F(4))."""

from datetime import date, datetime, time
from decimal import Decimal

from intake.actions.special import ARRANGERS
from intake.actions.special_rules import not_arranger
from office.access import Actor
from office.acts import act
from office.plants import Plant, PlantRow, set_plant_row
from ordinances.other_times import WORK_KEYS
from ordinances.reader import Law
from ordinances.refusal import Refusal

WAGE_KEY = "fees.wage"


@act("set_special_terms", roles=ARRANGERS)
def set_special_terms(
    plant: Plant, since: date, order: str, *, wage: Decimal | None = None, opens: time | None = None,
    closes: time | None = None, by: Actor, at: datetime, law: Law,
) -> list[PlantRow] | Refusal:  # fmt: skip
    """Enter from a day on the wage a special time is charged by, and the hours that bound it; earlier rows stay.

    Only what differs from the row in force on that day is written. Refusals: not_arranger, hours_order, hours_both,
    nothing_new, and those of ``set_plant_row``.
    """
    refused = not_arranger(law, since, by) or _hours_wrong(opens, closes)
    if refused is not None:
        return refused
    wanted = {WAGE_KEY: f"{wage:.2f}" if wage is not None else None}
    wanted |= {key: f"{one:%H:%M}" if one else None for key, one in zip(WORK_KEYS, (opens, closes), strict=True)}
    given: dict[str, Decimal | time | None] = dict(zip((WAGE_KEY, *WORK_KEYS), (wage, opens, closes), strict=True))
    rows = []
    for key, value in wanted.items():
        if value is None or (law.has(key, since) and law.value(key, since) == given[key]):
            continue
        row = set_plant_row(plant, key, value, since, order, by=by, at=at)
        if isinstance(row, Refusal):
            return row
        rows.append(row)
    if not rows:
        return Refusal("nothing_new", "This is what is entered for that day already.", "")
    return rows


def _hours_wrong(opens: time | None, closes: time | None) -> Refusal | None:
    if (opens is None) != (closes is None):
        return Refusal("hours_both", "Enter when the normal working hours begin and when they end", "")
    if opens is not None and closes is not None and opens >= closes:
        return Refusal("hours_order", "The normal working hours must end after they begin", "")
    return None

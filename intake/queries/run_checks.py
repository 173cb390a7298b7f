"""For ``verify``: what runs were measured, what waits in a truck, and whether a flow above the hard limit is kept."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select

from intake.models import Excess, Load, Run
from office.db import db
from office.plants import Plant


@dataclass(frozen=True)
class Facts:
    """Runs by name: those at a rate as measured, those that only keep their room, since when the load of each was at
    the plant that day, those of a load with an excess."""

    measured: set[str]
    rests: set[str]
    begun: dict[str, datetime]
    told: set[str]

    def planned(self, here: list[tuple[int, str]]) -> list[tuple[int, str]]:
        """(gallons an hour, name) of what somebody planned: what was measured is a fact and passes any limit."""
        return [(gph, name) for gph, name in here if name not in self.measured]

    def untold(self, here: list[tuple[int, str]]) -> list[tuple[int, str]]:
        """What flowed at an instant with something measured in it, where no excess is kept of any of it."""
        flows = [(gph, name) for gph, name in here if name.startswith("run") and name not in self.rests]
        names = {name for _, name in flows}
        return flows if names & self.measured and not names & self.told else []


def facts_of(plant: Plant) -> Facts:
    """What is known of the runs of a plant."""
    told = set(db.session.scalars(select(Excess.load_id).filter_by(plant_id=plant.id)))
    query = select(Run.id, Run.load_id, Run.measured, Run.kind, Run.day, Run.starts, Load.logged_at)
    query = query.join(Load, Load.id == Run.load_id).where(Run.plant_id == plant.id)
    rows: Any = db.session.execute(query.order_by(Run.starts.desc())).all()
    first = {(load_id, day): starts for _, load_id, _, _, day, starts, _ in rows}
    begun = dict[str, datetime]()
    for ident, load_id, _, kind, day, starts, logged in rows:
        # What is logged keeps its room from then on: its first piece, and what still waits in the truck.
        if kind == "rest" or starts == first[load_id, day]:
            known = logged if logged.astimezone(plant.tz).date() == day else starts
            begun[f"run {ident}"] = min(first[load_id, day], known)
    return Facts({f"run {ident}" for ident, _, measured, *_ in rows if measured},
                 {f"run {ident}" for ident, _, _, kind, *_ in rows if kind == "rest"}, begun,
                 {f"run {ident}" for ident, load_id, *_ in rows if load_id in told})  # fmt: skip

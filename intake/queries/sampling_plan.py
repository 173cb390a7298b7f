"""How a hauler's waste is sampled: the plan in force, what is proposed, what was before (§ 329-7 E)."""

from datetime import date

from sqlalchemy import select

from intake.models import SamplingPlan
from intake.states import PlanState
from office.db import db
from ordinances.reader import Law

APPROVED_BY, FACILITY_BY, METHODS, ACCESS = (
    "testing.approved_by", "testing.facilities_approved_by", "testing.methods", "testing.access",
)  # fmt: skip
# What a plan says, in the order of the text (§ 329-7 E(2), E(1)): field and its title.
PARTS = (
    ("methods", "Methods"), ("places", "Places"), ("times", "Times"), ("durations", "Durations"),
    ("frequencies", "Frequencies"), ("facility", "Testing facility"), ("access", "Access for the plant's laboratory"),
    ("preservation", "How samples are preserved"),
)  # fmt: skip


def cite(law: Law, day: date) -> str:
    """The sections a plan is approved under; "" where the town's law asks for none."""
    return "; ".join(dict.fromkeys(law.cite(key, day) for key in (APPROVED_BY, FACILITY_BY) if law.has(key, day)))


def methods(law: Law, day: date) -> tuple[str, ...]:
    """The methods the law names."""
    return tuple(law.value(METHODS, day)) if law.has(METHODS, day) else ()


def of_business(plant_id: int, business_id: int) -> list[SamplingPlan]:
    """Every plan a hauler ever had or proposed, the newest first."""
    query = select(SamplingPlan).filter_by(plant_id=plant_id, business_id=business_id)
    return list(db.session.scalars(query.order_by(SamplingPlan.id.desc())))


def in_force(plans: list[SamplingPlan], day: date) -> SamplingPlan | None:
    """Of a hauler's plans, the newest first, the one that holds on a day."""
    good = [one for one in plans if one.since is not None and one.since <= day]
    return max(good, key=lambda one: (one.since, one.id), default=None)


def next_after(plans: list[SamplingPlan], day: date) -> SamplingPlan | None:
    """Of a hauler's plans the one that takes the place of a plan that begins on a day: the next approved already."""
    later = [one for one in plans if one.since is not None and one.since > day]
    return min(later, key=lambda one: (one.since, -one.id), default=None)


def proposed(plans: list[SamplingPlan]) -> SamplingPlan | None:
    """The one that waits for the Director."""
    return next((one for one in plans if one.state == PlanState.PROPOSED.value), None)


def held_waiting(plant_id: int, business_id: int) -> list[SamplingPlan]:
    """A hauler's plans that wait still, locked and read fresh: one just answered by the Director is none of them."""
    query = select(SamplingPlan).filter_by(plant_id=plant_id, business_id=business_id, state=PlanState.PROPOSED.value)
    query = query.order_by(SamplingPlan.id).with_for_update().execution_options(populate_existing=True)
    return list(db.session.scalars(query))


def of_plant(plant_id: int) -> list[SamplingPlan]:
    """Every plan at a plant, the newest first, in one query."""
    return list(db.session.scalars(select(SamplingPlan).filter_by(plant_id=plant_id).order_by(SamplingPlan.id.desc())))


def waiting(plant_id: int) -> list[SamplingPlan]:
    """Plans that wait for the Director, the oldest first."""
    query = select(SamplingPlan).filter_by(plant_id=plant_id, state=PlanState.PROPOSED.value)
    return list(db.session.scalars(query.order_by(SamplingPlan.id)))


def plan(plant_id: int, plan_id: int) -> SamplingPlan | None:
    """One plan of this plant."""
    return db.session.scalars(select(SamplingPlan).filter_by(plant_id=plant_id, id=plan_id)).one_or_none()


def told(row: SamplingPlan) -> list[tuple[str, str]]:
    """What a plan says, title and words."""
    return [(title, getattr(row, name) or "Nothing said") for name, title in PARTS]

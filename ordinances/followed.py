"""Values of the law that have words but that no act follows yet: a profile with one would promise what is not done.

They matter only where a plant works by the program: a place that takes septage by agreement, or none, has no such acts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ordinances.schedule import Schedule
from ordinances.schema import WASTES
from ordinances.values import WrongValue

# Key to the values that are followed; keys not named here are followed, or only shown, whatever they say.
FOLLOWED: dict[str, tuple[Any, ...]] = {
    "programme.capacity_reserve": ("informational",),
    "application.in_writing": (True,),
    "application.fee_refundable": (False,),
    "decision.first_consideration": ("source_in_area",),
    "approval.plan_required": (True,),
    "gate.set_aside_by": ("director", "plant_manager", "director_or_manager"),
    "restriction.by": ("director",),
    # Of a list each part must be followed.
    "restriction.scopes": ("everything", "types", "points", "rate"),
    "restriction.immediate": (True,),
    "hours.supervised": (True,),
    "hours.grace_minutes": (0,),
    "hours.special_by": ("director", "plant_manager", "director_or_manager"),
    "fees.special_wage_role": ("person_supervising",),
    "fees.test_parameters": ("BOD5", "TSS", "P", "TN", "NH3-N", "pH"),
    "billing.tax_roll": ("none",),
    "slug.reading": ("blended",),
    "revocation.by": ("director",),
    "revocation.written_reason": (True,),
    "revocation.immediate": (True,),
}


def check_followed(key: str, value: Any) -> None:
    """Raises WrongValue, naming the values that work, for one that no act follows."""
    works = FOLLOWED.get(key)
    if works is None or value is None:
        return
    wrong = [one for one in (value if isinstance(value, tuple) else (value,)) if one not in works]
    if not wrong:
        return
    listed = ", ".join(_written(one) for one in works)
    many = "Write only" if isinstance(value, tuple) else "Write one of:"
    mend = f"{many} {listed}" if len(works) > 1 else f"Write {listed}"
    said = ", ".join(_written(one) for one in wrong)
    raise WrongValue(f"{said} {'is' if len(wrong) == 1 else 'are'} not followed by any act yet", mend)


# What happens to an account that an act charges for; calling somebody out is a charge for hours of staff.
EVENTS_FOLLOWED = ("returned_check",)


def not_followed(schedule: Schedule) -> Iterator[tuple[str, str, str]]:
    """(key, what is wrong, how to mend it) of each charge that no act of a plant would ever make."""
    for name in schedule.wastes:
        if name not in WASTES:
            mend = f'Write "other" and say in `what` which waste it is; the kinds are {", ".join(WASTES)}'
            yield "schedule.wastes", f"{name!r} is no kind of waste a plant's load can be", mend
    for item in schedule.items:
        if item.event and item.event not in EVENTS_FOLLOWED:
            mend = 'Write an item of the kind "staff_hours", or one for each load or test'
            yield f"item {item.code}.event", f"{item.event!r} is not followed by any act yet", mend


def _written(value: Any) -> str:
    """As it stands in the file."""
    return str(value).lower() if isinstance(value, bool) else str(value)

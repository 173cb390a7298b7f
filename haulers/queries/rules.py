"""The provisions an approval may be revoked for: those of the law in force, and the approval's own conditions."""

from datetime import date

from sqlalchemy import select

from haulers.models import Approval, Decision
from office.db import db
from ordinances.reader import Law

PROVISIONS = {
    "application.asks": "Stating type, frequency, quantity and location fully and truly",
    "approval.covers": "Bringing only the septage an approval covers",
    "approval.points_by": "Unloading at the places, times and conditions the plant sets",
    "approval.licence": "Holding a state license",
    "record.due_working_days": "Filing the written record of each load in time",
    "hours.opens": "Unloading within the hours",
    "rate.plan_gph": "Keeping to the rate of unloading",
    "rate.bleed": "Unloading at a slow and continuous rate",
    "testing.facilities_by": "Making sampling possible",
    "limits.ph_low": "Bringing no waste outside the limits of pH",
    "limits.toxic": "Bringing no toxic waste",
    "billing.late_days": "Paying what is due",
}


def revocation_rules(law: Law, day: date, approval: Approval | None) -> list[str]:
    """Each as the letter prints it: the section and its subject, then an approval's conditions in their own words."""
    rules: list[str] = []
    for key, words in PROVISIONS.items():
        if law.has(key, day):
            rules.append(f"{law.cite(key, day)}: {words}")
    if approval is None:
        return rules
    decision = db.session.scalars(select(Decision).where(Decision.id == approval.decision_id)).one()
    rules += [f"Condition {at} of the approval: {one['text']}" for at, one in enumerate(decision.conditions, start=1)]
    return rules

"""Whose a record is: what every act of a hauler's own asks first."""

from haulers.models import Business
from office.access import Actor
from ordinances.refusal import Refusal

NOT_YOURS = Refusal("not_yours", "This belongs to another hauler.", "")


def stands_for(business: Business, by: Actor) -> bool:
    """Whether this person acts for the business."""
    return by.party_id is not None and by.party_id == business.party_id

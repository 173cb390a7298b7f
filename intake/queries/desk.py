"""What waits at the clerk's desk, counted over all rooms."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select

from billing import queries as owed
from billing.queries.invoices import InvoiceState
from haulers import queries as haulers
from haulers.queries.changes import asked_changes
from haulers.queries.sustained import waits_for_motion
from haulers.queries.to_print import how_many_to_print
from haulers.queries.unissued import letters_waiting
from intake.queries import loads, results
from office.db import db
from office.law import law_in_force
from office.notices import UNMAILED, Notice
from office.plants import Plant


@dataclass(frozen=True)
class Desk:
    """Numbers of things that wait; each is a link on the clerk's first page."""

    season: str | None
    undecided: int
    letters_waiting: int
    asked_changes: int
    sustained: int
    fees_missing: int
    ready_to_bill: int
    ready_cents: int
    overdue_invoices: int
    overdue_cents: int
    records_overdue: int
    results_waiting: int
    not_reached: int
    to_print: int


def desk(plant: Plant, at: datetime) -> Desk:
    """The clerk's desk at an instant, for the newest season with applications."""
    today = at.astimezone(plant.tz).date()
    seasons = haulers.seasons_with_applications(plant.id)
    filed = haulers.filed(plant.id, seasons[0]) if seasons else []
    paid = haulers.fees_of([one.id for one in filed])
    decided = haulers.current_decisions([one.id for one in filed])
    unbilled = owed.unbilled(plant.id, before=owed.billed_before(law_in_force(plant, today), today))
    late = [one for one in owed.invoice_states(plant.id, today) if one.state is InvoiceState.LATE]
    missed = select(func.count()).where(Notice.plant_id == plant.id, Notice.state.in_(UNMAILED),
                                        Notice.party_id.is_(None))  # fmt: skip
    return Desk(
        season=seasons[0] if seasons else None,
        undecided=sum(one.id not in decided for one in filed),
        letters_waiting=letters_waiting(plant.id, today),
        asked_changes=len(asked_changes(plant.id)),
        sustained=len(waits_for_motion(plant.id, today)),
        fees_missing=sum(one.id not in paid or not paid[one.id].holds for one in filed),
        ready_to_bill=len(unbilled),
        ready_cents=sum(one.total_cents for one in unbilled),
        overdue_invoices=len(late),
        overdue_cents=sum(one.unpaid_cents for one in late),
        records_overdue=len(loads.overdue(plant.id, at)),
        results_waiting=results.how_many_wait(plant.id),
        not_reached=db.session.scalars(missed).one(),
        to_print=how_many_to_print(plant.id, today),
    )

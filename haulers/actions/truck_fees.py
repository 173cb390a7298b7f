"""What a schedule charges with an approval: each truck's year, first or renewed, and deposits by truck or hauler."""

from collections.abc import Sequence
from datetime import datetime

from billing.actions import post_charges
from billing.models import Entry
from billing.queries import account_of, entries_of, given_back_on, left_of, reversal_of
from haulers.models import Approval, Truck
from haulers.queries import party_of_business, trucks_of
from haulers.queries.approved_trucks import approved_trucks_of
from office.access import Actor, Role
from office.acts import act
from office.plants import Plant
from ordinances.pricing import deposit_lines, truck_lines
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.schedule_law import schedule_of
from ordinances.schedule_lines import ScheduleLine

KINDS = ("per_truck_year", "deposit")


@act("charge_trucks", roles=(Role.CLERK,))
def charge_trucks(plant: Plant, approval: Approval, *, by: Actor, at: datetime, law: Law) -> list[Entry] | Refusal:
    """Charge each truck of an approval for its season, and deposits not left yet; nothing where no item is for them.

    A deposit is charged as any fee; given back it is credited, and what was paid for it is paid back.

    A truck is charged once a season, as renewed where this hauler was charged for it at this plant before: what other
    plants or other owners were charged counts for nothing. What a person credited or took back stays so for the season,
    a deposit as long as the approval runs: a change of the approval charges neither again. Refused: as
    ``post_charges``.
    """
    day = at.astimezone(law.zone).date()
    schedule = schedule_of(law)
    if not schedule.has_items(day) or not any(item.kind in KINDS for item in schedule.items_on(day)):
        return []
    plates = {one.plate for one in approved_trucks_of([approval])[approval.id]}
    party, made = party_of_business(approval.business_id), list[Entry]()
    for truck in (one for one in trucks_of(approval.business_id) if one.plate in plates):
        known = _charged(plant, party.id, truck)
        lines = [*_year(law, truck, approval, known, at), *_deposit(law, truck, approval, known, at)]
        posted = _post(plant, party.id, truck, approval, lines, known, by=by, at=at, law=law)
        if isinstance(posted, Refusal):
            return posted
        made += posted
    left = _hauler_deposit(plant, party.id, approval, by=by, at=at, law=law)
    return left if isinstance(left, Refusal) else made + left


def _hauler_deposit(
    plant: Plant, party_id: int, approval: Approval, *, by: Actor, at: datetime, law: Law
) -> list[Entry] | Refusal:
    """Deposits a hauler leaves once, however many trucks it has; one given back is left anew with the next approval."""
    day, account = at.astimezone(law.zone).date(), account_of(plant.id, party_id)
    known = entries_of("business", approval.business_id, account.id) if account is not None else []
    left = _settled(known, approval, f"Approval {approval.season}")
    once = {item.code for item in schedule_of(law).items_on(day) if item.kind == "deposit" and item.per != "truck"}
    made: list[Entry] = []
    for line in (one for one in deposit_lines(schedule_of(law), day, 1) if one.code in once - left):
        part = 1 + sum(entry.code == line.code for entry in known)
        posted = post_charges(plant, party_id, [line], "business", approval.business_id, day, part=part,
                              label=f"Approval {approval.season}", by=by, at=at, law=law)  # fmt: skip
        if isinstance(posted, Refusal):
            return posted
        made += posted
    return made


def _charged(plant: Plant, party_id: int, truck: Truck) -> list[Entry]:
    """What the account of a party at a plant was charged for a truck, what was taken back too."""
    account = account_of(plant.id, party_id)
    return entries_of("truck", truck.id, account.id) if account is not None else []


def _settled(known: Sequence[Entry], approval: Approval, label: str) -> set[str]:
    """Codes of deposits that are left, or were given back in this season or since the approval runs."""

    def stays(entry: Entry) -> bool:
        if entry.source_label == label or left_of(entry) > 0:
            return True
        back = given_back_on(entry.id)
        return back is not None and back >= approval.starts

    return {entry.code for entry in known if stays(entry)}


def _label(truck: Truck, approval: Approval) -> str:
    return f"Truck {truck.plate}, {approval.season}"


def _year(law: Law, truck: Truck, approval: Approval, known: Sequence[Entry], at: datetime) -> tuple[ScheduleLine, ...]:
    """The permit of a season: none where it is charged already, renewed where an earlier one is."""
    day = at.astimezone(law.zone).date()
    whole = truck_lines(schedule_of(law), day, 1)
    codes = {line.code for line in whole}
    charged = [entry for entry in known if entry.code in codes]
    if any(entry.source_label == _label(truck, approval) for entry in charged):
        return ()
    before = any(reversal_of(entry.id) is None for entry in charged)
    return truck_lines(schedule_of(law), day, 1, renewal=True) if before else whole


def _deposit(
    law: Law, truck: Truck, approval: Approval, known: Sequence[Entry], at: datetime
) -> tuple[ScheduleLine, ...]:
    """Deposits by the truck that were not left yet."""
    schedule, day = schedule_of(law), at.astimezone(law.zone).date()
    by_truck = {item.code for item in schedule.items_on(day) if item.kind == "deposit" and item.per == "truck"}
    left = _settled(known, approval, _label(truck, approval))
    return tuple(line for line in deposit_lines(schedule, day, 1) if line.code in by_truck - left)


def _post(
    plant: Plant, party_id: int, truck: Truck, approval: Approval, lines: Sequence[ScheduleLine],
    known: Sequence[Entry], *, by: Actor, at: datetime, law: Law,
) -> list[Entry] | Refusal:  # fmt: skip
    made: list[Entry] = []
    day = at.astimezone(law.zone).date()
    for line in lines:
        # Beyond all that were ever charged, so that none which was credited stands in its way.
        part = 1 + sum(entry.code == line.code for entry in known)
        posted = post_charges(plant, party_id, [line], "truck", truck.id, day, part=part, by=by, at=at, law=law,
                              label=_label(truck, approval))  # fmt: skip
        if isinstance(posted, Refusal):
            return posted
        made += posted
    return made

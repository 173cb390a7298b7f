"""Every company registered here, whether it ever applied or not: what a paper is held against before it makes one."""

from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import select

from haulers.models import Application, Business, Licence
from haulers.queries.businesses import folded
from haulers.states import ApplicationState
from office.access import party_signs_in
from office.db import db
from office.people import Party


@dataclass(frozen=True)
class Registered:
    """A company by the id of its business, with its name of today, address, and licenses not taken back."""

    id: int
    name: str
    address: str
    licences: list[tuple[str, str]] = field(default_factory=list)

    @property
    def words(self) -> str:
        """What tells it from another of its name: its licenses and the first line of its address."""
        numbers = ", ".join(f"license {state} {number}".replace("  ", " ") for state, number in self.licences)
        said = "; ".join(filter(None, (numbers, self.address.splitlines()[0] if self.address else "")))
        return said[:1].upper() + said[1:]

    def holds(self, state: str, number: str) -> bool:
        """Whether it has given this license, however it is written."""
        wanted = (folded(state), folded(number))
        return bool(wanted[1]) and any((folded(one), folded(two)) == wanted for one, two in self.licences)


def registered() -> list[Registered]:
    """All of them, by name, in two queries. One registration serves every plant."""
    licences: dict[int, list[tuple[str, str]]] = {}
    query = select(Licence).where(Licence.taken_back_at.is_(None)).order_by(Licence.ends_on.desc(), Licence.id)
    for one in db.session.scalars(query):
        licences.setdefault(one.business_id, []).append((one.state, one.number))
    rows = db.session.execute(select(Business.id, Party).join(Party, Business.party_id == Party.id)
                              .order_by(Party.name, Business.id))  # fmt: skip
    return [Registered(ident, party.name, party.address, licences.get(ident, [])) for ident, party in rows]


def find_registered(typed: str) -> list[Registered]:
    """Those whose name or license number holds what was typed; all of them for nothing typed."""
    wanted = folded(typed)
    return [one for one in registered() if wanted in folded(one.name)
            or any(wanted in folded(state + number) for state, number in one.licences)]  # fmt: skip


def sent_on_paper(plant_id: int, business_id: int, season: str) -> Application | None:
    """What came on paper for a season under this company's very name and license, but for another business.

    A company first known by its paper may open an account later; it is one hauler all the same.
    """
    known = {one.id: one for one in registered()}
    own = known[business_id]
    query = select(Application).filter_by(plant_id=plant_id, season=season, channel="paper")
    query = query.where(Application.business_id != business_id, Application.filed_at.is_not(None),
                        Application.state != ApplicationState.WITHDRAWN.value)  # fmt: skip
    for one in db.session.scalars(query.order_by(Application.id)):
        other = known[one.business_id]
        if folded(other.name) == folded(own.name) and any(other.holds(*licence) for licence in own.licences):
            return one
    return None


def signs_in(party_id: int, at: datetime) -> bool:
    """Whether anybody can sign in for a company; one known by its paper alone has nobody."""
    return party_signs_in(party_id, at)


def same_company(name: str, state: str, number: str) -> Registered | None:
    """The registered company that has this name or this license already."""
    known = registered()
    by_licence = next((one for one in known if one.holds(state, number)), None)
    return by_licence or next((one for one in known if folded(one.name) == folded(name)), None)

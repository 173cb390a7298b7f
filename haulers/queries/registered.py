"""Every company registered here, whether it ever applied or not: what a paper is held against before it makes one."""

from dataclasses import dataclass, field

from sqlalchemy import select

from haulers.models import Business, Licence
from haulers.queries.businesses import folded
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


def same_company(name: str, state: str, number: str) -> Registered | None:
    """The registered company that has this name or this license already."""
    known = registered()
    by_licence = next((one for one in known if one.holds(state, number)), None)
    return by_licence or next((one for one in known if folded(one.name) == folded(name)), None)

"""How a hauler comes to a letter or does what it asks: in the account, or by post and phone without a sign-in."""

from datetime import datetime

from haulers.queries.registered import signs_in
from office import letters
from office.letters import Letter
from office.people import Party
from office.plants import Plant


def where_kept(letter: Letter, party: Party, at: datetime, what: str = "") -> str:
    """Where the letter is: "Letter 2026-L-003 is in your account under Letters.", or enclosed for a company on paper.

    ``what`` says what it has, such as " with the conditions".
    """
    return letters.where_kept(letter, party.id, at, what)


def write_to_us(plant: Plant) -> str:
    """ "Call 715-555-0100 or write to Bayfield Wastewater Treatment Works, 125 South First Street, Bayfield, …"."""
    return f"Call {plant.phone} or write to {plant.name}, {', '.join(plant.address.splitlines())}"


def book_again(plant: Plant, party: Party, at: datetime) -> str:
    """What a hauler does whose bookings have ended."""
    return "book again" if signs_in(party.id, at) else f"call {plant.phone} for a new time"

"""A special time that nobody settles: who it waits for is told before, its hauler once it has passed (§ 329-7 F(4))."""

from datetime import datetime

from haulers import queries as haulers
from intake.actions.special_mail import tell_arrangers, tell_hauler, what_words
from intake.actions.special_rules import cite_of
from intake.models import SpecialTime
from intake.queries import special
from intake.states import SpecialState
from office import formats
from office.access import Actor, Role, party_signs_in
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.law import law_in_force
from office.plants import Plant


@act("remind_of_special", roles=(Role.SYSTEM,))
def remind_of_special(special_id: int, *, by: Actor, at: datetime) -> bool:
    """A day before its time: tell the hauler of a quote not accepted, else the plant of a request not decided.

    False where somebody settled it meanwhile, or its time has come.
    """
    row = lock(SpecialTime, special_id)
    if row.state not in special.OPEN or row.starts <= at:
        return False
    plant = db.session.get_one(Plant, row.plant_id)
    law = law_in_force(plant, row.day)
    what, lapses = what_words(plant, row, law), formats.day_time(row.starts, plant.tz)
    because("Not settled a day before its time", cite_of(law, row.day))
    if row.state == SpecialState.ASKED.value and row.quote_cents is not None:
        lines = [what, formats.full_stop(f"You have not accepted the charge of {formats.money(row.quote_cents)}. It "
                                         f"lapses {lapses}"), _how(row, at)]  # fmt: skip
        tell_hauler(plant, row, "special_waits", "Not accepted yet", lines, at)
        return True
    waits = "It waits for a quote" if row.quote_cents is None else "The charge is accepted, and it waits for approval"
    tell_arrangers(plant, row, "special_waits", "Not decided yet", [
        what, formats.full_stop(f"{waits}. It lapses {lapses}")], law, at)  # fmt: skip
    return True


@act("tell_special_lapsed", roles=(Role.SYSTEM,))
def tell_special_lapsed(special_id: int, *, by: Actor, at: datetime) -> bool:
    """Its time has come and nothing is arranged: its hauler reads so once, with why. False where it was settled."""
    row = lock(SpecialTime, special_id)
    if row.state not in special.OPEN or row.starts > at:
        return False
    plant = db.session.get_one(Plant, row.plant_id)
    law = law_in_force(plant, row.day)
    if row.state == SpecialState.ACCEPTED.value:
        why = "The plant did not decide on it in time."
    elif row.quote_cents is not None:
        why = "The charge was not accepted before."
    else:
        why = "The plant did not quote its charge in time."
    because(why, cite_of(law, row.day))
    lines = ["Its time has come without an approval, so nothing is arranged. Do not bring this load.",
             what_words(plant, row, law), why, "Nothing is charged.", "",
             "Book a time in the unloading hours, or ask for another special time."]  # fmt: skip
    tell_hauler(plant, row, "special_lapsed", "Lapsed", lines, at)
    return True


def _how(row: SpecialTime, at: datetime) -> str:
    signs_in = party_signs_in(haulers.party_of_business(row.business_id).id, at)
    how = "Sign in and accept it under Special times" if signs_in else "Call to accept it"
    return f"{how}, or withdraw it."

"""What is checked of a load before it is taken: tank, pH and other limits, bottle, test (§ 329-6 C-D, § 329-7 F)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal

from haulers import queries as haulers
from intake.models import Booking, Load
from intake.queries import labels, loads
from intake.queries.bookings import sessions_of
from intake.queries.findings import holding, pretreating
from intake.queries.pickups import PickUp, pickup_words
from intake.queries.testing_rule import MORE_BY, Asked, by_law
from intake.queries.words import sentence
from intake.states import Basis, RefusalReason
from office import formats
from office.law import law_in_force
from office.plants import Plant
from ordinances.fees import charge_cite
from ordinances.hauled import Part
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.screening import AS_IT_IS, REMEDIES, Finding, rejects, remedies, screen
from ordinances.weighing import FACTOR, Weighed, weighed

PH_LEAST, PH_MOST = Decimal(0), Decimal(14)
BOILS = Decimal(212)
IF_RIGHT = "If the number is right, say why."


@dataclass(frozen=True)
class Arrival:
    """What the operator entered about a truck. ``before`` is what the same load unloaded on earlier mornings, ``later``
    what is booked for it on later ones.

    ``flush`` is water of the gallons; ``full_lb`` and ``empty_lb`` are pounds; ``finding`` is what the judge of a limit
    found should follow, ``answer`` their name and words. ``asked``: whether the load is to be sampled, None as the law
    alone says; ``ordered_by`` who ordered a test that is not due. ``circumstances`` why a manhole is used,
    None where nobody could be asked. ``reason`` keeps odd values, of those only that the person was asked ``about``
    (codes of refusals; None: whichever is odd); ``untested`` says why a load is not tested, and nothing else.
    ``origin`` is its zone, ``others`` other kinds within its gallons, ``supervised_by`` who of the plant stood by at a
    manhole. ``told_late``: it was unloaded before anybody here was told; ``odd`` what else is odd of it and kept for
    that reason, in words.
    """

    plant: Plant
    law: Law
    at: datetime
    truck_id: int | None
    waste: str
    gallons: int
    basis: str
    ph: Decimal | None
    bottle: str
    tested: bool
    normal: bool
    flags: Collection[str]
    note: str
    reason: str
    before: int = 0
    later: int = 0
    answer: str = ""
    finding: str = ""
    temp_f: Decimal | None = None
    flush: int = 0
    full_lb: int | None = None
    empty_lb: int | None = None
    pickups: Sequence[PickUp] = ()
    asked: Asked | None = None
    ordered_by: str = ""
    business_id: int | None = None
    circumstances: str | None = None
    untested: str = ""
    about: Collection[str] | None = None
    driver: str = ""
    origin: str = ""
    others: Sequence[Part] = ()
    cubic_yards: Decimal | None = None
    supervised_by: str = ""
    told_late: bool = False
    odd: tuple[str, ...] = ()

    def answers(self, code: str) -> bool:
        """Whether the reason given is one for this odd value."""
        return bool(self.reason.strip()) and (self.about is None or code in self.about)

    @property
    def day(self) -> date:
        return self.at.astimezone(self.plant.tz).date()

    def cite(self, key: str) -> str:
        return self.law.cite(key, self.day) if self.law.has(key, self.day) else ""


def told_apart(arrival: Arrival) -> Arrival:
    """The arrival with its reason where it belongs: the only one of a load not tested, though its test was due, is why.

    Where somebody was asked about an odd value first, it is of that value.
    """
    asked = arrival.asked or by_law(arrival.law, arrival.day)
    if arrival.tested or not asked.due or asked.free or arrival.untested.strip() or arrival.about:
        return arrival
    return replace(arrival, reason="", untested=arrival.reason)


def findings(arrival: Arrival) -> tuple[Finding, ...]:
    """The limits the load does not keep, the gravest first."""
    return screen(arrival.law, arrival.day, ph=arrival.ph, temp_f=arrival.temp_f, flags=arrival.flags)


def wrong(arrival: Arrival) -> Refusal | None:
    """What stands against taking the load as entered, or None. Odd values pass once a reason is given."""
    if arrival.gallons <= 0:
        return Refusal("no_gallons", "Gallons must be 1 or more. A truck that unloads nothing is refused instead.", "")
    if arrival.basis not in {basis.value for basis in Basis}:
        return Refusal("basis", "Select how the gallons were found.", charge_cite(arrival.law, arrival.day, "gallons"))
    return (
        by_weight(arrival) or over_tank(arrival) or _flush(arrival) or _ph(arrival) or _temperature(arrival)
        or _rejected(arrival) or _asks(arrival) or _looks(arrival) or _pretreated(arrival) or _sample(arrival)
    )  # fmt: skip


def by_weight(arrival: Arrival) -> Refusal | None:
    """Gallons by weight are those the weights make: of this morning, or with later ones of the load all that was in the
    truck. The refusal carries those of this morning."""
    if arrival.basis != Basis.WEIGHT.value:
        return None
    if arrival.full_lb is None or arrival.empty_lb is None:
        return Refusal("weights", "Enter what the truck weighed full and empty.", arrival.cite(FACTOR))
    found = weighed(arrival.law, arrival.day, arrival.full_lb, arrival.empty_lb)
    if not found.gallons:
        return Refusal("weights", "The truck must weigh more full than empty.", found.cite)
    if found.gallons in (arrival.gallons, arrival.gallons + arrival.later):
        return None
    later = f" and {formats.gallons(arrival.later)} on later mornings" if arrival.later else ""
    why = (f"{found.pounds:,} pounds at {formats.number(found.factor)} pounds a gallon are "
           f"{formats.volume(found.gallons)}, not {formats.gallons(arrival.gallons)}{later}.")  # fmt: skip
    mine = found.gallons - arrival.later if found.gallons > arrival.later else found.gallons
    return Refusal("weighs", why, found.cite, next_step="Save again to keep what the weights make.",
                   details={"gallons": mine})  # fmt: skip


def booked_later(booking: Booking | None, day: date) -> int:
    """Gallons booked for a load on the mornings after a day."""
    booked = sessions_of([booking.id])[booking.id] if booking is not None else ()
    return sum(one.gallons for one in booked if one.day > day)


def weighed_alone(load: Load, plant: Plant) -> bool:
    """Whether what a load by weight weighed was only what is out until now: a further morning is weighed by itself."""
    whole = _weighed_in_all(load, plant)
    return load.basis == Basis.WEIGHT.value and (whole is None or whole.gallons <= load.gallons)


def _weighed_in_all(load: Load, plant: Plant) -> Weighed | None:
    if load.full_lb is None or load.empty_lb is None:
        return None
    return weighed(law_in_force(plant, load.day), load.day, load.full_lb, load.empty_lb)


def _on_the_scale(arrival: Arrival, load: Load) -> Refusal | None:
    """Gallons of a further morning against the weights of its load: those of all that was in the truck, or its own."""
    if load.basis != Basis.WEIGHT.value:
        return None
    if weighed_alone(load, arrival.plant):
        return None if (arrival.full_lb, arrival.empty_lb) == (None, None) else by_weight(replace(arrival, later=0))
    whole = _weighed_in_all(load, arrival.plant)
    assert whole is not None
    left = whole.gallons - arrival.before
    if arrival.gallons == left or (arrival.later and arrival.gallons < left):
        return None
    why = (f"{whole.pounds:,} pounds were {formats.volume(whole.gallons)} in all, {formats.gallons(arrival.before)} "
           f"of them unloaded before: {formats.gallons(left)} are left, not {formats.gallons(arrival.gallons)}."
           )  # fmt: skip
    return Refusal("weighs", why, whole.cite, next_step="Save again to keep what the weights leave.",
                   details={"gallons": left})  # fmt: skip


def scale_words(arrival: Arrival, load: Load) -> str:
    """What a further morning of a load by weight weighed, or that it was not weighed by itself; "" where none is."""
    if not weighed_alone(load, arrival.plant):
        return ""
    when = formats.date_only(arrival.day)
    weights = weighed_words(arrival)
    return f"On {when}: {weights}" if weights else f"On {when}: {formats.volume(arrival.gallons)}, not weighed."


def _flush(arrival: Arrival) -> Refusal | None:
    if 0 <= arrival.flush <= arrival.gallons:
        return None
    why = f"Flush water must be between 0 and the load's {formats.volume(arrival.gallons)}."
    return Refusal("flush", why, charge_cite(arrival.law, arrival.day, "gallons"))


def _temperature(arrival: Arrival) -> Refusal | None:
    if arrival.temp_f is None or arrival.temp_f <= BOILS or arrival.answers("temp_impossible"):
        return None
    why = f"Water boils at {BOILS} °F. You entered {formats.number(arrival.temp_f)}. Check the number."
    return Refusal("temp_impossible", why, "", next_step=IF_RIGHT,
                   details={"odd": f"{formats.number(arrival.temp_f)} °F"})  # fmt: skip


def over_tank(arrival: Arrival) -> Refusal | None:
    """More gallons than the truck's tank holds, all mornings together, and no reason given."""
    truck = haulers.truck(arrival.truck_id) if arrival.truck_id is not None else None
    total = arrival.gallons + arrival.before
    if truck is None or total <= truck.capacity or arrival.answers("gallons_over_tank"):
        return None
    why = f"Gallons are more than this truck holds ({formats.gallons(truck.capacity)}). Check the number."
    odd = f"{formats.volume(total)} in a tank of {formats.gallons(truck.capacity)}"
    return Refusal("gallons_over_tank", why, charge_cite(arrival.law, arrival.day, "gallons"), next_step=IF_RIGHT,
                   details={"odd": odd})  # fmt: skip


def too_much(arrival: Arrival, load: Load) -> Refusal | None:
    """On a later morning only the gallons can be wrong: the waste and its sample are those of the first."""
    if arrival.gallons <= 0:
        return Refusal("no_gallons", "Gallons must be 1 or more.", "")
    return _on_the_scale(arrival, load) or over_tank(arrival)


def full_tank(arrival: Arrival, booking: Booking | None) -> Refusal | None:
    """Gallons said to be the whole tank that are not what it holds, all mornings booked together; and no reason."""
    truck = haulers.truck(arrival.truck_id) if arrival.truck_id is not None else None
    if arrival.basis != Basis.CAPACITY.value or truck is None or arrival.answers("full_tank"):
        return None
    if arrival.gallons + arrival.before + booked_later(booking, arrival.day) == truck.capacity:
        return None
    why = f"This truck's full tank is {formats.volume(truck.capacity)}. You entered {formats.gallons(arrival.gallons)}."
    return Refusal(
        "full_tank",
        f"{why} Check the number.",
        charge_cite(arrival.law, arrival.day, "gallons"),
        next_step=f"Select how else the gallons were found. {IF_RIGHT}",
        details={"odd": f"{formats.volume(arrival.gallons)} as a full tank of {formats.gallons(truck.capacity)}"},
    )


def _ph(arrival: Arrival) -> Refusal | None:
    if arrival.ph is None or PH_LEAST <= arrival.ph <= PH_MOST or arrival.answers("ph_impossible"):
        return None
    why = f"pH is between {PH_LEAST} and {PH_MOST}. You entered {formats.number(arrival.ph)}. Check the number."
    return Refusal("ph_impossible", why, "", next_step=IF_RIGHT,
                   details={"odd": f"pH {formats.number(arrival.ph)}"})  # fmt: skip


def _rejected(arrival: Arrival) -> Refusal | None:
    hard = next((found for found in findings(arrival) if found.severity == "reject"), None)
    if hard is None:
        return None
    return Refusal("screening", f"{hard.sentence} Do not accept this load.", hard.cite, hard.reading,
                   "Record it as a refused load.", {"parameter": hard.parameter})  # fmt: skip


def judge(arrival: Arrival) -> str:
    """Who judges a limit that is asked about, as the town's law names them."""
    named = arrival.law.has("limits.judged_by", arrival.day)
    who = arrival.law.value("limits.judged_by", arrival.day) if named else "superintendent"
    return str(who).replace("_", " ").capitalize()


def _asks(arrival: Arrival) -> Refusal | None:
    """A limit somebody else judges, and no answer of theirs written down."""
    asked = [found for found in findings(arrival) if found.severity == "ask"]
    if not asked:
        return None
    outcomes = remedies(arrival.law, arrival.day)
    if rejects(arrival.finding):
        return Refusal("rejected", f"The {judge(arrival)} rejects this waste. Do not accept this load.",
                       arrival.cite(REMEDIES), next_step="Record it as a refused load.")  # fmt: skip
    if arrival.answer.strip() and (not outcomes or arrival.finding in (AS_IT_IS, *outcomes)):
        return None
    why = " ".join(f"{found.sentence.rstrip('.')} ({found.cite})." for found in asked)
    cites = "; ".join(dict.fromkeys(found.cite for found in asked))
    follows = ", select what is to follow" if outcomes else ""
    step = f"Ask the {judge(arrival)}{follows}, and write what was answered."
    return Refusal("ask", why, cites, asked[0].reading, step)


def _looks(arrival: Arrival) -> Refusal | None:
    if arrival.normal or arrival.note.strip():
        return None
    return Refusal("say_what", "Write what looks or smells wrong.", arrival.cite("limits.judged_by"))


def _pretreated(arrival: Arrival) -> Refusal | None:
    """A waste that is taken only once something was done to it: how that was shown is written down."""
    row = pretreating(holding(arrival.plant.id, arrival.business_id or 0, arrival.waste, arrival.day))
    if row is None or arrival.note.strip():
        return None
    why = f"This waste is taken only once this is done: {formats.full_stop(row.pretreatment)}"
    return Refusal("pretreated", why, arrival.cite(REMEDIES), next_step="Write in the note how it was shown.")


def _sample(arrival: Arrival) -> Refusal | None:
    asked = arrival.asked or by_law(arrival.law, arrival.day)
    if not arrival.tested:
        if asked.due and not asked.free and not arrival.untested.strip():
            return Refusal("untested_why", f"{asked.why} Say why this one is not.", asked.cite, asked.reading)
        return None
    if not asked.due and not arrival.ordered_by.strip():
        return Refusal("more_by", f"{asked.why} Enter who ordered the test.", arrival.cite(MORE_BY))
    if not arrival.bottle.strip():
        return Refusal("no_bottle", "Enter the sample bottle number.", arrival.cite("testing.regime"))
    used = loads.bottle_used(arrival.plant.id, arrival.bottle.strip())
    if used is None:
        return _bottle(arrival)
    when = formats.clock_time(used.logged_at, arrival.plant.tz)
    if used.day != arrival.day:
        when = f"{when} on {formats.day_short(used.day)}"
    free = loads.next_bottle(arrival.plant.id, arrival.day)
    return Refusal("bottle_used", f"{sentence(f'Bottle {arrival.bottle} was used at {when}')} Use {free}.", "")


def _bottle(arrival: Arrival) -> Refusal | None:
    """A bottle without a printed label; where nobody could be asked, the bottle is what it is."""
    if arrival.told_late or not arrival.tested or arrival.answers("bottle_odd"):
        return None
    bottle = arrival.bottle.strip()
    said = labels.odd_bottle(arrival.plant.id, bottle)
    odd = {"odd": f"bottle {bottle} without a printed label"}
    return Refusal("bottle_odd", said, "", next_step=IF_RIGHT, details=odd) if said else None


def odd(arrival: Arrival, booking: Booking | None = None) -> Refusal | None:
    """The first figure that is asked about before it is kept, with no reason given for it."""
    return over_tank(arrival) or full_tank(arrival, booking) or _ph(arrival) or _bottle(arrival)


def kept_words(arrival: Arrival, booking: Booking | None = None) -> str:
    """Why odd values are kept as entered, each of them named; "" where no reason was given."""
    reason = arrival.reason.strip()
    if not reason:
        return ""
    bare = replace(arrival, reason="")
    checks = (over_tank(bare), full_tank(bare, booking), _ph(bare), _temperature(bare), _bottle(bare))
    odd = [str(one.details["odd"]) for one in checks if one is not None and arrival.answers(one.code)]
    named = " and ".join((*odd, *arrival.odd))
    return f"Kept as entered ({named}) because: {reason}" if named else f"Reason given: {reason}"


def refusal_wanting(code: str, reason: str, business_id: int | None, name: str, gallons: int) -> Refusal | None:
    """What is missing before a truck can be recorded as turned away, or None."""
    if code not in {one.value for one in RefusalReason}:
        return Refusal("no_reason", "Select why the load is refused.", "")
    if not reason.strip():
        return Refusal("no_reason", "Enter in words why the load is refused.", "")
    if business_id is None and not name.strip():
        return Refusal("who", "Enter the name on the truck.", "")
    if gallons != 0:
        return Refusal("gallons_unloaded", "Log the gallons that were unloaded as a load, then refuse the rest.", "")
    return None


def remarks(arrival: Arrival, booking: Booking | None = None) -> str:
    """What the record keeps in words: the note, what the Superintendent is to judge, and of what each reason is."""
    said = [arrival.note.strip()] if arrival.note.strip() else []
    heads = {"ask": f"For the {judge(arrival)} to judge", "warn": "Noticed"}
    said += [f"{heads[f.severity]}: {f.sentence.rstrip('.')} ({f.cite})." for f in findings(arrival)
             if f.severity in heads]  # fmt: skip
    if arrival.answer.strip():
        found = f"found ({arrival.cite(REMEDIES)}): {arrival.finding}." if arrival.finding else "answered:"
        said.append(f"The {judge(arrival)} {found} {arrival.answer.strip()}")
    said += _measured(arrival)
    if arrival.untested.strip():
        said.append(f"Not tested because: {arrival.untested.strip()}")
    return "\n".join(filter(None, (*said, kept_words(arrival, booking))))


def weighed_words(arrival: Arrival) -> str:
    """What the truck weighed and by which pounds a gallon that was reckoned; "" where its gallons are not by weight."""
    if arrival.basis != Basis.WEIGHT.value or arrival.full_lb is None or arrival.empty_lb is None:
        return ""
    found = weighed(arrival.law, arrival.day, arrival.full_lb, arrival.empty_lb)
    return (f"Weighed {arrival.full_lb:,} pounds full, {arrival.empty_lb:,} empty: {found.pounds:,} pounds at "
            f"{formats.number(found.factor)} a gallon ({found.cite}).")  # fmt: skip


def _measured(arrival: Arrival) -> list[str]:
    """How the gallons came about: the weights, the water in them, the pick-ups beside the whole."""
    said = []
    if weights := weighed_words(arrival):
        said.append(weights)
    if arrival.flush:
        septage = arrival.gallons - arrival.flush
        said.append(f"{formats.volume(septage)} of septage and {formats.gallons(arrival.flush)} of flush water.")
    if arrival.pickups:
        said += pickup_words(arrival.pickups, arrival.gallons)
    return said

"""The Director tells a hauler in a dated letter how often its loads are tested (§ 329-7 F(5) of Bayfield)."""

import secrets
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

from haulers import queries as haulers
from intake.models import Load, SamplingDraw, SamplingRule, SamplingSecret
from intake.queries.testing_rule import Asked, how_often, rule_after, rule_on
from office import formats, letters
from office.access import TITLES, Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.notices import tell_party, tell_roles
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.testing_draw import EVERY, ONE_IN, commitment, figure_wrong, how_words, meant_words, rule_words

# Said of a load that was logged where nobody could be asked.
NOBODY_SAID = "Nobody gave a reason."


def rule_wrong(plant: Plant, business_id: int, kind: str, figure: int | None, since: date | None, reason: str,
               by: Actor, at: datetime, law: Law) -> Refusal | None:  # fmt: skip
    """What stands against a rule before its letter is shown: no_hauler, not_here, own_business, kind, figure, since,
    no_reason or same."""
    today = at.astimezone(plant.tz).date()
    if business_id not in {one.id for one, _ in haulers.businesses_at(plant.id)}:
        return Refusal("no_hauler", "There is no such hauler at this plant.", "")
    stated = how_often(law, today)
    if stated is None:
        return Refusal("not_here", "The law of this plant lets nobody change which loads are tested.", "")
    wrong = (
        haulers.own_business(business_id, by, stated.cite)
        or figure_wrong(kind, figure, stated.cite)
        or _words_wrong(stated.cite, since, today, reason)
    )
    if wrong is not None:
        return wrong
    now = rule_on(plant.id, business_id, since or today)
    # One load in N of an older letter was drawn load by load: it may be told anew.
    if now is None or (now.kind, now.figure) != (kind, figure) or (kind == ONE_IN and not now.blocks):
        return None
    why = f"{rule_words(kind, figure)} already, since {formats.date_only(now.since)}."
    return Refusal("same", why, stated.cite)


def _words_wrong(cite: str, since: date | None, today: date, reason: str) -> Refusal | None:
    if since is None or since < today:
        return Refusal("since", "The first day must be today or later: the letter is written before it counts.", cite)
    return None if reason.strip() else Refusal("no_reason", "Enter why, in words the hauler will read.", cite)


@act("set_testing_rule", roles=(Role.DIRECTOR,))
def set_testing_rule(
    plant: Plant, business_id: int, kind: str, figure: int | None, since: date, reason: str, *, by: Actor,
    at: datetime, law: Law,
) -> SamplingRule | Refusal:  # fmt: skip
    """Tell a hauler how often its loads are tested from a day on; who samples at the gate is told too.

    A drawn rule gets a secret of its own, whose fingerprint the letter holds. Refusals are those of ``rule_wrong``.
    """
    # Two who write at the same moment: the second is told of the first.
    lock(Plant, plant.id)
    figure = None if kind == EVERY else figure
    refused = rule_wrong(plant, business_id, kind, figure, since, reason, by, at, law)
    if refused is not None:
        return refused
    secret = "" if kind == EVERY else secrets.token_hex(32)
    party = haulers.party_of_business(business_id)
    row = SamplingRule(
        plant_id=plant.id, business_id=business_id, kind=kind, figure=figure, since=since, reason=reason.strip(),
        commitment=commitment(secret) if secret else "", made_at=at, made_by=by.name, law_version=law.version,
        blocks=kind == ONE_IN,
    )  # fmt: skip
    db.session.add(row)
    db.session.flush()
    if secret:
        db.session.add(SamplingSecret(plant_id=plant.id, rule_id=row.id, secret=secret))
    stated = how_often(law, at.astimezone(plant.tz).date())
    because(reason.strip(), stated.cite if stated is not None else "")
    later = rule_after(plant.id, business_id, since)
    data = letter_data(plant, kind, figure, since, reason, row.commitment, later, by=by, at=at, law=law)
    letter = letters.write(plant, party, "testing_rule", TITLE, data, at, law_version=law.version)
    row.letter_id = letter.id
    first = f"{rule_words(kind, figure)} from {formats.date_only(since)}{until_words(later)}"
    body = f"{first}.\n\n{reason.strip()}\n\n{letters.where_kept(letter, party.id, at)}\n{plant.name}, {plant.phone}"
    tell_party(party, "testing_rule", f"{first} ({letter.number})", body, at, plant_id=plant.id, letter_id=letter.id)
    tell_roles((Role.OPERATOR, Role.MANAGER), "testing_rule", f"{party.name}: {first[:1].lower()}{first[1:]}",
               f"{party.name}: {first}. The station says for each load whether it is sampled.", at,
               plant_id=plant.id)  # fmt: skip
    return row


@act("set_testing_rules", roles=(Role.DIRECTOR,))
def set_testing_rules(
    plant: Plant, business_ids: Sequence[int], kind: str, figure: int | None, since: date, reason: str, *, by: Actor,
    at: datetime, law: Law,
) -> list[SamplingRule] | Refusal:  # fmt: skip
    """Tell several haulers the same at once, each in a letter and with a secret of its own; all of them or none.

    Refusals are those of ``rule_wrong``.
    """
    made = []
    for business_id in sorted(business_ids):
        row = set_testing_rule(plant, business_id, kind, figure, since, reason, by=by, at=at, law=law)
        if isinstance(row, Refusal):
            return row
        made.append(row)
    return made


TITLE = "How often your loads are tested"


def until_words(later: SamplingRule | None) -> str:
    """Until when a rule holds that gives way to one told before; "" where it holds until further notice."""
    return f" until {formats.date_only(later.since - timedelta(days=1))}" if later is not None else ""


def gives_way(plant: Plant, later: SamplingRule) -> str:
    """Which rule told before takes the place of the one told now, and when."""
    rule = rule_words(later.kind, later.figure)
    return (f"From {formats.date_only(later.since)} on another rule holds instead, as in the letter of "
            f"{formats.date_only(later.made_at, plant.tz)}: {rule[:1].lower()}{rule[1:]}.")  # fmt: skip


def letter_data(
    plant: Plant, kind: str, figure: int | None, since: date, reason: str, fingerprint: str,
    later: SamplingRule | None = None, *, by: Actor, at: datetime, law: Law,
) -> dict[str, Any]:  # fmt: skip
    """What the letter prints; the page shows the same before it is sent."""
    today = at.astimezone(plant.tz).date()
    row = how_often(law, today)
    assert row is not None
    meant = meant_words(kind, figure, blocks=True)
    rule = f"{rule_words(kind, figure)} from {formats.date_only(since)}{until_words(later)}. {meant}".rstrip()
    return {
        "rule": f"{rule} {gives_way(plant, later)}" if later is not None else rule,
        "how": how_words(kind, figure, blocks=True) if kind != EVERY else "",
        "cite": row.cite, "reading": row.reading or "", "reason": reason.strip().splitlines(),
        "fingerprint": fingerprint, "signature": [by.name, TITLES[Role.DIRECTOR]],
    }  # fmt: skip


def keep_draw(load: Load, asked: Asked, why: str, ordered_by: str) -> SamplingDraw | None:
    """Write down what was drawn for a load just logged; nothing where it was sampled as the town's law has it."""
    if asked.free or (asked.rule_id is None and asked.due == load.tested):
        return None
    row = SamplingDraw(
        plant_id=load.plant_id, load_id=load.id, rule_id=asked.rule_id, number=asked.number, due=asked.due,
        sampled=load.tested, why=(why.strip() or NOBODY_SAID) if asked.due and not load.tested else "",
        ordered_by=(ordered_by.strip() or load.logged_by) if load.tested and not asked.due else "",
    )  # fmt: skip
    db.session.add(row)
    return row

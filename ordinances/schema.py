"""What a key of the law is, and the list of every key a profile may have, in reading order."""

from __future__ import annotations

from dataclasses import dataclass

from ordinances.keys import TABLE

WINDOW = "window_committee"
BY_AGREEMENT = "by_agreement"
PROHIBITED = "prohibited"
PROGRAMMES = (WINDOW, BY_AGREEMENT, PROHIBITED)
WASTES = ("septic_tank", "holding_tank", "portable_toilet", "grease_interceptor", "other")
ROLES = (
    "director", "plant_manager", "superintendent", "committee", "council", "operator", "director_or_manager",
    "utility_committee", "utility_district", "hauler", "city", "clerk",
)  # fmt: skip
# Papers and lists the gate asks for, which a town may let somebody set aside for one load.
GATE_ANSWERS = (
    "insurance", "certificates", "driver", "sticker", "account_hold", "truck_not_approved", "statement_open",
)  # fmt: skip
_NAMED_OPTIONS = {"@roles": ROLES, "@wastes": WASTES, "@programmes": PROGRAMMES, "@gate_answers": GATE_ANSWERS}


@dataclass(frozen=True)
class Key:
    """One term of the law: `type` is a kind of ordinances.values, `title` the words for the rules page.

    `plant` marks what a plant sets by its own dated rows; `state` what a state layer holds; `needed_by` the
    programmes that cannot do without it; `options` the words a choice may take.
    """

    name: str
    type: str
    title: str
    unit: str
    group: str
    options: tuple[str, ...] = ()
    plant: bool = False
    state: bool = False
    needed_by: frozenset[str] = frozenset()


def _options(text: str) -> tuple[str, ...]:
    if text in _NAMED_OPTIONS:
        return _NAMED_OPTIONS[text]
    return tuple(one.strip() for one in text.split(",") if one.strip())


def _key(group: str, line: str) -> Key:
    name, kind, title, unit, options = (*(cell.strip() for cell in line.split("|")), "", "")[:5]
    needed = {"*": frozenset([WINDOW]), "!": frozenset(PROGRAMMES)}.get(name[-1], frozenset())
    return Key(
        name.rstrip("*!+"), kind, title, unit, group, _options(options),
        plant=name.endswith("+"), state=group == "State law", needed_by=needed,
    )  # fmt: skip


def _read(table: str) -> dict[str, Key]:
    keys: dict[str, Key] = {}
    group = ""
    for line in table.strip().splitlines():
        if line.startswith("# "):
            group = line[2:]
        elif line.strip():
            key = _key(group, line)
            keys[key.name] = key
    return keys


KEYS: dict[str, Key] = _read(TABLE)
GROUPS: tuple[str, ...] = tuple(dict.fromkeys(key.group for key in KEYS.values()))
ORDER: dict[str, int] = {name: at for at, name in enumerate(KEYS)}


def state_needs() -> tuple[str, ...]:
    """The keys every state layer must have: the rules reckon with them."""
    return ("winter.from", "winter.to", "state.apply_before", "state.decide_by", "state.exceptions", "state.tiers")

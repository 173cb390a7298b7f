"""Copies of Bayfield's law, state layer included, with another value in a row, adopted at the plant of a test."""

import itertools
import json
from datetime import date, timedelta
from decimal import Decimal

from office.access import Role, system
from office.acts import act
from office.db import db
from office.law import Adoption, LawText
from ordinances.followed import check_followed
from ordinances.reader import LawError, load_profile, profile_from_canonical
from ordinances.schema import KEYS
from ordinances.values import WrongValue, parse
from tests import world

DAYS = itertools.count(1)


def canonical():
    return json.loads(load_profile("bayfield").text)


def other(key, value):  # noqa: PLR0911 - one answer a kind
    """Another value of the same kind, unlike anything else in the law; None when the kind has no other."""
    kind, options = KEYS[key].type, KEYS[key].options
    if kind == "integer":
        return value + (2400 if value > 100_000 else 2)
    if kind in ("money", "decimal"):
        return str(Decimal(value) * 3 + Decimal("0.007"))
    if kind == "month_day":
        month, day = value.split("-")
        return f"{month}-{'13' if day != '13' else '14'}"
    if kind == "time":
        return f"{value[:2]}:{'25' if value[3:] != '25' else '35'}"
    if kind == "flag":
        return not value
    if kind == "choice":
        return next((option for option in options if option != value), None)
    if kind in ("weekdays", "choices", "names"):
        return value[1:] if len(value) > 1 else ["something else"]
    if kind == "texts":
        return [f"{one} (changed)" for one in value]
    if kind == "coded":
        return [[code, f"{words} (changed)"] for code, words in value]
    if kind == "limit":
        return value | {"below" if "below" in value else "above": "3.3"} if {"below", "above"} & set(value) else (
            value | {"severity": "warn" if value["severity"] != "warn" else "ask"}
        )  # fmt: skip
    return f"{value} (changed)" if isinstance(value, str) else None


@act("test_adopt", roles=(Role.SYSTEM,))
def _adopt(text, *, by, at):
    profile = profile_from_canonical(text)
    stored = LawText(sha256=profile.sha256, profile=profile.id, name=profile.name, text=profile.text)
    db.session.add(stored)
    db.session.flush()
    since = date(1992, 1, 1) + timedelta(days=next(DAYS))
    db.session.add(Adoption(plant_id=world.plant().id, law_text_id=stored.id, since=since, resolution="Test",
                            adopted_at=at, adopted_by="Test"))  # fmt: skip
    return True


def with_charge(code, field, value):
    """The canonical text with another value in one field of a charge it writes as an item."""
    document = canonical()
    (item,) = [one for one in document["charges"]["item"] if one["code"] == code]
    item[field] = value
    text = json.dumps(document)
    profile_from_canonical(text)
    return text


def adopt(text):
    """Put a canonical text in force at the plant, later than any before it, and commit."""
    _adopt(text, by=system(), at=world.START)
    db.session.commit()


def with_values(changes):
    """The canonical text with other values in some rows (by their place), or the sentence why the law refuses them."""
    document = canonical()
    for index, value in changes.items():
        document["rows"][index]["value"] = value
    text = json.dumps(document)
    # A text once adopted stays readable; a new one with a value no act follows is refused.
    for index, value in changes.items():
        key = KEYS[document["rows"][index]["key"]]
        try:
            check_followed(key.name, parse(key.type, value, key.options))
        except WrongValue as error:
            return None, f"{key.name}: {error}"
    try:
        profile_from_canonical(text)
    except LawError as error:
        return None, str(error)
    return text, ""

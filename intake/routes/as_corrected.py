"""What a tablet says of a load it put right before it was sent: each correction in words, the old beside the new."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from werkzeug.datastructures import MultiDict

from intake.forms.tablets import SentForm
from intake.queries import outbox
from intake.queries.words import one_line, sentence
from office.plants import Plant

# More often nobody corrects one load; what is beyond is kept, and not told in words.
MOST = 20
SIGNED = "strokes"


def corrected_words(plant: Plant, body: Mapping[str, Any], form: SentForm, lacks: int) -> tuple[str, ...]:
    """A sentence a correction, oldest first: when, by whom, what is another figure and why.

    ``form`` is the one of the load's day, for its labels; ``lacks`` the seconds the tablet's clock was behind.
    """
    was = (
        [one for one in body.get("was") or () if isinstance(one, Mapping)] if isinstance(body.get("was"), list) else []
    )
    later = [*was[1:], body]
    return tuple(_words(plant, one, then, form, lacks) for one, then in zip(was[:MOST], later, strict=False))


def _words(plant: Plant, one: Mapping[str, Any], then: Mapping[str, Any], form: SentForm, lacks: int) -> str:
    old, new = _typed(one.get("fields")), _typed(then.get("fields"))
    both = {name: (old.getlist(name), new.getlist(name)) for name in form._fields if name != SIGNED}
    said = [f"{form[name].label.text} {_shown(form[name], now)}, not {_shown(form[name], before)}"
            for name, (before, now) in both.items() if [*filter(None, before)] != [*filter(None, now)]]  # fmt: skip
    if one.get("visit") != then.get("visit"):
        said.append("another truck was chosen")
    if old.get(SIGNED, "") != new.get(SIGNED, ""):
        said.append("signed anew" if new.get(SIGNED) else "to be signed again")
    at = outbox.instant(one.get("at"))
    when = f", {outbox.moment(plant, at + timedelta(seconds=lacks))}" if at is not None else ""
    by = f" by {one_line(str(one.get('by')))[:100]}" if one.get("by") else ""
    why = one_line(str(one.get("why") or ""))[:300]
    return " ".join(filter(None, (sentence(f"Corrected on the tablet{when}{by}: {'; '.join(said) or 'nothing else'}"),
                                  sentence(why) if why else "")))  # fmt: skip


def _typed(said: Any) -> MultiDict[str, str]:
    rows = said if isinstance(said, list) else []
    return MultiDict([(str(one[0]), str(one[1])) for one in rows if isinstance(one, list) and len(one) == 2])


def _shown(field: Any, values: list[str]) -> str:
    """What was chosen by its label, what was typed as it was typed; "none" for nothing."""
    labels = {str(one[0]): str(one[1]) for one in getattr(field, "choices", ())}
    return " and ".join(labels.get(value, value) for value in values if value) or "none"

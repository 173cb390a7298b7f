"""The value of every row of Bayfield's law, state layer included, is seen where people meet it, not only in /rules."""

import re

import pytest

from ordinances.schema import KEYS
from tests.house import law_places, law_scene
from tests.house.law_copies import adopt, canonical, other, with_values
from tests.house.law_table import OTHER, RULES_ONLY, SEEN

NOT_FOLLOWED = "is not followed by any act yet"


def copy_with(key):
    """The canonical text with another value in the row of a key, or (None, the sentence why the law refuses it)."""
    index, row = next((index, row) for index, row in enumerate(canonical()["rows"]) if row["key"] == key)
    value = OTHER.get(key, other(key, row["value"]))
    return (None, "") if value is None else with_values({index: value})


def test_every_row_says_where_its_value_is_seen():
    rows = {row["key"] for row in canonical()["rows"]}
    unknown = []
    for key in sorted(rows - set(SEEN) - set(RULES_ONLY)):
        text, why = copy_with(key)
        if text is None and (NOT_FOLLOWED in why or len(KEYS[key].options) == 1):
            continue  # a copy with another value is refused, so nothing could show it
        unknown.append(f"{key}: enter in tests/house/law_table.py where its value is seen (SEEN), or why only on the "
                       f"rules page (RULES_ONLY). {why}".strip())  # fmt: skip
    assert unknown == []
    assert set(SEEN) & set(RULES_ONLY) == set()
    assert set(SEEN) | set(RULES_ONLY) <= rows, "a row of the table is no row of the law"
    assert set(SEEN.values()) <= set(law_places.PLACES)


@pytest.mark.parametrize("place", sorted(set(SEEN.values())))
def test_a_changed_row_is_seen_where_it_counts(app, clock_at, place):
    clock_at("2026-08-12T08:00")
    words = law_places.PLACES[place]
    scene = law_scene.build(app)
    before = words(scene)
    assert words(scene) == before
    silent = []
    for key in (key for key, where in SEEN.items() if where == place):
        text, why = copy_with(key)
        assert text is not None, why
        adopt(text)
        if words(scene) == before:
            silent.append(f"{key}: another value changes nothing in {place}")
    assert silent == []


# Figures of one or two digits, where the words around them leave no doubt what they are.
SHORT = (
    ("application.form_opens", "filing_window", r"July 1(?!\d)"),
    ("application.opens", "filing_window", r"August 1(?!\d)"),
    ("application.closes", "filing_window", r"September 1(?!\d)"),
    ("application.closes", "filing", r"to Tuesday, September 1(?!\d)"),
    ("decision.opens", "committee_table", r"opens September 1(?!\d)"),
    ("decision.by", "filing", r"October 1(?!\d)"),
    ("approval.from", "decision_letters", r"October 1, 2026"),
    ("approval.to", "decision_letters", r"September 30, 2027"),
    ("winter.from", "decision_letters", r"November 15"),
    ("winter.from", "committee_table", r"November 15"),
    ("winter.to", "decision_letters", r"April 15"),
    ("hours.days", "decision_letters", r"Monday"),
    ("hours.opens", "decision_letters", r"7:00 a\.m\."),
    ("hours.opens", "commands", r"7:00"),
    ("hours.closes", "decision_letters", r"10:00 a\.m\."),
    ("hours.closes", "commands", r"10:00"),
    ("hours.opens", "rules_page", r"7:00"),
    ("hours.closes", "rules_page", r"10:00"),
    ("rate.percent", "commands", r"\b10 ?(%|percent)"),
    ("rate.percent", "booking_offers", r"\b10 (%|percent)"),
    ("record.due_working_days", "commands", r"due by the end of Wednesday, October 7\b"),
    ("record.due_working_days", "decision_letters", r"the next working day"),
    ("billing.late_percent", "bill", r"\b10 ?(%|percent)"),
    ("billing.late_percent", "late_charge", r"\b10 ?(%|percent)"),
    ("billing.late_days", "bill", r"October 28\b"),
    ("billing.late_days", "rules_page", r"due within</dt><dd>20 days"),
    ("limits.ph_low", "field_tests", r"below 5\.5"),
    ("limits.ph_low", "rules_page", r"pH (below )?5\.5"),
    ("limits.ph_high", "field_tests", r"above 9\.5"),
    ("limits.ph_high", "rules_page", r"pH (above )?9\.5"),
    ("limits.temp_high", "rules_page", r"temperature above 150"),
)  # fmt: skip


def test_a_short_figure_is_gone_where_it_stood_once_it_is_changed(app, clock_at):
    clock_at("2026-08-12T08:00")
    scene = law_scene.build(app)
    before = {place: law_places.PLACES[place](scene) for _, place, _ in SHORT}
    left = []
    for key in dict.fromkeys(key for key, _, _ in SHORT):
        text, why = copy_with(key)
        assert text is not None, why
        adopt(text)
        for place, figure in [(where, words) for one, where, words in SHORT if one == key]:
            assert re.search(figure, before[place]), f"{key}: {figure} is not in {place} to begin with"
            after = law_places.PLACES[place](scene)
            left += [f"{key} in {place}: {after[max(0, hit.start() - 60) : hit.end() + 20]}"
                     for hit in re.finditer(figure, after)][:1]  # fmt: skip
    assert left == [], "\n".join(left)

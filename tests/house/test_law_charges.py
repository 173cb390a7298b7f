"""Each charge Bayfield writes as an item is seen where people meet it, field by field."""

import pytest

from tests.house import law_places, law_scene
from tests.house.law_copies import adopt, canonical, with_charge

# (code, field): another value, and the places whose words change with it.
SEEN = {
    ("volume", "price"): ("0.031", ("logged_load", "public_pages", "rules_page", "decision_letters", "commands")),
    ("volume", "what"): ("Hauled waste unloaded", ("logged_load", "public_pages", "rules_page", "commands")),
    ("volume", "cite"): ("§ 1-1", ("logged_load", "public_pages", "rules_page", "decision_letters", "commands")),
    ("volume", "note"): ("Read otherwise", ("rules_page",)),
    ("volume", "basis"): (["capacity"], ("logged_load",)),
    ("test", "price"): ("13.17", ("logged_load", "public_pages", "rules_page", "decision_letters", "commands")),
    ("test", "what"): ("Tests of the pair", ("logged_load", "public_pages", "rules_page", "commands")),
    ("test", "unit"): ("truck", ("logged_load", "public_pages", "rules_page", "commands")),
    ("test", "test"): (["extra"], ("logged_load", "public_pages")),
    ("test", "reading"): ("Read otherwise", ("public_pages", "rules_page")),
    ("test", "note"): ("Read otherwise", ("rules_page",)),
    ("extra_test", "price"): ("13.17", ("public_pages", "rules_page", "commands")),
    ("extra_test", "test"): (["pair"], ("logged_load", "public_pages")),
    ("special_wage", "round_hours"): ("2", ("public_pages", "rules_page", "commands")),
    ("special_wage", "min_hours"): ("3", ("public_pages", "rules_page", "commands")),
    ("special_wage", "role"): ("night_watch", ("public_pages", "rules_page")),
    ("special_wage", "when"): (["weekend"], ("public_pages", "rules_page", "commands")),
    ("special_test", "price"): ("6.01", ("public_pages", "rules_page", "commands")),
    ("special_test", "when"): (["weekend"], ("public_pages", "rules_page", "commands")),
}
# A kind is how it is counted: test_ways_of_charging. The words that name a charge are those of "what" above.
SAID_ELSEWHERE = {"code", "kind", "from"}
LIKE_ANOTHER = {"what", "cite", "reading", "note"}


def test_every_field_of_every_charge_says_where_it_is_seen() -> None:
    fields = {(one["code"], name) for one in canonical()["charges"]["item"] for name in one}
    known = {name for _, name in SEEN}
    left = {(code, name) for code, name in fields - set(SEEN) if name not in SAID_ELSEWHERE}
    assert {(code, name) for code, name in left if name not in LIKE_ANOTHER & known} == set()
    assert set(SEEN) <= fields


@pytest.mark.parametrize("place", sorted({place for _, places in SEEN.values() for place in places}))
def test_a_changed_charge_is_seen_where_it_counts(app, clock_at, place):
    clock_at("2026-08-12T08:00")
    words = law_places.PLACES[place]
    scene = law_scene.build(app)
    before = words(scene)
    silent = []
    for (code, field), (value, places) in SEEN.items():
        if place in places:
            adopt(with_charge(code, field, value))
            if words(scene) == before:
                silent.append(f"{code}.{field}: another value changes nothing in {place}")
    assert silent == []

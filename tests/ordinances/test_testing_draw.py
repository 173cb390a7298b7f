"""Which load is sampled: nobody can foretell it, everybody can check it afterwards (§ 329-7 F(5))."""

import hashlib
import hmac
from fractions import Fraction
from itertools import pairwise

import pytest

from ordinances.testing_draw import (
    EVERY,
    ONE_IN,
    SHARE,
    Draw,
    chance,
    commitment,
    drawn,
    how_words,
    meant_words,
    rule_words,
    wrong_draws,
)

SECRET = "a secret of the test"


def picked(secret, kind, figure, loads):
    return [number for number in range(1, loads + 1) if drawn(secret, number, kind, figure)]


def test_draw_of_known_secret_is_always_the_same():
    # SHA-256 and HMAC are the world's: whoever draws again with any program finds these.
    assert commitment(SECRET) == "58d822e6d8e6315a420d0a5bdae46d2687081feceb12489e686fb2ffc82e8c24"
    assert picked(SECRET, ONE_IN, 5, 30) == [13, 16, 20, 22, 24]


@pytest.mark.parametrize(("kind", "figure", "least", "most"), [(ONE_IN, 5, 1850, 2150), (SHARE, 30, 2850, 3150)])
def test_share_drawn_is_the_rules(kind, figure, least, most):
    assert least <= len(picked(SECRET, kind, figure, 10_000)) <= most


def in_blocks(secret, figure, loads):
    return [number for number in range(1, loads + 1) if drawn(secret, number, ONE_IN, figure, blocks=True)]


@pytest.mark.parametrize("figure", [2, 3, 7, 100])
def test_one_load_in_so_many_is_exactly_one_of_each_so_many(figure):
    chosen = in_blocks(SECRET, figure, figure * 50)
    assert [(number - 1) // figure for number in chosen] == list(range(50))


def test_place_in_a_block_is_any_and_says_nothing_of_the_next():
    places = [(number - 1) % 5 for number in in_blocks(SECRET, 5, 20_000)]
    assert all(740 <= places.count(place) <= 860 for place in range(5))
    again = sum(one == other for one, other in pairwise(places))
    assert 740 <= again <= 860
    assert in_blocks(SECRET, 5, 40) != in_blocks("another", 5, 40)


def test_draws_of_a_rule_of_before_stay_as_they_were_made():
    draws = [Draw(number, drawn(SECRET, number, ONE_IN, 5)) for number in range(1, 31)]
    assert wrong_draws(SECRET, commitment(SECRET), draws, ONE_IN, 5) == []
    assert len(wrong_draws(SECRET, commitment(SECRET), draws, ONE_IN, 5, blocks=True)) > 1


def test_whoever_has_the_secret_draws_a_block_again():
    place = int.from_bytes(hmac.new(SECRET.encode(), b"block 2", hashlib.sha256).digest()[:8], "big") * 4 >> 64
    assert [number for number in in_blocks(SECRET, 4, 8) if number > 4] == [4 + 1 + place]
    assert how_words(ONE_IN, 4, blocks=True) == (
        'Loads 1 to 4 are block 1, the next 4 block 2, and so on. For block b, the first 8 bytes of '
        'HMAC-SHA256(secret, "block b"), read as a whole number, divided by 2 to the power of 64 and multiplied by 4, '
        "are rounded down: the load after so many others of its block is drawn.")  # fmt: skip


def test_what_a_rule_means_in_words():
    assert meant_words(EVERY, None, blocks=True) == ""
    assert meant_words(ONE_IN, 4, blocks=True) == (
        "Of each 4 loads that follow each other exactly one is tested, at a place drawn anew each time.")  # fmt: skip
    each = "load is drawn by itself, and one just tested says nothing of the next."
    assert [meant_words(ONE_IN, 4, blocks=False), meant_words(SHARE, 4, blocks=True)] == [
        f"It is so on average: each {each}", f"Each {each}"]  # fmt: skip


def test_load_after_a_drawn_one_is_drawn_as_often_as_any():
    chosen = set(picked(SECRET, ONE_IN, 4, 20_000))
    after = [number + 1 in chosen for number in chosen if number < 20_000]
    assert 0.23 <= sum(after) / len(after) <= 0.27


def test_every_load_is_drawn_under_every():
    assert picked(SECRET, EVERY, None, 50) == list(range(1, 51))


def test_chance_is_exact():
    assert (chance(EVERY, None), chance(ONE_IN, 3), chance(SHARE, 7)) == (1, Fraction(1, 3), Fraction(7, 100))
    with pytest.raises(ValueError, match="has a figure"):
        chance(ONE_IN, None)


def test_true_draws_hold():
    draws = [Draw(number, drawn(SECRET, number, ONE_IN, 3)) for number in range(1, 13)]
    assert wrong_draws(SECRET, commitment(SECRET), draws, ONE_IN, 3) == []


def test_each_false_draw_is_named():
    draws = [Draw(number, drawn(SECRET, number, ONE_IN, 3)) for number in range(1, 13)]
    turned = draws[4]
    draws[4] = Draw(5, not turned.drawn)
    del draws[1]
    said = "" if draws[3].drawn else "not "
    assert wrong_draws(SECRET, commitment(SECRET), draws, ONE_IN, 3) == [
        "Load 2 under this rule is missing.",
        f"Load 5 under this rule was {said}drawn; the secret says otherwise.",
    ]


def test_other_secret_than_told_proves_nothing():
    assert wrong_draws("another", commitment(SECRET), [], ONE_IN, 3) == [
        "The secret is not the one whose fingerprint stands in the letter."
    ]


def test_rule_in_words():
    assert [rule_words(EVERY, None), rule_words(ONE_IN, 5), rule_words(SHARE, 20)] == [
        "Every load is tested", "One load in 5 is tested", "20 percent of the loads are tested",
    ]  # fmt: skip

"""The pick-ups of a load as they are typed, and what is said where they do not make the whole."""

import pytest

from intake.queries.pickups import PickUp, pickup_words, read


@pytest.mark.parametrize(("line", "one"), [
    ("12 Lake Road 600", PickUp("12 Lake Road", 600)),
    ("12 Lake Road, 1,200 gal", PickUp("12 Lake Road", 1_200)),
    ("600 gal 12 Lake Road", PickUp("12 Lake Road", 600)),
    ("1,200 gallons: O'Brien & Søn", PickUp("O'Brien & Søn", 1_200)),
    ("Lakeside resort", PickUp("Lakeside resort", None)),
    ("12 Lake Road", PickUp("12 Lake Road", None)),
    ("Camp 0", PickUp("Camp", 0)),
])  # fmt: skip
def test_a_line_is_a_place_and_its_gallons_in_either_order(line, one):
    assert read(line) == (one,)


def test_blank_lines_are_no_pick_ups():
    assert read("\n 12 Lake Road 600 \n\n14 Bay Street 900\n") == (
        PickUp("12 Lake Road", 600), PickUp("14 Bay Street", 900))  # fmt: skip
    assert read("  \n") == ()


@pytest.mark.parametrize(("whole", "said"), [
    (1_500, []), (1_501, ["The pick-ups add up to 1,500 gallons; the load has 1,501."]),
])  # fmt: skip
def test_parts_that_do_not_make_the_whole_are_said(whole, said):
    several = read("12 Lake Road 600\n14 Bay Street 900")
    assert pickup_words(several, whole) == [
        "Picked up: 12 Lake Road, 600 gallons; 14 Bay Street, 900 gallons.", *said]  # fmt: skip


def test_a_place_without_a_figure_leaves_nothing_to_compare():
    assert pickup_words(read("12 Lake Road 600\nCamp"), 1_500) == ["Picked up: 12 Lake Road, 600 gallons; Camp."]

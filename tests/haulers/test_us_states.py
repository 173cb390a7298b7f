"""A state by its two letters or its name."""

from haulers.queries import us_states
from haulers.queries.us_states import state_code


def test_the_fifty_states_and_the_district_are_known_by_letters_and_by_name() -> None:
    known = us_states._BY_NAME
    assert (len(known), len(set(known.values()))) == (51, 51)
    assert all(state_code(name.upper()) == state_code(code.lower()) == code for name, code in known.items())
    assert state_code(" district  of Columbia ") == "DC"

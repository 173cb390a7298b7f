"""The states of the United States by their two letters: a license is kept under them, however its state was typed."""

_NAMES = """
AL Alabama; AK Alaska; AZ Arizona; AR Arkansas; CA California; CO Colorado; CT Connecticut; DE Delaware;
DC District of Columbia; FL Florida; GA Georgia; HI Hawaii; ID Idaho; IL Illinois; IN Indiana; IA Iowa; KS Kansas;
KY Kentucky; LA Louisiana; ME Maine; MD Maryland; MA Massachusetts; MI Michigan; MN Minnesota; MS Mississippi;
MO Missouri; MT Montana; NE Nebraska; NV Nevada; NH New Hampshire; NJ New Jersey; NM New Mexico; NY New York;
NC North Carolina; ND North Dakota; OH Ohio; OK Oklahoma; OR Oregon; PA Pennsylvania; RI Rhode Island;
SC South Carolina; SD South Dakota; TN Tennessee; TX Texas; UT Utah; VT Vermont; VA Virginia; WA Washington;
WV West Virginia; WI Wisconsin; WY Wyoming
"""
_BY_NAME = {name.casefold(): code for code, _, name in (one.strip().partition(" ") for one in _NAMES.split(";"))}
_CODES = frozenset(_BY_NAME.values())
NO_STATE = "State that gave the license must be a state, like WI or Wisconsin"


def state_code(typed: str) -> str | None:
    """``WI`` for "wi", "W.I." or "Wisconsin"; None for what is no state."""
    words = " ".join(typed.replace(".", "").split())
    return words.upper() if words.upper() in _CODES else _BY_NAME.get(words.casefold())

"""One gallon is a gallon: no source joins a count to a plural by hand where ``volume`` or ``plural`` says both."""

import re
from pathlib import Path

import pytest

HOME = Path(__file__).parents[2]
NOUNS = "gallons|loads|applications|haulers|letters|days|results|records|violations"
INNER = r"[^{}]*(?:\{[^}]*\})?[^{}]*"
IN_PYTHON = re.compile(rf"\{{(?:formats\.)?gallons\({INNER}\)\}} (?:more |winter )?(?:{NOUNS})\b")
IN_TEMPLATES = re.compile(rf"\|\s*gallons\s*\}}\}} (?:more |winter )?(?:{NOUNS})\b")
ROOMS = ("haulers", "intake", "billing", "office")


@pytest.mark.parametrize("room", ROOMS)
def test_no_count_is_joined_to_a_plural_by_hand(room: str) -> None:
    found = []
    for pattern, paths in ((IN_PYTHON, (HOME / room).rglob("*.py")),
                           (IN_TEMPLATES, (HOME / "templates" / room).rglob("*.html"))):  # fmt: skip
        for path in sorted(paths):
            found += [f"{path.relative_to(HOME)}: {hit}" for hit in pattern.findall(path.read_text(encoding="utf-8"))]
    assert found == [], "write formats.volume(…), or plural(…) for another word: one gallon is a gallon"


def test_the_pattern_sees_what_was_wrong_before() -> None:
    assert IN_PYTHON.search('f", {gallons(asked.granted_winter)} winter gallons and"')
    assert IN_PYTHON.search("f\"{gallons(one['gallons'])} gallons\"")
    assert IN_TEMPLATES.search("{{ table.winter.left|gallons }} gallons are left")
    assert not IN_TEMPLATES.search("{{ count|gallons }} <b>")

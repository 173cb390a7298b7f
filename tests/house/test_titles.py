"""Every page has one heading, its title is that heading's words, and no two pages are named alike."""

import re
from collections import defaultdict
from pathlib import Path

from tests.house.sources import ROOT

TEMPLATES = ROOT / "templates"
# Pages at one address, or one record as different people see it.
SAME = [
    {"haulers/apply.html", "haulers/apply_not_here.html"},
    {"haulers/tasks.html", "haulers/window_closed.html"},
    {"intake/driver/booking.html", "intake/hauler/booking.html", "intake/phone/booking.html"},
    {"intake/driver/load.html", "intake/loads/one.html"},
    {"intake/special/decide.html", "intake/special/one.html"},
]
# Words that the page's code or the template's first lines put together.
NAMED_ELSEWHERE = {"{{ title }}", "{{ heading }}"}


def words(source: str) -> str:
    """A title or heading as it is read: without marks, whose words are the same."""
    return " ".join(re.sub(r"<[^>]*>", "", source).split())


def titles() -> dict[str, tuple[str, list[str]]]:
    """Each template of a page: its title and its headings, as written."""
    found = {}
    for path in sorted(set(TEMPLATES.rglob("*.html")) - {TEMPLATES / "base.html"}):
        text = path.read_text(encoding="utf-8")
        title = re.search(r"\{% block title %\}(.+?)\{% endblock %\}", text, re.DOTALL)
        if title is not None:
            said = title[1].replace("{% if wrong or kept %}Error: {% endif %}", "")
            headings = re.findall(r"<h1[^>]*>(.*?)</h1>", text, re.DOTALL)
            found[str(Path(path).relative_to(TEMPLATES))] = (words(said), [words(one) for one in headings])
    return found


def test_the_title_of_every_page_is_its_heading() -> None:
    wrong = {name: both for name, both in titles().items() if set(both[1]) != {both[0]}}
    assert wrong == {}


def test_no_two_pages_have_one_title() -> None:
    named = defaultdict(set)
    for name, (title, _) in titles().items():
        named[title].add(name)
    alike = {title: names for title, names in named.items() if len(names) > 1 and title not in NAMED_ELSEWHERE}
    assert [names for names in alike.values() if names not in SAME] == []

"""Everybody can follow every link they are shown: no page leads its reader to "not found", "no access" or an error."""

import re
from collections import Counter
from html import unescape

import pytest

from intake.sample.cast import PASSWORD
from tests import world

pytestmark = pytest.mark.xdist_group("season")
PEOPLE = {
    "public": None, "hauler": "hauler@sample.example", "revoked hauler": "island@sample.example",
    "rejected hauler": "anyone@sample.example", "operator": "operator@sample.example",
    "manager": "manager@sample.example", "director": "director@sample.example", "member": "member@sample.example",
    "clerk": "clerk@sample.example", "administrator": "admin@sample.example",
    "driver": "driver@sample.example", "state viewer": "state@sample.example",
}  # fmt: skip
EACH = 2


def links(page):
    return [unescape(href).partition("#")[0] for href in re.findall(r'href="(/[^"]*)', page)]


def shape(address):
    """Addresses of one kind look alike: numbers and dates in them do not count."""
    return re.sub(r"\d[\d-]*", "#", address)


@pytest.mark.parametrize("who", PEOPLE)
def test_no_link_leads_to_an_error(season, who):
    client = season.test_client()
    if PEOPLE[who]:
        world.sign_in(client, PEOPLE[who], PASSWORD)
    start = ["/bayfield/"] + (["/account/home"] if PEOPLE[who] else [])
    todo, seen, kinds, bad = [(link, "start") for link in start], set(), Counter(), []
    while todo:
        address, came_from = todo.pop(0)
        if address in seen or kinds[shape(address)] >= EACH or address.startswith(("/static", "/bootstrap")):
            continue
        seen.add(address)
        kinds[shape(address)] += 1
        answer = client.get(address)
        if answer.status_code in (301, 302, 303, 308):
            todo.append((answer.location, address))
        elif answer.status_code != 200:
            bad.append(f"{came_from} -> {address}: {answer.status_code}")
        if answer.mimetype == "text/html":
            todo += [(link, address) for link in links(answer.get_data(as_text=True))]
    assert bad == []
    assert len(seen) > 8


def test_titles_are_unique_and_each_page_has_one_h1(season):
    client = season.test_client()
    world.sign_in(client, "clerk@sample.example", PASSWORD)
    titles = {}
    desk = "clerk clerk/filings clerk/invoices clerk/invoices/run clerk/ledger clerk/payments/new plant/loads"
    for address in ["", *f"{desk} admin messages history week rules fees approved".split()]:
        page = client.get(f"/bayfield/{address}").get_data(as_text=True)
        title = re.search(r"<title>(.*?)</title>", page).group(1)
        heading = re.findall(r"<h1[^>]*>(.*?)</h1>", page, re.DOTALL)
        assert len(heading) == 1, address
        words = re.sub("<[^>]*>", "", heading[0]).strip()
        assert title == f"{words} – Septage receiving – City of Bayfield (sample)", address
        assert title not in titles, (address, titles.get(title))
        titles[title] = address

"""The page the answers are checked on: it shows all that will be sent, each with the way to change it."""

import re
from datetime import date
from typing import Any

from haulers.actions import add_insurance, list_driver
from haulers.models import Driver, Insurance
from haulers.queries import TruckLine
from haulers.queries.drivers import DriverLine
from tests import world
from tests.haulers.builders import OUTSIDE, SOURCE, acting, answered, hauler
from tests.haulers.test_pages_hauler import ROW, once, rows, signed_in, text

CHECK = "/bayfield/hauler/apply/check"


def test_the_check_shows_all_of_the_company_that_is_sent(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-05T09:00")
    business = hauler(trucks=[TruckLine("WI 1234", 1500, "Big Red", "WI-0012345"), TruckLine("WI 77", 2100)])
    answered(business, at="2026-08-04T09:00")
    client = signed_in(app)
    bare = re.findall(r'<dt>([^<]+)</dt><dd class="text-break">([^<]*)</dd>', text(client.get(CHECK)))
    assert dict(bare)["Trucks"] == (
        "WI 1234, Big Red, 1,500 gallons, state number WI-0012345; WI 77, 2,100 gallons")  # fmt: skip
    assert (dict(bare)["Drivers"], dict(bare)["Insurance"]) == ("None", "None")
    when: Any = {"by": acting(business), "at": world.at("2026-08-05T09:00")}
    made = add_insurance(business, insurer="Acme & Søn", policy="P-1", ends_on=date(2027, 6, 30), **when)
    assert isinstance(made, Insurance)
    assert isinstance(list_driver(business, DriverLine("Ole", "Master operator", "77", date(2028, 6, 30), True), "", "",
                                  **when), Driver)  # fmt: skip
    page = text(client.get(CHECK))
    for said in ("Acme &amp; Søn, policy P-1, ends June 30, 2027",
                 "Ole, Master operator 77, ends June 30, 2028, operator-in-charge"):  # fmt: skip
        assert f'<dd class="text-break">{said}</dd>' in page, said
    assert '<a href="/bayfield/hauler/insurance?from=check">Change<span class="visually-hidden"> insurance' in page


def names_of(page: str) -> list[str]:
    """What each Change link of a page is called, its hidden words with it."""
    found = re.findall(r"<a [^>]*>(Change<span.*?</span>)</a>", page)
    return [" ".join(re.sub("<[^>]+>", " ", one).split()) for one in found]


def test_each_change_link_has_its_own_name_and_leads_back_to_the_check(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-05T09:00")
    answered(hauler(), SOURCE, OUTSIDE, at="2026-08-04T09:00")
    client = signed_in(app)
    page = text(client.get(CHECK))
    names = names_of(page)
    assert len(set(names)) == len(names)
    assert {"Change place of source 1", "Change place of source 2"} <= {one.replace("where it comes from", "place")
                                                                       for one in names}  # fmt: skip
    to = re.search(r'<a href="([^"]+season[^"]*)">Change', page)
    assert to is not None
    fields = dict(re.findall(r'name="(seen)"[^>]*value="([^"]*)"', text(client.get(to[1]))))
    answer = client.post(to[1], data=fields | {"season": "both", "then": "next"} | once())
    assert answer.location.endswith("/hauler/apply/check")


def test_saved_for_later_and_signed_out_the_answers_are_there_the_next_time(app: Any, clock_at: Any) -> None:
    """Home shows the unfinished application, one click leads back to its tasks."""
    clock_at("2026-08-05T09:00")
    hauler()
    client, path = signed_in(app), "/bayfield/hauler/apply/sources"
    saved = client.post(path, data=rows(ROW) | {"then": "later"} | once())
    assert saved.location == "/bayfield/hauler/apply/saved"
    client.post("/sign-out", data=once())
    again = signed_in(app)
    assert 'value="Homes along County Road J"' in text(again.get(path))
    home = text(again.get("/bayfield/hauler"))
    assert '<a href="/bayfield/hauler/apply">Finish your application for season 2026-27</a>' in home

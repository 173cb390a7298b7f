"""The page the answers are checked on: it shows all that will be sent, each with the way to change it."""

import re
from datetime import date
from typing import Any

from haulers.actions import add_insurance, list_driver
from haulers.models import Driver, Insurance
from haulers.queries import TruckLine
from haulers.queries.drivers import DriverLine
from tests import world
from tests.haulers.builders import acting, answered, hauler
from tests.haulers.test_pages_hauler import signed_in, text

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

"""A load with another kind of waste in it than its own, while a restriction stops that kind (§ 329-7 B(3))."""

from pathlib import Path
from typing import Any

from intake.actions.restriction import restrict_plant
from ordinances.hauled import Part
from tests import world
from tests.intake.gatehouse import good, kept, log, said
from tests.intake.test_charged_ways import at_town


def test_another_kind_that_a_restriction_stops_is_not_taken_in_a_mixed_load(app: Any, tmp_path: Path) -> None:
    who, grease = at_town(tmp_path, "marshalltown"), (Part("grease_interceptor", "outside", 200),)
    stopped = restrict_plant(world.plant(), "operational_problem", scope="types", wastes=["grease_interceptor"],
                             by=world.staff("director"), at=world.at("2026-10-06T06:00"), law=world.law())  # fmt: skip
    good(kept(stopped))
    code, why, cite = said(log(who, 1000, origin="in_city", others=grease))
    assert (code, cite) == ("restricted", "§ 329-7 B(3)")
    assert why == ("Do not accept: grease interceptor waste is not taken since Tuesday, October 6, 2026, 6:00 a.m. "
                   "because of an operational problem related to septage.")  # fmt: skip
    assert good(log(who, 1000, origin="in_city")).others == ()

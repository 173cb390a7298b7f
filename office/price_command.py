"""``flask law price PLANT …``: what a load costs by the law of a plant, with every fact its charges may hang on."""

import json
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

import click

from office import formats
from office.law_commands import AS_JSON, DAY, MOST, Dollars, _asked, _law, _refuse, closed_notes, law_group
from office.quote_commands import Kind, Named
from ordinances import fees
from ordinances.hauled import Part
from ordinances.refusal import Refusal
from ordinances.rows import Law
from ordinances.schedule_words import AWAITED, asks_for, asks_more, costs_passed_on, parameter_words
from ordinances.screening import WASTE_TYPES

# Options other schedules may need, and why this one does without: said aloud, so that no script relies on them.
_WITHOUT = {
    "--origin": "the schedule in force has one price wherever the waste comes from.",
    "--capacity": "the schedule in force charges by the gallon unloaded, not by the truck's tank.",
    "--wage": "a wage is charged only with --after-hours-minutes.",
    "--pounds": "the schedule in force charges nothing by weight.",
    "--metered": "the schedule in force has one price for loads with a meter and without.",
    "--cubic-yards": "the schedule in force charges nothing by the cubic yard.",
    "--point": "the schedule in force has one price at every receiving point.",
    "--after-hours": "the schedule in force has one price at every time of the day, or charges minutes of supervision.",
    "--cost": "the schedule in force does not pass on such a cost.",
}


@law_group.command("price")
@click.argument("plant")
@click.option("--date", "day", required=True, type=DAY)
@click.option("--gallons", required=True, type=click.IntRange(0, MOST))
@click.option("--waste", required=True, type=click.Choice(list(WASTE_TYPES)))
@click.option("--origin", help="zone the waste comes from, where a schedule asks")
@click.option("--also", "others", multiple=True, type=Kind(), help="of the gallons, another kind: WASTE:GALLONS:ZONE")
@click.option("--tests", default=0, type=click.IntRange(0, MOST), help="tests beyond the pair every load has")
@click.option("--after-hours-minutes", default=0, type=click.IntRange(0, MOST))
@click.option("--after-hours", is_flag=True, help="unloaded outside the hours, where a schedule asks")
@click.option("--wage", type=Dollars(), help="supervisor's hourly wage, like 30.00")
@click.option("--capacity", type=click.IntRange(1, MOST), help="the truck's tank, where a schedule charges by it")
@click.option("--metered", is_flag=True, help="the gallons are those of an approved meter")
@click.option("--pounds", type=click.IntRange(0, MOST), help="net weight of the load, where a schedule charges by it")
@click.option("--cubic-yards", type=Dollars(), help="where a schedule charges by them")
@click.option("--point", help="receiving point, where a schedule asks")
@click.option("--cost", "costs", multiple=True, type=Named(Decimal), help="what the plant paid, like lab=31.40")
@AS_JSON
@_asked
def price(plant: str, day: datetime, gallons: int, waste: str, tests: int, as_json: bool, **given: Any) -> None:
    """What does a load cost?"""
    law = _law(plant, day.date())
    known: dict[str, Any] = given | {"costs": dict(given["costs"]), "measured": given["metered"]}
    _kinds_known(given["others"])
    quote = fees.quote_for(law, [(day.date(), gallons)], waste, extra_tests=tests, **known)
    if isinstance(quote, Refusal):
        _refuse(as_json, quote)
    lines, whole = quote.lines, quote.total
    notes = _unused(law, day, given)
    notes += [AWAITED.format(" and ".join(map(parameter_words, quote.awaited)))] if quote.awaited else []
    notes += closed_notes(law, day.date())
    if as_json:
        found = {"lines": [_line(one) for one in lines], "total": str(whole), "notes": notes}
        click.echo(json.dumps(found, ensure_ascii=False))
        return
    for one in lines:
        click.echo(one.sentence)
    click.echo(f"Total {formats.money(whole)}")
    for note in notes:
        click.echo(note)


def _kinds_known(others: Sequence[Part]) -> None:
    for part in others:
        if part.waste not in WASTE_TYPES:
            raise click.BadParameter(f"{part.waste} is no kind of waste: {', '.join(WASTE_TYPES)}")


def _unused(law: Law, day: datetime, given: dict[str, Any]) -> list[str]:
    """What was given and changes nothing, in words."""
    asked = asks_for(law, day.date()) | asks_more(law, day.date())
    passed = costs_passed_on(law, day.date())
    unused = {
        f"--{name.replace('_', '-')}": given[name] not in (None, False) and name not in asked
        for name in ("origin", "capacity", "pounds", "metered", "cubic_yards", "point", "after_hours")
    }
    unused["--wage"] = given["wage"] is not None and not given["after_hours_minutes"]
    unused["--cost"] = any(name not in passed for name, _ in given["costs"])
    return [f"{option} changes nothing: {_WITHOUT[option]}" for option, idle in unused.items() if idle]


def _line(one: fees.FeeLine) -> dict[str, str]:
    return {"what": one.what, "quantity": formats.number(one.quantity).replace(",", ""),
            "unit_price": str(one.unit_price), "amount": str(one.amount), "cite": one.cite}  # fmt: skip

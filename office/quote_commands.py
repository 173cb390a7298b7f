"""``flask law quote FILE``: what a load costs by a file of a fee schedule, before any plant has adopted it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import click

from office import formats
from office.law_commands import AS_JSON, DAY, MOST, Dollars, _asked, _refuse
from ordinances.hauled import Load, Part
from ordinances.pricing import Quote, price_load
from ordinances.refusal import Refusal
from ordinances.schedule_reader import read_schedule


class Named(click.ParamType):
    """NAME=NUMBER, such as bod=6480 or pair=1."""

    name = "name=number"

    def __init__(self, number: Callable[[str], Decimal | int]) -> None:
        self.number = number

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, Decimal | int]:
        word, _, number = str(value).partition("=")
        try:
            found = self.number(number)
            right = bool(word) and 0 <= found <= MOST
        except (ValueError, InvalidOperation):
            found, right = 0, False
        if not right:
            self.fail(f"{value} is no name and number, like {self.name}", param, ctx)
        return word, found


class Kind(click.ParamType):
    """WASTE, or WASTE:GALLONS, or WASTE:GALLONS:ZONE."""

    name = "waste:gallons:zone"

    def convert(self, value: Any, param: Any, ctx: Any) -> Part:
        waste, gallons, zone, *more = [*str(value).split(":"), "", ""]
        if not waste or any(more) or not ((gallons.isdecimal() and gallons.isascii()) or not gallons):
            self.fail(f"{value} is no kind of waste, like septic_tank:1500 or septic_tank:1500:outside", param, ctx)
        return Part(waste, zone or None, int(gallons) if gallons else None)


SATURDAY = 5
NUMBER = click.IntRange(0, MOST)


@click.command("quote")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--date", "day", required=True, type=DAY, help="day of the discharge")
@click.option("--waste", "parts", required=True, multiple=True, type=Kind(), help="once for each kind in the load")
@click.option("--measured", type=NUMBER, help="gallons by a meter")
@click.option("--capacity", type=NUMBER, help="gallons the tank holds")
@click.option("--pounds", type=NUMBER, help="net weight of the load")
@click.option("--cubic-yards", type=Dollars())
@click.option("--metered", is_flag=True, help="the truck has a meter the plant approved")
@click.option("--point", help="receiving point")
@click.option("--after-hours", is_flag=True)
@click.option("--holiday", is_flag=True)
@click.option("--test", "tests", multiple=True, type=Named(int), help="how many of a test, like pair=1")
@click.option("--strength", "strengths", multiple=True, type=Named(Decimal), help="a result in mg/L, like bod=6480")
@click.option("--cost", "costs", multiple=True, type=Named(Decimal), help="what the plant paid, like lab=31.40")
@click.option("--staff-minutes", default=0, type=NUMBER)
@click.option("--wage", type=Dollars(), help="dollars an hour, like 30.00")
@AS_JSON
@_asked
def quote(file: Path, day: datetime, parts: tuple[Part, ...], as_json: bool, **known: Any) -> None:
    """What does a load cost by a fee schedule?"""
    schedule = read_schedule(file)
    for part in parts:
        if part.waste not in schedule.wastes:
            raise click.BadParameter(f"{part.waste} is not among: {', '.join(schedule.wastes)}")
        if part.origin is not None and part.origin not in schedule.origins:
            raise click.BadParameter(f"{part.origin} is not among the zones: {', '.join(schedule.origins) or 'none'}")
    named: dict[str, Any] = {name: dict(known.pop(name)) for name in ("tests", "strengths", "costs")}
    found = price_load(schedule, day.date(), Load(parts, weekend=day.weekday() >= SATURDAY, **known, **named))
    if isinstance(found, Refusal):
        _refuse(as_json, found)
    _say_quote(found, as_json)


def _say_quote(found: Quote, as_json: bool) -> None:
    if as_json:
        lines = [
            {"code": one.code, "what": one.what, "quantity": formats.number(one.quantity).replace(",", ""),
             "unit": one.unit, "unit_price": str(one.unit_price), "amount": str(one.amount), "cite": one.cite,
             "sentence": one.sentence}
            for one in found.lines
        ]  # fmt: skip
        click.echo(json.dumps({"lines": lines, "total": str(found.total), "awaited": list(found.awaited)},
                              ensure_ascii=False))  # fmt: skip
        return
    for one in found.lines:
        click.echo(one.sentence)
    click.echo(f"Total {formats.money(found.total)}")
    if found.awaited:
        click.echo(f"Still awaited, and may be charged: {', '.join(found.awaited)}.")

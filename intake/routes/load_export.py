"""Every load sought as a file, for the plant and for each hauler its own; and how the pages are told what is sought."""

from dataclasses import dataclass
from datetime import datetime, time
from io import BytesIO
from typing import Any

from flask import abort, request, send_file

from intake.forms.flow_file import DAY_LIKE, day_of
from intake.queries import load_table
from intake.queries.load_table import STATES, Sought
from intake.routes.base import bp, business_of
from office import tables
from office.access import Role
from office.pages import Page, page

READERS = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR, Role.CLERK, Role.STATE)


@dataclass(frozen=True)
class Asked:
    """What an address asks for: the loads sought, what was typed, and what of it is no day."""

    sought: Sought
    typed: dict[str, str]
    wrong: str = ""

    @property
    def any(self) -> bool:
        """Whether anything narrows the loads."""
        return any(self.typed.values())


def asked(business_id: int | None = None) -> Asked:
    """What this address asks for."""
    typed = {name: request.args.get(name, "").strip()[:200] for name in ("find", "from", "to", "state")}
    days, wrong = {}, ""
    for name in ("from", "to"):
        try:
            days[name] = day_of(typed[name]) if typed[name] else None
        except ValueError:
            wrong = f"{typed[name]} is not a day. {DAY_LIKE}"
    state = typed["state"] if typed["state"] in STATES else ""
    if typed["state"] and not state:
        wrong = f"There is no state “{typed['state']}”. Choose one from the list."
    return Asked(Sought(typed["find"], days.get("from"), days.get("to"), state, business_id), typed, wrong)


@page(bp, "/plant/loads/file/<kind>", *READERS)
def loads_file(here: Page, kind: str) -> Any:
    """The loads sought at a plant, as CSV or as a workbook."""
    return _file(here, kind, asked())


@page(bp, "/hauler/loads/file/<kind>", Role.HAULER)
def hauler_loads_file(here: Page, kind: str) -> Any:
    """The hauler's own loads with results and records, as CSV or as a workbook."""
    return _file(here, kind, asked(business_of(here)))


def _file(here: Page, kind: str, found: Asked) -> Any:
    if kind not in tables.SORTS or found.wrong:
        abort(404)
    made = load_table.table(here.plant, found.sought, here.at)
    # Nothing records it, and its name says the day: the same loads of a day are the same file.
    day = datetime.combine(here.today, time(), here.plant.tz)
    content = (tables.as_csv(made.heads, made.rows, money=made.money) if kind == "csv"
               else tables.as_xlsx("Loads", made.heads, made.rows, at=day, money=made.money))  # fmt: skip
    name = f"loads-{here.plant.slug}-{here.today.isoformat()}.{kind}"
    return send_file(BytesIO(content), mimetype=tables.SORTS[kind], as_attachment=True, download_name=name)

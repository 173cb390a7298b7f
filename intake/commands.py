"""Commands of intake: ``flask intake import-flow PLANT FILE [--site NAME]``."""

import csv
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path

import click
from flask.cli import AppGroup

from intake.actions.flow import FlowTaken, import_flow
from office import clock
from office.access import system
from office.db import db
from office.plants import plant_named
from ordinances.refusal import Refusal

intake = AppGroup("intake", help="What haulers bring: flow history of the plant.")
MILLION = 1_000_000
SHOW_EVERY = 100


def readings(path: Path, site: str | None) -> Iterator[tuple[date, int]]:
    """(day, gallons) of one site's rows; columns ``date``, ``flow_mgd`` (million gallons a day), perhaps ``site``.

    Raises click.ClickException naming the line of a cell that cannot be read: then nothing is taken.
    """
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = csv.DictReader(file)
        names = rows.fieldnames or []
        if "date" not in names or "flow_mgd" not in names:
            raise click.ClickException(f"{path}: the first line must name the columns date and flow_mgd.")
        if "site" in names and site is None:
            raise click.ClickException(f"{path}: holds several sites. Say which with --site NAME.")
        for line, row in enumerate(rows, 2):
            if site is not None and row.get("site", site) != site:
                continue
            try:
                yield date.fromisoformat(row["date"]), int((Decimal(row["flow_mgd"]) * MILLION).to_integral_value())
            except (ValueError, InvalidOperation, TypeError):
                what = f"{row['date']!r}, {row['flow_mgd']!r}"
                raise click.ClickException(f"{path}, line {line}: {what} is not a day and a flow.") from None


@intake.command("import-flow")
@click.argument("plant_slug", metavar="PLANT")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--site", help="The site's name in a file that holds several.")
def import_flow_command(plant_slug: str, file: Path, site: str | None) -> None:
    """Take in the flow history of a plant. A second run of the same file adds nothing."""
    plant = plant_named(plant_slug)
    if plant is None:
        raise click.ClickException(f"There is no plant at /{plant_slug}.")
    rows = list(readings(file, site))
    click.echo(f"{len(rows)} readings in {file.name}.")
    source = f"{file.name}{f', {site}' if site else ''}"
    taken = import_flow(plant, rows, source, by=system("Import"), at=clock.now(), progress=_show(len(rows)))
    if isinstance(taken, Refusal):
        raise click.ClickException(taken.why)
    db.session.commit()
    _report(taken)


def _show(whole: int) -> Callable[[int], None]:
    def progress(count: int) -> None:
        if count % SHOW_EVERY == 0 or count == whole:
            click.echo(f"  {count} of {whole}")

    return progress


def _report(taken: FlowTaken) -> None:
    click.echo(f"Taken: {taken.accepted}. Recorded before: {taken.same}. Held for a person: {len(taken.held)}.")
    for row in taken.held:
        click.echo(f"  held {row.day}: {row.held_why}")
    for day, kept, other in taken.differing:
        click.echo(f"  kept {day}: {kept:,} gallons are recorded, the file says {other:,}.")

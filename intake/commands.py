"""Commands of intake: ``flask intake import-flow PLANT FILE [--site NAME] [--unit mgd|gallons]``."""

from collections.abc import Callable
from pathlib import Path

import click
from flask.cli import AppGroup

from intake.actions.flow_readings import FlowTaken, import_flow
from intake.forms.flow_file import UNITS, NotReadableError, read_flow
from office import clock
from office.access import system
from office.db import db
from office.plants import all_plants, plant_named
from office.ready import needs_database
from ordinances.refusal import Refusal

intake = AppGroup("intake", help="What haulers bring: flow history of the plant.")
SHOW_EVERY = 100
# Bytes: a hundred years of days are far fewer.
MOST_BYTES = 20_000_000


@intake.command("import-flow")
@click.argument("plant_slug", metavar="PLANT")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--site", help="the site's name in a file that holds several")
@click.option("--unit", type=click.Choice(list(UNITS)), help="where the flow column does not tell its unit")
@needs_database
def import_flow_command(plant_slug: str, file: Path, site: str | None, unit: str | None) -> None:
    """Take in the flow history of a plant. A second run of the same file adds nothing."""
    plant = plant_named(plant_slug)
    if plant is None:
        raise click.ClickException(f"There is no plant named {plant_slug}. {_plants_here()}")
    try:
        rows = read_flow(_content(file), unit, site).rows
    except NotReadableError as problem:
        raise click.ClickException(f"{file}: {problem}") from None
    click.echo(f"{len(rows)} readings in {file.name}.")
    source = f"{file.name}{f', {site}' if site else ''}"[:200]
    taken = import_flow(plant, rows, source, by=system("Import"), at=clock.now(), progress=_show(len(rows)))
    if isinstance(taken, Refusal):
        raise click.ClickException(f"{file}: {taken.why} Nothing was taken.")
    _report(taken)
    db.session.commit()


def _plants_here() -> str:
    known = ", ".join(plant.slug for plant in all_plants())
    return f"Here: {known}." if known else "None is set up: start flask --app app serve and open its address."


def _content(file: Path) -> bytes:
    try:
        if file.stat().st_size > MOST_BYTES:
            raise click.ClickException(f"{file} is larger than {MOST_BYTES // 1_000_000} MB. Import it in parts.")
        return file.read_bytes()
    except OSError as error:
        raise click.ClickException(f"{file} cannot be read: {error.strerror}. Name a file that is there.") from None


def _show(whole: int) -> Callable[[int], None]:
    def progress(count: int) -> None:
        if count % SHOW_EVERY == 0 or count == whole:
            click.echo(f"  {count} of {whole}")

    return progress


def _report(taken: FlowTaken) -> None:
    click.echo(f"Taken: {taken.accepted}. Recorded before: {taken.same}. Held for a person: {len(taken.held)}.")
    if not (taken.accepted or taken.held or taken.differing):
        click.echo("Nothing is added: every reading of this file was recorded before.")
    for row in taken.held:
        click.echo(f"  held {row.day}: {row.held_why}")
    for day, kept, other in taken.differing:
        recorded = "no figure is" if kept is None else f"{kept:,} gallons are"
        says = f"{other:,}" if isinstance(other, int) else other or "nothing"
        click.echo(f"  kept {day}: {recorded} recorded, the file says {says}.")
    if taken.held:
        click.echo("Held readings wait on the page Daily flow for the Director or the plant manager.")

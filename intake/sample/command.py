"""``flask --app app demo``: makes the sample season in an empty database and prints one sign-in per role."""

from datetime import date

import click
from flask import current_app
from flask.cli import with_appcontext

from intake import sample
from intake.sample.cast import DRIVER, HAULERS, PASSWORD, STAFF
from office import formats
from office.access import TITLES, Role
from office.plants import all_plants
from office.serve import migrate


@click.command("demo")
@with_appcontext
def demo() -> None:
    """Make the sample season (about half a minute) unless it is there; print the address and the sign-ins."""
    migrate()
    if not all_plants():
        click.echo("Making the sample season ...")
        loads = sample.load(_told)
        click.echo(f"\r{loads} loads logged, October 2026 to February 2027.        ")
    click.echo(f"\nSample season at http://localhost:{current_app.config['PORT']}. Password of everybody: {PASSWORD}\n")
    seen: set[Role] = set()
    company = ((HAULERS[0].contact, HAULERS[0].email, (Role.HAULER,)), (*DRIVER, (Role.DRIVER,)))
    for name, email, roles in (*STAFF, *company):
        if roles[0] not in seen:
            click.echo(f"  {TITLES[roles[0]]:<24} {email:<26} {name}")
        seen.add(roles[0])
    click.echo("\nEverybody in it is invented. Delete the database file to begin again.\n")


def _told(loads: int, day: date) -> None:
    if loads % 5 == 0:
        click.echo(f"\r  {formats.day_short(day)}: {loads} loads", nl=False)

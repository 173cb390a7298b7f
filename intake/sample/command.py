"""``flask --app app demo``: makes the sample season in an empty database and prints one sign-in per role."""

import sys
from datetime import date

import click
from flask import current_app
from flask.cli import with_appcontext

from intake import sample
from intake.sample.cast import DRIVER, HAULERS, PASSWORD, STAFF
from office import formats
from office.access import TITLES, Role
from office.plants import all_plants
from office.serve import empty, migrate


@click.command("demo")
@with_appcontext
def demo() -> None:
    """Make the sample season (about half a minute) unless it is there; print the address and the sign-ins."""
    migrate()
    if must_be_made():
        click.echo("Making the sample season ...")
        told = Progress(sys.stdout.isatty())
        told.end(f"{sample.load(told)} loads logged, October 2026 to February 2027.")
    click.echo(f"\nSample season at http://localhost:{current_app.config['PORT']}. Password of everybody: {PASSWORD}\n")
    seen: set[Role] = set()
    company = ((HAULERS[0].contact, HAULERS[0].email, (Role.HAULER,)), (*DRIVER, (Role.DRIVER,)))
    for name, email, roles in (*STAFF, *company):
        if roles[0] not in seen:
            click.echo(f"  {TITLES[roles[0]]:<24} {email:<26} {name}")
        seen.add(roles[0])
    click.echo("\nEverybody in it is invented. Delete the database file to begin again.\n")


def must_be_made() -> bool:
    """Whether the season is still to be made. One whose making was interrupted is taken away first, and it says so:
    half a season helps nobody. A plant of somebody's own is never touched (click's error).
    """
    reached = sample.reached()
    if reached == sample.BEGUN:
        click.echo("Making the sample season was interrupted. What there is of it is taken away; it begins again.")
        empty()
        migrate()
    elif not reached and all_plants():
        raise click.ClickException("This database holds a plant of its own, not the sample season. "
                                   "Set DATABASE_URL to another database.")  # fmt: skip
    return reached != sample.DONE


class Progress:
    """How far the making is: on a terminal one line rewritten, elsewhere (a pipe, a log) a line every 25 loads."""

    def __init__(self, terminal: bool) -> None:
        self.terminal, self.said = terminal, 0

    def __call__(self, loads: int, day: date) -> None:
        if loads < self.said + (5 if self.terminal else 25):
            return
        self.said = loads
        words = f"  {formats.day_short(day)}: {loads} loads"
        click.echo(f"\r{words:<40}" if self.terminal else words, nl=not self.terminal)

    def end(self, words: str) -> None:
        click.echo(f"\r{words}" if self.terminal else words)

"""Commands other people's scripts may rely on (README). The ``law`` commands are in office.law_commands."""

import json
import logging
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import click
from flask import Flask, current_app
from flask.cli import AppGroup, with_appcontext

from office import clock, jobs, verify
from office import price_command as _price_command  # noqa: F401 - it adds itself to the law commands
from office.db import db
from office.law_commands import law_group
from office.mailer import deliver
from office.quote_commands import quote
from office.ready import needs_database, needs_tables
from office.serve import serve

jobs_group = AppGroup("jobs", help="Send and post what is due.")
# Years.
LIFETIME = 100


def register(app: Flask) -> None:
    """Add the office's commands to the app."""
    law_group.add_command(quote)
    app.cli.add_command(law_group)
    app.cli.add_command(jobs_group)
    app.cli.add_command(verify_command)
    app.cli.add_command(serve)
    for name in ("users", "roles"):
        # The sign-in library's own: they would change people past the acts and the history.
        app.cli.commands.pop(name, None)


@click.command("verify")
@click.option("--heads", type=click.Path(path_type=Path), help="heads exported by an earlier run")
@click.option("--export-heads", type=click.Path(path_type=Path), help="write the heads to this file")
@with_appcontext
@needs_tables
def verify_command(heads: Path | None, export_heads: Path | None) -> None:
    """Walk the journal, the ledger and the capacity of every day; name every row that does not hold."""
    findings = verify.verify(_exported(heads) if heads else None)
    for finding in findings:
        click.echo(finding)
    ends = verify.heads()
    if export_heads:
        _export(export_heads, ends)
    if findings:
        raise SystemExit(1)
    click.echo("Everything holds: " + ", ".join(f"{chain} to entry {seq}" for chain, (seq, _) in sorted(ends.items())))
    click.echo(verify.CANNOT)


def _exported(path: Path) -> dict[str, tuple[int, str]]:
    """The heads of an earlier run. Raises click.BadParameter when the file holds none."""
    try:
        heads = {str(chain): (int(seq), str(hash_)) for chain, (seq, hash_) in json.loads(path.read_text()).items()}
    except OSError as error:
        raise click.BadParameter(f"{path} cannot be read: {error.strerror}", param_hint="--heads") from None
    except (ValueError, TypeError, AttributeError):
        why = f"{path} holds no heads; name a file that verify --export-heads wrote"
        raise click.BadParameter(why, param_hint="--heads") from None
    return heads


def _export(path: Path, ends: dict[str, tuple[int, str]]) -> None:
    try:
        path.write_text(json.dumps(ends, indent=1))
    except OSError as error:
        raise click.BadParameter(f"{path} cannot be written: {error.strerror}", param_hint="--export-heads") from None


class Instant(click.ParamType):
    """An instant with its offset from UTC, within a lifetime of now: the jobs look back and ahead from it."""

    name = "instant"

    def convert(self, value: Any, param: Any, ctx: Any) -> datetime:
        like = "like 2026-10-22T08:00-05:00"
        try:
            at = datetime.fromisoformat(str(value))
        except ValueError:
            self.fail(f"{value} is no ISO date and time with an offset, {like}", param, ctx)
        if at.tzinfo is None:
            self.fail(f"{value} has no offset, {like}", param, ctx)
        if abs(at.year - clock.now().year) > LIFETIME:
            self.fail(f"{value} is too far from now", param, ctx)
        return at


@jobs_group.command("tick")
@click.option("--at", type=Instant(), help="ISO instant with offset; default now")
@needs_database
def tick(at: datetime | None) -> None:
    """Do once what is owed up to now."""
    click.echo(", ".join(f"{name} {count}" for name, count in jobs.tick(at or clock.now()).items()))


@jobs_group.command("run")
@needs_database
def run() -> None:
    """Stay and do what is owed every minute: a process of its own, beside the web server."""
    from apscheduler.schedulers.blocking import BlockingScheduler  # noqa: PLC0415 - only this process needs it

    app = current_app._get_current_object()  # type: ignore[attr-defined]
    logging.getLogger("apscheduler").setLevel(logging.WARNING)

    def once(work: Callable[[datetime], object]) -> None:
        with app.app_context():
            try:
                work(clock.now())
            finally:
                db.session.remove()

    scheduler = BlockingScheduler(timezone="UTC")
    every = {"coalesce": True, "max_instances": 1, "misfire_grace_time": None}
    # Mail has a turn of its own: a slow mail server must not keep charges, reminders and letters waiting.
    scheduler.add_job(once, "interval", minutes=1, args=[jobs.work], **every)
    scheduler.add_job(once, "interval", seconds=10, args=[deliver], **every)
    once(jobs.work)
    scheduler.start()

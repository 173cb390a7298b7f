"""Commands other people's scripts may rely on (README). The ``law`` commands are in office.law_commands."""

import json
import logging
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import click
from flask import Flask, current_app
from flask.cli import AppGroup

from office import clock, jobs, verify
from office.db import db
from office.law_commands import law_group
from office.mailer import deliver
from office.serve import serve

jobs_group = AppGroup("jobs", help="Send and post what is due.")


def register(app: Flask) -> None:
    """Add the office's commands to the app."""
    app.cli.add_command(law_group)
    app.cli.add_command(jobs_group)
    app.cli.add_command(verify_command)
    app.cli.add_command(serve)


@click.command("verify")
@click.option("--heads", type=click.Path(exists=True, path_type=Path), help="heads exported by an earlier run")
@click.option("--export-heads", type=click.Path(path_type=Path), help="write the heads to this file")
def verify_command(heads: Path | None, export_heads: Path | None) -> None:
    """Walk the journal, the ledger and the capacity of every day; name every row that does not hold."""
    known = {chain: (seq, hash_) for chain, (seq, hash_) in json.loads(heads.read_text()).items()} if heads else None
    findings = verify.verify(known)
    for finding in findings:
        click.echo(finding)
    ends = verify.heads()
    if export_heads:
        export_heads.write_text(json.dumps(ends, indent=1))
    if findings:
        raise SystemExit(1)
    click.echo("Everything holds: " + ", ".join(f"{chain} to entry {seq}" for chain, (seq, _) in sorted(ends.items())))
    click.echo(verify.CANNOT)


@jobs_group.command("tick")
@click.option("--at", "at_text", help="ISO instant with offset; default now")
def tick(at_text: str | None) -> None:
    """Do once what is owed up to now."""
    at = datetime.fromisoformat(at_text) if at_text else clock.now()
    if at.tzinfo is None:
        raise click.BadParameter("--at needs an offset, like 2026-10-22T08:00-05:00")
    click.echo(", ".join(f"{name} {count}" for name, count in jobs.tick(at).items()))


@jobs_group.command("run")
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

"""``flask --app app serve``: bring the database up to date, then run the web server and the jobs beside it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import click
from flask import current_app
from flask.cli import with_appcontext
from flask_migrate import upgrade
from sqlalchemy import MetaData, text

from office import clock
from office.db import db
from office.ready import reachable

ROOT = Path(__file__).parent.parent


def migrate() -> None:
    """Apply every migration that is not yet in the database; one that does not answer is named (click's error)."""
    with reachable():
        db.session.execute(text("SELECT 1"))
        db.session.rollback()
    upgrade(directory=str(ROOT / "office" / "migrations"))


def empty() -> None:
    """Take away every table and all it holds. ``migrate`` makes them again."""
    db.session.remove()
    found = MetaData()
    found.reflect(db.engine)
    found.drop_all(db.engine)


def _jobs(env: dict[str, str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-m", "flask", "--app", "app", "jobs", "run"], cwd=ROOT, env=env)


@click.command("serve")
@click.option("--workers", default=2, show_default=True, type=click.IntRange(1, 16))
@with_appcontext
def serve(workers: int) -> None:
    """Serve on 127.0.0.1 at PORT until stopped; notices, reminders and late charges go out meanwhile."""
    migrate()
    port = current_app.config["PORT"]
    env = os.environ | {"SEPTAGE_CLOCK": clock.shared(current_app.config["SEPTAGE_CLOCK"])}
    jobs = _jobs(env)
    web = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "--bind", f"127.0.0.1:{port}", "--workers", str(workers), "--threads", "4",
         "--config", "python:office.worker", "--no-control-socket", "--log-level", "warning", "app:create_app()"],
        cwd=ROOT, env=env,
    )  # fmt: skip
    click.echo(f"Septage Desk is at http://localhost:{port} (stop with Ctrl-C)")

    def stop(*_: Any) -> None:
        web.terminate()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    while (code := web.poll()) is None:
        if jobs.poll() is not None:
            click.echo("The jobs process ended; it is started again.", err=True)
            jobs = _jobs(env)
        time.sleep(2)
    jobs.terminate()
    jobs.wait()
    raise SystemExit(0 if code in (0, -signal.SIGTERM, -signal.SIGINT) else code)

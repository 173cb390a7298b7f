"""Configuration, by environment only; the README's table is checked against SETTINGS."""

import os
import secrets
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

DEFAULT_KEY = "septage-desk-development-key-not-for-production"


@dataclass(frozen=True)
class Setting:
    """One environment variable: its default and what it is for."""

    name: str
    default: str
    use: str


SETTINGS = (
    Setting("SEPTAGE_MODE", "development", "`production` refuses the default secret key and the set clock"),
    Setting("SECRET_KEY", "", "signs sessions and links; production needs 32 characters or more of your own"),
    Setting("DATABASE_URL", "", "`postgresql+psycopg://…`; empty: the SQLite file `instance/septage.db`"),
    Setting("SEPTAGE_CLOCK", "", "starts the app at this plant-local instant, like `2026-10-06T07:40`; time then runs"),
    Setting("SEPTAGE_ZONE", "America/Chicago", "the zone `SEPTAGE_CLOCK` is read in"),
    Setting("SEPTAGE_URL", "http://localhost:8000", "the address people use: links in messages, printed codes"),
    Setting("MAIL_SERVER", "", "host of the mail server; empty: messages are kept and read on the Messages page"),
    Setting("MAIL_PORT", "25", "its port"),
    Setting("MAIL_USER", "", "its user name, if it wants one"),
    Setting("MAIL_PASSWORD", "", "its password"),
    Setting("MAIL_TLS", "no", "`yes` to start TLS before signing in to it"),
    Setting("MAIL_FROM", "septage@localhost", "the sender's address"),
    Setting("PORT", "8000", "the port the server listens on, at 127.0.0.1"),
)


class SettingsError(click.ClickException):
    """A setting that must not be used as it is; the text says which and what to do."""


def _check_words(values: dict[str, Any]) -> None:
    for name in ("PORT", "MAIL_PORT"):
        if not (values[name].isdecimal() and 0 < int(values[name]) < 65536):
            raise SettingsError(f"{name} must be a port number, like 8000, not {values[name]}.")
    if values["MAIL_TLS"] not in ("yes", "no"):
        raise SettingsError(f"MAIL_TLS must be yes or no, not {values['MAIL_TLS']}.")
    try:
        ZoneInfo(values["SEPTAGE_ZONE"])
    except (ZoneInfoNotFoundError, ValueError):
        raise SettingsError(f"SEPTAGE_ZONE must be a time zone, like America/Chicago, not {values['SEPTAGE_ZONE']}."
                            ) from None  # fmt: skip
    try:
        datetime.fromisoformat(values["SEPTAGE_CLOCK"].partition("@")[0] or "2000-01-01")
    except ValueError:
        raise SettingsError(f"SEPTAGE_CLOCK must be a date and time, like 2026-10-06T07:40, not "
                            f"{values['SEPTAGE_CLOCK']}.") from None  # fmt: skip
    if values["DATABASE_URL"]:
        _check_database(values["DATABASE_URL"])


def _check_database(address: str) -> None:
    like = "DATABASE_URL must be an address like postgresql+psycopg://user@host/name"
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        # The address itself is not repeated: it may hold a password.
        raise SettingsError(f"{like}.") from None
    if url.drivername not in ("sqlite", "postgresql+psycopg"):
        raise SettingsError(f"{like}, or sqlite:///file; {url.drivername} is not used here.")
    if url.drivername == "sqlite" and not url.database:
        raise SettingsError("DATABASE_URL must be an address with a file, like sqlite:////srv/septage.db.")


def read(environ: dict[str, str] | None = None) -> dict[str, Any]:
    """The app's configuration from the environment. Raises SettingsError naming the variable and the mend."""
    env = dict(os.environ) if environ is None else environ
    values: dict[str, Any] = {setting.name: env.get(setting.name, setting.default) for setting in SETTINGS}
    production = values["SEPTAGE_MODE"] == "production"
    if values["SEPTAGE_MODE"] not in ("development", "production"):
        raise SettingsError("SEPTAGE_MODE must be development or production.")
    if production and (values["SECRET_KEY"] in ("", DEFAULT_KEY) or len(values["SECRET_KEY"]) < 32):
        raise SettingsError(
            "SECRET_KEY must be set to 32 characters or more of your own in production, "
            f"for example {secrets.token_urlsafe(32)}"
        )
    if production and values["SEPTAGE_CLOCK"]:
        raise SettingsError("SEPTAGE_CLOCK is for demonstrations and tests; remove it in production.")
    _check_words(values)
    values["SECRET_KEY"] = values["SECRET_KEY"] or DEFAULT_KEY
    if not values["DATABASE_URL"]:
        folder = Path(__file__).parent.parent / "instance"
        folder.mkdir(exist_ok=True)
        values["DATABASE_URL"] = f"sqlite:///{folder / 'septage.db'}"
    values["PRODUCTION"] = production
    return values

"""Configuration: production refuses a default key and a set clock; the README's table names every setting."""

from pathlib import Path

import pytest

from office import clock, settings
from tests import world

KEY = "k" * 32


@pytest.mark.parametrize("key", ["", settings.DEFAULT_KEY, "short"])
def test_production_refuses_a_default_or_short_key(key):
    with pytest.raises(settings.SettingsError, match="SECRET_KEY must be set to 32 characters or more"):
        settings.read({"SEPTAGE_MODE": "production", "SECRET_KEY": key})


def test_production_refuses_a_set_clock():
    with pytest.raises(settings.SettingsError, match="SEPTAGE_CLOCK is for demonstrations"):
        settings.read({"SEPTAGE_MODE": "production", "SECRET_KEY": KEY, "SEPTAGE_CLOCK": "2026-10-06T07:40"})


def test_production_with_its_own_key_starts():
    assert settings.read({"SEPTAGE_MODE": "production", "SECRET_KEY": KEY})["PRODUCTION"] is True


@pytest.mark.parametrize(
    ("name", "value"),
    [("PORT", "abc"), ("PORT", "0"), ("MAIL_TLS", "true"), ("SEPTAGE_ZONE", "Mars/X"), ("SEPTAGE_CLOCK", "rubbish"),
     ("DATABASE_URL", "nonsense"), ("DATABASE_URL", "foo://x"), ("DATABASE_URL", "postgres://x@localhost/n"),
     ("DATABASE_URL", "postgresql://x@localhost/n"), ("DATABASE_URL", "postgresql+psycopg://x@localhost:port/n"),
     ("DATABASE_URL", "sqlite:///"), ("SEPTAGE_MODE", "live")],
)  # fmt: skip
def test_setting_that_cannot_be_read_is_named_with_what_to_write(name, value):
    with pytest.raises(settings.SettingsError, match=rf"{name} must be"):
        settings.read({name: value})


def test_clock_starts_at_the_plant_local_instant_and_runs_on():
    try:
        wanted = clock.start_at("2026-10-06T07:40", "America/Chicago")
        first = clock.now()
        assert wanted == world.at("2026-10-06T07:40")
        assert 0 <= (first - wanted).total_seconds() < 5
        assert clock.now() >= first
    finally:
        clock.reset()


def test_processes_started_together_show_the_same_time():
    try:
        text = clock.shared("2026-10-06T07:40")
        clock.start_at(text, "America/Chicago")
        first = clock.now()
        clock.reset()
        clock.start_at(text, "America/Chicago")
        assert 0 <= (clock.now() - first).total_seconds() < 0.5
        assert clock.shared(text) == text
        assert clock.shared("") == ""
    finally:
        clock.reset()


def test_readme_table_names_every_setting_with_its_use():
    readme = Path("README.md").read_text()
    for setting in settings.SETTINGS:
        assert f"| `{setting.name}` |" in readme, setting.name
        assert setting.use in readme, setting.name

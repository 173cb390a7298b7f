"""The only place that asks for the time."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo


class _Clock:
    offset = timedelta(0)
    held: datetime | None = None


def now() -> datetime:
    """The present instant, aware, in UTC."""
    if _Clock.held is not None:
        return _Clock.held
    return datetime.now(UTC) + _Clock.offset


def start_at(text: str, zone: str) -> datetime:
    """Set the clock to a plant-local instant such as ``2026-10-06T07:40``; time then runs on from there.

    ``2026-10-06T07:40@1791274800.5`` says in Unix seconds when it began to run (``shared``).

    Raises ValueError when the text is no ISO date and time.
    """
    wanted, _, since = text.partition("@")
    instant = datetime.fromisoformat(wanted)
    if instant.tzinfo is None:
        instant = instant.replace(tzinfo=ZoneInfo(zone))
    begun = datetime.fromtimestamp(float(since), UTC) if since else datetime.now(UTC)
    _Clock.offset = instant - begun
    return instant


def shared(text: str) -> str:
    """The setting with the moment it was started at, so that every process started with it shows the same time."""
    return text if not text or "@" in text else f"{text}@{datetime.now(UTC).timestamp()}"


def reset() -> None:
    """Back to the machine's own time."""
    _Clock.offset = timedelta(0)
    _Clock.held = None


def hold(at: datetime) -> None:
    """Hold the clock at an instant until it is held elsewhere or reset."""
    _Clock.held = at.astimezone(UTC)


@contextmanager
def held(at: datetime) -> Iterator[None]:
    """Hold the clock at one instant: for tests and for making the sample season."""
    before = _Clock.held
    _Clock.held = at.astimezone(UTC)
    try:
        yield
    finally:
        _Clock.held = before

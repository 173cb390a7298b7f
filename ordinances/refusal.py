"""What a rule answers when the law says no."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Refusal:
    """A refusal with its reason: returned by rules and acts, never raised.

    `cite` names the section; it is empty only where no law is behind the refusal (a role, a wrong state).
    `details` carries what a page may show beside the sentence: dates, gallons, windows.
    """

    code: str
    why: str
    cite: str
    reading: str | None = None
    next_step: str | None = None
    details: dict[str, Any] = field(default_factory=dict, hash=False)

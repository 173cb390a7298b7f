"""Timing a piece of work beside something bare, so that a slower machine slows both."""

from __future__ import annotations

import timeit
from collections.abc import Callable
from dataclasses import dataclass

RUNS = 25


@dataclass(frozen=True)
class Timed:
    """A piece of work beside something bare of the same length: milliseconds, the best of the runs."""

    name: str
    ms: float
    loop_ms: float
    most_ms: float | None = None
    bare: str = "a bare loop"

    @property
    def ratio(self) -> float:
        return self.ms / self.loop_ms

    @property
    def too_slow(self) -> bool:
        return self.most_ms is not None and self.ms > self.most_ms

    def __str__(self) -> str:
        limit = "" if self.most_ms is None else f", limit {self.most_ms:g} ms{' NOT KEPT' if self.too_slow else ''}"
        return f"{self.name}: {self.ratio:.1f} × {self.bare} ({self.ms:.2f} ms to {self.loop_ms:.2f} ms{limit})"


def timed(name: str, work: Callable[[], object], loop: Callable[[], object], runs: int = RUNS,
          most_ms: float | None = None, bare: str = "a bare loop") -> Timed:  # fmt: skip
    """The best of so many runs of the work and of what is bare, taken in turn so that both meet the same machine."""
    pairs = [(timeit.timeit(work, number=1), timeit.timeit(loop, number=1)) for _ in range(runs)]
    best, least = (min(one) * 1000 for one in zip(*pairs, strict=True))
    return Timed(name, best, least, most_ms, bare)

"""Many weeks drawn by lot, played one after the other: each that fails is named by its seed.

``SEPTAGE_EXAMPLES`` says how many, ``SEPTAGE_FIRST`` the first seed. One week again, alone:
``SEPTAGE_FIRST=4711 SEPTAGE_EXAMPLES=1 pytest -k "[0]" tests/flows/test_weeks.py``.
"""

import os
from collections import Counter
from collections.abc import Callable
from typing import Any

from office.db import db

FIRST = int(os.environ.get("SEPTAGE_FIRST") or 0)
# So many seeds are named before a share stops.
ENOUGH = 5


def examples(plain: int) -> int:
    """How many are played: ``plain`` in the test command."""
    return int(os.environ.get("SEPTAGE_EXAMPLES") or plain)


def play_each(week_of: Callable[[int], Any], share: int, weeks: int, shares: int) -> Counter[str]:
    """Play this share of the weeks, each rolled back; what was done in all of them.

    ``week_of(seed)`` returns a week with ``play()`` and ``done``. Fails once at the end with every seed that failed,
    and the trace of the first.
    """
    done, failed, first = Counter[str](), dict[int, str](), None
    for seed in range(FIRST + share, FIRST + weeks, shares):
        try:
            week = week_of(seed)
            week.play()
            done += week.done
        except Exception as wrong:
            first = first or wrong
            failed[seed] = str(wrong).strip().split("\n")[0][:300] or type(wrong).__name__
        finally:
            db.session.rollback()
            db.session.expire_all()
        if len(failed) == ENOUGH:
            break
    if first is not None:
        lines = "\n".join(f"week {seed}: {said}" for seed, said in failed.items())
        raise AssertionError(f"{len(failed)} of the weeks of this share failed, up to week {seed}:\n{lines}") from first
    return done

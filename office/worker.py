"""What each web process does once it has loaded the application: gunicorn reads this file as its settings."""

import gc
from typing import Any


def post_worker_init(_worker: Any) -> None:
    """What is loaded stays: looking through it for garbage, time and again, would only take time from answers."""
    gc.collect()
    gc.freeze()
    # An answer makes some thousand objects, and nearly all are gone without a search when it is given.
    gc.set_threshold(10_000, 10, 10)

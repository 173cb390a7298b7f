"""What each web process does once it has loaded the application: gunicorn reads this file as its settings."""

import gc
from typing import Any


def post_worker_init(_worker: Any) -> None:
    """What is loaded stays: looking through it for garbage, time and again, would only take time from answers."""
    gc.collect()
    gc.freeze()

"""Who writes next: on SQLite one writes at a time, and those of one process wait for each other in line."""

from collections import deque
from threading import Lock


class Turns:
    """A line of threads: first come, first served. Whoever took a turn gives it back, from whichever thread."""

    def __init__(self) -> None:
        self._guard, self._line, self._taken = Lock(), deque[Lock](), False

    def take(self, seconds: float) -> bool:
        """Wait for one's turn, so many seconds at most; False when it did not come."""
        with self._guard:
            if not self._taken:
                self._taken = True
                return True
            mine = Lock()
            mine.acquire()
            self._line.append(mine)
        if mine.acquire(timeout=seconds):
            return True
        with self._guard:
            if mine in self._line:
                self._line.remove(mine)
                return False
        # It came in this very moment.
        return True

    def give(self) -> None:
        """Let the next one in."""
        with self._guard:
            if self._line:
                self._line.popleft().release()
            else:
                self._taken = False

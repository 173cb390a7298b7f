"""Who may write, and what SQLite holds everybody else to.

A connection is told by ``PRAGMA query_only`` whether it may write. Telling it the other way makes it forget every
statement it had made ready, and making them ready again takes longer than most of them. So who reads is handed a
connection that read last, who writes one that wrote last.
"""

from typing import Any

from flask import g, has_request_context, request
from sqlalchemy.pool import QueuePool
from sqlalchemy.util.queue import Queue

READING = frozenset({"GET", "HEAD", "OPTIONS"})
# Where a connection notes what it was told last.
_TOLD = "may_write"


def lapsed() -> str | None:
    """The sentence to show on a form that was sent too late to be taken: this request shows it again and no more."""
    return g.get("lapsed") if has_request_context() else None


def may_write() -> bool:
    """Whether what runs now may write: a request that only reads may not, whatever its page tries."""
    if not has_request_context():
        return True
    return request.method not in READING and not lapsed() and not g.get("only_reads")


def hold(connection: Any, writes: bool) -> None:
    """Let a connection of SQLite write from its next transaction on, or hold it to reading."""
    if connection.info.get(_TOLD) is not writes:
        connection.exec_driver_sql(f"PRAGMA query_only={'OFF' if writes else 'ON'}")
        connection.info[_TOLD] = writes


class _Idle(Queue[Any]):
    """Connections nobody uses; whoever comes takes the one used last that was told the same."""

    def alike(self) -> Any:
        """That one, or None."""
        wanted = may_write()
        return next((one for one in reversed(self.queue) if one.info.get(_TOLD) is wanted), None)

    def _get(self) -> Any:
        found = self.alike() or self.queue[-1]
        self.queue.remove(found)
        return found


class Apart(QueuePool):
    """A pool in which those that read and those that write keep their connections."""

    _queue_class = _Idle

    def _do_get(self) -> Any:
        # As long as there are few, one more is opened rather than one told otherwise.
        with self._pool.mutex:  # type: ignore[attr-defined]
            alike = self._pool.alike()  # type: ignore[attr-defined]
        if alike is None and self._overflow < 0 and self._inc_overflow():
            try:
                return self._create_connection()
            except BaseException:
                self._dec_overflow()
                raise
        return super()._do_get()

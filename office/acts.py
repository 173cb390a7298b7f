"""What every act shares: its allowed roles, its savepoint, its journal frame.

An act is named in the imperative, takes ``by`` and ``at``, checks its rule itself, writes, flushes, never commits,
and returns the row or a Refusal. A Refusal leaves nothing behind.
"""

import functools
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

from sqlalchemy.exc import InvalidRequestError

from office import journal
from office.access import TITLES, Role
from office.db import db, lapsed
from ordinances.refusal import Refusal

P = ParamSpec("P")
R = TypeVar("R")


class LapsedFormError(Exception):
    """An act was called for a form that may only be shown again."""


ACTS: dict[str, tuple[Role, ...]] = {}


def act(name: str, *, roles: tuple[Role, ...]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Register an act under its name with the roles that may do it, first fitting role recorded as the capacity."""

    def wrap(work: Callable[P, R]) -> Callable[P, R]:
        if name in ACTS:
            raise RuntimeError(f"two acts are named {name}")
        ACTS[name] = roles

        @functools.wraps(work)
        def run(*args: P.args, **kwargs: P.kwargs) -> R:
            if lapsed():
                raise LapsedFormError(name)
            by: Any = kwargs["by"]
            at: Any = kwargs["at"]
            capacity = by.capacity(roles)
            # An act done as part of another has the outer one's authority.
            if capacity is None and not journal.inside_act():
                return _not_your_role(roles)  # type: ignore[return-value]
            law: Any = kwargs.get("law")
            with journal.frame(name, by, capacity, at, getattr(law, "version", None)):
                return _run(work, *args, **kwargs)

        return run

    return wrap


def _run(work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    savepoint = db.session.begin_nested()
    mark = journal.mark()
    try:
        result = work(*args, **kwargs)
        if isinstance(result, Refusal):
            savepoint.rollback()
            journal.forget_since(mark)
        else:
            db.session.flush()
            savepoint.commit()
    except BaseException:
        # A refused UNIQUE or CHECK leaves the savepoint inactive but not ended; one already ended has nothing to undo.
        with suppress(InvalidRequestError):
            savepoint.rollback()
        journal.forget_since(mark)
        raise
    return result


def _not_your_role(roles: tuple[Role, ...]) -> Refusal:
    names = " or ".join(TITLES[role].lower() for role in roles if role is not Role.SYSTEM)
    if not names:
        return Refusal("not_your_role", f"Only {TITLES[Role.SYSTEM]} itself does this, when it is due.", "")
    article = "an" if names[0] in "aeiou" else "a"
    return Refusal("not_your_role", f"Only {article} {names} may do this.", "", next_step="Ask one of them to do it.")

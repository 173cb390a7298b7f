"""Changing a table and its CHECKs in a migration, in one batch that both engines follow."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from alembic import op


@contextmanager
def change(table: str, *, without: Sequence[str] = (), adding: Mapping[str, str] | None = None) -> Iterator[Any]:
    """A batch change of a table that drops the CHECKs named in ``without`` and adds those of ``adding``.

    Names are whole, such as "ck_application_state_known". All other CHECKs stay: the copy SQLite makes keeps them.
    """
    with op.batch_alter_table(table) as batch:
        for name in without:
            batch.drop_constraint(op.f(name), type_="check")
        yield batch
        for name, words in (adding or {}).items():
            batch.create_check_constraint(op.f(name), words)

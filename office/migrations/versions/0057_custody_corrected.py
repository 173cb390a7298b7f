"""A step of a sample's way that was a mistake stays, with who took it back, when and why; the new one says why."""

import sqlalchemy as sa

from office.db import Utc
from office.migrations.changing import change

revision = "0057"
down_revision = "0056"
branch_labels = None
depends_on = None

ENDED = {"ck_custody_step_ended_by_somebody": "(ended_at IS NULL) = (ended_by = '')",
         "ck_custody_step_ended_with_reason": "(ended_at IS NULL) = (ended_why = '')"}  # fmt: skip
COLUMNS = (("why", sa.Text()), ("ended_by", sa.String(length=200)), ("ended_why", sa.Text()))


def upgrade() -> None:
    with change("custody_step") as batch:
        batch.add_column(sa.Column("ended_at", Utc(), nullable=True))
        for name, kind in COLUMNS:
            batch.add_column(sa.Column(name, kind, server_default="", nullable=False))
    with change("custody_step", adding=ENDED) as batch:
        for name, _kind in COLUMNS:
            batch.alter_column(name, server_default=None)


def downgrade() -> None:
    with change("custody_step", without=list(ENDED)) as batch:
        for name in ("ended_at", *(name for name, _kind in COLUMNS)):
            batch.drop_column(name)

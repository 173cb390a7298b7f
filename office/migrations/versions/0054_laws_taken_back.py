"""A law adopted for a day to come is taken back before it, by whom and why."""

import sqlalchemy as sa

from office.db import Utc
from office.migrations.changing import change

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None

WHOLE = "(taken_back_at IS NULL) = (taken_back_by = '') AND (taken_back_by = '') = (taken_back_why = '')"
NAME = "ck_adoption_taken_back_by_whom_and_why"


def upgrade() -> None:
    with change("adoption") as batch:
        batch.add_column(sa.Column("taken_back_at", Utc(), nullable=True))
        batch.add_column(sa.Column("taken_back_by", sa.String(length=200), server_default="", nullable=False))
        batch.add_column(sa.Column("taken_back_why", sa.Text(), server_default="", nullable=False))
    with change("adoption", adding={NAME: WHOLE}) as batch:
        batch.alter_column("taken_back_by", server_default=None)
        batch.alter_column("taken_back_why", server_default=None)


def downgrade() -> None:
    with change("adoption", without=[NAME]) as batch:
        batch.drop_column("taken_back_at")
        batch.drop_column("taken_back_by")
        batch.drop_column("taken_back_why")

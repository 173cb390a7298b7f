"""A meeting keeps when it began and when that and its agenda were noted; a correction keeps what was wrong."""

import sqlalchemy as sa

import office.db
from office.migrations.changing import change

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

TIMES = ("agenda_noted_at", "began_at", "began_noted_at")


def upgrade() -> None:
    with change("meeting") as batch:
        for column in TIMES:
            batch.add_column(sa.Column(column, office.db.Utc(), nullable=True))
    with change("decision") as batch:
        batch.add_column(sa.Column("wrong", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    with change("decision") as batch:
        batch.drop_column("wrong")
    with change("meeting") as batch:
        for column in reversed(TIMES):
            batch.drop_column(column)

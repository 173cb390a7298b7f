"""A written record keeps its corrections beside it: each with what it says, who, when and why."""

import sqlalchemy as sa

import office.db
from office.migrations.changing import change

revision = "0060"
down_revision = "0059"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with change("written_record") as batch:
        batch.add_column(sa.Column("corrections", office.db.Json(), nullable=False, server_default="[]"))
    with change("written_record") as batch:
        batch.alter_column("corrections", server_default=None)


def downgrade() -> None:
    with change("written_record") as batch:
        batch.drop_column("corrections")

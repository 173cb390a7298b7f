"""A motion keeps what was put to the vote."""

import sqlalchemy as sa

import office.db
from office.migrations.changing import change

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with change("motion") as batch:
        batch.add_column(sa.Column("about", office.db.Json(), nullable=False, server_default="[]"))


def downgrade() -> None:
    with change("motion") as batch:
        batch.drop_column("about")

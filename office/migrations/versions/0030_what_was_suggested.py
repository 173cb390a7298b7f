"""A decision keeps what was suggested when it was taken, so that a correction says why it leaves that."""

import sqlalchemy as sa

import office.db
from office.migrations.changing import change

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with change("decision") as batch:
        batch.add_column(sa.Column("suggested", office.db.Json(), nullable=True))


def downgrade() -> None:
    with change("decision") as batch:
        batch.drop_column("suggested")

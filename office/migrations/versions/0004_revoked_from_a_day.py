"""A revocation may name the day it begins on."""

import sqlalchemy as sa

from office.migrations.changing import change

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with change("revocation") as batch:
        batch.add_column(sa.Column("from_day", sa.Date(), nullable=True))


def downgrade() -> None:
    with change("revocation") as batch:
        batch.drop_column("from_day")

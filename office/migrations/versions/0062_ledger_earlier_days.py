"""A ledger handed out keeps which lines of earlier days were in none before it."""

import sqlalchemy as sa

from office.migrations.changing import change

revision = "0062"
down_revision = "0061"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with change("export") as batch:
        batch.add_column(sa.Column("earlier", sa.Text(), nullable=True))


def downgrade() -> None:
    with change("export") as batch:
        batch.drop_column("earlier")

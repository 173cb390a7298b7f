"""Each approval that is carried over keeps its own last day, so that its letter ends it (§ 329-7 B(2))."""

import sqlalchemy as sa

from office.migrations.changing import change

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with change("approval") as batch:
        batch.add_column(sa.Column("carried_until", sa.Date(), nullable=True))
    with change("carry_over") as batch:
        batch.add_column(sa.Column("each", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    with change("carry_over") as batch:
        batch.drop_column("each")
    with change("approval") as batch:
        batch.drop_column("carried_until")

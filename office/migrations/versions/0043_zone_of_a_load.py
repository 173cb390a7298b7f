"""A load keeps the zone it comes from, where the charges ask for one."""

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("load") as batch:
        batch.add_column(sa.Column("origin", sa.String(length=60), server_default="", nullable=False))
    with op.batch_alter_table("load") as batch:
        batch.alter_column("origin", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("load") as batch:
        batch.drop_column("origin")

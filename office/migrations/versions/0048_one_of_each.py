"""One load in N is exactly one of each N; rules of before drew each load by itself and stay so."""

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("sampling_rule") as batch:
        batch.add_column(sa.Column("blocks", sa.Boolean(), nullable=False, server_default=sa.false()))
    with op.batch_alter_table("sampling_rule") as batch:
        batch.alter_column("blocks", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("sampling_rule") as batch:
        batch.drop_column("blocks")

"""A day that was opened or closed over a holiday says which, so that the holiday comes back."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("closure_day") as batch:
        batch.add_column(sa.Column("over_holiday", sa.String(length=200), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("closure_day") as batch:
        batch.drop_column("over_holiday")

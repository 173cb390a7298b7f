"""Results keep the laboratory's limits of detection and of quantitation where it states them."""

import sqlalchemy as sa
from alembic import op

from office.db import Exact

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("result") as batch:
        batch.add_column(sa.Column("lod", Exact(), nullable=True))
        batch.add_column(sa.Column("loq", Exact(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("result") as batch:
        batch.drop_column("loq")
        batch.drop_column("lod")

"""Licences and insurances entered by mistake can be taken back."""

import sqlalchemy as sa
from alembic import op

import office.db

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("licence", "insurance"):
        with op.batch_alter_table(table) as batch:
            batch.add_column(sa.Column("taken_back_at", office.db.Utc(timezone=True), nullable=True))


def downgrade() -> None:
    for table in ("insurance", "licence"):
        with op.batch_alter_table(table) as batch:
            batch.drop_column("taken_back_at")

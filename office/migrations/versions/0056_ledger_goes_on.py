"""A ledger handed out goes on from the one before its days: it adds what was entered of earlier days since."""

import sqlalchemy as sa
from alembic import op

from office.migrations.changing import change

revision = "0056"
down_revision = "0055"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with change("export") as batch:
        batch.add_column(sa.Column("after_id", sa.Integer(), nullable=True))
        batch.create_foreign_key(op.f("fk_export_after_id_export"), "export", ["after_id"], ["id"])


def downgrade() -> None:
    with change("export") as batch:
        batch.drop_constraint(op.f("fk_export_after_id_export"), type_="foreignkey")
        batch.drop_column("after_id")

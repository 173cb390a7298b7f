"""What was handed out as a file, of the ledger or for a records request, is kept."""

import sqlalchemy as sa
from alembic import op

from office.db import Utc

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "export",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("party_id", sa.Integer(), nullable=True),
        sa.Column("first_day", sa.Date(), nullable=False),
        sa.Column("last_day", sa.Date(), nullable=False),
        sa.Column("asked_by", sa.Text(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.Column("by_name", sa.String(length=200), nullable=False),
        sa.CheckConstraint("kind IN ('ledger', 'records')", name=op.f("ck_export_kind_known")),
        sa.CheckConstraint("first_day <= last_day", name=op.f("ck_export_days_in_order")),
        sa.CheckConstraint(
            "kind <> 'records' OR (party_id IS NOT NULL AND asked_by <> '')",
            name=op.f("ck_export_records_of_somebody"),
        ),
        sa.ForeignKeyConstraint(["party_id"], ["party.id"], name=op.f("fk_export_party_id_party")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_export_plant_id_plant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_export")),
    )
    with op.batch_alter_table("export") as batch:
        batch.create_index(batch.f("ix_export_plant_id"), ["plant_id"], unique=False)


def downgrade() -> None:
    op.drop_table("export")

"""The driver signs a load on the tablet."""

import sqlalchemy as sa
from alembic import op

import office.db

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "signature",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("load_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("strokes", sa.Text(), nullable=False),
        sa.Column("signed_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("taken_by", sa.String(length=200), nullable=False),
        sa.CheckConstraint("name <> ''", name=op.f("ck_signature_named")),
        sa.CheckConstraint("strokes <> ''", name=op.f("ck_signature_written")),
        sa.ForeignKeyConstraint(["load_id"], ["load.id"], name=op.f("fk_signature_load_id_load")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_signature_plant_id_plant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_signature")),
        sa.UniqueConstraint("load_id", name=op.f("uq_signature_load_id")),
    )


def downgrade() -> None:
    op.drop_table("signature")

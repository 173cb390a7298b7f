"""A load keeps its other kinds and its cubic yards, and what the plant paid for it."""

import sqlalchemy as sa
from alembic import op

from office.db import Exact, Json

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("load") as batch:
        batch.add_column(sa.Column("mixed", Json(), server_default="[]", nullable=False))
        batch.add_column(sa.Column("cubic_yards", Exact(), nullable=True))
    with op.batch_alter_table("load") as batch:
        batch.alter_column("mixed", server_default=None)
    op.create_table(
        "load_cost",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("load_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("cents", sa.Integer(), nullable=False),
        sa.Column("bill", sa.Text(), nullable=False),
        sa.Column("entered_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("entered_by", sa.String(length=200), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_by", sa.String(length=200), nullable=False),
        sa.CheckConstraint("cents > 0", name=op.f("ck_load_cost_cents_positive")),
        sa.CheckConstraint("bill <> ''", name=op.f("ck_load_cost_bill_named")),
        sa.CheckConstraint("(ended_at IS NULL) = (ended_by = '')", name=op.f("ck_load_cost_ended_by_whom")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_load_cost_plant_id_plant")),
        sa.ForeignKeyConstraint(["load_id"], ["load.id"], name=op.f("fk_load_cost_load_id_load")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_load_cost")),
    )
    op.create_index(op.f("ix_load_cost_load_id"), "load_cost", ["load_id"])


def downgrade() -> None:
    op.drop_table("load_cost")
    with op.batch_alter_table("load") as batch:
        batch.drop_column("cubic_yards")
        batch.drop_column("mixed")

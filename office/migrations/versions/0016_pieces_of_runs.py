"""A run in pieces: what flows and what waits in the truck, measured rates, and those above the hard limit."""

import sqlalchemy as sa
from alembic import op

import office.db
from office.migrations.changing import change

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with change("run", adding={"ck_run_kind_known": "kind IN ('ran', 'rest')"}) as batch:
        batch.add_column(sa.Column("kind", sa.String(length=10), nullable=False, server_default="ran"))
        batch.add_column(sa.Column("measured", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "excess",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("load_id", sa.Integer(), nullable=False),
        sa.Column("measured_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("gph", sa.Integer(), nullable=False),
        sa.Column("drawn_gph", sa.Integer(), nullable=False),
        sa.Column("hard_gph", office.db.Exact(), nullable=False),
        sa.Column("cite", sa.String(length=200), nullable=False),
        sa.Column("entered_by", sa.String(length=200), nullable=False),
        sa.Column("done", sa.Text(), nullable=False),
        sa.Column("settled_at", office.db.Utc(timezone=True), nullable=True),
        sa.Column("settled_by", sa.String(length=200), nullable=True),
        sa.Column("law_version", sa.String(length=64), nullable=False),
        sa.CheckConstraint("(settled_at IS NULL) = (settled_by IS NULL)", name=op.f("ck_excess_settled_by_somebody")),
        sa.CheckConstraint("(settled_at IS NULL) OR (done <> '')", name=op.f("ck_excess_settled_with_words")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_excess_plant_id_plant")),
        sa.ForeignKeyConstraint(["load_id"], ["load.id"], name=op.f("fk_excess_load_id_load")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_excess")),
    )
    op.create_index(op.f("ix_excess_plant_id"), "excess", ["plant_id"])
    op.create_index(op.f("ix_excess_load_id"), "excess", ["load_id"])


def downgrade() -> None:
    op.drop_table("excess")
    with change("run", without=["ck_run_kind_known"]) as batch:
        batch.drop_column("measured")
        batch.drop_column("kind")

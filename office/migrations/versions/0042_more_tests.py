"""Further tests that the operator or the state orders (§ 329-7 F(1))."""

import sqlalchemy as sa
from alembic import op

import office.db

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "more_tests",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("load_id", sa.Integer(), nullable=False),
        sa.Column("what", sa.String(length=200), nullable=False),
        sa.Column("tests", sa.Integer(), nullable=False),
        sa.Column("office", sa.String(length=200), nullable=False),
        sa.Column("ordered_by", sa.String(length=200), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("cents", sa.Integer(), nullable=False),
        sa.Column("made_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("made_by", sa.String(length=200), nullable=False),
        sa.Column("law_version", sa.String(length=64), nullable=False),
        sa.CheckConstraint("ordered_by <> ''", name=op.f("ck_more_tests_ordered_by_somebody")),
        sa.CheckConstraint("reason <> ''", name=op.f("ck_more_tests_reason_given")),
        sa.CheckConstraint("what <> ''", name=op.f("ck_more_tests_named")),
        sa.CheckConstraint("cents >= 0", name=op.f("ck_more_tests_cost_not_negative")),
        sa.CheckConstraint("tests > 0", name=op.f("ck_more_tests_tests_positive")),
        sa.ForeignKeyConstraint(["load_id"], ["load.id"], name=op.f("fk_more_tests_load_id_load")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_more_tests_plant_id_plant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_more_tests")),
    )
    op.create_index(op.f("ix_more_tests_load_id"), "more_tests", ["load_id"], unique=False)


def downgrade() -> None:
    op.drop_table("more_tests")

"""Answers of the gate set aside, rests of loads turned away, and where refused loads went (§ 329-7 C(1))."""

import sqlalchemy as sa
from alembic import op

import office.db

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "set_aside",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("business_id", sa.Integer(), nullable=False),
        sa.Column("truck_id", sa.Integer(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("code", sa.String(length=40), nullable=False),
        sa.Column("said", sa.Text(), nullable=False),
        sa.Column("cite", sa.String(length=200), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("given_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("given_by", sa.String(length=200), nullable=False),
        sa.Column("load_id", sa.Integer(), nullable=True),
        sa.Column("law_version", sa.String(length=64), nullable=False),
        sa.CheckConstraint("reason <> ''", name=op.f("ck_set_aside_reason_given")),
        sa.ForeignKeyConstraint(["business_id"], ["business.id"], name=op.f("fk_set_aside_business_id_business")),
        sa.ForeignKeyConstraint(["load_id"], ["load.id"], name=op.f("fk_set_aside_load_id_load")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_set_aside_plant_id_plant")),
        sa.ForeignKeyConstraint(["truck_id"], ["truck.id"], name=op.f("fk_set_aside_truck_id_truck")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_set_aside")),
    )
    with op.batch_alter_table("set_aside") as batch:
        batch.create_index(batch.f("ix_set_aside_business_id"), ["business_id"], unique=False)
        batch.create_index(batch.f("ix_set_aside_day"), ["day"], unique=False)
        batch.create_index(batch.f("ix_set_aside_load_id"), ["load_id"], unique=False)
    op.create_table(
        "rest_refused",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("load_id", sa.Integer(), nullable=False),
        sa.Column("gallons", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(length=40), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("refused_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("refused_by", sa.String(length=200), nullable=False),
        sa.CheckConstraint("code IN ('permission', 'paper', 'field_test', 'plant', 'other')", name=op.f("ck_rest_refused_code_known")),
        sa.CheckConstraint("gallons > 0", name=op.f("ck_rest_refused_gallons_positive")),
        sa.CheckConstraint("reason <> ''", name=op.f("ck_rest_refused_reason_given")),
        sa.ForeignKeyConstraint(["load_id"], ["load.id"], name=op.f("fk_rest_refused_load_id_load")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_rest_refused_plant_id_plant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rest_refused")),
        sa.UniqueConstraint("load_id", name=op.f("uq_rest_refused_load_id")),
    )
    op.create_table(
        "elsewhere",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("load_id", sa.Integer(), nullable=False),
        sa.Column("went_to", sa.Text(), nullable=False),
        sa.Column("went_on", sa.Date(), nullable=False),
        sa.Column("signed_by", sa.String(length=200), nullable=False),
        sa.Column("filed_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("filed_by", sa.String(length=200), nullable=False),
        sa.Column("on_behalf", sa.Boolean(), nullable=False),
        sa.CheckConstraint("signed_by <> ''", name=op.f("ck_elsewhere_signed")),
        sa.CheckConstraint("went_to <> ''", name=op.f("ck_elsewhere_place_given")),
        sa.ForeignKeyConstraint(["load_id"], ["load.id"], name=op.f("fk_elsewhere_load_id_load")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_elsewhere_plant_id_plant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_elsewhere")),
        sa.UniqueConstraint("load_id", name=op.f("uq_elsewhere_load_id")),
    )


def downgrade() -> None:
    op.drop_table("elsewhere")
    op.drop_table("rest_refused")
    op.drop_table("set_aside")

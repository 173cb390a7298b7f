"""Receiving points with rules of their own from a day on, manholes with a written permission."""

import sqlalchemy as sa
from alembic import op

import office.db
from office.migrations.changing import change

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "point_terms",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("point_id", sa.Integer(), nullable=False),
        sa.Column("since", sa.Date(), nullable=False),
        sa.Column("is_open", sa.Boolean(), nullable=False),
        sa.Column("opens", sa.String(length=5), nullable=True),
        sa.Column("closes", sa.String(length=5), nullable=True),
        sa.Column("trucks", sa.Integer(), nullable=True),
        sa.Column("max_gph", sa.Integer(), nullable=True),
        sa.Column("changeover", sa.Integer(), nullable=False),
        sa.Column("into_tank", sa.Boolean(), nullable=False),
        sa.Column("wastes", office.db.Json(), nullable=False),
        sa.Column("conditions", sa.Text(), nullable=False),
        sa.Column("set_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("set_by", sa.String(length=200), nullable=False),
        sa.CheckConstraint("trucks IS NULL OR trucks > 0", name=op.f("ck_point_terms_trucks_positive")),
        sa.CheckConstraint("max_gph IS NULL OR max_gph > 0", name=op.f("ck_point_terms_rate_positive")),
        sa.CheckConstraint("changeover >= 0", name=op.f("ck_point_terms_changeover_not_negative")),
        sa.CheckConstraint("NOT into_tank OR max_gph IS NOT NULL", name=op.f("ck_point_terms_tank_with_rate")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_point_terms_plant_id_plant")),
        sa.ForeignKeyConstraint(["point_id"], ["point.id"], name=op.f("fk_point_terms_point_id_point")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_point_terms")),
    )
    op.create_index(op.f("ix_point_terms_point_id"), "point_terms", ["point_id"])
    op.create_table(
        "manhole_permission",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("point_id", sa.Integer(), nullable=False),
        sa.Column("business_id", sa.Integer(), nullable=True),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("written_on", sa.Date(), nullable=False),
        sa.Column("written_by", sa.String(length=200), nullable=False),
        sa.Column("since", sa.Date(), nullable=False),
        sa.Column("until", sa.Date(), nullable=False),
        sa.Column("made_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("ended_at", office.db.Utc(timezone=True), nullable=True),
        sa.Column("end_reason", sa.Text(), nullable=True),
        sa.CheckConstraint("words <> ''", name=op.f("ck_manhole_permission_in_writing")),
        sa.CheckConstraint("until >= since", name=op.f("ck_manhole_permission_until_after_since")),
        sa.CheckConstraint("(ended_at IS NULL) = (end_reason IS NULL)",
                           name=op.f("ck_manhole_permission_ended_with_reason")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_manhole_permission_plant_id_plant")),
        sa.ForeignKeyConstraint(["point_id"], ["point.id"], name=op.f("fk_manhole_permission_point_id_point")),
        sa.ForeignKeyConstraint(["business_id"], ["business.id"],
                                name=op.f("fk_manhole_permission_business_id_business")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_manhole_permission")),
    )
    for column in ("point_id", "business_id"):
        op.create_index(op.f(f"ix_manhole_permission_{column}"), "manhole_permission", [column])
    with change("run") as batch:
        batch.add_column(sa.Column("supervised_by", sa.String(length=200), nullable=False, server_default=""))


def downgrade() -> None:
    with change("run") as batch:
        batch.drop_column("supervised_by")
    op.drop_table("manhole_permission")
    op.drop_table("point_terms")

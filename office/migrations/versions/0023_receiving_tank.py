"""A receiving point may be a tank: what is set for it, and what was read of its level."""

import sqlalchemy as sa
from alembic import op

import office.db
from office.migrations.changing import change

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

KIND = "ck_point_kind_known"


def upgrade() -> None:
    with change("point", without=[KIND], adding={KIND: "kind IN ('station', 'manhole', 'tank')"}):
        pass
    op.create_table(
        "tank_terms",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("point_id", sa.Integer(), nullable=False),
        sa.Column("gallons", sa.Integer(), nullable=False),
        sa.Column("unload_gph", sa.Integer(), nullable=False),
        sa.Column("bleed_gph", sa.Integer(), nullable=False),
        sa.Column("set_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("set_by", sa.String(length=200), nullable=False),
        sa.CheckConstraint("gallons > 0 AND bleed_gph > 0", name=op.f("ck_tank_terms_holds_and_bleeds")),
        sa.CheckConstraint("unload_gph >= bleed_gph", name=op.f("ck_tank_terms_fills_faster")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_tank_terms_plant_id_plant")),
        sa.ForeignKeyConstraint(["point_id"], ["point.id"], name=op.f("fk_tank_terms_point_id_point")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tank_terms")),
    )
    op.create_index(op.f("ix_tank_terms_point_id"), "tank_terms", ["point_id"])
    op.create_table(
        "tank_reading",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("point_id", sa.Integer(), nullable=False),
        sa.Column("read_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("gallons", sa.Integer(), nullable=False),
        sa.Column("reckoned", sa.Integer(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("entered_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("entered_by", sa.String(length=200), nullable=False),
        sa.CheckConstraint("gallons >= 0", name=op.f("ck_tank_reading_gallons_not_negative")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_tank_reading_plant_id_plant")),
        sa.ForeignKeyConstraint(["point_id"], ["point.id"], name=op.f("fk_tank_reading_point_id_point")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tank_reading")),
    )
    op.create_index(op.f("ix_tank_reading_point_id"), "tank_reading", ["point_id"])


def downgrade() -> None:
    op.drop_table("tank_reading")
    op.drop_table("tank_terms")
    # What an older version cannot name is closed by its terms; it stands as a station there.
    op.execute(sa.text("UPDATE point SET kind = 'station' WHERE kind = 'tank'"))
    with change("point", without=[KIND], adding={KIND: "kind IN ('station', 'manhole')"}):
        pass

"""The secret addresses under which calendars read a hauler's bookings."""

import sqlalchemy as sa
from alembic import op

import office.db

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "feed_address",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("business_id", sa.Integer(), nullable=False),
        sa.Column("nonce", sa.String(length=32), nullable=False),
        sa.Column("address_sha256", sa.String(length=64), nullable=False),
        sa.Column("made_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("made_by", sa.String(length=200), nullable=False),
        sa.Column("ended_at", office.db.Utc(timezone=True), nullable=True),
        sa.Column("ended_by", sa.String(length=200), nullable=True),
        sa.CheckConstraint("(ended_at IS NULL) = (ended_by IS NULL)", name=op.f("ck_feed_address_ended_by_somebody")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_feed_address_plant_id_plant")),
        sa.ForeignKeyConstraint(["business_id"], ["business.id"], name=op.f("fk_feed_address_business_id_business")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_feed_address")),
        sa.UniqueConstraint("address_sha256", name=op.f("uq_feed_address_address_sha256")),
    )
    op.create_index(op.f("ix_feed_address_business_id"), "feed_address", ["business_id"])
    op.create_index("uq_feed_address_live", "feed_address", ["plant_id", "business_id"], unique=True,
                    sqlite_where=sa.text("ended_at IS NULL"), postgresql_where=sa.text("ended_at IS NULL"))


def downgrade() -> None:
    op.drop_table("feed_address")

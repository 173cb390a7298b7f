"""Bookings that are moved, entered by phone or cancelled late; the waiting list and the room it is offered."""

import sqlalchemy as sa
from alembic import op

import office.db

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("booking") as batch:
        batch.add_column(sa.Column("by_phone", sa.Boolean(), nullable=False, server_default=sa.false()))
        batch.add_column(sa.Column("moved_at", office.db.Utc(timezone=True), nullable=True))
        batch.add_column(sa.Column("moves", sa.Integer(), nullable=False, server_default="0"))
        batch.add_column(sa.Column("ended_late", sa.Boolean(), nullable=False, server_default=sa.false()))
    _make_wait()
    _make_freed_room()
    _make_room_offer()


def _make_wait() -> None:
    op.create_table(
        "wait",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("business_id", sa.Integer(), nullable=False),
        sa.Column("truck_id", sa.Integer(), nullable=False),
        sa.Column("waste", sa.String(length=30), nullable=False),
        sa.Column("gallons", sa.Integer(), nullable=False),
        sa.Column("first_day", sa.Date(), nullable=False),
        sa.Column("last_day", sa.Date(), nullable=False),
        sa.Column("asked_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("asked_by", sa.String(length=200), nullable=False),
        sa.Column("ended_at", office.db.Utc(timezone=True), nullable=True),
        sa.Column("outcome", sa.String(length=10), nullable=True),
        sa.Column("booking_id", sa.Integer(), nullable=True),
        sa.CheckConstraint("gallons > 0", name=op.f("ck_wait_gallons_positive")),
        sa.CheckConstraint("last_day >= first_day", name=op.f("ck_wait_last_day_after_first")),
        sa.CheckConstraint("(ended_at IS NULL) = (outcome IS NULL)", name=op.f("ck_wait_ended_with_outcome")),
        sa.CheckConstraint("outcome IS NULL OR outcome IN ('booked', 'left')", name=op.f("ck_wait_outcome_known")),
        sa.CheckConstraint("booking_id IS NULL OR outcome = 'booked'", name=op.f("ck_wait_booked_with_booking")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_wait_plant_id_plant")),
        sa.ForeignKeyConstraint(["business_id"], ["business.id"], name=op.f("fk_wait_business_id_business")),
        sa.ForeignKeyConstraint(["truck_id"], ["truck.id"], name=op.f("fk_wait_truck_id_truck")),
        sa.ForeignKeyConstraint(["booking_id"], ["booking.id"], name=op.f("fk_wait_booking_id_booking")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_wait")),
    )
    op.create_index(op.f("ix_wait_plant_id"), "wait", ["plant_id"])
    op.create_index(op.f("ix_wait_business_id"), "wait", ["business_id"])


def _make_freed_room() -> None:
    op.create_table(
        "freed_room",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("freed_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("answer_hours", sa.Integer(), nullable=False),
        sa.Column("law_version", sa.String(length=64), nullable=False),
        sa.CheckConstraint("answer_hours > 0", name=op.f("ck_freed_room_hours_positive")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_freed_room_plant_id_plant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_freed_room")),
    )
    op.create_index(op.f("ix_freed_room_plant_id"), "freed_room", ["plant_id"])
    op.create_index(op.f("ix_freed_room_day"), "freed_room", ["day"])


def _make_room_offer() -> None:
    op.create_table(
        "room_offer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("room_id", sa.Integer(), nullable=False),
        sa.Column("wait_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("starts", office.db.Utc(timezone=True), nullable=False),
        sa.Column("ends", office.db.Utc(timezone=True), nullable=False),
        sa.Column("gph", sa.Integer(), nullable=False),
        sa.Column("gallons", sa.Integer(), nullable=False),
        sa.Column("told_at", office.db.Utc(timezone=True), nullable=True),
        sa.Column("answered_at", office.db.Utc(timezone=True), nullable=True),
        sa.Column("answer", sa.String(length=3), nullable=True),
        sa.CheckConstraint("ends > starts", name=op.f("ck_room_offer_ends_after_start")),
        sa.CheckConstraint("gph > 0 AND gallons > 0", name=op.f("ck_room_offer_rate_and_gallons_positive")),
        sa.CheckConstraint("(answered_at IS NULL) = (answer IS NULL)", name=op.f("ck_room_offer_answered_when")),
        sa.CheckConstraint("answer IS NULL OR answer IN ('yes', 'no')", name=op.f("ck_room_offer_answer_known")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_room_offer_plant_id_plant")),
        sa.ForeignKeyConstraint(["room_id"], ["freed_room.id"], name=op.f("fk_room_offer_room_id_freed_room")),
        sa.ForeignKeyConstraint(["wait_id"], ["wait.id"], name=op.f("fk_room_offer_wait_id_wait")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_room_offer")),
        sa.UniqueConstraint("room_id", "place", name=op.f("uq_room_offer_room_id_place")),
        sa.UniqueConstraint("room_id", "wait_id", name=op.f("uq_room_offer_room_id_wait_id")),
    )
    op.create_index(op.f("ix_room_offer_wait_id"), "room_offer", ["wait_id"])


def downgrade() -> None:
    op.drop_table("room_offer")
    op.drop_table("freed_room")
    op.drop_table("wait")
    with op.batch_alter_table("booking") as batch:
        for column in ("ended_late", "moves", "moved_at", "by_phone"):
            batch.drop_column(column)

"""Special times: asked for, quoted, accepted and arranged (§ 329-7 F(4))."""

import sqlalchemy as sa
from alembic import op

import office.db

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "special_time",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.String(length=20), nullable=False),
        sa.Column("business_id", sa.Integer(), nullable=False),
        sa.Column("truck_id", sa.Integer(), nullable=False),
        sa.Column("waste", sa.String(length=30), nullable=False),
        sa.Column("gallons", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("starts", office.db.Utc(timezone=True), nullable=False),
        sa.Column("ends", office.db.Utc(timezone=True), nullable=False),
        sa.Column("gph", sa.Integer(), nullable=False),
        sa.Column("minutes", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("asked_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("asked_by", sa.String(length=200), nullable=False),
        sa.Column("by_phone", sa.Boolean(), nullable=False),
        sa.Column("wage", office.db.Exact(length=40), nullable=True),
        sa.Column("quote", office.db.Json(), nullable=False),
        sa.Column("quote_cents", sa.Integer(), nullable=True),
        sa.Column("quoted_at", office.db.Utc(timezone=True), nullable=True),
        sa.Column("accepted_at", office.db.Utc(timezone=True), nullable=True),
        sa.Column("accepted_by", sa.String(length=200), nullable=True),
        sa.Column("decided_at", office.db.Utc(timezone=True), nullable=True),
        sa.Column("decided_by", sa.String(length=200), nullable=True),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("until", office.db.Utc(timezone=True), nullable=True),
        sa.Column("booking_id", sa.Integer(), nullable=True),
        sa.Column("letter_id", sa.Integer(), nullable=True),
        sa.Column("supervised_from", office.db.Utc(timezone=True), nullable=True),
        sa.Column("supervised_to", office.db.Utc(timezone=True), nullable=True),
        sa.Column("supervised_by", sa.String(length=200), nullable=True),
        sa.Column("law_version", sa.String(length=64), nullable=False),
        sa.CheckConstraint("(state = 'arranged') = (booking_id IS NOT NULL)", name=op.f("ck_special_time_arranged_as_a_booking")),
        sa.CheckConstraint("(state = 'arranged') = (until IS NOT NULL)", name=op.f("ck_special_time_arranged_until")),
        sa.CheckConstraint("reason <> ''", name=op.f("ck_special_time_reason_given")),
        sa.CheckConstraint("state <> 'accepted' OR accepted_at IS NOT NULL", name=op.f("ck_special_time_accepted_when")),
        sa.CheckConstraint("state <> 'arranged' OR (letter_id IS NOT NULL AND accepted_at IS NOT NULL)", name=op.f("ck_special_time_arranged_in_writing")),
        sa.CheckConstraint("state <> 'declined' OR answer <> ''", name=op.f("ck_special_time_declined_with_reason")),
        sa.CheckConstraint("state IN ('asked', 'accepted', 'arranged', 'declined', 'withdrawn')", name=op.f("ck_special_time_state_known")),
        sa.CheckConstraint("(accepted_at IS NULL) OR (quote_cents IS NOT NULL)", name=op.f("ck_special_time_accepted_a_quote")),
        sa.CheckConstraint("(quote_cents IS NULL) = (wage IS NULL)", name=op.f("ck_special_time_quoted_with_wage")),
        sa.CheckConstraint("(supervised_from IS NULL) = (supervised_to IS NULL)", name=op.f("ck_special_time_supervised_whole")),
        sa.CheckConstraint("ends > starts", name=op.f("ck_special_time_ends_after_start")),
        sa.CheckConstraint("gallons > 0 AND gph > 0", name=op.f("ck_special_time_rate_and_gallons_positive")),
        sa.ForeignKeyConstraint(["booking_id"], ["booking.id"], name=op.f("fk_special_time_booking_id_booking")),
        sa.ForeignKeyConstraint(["business_id"], ["business.id"], name=op.f("fk_special_time_business_id_business")),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"], name=op.f("fk_special_time_letter_id_letter")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_special_time_plant_id_plant")),
        sa.ForeignKeyConstraint(["truck_id"], ["truck.id"], name=op.f("fk_special_time_truck_id_truck")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_special_time")),
        sa.UniqueConstraint("booking_id", name=op.f("uq_special_time_booking_id")),
        sa.UniqueConstraint("plant_id", "number", name=op.f("uq_special_time_plant_id_number"))
    )
    op.create_index(op.f("ix_special_time_business_id"), "special_time", ["business_id"])
    op.create_index(op.f("ix_special_time_plant_id"), "special_time", ["plant_id"])
    op.create_index(op.f("ix_special_time_state"), "special_time", ["state"])

def downgrade() -> None:
    op.drop_table("special_time")

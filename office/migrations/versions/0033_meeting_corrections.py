"""The agenda and the hour of a recorded meeting can be corrected, and both texts are kept (§ 329-7 B(2))."""

import sqlalchemy as sa
from alembic import op

import office.db

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "meeting_correction",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("meeting_id", sa.Integer(), nullable=False),
        sa.Column("agenda_before", office.db.Utc(timezone=True), nullable=True),
        sa.Column("agenda_after", office.db.Utc(timezone=True), nullable=True),
        sa.Column("began_before", office.db.Utc(timezone=True), nullable=True),
        sa.Column("began_after", office.db.Utc(timezone=True), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("corrected_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("corrected_by", sa.String(length=200), nullable=False),
        sa.CheckConstraint("reason <> ''", name=op.f("ck_meeting_correction_reason_given")),
        sa.ForeignKeyConstraint(["meeting_id"], ["meeting.id"], name=op.f("fk_meeting_correction_meeting_id_meeting")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_meeting_correction_plant_id_plant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_meeting_correction")),
    )
    op.create_index(op.f("ix_meeting_correction_meeting_id"), "meeting_correction", ["meeting_id"])


def downgrade() -> None:
    op.drop_index(op.f("ix_meeting_correction_meeting_id"), table_name="meeting_correction")
    op.drop_table("meeting_correction")

"""A vote to give an approval back waits for its letter; a change asked for on paper keeps its day and who entered it."""

import sqlalchemy as sa
from alembic import op

from office.migrations.changing import change

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "reinstatement",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("motion_id", sa.Integer(), nullable=False),
        sa.Column("approval_id", sa.Integer(), nullable=False),
        sa.Column("starts", sa.Date(), nullable=False),
        sa.Column("gallons_winter", sa.Integer(), nullable=False),
        sa.Column("gallons_rest", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=True),
        sa.CheckConstraint("gallons_winter >= 0 AND gallons_rest >= 0",
                           name=op.f("ck_reinstatement_gallons_not_negative")),
        sa.CheckConstraint("reason <> ''", name=op.f("ck_reinstatement_reason_given")),
        sa.ForeignKeyConstraint(["approval_id"], ["approval.id"], name=op.f("fk_reinstatement_approval_id_approval")),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"], name=op.f("fk_reinstatement_letter_id_letter")),
        sa.ForeignKeyConstraint(["motion_id"], ["motion.id"], name=op.f("fk_reinstatement_motion_id_motion")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_reinstatement_plant_id_plant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reinstatement")),
        sa.UniqueConstraint("approval_id", name=op.f("uq_reinstatement_approval_id")),
        sa.UniqueConstraint("motion_id", name=op.f("uq_reinstatement_motion_id")),
    )
    op.create_index(op.f("ix_reinstatement_plant_id"), "reinstatement", ["plant_id"])
    paper = {"ck_amendment_paper_whole": "(received_on IS NULL) = (entered_by = '')"}
    with change("amendment", adding=paper) as batch:
        batch.add_column(sa.Column("received_on", sa.Date(), nullable=True))
        batch.add_column(sa.Column("entered_by", sa.String(length=200), nullable=False, server_default=""))


def downgrade() -> None:
    with change("amendment", without=("ck_amendment_paper_whole",)) as batch:
        batch.drop_column("entered_by")
        batch.drop_column("received_on")
    op.drop_index(op.f("ix_reinstatement_plant_id"), table_name="reinstatement")
    op.drop_table("reinstatement")

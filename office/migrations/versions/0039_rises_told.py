"""Rises of fees that approved haulers were told of, each by a letter, and the costs an amount rests on."""

import sqlalchemy as sa
from alembic import op

import office.db

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("plant_row") as table:
        table.add_column(sa.Column("basis", sa.Text(), server_default="", nullable=False))
    with op.batch_alter_table("plant_row") as table:
        table.alter_column("basis", server_default=None)
    op.create_table(
        "fee_notice",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=80), nullable=False),
        sa.Column("was", office.db.Exact(), nullable=False),
        sa.Column("becomes", office.db.Exact(), nullable=False),
        sa.Column("since", sa.Date(), nullable=False),
        sa.Column("resolution", sa.Text(), nullable=False),
        sa.Column("basis", sa.Text(), nullable=False),
        sa.Column("cite", sa.String(length=200), nullable=False),
        sa.Column("entered_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("entered_by", sa.String(length=200), nullable=False),
        sa.CheckConstraint("resolution <> ''", name=op.f("ck_fee_notice_resolution_given")),
        sa.CheckConstraint("basis <> ''", name=op.f("ck_fee_notice_basis_given")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_fee_notice_plant_id_plant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fee_notice")),
    )
    op.create_index(op.f("ix_fee_notice_plant_id"), "fee_notice", ["plant_id"])
    _told()


def _told() -> None:
    op.create_table(
        "fee_notice_to",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("notice_id", sa.Integer(), nullable=False),
        sa.Column("party_id", sa.Integer(), nullable=False),
        sa.Column("told_on", sa.Date(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_fee_notice_to_plant_id_plant")),
        sa.ForeignKeyConstraint(["notice_id"], ["fee_notice.id"], name=op.f("fk_fee_notice_to_notice_id_fee_notice")),
        sa.ForeignKeyConstraint(["party_id"], ["party.id"], name=op.f("fk_fee_notice_to_party_id_party")),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"], name=op.f("fk_fee_notice_to_letter_id_letter")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fee_notice_to")),
        sa.UniqueConstraint("notice_id", "party_id", name=op.f("uq_fee_notice_to_notice_id_party_id")),
    )
    op.create_index(op.f("ix_fee_notice_to_notice_id"), "fee_notice_to", ["notice_id"])


def downgrade() -> None:
    op.drop_table("fee_notice_to")
    op.drop_table("fee_notice")
    with op.batch_alter_table("plant_row") as table:
        table.drop_column("basis")

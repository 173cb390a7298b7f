"""Expense, loss and damage charged to haulers, with the files of evidence (§ 329-10 C, § 216-10 B of Lawrence)."""

import sqlalchemy as sa
from alembic import op

import office.db

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "damage",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("happened_on", sa.Date(), nullable=False),
        sa.Column("what", sa.String(length=160), nullable=False),
        sa.Column("cause", sa.Text(), nullable=False),
        sa.Column("entered_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("entered_by", sa.String(length=200), nullable=False),
        sa.CheckConstraint("what <> '' AND cause <> ''", name=op.f("ck_damage_said")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_damage_plant_id_plant")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_damage_account_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_damage")),
    )
    op.create_index(op.f("ix_damage_account_id"), "damage", ["account_id"])
    op.create_table(
        "damage_file",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("damage_id", sa.Integer(), nullable=False),
        sa.Column("file_id", sa.Integer(), nullable=False),
        sa.Column("note", sa.String(length=200), nullable=False),
        sa.Column("added_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("added_by", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_damage_file_plant_id_plant")),
        sa.ForeignKeyConstraint(["damage_id"], ["damage.id"], name=op.f("fk_damage_file_damage_id_damage")),
        sa.ForeignKeyConstraint(["file_id"], ["file.id"], name=op.f("fk_damage_file_file_id_file")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_damage_file")),
    )
    op.create_index(op.f("ix_damage_file_damage_id"), "damage_file", ["damage_id"])


def downgrade() -> None:
    op.drop_table("damage_file")
    op.drop_table("damage")

"""Another version of a law waits as a draft, with who was told what it raises; two may be adopted from one day."""

import sqlalchemy as sa
from alembic import op

from office.db import Json

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None

ONCE = "uq_adoption_plant_id_since"


def upgrade() -> None:
    with op.batch_alter_table("adoption") as batch:
        batch.drop_constraint(op.f(ONCE), type_="unique")
        batch.add_column(sa.Column("basis", sa.Text(), server_default="", nullable=False))
        batch.create_index(op.f("ix_adoption_plant_id"), ["plant_id"])
    with op.batch_alter_table("adoption") as batch:
        batch.alter_column("basis", server_default=None)
    _drafts()
    _told()


def _drafts() -> None:
    op.create_table(
        "law_draft",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("law_text_id", sa.Integer(), nullable=False),
        sa.Column("since", sa.Date(), nullable=False),
        sa.Column("resolution", sa.Text(), nullable=False),
        sa.Column("basis", sa.Text(), nullable=False),
        sa.Column("entered_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("entered_by", sa.String(length=200), nullable=False),
        sa.Column("adoption_id", sa.Integer(), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_by", sa.String(length=200), nullable=False),
        sa.CheckConstraint("resolution <> ''", name=op.f("ck_law_draft_by_resolution")),
        sa.CheckConstraint("basis <> ''", name=op.f("ck_law_draft_basis_given")),
        sa.CheckConstraint("(ended_at IS NULL) = (ended_by = '')", name=op.f("ck_law_draft_ended_by_whom")),
        sa.CheckConstraint("ended_at IS NULL OR adoption_id IS NULL", name=op.f("ck_law_draft_ended_or_adopted")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_law_draft_plant_id_plant")),
        sa.ForeignKeyConstraint(["law_text_id"], ["law_text.id"], name=op.f("fk_law_draft_law_text_id_law_text")),
        sa.ForeignKeyConstraint(["adoption_id"], ["adoption.id"], name=op.f("fk_law_draft_adoption_id_adoption")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_law_draft")),
    )
    op.create_index(op.f("ix_law_draft_plant_id"), "law_draft", ["plant_id"])


def _told() -> None:
    op.create_table(
        "law_told",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("draft_id", sa.Integer(), nullable=False),
        sa.Column("party_id", sa.Integer(), nullable=False),
        sa.Column("told_on", sa.Date(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=False),
        sa.Column("rises", Json(), nullable=False),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_law_told_plant_id_plant")),
        sa.ForeignKeyConstraint(["draft_id"], ["law_draft.id"], name=op.f("fk_law_told_draft_id_law_draft")),
        sa.ForeignKeyConstraint(["party_id"], ["party.id"], name=op.f("fk_law_told_party_id_party")),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"], name=op.f("fk_law_told_letter_id_letter")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_law_told")),
        sa.UniqueConstraint("draft_id", "party_id", "letter_id",
                            name=op.f("uq_law_told_draft_id_party_id_letter_id")),
    )  # fmt: skip
    op.create_index(op.f("ix_law_told_plant_id"), "law_told", ["plant_id"])
    op.create_index(op.f("ix_law_told_draft_id"), "law_told", ["draft_id"])


def downgrade() -> None:
    for table in ("law_told", "law_draft"):
        op.drop_table(table)
    with op.batch_alter_table("adoption") as batch:
        batch.drop_index(op.f("ix_adoption_plant_id"))
        batch.drop_column("basis")
        batch.create_unique_constraint(op.f(ONCE), ["plant_id", "since"])

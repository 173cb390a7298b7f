"""A file chosen in a form that is shown again is kept for who chose it, until the form is taken or some days."""

import sqlalchemy as sa
from alembic import op

import office.db

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "draft_file",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False),
        sa.Column("key", sa.String(length=32), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=300), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("kept_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("seal", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_draft_file_person_id_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_draft_file")),
        sa.UniqueConstraint("key", name=op.f("uq_draft_file_key")),
    )
    op.create_index(op.f("ix_draft_file_person_id"), "draft_file", ["person_id"])


def downgrade() -> None:
    op.drop_index(op.f("ix_draft_file_person_id"), table_name="draft_file")
    op.drop_table("draft_file")

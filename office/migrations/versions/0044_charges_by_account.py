"""A source is charged once in an account, not once on the host; an invoice made again names the void one."""

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None

ONCE = ["source_kind", "source_id", "line_code"]
OLD, NEW = "uq_entry_source_kind_source_id_line_code", "uq_entry_source_kind_source_id_line_code_account_id"


def upgrade() -> None:
    with op.batch_alter_table("entry") as batch:
        batch.drop_constraint(op.f(OLD), type_="unique")
        batch.create_unique_constraint(op.f(NEW), [*ONCE, "account_id"])
    with op.batch_alter_table("invoice") as batch:
        batch.add_column(sa.Column("replaces_id", sa.Integer(), nullable=True))
        batch.create_foreign_key(op.f("fk_invoice_replaces_id_invoice"), "invoice", ["replaces_id"], ["id"])
        batch.create_unique_constraint(op.f("uq_invoice_replaces_id"), ["replaces_id"])


def downgrade() -> None:
    with op.batch_alter_table("invoice") as batch:
        batch.drop_constraint(op.f("uq_invoice_replaces_id"), type_="unique")
        batch.drop_constraint(op.f("fk_invoice_replaces_id_invoice"), type_="foreignkey")
        batch.drop_column("replaces_id")
    with op.batch_alter_table("entry") as batch:
        batch.drop_constraint(op.f(NEW), type_="unique")
        batch.create_unique_constraint(op.f(OLD), ONCE)

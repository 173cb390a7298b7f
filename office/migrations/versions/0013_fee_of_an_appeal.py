"""The fee of an appeal given back: what took its payment back in the ledger."""

import sqlalchemy as sa
from alembic import op

from office.migrations.changing import change

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None
PAID = {"ck_review_refunded_what_was_paid":
        "fee_refund_id IS NULL OR (fee_payment_id IS NOT NULL AND closed_on IS NOT NULL)"}  # fmt: skip


def upgrade() -> None:
    with change("review", adding=PAID) as batch:
        batch.add_column(sa.Column("fee_refund_id", sa.Integer(), nullable=True))
        batch.create_foreign_key(op.f("fk_review_fee_refund_id_entry"), "entry", ["fee_refund_id"], ["id"])


def downgrade() -> None:
    with change("review", without=tuple(PAID)) as batch:
        batch.drop_constraint(op.f("fk_review_fee_refund_id_entry"), type_="foreignkey")
        batch.drop_column("fee_refund_id")

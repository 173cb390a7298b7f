"""Invoices of a run that was not over, charges in place of others with the day they are for, credit on no charge."""

import sqlalchemy as sa
from alembic import op

from office.migrations.changing import change

revision = "0059"
down_revision = "0058"
branch_labels = None
depends_on = None

KNOWN = "method IN ('cash', 'check', 'card'{})"
OF = "(kind IN ('credit', 'write_off')) = (credits_id IS NOT NULL)"
OF_OR_KEPT = "(credits_id IS NULL OR kind IN ('credit', 'write_off')) AND (kind <> 'write_off' OR credits_id IS NOT NULL)"


def upgrade() -> None:
    with change("invoice") as batch:
        batch.add_column(sa.Column("others_wait", sa.Boolean(), server_default=sa.false(), nullable=False))
    with change("invoice") as batch:
        batch.alter_column("others_wait", server_default=None)
    with change("entry", without=("ck_entry_credit_of",), adding={"ck_entry_credit_of": OF_OR_KEPT}) as batch:
        batch.add_column(sa.Column("for_day", sa.Date(), nullable=True))
    known = KNOWN.format(", 'credit'")
    with change("payment", without=("ck_payment_method_known",), adding={"ck_payment_method_known": known}):
        pass


def downgrade() -> None:
    known = KNOWN.format("")
    with change("payment", without=("ck_payment_method_known",), adding={"ck_payment_method_known": known}):
        pass
    with change("entry", without=("ck_entry_credit_of",), adding={"ck_entry_credit_of": OF}) as batch:
        batch.drop_column("for_day")
    with change("invoice") as batch:
        batch.drop_column("others_wait")

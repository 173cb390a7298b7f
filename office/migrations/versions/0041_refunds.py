"""Credit can be paid back: a line of the ledger for each payment it comes from."""

from office.migrations.changing import change

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None

KINDS = ("charge", "late", "payment", "credit", "reversal", "deposit", "write_off")
WHOLE = "kind <> 'refund' OR (amount_cents > 0 AND reason <> '' AND source_kind = 'payment' AND source_id IS NOT NULL)"


def upgrade() -> None:
    adding = {"ck_entry_kind_known": f"kind IN {(*KINDS, 'refund')}", "ck_entry_refund_of_payment": WHOLE}
    with change("entry", without=["ck_entry_kind_known"], adding=adding):
        pass


def downgrade() -> None:
    without = ["ck_entry_kind_known", "ck_entry_refund_of_payment"]
    with change("entry", without=without, adding={"ck_entry_kind_known": f"kind IN {KINDS}"}):
        pass

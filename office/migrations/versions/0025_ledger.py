"""The ledger knows deposits, write-offs and credits of a charge; holds, disputes, and how a payment is to be spread."""

import sqlalchemy as sa
from alembic import op

import office.db
from office.migrations.changing import change

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

KINDS = "kind IN ('charge', 'late', 'payment', 'credit', 'reversal')"
MORE = "kind IN ('charge', 'late', 'payment', 'credit', 'reversal', 'deposit', 'write_off')"
TAKES = "kind NOT IN ('payment', 'credit') OR amount_cents < 0"
TAKE_MORE = "kind NOT IN ('payment', 'credit', 'deposit', 'write_off') OR amount_cents < 0"
CREDITS = {
    "ck_entry_credit_of": "(kind IN ('credit', 'write_off')) = (credits_id IS NOT NULL)",
    "ck_entry_credit_with_reason": "kind NOT IN ('credit', 'write_off') OR reason <> ''",
}
FOR_INVOICE = "(invoice_id IS NULL) = (amount_cents = 0)"
CHOICE = ("payment_id", "turn", "invoice_id")
BOTH = ["ck_entry_kind_known", "ck_entry_payment_takes_away"]


def upgrade() -> None:
    words = {"ck_entry_kind_known": MORE, "ck_entry_payment_takes_away": TAKE_MORE}
    with change("entry", without=BOTH, adding=words | CREDITS) as batch:
        batch.add_column(sa.Column("how", sa.Text(), nullable=False, server_default=""))
        batch.add_column(sa.Column("credits_id", sa.Integer(), nullable=True))
        batch.create_foreign_key(op.f("fk_entry_credits_id_entry"), "entry", ["credits_id"], ["id"])
        batch.create_index(batch.f("ix_entry_credits_id"), ["credits_id"], unique=False)
    _disputes()
    _holds()
    _choices()


def _disputes() -> None:
    op.create_table(
        "fee_dispute", *_plant("fee_dispute"),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.String(length=20), nullable=False),
        sa.Column("asked_on", sa.Date(), nullable=False),
        sa.Column("gallons", sa.Integer(), nullable=False),
        sa.Column("waste", sa.String(length=30), nullable=False),
        sa.Column("fees", sa.Text(), nullable=False),
        *_entered(),
        _to("fee_dispute", "account_id", "account"),
        sa.UniqueConstraint("plant_id", "number", name=op.f("uq_fee_dispute_plant_id_number")),
        sa.CheckConstraint("gallons >= 0", name=op.f("ck_fee_dispute_gallons_not_negative")),
        sa.CheckConstraint("fees <> ''", name=op.f("ck_fee_dispute_fees_given")),
    )  # fmt: skip
    _index("fee_dispute", "account_id")
    op.create_table(
        "dispute_step", *_plant("dispute_step"),
        sa.Column("dispute_id", sa.Integer(), nullable=False),
        sa.Column("on_day", sa.Date(), nullable=False),
        sa.Column("stage", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        *_entered(),
        _to("dispute_step", "dispute_id", "fee_dispute"),
        sa.CheckConstraint("stage <> '' OR outcome <> ''", name=op.f("ck_dispute_step_says_something")),
    )  # fmt: skip
    _index("dispute_step", "dispute_id")


def _holds() -> None:
    op.create_table(
        "charge_hold", *_plant("charge_hold"),
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("on_day", sa.Date(), nullable=False),
        sa.Column("at", office.db.Utc(), nullable=False),
        sa.Column("by_name", sa.String(length=200), nullable=False),
        sa.Column("dispute_id", sa.Integer(), nullable=True),
        sa.Column("releases_id", sa.Integer(), nullable=True),
        _to("charge_hold", "entry_id", "entry"), _to("charge_hold", "dispute_id", "fee_dispute"),
        _to("charge_hold", "releases_id", "charge_hold"),
        sa.UniqueConstraint("releases_id", name=op.f("uq_charge_hold_releases_id")),
        sa.CheckConstraint("kind IN ('results', 'dispute')", name=op.f("ck_charge_hold_kind_known")),
        sa.CheckConstraint("reason <> ''", name=op.f("ck_charge_hold_with_reason")),
    )  # fmt: skip
    _index("charge_hold", "entry_id")
    _index("charge_hold", "dispute_id")


def _choices() -> None:
    op.create_table(
        "spread_choice", *_plant("spread_choice"),
        sa.Column("payment_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("invoice_id", sa.Integer(), nullable=True),
        sa.Column("amount_cents", sa.Integer(), nullable=False),
        sa.Column("at", office.db.Utc(), nullable=False),
        sa.Column("by_name", sa.String(length=200), nullable=False),
        _to("spread_choice", "payment_id", "payment"), _to("spread_choice", "invoice_id", "invoice"),
        sa.UniqueConstraint(*CHOICE, name=op.f(f"uq_spread_choice_{'_'.join(CHOICE)}")),
        sa.CheckConstraint(FOR_INVOICE, name=op.f("ck_spread_choice_amount_for_invoice")),
        sa.CheckConstraint("amount_cents >= 0", name=op.f("ck_spread_choice_amount_not_negative")),
    )  # fmt: skip
    _index("spread_choice", "payment_id")


def _plant(table: str) -> list[sa.schema.SchemaItem]:
    return [
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
        _to(table, "plant_id", "plant"),
    ]


def _entered() -> list[sa.schema.SchemaItem]:
    return [
        sa.Column("entered_at", office.db.Utc(), nullable=False),
        sa.Column("entered_by", sa.String(length=200), nullable=False),
    ]


def _to(table: str, column: str, other: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{other}.id"], name=op.f(f"fk_{table}_{column}_{other}"))


def _index(table: str, column: str) -> None:
    with op.batch_alter_table(table) as batch:
        batch.create_index(batch.f(f"ix_{table}_{column}"), [column], unique=False)


def downgrade() -> None:
    for table in ("spread_choice", "charge_hold", "dispute_step", "fee_dispute"):
        op.drop_table(table)
    words = {"ck_entry_kind_known": KINDS, "ck_entry_payment_takes_away": TAKES}
    with change("entry", without=[*BOTH, *CREDITS], adding=words) as batch:
        batch.drop_index(batch.f("ix_entry_credits_id"))
        batch.drop_constraint(op.f("fk_entry_credits_id_entry"), type_="foreignkey")
        batch.drop_column("credits_id")
        batch.drop_column("how")

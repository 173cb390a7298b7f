"""A result keeps what the laboratory says of it (method, analyst, days, its number); more tests than the pair."""

import sqlalchemy as sa

from office.migrations.changing import change

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

KNOWN = "ck_result_parameter_known"
WORDS = {"method": 100, "analyst": 100, "lab_number": 60, "asked": 200, "source": 200}
DAYS = ("sampled_on", "received_on", "analysed_on")


def upgrade() -> None:
    with change("result", without=[KNOWN],
                adding={KNOWN: "parameter IN ('BOD5', 'TSS', 'P', 'TN', 'NH3-N', 'pH')"}) as batch:  # fmt: skip
        for name, length in WORDS.items():
            batch.add_column(sa.Column(name, sa.String(length=length), nullable=False, server_default=""))
        for name in DAYS:
            batch.add_column(sa.Column(name, sa.Date(), nullable=True))


def downgrade() -> None:
    with change("result", without=[KNOWN], adding={KNOWN: "parameter IN ('BOD5', 'TSS')"}) as batch:
        for name in (*DAYS, *WORDS):
            batch.drop_column(name)

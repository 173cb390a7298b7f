"""A driver's signature on paper stands beside those written on the tablet: which paper it is on."""

import sqlalchemy as sa

from office.migrations.changing import change

revision = "0053"
down_revision = "0052"
branch_labels = None
depends_on = None

OLD, NEW = "ck_signature_written", "ck_signature_written_or_on_paper"


def upgrade() -> None:
    with change("signature", without=[OLD]) as batch:
        batch.add_column(sa.Column("paper", sa.String(length=60), server_default="", nullable=False))
    with change("signature", adding={NEW: "(strokes = '') <> (paper = '')"}) as batch:
        batch.alter_column("paper", server_default=None)


def downgrade() -> None:
    with change("signature", without=[NEW], adding={OLD: "strokes <> ''"}) as batch:
        batch.drop_column("paper")

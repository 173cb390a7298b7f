"""The head of each chain names the entry that changed a fact last, so that facts can be kept between requests."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

# office.facts.MOVING on this day: whoever changes it fills the column anew by a migration of their own.
MOVING = (
    "booking",
    "entry",
    "excess",
    "feed_address",
    "file",
    "freed_room",
    "hold",
    "invoice",
    "invoice_line",
    "letter",
    "load",
    "notice",
    "payment",
    "planned_session",
    "result",
    "room_offer",
    "run",
    "special_time",
    "wait",
    "written_record",
)


def upgrade() -> None:
    with op.batch_alter_table("journal_head") as batch:
        batch.add_column(sa.Column("facts", sa.String(length=64), nullable=False, server_default="0" * 64))
    entry = sa.table("journal_entry", *(sa.column(one) for one in ("chain", "seq", "table_name", "hash")))
    head = sa.table("journal_head", sa.column("chain"), sa.column("facts"))
    last = (
        sa.select(entry.c.hash)
        .where(entry.c.chain == head.c.chain, entry.c.table_name.not_in(MOVING))
        .order_by(entry.c.seq.desc())
        .limit(1)
        .scalar_subquery()
    )
    op.get_bind().execute(sa.update(head).values(facts=sa.func.coalesce(last, "0" * 64)))
    with op.batch_alter_table("journal_head") as batch:
        batch.alter_column("facts", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("journal_head") as batch:
        batch.drop_column("facts")

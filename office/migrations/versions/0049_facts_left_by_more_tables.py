"""More tables leave the heads of facts as they are; a load of several mornings may stand on several blank tickets."""

import sqlalchemy as sa
from alembic import op

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None

# office.facts.MOVING on this day: whoever changes it fills the column anew by a migration of their own.
ADDED = (
    "blank_ticket",
    "charge_hold",
    "custody_step",
    "elsewhere",
    "incident",
    "incident_word",
    "more_tests",
    "offline_load",
    "own_sheet",
    "rest_refused",
    "retest",
    "sampling_draw",
    "signature",
)
MOVING = (
    *ADDED,
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
    with op.batch_alter_table("blank_ticket") as batch:
        batch.drop_constraint(op.f("uq_blank_ticket_load_id"), type_="unique")
        batch.create_index(op.f("ix_blank_ticket_load_id"), ["load_id"])
    _fill(MOVING)


def downgrade() -> None:
    with op.batch_alter_table("blank_ticket") as batch:
        batch.drop_index(op.f("ix_blank_ticket_load_id"))
        batch.create_unique_constraint(op.f("uq_blank_ticket_load_id"), ["load_id"])
    _fill([one for one in MOVING if one not in ADDED])


def _fill(moving: tuple[str, ...] | list[str]) -> None:
    """Let each head name the last entry of a table that does not move."""
    entry = sa.table("journal_entry", *(sa.column(one) for one in ("chain", "seq", "table_name", "hash")))
    head = sa.table("journal_head", sa.column("chain"), sa.column("facts"))
    last = (
        sa.select(entry.c.hash)
        .where(entry.c.chain == head.c.chain, entry.c.table_name.not_in(moving))
        .order_by(entry.c.seq.desc())
        .limit(1)
        .scalar_subquery()
    )
    op.get_bind().execute(sa.update(head).values(facts=sa.func.coalesce(last, "0" * 64)))

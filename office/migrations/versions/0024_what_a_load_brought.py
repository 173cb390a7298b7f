"""A load keeps what was measured and seen at the gate: temperature, flush water, weights, pick-ups, a finding."""

import sqlalchemy as sa

import office.db
from office.migrations.changing import change

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with change("load", adding={"ck_load_flush_not_negative": "flush_gallons >= 0"}) as batch:
        batch.add_column(sa.Column("flush_gallons", sa.Integer(), nullable=False, server_default="0"))
        batch.add_column(sa.Column("temp_f", office.db.Exact(length=40), nullable=True))
        batch.add_column(sa.Column("flags", office.db.Json(), nullable=False, server_default="[]"))
        batch.add_column(sa.Column("finding", sa.String(length=200), nullable=False, server_default=""))
        batch.add_column(sa.Column("full_lb", sa.Integer(), nullable=True))
        batch.add_column(sa.Column("empty_lb", sa.Integer(), nullable=True))
        batch.add_column(sa.Column("pickups", office.db.Json(), nullable=False, server_default="[]"))


def downgrade() -> None:
    with change("load", without=["ck_load_flush_not_negative"]) as batch:
        for column in ("pickups", "empty_lb", "full_lb", "finding", "flags", "temp_f", "flush_gallons"):
            batch.drop_column(column)

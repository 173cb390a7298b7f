"""A truck taken off one hauler's list, and still on another's, keeps when that was."""

import sqlalchemy as sa
from alembic import op

from office.db import Utc
from office.migrations.changing import change

revision = "0055"
down_revision = "0054"
branch_labels = None
depends_on = None

ONCE = "uq_truck_of_business_truck_id_business_id"
NOW = "uq_truck_of_business_now"
STANDS = sa.text("ended_at IS NULL")


def upgrade() -> None:
    with change("truck_of_business") as batch:
        batch.drop_constraint(op.f(ONCE), type_="unique")
        batch.add_column(sa.Column("ended_at", Utc(), nullable=True))
        batch.create_index(op.f(NOW), ["truck_id", "business_id"], unique=True, sqlite_where=STANDS,
                           postgresql_where=STANDS)  # fmt: skip


def downgrade() -> None:
    # Before, what ended was not kept.
    op.execute("DELETE FROM truck_of_business WHERE ended_at IS NOT NULL")
    with change("truck_of_business") as batch:
        batch.drop_index(op.f(NOW))
        batch.drop_column("ended_at")
        batch.create_unique_constraint(op.f(ONCE), ["truck_id", "business_id"])

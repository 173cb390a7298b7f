"""A special time is quoted where no wage is charged too, and keeps the zone it comes from."""

import sqlalchemy as sa

from office.migrations.changing import change

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None

OLD, NEW = "ck_special_time_quoted_with_wage", "ck_special_time_wage_with_quote"


def upgrade() -> None:
    with change("special_time", without=[OLD], adding={NEW: "wage IS NULL OR quote_cents IS NOT NULL"}) as batch:
        batch.add_column(sa.Column("origin", sa.String(length=60), server_default="", nullable=False))
    with change("special_time") as batch:
        batch.alter_column("origin", server_default=None)


def downgrade() -> None:
    with change("special_time", without=[NEW], adding={OLD: "(quote_cents IS NULL) = (wage IS NULL)"}) as batch:
        batch.drop_column("origin")

"""Restrictions of some waste or some points, closures of part of a day, times lost for good, orders withdrawn."""

import sqlalchemy as sa
from alembic import op

import office.db
from office.migrations.changing import change

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

SCOPES = {"ck_restriction_scope_known": "scope IN ('everything', 'types', 'points', 'rate')",
          "ck_restriction_wastes_when_types": "(scope = 'types') = (wastes <> '[]')",
          "ck_restriction_points_when_points": "(scope = 'points') = (points <> '[]')"}  # fmt: skip
HOLDS = {"ck_hold_by_restriction_or_why": "(restriction_id IS NULL) = (why IS NOT NULL)",
         "ck_hold_listed_at_once": "why IS NULL OR ended_at IS NOT NULL"}  # fmt: skip
PARTS = {"ck_closure_day_part_whole": "(shut_from IS NULL) = (shut_until IS NULL)",
         "ck_closure_day_part_of_closed":
         "shut_from IS NULL OR (kind = 'closed' AND shut_from < shut_until)"}  # fmt: skip


def upgrade() -> None:
    with change("restriction", without=["ck_restriction_scope_known"], adding=SCOPES) as batch:
        for name in ("wastes", "points"):
            batch.add_column(sa.Column(name, office.db.Json(), nullable=False, server_default="[]"))
    with change("hold", adding=HOLDS) as batch:
        batch.alter_column("restriction_id", existing_type=sa.Integer(), nullable=True)
        batch.add_column(sa.Column("why", sa.Text(), nullable=True))
        batch.add_column(sa.Column("day", sa.Date(), nullable=True))
    with change("closure_day", adding=PARTS) as batch:
        for name in ("shut_from", "shut_until"):
            batch.add_column(sa.Column(name, sa.Time(), nullable=True))
        batch.add_column(sa.Column("set_at", office.db.Utc(timezone=True), nullable=True))
        batch.add_column(sa.Column("set_by", sa.String(length=200), nullable=False, server_default=""))
    with change("plant_row") as batch:
        batch.add_column(sa.Column("withdrawn", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    # What the older tables cannot say is taken away.
    op.execute("DELETE FROM hold WHERE restriction_id IS NULL")
    with change("plant_row") as batch:
        batch.drop_column("withdrawn")
    with change("closure_day", without=list(PARTS)) as batch:
        for name in ("shut_from", "shut_until", "set_at", "set_by"):
            batch.drop_column(name)
    with change("hold", without=list(HOLDS)) as batch:
        batch.drop_column("day")
        batch.drop_column("why")
        batch.alter_column("restriction_id", existing_type=sa.Integer(), nullable=False)
    older = {"ck_restriction_scope_known": "scope IN ('everything', 'rate')"}
    with change("restriction", without=list(SCOPES), adding=older) as batch:
        batch.drop_column("wastes")
        batch.drop_column("points")

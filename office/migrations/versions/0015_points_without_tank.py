"""A point says nothing of a receiving tank: no act set it."""

import sqlalchemy as sa

from office.migrations.changing import change

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with change("point_terms", without=["ck_point_terms_tank_with_rate"]) as batch:
        batch.drop_column("into_tank")


def downgrade() -> None:
    with change(
        "point_terms", adding={"ck_point_terms_tank_with_rate": "NOT into_tank OR max_gph IS NOT NULL"}
    ) as batch:
        batch.add_column(sa.Column("into_tank", sa.Boolean(), nullable=False, server_default=sa.false()))

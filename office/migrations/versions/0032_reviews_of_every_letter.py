"""A review may be of a change not granted, a suspension or a notice of violation too (ch. 68, Lawrence § 216-12)."""

import sqlalchemy as sa
from alembic import op

from office.migrations.changing import change

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

NEW = {"amendment_id": "amendment", "suspension_id": "suspension", "violation_id": "violation"}
ONE = " + ".join(f"(CASE WHEN {one} IS NULL THEN 0 ELSE 1 END)" for one in ("decision_id", "revocation_id", *NEW))


def upgrade() -> None:
    with change("review", without=["ck_review_of_one"], adding={"ck_review_of_one": f"{ONE} = 1"}) as batch:
        for column, table in NEW.items():
            batch.add_column(sa.Column(column, sa.Integer(), nullable=True))
            batch.create_foreign_key(op.f(f"fk_review_{column}_{table}"), table, [column], ["id"])


def downgrade() -> None:
    before = {"ck_review_of_one": "(decision_id IS NULL) <> (revocation_id IS NULL)"}
    with change("review", without=["ck_review_of_one"], adding=before) as batch:
        for column, table in reversed(NEW.items()):
            batch.drop_constraint(op.f(f"fk_review_{column}_{table}"), type_="foreignkey")
            batch.drop_column(column)

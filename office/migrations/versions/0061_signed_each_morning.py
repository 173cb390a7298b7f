"""A load over several mornings is signed on each of them: a signature says up to which morning it stands for."""

import sqlalchemy as sa

from office.migrations.changing import change

revision = "0061"
down_revision = "0060"
branch_labels = None
depends_on = None

ONCE, EACH = "uq_signature_load_id", "uq_signature_load_id_day"


def upgrade() -> None:
    with change("signature") as batch:
        batch.add_column(sa.Column("day", sa.Date(), nullable=True))
        batch.drop_constraint(ONCE, type_="unique")
        batch.create_unique_constraint(EACH, ["load_id", "day"])


def downgrade() -> None:
    with change("signature") as batch:
        batch.drop_constraint(EACH, type_="unique")
        batch.create_unique_constraint(ONCE, ["load_id"])
        batch.drop_column("day")

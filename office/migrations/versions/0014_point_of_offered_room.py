"""An offer of freed room names its receiving point."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("room_offer") as batch:
        batch.add_column(sa.Column("point_id", sa.Integer(), nullable=True))
        batch.create_foreign_key(op.f("fk_room_offer_point_id_point"), "point", ["point_id"], ["id"])


def downgrade() -> None:
    with op.batch_alter_table("room_offer") as batch:
        batch.drop_constraint(op.f("fk_room_offer_point_id_point"), type_="foreignkey")
        batch.drop_column("point_id")

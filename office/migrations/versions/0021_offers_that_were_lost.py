"""An offer of freed room that an act took says when and why: its gallons are free from then on (§ 329-7 C(1))."""

import sqlalchemy as sa

import office.db
from office.migrations.changing import change

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

WITH_WHY = "ck_room_offer_lost_with_why"


def upgrade() -> None:
    with change("room_offer", adding={WITH_WHY: "(lost_at IS NULL) = (lost_why IS NULL)"}) as batch:
        batch.add_column(sa.Column("lost_at", office.db.Utc(timezone=True), nullable=True))
        batch.add_column(sa.Column("lost_why", sa.Text(), nullable=True))


def downgrade() -> None:
    with change("room_offer", without=[WITH_WHY]) as batch:
        batch.drop_column("lost_why")
        batch.drop_column("lost_at")

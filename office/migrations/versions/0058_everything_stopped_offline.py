"""Everything stopped at once without network: what a tablet sends of it keeps the loads it stopped, not one load."""

import sqlalchemy as sa

from office.db import Json
from office.migrations.changing import change

revision = "0058"
down_revision = "0057"
branch_labels = None
depends_on = None

NAME = "ck_offline_load_load_of_what_was_taken"
ONE = "(state IN ('taken', 'entered')) = (load_id IS NOT NULL)"
OR_ALL = "(state IN ('taken', 'entered')) = (load_id IS NOT NULL OR stopped IS NOT NULL)"


def upgrade() -> None:
    with change("offline_load") as batch:
        batch.add_column(sa.Column("stopped", Json(), nullable=True))
    with change("offline_load", without=[NAME], adding={NAME: OR_ALL}):
        pass


def downgrade() -> None:
    with change("offline_load", without=[NAME], adding={NAME: ONE}) as batch:
        batch.drop_column("stopped")

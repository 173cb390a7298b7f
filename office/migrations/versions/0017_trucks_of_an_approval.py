"""An approval keeps the trucks it was given for, and a truck since when it stands on a list."""

import sqlalchemy as sa

import office.db
from office.migrations.changing import change

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with change("approval") as batch:
        batch.add_column(sa.Column("trucks", office.db.Json(), nullable=True))
    with change("truck_of_business") as batch:
        batch.add_column(sa.Column("since", office.db.Utc(timezone=True), nullable=True))


def downgrade() -> None:
    with change("truck_of_business") as batch:
        batch.drop_column("since")
    with change("approval") as batch:
        batch.drop_column("trucks")

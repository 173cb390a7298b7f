"""A booking names its driver; a written record its places, those approved and others; a correction takes in a change."""

import sqlalchemy as sa
from alembic import op

import office.db
from office.migrations.changing import change

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

OF_CHANGE = "fk_decision_change_id_application_change"


def upgrade() -> None:
    with change("booking") as batch:
        batch.add_column(sa.Column("driver", sa.String(200), nullable=False, server_default=""))
    with change("written_record") as batch:
        batch.add_column(sa.Column("places", office.db.Json(), nullable=False, server_default="[]"))
        batch.add_column(sa.Column("unapproved", sa.Integer(), nullable=False, server_default="0"))
    with change("decision") as batch:
        batch.add_column(sa.Column("change_id", sa.Integer(), nullable=True))
        batch.create_foreign_key(op.f(OF_CHANGE), "application_change", ["change_id"], ["id"])


def downgrade() -> None:
    with change("decision") as batch:
        batch.drop_constraint(op.f(OF_CHANGE), type_="foreignkey")
        batch.drop_column("change_id")
    with change("written_record") as batch:
        batch.drop_column("unapproved")
        batch.drop_column("places")
    with change("booking") as batch:
        batch.drop_column("driver")

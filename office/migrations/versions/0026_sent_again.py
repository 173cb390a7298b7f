"""A form's answer knows what was sent and whether it made something, so that the same sent again is asked about."""

import sqlalchemy as sa

from office.migrations.changing import change

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with change("answered") as batch:
        batch.add_column(sa.Column("sent", sa.String(length=64), nullable=True))
        batch.add_column(sa.Column("made", sa.Boolean(), nullable=False, server_default=sa.false()))
        batch.create_index(batch.f("ix_answered_person_id_at"), ["person_id", "at"], unique=False)


def downgrade() -> None:
    with change("answered") as batch:
        batch.drop_index(batch.f("ix_answered_person_id_at"))
        batch.drop_column("made")
        batch.drop_column("sent")

"""A change says who of the committee asked and what is open; a decision why it left what was suggested; a review its
letter.
"""

import sqlalchemy as sa
from alembic import op

import office.db
from office.migrations.changing import change

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with change("application_change") as batch:
        batch.add_column(sa.Column("basis", sa.Text(), nullable=False, server_default=""))
        batch.add_column(sa.Column("opens", office.db.Json(), nullable=False, server_default="[]"))
    with change("decision") as batch:
        batch.add_column(sa.Column("departure", sa.Text(), nullable=False, server_default=""))
    with change("review") as batch:
        batch.add_column(sa.Column("letter_id", sa.Integer(), nullable=True))
        batch.create_foreign_key(op.f("fk_review_letter_id_letter"), "letter", ["letter_id"], ["id"])


def downgrade() -> None:
    with change("review") as batch:
        batch.drop_constraint(op.f("fk_review_letter_id_letter"), type_="foreignkey")
        batch.drop_column("letter_id")
    with change("decision") as batch:
        batch.drop_column("departure")
    with change("application_change") as batch:
        batch.drop_column("opens")
        batch.drop_column("basis")

"""a flow reading may hold no figure, or one that cannot count, until a person settles it"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("flow_reading") as table:
        table.alter_column("gallons", existing_type=sa.Integer(), nullable=True)
        table.drop_constraint(op.f("ck_flow_reading_gallons_positive"), type_="check")
        table.create_check_constraint(
            op.f("ck_flow_reading_accepted_with_figure"),
            "state <> 'accepted' OR (gallons IS NOT NULL AND gallons >= 0)",
        )


def downgrade() -> None:
    op.execute("DELETE FROM flow_reading WHERE gallons IS NULL OR gallons <= 0")
    with op.batch_alter_table("flow_reading") as table:
        table.drop_constraint(op.f("ck_flow_reading_accepted_with_figure"), type_="check")
        table.create_check_constraint(op.f("ck_flow_reading_gallons_positive"), "gallons > 0")
        table.alter_column("gallons", existing_type=sa.Integer(), nullable=False)

"""How often loads are tested, what was drawn, who held each sample, and labels printed ahead (§ 329-7 E, F(5))."""

import sqlalchemy as sa
from alembic import op

import office.db

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "label_reprint",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("printed_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("printed_by", sa.String(length=200), nullable=False),
        sa.CheckConstraint("reason <> ''", name=op.f("ck_label_reprint_reason_given")),
        sa.CheckConstraint("first > 0 AND last >= first", name=op.f("ck_label_reprint_in_order")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_label_reprint_plant_id_plant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_label_reprint")),
    )
    op.create_index(op.f("ix_label_reprint_plant_id"), "label_reprint", ["plant_id"], unique=False)
    op.create_table(
        "label_run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.Column("printed_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("printed_by", sa.String(length=200), nullable=False),
        sa.CheckConstraint("first > 0 AND last >= first", name=op.f("ck_label_run_in_order")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_label_run_plant_id_plant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_label_run")),
        sa.UniqueConstraint("plant_id", "first", name=op.f("uq_label_run_plant_id_first")),
    )
    op.create_table(
        "sampling_rule",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("business_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("figure", sa.Integer(), nullable=True),
        sa.Column("since", sa.Date(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("made_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("made_by", sa.String(length=200), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=True),
        sa.Column("law_version", sa.String(length=64), nullable=False),
        sa.CheckConstraint("(kind = 'every') = (commitment = '')", name=op.f("ck_sampling_rule_secret_when_drawn")),
        sa.CheckConstraint("(kind = 'every') = (figure IS NULL)", name=op.f("ck_sampling_rule_figure_when_drawn")),
        sa.CheckConstraint("kind IN ('every', 'one_in', 'share')", name=op.f("ck_sampling_rule_kind_known")),
        sa.CheckConstraint("reason <> ''", name=op.f("ck_sampling_rule_reason_given")),
        sa.ForeignKeyConstraint(["business_id"], ["business.id"], name=op.f("fk_sampling_rule_business_id_business")),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"], name=op.f("fk_sampling_rule_letter_id_letter")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_sampling_rule_plant_id_plant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sampling_rule")),
    )
    op.create_index(op.f("ix_sampling_rule_business_id"), "sampling_rule", ["business_id"], unique=False)
    op.create_table(
        "sampling_secret",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("rule_id", sa.Integer(), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("seal", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_sampling_secret_plant_id_plant")),
        sa.ForeignKeyConstraint(
            ["rule_id"], ["sampling_rule.id"], name=op.f("fk_sampling_secret_rule_id_sampling_rule")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sampling_secret")),
        sa.UniqueConstraint("rule_id", name=op.f("uq_sampling_secret_rule_id")),
    )
    op.create_table(
        "custody_step",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("load_id", sa.Integer(), nullable=False),
        sa.Column("bottle", sa.String(length=20), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("from_name", sa.String(length=200), nullable=False),
        sa.Column("to_name", sa.String(length=200), nullable=False),
        sa.Column("place", sa.String(length=200), nullable=False),
        sa.Column("preserved", sa.String(length=200), nullable=False),
        sa.Column("entered_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("entered_by", sa.String(length=200), nullable=False),
        sa.CheckConstraint("bottle <> ''", name=op.f("ck_custody_step_bottle_named")),
        sa.CheckConstraint("kind IN ('taken', 'handed', 'received')", name=op.f("ck_custody_step_kind_known")),
        sa.CheckConstraint("to_name <> ''", name=op.f("ck_custody_step_somebody_has_it")),
        sa.ForeignKeyConstraint(["load_id"], ["load.id"], name=op.f("fk_custody_step_load_id_load")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_custody_step_plant_id_plant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_custody_step")),
    )
    op.create_index(op.f("ix_custody_step_load_id"), "custody_step", ["load_id"], unique=False)
    op.create_table(
        "sampling_draw",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("load_id", sa.Integer(), nullable=False),
        sa.Column("rule_id", sa.Integer(), nullable=True),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("due", sa.Boolean(), nullable=False),
        sa.Column("sampled", sa.Boolean(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("ordered_by", sa.String(length=200), nullable=False),
        sa.CheckConstraint(
            "(NOT due) OR sampled OR (why <> '')", name=op.f("ck_sampling_draw_not_sampled_with_reason")
        ),
        sa.CheckConstraint(
            "due OR (NOT sampled) OR (ordered_by <> '')", name=op.f("ck_sampling_draw_ordered_by_somebody")
        ),
        sa.CheckConstraint(
            "(number IS NULL) OR (rule_id IS NOT NULL)", name=op.f("ck_sampling_draw_numbered_under_a_rule")
        ),
        sa.ForeignKeyConstraint(["load_id"], ["load.id"], name=op.f("fk_sampling_draw_load_id_load")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_sampling_draw_plant_id_plant")),
        sa.ForeignKeyConstraint(["rule_id"], ["sampling_rule.id"], name=op.f("fk_sampling_draw_rule_id_sampling_rule")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sampling_draw")),
        sa.UniqueConstraint("load_id", name=op.f("uq_sampling_draw_load_id")),
        sa.UniqueConstraint("rule_id", "number", name=op.f("uq_sampling_draw_rule_id_number")),
    )
    op.create_index(op.f("ix_sampling_draw_plant_id"), "sampling_draw", ["plant_id"], unique=False)


def downgrade() -> None:
    op.drop_table("sampling_draw")
    op.drop_table("custody_step")
    op.drop_table("sampling_secret")
    op.drop_table("sampling_rule")
    op.drop_table("label_run")
    op.drop_table("label_reprint")

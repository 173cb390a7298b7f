"""Tablets that keep loads without network, the loads they sent, and tickets printed ahead (§ 329-7 C(3))."""

import sqlalchemy as sa
from alembic import op

import office.db
from office.migrations.changing import change

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def when(name, null=False):
    return sa.Column(name, office.db.Utc(timezone=True), nullable=null)


def upgrade() -> None:
    with change("load") as batch:
        batch.add_column(sa.Column("slip", sa.String(length=20), nullable=False, server_default=""))
        batch.add_column(when("registered_at", null=True))
    _tablets()
    _offline_loads()
    op.create_table(
        "blank_ticket",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.String(length=20), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=True),
        when("issued_at"),
        sa.Column("issued_by", sa.String(length=200), nullable=False),
        sa.Column("load_id", sa.Integer(), nullable=True),
        when("void_at", null=True),
        sa.Column("void_by", sa.String(length=200), nullable=True),
        sa.Column("void_reason", sa.Text(), nullable=False),
        sa.CheckConstraint("(void_at IS NULL) = (void_by IS NULL)", name=op.f("ck_blank_ticket_void_by_somebody")),
        sa.CheckConstraint("(void_at IS NULL) OR (void_reason <> '')", name=op.f("ck_blank_ticket_void_with_reason")),
        sa.CheckConstraint("(void_at IS NULL) OR (load_id IS NULL)", name=op.f("ck_blank_ticket_void_or_used")),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"], name=op.f("fk_blank_ticket_letter_id_letter")),
        sa.ForeignKeyConstraint(["load_id"], ["load.id"], name=op.f("fk_blank_ticket_load_id_load")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_blank_ticket_plant_id_plant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_blank_ticket")),
        sa.UniqueConstraint("plant_id", "number", name=op.f("uq_blank_ticket_plant_id_number")),
        sa.UniqueConstraint("load_id", name=op.f("uq_blank_ticket_load_id")),
    )
    op.create_index(op.f("ix_blank_ticket_letter_id"), "blank_ticket", ["letter_id"])


def _tablets() -> None:
    op.create_table(
        "tablet",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("nonce", sa.String(length=32), nullable=False),
        sa.Column("link_sha256", sa.String(length=64), nullable=False),
        when("link_until"),
        when("made_at"),
        sa.Column("made_by", sa.String(length=200), nullable=False),
        when("enrolled_at", null=True),
        sa.Column("token_sha256", sa.String(length=64), nullable=True),
        when("revoked_at", null=True),
        sa.Column("revoked_by", sa.String(length=200), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.CheckConstraint("name <> ''", name=op.f("ck_tablet_named")),
        sa.CheckConstraint("number > 0", name=op.f("ck_tablet_number_positive")),
        sa.CheckConstraint("(enrolled_at IS NULL) = (token_sha256 IS NULL)",
                           name=op.f("ck_tablet_enrolled_with_word")),
        sa.CheckConstraint("(revoked_at IS NULL) = (revoked_by IS NULL)", name=op.f("ck_tablet_revoked_by_somebody")),
        sa.CheckConstraint("(revoked_at IS NULL) OR (reason <> '')", name=op.f("ck_tablet_revoked_with_reason")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_tablet_plant_id_plant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tablet")),
        sa.UniqueConstraint("plant_id", "number", name=op.f("uq_tablet_plant_id_number")),
        sa.UniqueConstraint("link_sha256", name=op.f("uq_tablet_link_sha256")),
        sa.UniqueConstraint("token_sha256", name=op.f("uq_tablet_token_sha256")),
    )
    op.create_table(
        "tablet_seen",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("tablet_id", sa.Integer(), nullable=False),
        when("seen_at"),
        sa.Column("offset_seconds", sa.Integer(), nullable=False),
        sa.Column("last_slip", sa.Integer(), nullable=False),
        sa.Column("waiting", sa.Integer(), nullable=False),
        sa.Column("seal", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_tablet_seen_plant_id_plant")),
        sa.ForeignKeyConstraint(["tablet_id"], ["tablet.id"], name=op.f("fk_tablet_seen_tablet_id_tablet")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tablet_seen")),
        sa.UniqueConstraint("tablet_id", name=op.f("uq_tablet_seen_tablet_id")),
    )


def _offline_loads() -> None:
    op.create_table(
        "offline_load",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("tablet_id", sa.Integer(), nullable=False),
        sa.Column("client_id", sa.String(length=64), nullable=False),
        sa.Column("slip", sa.String(length=20), nullable=False),
        sa.Column("on_duty", sa.String(length=200), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        when("device_at", null=True),
        sa.Column("offset_seconds", sa.Integer(), nullable=False),
        when("logged_at"),
        when("received_at"),
        sa.Column("sent", sa.Text(), nullable=False),
        sa.Column("flags", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("cite", sa.String(length=200), nullable=False),
        sa.Column("load_id", sa.Integer(), nullable=True),
        when("settled_at", null=True),
        sa.Column("settled_by", sa.String(length=200), nullable=True),
        sa.Column("settled_why", sa.Text(), nullable=False),
        sa.CheckConstraint("state IN ('taken', 'waits', 'entered', 'given_up')",
                           name=op.f("ck_offline_load_state_known")),
        sa.CheckConstraint("(state IN ('taken', 'entered')) = (load_id IS NOT NULL)",
                           name=op.f("ck_offline_load_load_of_what_was_taken")),
        sa.CheckConstraint("(state <> 'waits') OR (why <> '')", name=op.f("ck_offline_load_waits_with_reason")),
        sa.CheckConstraint("(state <> 'given_up') OR (settled_why <> '')",
                           name=op.f("ck_offline_load_given_up_with_reason")),
        sa.CheckConstraint("(settled_at IS NULL) = (settled_by IS NULL)",
                           name=op.f("ck_offline_load_settled_by_somebody")),
        sa.ForeignKeyConstraint(["load_id"], ["load.id"], name=op.f("fk_offline_load_load_id_load")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_offline_load_person_id_person")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_offline_load_plant_id_plant")),
        sa.ForeignKeyConstraint(["tablet_id"], ["tablet.id"], name=op.f("fk_offline_load_tablet_id_tablet")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_offline_load")),
        sa.UniqueConstraint("plant_id", "client_id", name=op.f("uq_offline_load_plant_id_client_id")),
    )
    for column in ("tablet_id", "slip", "load_id"):
        op.create_index(op.f(f"ix_offline_load_{column}"), "offline_load", [column])


def downgrade() -> None:
    for table in ("blank_ticket", "offline_load", "tablet_seen", "tablet"):
        op.drop_table(table)
    with change("load") as batch:
        batch.drop_column("registered_at")
        batch.drop_column("slip")

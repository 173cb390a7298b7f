"""Accidents, findings on waste, sampling plans, own lab sheets, new tests; why a manhole is used (§ 329-6 E, J, L, § 329-7 C(2), E)."""

import sqlalchemy as sa
from alembic import op

import office.db
from office.migrations.changing import change

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sampling_plan",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("business_id", sa.Integer(), nullable=False),
        sa.Column("methods", sa.Text(), nullable=False),
        sa.Column("places", sa.Text(), nullable=False),
        sa.Column("times", sa.Text(), nullable=False),
        sa.Column("durations", sa.Text(), nullable=False),
        sa.Column("frequencies", sa.Text(), nullable=False),
        sa.Column("facility", sa.Text(), nullable=False),
        sa.Column("access", sa.Text(), nullable=False),
        sa.Column("preservation", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("proposed_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("proposed_by", sa.String(length=200), nullable=False),
        sa.Column("on_paper", sa.Boolean(), nullable=False),
        sa.Column("since", sa.Date(), nullable=True),
        sa.Column("decided_at", office.db.Utc(timezone=True), nullable=True),
        sa.Column("decided_by", sa.String(length=200), nullable=True),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=True),
        sa.Column("law_version", sa.String(length=64), nullable=False),
        sa.CheckConstraint("(state = 'approved') = (since IS NOT NULL)", name=op.f("ck_sampling_plan_approved_from")),
        sa.CheckConstraint("(state = 'proposed') = (decided_at IS NULL)", name=op.f("ck_sampling_plan_decided_when")),
        sa.CheckConstraint("durations <> '' AND facility <> ''", name=op.f("ck_sampling_plan_facility_given")),
        sa.CheckConstraint(
            "methods <> '' AND places <> '' AND times <> '' AND frequencies <> ''", name=op.f("ck_sampling_plan_whole")
        ),
        sa.CheckConstraint("state <> 'returned' OR answer <> ''", name=op.f("ck_sampling_plan_returned_with_reason")),
        sa.CheckConstraint("state IN ('proposed', 'approved', 'returned')", name=op.f("ck_sampling_plan_state_known")),
        sa.ForeignKeyConstraint(["business_id"], ["business.id"], name=op.f("fk_sampling_plan_business_id_business")),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"], name=op.f("fk_sampling_plan_letter_id_letter")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_sampling_plan_plant_id_plant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sampling_plan")),
    )
    op.create_index(op.f("ix_sampling_plan_business_id"), "sampling_plan", ["business_id"], unique=False)
    op.create_table(
        "waste_finding",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("business_id", sa.Integer(), nullable=False),
        sa.Column("waste", sa.String(length=30), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("outcomes", office.db.Json(), nullable=False),
        sa.Column("pretreatment", sa.Text(), nullable=False),
        sa.Column("gph", sa.Integer(), nullable=True),
        sa.Column("cents", sa.Integer(), nullable=True),
        sa.Column("cost_per", sa.String(length=20), nullable=False),
        sa.Column("since", sa.Date(), nullable=False),
        sa.Column("until", sa.Date(), nullable=True),
        sa.Column("made_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("made_by", sa.String(length=200), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=True),
        sa.Column("council", sa.String(length=10), nullable=False),
        sa.Column("council_on", sa.Date(), nullable=True),
        sa.Column("council_words", sa.Text(), nullable=False),
        sa.Column("ended_at", office.db.Utc(timezone=True), nullable=True),
        sa.Column("ended_by", sa.String(length=200), nullable=True),
        sa.Column("end_reason", sa.Text(), nullable=True),
        sa.Column("law_version", sa.String(length=64), nullable=False),
        sa.CheckConstraint("(cents IS NULL) = (cost_per = '')", name=op.f("ck_waste_finding_cost_per_something")),
        sa.CheckConstraint("(council = '') = (council_on IS NULL)", name=op.f("ck_waste_finding_council_when")),
        sa.CheckConstraint("cost_per IN ('', 'load', '1,000 gallons')", name=op.f("ck_waste_finding_cost_per_known")),
        sa.CheckConstraint("council IN ('', 'adopted', 'declined')", name=op.f("ck_waste_finding_council_known")),
        sa.CheckConstraint("facts <> ''", name=op.f("ck_waste_finding_facts_given")),
        sa.CheckConstraint("outcomes <> '[]'", name=op.f("ck_waste_finding_something_follows")),
        sa.CheckConstraint(
            "(ended_at IS NULL) = (end_reason IS NULL)", name=op.f("ck_waste_finding_ended_with_reason")
        ),
        sa.CheckConstraint("cents IS NULL OR cents > 0", name=op.f("ck_waste_finding_cost_positive")),
        sa.CheckConstraint("gph IS NULL OR gph > 0", name=op.f("ck_waste_finding_rate_positive")),
        sa.CheckConstraint("until IS NULL OR until >= since", name=op.f("ck_waste_finding_until_after_since")),
        sa.ForeignKeyConstraint(["business_id"], ["business.id"], name=op.f("fk_waste_finding_business_id_business")),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"], name=op.f("fk_waste_finding_letter_id_letter")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_waste_finding_plant_id_plant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_waste_finding")),
    )
    op.create_index(op.f("ix_waste_finding_business_id"), "waste_finding", ["business_id"], unique=False)
    op.create_table(
        "incident",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.String(length=20), nullable=False),
        sa.Column("known_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("place", sa.String(length=300), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("gallons", sa.Integer(), nullable=True),
        sa.Column("steps", sa.Text(), nullable=False),
        sa.Column("phone", sa.String(length=60), nullable=False),
        sa.Column("business_id", sa.Integer(), nullable=True),
        sa.Column("load_id", sa.Integer(), nullable=True),
        sa.Column("reported_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("reported_by", sa.String(length=200), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("written_due", office.db.Utc(timezone=True), nullable=True),
        sa.Column("closed_at", office.db.Utc(timezone=True), nullable=True),
        sa.Column("closed_by", sa.String(length=200), nullable=True),
        sa.Column("closed_why", sa.Text(), nullable=True),
        sa.Column("law_version", sa.String(length=64), nullable=False),
        sa.CheckConstraint("place <> ''", name=op.f("ck_incident_place_given")),
        sa.CheckConstraint("what <> ''", name=op.f("ck_incident_told")),
        sa.CheckConstraint("(closed_at IS NULL) = (closed_why IS NULL)", name=op.f("ck_incident_closed_with_reason")),
        sa.CheckConstraint("gallons IS NULL OR gallons >= 0", name=op.f("ck_incident_gallons_not_negative")),
        sa.ForeignKeyConstraint(["business_id"], ["business.id"], name=op.f("fk_incident_business_id_business")),
        sa.ForeignKeyConstraint(["load_id"], ["load.id"], name=op.f("fk_incident_load_id_load")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_incident_person_id_person")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_incident_plant_id_plant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_incident")),
        sa.UniqueConstraint("plant_id", "number", name=op.f("uq_incident_plant_id_number")),
    )
    op.create_index(op.f("ix_incident_business_id"), "incident", ["business_id"], unique=False)
    op.create_index(op.f("ix_incident_plant_id"), "incident", ["plant_id"], unique=False)
    op.create_table(
        "own_sheet",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("load_id", sa.Integer(), nullable=False),
        sa.Column("file_id", sa.Integer(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("added_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("added_by", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["file_id"], ["file.id"], name=op.f("fk_own_sheet_file_id_file")),
        sa.ForeignKeyConstraint(["load_id"], ["load.id"], name=op.f("fk_own_sheet_load_id_load")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_own_sheet_plant_id_plant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_own_sheet")),
    )
    op.create_index(op.f("ix_own_sheet_load_id"), "own_sheet", ["load_id"], unique=False)
    op.create_table(
        "retest",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("load_id", sa.Integer(), nullable=False),
        sa.Column("parameters", office.db.Json(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("asked_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("asked_by", sa.String(length=200), nullable=False),
        sa.Column("hours", sa.Integer(), nullable=False),
        sa.Column("cents", sa.Integer(), nullable=True),
        sa.Column("answered_at", office.db.Utc(timezone=True), nullable=True),
        sa.Column("answered_by", sa.String(length=200), nullable=True),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("found", office.db.Json(), nullable=False),
        sa.Column("prevails", sa.Boolean(), nullable=True),
        sa.Column("done_at", office.db.Utc(timezone=True), nullable=True),
        sa.Column("done_by", sa.String(length=200), nullable=True),
        sa.Column("done_why", sa.Text(), nullable=False),
        sa.Column("law_version", sa.String(length=64), nullable=False),
        sa.CheckConstraint("(state = 'done') = (prevails IS NOT NULL)", name=op.f("ck_retest_done_with_a_finding")),
        sa.CheckConstraint("reason <> ''", name=op.f("ck_retest_reason_given")),
        sa.CheckConstraint("state <> 'refused' OR answer <> ''", name=op.f("ck_retest_refused_with_reason")),
        sa.CheckConstraint("state IN ('asked', 'accepted', 'refused', 'done')", name=op.f("ck_retest_state_known")),
        sa.CheckConstraint("cents IS NULL OR cents >= 0", name=op.f("ck_retest_cost_not_negative")),
        sa.CheckConstraint("hours > 0", name=op.f("ck_retest_hours_positive")),
        sa.ForeignKeyConstraint(["load_id"], ["load.id"], name=op.f("fk_retest_load_id_load")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_retest_plant_id_plant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_retest")),
    )
    op.create_index(op.f("ix_retest_load_id"), "retest", ["load_id"], unique=False)
    op.create_index(op.f("ix_retest_plant_id"), "retest", ["plant_id"], unique=False)
    op.create_table(
        "incident_word",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plant_id", sa.Integer(), nullable=False),
        sa.Column("incident_id", sa.Integer(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("written", sa.Boolean(), nullable=False),
        sa.Column("posted_at", office.db.Utc(timezone=True), nullable=False),
        sa.Column("posted_by", sa.String(length=200), nullable=False),
        sa.CheckConstraint("words <> ''", name=op.f("ck_incident_word_words_given")),
        sa.ForeignKeyConstraint(["incident_id"], ["incident.id"], name=op.f("fk_incident_word_incident_id_incident")),
        sa.ForeignKeyConstraint(["plant_id"], ["plant.id"], name=op.f("fk_incident_word_plant_id_plant")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_incident_word")),
    )
    op.create_index(op.f("ix_incident_word_incident_id"), "incident_word", ["incident_id"], unique=False)
    with change("run") as batch:
        batch.add_column(sa.Column("circumstances", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    with change("run") as batch:
        batch.drop_column("circumstances")
    op.drop_table("incident_word")
    op.drop_table("retest")
    op.drop_table("own_sheet")
    op.drop_table("incident")
    op.drop_table("waste_finding")
    op.drop_table("sampling_plan")

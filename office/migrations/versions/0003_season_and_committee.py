"""The whole application, files and changes, motions of every kind, corrections, allowances, enforcement."""

import sqlalchemy as sa
from alembic import op

import office.db
from office.migrations.changing import change

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table('driver',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('business_id', sa.Integer(), nullable=False),
    sa.Column('name', sa.String(length=200), nullable=False),
    sa.Column('certificate', sa.String(length=40), nullable=False),
    sa.Column('certificate_number', sa.String(length=40), nullable=False),
    sa.Column('certificate_ends_on', sa.Date(), nullable=True),
    sa.Column('in_charge', sa.Boolean(), nullable=False),
    sa.Column('person_id', sa.Integer(), nullable=True),
    sa.Column('retired_at', office.db.Utc(timezone=True), nullable=True),
    sa.CheckConstraint("name <> ''", name=op.f('ck_driver_name_given')),
    sa.ForeignKeyConstraint(['business_id'], ['business.id'], name=op.f('fk_driver_business_id_business')),
    sa.ForeignKeyConstraint(['person_id'], ['person.id'], name=op.f('fk_driver_person_id_person')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_driver'))
    )
    with op.batch_alter_table('driver', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_driver_business_id'), ['business_id'], unique=False)
        batch_op.create_index('uq_driver_in_charge', ['business_id'], unique=True, sqlite_where=sa.text('in_charge AND retired_at IS NULL'), postgresql_where=sa.text('in_charge AND retired_at IS NULL'))

    op.create_table('insurance',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('business_id', sa.Integer(), nullable=False),
    sa.Column('insurer', sa.String(length=200), nullable=False),
    sa.Column('policy', sa.String(length=80), nullable=False),
    sa.Column('ends_on', sa.Date(), nullable=False),
    sa.Column('stated_at', office.db.Utc(timezone=True), nullable=False),
    sa.CheckConstraint("insurer <> ''", name=op.f('ck_insurance_insurer_given')),
    sa.ForeignKeyConstraint(['business_id'], ['business.id'], name=op.f('fk_insurance_business_id_business')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_insurance'))
    )
    with op.batch_alter_table('insurance', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_insurance_business_id'), ['business_id'], unique=False)

    op.create_table('carry_over',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('plant_id', sa.Integer(), nullable=False),
    sa.Column('motion_id', sa.Integer(), nullable=False),
    sa.Column('season', sa.String(length=10), nullable=False),
    sa.Column('until', sa.Date(), nullable=False),
    sa.ForeignKeyConstraint(['motion_id'], ['motion.id'], name=op.f('fk_carry_over_motion_id_motion')),
    sa.ForeignKeyConstraint(['plant_id'], ['plant.id'], name=op.f('fk_carry_over_plant_id_plant')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_carry_over')),
    sa.UniqueConstraint('motion_id', name=op.f('uq_carry_over_motion_id')),
    sa.UniqueConstraint('plant_id', 'season', name=op.f('uq_carry_over_plant_id_season'))
    )
    op.create_table('application_change',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('plant_id', sa.Integer(), nullable=False),
    sa.Column('application_id', sa.Integer(), nullable=False),
    sa.Column('side', sa.String(length=10), nullable=False),
    sa.Column('asked_by', sa.String(length=200), nullable=False),
    sa.Column('asked_at', office.db.Utc(timezone=True), nullable=False),
    sa.Column('words', sa.Text(), nullable=False),
    sa.Column('due_on', sa.Date(), nullable=True),
    sa.Column('motion_id', sa.Integer(), nullable=True),
    sa.Column('opened_at', office.db.Utc(timezone=True), nullable=True),
    sa.Column('opened_by', sa.String(length=200), nullable=False),
    sa.Column('before', office.db.Json(), nullable=True),
    sa.Column('after', office.db.Json(), nullable=True),
    sa.Column('answered_at', office.db.Utc(timezone=True), nullable=True),
    sa.Column('refused_at', office.db.Utc(timezone=True), nullable=True),
    sa.Column('refusal', sa.Text(), nullable=False),
    sa.Column('letter_id', sa.Integer(), nullable=True),
    sa.CheckConstraint("refused_at IS NULL OR (answered_at IS NULL AND refusal <> '')", name=op.f('ck_application_change_refused_why')),
    sa.CheckConstraint("side IN ('hauler', 'committee')", name=op.f('ck_application_change_side_known')),
    sa.CheckConstraint("words <> ''", name=op.f('ck_application_change_words_given')),
    sa.CheckConstraint('(answered_at IS NULL) = (after IS NULL)', name=op.f('ck_application_change_answered_whole')),
    sa.CheckConstraint('answered_at IS NULL OR opened_at IS NOT NULL', name=op.f('ck_application_change_opened_first')),
    sa.ForeignKeyConstraint(['application_id'], ['application.id'], name=op.f('fk_application_change_application_id_application')),
    sa.ForeignKeyConstraint(['letter_id'], ['letter.id'], name=op.f('fk_application_change_letter_id_letter')),
    sa.ForeignKeyConstraint(['motion_id'], ['motion.id'], name=op.f('fk_application_change_motion_id_motion')),
    sa.ForeignKeyConstraint(['plant_id'], ['plant.id'], name=op.f('fk_application_change_plant_id_plant')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_application_change'))
    )
    with op.batch_alter_table('application_change', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_application_change_application_id'), ['application_id'], unique=False)
        batch_op.create_index('uq_application_change_open', ['application_id'], unique=True, sqlite_where=sa.text('answered_at IS NULL AND refused_at IS NULL'), postgresql_where=sa.text('answered_at IS NULL AND refused_at IS NULL'))

    op.create_table('application_file',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('plant_id', sa.Integer(), nullable=True),
    sa.Column('business_id', sa.Integer(), nullable=False),
    sa.Column('application_id', sa.Integer(), nullable=True),
    sa.Column('kind', sa.String(length=20), nullable=False),
    sa.Column('file_id', sa.Integer(), nullable=False),
    sa.Column('added_at', office.db.Utc(timezone=True), nullable=False),
    sa.Column('added_by', sa.String(length=200), nullable=False),
    sa.Column('removed_at', office.db.Utc(timezone=True), nullable=True),
    sa.CheckConstraint("kind IN ('licence', 'insurance', 'certificate', 'lab', 'paper')", name=op.f('ck_application_file_kind_known')),
    sa.ForeignKeyConstraint(['application_id'], ['application.id'], name=op.f('fk_application_file_application_id_application')),
    sa.ForeignKeyConstraint(['business_id'], ['business.id'], name=op.f('fk_application_file_business_id_business')),
    sa.ForeignKeyConstraint(['file_id'], ['file.id'], name=op.f('fk_application_file_file_id_file')),
    sa.ForeignKeyConstraint(['plant_id'], ['plant.id'], name=op.f('fk_application_file_plant_id_plant')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_application_file')),
    sa.UniqueConstraint('file_id', name=op.f('uq_application_file_file_id'))
    )
    with op.batch_alter_table('application_file', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_application_file_application_id'), ['application_id'], unique=False)
        batch_op.create_index(batch_op.f('ix_application_file_business_id'), ['business_id'], unique=False)

    op.create_table('member_note',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('plant_id', sa.Integer(), nullable=False),
    sa.Column('application_id', sa.Integer(), nullable=False),
    sa.Column('person_id', sa.Integer(), nullable=False),
    sa.Column('words', sa.Text(), nullable=False),
    sa.Column('written_at', office.db.Utc(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(['application_id'], ['application.id'], name=op.f('fk_member_note_application_id_application')),
    sa.ForeignKeyConstraint(['person_id'], ['person.id'], name=op.f('fk_member_note_person_id_person')),
    sa.ForeignKeyConstraint(['plant_id'], ['plant.id'], name=op.f('fk_member_note_plant_id_plant')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_member_note')),
    sa.UniqueConstraint('application_id', 'person_id', name=op.f('uq_member_note_application_id_person_id'))
    )
    with op.batch_alter_table('member_note', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_member_note_person_id'), ['person_id'], unique=False)

    op.create_table('referral',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('plant_id', sa.Integer(), nullable=False),
    sa.Column('motion_id', sa.Integer(), nullable=False),
    sa.Column('application_id', sa.Integer(), nullable=False),
    sa.Column('kind', sa.String(length=12), nullable=False),
    sa.Column('words', sa.Text(), nullable=False),
    sa.CheckConstraint("kind IN ('table', 'ask_changes', 'take_late')", name=op.f('ck_referral_kind_known')),
    sa.ForeignKeyConstraint(['application_id'], ['application.id'], name=op.f('fk_referral_application_id_application')),
    sa.ForeignKeyConstraint(['motion_id'], ['motion.id'], name=op.f('fk_referral_motion_id_motion')),
    sa.ForeignKeyConstraint(['plant_id'], ['plant.id'], name=op.f('fk_referral_plant_id_plant')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_referral')),
    sa.UniqueConstraint('motion_id', 'application_id', name=op.f('uq_referral_motion_id_application_id'))
    )
    with op.batch_alter_table('referral', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_referral_application_id'), ['application_id'], unique=False)
        batch_op.create_index(batch_op.f('ix_referral_motion_id'), ['motion_id'], unique=False)

    op.create_table('allowance_line',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('plant_id', sa.Integer(), nullable=False),
    sa.Column('approval_id', sa.Integer(), nullable=False),
    sa.Column('waste', sa.String(length=30), nullable=False),
    sa.Column('period', sa.String(length=10), nullable=False),
    sa.Column('gallons', sa.Integer(), nullable=False),
    sa.Column('hard', sa.Boolean(), nullable=False),
    sa.CheckConstraint("period IN ('day', 'week', 'winter', 'rest', 'season')", name=op.f('ck_allowance_line_period_known')),
    sa.CheckConstraint('gallons >= 0', name=op.f('ck_allowance_line_gallons_not_negative')),
    sa.ForeignKeyConstraint(['approval_id'], ['approval.id'], name=op.f('fk_allowance_line_approval_id_approval')),
    sa.ForeignKeyConstraint(['plant_id'], ['plant.id'], name=op.f('fk_allowance_line_plant_id_plant')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_allowance_line')),
    sa.UniqueConstraint('approval_id', 'waste', 'period', name=op.f('uq_allowance_line_approval_id_waste_period'))
    )
    with op.batch_alter_table('allowance_line', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_allowance_line_approval_id'), ['approval_id'], unique=False)

    op.create_table('amendment',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('plant_id', sa.Integer(), nullable=False),
    sa.Column('approval_id', sa.Integer(), nullable=False),
    sa.Column('kind', sa.String(length=10), nullable=False),
    sa.Column('words', sa.Text(), nullable=False),
    sa.Column('old', office.db.Json(), nullable=False),
    sa.Column('new', office.db.Json(), nullable=False),
    sa.Column('extra_winter', sa.Integer(), nullable=False),
    sa.Column('extra_rest', sa.Integer(), nullable=False),
    sa.Column('granted_winter', sa.Integer(), nullable=False),
    sa.Column('granted_rest', sa.Integer(), nullable=False),
    sa.Column('state', sa.String(length=10), nullable=False),
    sa.Column('asked_by', sa.String(length=200), nullable=False),
    sa.Column('asked_at', office.db.Utc(timezone=True), nullable=False),
    sa.Column('motion_id', sa.Integer(), nullable=True),
    sa.Column('reason', sa.Text(), nullable=False),
    sa.Column('decided_at', office.db.Utc(timezone=True), nullable=True),
    sa.Column('letter_id', sa.Integer(), nullable=True),
    sa.CheckConstraint("(state = 'asked') = (decided_at IS NULL)", name=op.f('ck_amendment_decided_when')),
    sa.CheckConstraint("kind IN ('gallons', 'source', 'truck')", name=op.f('ck_amendment_kind_known')),
    sa.CheckConstraint("state <> 'refused' OR reason <> ''", name=op.f('ck_amendment_refused_why')),
    sa.CheckConstraint("state = 'granted' OR granted_winter + granted_rest = 0", name=op.f('ck_amendment_granted_only')),
    sa.CheckConstraint("state IN ('asked', 'granted', 'refused', 'withdrawn')", name=op.f('ck_amendment_state_known')),
    sa.CheckConstraint("words <> ''", name=op.f('ck_amendment_words_given')),
    sa.CheckConstraint('extra_winter >= 0 AND extra_rest >= 0', name=op.f('ck_amendment_extra_not_negative')),
    sa.CheckConstraint('granted_winter BETWEEN 0 AND extra_winter AND granted_rest BETWEEN 0 AND extra_rest', name=op.f('ck_amendment_granted_within')),
    sa.ForeignKeyConstraint(['approval_id'], ['approval.id'], name=op.f('fk_amendment_approval_id_approval')),
    sa.ForeignKeyConstraint(['letter_id'], ['letter.id'], name=op.f('fk_amendment_letter_id_letter')),
    sa.ForeignKeyConstraint(['motion_id'], ['motion.id'], name=op.f('fk_amendment_motion_id_motion')),
    sa.ForeignKeyConstraint(['plant_id'], ['plant.id'], name=op.f('fk_amendment_plant_id_plant')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_amendment'))
    )
    with op.batch_alter_table('amendment', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_amendment_approval_id'), ['approval_id'], unique=False)

    op.create_table('suspension',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('plant_id', sa.Integer(), nullable=False),
    sa.Column('approval_id', sa.Integer(), nullable=False),
    sa.Column('at', office.db.Utc(timezone=True), nullable=False),
    sa.Column('until', sa.Date(), nullable=True),
    sa.Column('rule', sa.Text(), nullable=False),
    sa.Column('reason', sa.Text(), nullable=False),
    sa.Column('by_name', sa.String(length=200), nullable=False),
    sa.Column('letter_id', sa.Integer(), nullable=True),
    sa.Column('lifted_at', office.db.Utc(timezone=True), nullable=True),
    sa.Column('lifted_why', sa.Text(), nullable=False),
    sa.CheckConstraint("lifted_at IS NULL OR lifted_why <> ''", name=op.f('ck_suspension_lifted_why')),
    sa.CheckConstraint("reason <> '' AND rule <> ''", name=op.f('ck_suspension_reason_given')),
    sa.ForeignKeyConstraint(['approval_id'], ['approval.id'], name=op.f('fk_suspension_approval_id_approval')),
    sa.ForeignKeyConstraint(['letter_id'], ['letter.id'], name=op.f('fk_suspension_letter_id_letter')),
    sa.ForeignKeyConstraint(['plant_id'], ['plant.id'], name=op.f('fk_suspension_plant_id_plant')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_suspension'))
    )
    with op.batch_alter_table('suspension', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_suspension_approval_id'), ['approval_id'], unique=False)

    op.create_table('violation',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('plant_id', sa.Integer(), nullable=False),
    sa.Column('business_id', sa.Integer(), nullable=False),
    sa.Column('approval_id', sa.Integer(), nullable=True),
    sa.Column('rule', sa.Text(), nullable=False),
    sa.Column('facts', sa.Text(), nullable=False),
    sa.Column('days', office.db.Json(), nullable=False),
    sa.Column('loads', office.db.Json(), nullable=False),
    sa.Column('correct_by', sa.Date(), nullable=False),
    sa.Column('at', office.db.Utc(timezone=True), nullable=False),
    sa.Column('by_name', sa.String(length=200), nullable=False),
    sa.Column('letter_id', sa.Integer(), nullable=True),
    sa.Column('corrected_on', sa.Date(), nullable=True),
    sa.Column('corrected_how', sa.Text(), nullable=False),
    sa.CheckConstraint("(corrected_on IS NULL) = (corrected_how = '')", name=op.f('ck_violation_corrected_whole')),
    sa.CheckConstraint("facts <> '' AND rule <> ''", name=op.f('ck_violation_facts_given')),
    sa.ForeignKeyConstraint(['approval_id'], ['approval.id'], name=op.f('fk_violation_approval_id_approval')),
    sa.ForeignKeyConstraint(['business_id'], ['business.id'], name=op.f('fk_violation_business_id_business')),
    sa.ForeignKeyConstraint(['letter_id'], ['letter.id'], name=op.f('fk_violation_letter_id_letter')),
    sa.ForeignKeyConstraint(['plant_id'], ['plant.id'], name=op.f('fk_violation_plant_id_plant')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_violation'))
    )
    with op.batch_alter_table('violation', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_violation_business_id'), ['business_id'], unique=False)
        batch_op.create_index(batch_op.f('ix_violation_plant_id'), ['plant_id'], unique=False)

    op.create_table('review',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('plant_id', sa.Integer(), nullable=False),
    sa.Column('decision_id', sa.Integer(), nullable=True),
    sa.Column('revocation_id', sa.Integer(), nullable=True),
    sa.Column('asked_on', sa.Date(), nullable=False),
    sa.Column('asked_by', sa.String(length=200), nullable=False),
    sa.Column('words', sa.Text(), nullable=False),
    sa.Column('entered_at', office.db.Utc(timezone=True), nullable=False),
    sa.Column('fee_payment_id', sa.Integer(), nullable=True),
    sa.Column('closed_on', sa.Date(), nullable=True),
    sa.Column('outcome', sa.String(length=10), nullable=False),
    sa.Column('outcome_words', sa.Text(), nullable=False),
    sa.CheckConstraint("(outcome = '') = (closed_on IS NULL)", name=op.f('ck_review_closed_when')),
    sa.CheckConstraint("outcome IN ('', 'upheld', 'changed', 'reversed', 'withdrawn')", name=op.f('ck_review_outcome_known')),
    sa.CheckConstraint("words <> ''", name=op.f('ck_review_words_given')),
    sa.CheckConstraint('(decision_id IS NULL) <> (revocation_id IS NULL)', name=op.f('ck_review_of_one')),
    sa.ForeignKeyConstraint(['decision_id'], ['decision.id'], name=op.f('fk_review_decision_id_decision')),
    sa.ForeignKeyConstraint(['fee_payment_id'], ['payment.id'], name=op.f('fk_review_fee_payment_id_payment')),
    sa.ForeignKeyConstraint(['plant_id'], ['plant.id'], name=op.f('fk_review_plant_id_plant')),
    sa.ForeignKeyConstraint(['revocation_id'], ['revocation.id'], name=op.f('fk_review_revocation_id_revocation')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_review'))
    )
    with op.batch_alter_table('review', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_review_plant_id'), ['plant_id'], unique=False)

    op.create_table('review_step',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('plant_id', sa.Integer(), nullable=False),
    sa.Column('review_id', sa.Integer(), nullable=False),
    sa.Column('position', sa.Integer(), nullable=False),
    sa.Column('name', sa.String(length=200), nullable=False),
    sa.Column('cite', sa.String(length=100), nullable=False),
    sa.Column('due_on', sa.Date(), nullable=False),
    sa.Column('done_on', sa.Date(), nullable=True),
    sa.Column('note', sa.Text(), nullable=False),
    sa.ForeignKeyConstraint(['plant_id'], ['plant.id'], name=op.f('fk_review_step_plant_id_plant')),
    sa.ForeignKeyConstraint(['review_id'], ['review.id'], name=op.f('fk_review_step_review_id_review')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_review_step')),
    sa.UniqueConstraint('review_id', 'position', name=op.f('uq_review_step_review_id_position'))
    )
    states = "('draft', 'filed', 'asked_late', 'withdrawn', 'approved', 'in_part', 'rejected')"
    with change("application", without=("ck_application_state_known", "ck_application_declared"), adding={
        "ck_application_state_known": f"state IN {states}",
        "ck_application_declared": "(state = 'draft') OR declared_by <> '' OR channel = 'paper'",
        "ck_application_channel_known": "channel IN ('online', 'paper')",
        "ck_application_paper_received": "(channel = 'paper') = (received_on IS NOT NULL)",
        "ck_application_paper_entered": "channel = 'online' OR entered_by <> ''",
        "ck_application_late_reason_given": "state <> 'asked_late' OR late_reason <> ''",
        "ck_application_taken_was_late": "taken_by_id IS NULL OR late_reason <> ''",
    }) as batch:  # fmt: skip
        batch.add_column(sa.Column("answers", office.db.Json(), nullable=False, server_default="{}"))
        batch.add_column(sa.Column("sent", office.db.Json(), nullable=True))
        batch.add_column(sa.Column("channel", sa.String(length=10), nullable=False, server_default="online"))
        batch.add_column(sa.Column("received_on", sa.Date(), nullable=True))
        batch.add_column(sa.Column("entered_by", sa.String(length=200), nullable=False, server_default=""))
        batch.add_column(sa.Column("late_reason", sa.Text(), nullable=False, server_default=""))
        batch.add_column(sa.Column("taken_by_id", sa.Integer(), nullable=True))
        batch.create_foreign_key(op.f("fk_application_taken_by_id_motion"), "motion", ["taken_by_id"], ["id"])

    with change("application_source") as batch:
        batch.add_column(sa.Column("months", sa.String(length=200), nullable=False, server_default=""))

    with change("approval") as batch:
        batch.add_column(sa.Column("replaces_id", sa.Integer(), nullable=True))
        batch.drop_constraint(op.f("uq_approval_application_id"), type_="unique")
        batch.drop_constraint(op.f("uq_approval_decision_id"), type_="unique")
        batch.create_index(op.f("ix_approval_application_id"), ["application_id"], unique=False)
        batch.create_index(op.f("ix_approval_decision_id"), ["decision_id"], unique=False)
        first = sa.text("replaces_id IS NULL")
        batch.create_index("uq_approval_first", ["application_id"], unique=True, sqlite_where=first,
                           postgresql_where=first)  # fmt: skip
        batch.create_unique_constraint(op.f("uq_approval_replaces_id"), ["replaces_id"])
        batch.create_foreign_key(op.f("fk_approval_replaces_id_approval"), "approval", ["replaces_id"], ["id"])

    with change("decision") as batch:
        batch.add_column(sa.Column("corrects_id", sa.Integer(), nullable=True))
        batch.add_column(sa.Column("allowances", office.db.Json(), nullable=False, server_default="[]"))
        batch.drop_constraint(op.f("uq_decision_application_id"), type_="unique")
        batch.create_index(op.f("ix_decision_application_id"), ["application_id"], unique=False)
        batch.create_unique_constraint(op.f("uq_decision_corrects_id"), ["corrects_id"])
        first = sa.text("corrects_id IS NULL")
        batch.create_index("uq_decision_first", ["application_id"], unique=True, sqlite_where=first,
                           postgresql_where=first)  # fmt: skip
        batch.create_foreign_key(op.f("fk_decision_corrects_id_decision"), "decision", ["corrects_id"], ["id"])

    with change("filing_fee", adding={
        "ck_filing_fee_paid_or_waived": "(payment_id IS NULL) = (resolution <> '')",
    }) as batch:  # fmt: skip
        batch.add_column(sa.Column("resolution", sa.String(length=200), nullable=False, server_default=""))
        batch.alter_column("payment_id", existing_type=sa.INTEGER(), nullable=True)

    with change("meeting") as batch:
        batch.add_column(sa.Column("agenda_posted_at", office.db.Utc(timezone=True), nullable=True))

    kinds = "('decide', 'table', 'ask_changes', 'take_late', 'carry_over', 'amend', 'correct', 'reinstate')"
    with change("motion", adding={
        "ck_motion_kind_known": f"kind IN {kinds}", "ck_motion_lost_why": "NOT passed OR lost = ''",
    }) as batch:  # fmt: skip
        batch.add_column(sa.Column("kind", sa.String(length=12), nullable=False, server_default="decide"))
        batch.add_column(sa.Column("conflicts", sa.Text(), nullable=False, server_default=""))
        batch.add_column(sa.Column("lost", sa.String(length=200), nullable=False, server_default=""))
        batch.add_column(sa.Column("recorded_at", office.db.Utc(timezone=True), nullable=True))

    with change("revocation") as batch:
        batch.add_column(sa.Column("loads", office.db.Json(), nullable=False, server_default="[]"))
        batch.add_column(sa.Column("certified_mail", sa.String(length=40), nullable=False, server_default=""))



def downgrade() -> None:
    with change("revocation") as batch:
        batch.drop_column("certified_mail")
        batch.drop_column("loads")

    with change("motion", without=("ck_motion_kind_known", "ck_motion_lost_why")) as batch:
        for name in ("recorded_at", "lost", "conflicts", "kind"):
            batch.drop_column(name)

    with change("meeting") as batch:
        batch.drop_column("agenda_posted_at")

    with change("filing_fee", without=("ck_filing_fee_paid_or_waived",)) as batch:
        batch.alter_column("payment_id", existing_type=sa.INTEGER(), nullable=False)
        batch.drop_column("resolution")

    with change("decision") as batch:
        batch.drop_constraint(op.f("fk_decision_corrects_id_decision"), type_="foreignkey")
        batch.drop_index("uq_decision_first")
        batch.drop_constraint(op.f("uq_decision_corrects_id"), type_="unique")
        batch.drop_index(op.f("ix_decision_application_id"))
        batch.create_unique_constraint(op.f("uq_decision_application_id"), ["application_id"])
        batch.drop_column("allowances")
        batch.drop_column("corrects_id")

    with change("approval") as batch:
        batch.drop_constraint(op.f("fk_approval_replaces_id_approval"), type_="foreignkey")
        batch.drop_constraint(op.f("uq_approval_replaces_id"), type_="unique")
        batch.drop_index("uq_approval_first")
        batch.drop_index(op.f("ix_approval_decision_id"))
        batch.drop_index(op.f("ix_approval_application_id"))
        batch.create_unique_constraint(op.f("uq_approval_decision_id"), ["decision_id"])
        batch.create_unique_constraint(op.f("uq_approval_application_id"), ["application_id"])
        batch.drop_column("replaces_id")

    with change("application_source") as batch:
        batch.drop_column("months")

    states = "('draft', 'filed', 'withdrawn', 'approved', 'in_part', 'rejected')"
    with change("application", without=(
        "ck_application_state_known", "ck_application_declared", "ck_application_channel_known",
        "ck_application_paper_received", "ck_application_paper_entered", "ck_application_late_reason_given",
        "ck_application_taken_was_late",
    ), adding={
        "ck_application_state_known": f"state IN {states}",
        "ck_application_declared": "(state = 'draft') OR declared_by <> ''",
    }) as batch:  # fmt: skip
        batch.drop_constraint(op.f("fk_application_taken_by_id_motion"), type_="foreignkey")
        for name in ("taken_by_id", "late_reason", "entered_by", "received_on", "channel", "sent", "answers"):
            batch.drop_column(name)

    op.drop_table('review_step')
    with op.batch_alter_table('review', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_review_plant_id'))

    op.drop_table('review')
    with op.batch_alter_table('violation', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_violation_plant_id'))
        batch_op.drop_index(batch_op.f('ix_violation_business_id'))

    op.drop_table('violation')
    with op.batch_alter_table('suspension', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_suspension_approval_id'))

    op.drop_table('suspension')
    with op.batch_alter_table('amendment', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_amendment_approval_id'))

    op.drop_table('amendment')
    with op.batch_alter_table('allowance_line', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_allowance_line_approval_id'))

    op.drop_table('allowance_line')
    with op.batch_alter_table('referral', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_referral_motion_id'))
        batch_op.drop_index(batch_op.f('ix_referral_application_id'))

    op.drop_table('referral')
    with op.batch_alter_table('member_note', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_member_note_person_id'))

    op.drop_table('member_note')
    with op.batch_alter_table('application_file', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_application_file_business_id'))
        batch_op.drop_index(batch_op.f('ix_application_file_application_id'))

    op.drop_table('application_file')
    with op.batch_alter_table('application_change', schema=None) as batch_op:
        batch_op.drop_index('uq_application_change_open', sqlite_where=sa.text('answered_at IS NULL AND refused_at IS NULL'), postgresql_where=sa.text('answered_at IS NULL AND refused_at IS NULL'))
        batch_op.drop_index(batch_op.f('ix_application_change_application_id'))

    op.drop_table('application_change')
    op.drop_table('carry_over')
    with op.batch_alter_table('insurance', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_insurance_business_id'))

    op.drop_table('insurance')
    with op.batch_alter_table('driver', schema=None) as batch_op:
        batch_op.drop_index('uq_driver_in_charge', sqlite_where=sa.text('in_charge AND retired_at IS NULL'), postgresql_where=sa.text('in_charge AND retired_at IS NULL'))
        batch_op.drop_index(batch_op.f('ix_driver_business_id'))

    op.drop_table('driver')

"""New tests end before they are made: taken back by who asked, or with a voided load."""

from office.migrations.changing import change

revision = "0051"
down_revision = "0050"
branch_labels = None
depends_on = None

STATE, REASON = "ck_retest_state_known", "ck_retest_refused_with_reason"


def upgrade() -> None:
    states = "state IN ('asked', 'accepted', 'refused', 'done', 'ended')"
    with change("retest", without=[STATE, REASON],
                adding={STATE: states, REASON: "state NOT IN ('refused', 'ended') OR answer <> ''"}):  # fmt: skip
        pass


def downgrade() -> None:
    with change("retest", without=[STATE, REASON],
                adding={STATE: "state IN ('asked', 'accepted', 'refused', 'done')",
                        REASON: "state <> 'refused' OR answer <> ''"}):  # fmt: skip
        pass

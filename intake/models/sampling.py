"""Sampling: the Director's rule for a hauler, draws, chains of samples, labels, plans, own sheets, new tests."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Integer, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from intake.states import CustodyKind, PlanState, RetestState
from office.db import Json, Model, Utc, born
from office.seals import sealed, sealed_id
from ordinances.testing_draw import EVERY, KINDS


class SamplingRule(Model):
    """How often a hauler's loads are tested, by the Director's letter, from a day on (§ 329-7 F(5)).

    ``figure``: one load in so many, or percent of them. ``commitment`` is the fingerprint of the secret the draws come
    of, printed in the letter. ``blocks``: one load in N is exactly one of each N that follow each other; older rules
    drew each by itself. A rule ends on the first day of the next one.
    """

    __tablename__ = "sampling_rule"
    __table_args__ = (
        CheckConstraint(f"kind IN {KINDS}", name="kind_known"),
        CheckConstraint(f"(kind = '{EVERY}') = (figure IS NULL)", name="figure_when_drawn"),
        CheckConstraint(f"(kind = '{EVERY}') = (commitment = '')", name="secret_when_drawn"),
        CheckConstraint("reason <> ''", name="reason_given"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    business_id: Mapped[int] = mapped_column(ForeignKey("business.id"), index=True)
    kind: Mapped[str] = mapped_column(String(10))
    figure: Mapped[int | None] = mapped_column(Integer)
    since: Mapped[date]
    reason: Mapped[str] = mapped_column(Text)
    commitment: Mapped[str] = mapped_column(String(64))
    made_at: Mapped[datetime] = mapped_column(Utc)
    made_by: Mapped[str] = mapped_column(String(200))
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"))
    law_version: Mapped[str] = mapped_column(String(64))
    blocks: Mapped[bool] = mapped_column(default=False, info=born(False))


@sealed
class SamplingSecret(Model):
    """The secret of a rule. In no history, so that nobody reads there what will be drawn; shown when the rule ends."""

    __tablename__ = "sampling_secret"
    __journal__ = False
    __table_args__ = (UniqueConstraint("rule_id"),)
    id: Mapped[int] = sealed_id()
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    rule_id: Mapped[int] = mapped_column(ForeignKey("sampling_rule.id"))
    secret: Mapped[str] = mapped_column(String(64))
    seal: Mapped[str] = mapped_column(String(64))


class SamplingDraw(Model):
    """What the rule said of one load and what was done: its ``number`` under the rule where it was drawn for.

    ``due``: it was to be sampled. ``why`` says why one that was due was not sampled, ``ordered_by`` who ordered a test
    that was not due. Loads that were due and sampled by the town's law alone have no row.
    """

    __tablename__ = "sampling_draw"
    __table_args__ = (
        UniqueConstraint("rule_id", "number"),
        CheckConstraint("(number IS NULL) OR (rule_id IS NOT NULL)", name="numbered_under_a_rule"),
        CheckConstraint("(NOT due) OR sampled OR (why <> '')", name="not_sampled_with_reason"),
        CheckConstraint("due OR (NOT sampled) OR (ordered_by <> '')", name="ordered_by_somebody"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"), index=True)
    load_id: Mapped[int] = mapped_column(ForeignKey("load.id"), unique=True)
    rule_id: Mapped[int | None] = mapped_column(ForeignKey("sampling_rule.id"))
    number: Mapped[int | None] = mapped_column(Integer)
    due: Mapped[bool]
    sampled: Mapped[bool]
    why: Mapped[str] = mapped_column(Text, default="")
    ordered_by: Mapped[str] = mapped_column(String(200), default="")


class CustodyStep(Model):
    """One step of a sample's way: who had it, who has it since ``at``, where, how it is preserved (§ 329-7 E(1)).

    A step that was a mistake stays: ``ended_at``, by whom and why it was taken back or put right; ``why`` of the one in
    its place.
    """

    __tablename__ = "custody_step"
    __table_args__ = (
        CheckConstraint(f"kind IN {tuple(one.value for one in CustodyKind)}", name="kind_known"),
        CheckConstraint("to_name <> ''", name="somebody_has_it"),
        CheckConstraint("bottle <> ''", name="bottle_named"),
        CheckConstraint("(ended_at IS NULL) = (ended_by = '')", name="ended_by_somebody"),
        CheckConstraint("(ended_at IS NULL) = (ended_why = '')", name="ended_with_reason"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    load_id: Mapped[int] = mapped_column(ForeignKey("load.id"), index=True)
    bottle: Mapped[str] = mapped_column(String(20))
    kind: Mapped[str] = mapped_column(String(10))
    at: Mapped[datetime] = mapped_column(Utc)
    from_name: Mapped[str] = mapped_column(String(200))
    to_name: Mapped[str] = mapped_column(String(200))
    place: Mapped[str] = mapped_column(String(200), default="")
    preserved: Mapped[str] = mapped_column(String(200), default="")
    entered_at: Mapped[datetime] = mapped_column(Utc)
    entered_by: Mapped[str] = mapped_column(String(200))
    why: Mapped[str] = mapped_column(Text, default="", info=born(""))
    ended_at: Mapped[datetime | None] = mapped_column(Utc, info=born(None))
    ended_by: Mapped[str] = mapped_column(String(200), default="", info=born(""))
    ended_why: Mapped[str] = mapped_column(Text, default="", info=born(""))


class LabelRun(Model):
    """Bottle labels printed ahead, ``first`` to ``last``: each number once, none left out."""

    __tablename__ = "label_run"
    __table_args__ = (
        UniqueConstraint("plant_id", "first"),
        CheckConstraint("first > 0 AND last >= first", name="in_order"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    first: Mapped[int] = mapped_column(Integer)
    last: Mapped[int] = mapped_column(Integer)
    printed_at: Mapped[datetime] = mapped_column(Utc)
    printed_by: Mapped[str] = mapped_column(String(200))


class LabelReprint(Model):
    """Labels printed once more, marked so on the paper, with the reason."""

    __tablename__ = "label_reprint"
    __table_args__ = (
        CheckConstraint("first > 0 AND last >= first", name="in_order"),
        CheckConstraint("reason <> ''", name="reason_given"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"), index=True)
    first: Mapped[int] = mapped_column(Integer)
    last: Mapped[int] = mapped_column(Integer)
    reason: Mapped[str] = mapped_column(Text)
    printed_at: Mapped[datetime] = mapped_column(Utc)
    printed_by: Mapped[str] = mapped_column(String(200))


class SamplingPlan(Model):
    """How a hauler's waste is sampled, as proposed and as the Director answered (§ 329-7 E(1), E(2)).

    Rows stay: the plan in force is the newest approved one whose first day has come.
    """

    __tablename__ = "sampling_plan"
    __table_args__ = (
        CheckConstraint(f"state IN {tuple(one.value for one in PlanState)}", name="state_known"),
        CheckConstraint("methods <> '' AND places <> '' AND times <> '' AND frequencies <> ''", name="whole"),
        CheckConstraint("durations <> '' AND facility <> ''", name="facility_given"),
        CheckConstraint("(state = 'approved') = (since IS NOT NULL)", name="approved_from"),
        CheckConstraint("state <> 'returned' OR answer <> ''", name="returned_with_reason"),
        CheckConstraint("(state = 'proposed') = (decided_at IS NULL)", name="decided_when"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    business_id: Mapped[int] = mapped_column(ForeignKey("business.id"), index=True)
    methods: Mapped[str] = mapped_column(Text)
    places: Mapped[str] = mapped_column(Text)
    times: Mapped[str] = mapped_column(Text)
    durations: Mapped[str] = mapped_column(Text)
    frequencies: Mapped[str] = mapped_column(Text)
    facility: Mapped[str] = mapped_column(Text)
    access: Mapped[str] = mapped_column(Text, default="")
    preservation: Mapped[str] = mapped_column(Text, default="")
    state: Mapped[str] = mapped_column(String(10))
    proposed_at: Mapped[datetime] = mapped_column(Utc)
    proposed_by: Mapped[str] = mapped_column(String(200))
    on_paper: Mapped[bool]
    since: Mapped[date | None]
    decided_at: Mapped[datetime | None] = mapped_column(Utc)
    decided_by: Mapped[str | None] = mapped_column(String(200))
    answer: Mapped[str] = mapped_column(Text, default="")
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"))
    law_version: Mapped[str] = mapped_column(String(64))


class OwnSheet(Model):
    """A hauler's own laboratory sheet of one load: kept beside the plant's results, in whose place it never stands."""

    __tablename__ = "own_sheet"
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    load_id: Mapped[int] = mapped_column(ForeignKey("load.id"), index=True)
    file_id: Mapped[int] = mapped_column(ForeignKey("file.id"))
    note: Mapped[str] = mapped_column(Text, default="")
    added_at: Mapped[datetime] = mapped_column(Utc)
    added_by: Mapped[str] = mapped_column(String(200))


class Retest(Model):
    """New tests of a load that somebody asked for, at the asker's cost (§ 329-6 J).

    ``hours`` they run; ``found`` the results by parameter as typed and as read; ``prevails`` once it is said whether
    they count in place of the first.
    """

    __tablename__ = "retest"
    __table_args__ = (
        CheckConstraint(f"state IN {tuple(one.value for one in RetestState)}", name="state_known"),
        CheckConstraint("reason <> ''", name="reason_given"),
        CheckConstraint("hours > 0", name="hours_positive"),
        CheckConstraint("cents IS NULL OR cents >= 0", name="cost_not_negative"),
        CheckConstraint("state NOT IN ('refused', 'ended') OR answer <> ''", name="refused_with_reason"),
        CheckConstraint("(state = 'done') = (prevails IS NOT NULL)", name="done_with_a_finding"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"), index=True)
    load_id: Mapped[int] = mapped_column(ForeignKey("load.id"), index=True)
    parameters: Mapped[Any] = mapped_column(Json)
    reason: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(10))
    asked_at: Mapped[datetime] = mapped_column(Utc)
    asked_by: Mapped[str] = mapped_column(String(200))
    hours: Mapped[int] = mapped_column(Integer)
    cents: Mapped[int | None] = mapped_column(Integer)
    answered_at: Mapped[datetime | None] = mapped_column(Utc)
    answered_by: Mapped[str | None] = mapped_column(String(200))
    answer: Mapped[str] = mapped_column(Text, default="")
    found: Mapped[Any] = mapped_column(Json, default=dict)
    prevails: Mapped[bool | None]
    done_at: Mapped[datetime | None] = mapped_column(Utc)
    done_by: Mapped[str | None] = mapped_column(String(200))
    done_why: Mapped[str] = mapped_column(Text, default="")
    law_version: Mapped[str] = mapped_column(String(64))


class MoreTests(Model):
    """Further tests of a load, ordered by the operator or the state and billed to the hauler (§ 329-7 F(1)).

    ``office`` is who may order them in the law's words, ``ordered_by`` the person; ``cents`` what all of them cost.
    """

    __tablename__ = "more_tests"
    __table_args__ = (
        CheckConstraint("what <> ''", name="named"),
        CheckConstraint("ordered_by <> ''", name="ordered_by_somebody"),
        CheckConstraint("reason <> ''", name="reason_given"),
        CheckConstraint("tests > 0", name="tests_positive"),
        CheckConstraint("cents >= 0", name="cost_not_negative"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    load_id: Mapped[int] = mapped_column(ForeignKey("load.id"), index=True)
    what: Mapped[str] = mapped_column(String(200))
    tests: Mapped[int] = mapped_column(Integer)
    office: Mapped[str] = mapped_column(String(200))
    ordered_by: Mapped[str] = mapped_column(String(200))
    reason: Mapped[str] = mapped_column(Text)
    cents: Mapped[int] = mapped_column(Integer)
    made_at: Mapped[datetime] = mapped_column(Utc)
    made_by: Mapped[str] = mapped_column(String(200))
    law_version: Mapped[str] = mapped_column(String(64))

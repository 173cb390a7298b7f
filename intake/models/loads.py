"""Facts: loads at the gate, how they ran, their tests and written records."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Integer, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from intake.states import LoadState, RunKind
from office.db import Exact, Json, Model, Utc, born
from ordinances.hauled import Part


class Load(Model):
    """One truck's delivery: one ticket, one sample set. A refused truck is a load with a reason and no run.

    ``day`` is the plant's own day on which it was opened; a truck nobody here knows is refused without a business.
    """

    __tablename__ = "load"
    __table_args__ = (
        UniqueConstraint("plant_id", "client_id"),
        UniqueConstraint("plant_id", "ticket"),
        CheckConstraint(f"state IN {tuple(s.value for s in LoadState)}", name="state_known"),
        CheckConstraint("gallons >= 0", name="gallons_not_negative"),
        CheckConstraint("flush_gallons >= 0", name="flush_not_negative"),
        CheckConstraint("(state <> 'refused') OR (reason <> '')", name="refused_with_reason"),
        CheckConstraint("(state <> 'void') OR (reason <> '')", name="void_with_reason"),
        CheckConstraint("(state <> 'accepted') OR (discharged_at IS NOT NULL)", name="accepted_ran"),
        CheckConstraint("(state <> 'accepted') OR (business_id IS NOT NULL)", name="accepted_of_a_business"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"), index=True)
    client_id: Mapped[str] = mapped_column(String(64))
    ticket: Mapped[str] = mapped_column(String(20))
    day: Mapped[date] = mapped_column(index=True)
    booking_id: Mapped[int | None] = mapped_column(ForeignKey("booking.id"), index=True)
    approval_id: Mapped[int | None] = mapped_column(ForeignKey("approval.id"), index=True)
    business_id: Mapped[int | None] = mapped_column(ForeignKey("business.id"), index=True)
    business_name: Mapped[str] = mapped_column(String(200))
    truck_id: Mapped[int | None] = mapped_column(ForeignKey("truck.id"))
    plate: Mapped[str] = mapped_column(String(20))
    driver: Mapped[str] = mapped_column(String(200))
    waste: Mapped[str] = mapped_column(String(30))
    gallons: Mapped[int] = mapped_column(Integer)
    basis: Mapped[str] = mapped_column(String(20))
    ph: Mapped[Decimal | None] = mapped_column(Exact)
    bottle: Mapped[str] = mapped_column(String(20))
    tested: Mapped[bool]
    state: Mapped[str] = mapped_column(String(10))
    reason_code: Mapped[str | None] = mapped_column(String(40))
    reason: Mapped[str] = mapped_column(Text, default="")
    note: Mapped[str] = mapped_column(Text, default="")
    logged_at: Mapped[datetime] = mapped_column(Utc)
    logged_by: Mapped[str] = mapped_column(String(200))
    discharged_at: Mapped[datetime | None] = mapped_column(Utc)
    record_due: Mapped[datetime | None] = mapped_column(Utc)
    law_version: Mapped[str] = mapped_column(String(64))
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"))
    # Of the gallons, what washed the tank out: charged like septage, reported apart.
    flush_gallons: Mapped[int] = mapped_column(Integer, default=0, info=born(0))
    temp_f: Mapped[Decimal | None] = mapped_column(Exact, info=born(None))
    # What was seen or smelled, by the parameters of the limits; what the judge of them found should follow.
    flags: Mapped[Any] = mapped_column(Json, default=list, info=born([]))
    finding: Mapped[str] = mapped_column(String(200), default="", info=born(""))
    # Pounds the truck weighed full and empty, where the gallons were found by weight.
    full_lb: Mapped[int | None] = mapped_column(Integer, info=born(None))
    empty_lb: Mapped[int | None] = mapped_column(Integer, info=born(None))
    # The pick-ups the driver named at the gate: place and gallons, None where no figure was given.
    pickups: Mapped[Any] = mapped_column(Json, default=list, info=born([]))
    # The number of the slip or blank ticket it was written on before the server knew of it, and when it was told.
    slip: Mapped[str] = mapped_column(String(20), default="", info=born(""))
    registered_at: Mapped[datetime | None] = mapped_column(Utc, info=born(None))
    # The zone of the schedule it comes from, where the charges ask for one.
    origin: Mapped[str] = mapped_column(String(60), default="", info=born(""))
    # Of the gallons, those of other kinds in the same load, each with its waste and zone; cubic yards where charged by.
    mixed: Mapped[Any] = mapped_column(Json, default=list, info=born([]))
    cubic_yards: Mapped[Decimal | None] = mapped_column(Exact, info=born(None))

    @property
    def others(self) -> tuple[Part, ...]:
        """The other kinds in the load."""
        return tuple(Part(one["waste"], one["origin"] or None, one["gallons"]) for one in self.mixed)

    @property
    def turned_away(self) -> bool:
        """Whether the truck was refused at the gate, also when that ticket is void now."""
        return self.reason_code is not None


class Run(Model):
    """One steady piece of a load as it happens: from ``starts`` at ``gph`` until ``ends``, or until it is stopped.

    A 'rest' is gallons still in the truck: they keep their room from ``starts`` until ``ends`` while nothing flows. One
    that was gone on with keeps its time with no gallons. ``measured``: the rate is what a gauge showed, not a plan.
    """

    __tablename__ = "run"
    __table_args__ = (
        CheckConstraint("ends > starts", name="ends_after_start"),
        CheckConstraint("gph > 0", name="rate_positive"),
        CheckConstraint(f"kind IN {tuple(kind.value for kind in RunKind)}", name="kind_known"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    load_id: Mapped[int] = mapped_column(ForeignKey("load.id"), index=True)
    point_id: Mapped[int] = mapped_column(ForeignKey("point.id"))
    day: Mapped[date] = mapped_column(index=True)
    starts: Mapped[datetime] = mapped_column(Utc)
    ends: Mapped[datetime] = mapped_column(Utc)
    gph: Mapped[int] = mapped_column(Integer)
    gallons: Mapped[int] = mapped_column(Integer)
    # Who of the plant's people stood by: named where the point is a manhole (§ 329-7 C(2)).
    supervised_by: Mapped[str] = mapped_column(String(200), default="", info=born(""))
    # There: why it is taken at a manhole at all (§ 329-7 C(2): under special circumstances).
    circumstances: Mapped[str] = mapped_column(Text, default="", info=born(""))
    kind: Mapped[str] = mapped_column(String(10), default=RunKind.RAN.value, info=born(RunKind.RAN.value))
    measured: Mapped[bool] = mapped_column(default=False, info=born(False))


class Excess(Model):
    """A measured rate above the hard limit (§ 329-7 F(3)): what the plant drew then, of which ``gph`` this load.

    Rates in gallons an hour. ``settled_at`` once the Director has written what was done.
    """

    __tablename__ = "excess"
    __table_args__ = (
        CheckConstraint("(settled_at IS NULL) = (settled_by IS NULL)", name="settled_by_somebody"),
        CheckConstraint("(settled_at IS NULL) OR (done <> '')", name="settled_with_words"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"), index=True)
    load_id: Mapped[int] = mapped_column(ForeignKey("load.id"), index=True)
    measured_at: Mapped[datetime] = mapped_column(Utc)
    gph: Mapped[int] = mapped_column(Integer)
    drawn_gph: Mapped[int] = mapped_column(Integer)
    hard_gph: Mapped[Decimal] = mapped_column(Exact)
    cite: Mapped[str] = mapped_column(String(200))
    entered_by: Mapped[str] = mapped_column(String(200))
    done: Mapped[str] = mapped_column(Text, default="")
    settled_at: Mapped[datetime | None] = mapped_column(Utc)
    settled_by: Mapped[str | None] = mapped_column(String(200))
    law_version: Mapped[str] = mapped_column(String(64))


class Result(Model):
    """One laboratory result of a load's sample, as the lab wrote it and as we read it."""

    __tablename__ = "result"
    __table_args__ = (
        UniqueConstraint("load_id", "parameter"),
        CheckConstraint("qualifier IN ('', '<', '>')", name="qualifier_known"),
        CheckConstraint("parameter IN ('BOD5', 'TSS', 'P', 'TN', 'NH3-N', 'pH')", name="parameter_known"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    load_id: Mapped[int] = mapped_column(ForeignKey("load.id"), index=True)
    parameter: Mapped[str] = mapped_column(String(10))
    typed: Mapped[str] = mapped_column(String(60))
    qualifier: Mapped[str] = mapped_column(String(1))
    value: Mapped[Decimal] = mapped_column(Exact)
    unit: Mapped[str] = mapped_column(String(10))
    entered_at: Mapped[datetime] = mapped_column(Utc)
    entered_by: Mapped[str] = mapped_column(String(200))
    # What the laboratory says of it: how and by whom it was found, its own number of the sample, and the days.
    method: Mapped[str] = mapped_column(String(100), default="", info=born(""))
    analyst: Mapped[str] = mapped_column(String(100), default="", info=born(""))
    lab_number: Mapped[str] = mapped_column(String(60), default="", info=born(""))
    sampled_on: Mapped[date | None] = mapped_column(info=born(None))
    received_on: Mapped[date | None] = mapped_column(info=born(None))
    analysed_on: Mapped[date | None] = mapped_column(info=born(None))
    # What was asked about before it was kept ("outside 440 to 78,600 mg/L"), and the file it came in; "" for neither.
    asked: Mapped[str] = mapped_column(String(200), default="", info=born(""))
    source: Mapped[str] = mapped_column(String(200), default="", info=born(""))
    # The laboratory's limits of detection and of quantitation, where it states them, in the unit of the result.
    lod: Mapped[Decimal | None] = mapped_column(Exact, info=born(None))
    loq: Mapped[Decimal | None] = mapped_column(Exact, info=born(None))


class WrittenRecord(Model):
    """The written documentation of a load (§ 329-7 C(3)), once it is filed.

    ``sources`` is the whole of it in words. ``places`` are the places named, each with its gallons and whether it was
    approved; [] for a record in words only. ``corrections`` stand beside it, oldest first: what each says, who filed
    it, when and why; the record itself is never changed. ``unapproved`` counts the places that were not approved in
    what was said last.
    """

    __tablename__ = "written_record"
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    load_id: Mapped[int] = mapped_column(ForeignKey("load.id"), unique=True)
    filed_at: Mapped[datetime] = mapped_column(Utc)
    filed_by: Mapped[str] = mapped_column(String(200))
    on_behalf: Mapped[bool]
    sources: Mapped[str] = mapped_column(Text)
    places: Mapped[list[dict[str, Any]]] = mapped_column(Json, default=list, info=born([]))
    unapproved: Mapped[int] = mapped_column(Integer, default=0, info=born(0))
    corrections: Mapped[list[dict[str, Any]]] = mapped_column(Json, default=list, info=born([]))

    @property
    def versions(self) -> list["RecordVersion"]:
        """The record as it was filed and as each correction has it, oldest first."""
        first = RecordVersion(self.filed_at, self.filed_by, self.on_behalf, self.sources, self.places, "")
        return [first, *(
            RecordVersion(datetime.fromisoformat(one["at"]), one["by"], one["on_behalf"], one["sources"], one["places"],
                          one["why"])
            for one in self.corrections
        )]  # fmt: skip


@dataclass(frozen=True)
class RecordVersion:
    """What a written record says: as it was filed, or as a correction has it, which says ``why``."""

    at: datetime
    by: str
    on_behalf: bool
    sources: str
    places: list[dict[str, Any]]
    why: str

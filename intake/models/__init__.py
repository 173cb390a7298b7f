"""Tables of what haulers bring: plans, loads, tests, restrictions, flow."""

from intake.models.loads import Load, Result, Run, WrittenRecord
from intake.models.plans import Booking, DayRow, PlannedSession, Point
from intake.models.plant_state import FlowReading, Hold, Restriction, RestrictionUpdate

__all__ = ["Booking", "DayRow", "FlowReading", "Hold", "Load", "PlannedSession", "Point", "Restriction",
           "RestrictionUpdate", "Result", "Run", "WrittenRecord"]  # fmt: skip

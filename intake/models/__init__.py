"""Tables of what haulers bring: plans, loads, tests, restrictions, flow."""

from intake.models.costs import LoadCost
from intake.models.feeds import FeedAddress
from intake.models.gate import Elsewhere, RestRefused, SetAside
from intake.models.incidents import Incident, IncidentWord, WasteFinding
from intake.models.loads import Excess, Load, Result, Run, WrittenRecord
from intake.models.plans import Booking, DayRow, ManholePermission, PlannedSession, Point, PointTerms
from intake.models.plant_state import FlowReading, Hold, Restriction, RestrictionUpdate
from intake.models.sampling import (
    CustodyStep,
    LabelReprint,
    LabelRun,
    MoreTests,
    OwnSheet,
    Retest,
    SamplingDraw,
    SamplingPlan,
    SamplingRule,
    SamplingSecret,
)
from intake.models.signatures import Signature
from intake.models.special import SpecialTime
from intake.models.tablets import BlankTicket, OfflineLoad, OfflineState, Tablet, TabletSeen
from intake.models.tank import TankReading, TankTerms
from intake.models.waiting import FreedRoom, RoomOffer, Wait

__all__ = ["BlankTicket", "Booking", "CustodyStep", "DayRow", "Elsewhere", "Excess", "FeedAddress", "FlowReading",
           "FreedRoom", "Hold", "Incident", "IncidentWord", "LabelReprint", "LabelRun", "Load", "LoadCost",
           "ManholePermission", "MoreTests", "OfflineLoad", "OfflineState", "OwnSheet", "PlannedSession", "Point",
           "PointTerms", "RestRefused", "Restriction", "RestrictionUpdate", "Result", "Retest", "RoomOffer", "Run",
           "SamplingDraw",
           "SamplingPlan", "SamplingRule", "SamplingSecret", "SetAside", "Signature", "SpecialTime", "Tablet",
           "TabletSeen", "TankReading", "TankTerms", "Wait", "WasteFinding", "WrittenRecord"]  # fmt: skip

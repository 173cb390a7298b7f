"""Tables of who may come: businesses, applications, the committee's decisions, approvals, what is enforced."""

from haulers.models.applications import Application, ApplicationChange, ApplicationFile, ApplicationSource, FilingFee
from haulers.models.approvals import AllowanceLine, Amendment, Approval, Reinstatement
from haulers.models.businesses import Business, Driver, Insurance, Licence, Truck, TruckOfBusiness
from haulers.models.committee import (
    CarryOver,
    Decision,
    Meeting,
    MeetingCorrection,
    MemberNote,
    Motion,
    Referral,
    Vote,
)
from haulers.models.enforcement import Review, ReviewStep, Revocation, Suspension, Violation

__all__ = ["AllowanceLine", "Amendment", "Application", "ApplicationChange", "ApplicationFile", "ApplicationSource",
           "Approval", "Business", "CarryOver", "Decision", "Driver", "FilingFee", "Insurance", "Licence", "Meeting",
           "MeetingCorrection", "MemberNote", "Motion", "Referral", "Reinstatement", "Review", "ReviewStep",
           "Revocation", "Suspension", "Truck", "TruckOfBusiness", "Violation", "Vote"]  # fmt: skip

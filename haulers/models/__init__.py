"""Tables of who may come: businesses and trucks, applications, the committee's decisions, approvals."""

from haulers.models.applications import Application, ApplicationSource, FilingFee
from haulers.models.approvals import Approval, Revocation
from haulers.models.businesses import Business, Licence, Truck, TruckOfBusiness
from haulers.models.committee import Decision, Meeting, Motion, Vote

__all__ = ["Application", "ApplicationSource", "Approval", "Business", "Decision", "FilingFee", "Licence", "Meeting",
           "Motion", "Revocation", "Truck", "TruckOfBusiness", "Vote"]  # fmt: skip

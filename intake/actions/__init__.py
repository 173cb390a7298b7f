"""The acts of this room. Each returns rows or a Refusal and never commits."""

from intake.actions.booking import book_discharge, cancel_booking
from intake.actions.excess import settle_excess
from intake.actions.flow import open_point
from intake.actions.flow_readings import import_flow
from intake.actions.lab import enter_result
from intake.actions.records import file_record
from intake.actions.restriction import lift_restriction, restrict_plant
from intake.actions.running import change_rate, pause_load, resume_load, run_on, stop_all
from intake.actions.special import arrange_special, ask_special
from intake.actions.station import continue_load, finish_load, log_load, refuse_load, void_load
from intake.actions.stop import stop_load

__all__ = [
    "arrange_special",
    "ask_special",
    "book_discharge",
    "cancel_booking",
    "change_rate",
    "continue_load",
    "enter_result",
    "file_record",
    "finish_load",
    "import_flow",
    "lift_restriction",
    "log_load",
    "open_point",
    "pause_load",
    "refuse_load",
    "restrict_plant",
    "resume_load",
    "run_on",
    "settle_excess",
    "stop_all",
    "stop_load",
    "void_load",
]

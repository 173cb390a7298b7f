"""The acts of this room."""

from haulers.actions.applications import file_application, withdraw_application
from haulers.actions.changes import answer_change, ask_change, open_asked_change, open_change, refuse_change
from haulers.actions.correcting import correct_decision
from haulers.actions.credentials import add_insurance, add_licence, verify_licence
from haulers.actions.decision_rules import exception_codes
from haulers.actions.decisions import conditions_of, decide_applications
from haulers.actions.drafts import save_answers, save_draft, start_late, use_last_answers
from haulers.actions.drivers import add_driver, list_driver
from haulers.actions.fees import may_pay_fee, record_filing_fee, waive_filing_fee
from haulers.actions.files import add_file, remove_file
from haulers.actions.issue import check_issue, issue_letters
from haulers.actions.late import ask_late, take_late
from haulers.actions.motions import body_words, put_motion
from haulers.actions.paper import enter_application
from haulers.actions.plans import disposal_plan
from haulers.actions.receipts import fee_due_words, fee_words
from haulers.actions.registration import SHORTEST_PASSWORD, acting_for, change_company, register_business
from haulers.actions.revocation import booking_words, check_revocation, letter_data, revoke_approval
from haulers.actions.roll_call import quorum_of
from haulers.actions.taken_in import change_words
from haulers.actions.trucks import add_truck, retire_truck
from haulers.queries.motion_lines import DecisionLine, Limit, RollCall

__all__ = [
    "SHORTEST_PASSWORD", "DecisionLine", "Limit", "RollCall", "acting_for", "add_driver", "add_file", "add_insurance",
    "add_licence", "add_truck", "answer_change", "ask_change", "ask_late", "body_words", "booking_words",
    "change_company", "change_words", "check_issue", "check_revocation", "conditions_of", "correct_decision",
    "decide_applications",
    "disposal_plan", "enter_application", "exception_codes", "fee_due_words", "fee_words", "file_application",
    "issue_letters", "letter_data", "list_driver", "may_pay_fee", "open_asked_change", "open_change", "put_motion",
    "quorum_of", "record_filing_fee", "refuse_change", "register_business", "remove_file", "retire_truck",
    "revoke_approval", "save_answers", "save_draft", "start_late", "take_late", "use_last_answers", "verify_licence",
    "waive_filing_fee",
    "withdraw_application",
]  # fmt: skip

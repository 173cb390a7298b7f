"""What this room tells others: the only door by which the rooms above come in."""

from haulers.models import AllowanceLine, Approval, Truck
from haulers.queries.applications import (
    SourceLine,
    Totals,
    application,
    application_for,
    application_numbered,
    applications_of,
    as_line,
    asked_late,
    decisions_of,
    filed,
    incomplete_sources,
    last_sent,
    seasons_with_applications,
    sources_of,
    totals,
)
from haulers.queries.approvals import (
    Listed,
    allowance,
    allowances_of,
    approval,
    approval_in_force,
    approvals_in_force,
    approved_gallons,
    begins_words,
    carried_until,
    granted,
    held_on,
    hold_approval,
    in_force_on,
    last_approvals,
    last_of,
    limits_of,
    lines_of,
    listed,
    lock_approval,
    replaced_by,
    replacement_of,
    revocation_of,
    revocations_of,
    revoked,
    suspended_words,
    suspension_of,
    with_replaced,
)
from haulers.queries.approved_trucks import approved_trucks, approved_trucks_of, truck_covered
from haulers.queries.businesses import (
    TruckLine,
    business,
    business_names,
    business_of_party,
    businesses_at,
    claimed_by_others,
    find_businesses,
    folded,
    licence_holds,
    licence_of,
    licences_of,
    own_business,
    parties_of,
    party_of_business,
    truck,
    trucks_at,
    trucks_of,
    uses_truck,
)
from haulers.queries.committee import Recorded, approval_of, motions_of, recorded
from haulers.queries.coverage import covered, covered_of, waste_covered, waste_words
from haulers.queries.decisions import current_decisions, issued_decisions, taken_gallons, waiting_decisions
from haulers.queries.draft_marks import mark_of
from haulers.queries.enforcement import suspensions_of, violations_of
from haulers.queries.filing_fees import Fee, fees_of, standing_charge
from haulers.queries.last_days import last_day, last_days, until_words
from haulers.queries.new_sources import ApprovedPlace, approved_places, approved_sources
from haulers.queries.papers import (
    certificates_block,
    driver_wrong,
    drivers_at_work,
    insurance_needed,
    insurances_of,
    papers_note,
    papers_wrong,
)
from haulers.queries.review import ReviewRow, ReviewTable, review_table
from haulers.queries.rules import revocation_rules
from haulers.queries.spans import Spans, spans
from haulers.queries.standing import Standing, standing
from haulers.queries.warnings import Warned, load_warnings
from haulers.queries.windows import Shut, shut_window

__all__ = [
    "AllowanceLine", "Approval", "ApprovedPlace", "Fee", "Listed", "Recorded", "ReviewRow", "ReviewTable", "Shut",
    "SourceLine", "Spans", "Standing", "Totals", "Truck", "TruckLine", "Warned", "allowance", "allowances_of",
    "application", "application_for", "application_numbered", "applications_of", "approval", "approval_in_force",
    "approval_of", "approvals_in_force", "approved_gallons", "approved_places", "approved_sources",
    "approved_trucks", "approved_trucks_of", "as_line", "asked_late", "begins_words", "business", "business_names",
    "business_of_party", "businesses_at", "carried_until", "certificates_block", "claimed_by_others", "covered",
    "covered_of", "current_decisions", "decisions_of", "driver_wrong", "drivers_at_work", "fees_of", "filed",
    "find_businesses", "folded", "granted", "held_on", "hold_approval", "in_force_on", "incomplete_sources",
    "insurance_needed", "insurances_of", "issued_decisions", "last_approvals", "last_day", "last_days", "last_of",
    "last_sent", "licence_holds", "licence_of", "licences_of", "limits_of", "lines_of", "listed", "load_warnings",
    "lock_approval", "mark_of", "motions_of", "own_business", "papers_note", "papers_wrong", "parties_of",
    "party_of_business", "recorded", "replaced_by", "replacement_of", "review_table", "revocation_of",
    "revocation_rules", "revocations_of", "revoked", "seasons_with_applications", "shut_window", "sources_of",
    "spans", "standing", "standing_charge", "suspended_words", "suspension_of", "suspensions_of", "taken_gallons",
    "totals", "truck", "truck_covered", "trucks_at", "trucks_of", "until_words", "uses_truck", "violations_of",
    "waiting_decisions", "waste_covered", "waste_words", "with_replaced",
]  # fmt: skip

"""The table of who may open which page; `act_roles` is that of acts. A new page or act must be entered by hand.

Each key is the roles, in the order a record names them; below it the pages' endpoints.
"""


def by_roles(table: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """The table turned round: the roles of each name."""
    return {name: tuple(roles.split()) for roles, names in table.items() for name in names.split()}


# Pages of libraries: sign-in and passwords are Flask-Security's, with our forms and templates.
NOT_OURS = {
    "bootstrap.static",
    "security.change_password",
    "security.forgot_password",
    "security.login",
    "security.logout",
    "security.reset_password",
    "security.static",
    "security.verify",
    "static",
}

PAGE_ROLES = by_roles(
    {
        "administrator": """
        office.end_person_role
        office.people
    """,
        "clerk": """
        intake.enter_plan
        intake.load_charge_anew
        billing.account_ledger
        billing.aging
        billing.export_ledger
        billing.send_again
        intake.records_made
        intake.records_request
        intake.records_zip
        billing.exported
        billing.ledger_file
        billing.sent_statement
        billing.statement
        billing.statement_pdf
        billing.check_returned
        billing.credit
        billing.draw
        billing.credit_invoice
        billing.damage
        billing.damage_dispute
        billing.dispute_step
        billing.evidence
        billing.disputes
        billing.new_damage
        billing.new_dispute
        billing.spread
        billing.void_invoice
        billing.write_off
        billing.invoice
        billing.invoice_pdf
        billing.invoices
        billing.ledger
        billing.new_payment
        billing.receipt
        billing.receipt_pdf
        billing.holds
        billing.refund
        billing.release
        billing.reverse
        billing.run_invoices
        haulers.asked_change
        haulers.open_account
        haulers.filing
        haulers.appeal_fee_page
        haulers.filing_fee
        haulers.filings
        haulers.issue_motion_letters
        haulers.letter_queue
        haulers.meeting_correct
        haulers.open_change
        haulers.paper
        haulers.paper_amend
        haulers.paper_amend_withdraw
        haulers.paper_change
        haulers.paper_withdraw
        haulers.print_all
        haulers.print_letter
        haulers.print_list
        haulers.print_motion_letters
        haulers.refuse_change
        haulers.waive_fee
        haulers.wrong_entry
        intake.clerk_home
    """,
        "director": """
        intake.decide_plan
        intake.rate_over
        intake.testing_letter
        intake.testing_letters
        haulers.approvals
        haulers.lift_hold
        haulers.revoke
        haulers.suspend
        intake.end_over
        intake.limit_order
        intake.limit_withdraw
        intake.lift
        intake.mistake
        intake.restrict
        intake.update
    """,
        "hauler_owner": """
        intake.attach_sheet
        intake.my_sheet
        intake.my_sampling
        intake.propose_plan
        intake.my_draws
        intake.my_testing
        haulers.amend
        haulers.amend_withdraw
        haulers.my_approval
        billing.money
        billing.my_sent_statement
        billing.my_damage
        billing.my_evidence
        billing.my_statement
        billing.my_statement_pdf
        billing.my_invoice_page
        billing.my_invoice_pdf
        billing.my_receipt_pdf
        haulers.apply_season
        haulers.ask_change
        haulers.change
        haulers.change_truck_page
        haulers.check
        haulers.company
        haulers.driver
        haulers.drivers
        haulers.end_person
        haulers.fee_way
        haulers.files
        haulers.insurance
        haulers.late
        haulers.letter
        haulers.letters
        haulers.license_page
        haulers.own_file_page
        haulers.people
        haulers.remove_driver
        haulers.remove_file_page
        haulers.remove_insurance
        haulers.remove_license
        haulers.remove_truck
        haulers.saved
        haulers.season
        haulers.sent
        haulers.sources
        haulers.take_off_driver
        haulers.trucks
        haulers.unusual
        haulers.use_last
        haulers.withdraw
        intake.book
        intake.booking_file
        intake.hauler_calendar
        intake.ask_waiting
        intake.book_again
        intake.my_waiting
        intake.book_check
        intake.book_times
        intake.booked
        intake.cancel
        intake.hauler_booking
        intake.hauler_bookings
        intake.hauler_home
        intake.hauler_load
        intake.hauler_loads
        intake.hauler_loads_file
        intake.hauler_ticket_pdf
        intake.special_ask
        intake.special_one
    """,
        "driver": """
        intake.driver_booking
        intake.driver_home
        intake.driver_load
    """,
        "hauler_owner driver": """
        intake.gate_slip
        intake.hauler_elsewhere
        intake.hauler_record
        intake.hauler_record_correct
    """,
        "person": """
        office.account_home
    """,
        "public": """
        intake.accident_call
        intake.accident_where
        intake.on_tablet
        intake.station_worker
        intake.tablet_hello
        intake.tablet_load
        intake.take_up
        haulers.apply
        haulers.approved
        haulers.late_how
        haulers.register
        intake.calendar_feed
        intake.day_times
        intake.fees
        intake.notice
        intake.notices
        intake.public_flow
        intake.rules
        intake.status
        intake.status_atom
        intake.status_json
        intake.status_txt
        intake.week
        office.favicon
        office.find_plant
        office.healthz
        office.set_up
    """,
        "administrator clerk": """
        office.admin
        billing.announce
        billing.law
        billing.law_file
        billing.law_letter
        billing.laws
        billing.new_amounts
        billing.new_law
        billing.rise
        billing.rise_letter
        billing.rises
        billing.take_back_law
        billing.tell_of_law
        billing.tell_others
        billing.withdraw_law
        office.amounts
        office.review_rights
    """,
        "clerk plant_manager": """
        intake.load_cost_back
        intake.load_costs
    """,
        "committee_member clerk": """
        haulers.decide_changes
        haulers.reinstate
        haulers.correct
        haulers.decide
        haulers.other_motion
        haulers.other_motions
    """,
        "clerk director": """
        intake.finding_council
        haulers.licenses
        haulers.new_review
        haulers.one_license
    """,
        "director clerk": """
        haulers.enforcement
        haulers.new_violation
        haulers.revoked
        haulers.violation
    """,
        "hauler_owner driver operator plant_manager director clerk committee_member administrator person": """
        intake.accident
        intake.accident_report
    """,
        "director plant_manager": """
        intake.station_set_aside
        intake.rates_over
        intake.director_home
        intake.end_manhole_approval
        intake.flow
        intake.flow_change
        intake.limit_change
        intake.limit_inputs
        intake.manhole_approval
        intake.restriction
        intake.settle
        intake.special_terms
        intake.unmeasured
    """,
        "operator plant_manager clerk": """
        intake.load_elsewhere
    """,
        "operator plant_manager": """
        intake.samples
        intake.sample_step
        intake.lab
        intake.lab_change
        intake.lab_import
        intake.lab_lost
        intake.lab_back
        intake.load_record
        intake.load_record_correct
    """,
        "clerk committee_member director": """
        haulers.staff_file_page
        haulers.staff_letter
    """,
        "director clerk administrator": """
        haulers.design
    """,
        "committee_member clerk director": """
        haulers.ask_more
        haulers.asked_changes
        haulers.committee
        haulers.duties
        haulers.meeting
        haulers.motion
        haulers.one_application
        haulers.review
        haulers.packet
        haulers.worksheet
    """,
        "operator plant_manager director": """
        intake.load_more_tests
        intake.blank_spoiled
        intake.blank_tickets
        intake.blank_tickets_pdf
        intake.paper_load
        intake.give_up_load
        intake.offline_load
        intake.offline_refusal
        intake.offline_run
        intake.waiting_load
        intake.waiting_loads
        intake.bottle_labels
        intake.labels_again
        intake.labels_again_pdf
        intake.labels_pdf
        intake.sample
        intake.daily_flow
        intake.flow_day
        intake.flow_import
        intake.load_continue
        intake.load_correct
        intake.load_finish
        intake.load_more
        intake.load_pause
        intake.load_rate
        intake.load_rest
        intake.load_resume
        intake.load_sign
        intake.load_start
        intake.load_stop
        intake.load_void
        intake.special_supervised
        intake.station_load
        intake.station_refuse
        intake.station_resume_all
        intake.station_stop_all
        intake.station_tank
        intake.station_today
    """,
        "plant_manager director administrator": """
        intake.receiving_point
        intake.receiving_points
        intake.receiving_tank
    """,
        "plant_manager director clerk administrator": """
        intake.close
        intake.closure
        intake.closure_calendar
        intake.holidays
        intake.remove_closure
    """,
        "operator plant_manager director clerk": """
        intake.plant_sheet
        intake.new_tests
        intake.waste_finding
        intake.waste_findings
        intake.sampling_plan_of
        intake.sampling_plans
        intake.day_sheet
        intake.testing
        intake.testing_draws
        intake.testing_of
        intake.lost_bookings
        intake.ticket_pdf
        intake.ticket_roll
    """,
        "operator plant_manager director clerk state_viewer": """
        intake.accidents
        intake.load_ticket
        intake.loads_file
        intake.plant_loads
    """,
        "administrator clerk director plant_manager state_viewer": """
        office.history
    """,
        "operator plant_manager director clerk administrator": """
        office.message
        office.messages
    """,
        "hauler_owner clerk operator plant_manager director": """
        intake.answer
        intake.leave
        intake.booking_driver
        intake.move
        intake.move_check
        intake.move_times
    """,
        "clerk operator plant_manager director": """
        intake.no_show
        intake.phone
        intake.phone_waiting
        intake.plant_waiting
        intake.phone_check
        intake.phone_load
        intake.phone_times
        intake.plant_booking
        intake.plant_bookings
        intake.plant_cancel
        intake.special_decide
        intake.special_letter
        intake.special_list
        intake.special_phone
        intake.special_whose
        intake.undo
    """,
        "plant_manager director": """
        intake.one_new_test
        intake.finding_end
        intake.new_finding
        intake.accident_close
        intake.one_tablet
        intake.tablet_list
    """,
        "hauler_owner operator plant_manager director clerk": """
        intake.ask_new_tests
        intake.take_back_new_tests
    """,
    }
)

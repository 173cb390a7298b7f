"""The table of who may do which act. Each key is the roles, in the order a record names them; below it the acts."""

from tests.house.roles import by_roles

ACT_ROLES = by_roles(
    {
        "plant_manager": """
        enrol_tablet
        renew_tablet_link
        set_point
        set_tank
    """,
        "administrator": """
        end_role
    """,
        "committee_member": """
        keep_note
    """,
        "clerk": """
        add_evidence
        charge_damage
        charge_load_anew
        draw_deposit
        dispute_damage
        refund_credit
        hand_out
        send_invoice_again
        send_statement
        change_on_paper
        correct_meeting
        enter_amendment
        enter_application
        issue_letters
        note_posted
        open_asked_change
        record_appeal_fee
        charge_trucks
        record_filing_fee
        refund_appeal_fee
        refuse_change
        take_back_entry
        waive_filing_fee
        withdraw_amendment_on_paper
        withdraw_on_paper
    """,
        "director": """
        approve_sampling_plan
        return_sampling_plan
        settle_excess
        set_testing_rule
        set_testing_rules
        end_over_limit
        lift_restriction
        lift_suspension
        put_flow_in_force
        restrict_plant
        revoke_approval
        set_limit
        suspend_approval
        update_restriction
        withdraw_limit
        withdraw_plant_row
    """,
        "hauler_owner": """
        attach_own_sheet
        add_driver
        add_insurance
        add_licence
        add_truck
        answer_change
        ask_amendment
        ask_change
        ask_late
        change_company
        change_driver
        change_truck
        end_access
        end_driver
        end_feed_address
        make_feed_address
        file_application
        invite_person
        list_driver
        remove_file
        retire_driver
        retire_truck
        save_answers
        save_draft
        say_no_drivers
        start_late
        take_back_insurance
        take_back_licence
        use_last_answers
        withdraw_amendment
        withdraw_application
    """,
        "system": """
        correct_all_late_charges
        take_offline_load
        resume_as_it_flowed
        stop_then
        mail_saved_draft
        offer_room
        plan_on
        tell_turn
        remind_committee
        remind_of_information
        remind_of_letters
        remind_of_paper
        remind_of_record
        remind_of_special
        tell_special_lapsed
        remind_of_window
        tell_clerk_of_paper
        warn_of_review_block
    """,
        "administrator system": """
        add_person
        adopt_law
        set_up_plant
    """,
        "hauler_owner clerk": """
        propose_sampling_plan
        add_file
    """,
        "clerk director": """
        record_council_answer
        close_review
        enter_review
        finish_review_step
        record_certified_mail
        add_violation_days
        correct_violation
        issue_violation
        verify_licence
    """,
        "clerk system": """
        add_late_charge
        charge_and_pay
        credit_charge
        credit_invoice
        hold_charges
        open_dispute
        release_charges
        return_check
        spread_payment
        take_dispute_on
        void_invoice
        write_off
        make_invoice
        make_invoices
        open_account
        pay_charge
        post_charges
        record_payment
        take_back_line
        reverse_entry
    """,
        "director plant_manager": """
        set_aside
        arrange_special
        decline_special
        end_manhole_permission
        permit_manhole
        quote_special
        set_special_terms
        settle_reading
    """,
        "operator plant_manager": """
        hand_over_samples
        correct_custody
        take_back_custody
        enter_result
        take_back_result
        enter_results
        import_results
        give_up_sample
    """,
        "plant_manager director clerk administrator": """
        change_closure
        close_day
        list_holidays
        remove_closure
    """,
        "public system": """
        open_desk
        register_business
    """,
        "committee_member clerk director": """
        make_packet
        make_worksheet
    """,
        "committee_member clerk": """
        ask_for_changes
        carry_over_approvals
        correct_decision
        decide_amendments
        decide_applications
        reinstate_approval
        table_applications
        take_late_requests
    """,
        "operator plant_manager director": """
        order_more_tests
        enter_paper_load
        issue_blanks
        spoil_blank
        enter_offline_load
        give_up_offline_load
        print_labels
        reprint_labels
        change_rate
        continue_load
        correct_flow
        correct_load
        enter_flow
        finish_load
        log_load
        pause_load
        read_tank
        record_supervision
        refuse_load
        refuse_rest
        resume_all
        resume_load
        run_on
        sign_load
        start_load
        stop_all
        stop_load
        void_load
    """,
        "director clerk administrator system": """
        set_plant_row
    """,
        "clerk plant_manager": """
        enter_load_cost
        take_load_cost_back
    """,
        "clerk administrator": """
        adopt_draft
        announce_rise
        draft_law
        take_back_law
        tell_of_law
        tell_of_rise
        withdraw_draft
    """,
        "hauler_owner driver operator plant_manager clerk": """
        file_elsewhere
    """,
        "hauler_owner driver operator plant_manager director clerk": """
        file_record
        correct_record
    """,
        "plant_manager director administrator system": """
        open_point
    """,
        "director plant_manager operator administrator system": """
        import_flow
    """,
        "hauler_owner clerk operator plant_manager director": """
        accept_special
        ask_special
        withdraw_special
        book_discharge
        answer_offer
        ask_to_wait
        cancel_booking
        leave_waiting
        move_booking
        name_driver
    """,
        "plant_manager director clerk administrator system": """
        set_closure
    """,
        "clerk committee_member director": """
        open_change
        take_late
    """,
        "clerk operator plant_manager director": """
        record_no_show
        undo_no_show
    """,
        "public": """
        take_up_tablet
    """,
        "plant_manager director": """
        answer_retest
        finish_retest
        correct_retest
        end_finding
        record_finding
        close_incident
        revoke_tablet
    """,
        "system operator plant_manager director": """
        register_late
    """,
        "hauler_owner driver operator plant_manager director clerk committee_member administrator person": """
        add_incident_words
        report_incident
    """,
        "hauler_owner operator plant_manager director clerk": """
        ask_retest
        take_back_retest
    """,
    }
)

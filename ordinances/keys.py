"""The table of keys: name | kind | title | unit | options.

After a name: * the window programme needs it, ! every programme needs it, + the plant sets it by its own dated rows.
"""

TABLE = """
# Programme
programme.kind! | choice | What the plant offers | | @programmes
programme.basis | text | The state law this rests on
programme.who | names | Who may unload
programme.agreement_with | text | Who makes the agreement
programme.agreement_terms | text | What an agreement must keep to
programme.redirect | text | Who takes this waste instead
programme.redirect_note | text | Words for those turned away
programme.capacity_reserve | choice | Capacity kept for residents | | informational, binding
programme.marina | choice | Marina pump-outs | | out_of_scope
programme.arbiter | text | Who settles differences of opinion
programme.amended_by | text | How the text is changed

# Applications
application.to* | choice | Who applications go to | | @roles
application.form_opens* | month_day | Forms and drafts from
application.opens* | month_day | Filing opens
application.closes* | month_day | Filing closes
application.close_inclusive* | flag | The closing day counts
application.close_roll | choice | A closing day on a holiday or weekend | | none, next_open_day
application.paper_roll | choice | The same for an application on paper | | none, next_open_day
application.late* | choice | A late application | | ask_committee, refuse
application.in_writing | flag | In writing, on the form
application.asks* | names | What each source must state
application.fee_set_by* | choice | Who sets the filing fee | | @roles
application.fee_refundable | flag | The filing fee is refunded
application.fee_blocks_filing | flag | The decision waits for the filing fee

# Decision
decision.body* | choice | Who decides | | @roles
decision.opens* | month_day | Applications are evaluated from
decision.by* | month_day | Decided by, that day included
decision.overdue* | choice | An application not decided in time | | pending
decision.settles | names | What a decision settles
decision.outcomes | names | What a decision may be
decision.first_consideration | choice | First in line when not all fits | | source_in_area, hauler_in_area
decision.allocation_method | choice | How what fits is shared | | pro_rata, equal
decision.alarm_days | names | Reminders after the date | days
decision.conflict | choice | Someone's own application | | recuse
decision.quorum | choice | Members needed to decide | | majority
decision.carry_over_days | integer | Last season's approvals may be carried over for | days
decision.carry_over_from | month_day | Carrying approvals over may be voted from

# Approval
approval.from* | month_day | An approval runs from
approval.to* | month_day | An approval runs to
approval.covers* | choices | Waste an approval covers | | @wastes
approval.condition* | text | The condition in every approval
approval.plan_required | flag | A disposal plan goes with it
approval.points_by | choice | Who sets places, times and conditions | | @roles
approval.licence | flag | A state license is needed as well
approval.insurance | flag | Liability insurance is needed as well
approval.certificates | choice | Drivers' state certificates | | none, shown, needed
approval.sticker | flag | The state's sticker on each truck is needed as well
gate.set_aside | choices | What may be set aside for one load | | @gate_answers
gate.set_aside_by | choice | Who may set it aside, in writing | | @roles

# Restriction
restriction.by* | choice | Who may restrict unloading | | @roles
restriction.reasons* | names | Reasons for restricting
restriction.related | text | What the reason must have to do with
restriction.immediate | flag | Takes effect at once
restriction.scopes | names | What may be restricted
restriction.until | text | How long it lasts

# Hours
hours.days* | weekdays | Days for unloading
hours.opens* | time | Unloading from
hours.closes* | time | Unloading to
hours.rule* | choice | By the closing hour | | finish_by
hours.grace_minutes | integer | Grace after the closing hour | minutes
hours.holidays* | choice | The plant's holidays | | closed, open
hours.normal_hours | choice | Normal working hours and unloading hours | | narrower_wins
hours.supervised | flag | Only under supervision
hours.special_by | choice | Who may arrange other times | | @roles
hours.work_opens+ | time | Normal working hours at the plant from
hours.work_closes+ | time | Normal working hours at the plant to

# Booking
booking.cancel_hours | integer | A booking is cancelled late within | hours
booking.late_cancel | choice | What follows a late cancellation | | nothing, recorded
booking.answer_hours | integer | Time to answer an offer from the waiting list | hours
booking.ahead_days | integer | A booking is made at most ahead | days
booking.run_on_minutes | integer | After its end a truck may still be told of as running on for | minutes

# Rate
rate.flow_gpd* | integer | Flow the limit is stated for | gallons a day
rate.percent* | decimal | Share of the flow | percent
rate.plan_gph* | integer | Limit for planning | gallons an hour
rate.hard_gph* | integer | Limit for a measured rate | gallons an hour
rate.printed_flow_gph | integer | Plant flow as the text works it out | gallons an hour
rate.scope | choice | What the limit holds for | | plant
rate.basis | choice | Which flow counts | | stated, rolling_mean
rate.basis_days | integer | Recorded days the mean is taken of | days
rate.basis_short | choice | Fewer recorded days than that | | stated, closed
rate.rounding | choice | Rounding under another flow | | down
rate.bleed | flag | At a slow and continuous rate
rate.purposes | names | What a restricted rate is for
rate.lower | lower | Lower limits for part of a day or a year
rate.high_flow_gpd | integer | No unloading at a flow above | gallons a day
rate.low_flow_gpd | integer | Not open at a flow below | gallons a day
rate.bod_lb_day | integer | BOD5 from all hauled waste | pounds a day
rate.bod_mg_l | integer | BOD5 strength the pounds are reckoned with | mg/L
rate.own_ceiling_gph+ | integer | The Director's own limit | gallons an hour
rate.own_lower+ | lower | The Director's lower limits for part of a day or a year
rate.own_high_flow_gpd+ | integer | No unloading at a flow above, by the Director | gallons a day
rate.own_low_flow_gpd+ | integer | Not open at a flow below, by the Director | gallons a day
rate.own_bod_lb_day+ | integer | BOD5 from all hauled waste, by the Director | pounds a day
rate.flow_in_force_gpd+ | integer | Flow in force at this plant | gallons a day
plant.design_bod+ | integer | What the plant is built for: BOD5 | pounds a day
plant.design_tss+ | integer | What the plant is built for: TSS | pounds a day

# Charges
fees.volume_per_gal* | money | Unloading | a gallon
fees.volume_basis | choice | Gallons charged | | measured_else_declared, declared, capacity
fees.test* | money | Testing a load | a test charge
fees.test_unit* | choice | What one test charge covers | | load, test
fees.test_parameters* | names | What a load is tested for
fees.test_applies_to | choice | Loads that are tested and charged | | all, non_residential
fees.extra_test* | money | Each further test | a test
fees.special_per_test* | money | Unloading at other times, for each test | a test
fees.special_min_hours* | decimal | Unloading at other times, at least | hours
fees.special_round_hours* | decimal | Unloading at other times, rounded up to | hours
fees.special_wage_role | choice | Whose hourly wage | | person_supervising, superintendent, plant_manager, director
fees.special_weekends* | flag | Other times on weekends too
fees.strength_surcharge* | choice | Strength surcharge on septage | | none, older, table_2007
fees.surcharge_2007_bod | money | Connected customers, table of 2007: BOD5 | a pound
fees.surcharge_2007_tss | money | Connected customers, table of 2007: TSS | a pound
fees.surcharge_2007_p | money | Connected customers, table of 2007: phosphorus | a pound
fees.surcharge_older_bod | money | Industry, older table: BOD5 | a pound
fees.surcharge_older_tss | money | Industry, older table: TSS | a pound
fees.special_charge | flag | A special charge for industrial waste beyond the surcharges
fees.rates_by | text | Who sets the rates
fees.filing+ | money | Filing fee | an application
fees.appeal+ | money | Fee of an appeal | an appeal
fees.wage+ | money | Hourly wage for other times | an hour

# Testing
testing.facilities_by | choice | Who provides what sampling needs | | @roles
testing.facilities_approved_by | choice | Who approves what sampling needs | | @roles
testing.by | choice | Who samples and tests | | @roles
testing.regime | choice | Which loads are tested | | every_load, spot
testing.spot_for | choice | Spot tests are settled for | | each_hauler
testing.spot_by | choice | Who may allow spot tests, in writing | | @roles
testing.more_by | names | Who may ask for more tests
testing.more_cost | choice | What further tests cost | | cost_or_extra_test
testing.methods | texts | Methods
testing.approved_by | choice | Who approves sampling | | @roles
testing.access | flag | The plant's laboratory may reach the sampling place
testing.retest_hours | integer | A test asked for by the customer runs at least | hours
testing.result_prevails | flag | The authority's own result is binding for charges
testing.result_days | integer | A result is missing after | days
strength.lb_factor* | decimal | Pounds from milligrams per liter | pounds per gallon
strength.normal_bod | integer | Normal strength: BOD5 | mg/L
strength.normal_tss | integer | Normal strength: TSS | mg/L
strength.normal_p | integer | Normal strength: phosphorus | mg/L
strength.normal_nh3n | integer | Normal strength: ammonia nitrogen | mg/L
strength.typical_septic_tank_bod | integer | Typical strength of septic tank waste: BOD5 | mg/L
strength.typical_septic_tank_tss | integer | Typical strength of septic tank waste: TSS | mg/L
strength.typical_holding_tank_bod | integer | Typical strength of holding tank waste: BOD5 | mg/L
strength.typical_holding_tank_tss | integer | Typical strength of holding tank waste: TSS | mg/L
strength.typical_portable_toilet_bod | integer | Typical strength of portable toilet waste: BOD5 | mg/L
strength.typical_portable_toilet_tss | integer | Typical strength of portable toilet waste: TSS | mg/L

# Written record
record.due_working_days* | integer | The written record is due within | working days
record.filed_by* | choice | Who files it | | @roles
record.to | choice | Who gets it | | @roles
record.bars_booking | flag | No new booking while a written record is overdue
record.told_days | integer | A load told of later is looked at by a person first | days

# Billing
billing.period* | choice | Invoices | | monthly, bimonthly, per_load
billing.automatic | flag | Invoices are made by themselves once their time has come
billing.due_day | integer | An invoice is due in the month after it by day | of the month
billing.late_days | integer | An invoice is due within | days
billing.late_percent | decimal | Late charge | percent
billing.late_once | flag | The late charge comes once
billing.late_months | integer | While it is unpaid, added again every | months
billing.late_base | choice | What the late charge is taken of | | unpaid_current_period, unpaid
billing.gate_hold_days | integer | The gate is shut to who has not paid after the due day for | days
billing.tax_roll | choice | Unpaid charges and the tax roll | | none, property_accounts
billing.tax_roll_cutoff | month_day | Unpaid before this day goes to the county

# Waste limits
limits.ph_low | limit | pH too low
limits.ph_high | limit | pH too high
limits.temp_high | limit | Temperature
limits.flammable | limit | Flammable or explosive
limits.toxic | limit | Toxic or poisonous
limits.corrosive | limit | Corrosive
limits.solids | limit | Solid or viscous, able to block a sewer
limits.fog_high | limit | Fats, wax, grease or oils
limits.solidifying | limit | Substances that may turn solid or viscous
limits.solidify_from_f | integer | They may turn solid or viscous from | °F
limits.solidify_to_f | integer | They may turn solid or viscous up to | °F
limits.petroleum_high | limit | Petroleum and mineral oil
limits.garbage | limit | Garbage not ground
limits.grinder_hp | decimal | Garbage grinders are reviewed from | horsepower
limits.grinder_by | choice | Who reviews and approves garbage grinders | | @roles
limits.pickling | limit | Pickling acids and plating solutions
limits.metals | limit | Metals and like substances
limits.odor | limit | Phenols, taste and odor
limits.radioactive | limit | Radioactive waste
limits.inert_solids | limit | Inert or dissolved solids
limits.color | limit | Colored waste
limits.strength | limit | Oxygen demand that loads the plant
limits.slug | limit | Slugs
limits.untreatable | limit | Waste the plant cannot treat
limits.judged_by | choice | Who judges what is not refused outright | | @roles
limits.remedies | names | What may follow
slug.times | integer | A slug is more than | times the average of a day
slug.minutes | integer | A slug lasts longer than | minutes
slug.reading | choice | How a slug is reckoned | | blended, literal
rejected.statement_days | integer | Where a refused load went is stated within | days
manhole.written_by | choice | Who allows a manhole in writing | | @roles
manhole.purposes | names | What the rate at a manhole must do

# Violations and revocation
revocation.by* | choice | Who may revoke an approval | | @roles
revocation.grounds* | names | Grounds for revoking
revocation.written_reason* | flag | In writing, with the reason
revocation.immediate | flag | Takes effect at once
revocation.review | choice | Review of a revocation | | ch68, own_procedure
revocation.reapply_bar | choice | Applying again after a revocation | | none, one_year
suspension.enabled | flag | Suspending an approval
violations.notice_by | choice | Who gives notice of a violation | | @roles
violations.notice | text | What the notice says
violations.cease | text | What must follow
violations.penalty | text | Penalty for going on
violations.each_day | flag | Each day is an offense of its own
violations.liability | text | Damage
violations.accident_report | text | Accidental discharge of banned waste
violations.accident_by | text | Who reports an accidental discharge
violations.accident_phone | choice | Where an accident is reported by telephone | | plant
violations.accident_written_days | integer | A written report of an accident is due within | days
review.reconsider_days | integer | Asking for reconsideration within | days
review.reconsider_to | text | Reconsideration is asked of
review.decided_days | integer | Reconsideration is decided within | days
review.appeal_days | integer | Appeal within | days
review.appeal_to | text | Appeals are filed with
review.appeal_heard_by | text | Appeals are heard by
review.fee_refundable | flag | The appeal fee may be refunded
review.block+ | text | Review rights printed on decisions
interceptor.report_by | month_day | Interceptor report for the year before is due
interceptor.report_to | text | Interceptor report goes to
interceptor.licensed_firms | flag | Only licensed firms remove the waste

# State law
winter.from | month_day | The plant must accept septage from
winter.to | month_day | The plant must accept septage to
winter.partial | flag | What falls outside the exceptions must still be taken
state.apply_before | month_day | Application before
state.decide_by | month_day | Written decision by
state.exceptions | coded | Reasons for not accepting in winter
state.service_area_first | flag | Waste from the sewer service area may go first
state.tiers | texts | Order of priority
state.plan_items | names | What a disposal plan holds
state.septage_is | names | Septage under the statute
state.septage_is_not | names | Not septage under the statute
state.fee_basis | text | What fees must rest on
state.fee_notice_days | integer | Notice before a fee rises | days
state.dispute_stages | texts | Stages of a fee dispute
state.dispute_percent | decimal | The system pays for the dispute when its fee is too high by | percent
state.other_analysis | text | Who pays for analysis
state.large_source_gpd | integer | Holding tank waste of a development to look at first | gallons a day
state.cooperate | flag | Haulers keep to the priority order
state.licence_ends | month_day | State licenses end
state.hauler_keeps_years | integer | Haulers keep their log | years
state.report_due | month_day | Haulers report the year before to the state by
state.cmar_due | month_day | The plant's yearly maintenance report is due
state.review_request_days | integer | Review of a decision is asked for within | days
state.review_done_days | integer | The review is done within | days
state.appeal_days | integer | Appeal from a review within | days
state.hearing_days | integer | The hearing is held within | days
state.hearing_decided_days | integer | The hearing is decided within | days
state.court_days | integer | Court review within | days
state.meeting_notice_hours | integer | Agenda of a meeting is posted before it | hours
state.day_counting | text | How days are counted
state.plant_keeps_years | integer | The plant keeps its records | years
"""

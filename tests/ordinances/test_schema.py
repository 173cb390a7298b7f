from ordinances.schedule_law import READ_AS
from ordinances.schema import GROUPS, KEYS, ORDER, PROGRAMMES
from ordinances.values import WrongValue, parse
from tests.ordinances.common import profile


def test_the_groups_stand_in_reading_order() -> None:
    assert GROUPS == (
        "Programme", "Applications", "Decision", "Approval", "Restriction", "Hours", "Booking", "Rate", "Charges",
        "Testing", "Written record", "Billing", "Waste limits", "Violations and revocation", "State law",
    )  # fmt: skip
    assert list(ORDER) == list(KEYS)


def test_a_plant_sets_fourteen_things_itself() -> None:
    assert sorted(name for name, key in KEYS.items() if key.plant) == [
        "fees.appeal", "fees.filing", "fees.wage", "hours.work_closes", "hours.work_opens", "plant.design_bod",
        "plant.design_tss", "rate.flow_in_force_gpd", "rate.own_bod_lb_day", "rate.own_ceiling_gph",
        "rate.own_high_flow_gpd", "rate.own_low_flow_gpd", "rate.own_lower", "review.block",
    ]  # fmt: skip


def test_every_key_has_a_title_a_known_kind_and_options_where_it_is_a_choice() -> None:
    for key in KEYS.values():
        assert key.title[0].isupper() or key.title.startswith("pH"), key
        assert (key.type in ("choice", "choices")) == bool(key.options), key
        assert key.needed_by <= set(PROGRAMMES)
        try:
            parse(key.type, None, key.options)
        except WrongValue:
            pass
        else:
            raise AssertionError(f"{key.name} takes nothing at all")


def test_bayfield_has_every_key_its_programme_needs_and_uses_most_of_the_schema() -> None:
    have = {row.key for row in profile().rows}
    # Charges are items of the profile; the rows that stand for the same are read of older texts only.
    assert {name for name, key in KEYS.items() if "window_committee" in key.needed_by} <= have | set(READ_AS)
    assert not have & set(READ_AS)
    unused = {name for name, key in KEYS.items() if not key.plant} - have - set(READ_AS)
    others = {row.key for name in ("gillett", "lawrence") for row in profile(name).rows}
    # Rules on the limit that towns elsewhere have; tests/ordinances/test_bounds.py and test_flows.py put them in a law.
    elsewhere = {
        "rate.basis_days", "rate.basis_short", "rate.lower", "rate.high_flow_gpd", "rate.low_flow_gpd",
        "rate.bod_lb_day", "rate.bod_mg_l",
        # Towns that say when a cancellation is late; tests/intake/test_no_show.py puts them in a law.
        "booking.cancel_hours", "booking.late_cancel",
        # Towns that say how far ahead a time is booked; tests/intake/test_far_ahead.py puts it in a law.
        "booking.ahead_days",
        # Towns that shut the gate to who does not pay, or ask where a refused load went; tests/intake/test_gate.py.
        "billing.gate_hold_days", "rejected.statement_days",
        # Towns that name a day of the month; tests/ordinances/test_late.py puts it in a law.
        "billing.due_day",
        # Towns whose late charge comes again every so many months; tests/ordinances/test_late.py puts it in a law.
        "billing.late_months",
        # Towns whose invoices go out without the clerk; tests/billing/test_runs.py puts it in a law.
        "billing.automatic",
        # Towns that say when a result is missing, or bar a booking while a record is; tests/intake/test_records_due.py.
        "testing.result_days", "record.bars_booking",
        # Towns that say how late a load may be told of; tests/intake/test_late.py puts it in a law.
        "record.told_days",
        # Towns that set a day for the written report of an accident; tests/intake/test_incidents.py.
        "violations.accident_written_days",
    }  # fmt: skip
    assert unused <= others | elsewhere

"""Why the day an address asks for is not the one whose times are shown."""

from datetime import date

from office import formats
from ordinances.booking_terms import too_far
from ordinances.calendar import dump_hours
from ordinances.reader import Law
from ordinances.refusal import Refusal


def other_day(law: Law, today: date, asked: date | None, shown: date | None) -> str:
    """Why another day is shown than asked for, and which; "" when it is that day, or none was asked for."""
    if asked is None or asked == shown:
        return ""
    if asked < today:
        why = f"{formats.day(asked)} is past."
    elif (far := too_far(law, asked, today)) is not None:
        why = f"No times are offered on {formats.day(asked)}. {far.why}"
    elif isinstance(hours := dump_hours(law, asked), Refusal):
        why = hours.why
    else:
        why = f"No times are offered on {formats.day(asked)}: it is outside the approval."
    return f"{why} Below is {formats.day(shown)}." if shown else why

"""A season that has ended is decided no more: an approval for it could let nobody in (§ 329-7 B(2))."""

from datetime import datetime

from office.formats import date_only
from ordinances.calendar import Season, approval_period
from ordinances.reader import Law
from ordinances.refusal import Refusal


def season_over(season: Season, law: Law, at: datetime) -> Refusal | None:
    """Why nothing about a season's applications is decided or issued after its approvals would have ended."""
    ends = approval_period(law, season)[1]
    if at.astimezone(law.zone).date() <= ends:
        return None
    cite = law.cite("approval.to", season.start) if law.has("approval.to", season.start) else law.cite(
        "decision.body", season.start)  # fmt: skip
    why = f"Season {season.name} ended {date_only(ends)}, so nothing about its applications is decided any more."
    return Refusal("season_over", why, cite)

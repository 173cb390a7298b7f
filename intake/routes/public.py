"""Pages for everybody, without sign-in: today, the week, the rules, the charges, the restrictions, three feeds."""

from datetime import datetime, timedelta
from typing import Any

from flask import Response, abort, jsonify, render_template, request, url_for

from haulers import queries as haulers
from intake.forms.booking import PriceForm
from intake.queries import capacity, public, restrictions
from intake.queries.flow_recorded import recorded_for
from intake.queries.restriction_words import point_names, public_words, scope_words
from intake.queries.terms import Terms, terms_of
from intake.routes.base import bp
from office import formats
from office.access import Role
from office.pages import Page, page
from ordinances.calendar import Hours
from ordinances.fees import for_load, total
from ordinances.rate_cap import cap_on
from ordinances.refusal import Refusal
from ordinances.schema import GROUPS

WEEKDAYS_SHOWN = 10


@page(bp, "/", Role.PUBLIC)
def status(here: Page) -> Any:
    """Septage receiving today: the state, how much is left, the day's picture, the application window."""
    now = public.plant_status(here.plant, here.law, here.at)
    return here.show("intake/public/status.html", now=now, notices=restrictions.all_of(here.plant.id, 3))


@page(bp, "/status.json", Role.PUBLIC)
def status_json(here: Page) -> Any:
    """The state as one object, for other people's programs."""
    now = public.plant_status(here.plant, here.law, here.at)
    return jsonify(
        plant=here.plant.name, state=now.state, word=now.word, headline=now.headline, lines=now.lines,
        until=_iso(here, now.until), gallons_left=now.gallons_left, largest_load=now.largest,
        next_free=_iso(here, now.next_free), limit_gph=now.limit_gph, at=_iso(here, here.at),
    )  # fmt: skip


@page(bp, "/status.txt", Role.PUBLIC)
def status_txt(here: Page) -> Any:
    """The state in one line."""
    now = public.plant_status(here.plant, here.law, here.at)
    parts = [restrictions.full_stop(f"{here.plant.name}: {now.headline}")]
    if now.state == "open":
        parts.append(f"{formats.plural(now.gallons_left, 'gallon')} left today; largest load {now.largest:,}.")
    else:
        parts += now.lines
    return Response(" ".join(parts) + "\n", content_type="text/plain; charset=utf-8")


@page(bp, "/status.atom", Role.PUBLIC)
def status_atom(here: Page) -> Any:
    """The state and the restrictions as a feed."""
    now = public.plant_status(here.plant, here.law, here.at)
    rows = restrictions.all_of(here.plant.id, 20)
    said = restrictions.updates_of([row.id for row in rows])
    changed = {row.id: row.lifted_at or max([row.starts, *(one.posted_at for one in said[row.id])]) for row in rows}
    updated = max([*changed.values(), _midnight(here)])
    text = render_template("intake/public/status.atom", status=now, rows=rows, updated=updated, said=said,
                           changed=changed, title=restrictions.title_of, page=here)  # fmt: skip
    return Response(text, content_type="application/atom+xml; charset=utf-8")


@page(bp, "/week", Role.PUBLIC)
def week(here: Page) -> Any:
    """This week and next: gallons still free by quarter hour on ten weekdays."""
    first = here.today + timedelta(days=7 - here.today.weekday() if here.today.weekday() > 4 else 0)
    monday = first - timedelta(days=first.weekday())
    days = [monday + timedelta(days=n) for n in range(WEEKDAYS_SHOWN // 5 * 7) if n % 7 < 5]
    pictures = capacity.day_pictures(here.plant, here.law, days, here.at)
    terms = hauler_terms(here)
    made = [week_row(here, pictures[day], terms) for day in days]
    cap = next((pictures[day].cap for day in days if pictures[day].cap), None)
    return here.show("intake/public/week.html", days=made, full=cap.plan_gph / 4 if cap else 0)


def hauler_terms(here: Page) -> Terms | None:
    """What a signed-in hauler may still book; None for everybody else."""
    business = haulers.business_of_party(here.by.party_id) if Role.HAULER in here.by.roles else None
    return None if business is None else terms_of(here.plant.id, business.id, here.law, here.at)


def week_row(here: Page, picture: capacity.DayPicture, terms: Terms | None) -> dict[str, Any]:
    """One row of the week table: quarters with gallons still free, or why the day is closed."""
    closure = here.law.closures.get(picture.day)
    words = None
    if not isinstance(picture.hours, Hours):
        words = f"Closed: {closure.name}" if closure is not None and closure.kind != "opened" else "Closed"
    elif picture.hours.end <= here.at:
        words = "Over"
    quarters = [{"start": q.start, "free": q.free, "shut": q.shut or q.end <= here.at} for q in picture.quarters]
    may_book = here.by.person_id is None or Role.HAULER in here.by.roles
    inside = terms is None or terms.gallons_on(picture.day) > 0
    can_book = may_book and inside and words is None and picture.largest > 0
    href = url_for("intake.book", day=picture.day.isoformat()) if can_book else None
    return {"day": picture.day, "closed": words, "quarters": quarters, "left": picture.room, "href": href,
            "largest": picture.largest}  # fmt: skip


@page(bp, "/rules", Role.PUBLIC)
def rules(here: Page) -> Any:
    """Every rule in force with its section, how an unclear text is read, and the limit worked line by line."""
    rows = here.law.rows(here.today)
    groups = [(group, [row for row in rows if row.schema.group == group]) for group in GROUPS]
    cap = None
    if here.law.has("rate.plan_gph", here.today):
        recorded = recorded_for(here.plant.id, here.law, here.today, here.today)
        cap = cap_on(here.law, here.today, readings=recorded)
    return here.show("intake/public/rules.html", groups=[g for g in groups if g[1]], cap=cap)


@page(bp, "/fees", Role.PUBLIC)
def fees(here: Page) -> Any:
    """What it costs: every charge in force, and gallons to a total."""
    form = PriceForm(request.args if "gallons" in request.args else None, meta={"csrf": False})
    lines: Any = None
    if "gallons" in request.args and form.validate():
        lines = for_load(here.law, [(here.today, form.gallons.data)], form.waste.data)
        if isinstance(lines, Refusal):
            form.refuse("waste", lines.why)
            lines = None
    rows = [row for row in here.law.rows(here.today) if row.schema.type == "money"]
    return here.show(
        "intake/public/fees.html", form=form, lines=lines, total=total(lines) if lines else None, rows=rows
    )


@page(bp, "/notices", Role.PUBLIC)
def notices(here: Page) -> Any:
    """Every restriction of the plant, newest first."""
    rows = restrictions.all_of(here.plant.id)
    names = point_names(rows)
    return here.show("intake/public/notices.html", rows=rows, title=restrictions.title_of,
                     scope=lambda row: scope_words(row, names))  # fmt: skip


@page(bp, "/notices/<int:restriction_id>", Role.PUBLIC)
def notice(here: Page, restriction_id: int) -> Any:
    """One restriction: reason, start, next update, end, what was done."""
    row = restrictions.of_plant(here.plant.id, restriction_id) or abort(404)
    said = restrictions.updates_of([row.id])[row.id]
    words = public_words(row, point_names([row]))
    return here.show("intake/public/notice.html", row=row, title=restrictions.title_of(row.reason), said=said,
                     words=words)  # fmt: skip


def _iso(here: Page, moment: datetime | None) -> str | None:
    return moment.astimezone(here.plant.tz).isoformat(timespec="minutes") if moment else None


def _midnight(here: Page) -> datetime:
    return here.local.replace(hour=0, minute=0, second=0, microsecond=0)

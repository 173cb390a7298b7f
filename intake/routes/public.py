"""Pages for everybody, without sign-in: today, the week, the rules, the charges, the restrictions, three feeds."""

from datetime import datetime
from typing import Any

from flask import Response, abort, jsonify, render_template, request

from intake.forms.booking import PriceForm
from intake.queries import public, restrictions
from intake.queries.flow_recorded import recorded_for
from intake.queries.restriction_words import point_names, public_words, scope_words
from intake.routes.base import bp
from office import formats
from office.access import Role
from office.pages import Page, page
from ordinances.fees import for_load, total
from ordinances.rate_cap import cap_on
from ordinances.refusal import Refusal
from ordinances.schema import GROUPS


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

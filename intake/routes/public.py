"""Pages for everybody, without sign-in: today, the week, the rules, the charges, the restrictions, three feeds."""

import hashlib
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from flask import Response, abort, current_app, jsonify, render_template, request, url_for

from intake.forms.booking import price_form
from intake.queries import public, public_feed, restrictions
from intake.queries.flow_recorded import recorded_for
from intake.queries.public_state import InForce
from intake.queries.restriction_words import point_names, public_words, scope_words
from intake.routes.base import bp
from intake.routes.feeds import outside
from office import formats
from office.access import Role
from office.pages import Page, page
from office.standing import standing
from ordinances.fees import quote_for
from ordinances.rate_cap import cap_on
from ordinances.refusal import Refusal
from ordinances.rule_words import rule_rows
from ordinances.schedule_law import READ_AS, SURCHARGE, charged_by_table
from ordinances.schedule_words import AWAITED, charge_rows, parameter_words
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
        accepting=now.facts.accepting, since=_iso(here, now.facts.since), until=_iso(here, now.until),
        next_open=_iso(here, now.facts.next_open), gallons_left=now.gallons_left, largest_load=now.largest,
        largest_load_at=now.where or None,
        next_free=_iso(here, now.next_free), limit_gph=now.limit_gph,
        restrictions=[_restriction(here, one) for one in now.facts.in_force], at=_iso(here, here.at),
    )  # fmt: skip


def _restriction(here: Page, one: InForce) -> dict[str, Any]:
    row = one.restriction
    return {"since": _iso(here, row.starts), "scope": row.scope, "limit_gph": row.gph, "words": one.words,
            "reason": one.reason, "said": one.said, "next_update": _iso(here, row.next_update)}  # fmt: skip


@page(bp, "/status.txt", Role.PUBLIC)
def status_txt(here: Page) -> Any:
    """The state in one line."""
    now = public.plant_status(here.plant, here.law, here.at)
    parts = [restrictions.full_stop(f"{here.plant.name}: {now.headline}")]
    if now.facts.accepting:
        left, most = formats.volume(now.gallons_left), formats.gallons(now.largest)
        most += f", at {now.where}" if now.where else ""
        parts.append(f"{left} left today; largest load {most}; limit {formats.rate(now.limit_gph)}.")
    parts += now.lines[1:] if now.state == "open" else now.lines
    return Response(" ".join(parts) + "\n", content_type="text/plain; charset=utf-8")


@page(bp, "/status.atom", Role.PUBLIC)
def status_atom(here: Page) -> Any:
    """The state, the restrictions, closed days and changes of the limit as a feed."""
    now = public.plant_status(here.plant, here.law, here.at)
    rows = public_feed.entries(here.plant, now)
    # Names that stay the same whatever address the feed is read by.
    tag = f"tag:{urlsplit(current_app.config['SEPTAGE_URL']).hostname},2026:{here.plant.slug}"
    text = render_template("intake/public/status.atom", rows=rows, tag=tag, address=_leads_to)
    answer = Response(text, content_type="application/atom+xml; charset=utf-8")
    answer.set_etag(hashlib.sha256(text.encode()).hexdigest()[:32])
    return answer.make_conditional(request)


def _leads_to(kind: str, which: str | int | None = None) -> str:
    """The page an entry of the feed is about, as people outside write it."""
    if kind == "notice":
        return outside(url_for("intake.notice", restriction_id=which))
    if kind == "day":
        return outside(url_for("intake.day_times", day=which))
    pages = {"status": "intake.status", "flow": "intake.public_flow", "feed": "intake.status_atom"}
    return outside(url_for(pages[kind]))


@page(bp, "/rules", Role.PUBLIC)
def rules(here: Page) -> Any:
    """Every rule in force with its section, how an unclear text is read, and the limit worked line by line."""
    rows = here.law.rows(here.today)
    groups = [(group, [row for row in rows if row.schema.group == group]) for group in GROUPS]
    charges = {"Charges": charge_rows(here.law, here.today, written=True) + rule_rows(here.law, here.today)}
    cap = None
    if here.law.has("rate.plan_gph", here.today):
        recorded = recorded_for(here.plant.id, here.law, here.today, here.today)
        cap = cap_on(here.law, here.today, readings=recorded)
    return here.show("intake/public/rules.html", cap=cap, charges=charges,
                     groups=[one for one in groups if one[1] or charges.get(one[0])])  # fmt: skip


@page(bp, "/fees", Role.PUBLIC)
@standing()
def fees(here: Page) -> Any:
    """What it costs: every charge in force, and gallons to a total."""
    form = price_form(here.law, here.today, request.args if "gallons" in request.args else None)
    quote: Any = None
    if "gallons" in request.args and form.validate():
        quote = quote_for(here.law, [(here.today, form.gallons.data)], form.waste.data, **form.known())
        if isinstance(quote, Refusal):
            at_field = form.kind_at(quote) or ("cubic_yards" if quote.code == "quantity_missing" else "waste")
            form.refuse(at_field if at_field in form else "waste", quote.why)
            quote = None
    rows = [row for row in here.law.rows(here.today) if row.schema.type == "money" and row.key not in READ_AS]
    of_others = [row for row in rows if row.key.startswith(SURCHARGE)]
    return here.show(
        "intake/public/fees.html", form=form, quote=quote, rows=[row for row in rows if row not in of_others],
        of_others=[row for row in of_others if not charged_by_table(here.law, here.today, row.key)],
        awaited=AWAITED.format(" and ".join(map(parameter_words, quote.awaited))) if quote and quote.awaited else "",
        charges=charge_rows(here.law, here.today) + rule_rows(here.law, here.today),
    )  # fmt: skip


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

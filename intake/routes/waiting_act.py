"""The pages of what a tablet wrote of loads in the books that waits for a person: one paused, stopped or signed,
everything stopped at once."""

from typing import Any

from werkzeug.datastructures import MultiDict

from intake.actions.offline import enter_offline_load
from intake.forms.sent_act import LateAct, LateStop, SentAct, SentStop
from intake.models import OfflineLoad, Tablet
from intake.queries import loads
from intake.queries.outbox import Visitor, Written
from office.db import db
from office.pages import Page
from ordinances.refusal import Refusal


def act_page(here: Page, row: OfflineLoad, fields: list[tuple[str, str]]) -> Any:
    """What was typed on the tablet stands filled in; the time stays that of the tablet."""
    sent = SentAct(MultiDict(fields))
    form = LateAct(data={one.short_name: one.data for one in sent if one.short_name != "client_id"})
    tablet = db.session.get_one(Tablet, row.tablet_id)
    if form.validate_on_submit():
        how = (f"Written without network on {tablet.called}, slip {row.slip or 'without number'}; "
               f"entered by {here.by.name}. It had waited: {row.why}")  # fmt: skip
        written = Written(row.client_id, row.slip, row.on_duty, row.logged_at, Visitor(None, None), form.values(), how)
        result = enter_offline_load(row, written, by=here.by, at=here.at, law=here.law)
        if not isinstance(result, Refusal):
            return here.done("intake.load_ticket", ticket=loads.load(result.load_id or 0).ticket)
        if result.code == "settled":
            return here.refuse(result)
        form.show_refusal(result)
    return here.show("intake/tablets/waiting_act.html", form=form, row=row, tablet=tablet,
                     load=loads.load(row.load_id) if row.load_id else None)  # fmt: skip


def stop_page(here: Page, row: OfflineLoad, fields: list[tuple[str, str]]) -> Any:
    """Everything stopped at once: it counts as of the time of the tablet, for whatever flowed then."""
    form = LateStop(data={"reason": SentStop(MultiDict(fields)).reason.data})
    tablet = db.session.get_one(Tablet, row.tablet_id)
    if form.validate_on_submit():
        how = (f"Everything stopped without network on {tablet.called}, slip {row.slip or 'without number'}; "
               f"entered by {here.by.name}. It had waited: {row.why}")  # fmt: skip
        written = Written(row.client_id, row.slip, row.on_duty, row.logged_at, Visitor(None, None), form.values(), how)
        result = enter_offline_load(row, written, by=here.by, at=here.at, law=here.law)
        if not isinstance(result, Refusal):
            return here.done("intake.waiting_load", offline_id=row.id)
        if result.code == "settled":
            return here.refuse(result)
        form.show_refusal(result)
    return here.show("intake/tablets/waiting_stop.html", form=form, row=row, tablet=tablet,
                     stopped=[loads.load(one) for one in row.stopped or ()])  # fmt: skip

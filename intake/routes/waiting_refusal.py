"""The page of a refusal a tablet sent that waits for a person: enter it as it is right."""

from typing import Any

from werkzeug.datastructures import MultiDict

from intake.actions.offline import enter_offline_load
from intake.forms.sent_refusal import LateRefusal, SentRefusal
from intake.models import OfflineLoad, Tablet
from intake.queries import loads
from intake.queries.outbox import Visitor, Written
from intake.queries.station import trucks_known
from office.db import db
from office.pages import Page
from ordinances.refusal import Refusal


def refusal_page(here: Page, row: OfflineLoad, fields: list[tuple[str, str]], visitor: Visitor) -> Any:
    """What was typed on the tablet stands filled in; the time stays that of the tablet."""
    sent = SentRefusal(MultiDict(fields))
    form = LateRefusal(known=visitor.business_id is not None,
                       data={one.short_name: one.data for one in sent if one.short_name != "client_id"})  # fmt: skip
    tablet = db.session.get_one(Tablet, row.tablet_id)
    if form.validate_on_submit():
        how = (f"Refused without network on {tablet.called}, slip {row.slip or 'without number'}; "
               f"entered by {here.by.name}. It had waited: {row.why}")  # fmt: skip
        written = Written(row.client_id, row.slip, row.on_duty, row.logged_at, visitor, form.values(), how)
        result = enter_offline_load(row, written, by=here.by, at=here.at, law=here.law)
        if not isinstance(result, Refusal):
            return here.done("intake.load_ticket", ticket=loads.load(result.load_id or 0).ticket)
        if result.code == "settled":
            return here.refuse(result)
        form.show_refusal(result)
    mine = next((one for one in trucks_known(here.plant, here.law, here.at, " ")
                 if (one.business_id, one.truck.id) == (visitor.business_id, visitor.truck_id)), None)  # fmt: skip
    return here.show("intake/tablets/waiting_refusal.html", form=form, row=row, tablet=tablet, mine=mine,
                     load=loads.load(row.load_id) if row.load_id else None)  # fmt: skip

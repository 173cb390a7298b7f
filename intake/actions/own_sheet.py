"""A hauler attaches its own laboratory's sheet to a load; it stands beside the plant's result (§ 329-7 F(1))."""

import hashlib
from datetime import datetime

from sqlalchemy import select

from haulers import queries as haulers
from intake.models import Load, OwnSheet
from intake.states import LoadState
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.files import File, Upload, keep, problem
from office.journal import because
from office.notices import tell_roles
from ordinances.reader import Law
from ordinances.refusal import Refusal

MOST = 10


@act("attach_own_sheet", roles=(Role.HAULER,))
def attach_own_sheet(load: Load, upload: Upload, note: str, *, by: Actor, at: datetime, law: Law) -> OwnSheet | Refusal:
    """Keep a laboratory sheet with a load; the same bytes again are that sheet. Operators and the manager are told.

    Refusals: not_yours, not_unloaded, bad_file, too_many.
    """
    load = lock(Load, load.id)
    own = haulers.business_of_party(by.party_id)
    if own is None or own.id != load.business_id:
        return Refusal("not_yours", "This is another hauler's load.", "")
    if load.state != LoadState.ACCEPTED.value:
        return Refusal("not_unloaded", f"Load {load.ticket} was not unloaded.", "")
    if said := problem(upload):
        return Refusal("bad_file", said, "")
    mine = select(OwnSheet).join(File, File.id == OwnSheet.file_id).where(OwnSheet.load_id == load.id)
    same = db.session.scalars(mine.where(File.sha256 == hashlib.sha256(upload.content).hexdigest())).first()
    if same is not None:
        return same
    if len(list(db.session.scalars(mine))) >= MOST:
        return Refusal("too_many", f"Load {load.ticket} has {MOST} sheets already.", "")
    file = keep(upload, at, load.plant_id)
    row = OwnSheet(plant_id=load.plant_id, load_id=load.id, file_id=file.id, note=note.strip(), added_at=at,
                   added_by=by.name)  # fmt: skip
    db.session.add(row)
    because(f"File {file.name}")
    subject = f"Laboratory sheet of {load.business_name}: load {load.ticket}"
    tell_roles((Role.OPERATOR, Role.MANAGER), "own_sheet", subject,
               f"{file.name}\n{note.strip()}".strip(), at, plant_id=load.plant_id)  # fmt: skip
    return row

"""Files a hauler hands in, and those the clerk adds to an application on paper. What is taken away stays on record."""

import hashlib
from datetime import datetime

from sqlalchemy import select

from haulers.actions.registration import NOT_YOURS, stands_for
from haulers.models import Application, ApplicationChange, ApplicationFile, Business
from haulers.states import ApplicationState, FileKind
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.files import File, Upload, keep, problem
from office.journal import because
from office.plants import Plant
from ordinances.refusal import Refusal

MOST = 60
OF_APPLICATIONS = (FileKind.LAB, FileKind.PAPER)
SENT = Refusal("sent", "This file belongs to an application already sent, so it stays.", "",
               next_step="Ask the clerk to open the application if it has to be changed.")  # fmt: skip


@act("add_file", roles=(Role.HAULER, Role.CLERK))
def add_file(plant: Plant, business: Business, kind: FileKind, upload: Upload, *, application_id: int | None = None,
             by: Actor, at: datetime) -> ApplicationFile | Refusal:  # fmt: skip
    """Keep a file of a business, or of one application of it at this plant. The clerk adds to applications only.

    The same bytes handed in again for an application are that file: none is added.

    Refusals: not_yours, bad_file (what is wrong with it), no_application, sent, too_many.
    """
    application = _application(plant, business, application_id)
    wrong = _may_not(business, kind, application_id, application, by) or _too_many(business)
    if wrong is not None:
        return wrong
    if said := problem(upload):
        return Refusal("bad_file", said, "")
    same = _same(business, kind, application_id, upload)
    if same is not None:
        return same
    file = keep(upload, at, application.plant_id if application else None)
    row = ApplicationFile(plant_id=file.plant_id, business_id=business.id, application_id=application_id,
                          kind=kind.value, file_id=file.id, added_at=at, added_by=by.name)  # fmt: skip
    db.session.add(row)
    because(f"File {file.name}")
    return row


def _same(business: Business, kind: FileKind, application_id: int | None, upload: Upload) -> ApplicationFile | None:
    """The file of an application that holds just these bytes."""
    if application_id is None:
        return None
    query = select(ApplicationFile).join(File, File.id == ApplicationFile.file_id).where(
        ApplicationFile.business_id == business.id, ApplicationFile.application_id == application_id,
        ApplicationFile.kind == kind.value, ApplicationFile.removed_at.is_(None),
        File.sha256 == hashlib.sha256(upload.content).hexdigest(),
    )  # fmt: skip
    return db.session.scalars(query).first()


@act("remove_file", roles=(Role.HAULER,))
def remove_file(business: Business, record_id: int, *, by: Actor, at: datetime) -> ApplicationFile | Refusal:
    """Take a file off a business's list. One of a sent application stays, unless that is open for changes."""
    query = select(ApplicationFile).filter_by(id=record_id, business_id=business.id)
    if not stands_for(business, by) or db.session.scalars(query).one_or_none() is None:
        return NOT_YOURS
    row: ApplicationFile = lock(ApplicationFile, record_id)
    if row.removed_at is not None:
        return Refusal("already_removed", "This file is off your list already.", "")
    application = db.session.get(Application, row.application_id) if row.application_id else None
    if application is not None and not _open(application):
        return SENT
    row.removed_at = at
    return row


def _application(plant: Plant, business: Business, application_id: int | None) -> Application | None:
    query = select(Application).filter_by(id=application_id, plant_id=plant.id, business_id=business.id)
    return db.session.scalars(query).one_or_none() if application_id else None


def _may_not(business: Business, kind: FileKind, application_id: int | None, application: Application | None,
             by: Actor) -> Refusal | None:  # fmt: skip
    owner = stands_for(business, by)
    if application is None and application_id is not None:
        return Refusal("no_application", "There is no such application.", "")
    if application is None and kind in OF_APPLICATIONS:
        return Refusal("no_application", "This kind of file belongs to an application.", "")
    if not owner and (Role.CLERK not in by.roles or application is None):
        return NOT_YOURS
    if owner and application is not None and not _open(application):
        return SENT
    return None


def _open(application: Application) -> bool:
    """Whether the hauler may still change what stands in an application: a draft, or one opened for changes."""
    if application.state == ApplicationState.DRAFT.value:
        return True
    query = select(ApplicationChange.id).where(
        ApplicationChange.application_id == application.id, ApplicationChange.opened_at.is_not(None),
        ApplicationChange.answered_at.is_(None), ApplicationChange.refused_at.is_(None),
    )  # fmt: skip
    return db.session.scalars(query).first() is not None


def _too_many(business: Business) -> Refusal | None:
    lock(Business, business.id)
    rows = db.session.scalars(select(ApplicationFile.id).filter_by(business_id=business.id, removed_at=None)).all()
    if len(rows) < MOST:
        return None
    return Refusal("too_many", f"You have {MOST} files on your list. Remove one before you add another.", "")

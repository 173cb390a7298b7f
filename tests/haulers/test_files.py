"""Files a hauler hands in: kept by their bytes, seen by those who may, taken away without leaving the record."""

import re

import pytest
from sqlalchemy import func, select

from haulers import actions
from haulers.actions.files import add_file, remove_file
from haulers.models import ApplicationChange, ApplicationFile
from haulers.queries.files import files_of, own_file, staff_file, staff_files, stored
from haulers.states import FileKind
from office.access import NOBODY
from office.db import db
from office.files import LIMIT, File, Upload
from office.plants import set_up_plant
from tests import world
from tests.haulers.builders import acting, draft, filed, hauler
from tests.haulers.company import MINE, THEIRS, post, read, second, signed_in, wrong
from tests.office.samples import HEIC, HTML, JPEG, PDF, PNG

AT = world.at("2026-08-10T09:00")


@pytest.fixture(autouse=True)
def now(app, clock_at):
    clock_at("2026-08-10T09:00")


def up(content=PDF, name="licence.pdf"):
    return Upload(name, len(content), content)


def handed(business, kind=FileKind.LICENCE, upload=None, at=AT, **more):
    row = add_file(world.plant(), business, kind, upload or up(), by=acting(business), at=at, **more)
    assert isinstance(row, ApplicationFile), row
    return row


def count(model):
    return db.session.scalar(select(func.count(model.id)))


def test_each_kind_of_file_is_kept_as_it_came_and_under_its_given_name():
    business = hauler()
    for content, name, kind in ((PDF, "a.pdf", "application/pdf"), (JPEG, "b.jpg", "image/jpeg"),
                                (PNG, "c.png", "image/png"), (HEIC, "IMG 7.HEIC", "image/heic")):  # fmt: skip
        file = stored(handed(business, upload=up(content, name)).id)
        assert (file.name, file.kind, file.content, file.plant_id) == (name, kind, content, None)
    assert [one.name for one in files_of(business.id)] == ["IMG 7.HEIC", "c.png", "b.jpg", "a.pdf"]
    assert {one.added_by for one in files_of(business.id)} == {"Ingrid O'Brien"}


@pytest.mark.parametrize(("upload", "said"), [
    (up(HTML), "The file must be a PDF, JPEG, PNG or HEIC. What is inside licence.pdf is none of them"),
    (up(b""), "The file licence.pdf is empty. Choose another"),
    (Upload("big.pdf", LIMIT + 1, PDF), "The file must be 10 MB or smaller. big.pdf has 10.1 MB"),
])  # fmt: skip
def test_the_act_itself_refuses_a_file_that_cannot_be_kept(upload, said):
    business = hauler()
    refused = add_file(world.plant(), business, FileKind.LICENCE, upload, by=acting(business), at=AT)
    assert (refused.code, refused.why, count(File)) == ("bad_file", said, 0)


def test_a_file_of_another_hauler_is_neither_added_nor_taken_away():
    mine, theirs = hauler(), second()
    row = handed(mine)
    refused = add_file(world.plant(), mine, FileKind.LICENCE, up(), by=acting(theirs), at=AT)
    assert refused.code == "not_yours"
    assert remove_file(mine, row.id, by=acting(theirs), at=AT).code == "not_yours"
    assert remove_file(theirs, row.id, by=acting(theirs), at=AT).code == "not_yours"
    for by in (NOBODY, world.staff("member1"), world.staff("operator")):
        assert add_file(world.plant(), mine, FileKind.LICENCE, up(), by=by, at=AT).code == "not_your_role"
        assert remove_file(mine, row.id, by=by, at=AT).code == "not_your_role"


def test_the_clerk_adds_to_an_application_of_this_plant_and_to_nothing_else():
    business = hauler()
    application = filed(business, at="2026-08-05T09:00")
    clerk = world.staff("clerk")
    assert add_file(world.plant(), business, FileKind.LICENCE, up(), by=clerk, at=AT).code == "not_yours"
    row = add_file(world.plant(), business, FileKind.PAPER, up(), application_id=application.id, by=clerk, at=AT)
    assert (row.plant_id, row.added_by) == (world.plant().id, "Clerk of the City")
    elsewhere = set_up_plant(slug="elsewhere", name="Elsewhere", city="Elsewhere", zone="America/Chicago", phone="",
                             help_hours="", address="", by=world.system("Set-up"), at=world.START)  # fmt: skip
    db.session.flush()
    for plant, owner in ((elsewhere, business), (world.plant(), second())):
        refused = add_file(plant, owner, FileKind.PAPER, up(), application_id=application.id, by=clerk, at=AT)
        assert refused.code == "no_application"


def test_a_lab_sheet_needs_its_application_and_goes_with_it_once_sent():
    business = hauler()
    refused = add_file(world.plant(), business, FileKind.LAB, up(), by=acting(business), at=AT)
    assert refused.code == "no_application"
    begun = draft(business, at="2026-08-05T09:00")
    first = handed(business, FileKind.LAB, application_id=begun.id)
    assert remove_file(business, first.id, by=acting(business), at=AT).removed_at == AT
    sheet = handed(business, FileKind.LAB, application_id=begun.id)
    actions.file_application(world.plant(), business.id, by=acting(business), at=AT, law=world.law(AT.date()))
    assert remove_file(business, sheet.id, by=acting(business), at=AT).code == "sent"
    more = add_file(world.plant(), business, FileKind.LAB, up(), application_id=begun.id, by=acting(business), at=AT)
    assert more.code == "sent"
    change = ApplicationChange(plant_id=world.plant().id, application_id=begun.id, side="committee", asked_by="Clerk",
                               asked_at=AT, words="Send the sheet", opened_at=AT, opened_by="Clerk")  # fmt: skip
    db.session.add(change)
    db.session.flush()
    handed(business, FileKind.LAB, application_id=begun.id)
    assert remove_file(business, sheet.id, by=acting(business), at=AT).removed_at == AT


def test_sixty_files_are_enough(monkeypatch):
    business = hauler()
    monkeypatch.setattr("haulers.actions.files.MOST", 2)
    first = handed(business)
    handed(business)
    refused = add_file(world.plant(), business, FileKind.LICENCE, up(), by=acting(business), at=AT)
    assert refused.why == "You have 2 files on your list. Remove one before you add another."
    assert remove_file(business, first.id, by=acting(business), at=AT).removed_at == AT
    assert remove_file(business, first.id, by=acting(business), at=AT).code == "already_removed"
    handed(business)


def test_the_city_sees_nothing_of_a_hauler_before_an_application_is_sent_here():
    business = hauler()
    row, draft_ = handed(business), draft(business, at="2026-08-05T09:00")
    sheet = handed(business, FileKind.LAB, application_id=draft_.id)
    plant = world.plant().id
    assert (staff_files(plant, business.id), staff_file(plant, row.id)) == ([], None)
    gone = handed(business, upload=up(name="private.pdf"))
    remove_file(business, gone.id, by=acting(business), at=AT)
    actions.file_application(world.plant(), business.id, by=acting(business), at=AT, law=world.law(AT.date()))
    assert [one.id for one in staff_files(plant, business.id)] == [sheet.id, row.id]
    assert (staff_file(plant, gone.id), staff_file(plant + 1, row.id), staff_file(plant, 999)) == (None, None, None)


def test_what_is_taken_away_after_sending_stays_to_be_seen_by_the_city_only():
    business = hauler()
    row = handed(business)
    filed(business, at="2026-08-10T10:00")
    later = world.at("2026-08-11T09:00")
    remove_file(business, row.id, by=acting(business), at=later)
    assert (files_of(business.id), own_file(business.id, row.id)) == ([], None)
    assert staff_file(world.plant().id, row.id).removed_at == later


def test_owner_clerk_member_and_director_download_it_and_nobody_else(app):
    business, _ = hauler(), second()
    row = handed(business).id
    filed(business, at="2026-08-10T10:00")
    own, staff = f"/bayfield/hauler/files/{row}", f"/bayfield/files/{row}"
    answer = signed_in(app).get(own)
    assert (answer.status_code, answer.get_data()) == (200, PDF)
    assert answer.headers["Content-Disposition"] == "attachment; filename=licence.pdf"
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert (answer.headers["X-Content-Type-Options"], answer.headers["Cache-Control"]) == ("nosniff", "no-store")
    for who in ("clerk", "member1", "director"):
        assert signed_in(app, who).get(staff).get_data() == PDF, who
    for who in ("operator", "manager", "admin"):
        assert signed_in(app, who).get(staff).status_code == 403, who
    other = signed_in(app, THEIRS)
    assert (other.get(own).status_code, other.get(staff).status_code) == (404, 403)
    assert app.test_client().get(own).status_code == 302
    assert app.test_client().get(staff).status_code == 302
    assert signed_in(app, "clerk").get(f"/bayfield/files/{row + 77}").status_code == 404


def test_handing_in_says_what_is_kept_and_lists_it(app):
    hauler()
    client = signed_in(app)
    page = read(client, "/hauler/files")
    assert "PDF, JPEG, PNG or HEIC, up to 10 MB" in page
    sent = post(client, "/hauler/files", ("file", JPEG, "../../policy.jpg"), kind="insurance")
    assert sent.location == "/bayfield/hauler/files"
    page = read(client, "/hauler/files")
    assert f"policy.jpg ({len(JPEG)} bytes) is kept." in page
    assert f"Insurance, {len(JPEG)} bytes" in page
    assert "August 10, 2026 by Ingrid O&#39;Brien" in page


def test_an_empty_form_and_a_wrong_file_are_answered_in_words(app):
    hauler()
    client = signed_in(app)
    assert wrong(post(client, "/hauler/files")) == [("kind-0", "Select what it shows"), ("file", "Choose a file")]
    answer = post(client, "/hauler/files", ("file", HTML, "licence.pdf"), kind="licence")
    said = "The file must be a PDF, JPEG, PNG or HEIC. What is inside licence.pdf is none of them"
    assert (answer.status_code, wrong(answer), count(File)) == (422, [("file", said)], 0)
    answer = post(client, "/hauler/files", ("file", PDF + b"x" * (4 * LIMIT), "scan.pdf"), kind="licence")
    assert wrong(answer) == [("file", "The file must be 10 MB or smaller. scan.pdf has 40.1 MB")]
    assert 'value="licence" checked' in answer.get_data(as_text=True)


def test_taking_a_file_away_asks_first_and_another_hauler_finds_none(app):
    business, _ = hauler(), second()
    row = handed(business).id
    path = f"/hauler/files/{row}/remove"
    other = signed_in(app, THEIRS)
    assert (other.get(f"/bayfield{path}").status_code, post(other, path).status_code) == (404, 404)
    client = signed_in(app, MINE)
    assert "<h1>Remove licence.pdf?</h1>" in read(client, path)
    assert count(ApplicationFile) == 1
    assert post(client, path).location == "/bayfield/hauler/files"
    assert "No file is handed in yet." in read(client, "/hauler/files")
    assert client.get(f"/bayfield/hauler/files/{row}").status_code == 404
    assert count(ApplicationFile) == 1


def test_two_haulers_handing_in_one_name_each_get_their_own_content(app):
    hauler(), second()
    first, other = signed_in(app), signed_in(app, THEIRS)
    post(first, "/hauler/files", ("file", PDF, "licence.pdf"), kind="licence")
    post(other, "/hauler/files", ("file", JPEG, "licence.pdf"), kind="licence")
    rows = list(db.session.scalars(select(ApplicationFile).order_by(ApplicationFile.id)))
    assert first.get(f"/bayfield/hauler/files/{rows[0].id}").get_data() == PDF
    answer = other.get(f"/bayfield/hauler/files/{rows[1].id}")
    assert (answer.get_data(), answer.mimetype) == (JPEG, "image/jpeg")
    assert answer.headers["Content-Disposition"] == "attachment; filename=licence.pdf.jpg"


def test_access_that_ended_ends_the_old_links(app):
    from haulers.actions.people import end_access, invite_person

    business = hauler()
    row = handed(business).id
    grant = invite_person(world.plant(), business, "Nguyễn Thị Hà", "ha@hauler.example", "http://localhost",
                          by=acting(business), at=AT)  # fmt: skip
    from office.signin import hash_password, person_with_email

    person_with_email("ha@hauler.example").password = hash_password(world.PASSWORD)
    client = signed_in(app, "ha@hauler.example")
    assert client.get(f"/bayfield/hauler/files/{row}").status_code == 200
    end_access(business, grant.id, by=acting(business), at=AT)
    db.session.commit()
    assert client.get(f"/bayfield/hauler/files/{row}").status_code == 403


def test_the_clerk_and_the_committee_read_the_files_beside_the_application(app):
    business = hauler()
    handed(business)
    application = filed(business, at="2026-08-10T10:00")
    row = handed(business, FileKind.INSURANCE, up(name="policy.pdf")).id
    remove_file(business, row, by=acting(business), at=world.at("2026-08-11T09:00"))
    number = str(application.number).partition("/")[2]
    pages = {"clerk": f"/clerk/filings/{application.id}", "member1": f"/committee/2026-27/{number}"}
    for who, path in pages.items():
        page = read(signed_in(app, who), path)
        assert f'<a href="/bayfield/files/{row}">policy.pdf</a>' in page, who
        assert "Taken away August 11, 2026" in page, who
        assert "licence.pdf" in page, who


def test_lab_sheets_of_another_season_are_left_out_of_an_application():
    business = hauler()
    first = draft(business, at="2026-08-05T09:00")
    sheet = handed(business, FileKind.LAB, application_id=first.id)
    actions.file_application(world.plant(), business.id, by=acting(business), at=AT, law=world.law(AT.date()))
    plant = world.plant().id
    assert [one.id for one in staff_files(plant, business.id, first.id)] == [sheet.id]
    assert staff_files(plant, business.id, first.id + 1) == []


def test_the_same_sheet_handed_in_again_with_its_answers_is_one_file(app, clock_at):
    clock_at("2026-08-05T09:00")
    draft(hauler())
    client = signed_in(app)
    for name, content in (("tank.pdf", PDF), ("again.pdf", PDF), ("other.pdf", PDF + b"\n")):
        seen = re.search(r'name="seen" value="([^"]*)"', read(client, "/hauler/apply/tests"))[1]
        sent = post(client, "/hauler/apply/tests", ("sheet", content, name), unusual="yes", words="Wash water",
                    then="check", seen=seen)  # fmt: skip
        assert sent.status_code == 303, name
    rows = db.session.scalars(select(ApplicationFile).order_by(ApplicationFile.id)).all()
    assert [db.session.get_one(File, one.file_id).name for one in rows] == ["tank.pdf", "other.pdf"]

"""Set-up on an empty machine, and the administrator's pages."""

from sqlalchemy import select

from office.access import Grant
from office.db import db
from office.notices import Notice
from office.people import Person
from office.plants import Plant, PlantRow, set_plant_row
from ordinances.refusal import Refusal
from tests import world

SET_UP = {
    "once": "a" * 32, "city": "City of Bayfield", "name": "Bayfield Works", "slug": "bayfield", "address": "1 Main",
    "phone": "715-555-0100", "help_hours": "weekdays", "zone": "America/Chicago", "law": "bayfield",
    "since-month": "1", "since-day": "1", "since-year": "1992", "resolution": "Ord. of 1992", "person": "Ann Clerk",
    "email": "ann@city.example", "password": world.PASSWORD,
}  # fmt: skip


def test_first_visit_leads_to_set_up_and_then_to_sign_in(bare_app, clock_at):
    clock_at("2026-06-01T09:00")
    client = bare_app.test_client()
    assert client.get("/").location == "/account/set-up"
    assert "This machine has no plant yet." in client.get("/account/set-up").get_data(as_text=True)
    answer = client.post("/account/set-up", data=SET_UP)
    assert (answer.status_code, answer.location) == (303, "/sign-in"), answer.get_data(as_text=True)
    world.sign_in(client, "ann@city.example")
    page = client.get("/account/home", follow_redirects=True).get_data(as_text=True)
    assert "<h1>Settings</h1>" in page
    assert "Nothing is set yet. Still missing: the filing fee of an application; the supervisor" in page


def test_set_up_works_once_only(bare_app, clock_at):
    clock_at("2026-06-01T09:00")
    client = bare_app.test_client()
    client.post("/account/set-up", data=SET_UP)
    again = SET_UP | {"once": "b" * 32, "slug": "other", "email": "eve@city.example"}
    assert client.post("/account/set-up", data=again).location == "/"
    assert [plant.slug for plant in db.session.scalars(select(Plant))] == ["bayfield"]


def test_set_up_names_each_wrong_field_and_keeps_what_was_typed(bare_app, clock_at):
    clock_at("2026-06-01T09:00")
    answer = bare_app.test_client().post("/account/set-up", data=SET_UP | {
        "slug": "Bay Field!", "password": "short", "since-day": "31", "since-month": "2",
    })  # fmt: skip
    page = answer.get_data(as_text=True)
    assert answer.status_code == 422
    for said in ("The short name must be small letters, digits and hyphens, like bayfield",
                 "Choose a password must have 10 characters or more", "must be a real date"):  # fmt: skip
        assert page.count(said) >= 2, said
    assert 'value="City of Bayfield"' in page
    assert db.session.scalars(select(Plant)).all() == []


def test_person_added_gets_roles_and_a_message(app, clock_at):
    clock_at("2026-06-02T09:00")
    client = app.test_client()
    world.sign_in(client, "admin")
    client.post("/bayfield/admin/people", data={"once": "c" * 32, "name": "Søren O'Brien", "email": "s@city.example",
                                                "roles": ["operator", "plant_manager"]})  # fmt: skip
    person = db.session.scalars(select(Person).filter_by(email="s@city.example")).one()
    roles = db.session.scalars(select(Grant.role).filter_by(person_id=person.id).order_by(Grant.role)).all()
    assert list(roles) == ["operator", "plant_manager"]
    notice = db.session.scalars(select(Notice)).one()
    assert (notice.to_name, notice.subject) == (
        "Søren O'Brien", "You can sign in for Bayfield Wastewater Treatment Works",
    )  # fmt: skip
    assert "Søren O&#39;Brien" in client.get("/bayfield/admin/people").get_data(as_text=True)


def test_last_administrator_cannot_be_ended(app, clock_at):
    clock_at("2026-06-02T09:00")
    client = app.test_client()
    world.sign_in(client, "admin")
    grant = db.session.scalars(select(Grant.id).filter_by(role="administrator")).one()
    page = client.post(f"/bayfield/admin/people/{grant}/end", data={"once": "d" * 32})
    assert page.status_code == 409
    assert "This is the last administrator. Give somebody else the role first." in page.get_data(as_text=True)


def test_five_clicks_set_one_amount_and_lead_to_the_same_page(app, clock_at):
    clock_at("2026-06-02T09:00")
    client = app.test_client()
    world.sign_in(client, "clerk")
    form = {"once": "e" * 32, "key": "fees.wage", "value": "31.00", "since-month": "7", "since-day": "1",
            "since-year": "2026", "resolution": "Resolution 2026-21", "basis": "Pay of 2026"}  # fmt: skip
    answers = [client.post("/bayfield/admin/amounts", data=form) for _ in range(5)]
    assert {(a.status_code, a.location) for a in answers} == {(303, "/bayfield/admin")}
    assert len(db.session.scalars(select(PlantRow).filter_by(resolution="Resolution 2026-21")).all()) == 1
    assert "You already sent this." in client.get("/bayfield/admin").get_data(as_text=True)


def test_amount_is_stored_as_exact_text_with_its_resolution(app, clock_at):
    clock_at("2026-06-02T09:00")
    client = app.test_client()
    world.sign_in(client, "clerk")
    form = {"once": "f" * 32, "key": "fees.filing", "value": "1,080.5", "since-month": "7", "since-day": "1",
            "since-year": "2026", "resolution": "Resolution 2026-20", "basis": "Two hours of staff"}  # fmt: skip
    assert client.post("/bayfield/admin/amounts", data=form).status_code == 303
    row = db.session.scalars(select(PlantRow).order_by(PlantRow.id.desc())).first()
    assert (row.value, row.resolution, row.basis, row.set_by) == (
        "1080.50", "Resolution 2026-20", "Two hours of staff", "Clerk of the City",
    )  # fmt: skip


def test_form_without_its_key_changes_nothing(app, clock_at):
    clock_at("2026-06-02T09:00")
    client = app.test_client()
    world.sign_in(client, "clerk")
    assert client.post("/bayfield/admin/amounts", data={"value": "1"}).status_code == 400


def test_another_role_reads_that_it_has_no_access_and_a_stranger_is_led_to_sign_in(app, clock_at):
    clock_at("2026-06-02T09:00")
    client = app.test_client()
    assert client.get("/bayfield/admin").location == "/sign-in?next=/bayfield/admin"
    world.sign_in(client, "operator")
    answer = client.get("/bayfield/admin")
    assert answer.status_code == 403
    assert "You do not have access to this page" in answer.get_data(as_text=True)


def test_value_the_law_cannot_read_is_refused_in_words_and_stores_nothing(app):
    for key, value in (("review.block", ""), ("fees.filing", "a lot"), ("fees.filing", "-5.00"), ("fees.test", "1.00")):
        answer = set_plant_row(world.plant(), key, value, world.START.date(), "R", by=world.staff("clerk"),
                               at=world.START)  # fmt: skip
        assert isinstance(answer, Refusal), (key, value)
        assert answer.why.endswith("."), answer.why
    assert db.session.scalars(select(PlantRow).filter_by(resolution="R")).all() == []


def test_without_mail_only_the_administrator_finds_the_reset_link_under_messages(app, clock_at):
    clock_at("2026-06-02T09:00")
    app.test_client().post("/account/password-reset", data={"email": "operator@city.example"})
    admin, clerk = app.test_client(), app.test_client()
    world.sign_in(admin, "admin")
    world.sign_in(clerk, "clerk")
    assert "Set a new password" in admin.get("/bayfield/messages").get_data(as_text=True)
    notice = db.session.scalars(select(Notice)).one()
    assert "/account/password-reset/" in admin.get(f"/bayfield/messages/{notice.id}").get_data(as_text=True)
    assert "Set a new password" not in clerk.get("/bayfield/messages").get_data(as_text=True)
    assert clerk.get(f"/bayfield/messages/{notice.id}").status_code == 404
    app.config["MAIL_SERVER"] = "mail.city.example"
    assert admin.get(f"/bayfield/messages/{notice.id}").status_code == 404


def test_history_reads_in_words_and_goes_back_page_by_page(app, clock_at):
    clock_at("2026-06-02T09:00")
    client = app.test_client()
    world.sign_in(client, "clerk")
    set_plant_row(world.plant(), "fees.filing", "81.00", world.START.date(), "Resolution 9", by=world.staff("clerk"),
                  at=world.START)  # fmt: skip
    db.session.commit()
    page = client.get("/bayfield/history").get_data(as_text=True)
    assert "Set plant row" in page
    assert "since: June 1, 2026" in page
    assert "set at: Monday, June 1, 2026, 9:00 a.m." in page
    assert "plant id" not in page
    assert "sha256" not in page
    assert "Nothing has happened yet." in client.get("/bayfield/history?before=1").get_data(as_text=True)

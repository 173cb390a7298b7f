"""State licenses and insurances: given with a copy, taken back when mistaken; licenses looked up by the clerk."""

import re
from datetime import date

import pytest
from sqlalchemy import func, select

from haulers.actions import verify_licence
from haulers.actions.credentials import add_insurance, add_licence, take_back_insurance, take_back_licence
from haulers.models import ApplicationFile, Insurance, Licence
from haulers.queries import claimed_by_others, licence_of
from haulers.queries.files import files_of
from haulers.queries.papers import insurances_of
from office.db import db
from office.files import LIMIT
from tests import world
from tests.haulers.builders import acting, filed, hauler
from tests.haulers.company import MINE, THEIRS, ends, post, read, second, signed_in, wrong
from tests.office.samples import HTML, PDF

AT = world.at("2026-08-10T09:00")
LIST = "the state's list of septage businesses"


@pytest.fixture(autouse=True)
def now(app, clock_at):
    clock_at("2026-08-10T09:00")


def give(business, number="4711", last=date(2028, 6, 30)):
    return add_licence(business, state="WI", number=number, ends_on=last, by=acting(business), at=AT)


def insure(business, last=date(2027, 3, 1)):
    return add_insurance(business, insurer="Badger Mutual", policy="P-1", ends_on=last, by=acting(business), at=AT)


def count(model):
    return db.session.scalar(select(func.count(model.id)))


def test_a_license_entered_by_mistake_counts_for_nothing_and_stays_on_record():
    business = hauler()
    slip = give(business, last=date(2072, 6, 30))
    db.session.flush()
    assert licence_of(business.id).ends_on == date(2072, 6, 30)
    assert take_back_licence(business, slip.id, by=acting(business), at=AT).taken_back_at == AT
    assert licence_of(business.id).ends_on == date(2027, 6, 30)
    assert take_back_licence(business, slip.id, by=acting(business), at=AT).code == "taken_back"
    assert count(Licence) == 2


def test_a_license_the_city_checked_is_not_taken_back():
    business = hauler()
    licence = licence_of(business.id)
    verify_licence(licence.id, LIST, by=world.staff("clerk"), at=AT)
    assert take_back_licence(business, licence.id, by=acting(business), at=AT).code == "verified"


def test_a_claim_taken_back_is_no_claim_of_the_same_number():
    mine, theirs = hauler(), second()
    first, same = give(mine), give(theirs)
    db.session.flush()
    assert claimed_by_others([first, same]) == {first.id, same.id}
    take_back_licence(theirs, same.id, by=acting(theirs), at=AT)
    assert claimed_by_others([first]) == set()


def test_licenses_and_insurances_of_another_hauler_are_not_touched():
    mine, theirs = hauler(), second()
    licence, insurance = licence_of(mine.id), insure(mine)
    db.session.flush()
    for business, by in ((mine, acting(theirs)), (theirs, acting(theirs))):
        assert take_back_licence(business, licence.id, by=by, at=AT).code == "not_yours"
        assert take_back_insurance(business, insurance.id, by=by, at=AT).code == "not_yours"
    by = acting(theirs)
    assert add_insurance(mine, insurer="X", policy="", ends_on=AT.date(), by=by, at=AT).code == "not_yours"
    assert add_licence(mine, state="WI", number="1", ends_on=AT.date(), by=by, at=AT).code == "not_yours"
    clerk = world.staff("clerk")
    assert take_back_insurance(mine, insurance.id, by=clerk, at=AT).code == "not_your_role"
    assert verify_licence(licence.id, LIST, by=by, at=AT).code == "not_your_role"


def test_the_insurance_that_ends_last_counts_unless_it_was_a_mistake():
    business = hauler()
    insure(business)
    slip = insure(business, date(2072, 3, 1))
    db.session.flush()
    assert insurances_of([business.id])[business.id].ends_on == date(2072, 3, 1)
    assert take_back_insurance(business, slip.id, by=acting(business), at=AT).taken_back_at == AT
    assert take_back_insurance(business, slip.id, by=acting(business), at=AT).code == "taken_back"
    assert insurances_of([business.id])[business.id].ends_on == date(2027, 3, 1)


def test_looking_up_is_recorded_once_with_who_when_and_where():
    mine, theirs = hauler(), second()
    first, same = give(mine), give(theirs)
    gone = give(mine, "1")
    db.session.flush()
    take_back_licence(mine, gone.id, by=acting(mine), at=AT)
    clerk, director = world.staff("clerk"), world.staff("director")
    assert verify_licence(first.id, " ", by=clerk, at=AT).code == "no_list"
    done = verify_licence(first.id, LIST, by=clerk, at=AT)
    assert (done.verified_at, done.verified_by, done.verified_against) == (AT, "Clerk of the City", LIST)
    again = verify_licence(first.id, "another list", by=director, at=AT)
    assert again.why == "Clerk of the City has marked this license as checked already."
    assert verify_licence(same.id, LIST, by=clerk, at=AT).code == "verified_for_another"
    assert verify_licence(gone.id, LIST, by=clerk, at=AT).code == "taken_back"


def test_giving_a_license_with_a_copy_from_its_page(app):
    hauler()
    client = signed_in(app)
    typed = {"licence_state": "WI", "licence_number": "4711"} | ends("licence_ends")
    sent = post(client, "/hauler/license", ("copy", PDF, "license 2028.pdf"), **typed)
    assert sent.location == "/bayfield/hauler/license"
    page = read(client, "/hauler/license")
    assert f"Your new license is kept. So is license 2028.pdf ({len(PDF)} bytes)." in page
    assert "<td>June 30, 2028</td>" in page
    assert db.session.scalars(select(ApplicationFile)).one().kind == "licence"


@pytest.mark.parametrize(("content", "said"), [
    (HTML, "The file must be a PDF, JPEG, PNG or HEIC. What is inside l.pdf is none of them"),
    (PDF + b"x" * (LIMIT + 1 - len(PDF)), "The file must be 10 MB or smaller. l.pdf has 10.1 MB"),
])  # fmt: skip
def test_a_wrong_copy_keeps_all_that_was_typed_and_gives_no_license(app, content, said):
    hauler()
    typed = {"licence_state": "WI", "licence_number": "O'4711"} | ends("licence_ends")
    answer = post(signed_in(app), "/hauler/license", ("copy", content, "l.pdf"), **typed)
    page = answer.get_data(as_text=True)
    assert (answer.status_code, wrong(answer)) == (422, [("copy", said)])
    assert ('value="O&#39;4711"' in page, 'value="2028"' in page, count(Licence)) == (True, True, 1)


@pytest.mark.parametrize("typed", ["wi", " Wi ", "WI", "W.I.", "wisconsin", "Wisconsin"])
def test_the_state_of_a_license_is_kept_as_its_two_letters(app, typed):
    mine = hauler()
    data = {"licence_state": typed, "licence_number": "4711"} | ends("licence_ends")
    post(signed_in(app), "/hauler/license", **data)
    assert db.session.scalars(select(Licence.state).filter_by(business_id=mine.id, number="4711")).all() == ["WI"]


@pytest.mark.parametrize("typed", ["ZZ", "W", "Wisc", "USA", "715"])
def test_what_is_no_state_is_refused_in_words_by_page_and_act(app, typed):
    mine = hauler()
    said = "State that gave the license must be a state, like WI or Wisconsin"
    data = {"licence_state": typed, "licence_number": "4711"} | ends("licence_ends")
    answer = post(signed_in(app), "/hauler/license", **data)
    assert (answer.status_code, wrong(answer), count(Licence)) == (422, [("licence_state", said)], 1)
    refused = add_licence(mine, state=typed, number="4711", ends_on=date(2028, 6, 30), by=acting(mine), at=AT)
    assert (refused.code, refused.why, count(Licence)) == ("no_state", said, 1)


def test_a_license_that_has_ended_already_is_asked_about_and_its_last_day_is_taken(app):
    hauler()
    client = signed_in(app)
    typed = {"licence_state": "WI", "licence_number": "4711"}
    answer = post(client, "/hauler/license", **typed, **ends("licence_ends", 8, 9, 2026))
    assert wrong(answer) == [("licence_ends-month", "License end date must be after August 9, 2026")]
    assert post(client, "/hauler/license", **typed, **ends("licence_ends", 8, 10, 2026)).status_code == 303


def test_insurance_from_the_empty_form_to_the_list_and_off_it(app):
    hauler(), second()
    client = signed_in(app)
    assert wrong(post(client, "/hauler/insurance")) == [
        ("insurer", "Enter the insurance company"), ("ends-month", "Enter the insurance end date")]  # fmt: skip
    sent = post(client, "/hauler/insurance?from=check", ("copy", PDF, "c.pdf"), insurer="Badger", **ends("ends"))
    assert sent.location == "/bayfield/hauler/insurance?from=check"
    page = read(client, "/hauler/insurance?from=check")
    assert f"Your insurance is kept. So is c.pdf ({len(PDF)} bytes)." in page
    assert "Check your answers" in page
    row = db.session.scalars(select(Insurance)).one()
    path = f"/hauler/insurance/{row.id}/remove"
    assert signed_in(app, THEIRS).get(f"/bayfield{path}").status_code == 404
    assert "<h1>Remove the insurance with Badger?</h1>" in read(client, path)
    post(client, path)
    assert "No insurance is stated yet." in read(client, "/hauler/insurance")
    assert client.get(f"/bayfield{path}").status_code == 404


def test_a_license_is_taken_off_the_list_after_asking(app):
    licence = licence_of(hauler().id).id
    second()
    client, path = signed_in(app, MINE), f"/hauler/license/{licence}/remove"
    assert signed_in(app, THEIRS).get(f"/bayfield{path}").status_code == 404
    assert "Remove it only if it was entered by mistake" in read(client, path)
    assert post(client, path).location == "/bayfield/hauler/license"
    assert "No license is given yet." in read(client, "/hauler/license")


def test_the_clerk_looks_licenses_up_with_the_copies_beside_them(app):
    business, other = hauler(), second()
    post(signed_in(app), "/hauler/license", ("copy", PDF, "copy.pdf"), licence_state="WI", licence_number="4711",
         **ends("licence_ends"))  # fmt: skip
    filed(business, at="2026-08-10T10:00")
    clerk = signed_in(app, "clerk")
    page = read(clerk, "/clerk/licenses")
    assert ("WI 4711" in page, "Not checked" in page, "Second Septic" in page) == (True, True, False)
    licence = licence_of(business.id).id
    path = f"/clerk/licenses/{licence}"
    one = read(clerk, path)
    file = db.session.scalars(select(ApplicationFile.id)).one()
    assert f'<a href="/bayfield/files/{file}">copy.pdf</a>' in one
    assert clerk.get(f"/bayfield/files/{file}").get_data() == PDF
    assert wrong(post(clerk, path)) == [("against", "Enter the list it was checked against")]
    assert post(clerk, path, against=LIST).location == "/bayfield/clerk/licenses"
    said = "August 10, 2026 by Clerk of the City against the state&#39;s list of septage businesses"
    assert said in read(clerk, "/clerk/licenses")
    assert "Mark as checked" not in read(clerk, path)
    assert clerk.get(f"/bayfield/clerk/licenses/{licence_of(other.id).id}").status_code == 404
    assert signed_in(app, "member1").get(f"/bayfield{path}").status_code == 403


def test_a_number_given_twice_is_shown_to_the_clerk_only(app):
    mine, theirs = hauler(), second()
    give(mine), give(theirs)
    filed(mine, at="2026-08-10T10:00")
    clerk = signed_in(app, "clerk")
    assert "Given twice" in read(clerk, "/clerk/licenses")
    assert "Another hauler gave this number too" in read(clerk, f"/clerk/licenses/{licence_of(mine.id).id}")
    assert "Given twice" not in read(signed_in(app), "/hauler/license")


def test_renewing_a_license_begins_with_the_state_and_number_of_the_last(app):
    hauler()
    client = signed_in(app)
    page = read(client, "/hauler/license")
    fields = re.findall(r'<input[^>]*name="(licence_state|licence_number|licence_ends-year)"[^>]*>', page)
    assert fields == ["licence_state", "licence_number", "licence_ends-year"]
    boxes = {name: re.search(rf'<input[^>]*name="{name}"[^>]*>', page)[0] for name in fields}
    assert ('value="WI"' in boxes["licence_state"], 'value="4022"' in boxes["licence_number"]) == (True, True)
    assert 'value="2027"' not in boxes["licence_ends-year"]
    post(client, "/hauler/license", licence_state="WI", licence_number="5000", **ends("licence_ends"))
    assert 'value="5000"' in read(client, "/hauler/license")


def test_a_page_that_was_open_too_long_keeps_the_file_chosen_in_it(app):
    business = hauler()
    app.config["WTF_CSRF_ENABLED"] = False
    client = signed_in(app)
    app.config["WTF_CSRF_ENABLED"] = True
    shown = read(client, "/hauler/license")
    typed = {"licence_state": "WI", "licence_number": "4711"} | ends("licence_ends")
    old = {"csrf_token": "old", "whose": re.search(r'name="whose" value="([^"]+)"', shown)[1]}
    answer = post(client, "/hauler/license", ("copy", PDF, "licence.pdf"), **typed, **old)
    page = answer.get_data(as_text=True)
    assert wrong(answer) == [("main", "This page was open for a long time. Check it and press the button again.")]
    assert f"Kept with this form: <b>licence.pdf</b>, {len(PDF)} bytes." in page
    hidden = dict(re.findall(r'name="(csrf_token|whose|copy-kept)"[^>]* value="([^"]+)"', page))
    assert post(client, "/hauler/license", **typed, **hidden).status_code == 303
    assert [one.name for one in files_of(business.id)] == ["licence.pdf"]


def test_a_page_that_carries_nobodys_mark_names_the_file_to_choose_again(app):
    hauler()
    app.config["WTF_CSRF_ENABLED"] = False
    client = signed_in(app)
    app.config["WTF_CSRF_ENABLED"] = True
    typed = {"licence_state": "WI", "licence_number": "4711", "csrf_token": "old"} | ends("licence_ends")
    answer = post(client, "/hauler/license", ("copy", PDF, "licence.pdf"), **typed)
    assert wrong(answer) == [("main", "This page was open for a long time. Check it and press the button again. Choose "
                                      "licence.pdf again: a file is not kept.")]  # fmt: skip
    assert 'value="4711"' in answer.get_data(as_text=True)

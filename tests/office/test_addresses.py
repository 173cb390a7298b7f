"""Addresses made before: never those of another plant, never more than so many."""

import pytest
from flask import g, url_for

from office import addresses
from office.access import system
from office.db import db
from office.plants import plant_named, set_up_plant
from tests import world


@pytest.fixture
def plants(app):
    world.plant()
    set_up_plant(slug="lawrence", name="Lawrence", city="Lawrence", zone="America/Chicago", phone="", help_hours="",
                 address="1 A St", by=system(), at=world.START)  # fmt: skip
    db.session.commit()
    return [plant_named("bayfield"), plant_named("lawrence")]


def test_an_address_made_for_one_plant_is_not_another_ones(app, plants):
    found = []
    for plant in (*plants, *plants):
        with app.test_request_context("/"):
            g.plant = plant
            found.append(url_for("intake.rules"))
    assert found == ["/bayfield/rules", "/lawrence/rules"] * 2


def test_an_address_of_another_scheme_or_with_an_anchor_is_made_anew(app, plants):
    with app.test_request_context("/"):
        g.plant = plants[0]
        assert url_for("intake.rules") == "/bayfield/rules"
        assert url_for("intake.rules", _anchor="fees") == "/bayfield/rules#fees"
        assert url_for("intake.rules", _external=True) == "http://localhost/bayfield/rules"


def test_only_so_many_addresses_are_remembered(app, plants, monkeypatch):
    monkeypatch.setattr(addresses, "MOST", 3)
    monkeypatch.setattr(app, "addresses", {})
    with app.test_request_context("/"):
        g.plant = plants[0]
        for number in range(7):
            url_for("intake.rules", page=number)
    assert len(app.addresses) == 1


def test_cookies_are_signed_with_the_key_that_holds_now(app):
    sign = app.session_interface.get_signing_serializer(app)
    assert app.session_interface.get_signing_serializer(app) is sign
    kept = sign.dumps({"a": 1})
    app.config["SECRET_KEY"] = "another key of forty characters and more"
    other = app.session_interface.get_signing_serializer(app)
    assert other.loads_unsafe(kept) == (False, {"a": 1})
    app.config["SECRET_KEY_FALLBACKS"] = ["a-key-for-tests-only-0123456789abcdef"]
    assert app.session_interface.get_signing_serializer(app).loads(kept) == {"a": 1}

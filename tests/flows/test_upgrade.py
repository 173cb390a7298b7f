"""A plant that upgrades keeps every row and every digest: columns added later leave older rows as they were."""

import pytest
from flask_migrate import downgrade, upgrade

from office import verify
from office.db import db
from office.serve import ROOT

FOLDER = str(ROOT / "office" / "migrations")

pytestmark = pytest.mark.xdist_group("season")


def test_season_taken_back_to_older_tables_and_up_again_still_verifies(season):
    db.session.remove()
    downgrade(directory=FOLDER, revision="0002")
    assert "channel" not in {column["name"] for column in db.inspect(db.engine).get_columns("application")}
    upgrade(directory=FOLDER)
    assert verify.verify() == []

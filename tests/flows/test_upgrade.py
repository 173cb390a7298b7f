"""A plant that upgrades keeps every row and every digest: columns added later leave older rows as they were."""

import pytest
from flask_migrate import downgrade, upgrade
from sqlalchemy import select

from office import verify
from office.db import db
from office.journal import digest
from office.plants import ClosureDay
from office.serve import ROOT

FOLDER = str(ROOT / "office" / "migrations")


def test_plant_taken_back_to_older_tables_and_up_again_still_verifies(app):
    db.session.remove()
    downgrade(directory=FOLDER, revision="0002")
    assert "channel" not in {column["name"] for column in db.inspect(db.engine).get_columns("application")}
    upgrade(directory=FOLDER)
    # The four holidays lost on the way who set them and when; nothing else is different.
    holidays = db.session.scalars(select(ClosureDay.id).order_by(ClosureDay.id)).all()
    assert verify.verify() == [f"closure_day {one}: differs from its newest journal entry." for one in holidays]


LATER = [(table, column) for table in db.metadata.sorted_tables for column in table.columns if "born" in column.info]


@pytest.mark.parametrize(("table", "column"), LATER, ids=[str(column) for _, column in LATER])
def test_column_added_later_leaves_the_digest_of_an_older_row_alone_until_it_holds_something(table, column):
    older = {one.name: 7 for one in table.columns if "born" not in one.info}
    born = {one.name: one.info["born"] for one in table.columns if "born" in one.info}
    assert digest(table, older | born) == digest(table, older)
    assert digest(table, older | born | {column.name: "something"}) != digest(table, older)

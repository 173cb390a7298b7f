"""No text may be longer than its column: what a form takes, what the code puts together, what a law says."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import String
from wtforms import Form
from wtforms.fields.core import UnboundField

from office.db import Model, TooLong, db, fit
from office.fields import TextField
from office.notices import Notice
from office.people import Party
from office.plants import Plant
from tests import world

ROOMS = ("office", "billing", "haulers", "intake")
# Fields named as columns they do not fill: (form field, column) with what becomes of them.
ELSEWHERE = {
    # A name of somebody or something of another table.
    *(("name", f"{table}.name") for table in ("load_cost", "tablet", "security_role", "point", "truck")),
    # Paragraphs: no column of the rows they make has a length.
    ("reason", "restriction.reason"),
    ("basis", "load.basis"), ("outcome", "hold.outcome"), ("outcome", "wait.outcome"), ("what", "more_tests.what"),
    ("typed", "result.typed"), ("facts", "journal_head.facts"), ("answer", "room_offer.answer"),
    # The place of an accident, and one a record names: those of a sample are typed on another form.
    ("place", "custody_step.place"),
    # The number of a certified mail goes into a column of 40 with that name.
    ("number", "letter.number"), ("number", "approval.number"), ("number", "application.number"),
}  # fmt: skip
# Forms whose field of a name does fill the column that ELSEWHERE leaves out.
FILLS = {
    ("TabletForm", "name"): "tablet.name", ("TruckForm", "name"): "truck.name", ("TruckRow", "name"): "truck.name",
    ("PointForm", "name"): "point.name", ("TermsForm", "name"): "point.name",
    ("MoreTestsForm", "what"): "more_tests.what", ("DamageForm", "what"): "damage.what",
    ("ResultForm", "typed"): "result.typed", ("MailForm", "number"): "revocation.certified_mail",
    ("PaymentForm", "reference"): "payment.reference", ("RefundForm", "reference"): "payment.reference",
}  # fmt: skip


def lengths() -> dict[str, int]:
    """Letters of each text column that has a length, by "table.column"."""
    tables = db.metadata.tables.values()
    return {f"{table.name}.{one.name}": one.type.length for table in tables for one in table.columns
            if type(one.type) is String and one.type.length}  # fmt: skip


def modules() -> Iterator[Any]:
    for room in ROOMS:
        package = importlib.import_module(room)
        for one in pkgutil.walk_packages(package.__path__, f"{room}."):
            if "migrations" not in one.name:
                yield importlib.import_module(one.name)


def text_fields() -> set[tuple[str, str, str, int]]:
    """(room, form, field, letters it takes) of every field of a form that takes text."""
    found = set()
    for module in modules():
        for name, form in inspect.getmembers(module, inspect.isclass):
            if issubclass(form, Form) and form.__module__.split(".")[0] in ROOMS:
                for field in dir(form):
                    unbound = getattr(form, field, None)
                    if isinstance(unbound, UnboundField) and issubclass(unbound.field_class, TextField):
                        made = unbound.bind(form=None, name=field, _meta=form.Meta())
                        found.add((form.__module__.split(".")[0], name, field, made.longest))
    return found


def test_no_form_takes_more_letters_than_the_column_it_fills(app: Any) -> None:
    columns, wrong = lengths(), []
    fields = text_fields()
    assert len(fields) > 150
    for room, form, field, longest in fields:
        fills = [FILLS[form, field]] if (form, field) in FILLS else [
            column for column in columns
            if column.split(".")[1] == field and (field, column) not in ELSEWHERE and _room(column) in (room, "office")
        ]  # fmt: skip
        wrong += [(form, field, longest, column, columns[column]) for column in fills
                  if longest > columns.get(column, 0)]  # fmt: skip
    assert wrong == []


def _room(column: str) -> str:
    (mapper,) = [one for one in Model.registry.mappers if one.local_table.name == column.split(".", maxsplit=1)[0]]
    return str(mapper.class_.__module__.split(".")[0])


def test_what_a_form_lets_in_fits_beside_what_the_code_puts_before_it(app: Any) -> None:
    longest = {(form, field): most for _, form, field, most in text_fields()}
    what = lengths()["entry.what"]
    assert longest["MoreTestsForm", "what"] + len("Further tests: ") <= what
    assert longest["DamageForm", "what"] <= what


def test_a_text_longer_than_its_column_is_refused_on_both_engines(app: Any) -> None:
    with pytest.raises(TooLong, match="61 letters, 60 at most"):
        db.session.add(Party(name="A", address="B", email="", phone="7" * 61))
        db.session.flush()
    db.session.rollback()
    assert isinstance(world.plant(), Plant)


def test_words_put_together_are_cut_to_their_column_and_say_so() -> None:
    assert fit("a" * 300, Notice.subject) == "a" * 300
    assert fit("a" * 301, Notice.subject) == "a" * 299 + "…"
    assert len(fit("Taken back: " + "a" * 300, Notice.subject)) == 300

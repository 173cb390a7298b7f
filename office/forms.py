"""The form every page posts: our markup rules, the idempotency key, rows of sub forms, one list of what is wrong.

The fields are in ``office.fields``, ``number_fields``, ``date_fields`` and ``choice_fields``; this module hands them
on, so a page imports everything from here. The macros that draw them are in ``templates/ui/``.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import wtforms
from flask import g, has_request_context, request
from flask_wtf import FlaskForm
from wtforms import Field, FieldList, FormField, HiddenField

from office.choice_fields import ChoiceField, TickField, TicksField, TilesField
from office.date_fields import Date3Field, TimeField
from office.db import lapsed
from office.fields import AreaField, EmailField, PhoneField, Plain, SecretField, TextField
from office.number_fields import DecimalField_, GallonsField, MoneyField, WholeField
from office.upload_fields import UploadField

__all__ = [
    "AreaField",
    "ChoiceField",
    "Date3Field",
    "DecimalField_",
    "EmailField",
    "Form",
    "GallonsField",
    "Markup",
    "MoneyField",
    "PhoneField",
    "Plain",
    "Problem",
    "Row",
    "RowsField",
    "SecretField",
    "TextField",
    "TickField",
    "TicksField",
    "TilesField",
    "TimeField",
    "UploadField",
    "WholeField",
    "fresh",
]

STALE = "This page was open too long to be sent. Your answers are kept. Send it again"


def fresh() -> str:
    """A new idempotency key: 32 hex digits."""
    return uuid4().hex


def _kept_or_fresh(key: str | None) -> str:
    return key if key and re.fullmatch(r"[0-9a-f]{32}", key) else fresh()


@dataclass(frozen=True)
class Problem:
    """One line of the error summary: ``target`` is the id of the control it leads to."""

    target: str
    sentence: str


def attributes(field: Field, given: dict[str, Any]) -> dict[str, Any]:
    """The HTML attributes of one control: class, keyboard, autocomplete, and what describes it. Never ``required``."""
    select = isinstance(field, wtforms.SelectField)
    classes = ["form-select" if select else "form-control", given.pop("class", "")]
    if size := getattr(field, "size", ""):
        classes.append(f"in-{size}")
    if field.errors:
        classes.append("is-invalid")
        given["aria-invalid"] = "true"
    if describes := described_by(field):
        given["aria-describedby"] = describes
    for name in ("inputmode", "autocomplete"):
        if value := getattr(field, name, None):
            given.setdefault(name, value)
    return {**given, "class": " ".join(filter(None, classes)), "required": False}


def described_by(field: Field) -> str:
    """``<id>-hint <id>-error``, only those the page holds."""
    parts = [("hint", getattr(field, "hint", None) or field.description), ("error", field.errors)]
    return " ".join(f"{field.id}-{name}" for name, there in parts if there)


class Markup:
    """How every control is written: ids, descriptions, keyboard, never ``required``."""

    class Meta:
        def render_field(self, field: Field, render_kw: dict[str, Any]) -> Any:
            given = {**(field.render_kw or {}), **{("class" if k == "class_" else k): v for k, v in render_kw.items()}}
            return field.widget(field, **(given if isinstance(field, HiddenField) else attributes(field, given)))


class Row(Markup, wtforms.Form):
    """A sub form for ``RowsField``: no key and no token of its own."""


class RowsField(FieldList):
    """Rows of one sub form. ``row`` names one of them in errors ("Source 3: …"); blank spare rows are dropped.

    ``names``: what a page calls its rows instead, in their order, such as each hauler's name.
    """

    kind = "rows"
    focus: int | None = None

    def __init__(
        self,
        form: type[Row],
        label: str,
        row: str,
        hint: str | None = None,
        *,
        least: int = 1,
        most: int = 60,
        **kw: Any,
    ) -> None:
        super().__init__(FormField(form), label, min_entries=least, max_entries=most, **kw)
        self.row, self.hint, self.most = row, hint, most
        self.names: list[str] = []

    def validate(self, form: Any, extra_validators: Iterable[Any] = ()) -> bool:
        blank = [n for n, entry in enumerate(self.entries) if not any(_typed(leaf) for leaf in leaves(entry.form))]
        for n in reversed(blank):
            if len(self.entries) > max(1, self.min_entries):
                self.pop_entry(n)
        return bool(super().validate(form, extra_validators))


def _typed(field: Field) -> bool:
    return any(str(value).strip() for value in field.raw_data or ())


def leaves(fields: Iterable[Field]) -> Iterator[Field]:
    """Every single field, those of sub forms and rows included."""
    for field in fields:
        if isinstance(field, FieldList):
            yield from leaves(field.entries)
        elif isinstance(field, FormField):
            yield from leaves(field.form)
        else:
            yield field


def _row_names(rows: FieldList) -> list[str]:
    """What each row is called in errors and answers: by its name where it has one, else by its number."""
    word, names = getattr(rows, "row", rows.label.text), getattr(rows, "names", [])
    return [names[n] if n < len(names) else f"{word} {n + 1}" for n in range(len(rows.entries))]


def _name_the_rows(fields: Iterable[Field]) -> None:
    for rows in (field for field in fields if isinstance(field, FieldList)):
        for name, entry in zip(_row_names(rows), rows.entries, strict=True):
            for leaf in leaves([entry]):
                if leaf.errors:
                    leaf.errors[:] = [f"{name}: {said}" for said in leaf.errors]


def _answers(fields: Iterable[Field], before: str = "") -> Iterator[tuple[str, str]]:
    for field in fields:
        if isinstance(field, FieldList):
            for name, entry in zip(_row_names(field), field.entries, strict=True):
                yield from _answers([entry], f"{before}{name}: ")
        elif isinstance(field, FormField):
            yield from _answers(field.form, before)
        elif isinstance(field, Plain) and (text := field.answer()):
            yield before + field.label.text, text


class Form(Markup, FlaskForm):
    """Base of every form. ``once.data`` is the idempotency key: made when first shown, kept when shown again.

    ``too_late`` when it came too late to be taken: nothing typed in it was looked at.
    """

    form_errors: list[str]
    too_late = False
    once = HiddenField(default=fresh, filters=[_kept_or_fresh])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if has_request_context():
            g.setdefault("forms", []).append(self)

    def validate(self, extra_validators: Any = None) -> bool:
        """True when every field could be read; errors in rows name their row. False for a form sent too late."""
        if said := lapsed():
            self.form_errors, self.too_late = [said], True
            return False
        good = super().validate(extra_validators)
        _name_the_rows(self)
        return bool(good)

    def refuse(self, field: Field | str | None, sentence: str) -> None:
        """Show what an act answered at a field; with None above the form."""
        if field is None:
            self.form_errors = [*self.form_errors, sentence]
            return
        at = self[field] if isinstance(field, str) else field
        at.errors = [*at.errors, sentence]

    def problems(self) -> list[Problem]:
        """What is wrong in page order, one line a control, for the error summary."""
        found = [Problem("main", said) for said in self.form_errors]
        for field in self:
            if isinstance(field, FieldList):
                found += [Problem(field.id, said) for said in field.errors if isinstance(said, str)]
            for leaf in leaves([field]):
                sentences = [STALE] if leaf.errors and leaf.short_name == self.meta.csrf_field_name else leaf.errors
                target = "main" if isinstance(leaf, HiddenField) else getattr(leaf, "target", leaf.id)
                # Many boxes alike: at the box the sentence stands alone, above the form it says which box is meant.
                which = f"{leaf.place}: " if getattr(leaf, "place", "") else ""
                found += [Problem(target, f"{which}{said}") for said in sentences]
        return found

    def answers(self) -> list[tuple[str, str]]:
        """(label, text) of all that was typed, passwords left out, for a page that could not take it."""
        return list(_answers(self))

    def edited_rows(self) -> bool:
        """Do a press of "Add another" or "Remove" (``ui.rows``); True when it was one: show the form again.

        The page then opens at the new row, or at the one that took the removed one's place (``rows.focus``).
        """
        added, removed = request.form.get("add_row", ""), request.form.get("remove_row", "")
        if isinstance(rows := self._fields.get(added), FieldList) and len(rows) < (rows.max_entries or len(rows) + 1):
            rows.append_entry()
            rows.focus = len(rows) - 1
        name, _, place = removed.rpartition("-")
        if isinstance(rows := self._fields.get(name), FieldList) and place.isdecimal() and int(place) < len(rows):
            rows.pop_entry(int(place))
            if len(rows) < rows.min_entries:
                rows.append_entry()
            rows.focus = min(int(place), len(rows) - 1)
        return bool(added or removed)

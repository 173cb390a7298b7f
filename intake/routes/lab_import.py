"""Pages of a laboratory's file: choose it, see what it does, take it in whole."""

from collections.abc import Sequence
from dataclasses import astuple
from typing import Any

from flask import current_app, request
from itsdangerous import BadData, URLSafeSerializer

from intake.actions.lab import LAB
from intake.actions.lab_import import LabTaken, import_results
from intake.forms.flow_sheet import NotReadableError
from intake.forms.lab_file import LabFile, LabNotReadableError, read_lab
from intake.forms.lab_import import ImportLabForm, TakeLabForm
from intake.queries.lab_import import DIFFERS, NEW, SAME, LabLine, Wrong, outcomes
from intake.queries.results import NAMES
from intake.routes.base import bp
from office import formats
from office.pages import Page, page
from ordinances.refusal import Refusal

# Results of a year at a busy plant: more than this makes the page of a preview too large.
MOST_LINES = 4_000
FOR_YOU = "These results were not shown to you. Choose the file again."


@page(bp, "/plant/lab/import", *LAB, methods=("GET", "POST"))
def lab_import(here: Page) -> Any:
    """Choose a laboratory's file, see what it does, and take it in."""
    if "results" in request.form:
        return _take_in(here, TakeLabForm())
    form, cells = ImportLabForm(), list[Any]()
    if form.validate_on_submit():
        try:
            found = read_lab(form.file.data.content)
        except NotReadableError as problem:
            form.refuse("file", problem.why.rstrip("."))
            rest = problem.found.lines if isinstance(problem, LabNotReadableError) else ()
            cells = sorted([*problem.cells, *_stopping(here, rest)], key=lambda one: one.row)
        else:
            cells = _stopping(here, found.lines)
            if not cells and len(found.lines) <= MOST_LINES:
                return _preview(here, TakeLabForm(formdata=None), found, form.file.data.name)
            many = f"The file has more than {formats.plural(MOST_LINES, 'result')}. Import it in parts"
            form.refuse("file", "Nothing was taken. Mend these cells and import the file again" if cells else many)
    return here.show("intake/lab/import.html", form=form, cells=cells)


def _stopping(here: Page, lines: Sequence[LabLine]) -> list[Wrong]:
    """The cells that stop a file; none are looked for in one too long, whose loads are too many to ask for at once."""
    return outcomes(here.plant.id, lines, here.today)[1] if len(lines) <= MOST_LINES else []


def _preview(here: Page, form: TakeLabForm, found: LabFile, name: str) -> Any:
    """What the results would do, with the results themselves signed in the form."""
    several, _ = outcomes(here.plant.id, found.lines, here.today)
    form.results.data = _sealed(here).dumps([name, found.others, [astuple(one) for one in found.lines]])
    kinds = {kind: [one for one in several if one.kind == kind] for kind in (NEW, SAME, DIFFERS)}
    asked = [one for one in kinds[NEW] if one.band is not None or one.is_nought]
    return here.show("intake/lab/preview.html", form=form, name=name, kinds=kinds, asked=asked, names=NAMES,
                     others=found.others, loads=len({one.load.id for one in several}))  # fmt: skip


def _take_in(here: Page, form: TakeLabForm) -> Any:
    """The results that were shown, taken in under the lock; a form sent too late shows them again."""
    try:
        name, others, packed = _sealed(here).loads(form.results.data)
    except BadData:
        return here.refuse(Refusal("not_shown", FOR_YOU, ""))
    found = LabFile([LabLine(*one) for one in packed], others)
    if not form.validate_on_submit():
        return _preview(here, form, found, name)
    taken = import_results(here.plant, found.lines, name[:200], sure=form.sure.data, by=here.by, at=here.at,
                           law=here.law)  # fmt: skip
    if isinstance(taken, Refusal) and taken.code == "unusual":
        form.refuse("sure", taken.why.rstrip("."))
        return _preview(here, form, found, name)
    if isinstance(taken, Refusal):
        return here.refuse(taken)
    return here.done("intake.lab", said=said(taken))


def _sealed(here: Page) -> URLSafeSerializer:
    """Signs the results for this person at this plant: what is taken in is what this person was shown."""
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt=f"lab {here.plant.id} {here.by.person_id}")


def said(taken: LabTaken) -> str:
    """What an import did, in words."""
    if not taken.new and not taken.differing:
        return "Nothing is added: every result of this file was recorded before."
    parts: Sequence[str] = [
        f"{formats.plural(taken.new, 'result')} of {formats.plural(len(taken.loads), 'load')} taken in",
        f"{formats.plural(taken.same, 'was', 'were')} recorded before" if taken.same else "",
        f"{formats.plural(taken.differing, 'keeps', 'keep')} what was recorded before" if taken.differing else "",
    ]
    return f"{', '.join(filter(None, parts))}."

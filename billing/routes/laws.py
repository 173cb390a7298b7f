"""Another version of the law: bring it in, see what it changes, tell the haulers, put it in force (§ 281.49(12))."""

from datetime import date, timedelta
from typing import Any

from flask import abort, make_response, request

from billing import ports
from billing.actions import laws as acts
from billing.queries import laws as queries
from billing.routes.base import bp
from office.access import Role
from office.documents import send_letter
from office.formats import plural
from office.law import law_with, profile_of
from office.law_forms import LawDayForm, LawFileForm, TakeBackForm, amounts_form
from office.pages import Page, page
from ordinances.amending import amended, amounts
from ordinances.law_text import toml_of
from ordinances.reader import LawError, Problem, profile_from_toml
from ordinances.refusal import Refusal
from ordinances.rows import Profile

WHO, BOTH = (Role.ADMINISTRATOR, Role.CLERK), ("GET", "POST")
FIELDS = {"no_resolution": "resolution", "no_basis": "basis"}
NOT_TEXT = Problem("the file", "", "not UTF-8 text", "Save it as UTF-8")


@page(bp, "/admin/law", *WHO)
def laws(here: Page) -> Any:
    """The laws adopted here, and the versions brought in that are not in force."""
    drafts = [one for one in queries.law_drafts(here.plant.id) if one.adoption is None]
    return here.show("billing/laws.html", adopted=queries.adoptions(here.plant.id), drafts=drafts, form=None,
                     missing=ports.no_such_point(here.plant, here.law, here.today))  # fmt: skip


@page(bp, "/admin/law/<int:adoption_id>.toml", *WHO)
def law_file(here: Page, adoption_id: int) -> Any:
    """An adopted version as the file it can be read from again."""
    found = (text for one, text in queries.adoptions(here.plant.id) if one.id == adoption_id)
    profile = profile_of(next(found, None) or abort(404))
    response = make_response(toml_of(profile))
    response.headers["Content-Type"] = "text/plain; charset=utf-8"
    response.headers["Content-Disposition"] = f'attachment; filename="{profile.id}.toml"'
    return response


@page(bp, "/admin/law/new", *WHO, methods=BOTH)
def new_law(here: Page) -> Any:
    """A whole new version, as a file or as text."""
    form = LawFileForm()
    problems: list[Problem] = []
    if form.validate_on_submit():
        try:
            profile = profile_from_toml(form.content, form.name)
        except (UnicodeDecodeError, LawError) as error:
            problems = getattr(error, "problems", [NOT_TEXT])
            sent = "text" if form["file"].data is None else "file"
            form.refuse(sent, f"The version has {plural(len(problems), 'mistake')}, named over the form")
        else:
            made = _draft(here, form, profile)
            if made is not None:
                return made
    return here.show("billing/new_law.html", form=form, problems=problems)


@page(bp, "/admin/law/amounts", *WHO, methods=BOTH)
def new_amounts(here: Page) -> Any:
    """Other amounts in the law that is otherwise as it stands."""
    form = amounts_form(amounts(here.law, here.today))
    problems: list[Problem] = []
    if form.validate_on_submit():
        try:
            profile = amended(here.law, form.changed(), form.since.data)
        except LawError as error:
            problems = error.problems
            form.refuse(None, "These amounts do not pass the checks of a law")
        else:
            made = _draft(here, form, profile)
            if made is not None:
                return made
    return here.show("billing/new_amounts.html", form=form, problems=problems)


def _draft(here: Page, form: Any, profile: Profile) -> Any:
    """Bring the version in and go to its page; None with the refusal on the form."""
    made = acts.draft_law(here.plant, profile, form.since.data, form.resolution.data, form.basis.data, by=here.by,
                          at=here.at, law=here.law)  # fmt: skip
    if not isinstance(made, Refusal):
        return here.done("billing.law", draft_id=made.id, said="The version is brought in. It is not in force yet.")
    form.refuse(FIELDS.get(made.code, "since"), " ".join(filter(None, [made.why, made.next_step])).rstrip("."))
    return None


@page(bp, "/admin/law/<int:draft_id>", *WHO, methods=BOTH)
def law(here: Page, draft_id: int) -> Any:
    """One version: what it changes, who must be told first; put it in force."""
    found, form = _found(here, draft_id), LawDayForm()
    start = _start(here, found)
    if form.validate_on_submit():
        made = acts.adopt_draft(here.plant, found.row, form.since.data, by=here.by, at=here.at, law=here.law)
        if not isinstance(made, Refusal):
            return here.done("billing.law", draft_id=draft_id, said="The version is adopted.")
        form.refuse("since", made.why.rstrip("."))
    elif request.method == "GET":
        form.since.process_data(start.first)
    new = law_with(here.plant, found.profile)
    return here.show("billing/law.html", one=found, form=form, start=start,
                     missing=ports.no_such_point(here.plant, new, found.row.since),
                     from_day=_told_from(found, start, here.today))  # fmt: skip


@page(bp, "/admin/law/<int:draft_id>/tell", *WHO, methods=("POST",))
def tell_of_law(here: Page, draft_id: int) -> Any:
    """Tell every approved hauler what the version raises, from the day its button named."""
    try:
        since = date.fromisoformat(request.form.get("since", ""))
    except ValueError:
        abort(400)
    row = _found(here, draft_id).row
    done = acts.tell_of_law(here.plant, row, since, by=here.by, at=here.at, law=here.law)
    if isinstance(done, Refusal):
        return here.refuse(done, title="The haulers cannot be told of this", next=[])
    return here.done("billing.law", draft_id=draft_id, said="The haulers are told.")


@page(bp, "/admin/law/<int:draft_id>/back", *WHO, methods=("POST",))
def withdraw_law(here: Page, draft_id: int) -> Any:
    """Take a version back that is not in force."""
    done = acts.withdraw_draft(here.plant, _found(here, draft_id).row, by=here.by, at=here.at, law=here.law)
    if isinstance(done, Refusal):
        return here.refuse(done, title="This version cannot be taken back", next=[])
    return here.done("billing.laws", said="The version is taken back.")


@page(bp, "/admin/law/adopted/<int:adoption_id>/back", *WHO, methods=BOTH)
def take_back_law(here: Page, adoption_id: int) -> Any:
    """Take an adopted version back before its day, and say why."""
    found = next((one for one in queries.adoptions(here.plant.id) if one[0].id == adoption_id), None) or abort(404)
    form, (adoption, text) = TakeBackForm(), found
    if form.validate_on_submit():
        made = acts.take_back_law(here.plant, adoption, form.reason.data, by=here.by, at=here.at, law=here.law)
        if not isinstance(made, Refusal):
            return here.done("billing.laws", said="The version is taken back. The law before it goes on.")
        return here.refuse(made, title="This version cannot be taken back", next=[])
    return here.show("billing/take_back_law.html", one=adoption, text=text, form=form)


@page(bp, "/admin/law/<int:draft_id>/<number>.pdf", *WHO)
def law_letter(here: Page, draft_id: int, number: str) -> Any:
    """The letter to one hauler as it was sent."""
    letters = [letter for _, _, letter in _found(here, draft_id).to if letter.number == number]
    return send_letter(letters[0] if letters else abort(404))


def _found(here: Page, draft_id: int) -> queries.LawView:
    return next(iter(queries.law_drafts(here.plant.id, draft_id)), None) or abort(404)


def _start(here: Page, found: queries.LawView) -> queries.Start:
    """What the version changes from its day on, or from tomorrow on where that day has passed."""
    first = here.today + timedelta(days=1)
    since = found.row.since if not found.row.open else max(found.row.since, first)
    return queries.start_of(here.plant, found.profile, since, here.at)


def _told_from(found: queries.LawView, start: queries.Start, today: date) -> date:
    """The day a letter of today names: the first one it may start on."""
    return max(found.row.since, today + (start.notice or timedelta(days=1)))

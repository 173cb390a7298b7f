"""Labels of sample bottles: print ahead, 30 a letter sheet with a QR code; print some again, marked so."""

from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

import segno
from flask import abort, current_app, send_file, url_for

from intake.actions.labels import PRINTERS, print_labels, reprint_labels
from intake.forms.labels import PrintForm, ReprintForm
from intake.models import LabelReprint, LabelRun
from intake.queries import labels
from intake.routes.base import bp
from office import letters
from office.db import db
from office.pages import Page, page
from ordinances.refusal import Refusal


@page(bp, "/station/labels", *PRINTERS, methods=("GET", "POST"))
def bottle_labels(here: Page) -> Any:
    """What is printed, how many are left; print the next sheets."""
    form = PrintForm(data={"sheets": 1})
    if form.validate_on_submit():
        result = print_labels(here.plant, form.sheets.data or 0, by=here.by, at=here.at)
        if not isinstance(result, Refusal):
            said = f"Labels {labels.as_bottle(result.first)} to {labels.as_bottle(result.last)} are ready to print."
            return here.done("intake.bottle_labels", said)
        form.refuse("sheets", result.why)
    return here.show("intake/custody/labels.html", form=form, runs=list(reversed(labels.runs(here.plant.id))),
                     reprints=labels.reprints(here.plant.id), as_bottle=labels.as_bottle,
                     outside=_outside(), here_only=_here_only(), left=labels.left(here.plant.id),
                     following=labels.next_label(here.plant.id))  # fmt: skip


@page(bp, "/station/labels/again", *PRINTERS, methods=("GET", "POST"))
def labels_again(here: Page) -> Any:
    """Print some labels once more."""
    form = ReprintForm()
    if form.validate_on_submit():
        result = reprint_labels(here.plant, form.first.data or 0, form.last.data or 0, form.reason.data, by=here.by,
                                at=here.at)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("intake.bottle_labels", "They are ready to print, each marked as a reprint.")
        form.refuse({"no_reason": "reason", "order": "last"}.get(result.code, "first"), result.why)
    return here.show("intake/custody/again.html", form=form, highest=labels.last_printed(here.plant.id),
                     as_bottle=labels.as_bottle)  # fmt: skip


@page(bp, "/station/labels/<int:run_id>.pdf", *PRINTERS)
def labels_pdf(here: Page, run_id: int) -> Any:
    """The sheets of one print."""
    return _sheets(here, db.session.get(LabelRun, run_id), again=False)


@page(bp, "/station/labels/again/<int:reprint_id>.pdf", *PRINTERS)
def labels_again_pdf(here: Page, reprint_id: int) -> Any:
    """The sheets of one reprint."""
    return _sheets(here, db.session.get(LabelReprint, reprint_id), again=True)


def _sheets(here: Page, row: Any, *, again: bool) -> Any:
    if row is None or row.plant_id != here.plant.id:
        abort(404)
    title = f"Bottle labels {labels.as_bottle(row.first)} to {labels.as_bottle(row.last)}"
    data = {
        "title": title, "city": here.plant.city,
        "labels": [{"bottle": one.bottle, "day": one.day, "load": one.load, "again": one.again,
                    "code": code(address(here.plant.slug, one.bottle))}
                   for one in labels.labels(here.plant, row.first, row.last, again=again)],
    }  # fmt: skip
    return send_file(BytesIO(letters.render("labels", data)), mimetype="application/pdf", download_name=f"{title}.pdf")


def address(plant_slug: str, bottle: str) -> str:
    """Where a label's code leads: the sample's page at the address people use, whoever asked for the sheets."""
    return f"{_outside()}{url_for('intake.sample', plant_slug=plant_slug, bottle=bottle)}"


def _outside() -> str:
    return str(current_app.config["SEPTAGE_URL"]).rstrip("/")


def _here_only() -> bool:
    """Whether that address is this machine's own name for itself, which no other opens."""
    return urlsplit(_outside()).hostname in ("localhost", "127.0.0.1")


def code(address: str) -> str:
    """The QR code of a sample's page as an SVG file; a quarter of it may be smudged."""
    out = BytesIO()
    segno.make(address, error="q", micro=False).save(out, kind="svg", border=2, xmldecl=False)
    return out.getvalue().decode()

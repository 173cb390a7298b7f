"""Hand a letter's PDF to the browser. Whoever calls has checked that the person may see it."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

from flask import make_response, render_template, send_file
from pypdf import PdfWriter
from sqlalchemy import select

from office.db import db
from office.files import File
from office.letters import Letter

WAIT_SECONDS = 5


def send_letter(letter: Letter | None) -> Any:
    """The PDF as a download; while it is still being made, a page that says so and looks again by itself."""
    if letter is None or letter.file_id is None:
        response = make_response(render_template("office/being_made.html", letter=letter, form=None), 202)
        response.headers["Refresh"] = str(WAIT_SECONDS)
        return response
    file = db.session.get_one(File, letter.file_id)
    return send_file(BytesIO(file.content), mimetype=file.kind, as_attachment=True, download_name=file.name)


def send_together(letters: Sequence[bytes | Letter], name: str) -> Any:
    """Letters as one PDF to be printed, each beginning on a page of its own, in their order; shown, not downloaded.

    Some are drawn already. While the PDF of another is still being made, the page that says so.
    """
    unmade = next((one for one in letters if isinstance(one, Letter) and one.file_id is None), None)
    if unmade is not None:
        return send_letter(unmade)
    ids = [one.file_id for one in letters if isinstance(one, Letter)]
    rows: Any = db.session.execute(select(File.id, File.content).where(File.id.in_(ids))).all()
    stored: dict[int | None, bytes] = {row[0]: row[1] for row in rows}
    whole = PdfWriter()
    for one in letters:
        whole.append(BytesIO(stored[one.file_id] if isinstance(one, Letter) else one))
    content = BytesIO()
    whole.write(content)
    content.seek(0)
    return send_file(content, mimetype="application/pdf", download_name=name)

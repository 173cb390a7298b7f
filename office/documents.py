"""Hand a letter's PDF to the browser. Whoever calls has checked that the person may see it."""

from io import BytesIO
from typing import Any

from flask import make_response, render_template, send_file

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

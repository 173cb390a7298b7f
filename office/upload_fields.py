"""The form field for one file. Draw its form with ``ui.form(form=form, files=True)``."""

from collections.abc import Sequence
from typing import Any

from werkzeug.datastructures import FileStorage
from wtforms.widgets import FileInput

from office.fields import Plain
from office.files import ENDINGS, KIND_WORDS, KINDS, LIMIT, Upload, problem, shown_name, size_words

HINT = f"{KIND_WORDS}, up to {size_words(LIMIT)}"

# For a form with rows: its page comes back at each "Add another", and a browser cannot be handed a file back.
LAST = f"{HINT}. Choose it last: it is not kept when you add or remove a row"


class UploadField(Plain):
    """One file of a kind and size that are kept; ``data`` an ``office.files.Upload``, None when nothing was chosen.

    A browser cannot be handed a file back: on a page that is shown again the hint names the file to choose again.
    """

    kind = "file"
    widget = FileInput()
    blank = None

    def __init__(self, label: str, hint: str | None = HINT, empty: str | None = "Choose …", **kwargs: Any) -> None:
        accept = ",".join([*KINDS, *(ending for endings in ENDINGS.values() for ending in endings)])
        super().__init__(label, hint, empty, render_kw={"accept": accept}, **kwargs)

    def process_data(self, value: Any) -> None:
        self.data, self.typed = None, ""

    def process_formdata(self, values: Sequence[Any]) -> None:
        self.data, self.typed, self.wrong = None, "", None
        found = next((one for one in values if isinstance(one, FileStorage) and one.filename), None)
        if found is None:
            return
        self.data = upload_of(found)
        self.typed = self.data.name
        self.wrong = problem(self.data)
        if not self.wrong:
            self.hint = f"Choose {self.typed} again: a file is not kept on a page that comes back. {self.hint or ''}"


def upload_of(found: FileStorage) -> Upload:
    """What came, read whole: at most one byte more than may be kept."""
    stream: Any = found.stream
    content = stream.read(LIMIT + 1)
    return Upload(shown_name(found.filename or ""), max(getattr(stream, "sent", 0), len(content)), content)

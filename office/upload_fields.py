"""The form field for one file. Draw its form with ``ui.form(form=form, files=True)``."""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup
from werkzeug.datastructures import FileStorage
from wtforms.widgets import FileInput

from office import draft_files
from office.fields import Plain
from office.files import ENDINGS, KIND_WORDS, KINDS, LIMIT, problem, size_words, upload_of, wrong_size

__all__ = ["HINT", "TABLE_ENDINGS", "TABLE_HINT", "ReadField", "UploadField", "upload_of"]
TABLE_HINT, TABLE_ENDINGS = f"CSV, or XLSX as Excel saves it, up to {size_words(LIMIT)}", ".csv,.txt,.xlsx"
HINT = f"{KIND_WORDS}, up to {size_words(LIMIT)}"
GONE = "Choose the file again: it is not kept any more"


class KeptInput(FileInput):
    """The box for a file; above it the one that is kept with the form, and the tick that leaves it out."""

    def __call__(self, field: Any, **kwargs: Any) -> Markup:
        box = super().__call__(field, **kwargs)
        if not field.key:
            return box
        kept = Markup(
            '<input type="hidden" name="{0}-kept" value="{1}"><p class="text-break mb-2">Kept with this form: '
            '<b>{2}</b>, {3}. Another file takes its place.</p><label class="choice" for="{4}-drop"><input '
            'type="checkbox" class="form-check-input" id="{4}-drop" name="{0}-drop" value="1"> <span '
            'class="choice-words"><b>Leave {2} out</b></span></label>'
        )
        return kept.format(field.name, field.key, field.data.name, field.data.words, field.id) + box


class UploadField(Plain):
    """One file of a kind and size that are kept; ``data`` an ``office.files.Upload``, None when nothing was chosen.

    A browser cannot be handed a file back: on a page that is shown again a good file is kept with the form
    (``office.draft_files``), and where that cannot be the hint names the file to choose again.
    """

    kind = "file"
    widget = KeptInput()
    blank = None
    data: Any
    key = ""
    dropped = False

    def __init__(self, label: str, hint: str | None = HINT, empty: str | None = "Choose …", **kwargs: Any) -> None:
        accept = ",".join([*KINDS, *(ending for endings in ENDINGS.values() for ending in endings)])
        super().__init__(label, hint, empty, render_kw={"accept": accept}, **kwargs)

    def process(self, formdata: Any, *args: Any, **kwargs: Any) -> None:
        carried = formdata.getlist(f"{self.name}-kept") if formdata is not None else []
        self.key = carried[0] if carried else ""
        self.dropped = bool(formdata is not None and formdata.getlist(f"{self.name}-drop"))
        super().process(formdata, *args, **kwargs)

    def process_data(self, value: Any) -> None:
        self.data, self.typed = None, ""

    def process_formdata(self, values: Sequence[Any]) -> None:
        self.data, self.typed, self.wrong = None, "", None
        found = _chosen(values)
        if found is None:
            self._take_kept()
            return
        self.data = upload_of(found)
        self.typed = self.data.name
        self.wrong, self.key = problem(self.data), ""
        if not self.wrong:
            self.key = draft_files.offer(self.name, self.data)
        if not self.wrong and not self.key:
            self.hint = f"Choose {self.typed} again: a file is not kept on a page that comes back. {self.hint or ''}"

    def _take_kept(self) -> None:
        """The file kept with the form, unless it is left out now."""
        carried, self.key = self.key, ""
        if not carried or self.dropped:
            return
        self.data = draft_files.taken_up(carried)
        if self.data is None:
            self.wrong = GONE
        else:
            self.key, self.typed = carried, self.data.name


class ReadField(UploadField):
    """A file that is read and not kept, such as a table or a law; what is inside, its reader says.

    ``endings`` are those a browser offers, like ".csv,.xlsx".
    """

    def __init__(self, label: str, hint: str, empty: str | None = None, *, endings: str, **kwargs: Any) -> None:
        super().__init__(label, hint, empty, **kwargs)
        self.render_kw = {"accept": endings}

    def process_formdata(self, values: Sequence[Any]) -> None:
        self.data, self.typed, self.wrong = None, "", None
        if found := _chosen(values):
            self.data = upload_of(found)
            self.typed, self.wrong = self.data.name, wrong_size(self.data)


def _chosen(values: Sequence[Any]) -> FileStorage | None:
    """The file somebody chose; None for the box left empty."""
    return next((one for one in values if isinstance(one, FileStorage) and one.filename), None)

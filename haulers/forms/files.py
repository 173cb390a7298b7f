"""The form that hands in a file."""

from haulers.queries.files import KIND_WORDS
from haulers.states import FileKind
from office.forms import ChoiceField, Form, UploadField

OF_COMPANY = (FileKind.LICENCE, FileKind.INSURANCE, FileKind.CERTIFICATE)


class FileForm(Form):
    """A file of the company's own, and what it shows."""

    kind = ChoiceField("What it shows", tuple((kind.value, KIND_WORDS[kind]) for kind in OF_COMPANY),
                       word="what it shows", coerce=FileKind)  # fmt: skip
    file = UploadField("File", word="a file")

"""The field for a file: told before and after, wrong ones answered with all that was typed beside them kept."""

from io import BytesIO
from typing import Any

import pytest
from flask import render_template_string, request

from intake.forms.flow_readings import ImportFlowForm
from intake.forms.lab_import import ImportLabForm
from office.files import LIMIT
from office.forms import Form, TextField, UploadField
from office.law_forms import LawFileForm
from office.upload_fields import ReadField
from tests.office.samples import HTML, PDF


class Handed(Form):
    name = TextField("Name", empty="Enter a name")
    file = UploadField("A copy of the license", empty=None)


class Asked(Form):
    file = UploadField("File", word="a file")


DRAWN = ('{% import "ui/fields.html" as ui %}{{ ui.error_summary(form) }}'
         "{% call ui.form(form=form) %}{{ ui.field(form.file) }}{% endcall %}")  # fmt: skip


def sent(app, form, content=None, name="licence.pdf", **typed):
    data = typed if content is None else typed | {"file": (BytesIO(content), name)}
    with app.test_request_context(method="POST", data=data, content_type="multipart/form-data"):
        made = form()
        answer = made.validate(), made, render_template_string(DRAWN, form=made)
        # The test client writes a large body into a temporary file it leaves open.
        request.environ["wsgi.input"].close()
        return answer


def test_the_kinds_and_the_size_are_told_before(app):
    with app.test_request_context():
        page = render_template_string(DRAWN, form=Handed())
    assert '<div class="hint" id="file-hint">PDF, JPEG, PNG or HEIC, up to 10 MB</div>' in page
    assert 'type="file"' in page
    assert 'enctype="multipart/form-data"' in page
    assert 'aria-describedby="file-hint"' in page
    assert "image/heic" in page
    assert "required" not in page


def test_a_good_file_is_read_with_its_name_size_and_bytes(app):
    data = {"name": "Ingrid", "file": (BytesIO(PDF), "licence.pdf")}
    with app.test_request_context(method="POST", data=data, content_type="multipart/form-data"):
        form = Handed()
        assert form.validate()
    assert (form.file.data.name, form.file.data.size, form.file.data.content) == ("licence.pdf", len(PDF), PDF)


def test_no_file_is_none_where_it_may_be_left_out_and_asked_for_where_not(app):
    data = {"name": "Ingrid", "file": (BytesIO(b""), "")}
    with app.test_request_context(method="POST", data=data, content_type="multipart/form-data"):
        form = Handed()
        assert (form.validate(), form.file.data) == (True, None)
    _, form, page = sent(app, Asked)
    assert form.file.errors == ["Choose a file"]
    assert '<a href="#file">Choose a file</a>' in page


@pytest.mark.parametrize(("content", "said"), [
    (HTML, "The file must be a PDF, JPEG, PNG or HEIC. What is inside licence.pdf is none of them"),
    (PDF + b"x" * (LIMIT + 1 - len(PDF)), "The file must be 10 MB or smaller. licence.pdf has 10.1 MB"),
    (b"x" * (4 * LIMIT), "The file must be 10 MB or smaller. licence.pdf has 40 MB"),
])  # fmt: skip
def test_a_wrong_file_is_told_in_one_sentence(app, content, said):
    good, form, page = sent(app, Asked, content)
    assert (good, form.file.errors) == (False, [said])
    assert f'<a href="#file">{said}</a>' in page
    assert 'aria-describedby="file-hint file-error"' in page
    assert "Choose licence.pdf again" not in page


def test_just_ten_megabytes_are_taken(app):
    assert sent(app, Asked, PDF + b"x" * (LIMIT - len(PDF)))[0]


def test_a_good_file_on_a_page_that_comes_back_is_named_to_be_chosen_again(app):
    good, _, page = sent(app, Handed, PDF)
    assert not good
    assert "Choose licence.pdf again: a file is not kept on a page that comes back. PDF, JPEG" in page


def test_words_sent_in_place_of_a_file_are_no_file(app):
    _, form, _ = sent(app, Asked, file="licence.pdf")
    assert (form.file.data, form.file.errors) == (None, ["Choose a file"])


@pytest.mark.parametrize("form", [LawFileForm, ImportFlowForm, ImportLabForm])
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "The file read.csv is empty. Choose another"),
        (b"x" * 1025, "The file must be 1 KB or smaller. read.csv has 2 KB"),
    ],
)
def test_a_file_that_is_read_says_the_same_of_its_size_in_every_form(
    app: Any, monkeypatch: Any, form: Any, content: bytes, said: str
) -> None:
    monkeypatch.setattr("office.files.LIMIT", 1024)
    with app.test_request_context(method="POST", data={"file": (BytesIO(content), "read.csv")}):
        made = form(meta={"csrf": False})
        made.validate()
        assert isinstance(made["file"], ReadField)
        assert made["file"].errors == [said]

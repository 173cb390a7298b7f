"""Files: known by their bytes, kept under our own key, handed out as downloads; what is too large is answered."""

from io import BytesIO

import pytest
from flask import request

from office import files
from office.db import db
from office.files import LIMIT, Upload, hand_over, keep, kind_of, problem, shown_name, size_words
from tests import world
from tests.office.samples import HEIC, HTML, JPEG, PDF, PNG


def up(content: bytes, name: str = "licence.pdf", size: int | None = None) -> Upload:
    return Upload(name, len(content) if size is None else size, content)


@pytest.mark.parametrize(("content", "kind"), [
    (PDF, "application/pdf"), (JPEG, "image/jpeg"), (PNG, "image/png"), (HEIC, "image/heic"),
    (b"\0\0\0\x1cftypmif1\0\0\0\0mif1heic", "image/heic"),
    (b"\0\0\0\x1cftypavif\0\0\0\0avifmif1", None), (b"\0\0\0\x18ftypisom\0\0\0\0isomheic"[:16], None),
    (HTML, None), (b" " + PDF, None), (b"\x89PNG\n", None), (b"PK\3\4", None), (b"MZ", None), (b"<svg/>", None),
    (b"ftyp", None), (b"", None),
])  # fmt: skip
def test_the_bytes_say_what_a_file_is(content, kind):
    assert kind_of(content) == kind


@pytest.mark.parametrize(("upload", "said"), [
    (up(PDF), None),
    (up(PDF + b" " * (LIMIT - len(PDF))), None),
    (up(PDF, size=LIMIT + 1), "The file must be 10 MB or smaller. licence.pdf has 10.1 MB"),
    (up(PDF, size=40 * LIMIT), "The file must be 10 MB or smaller. licence.pdf has 400 MB"),
    (up(HTML), "The file must be a PDF, JPEG, PNG or HEIC. What is inside licence.pdf is none of them"),
    (up(b""), "The file licence.pdf is empty. Choose another"),
])  # fmt: skip
def test_a_file_that_cannot_be_kept_is_told_why(upload, said):
    assert problem(upload) == said


@pytest.mark.parametrize(("size", "words"), [
    (0, "0 bytes"), (1023, "1023 bytes"), (1024, "1 KB"), (1025, "2 KB"), (1024 * 1024, "1 MB"),
    (1024 * 1024 + 1, "1.1 MB"), (LIMIT, "10 MB"), (LIMIT + 1, "10.1 MB"),
])  # fmt: skip
def test_sizes_count_up(size, words):
    assert size_words(size) == words


@pytest.mark.parametrize(("given", "kind", "shown"), [
    ("licence.pdf", "application/pdf", "licence.pdf"), ("Scan.PDF", "application/pdf", "Scan.PDF"),
    ("../../x.pdf", "application/pdf", "x.pdf"), ("C:\\x.pdf", "application/pdf", "x.pdf"),
    (".htaccess", "application/pdf", "htaccess.pdf"), ("x.exe", "application/pdf", "x.exe.pdf"),
    ("photo.pdf", "image/jpeg", "photo.pdf.jpg"), ("IMG_1.JPEG", "image/jpeg", "IMG_1.JPEG"),
    ("Nguyễn Thị Hà.heic", "image/heic", "Nguyễn Thị Hà.heic"), ("证书.png", "image/png", "证书.png"),
    ("...", "image/png", "file.png"), ("a\x00b\r\nc.pdf", "application/pdf", "ab c.pdf"),
    ("gpj\u202efdp.exe", "application/pdf", "gpjfdp.exe.pdf"),
    ("x" * 300 + ".pdf", "application/pdf", "x" * 200 + ".pdf"), ("notes", "", "notes"),
])  # fmt: skip
def test_the_given_name_is_only_shown_and_made_fit_for_it(given, kind, shown):
    assert shown_name(given, kind) == shown


def test_two_files_of_one_name_are_kept_apart_under_our_own_keys(app):
    first, second = keep(up(PDF), world.START, None), keep(up(PDF + b"2"), world.START, None)
    assert (first.name, second.name, first.key == second.key) == ("licence.pdf", "licence.pdf", False)
    assert (len(first.key), first.content, second.content) == (32, PDF, PDF + b"2")
    db.session.rollback()


def test_a_file_not_asked_about_is_not_kept(app):
    with pytest.raises(ValueError, match="after problem"):
        keep(up(HTML), world.START, None)


def test_a_file_leaves_as_a_download_no_browser_opens(app):
    file = keep(up(PDF, "Nguyễn.pdf"), world.START, None)
    with app.test_request_context():
        answer = hand_over(file)
        answer.direct_passthrough = False
        assert answer.get_data() == PDF
    assert answer.headers["Content-Disposition"].startswith("attachment; ")
    assert "filename*=UTF-8''Nguy%E1%BB%85n.pdf" in answer.headers["Content-Disposition"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer.mimetype == "application/pdf"
    db.session.rollback()


def test_what_comes_above_the_limit_is_counted_and_let_go(app):
    data = {"name": "typed", "file": (BytesIO(b"x" * (3 * LIMIT)), "big.pdf")}
    with app.test_request_context(method="POST", data=data):
        stream = request.files["file"].stream
        assert (request.form["name"], stream.sent, len(stream.read())) == ("typed", 3 * LIMIT, LIMIT + 1)
        # The test client writes a large body into a temporary file it leaves open.
        request.environ["wsgi.input"].close()


def test_a_body_without_end_is_answered_in_words(app, monkeypatch):
    monkeypatch.setitem(app.config, "MAX_CONTENT_LENGTH", 1000)
    app.config["WTF_CSRF_ENABLED"] = True
    answer = app.test_client().post("/account/register", data={"name": "x" * 2000})
    page = answer.get_data(as_text=True)
    assert answer.status_code == 413
    assert "<h1>This is too much to send at once</h1>" in page
    assert "A file may have 10 MB" in page


def test_the_kinds_in_words_are_the_kinds_taken():
    assert " ".join(files.KINDS.values()).split() == files.KIND_WORDS.replace(",", "").replace(" or", "").split()

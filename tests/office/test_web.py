"""The shell: headers on every page, static files kept for a year under their hash, compressed when it is safe."""

import gzip
import re

from tests import world

POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; object-src 'none'; "
    "base-uri 'none'; frame-ancestors 'none'"
)


def test_every_page_carries_the_content_policy_and_no_sniffing(app, clock_at):
    clock_at("2026-10-06T07:40")
    for address in ("/bayfield/", "/sign-in", "/nowhere/at/all"):
        headers = app.test_client().get(address).headers
        assert headers["Content-Security-Policy"] == POLICY
        assert headers["X-Content-Type-Options"] == "nosniff"


def test_fault_of_ours_is_a_page_with_a_code_that_stands_in_the_log(app, clock_at, monkeypatch, caplog):
    clock_at("2026-10-06T07:40")
    app.config["PROPAGATE_EXCEPTIONS"] = False
    monkeypatch.setitem(app.view_functions, "intake.fees", lambda **_: 1 / 0)
    answer = app.test_client().get("/bayfield/fees")
    page = answer.get_data(as_text=True)
    assert answer.status_code == 500
    code = re.search("Say this code when you call: <b>([0-9A-F]{8})</b>", page).group(1)
    assert f"Reference {code}: division by zero" in caplog.text
    assert "Traceback" not in page


def test_static_file_is_kept_a_year_under_its_hash_and_gzipped(app):
    client = app.test_client()
    page = client.get("/sign-in").get_data(as_text=True)
    address = re.search(r"/static/app\.css\?v=[0-9a-f]{12}", page).group()
    with client.get(address, headers={"Accept-Encoding": "gzip"}) as answer:
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert answer.headers["Content-Encoding"] == "gzip"
        packed = answer.get_data()
    with client.get(address) as answer:
        assert gzip.decompress(packed) == answer.get_data()
        assert "Content-Encoding" not in answer.headers


def test_public_page_is_gzipped_and_a_signed_in_persons_page_is_not(app, clock_at):
    clock_at("2026-10-06T07:40")
    client = app.test_client()
    accept = {"Accept-Encoding": "gzip"}
    assert client.get("/bayfield/rules", headers=accept).headers["Content-Encoding"] == "gzip"
    world.sign_in(client, "clerk")
    answer = client.get("/bayfield/clerk", headers=accept)
    assert "Content-Encoding" not in answer.headers
    assert answer.headers["Cache-Control"] == "no-store"


def test_first_visit_of_a_page_stays_under_100_kilobytes(app, clock_at):
    clock_at("2026-10-06T07:40")
    client = app.test_client()
    accept = {"Accept-Encoding": "gzip"}
    page = client.get("/bayfield/", headers=accept)
    sizes = [len(page.get_data())]
    for address in re.findall(
        r'(?:href|src)="(/(?:static|bootstrap)[^"]*)"', gzip.decompress(page.get_data()).decode()
    ):
        with client.get(address.replace("&amp;", "&"), headers=accept) as answer:
            sizes.append(len(answer.get_data()))
    assert len(sizes) >= 4
    assert sum(sizes) <= 100_000, sizes


def test_numbers_no_record_can_have_and_nul_read_as_not_found(app, clock_at):
    clock_at("2026-10-06T07:40")
    client = app.test_client()
    for address in ("/bayfield/notices/99999999999999999999", "/bayfield/notices/3000000000", "/bayfield/%00",
                    "/%00/", "/bayfield/week?x=%00"):  # fmt: skip
        assert client.get(address).status_code == 404, address


def test_form_key_of_the_wrong_shape_changes_nothing(app, clock_at):
    clock_at("2026-10-06T07:40")
    client = app.test_client()
    world.sign_in(client, "clerk")
    for once in ("", "x", "a" * 65, "\x00" * 32, "A" * 32):
        assert client.post("/bayfield/admin/amounts", data={"once": once}).status_code == 400, once

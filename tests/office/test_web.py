"""The shell: headers on every page, static files kept for a year under their hash, compressed when it is safe."""

import gzip
import re

from office.access import system
from office.db import db
from office.plants import set_up_plant
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


HELP = re.compile(r'<p class="help">(.*?)</p>', re.S)


def helped(client, address):
    """Status, title and the footer's words of whom to call."""
    answer = client.get(address)
    page = answer.get_data(as_text=True)
    words = " ".join(re.sub(r"<[^>]+>", " ", HELP.search(page)[1]).split())
    return answer.status_code, re.search("<title>(.*?)</title>", page)[1], words


HOST = ("/sign-in", "/account/register", "/account/password-reset", "/nope/", "/bayfield/nope", "/bayfield/notices/9")


def test_pages_of_the_host_name_its_only_plant_and_whom_to_call(app, clock_at):
    clock_at("2026-10-06T07:40")
    client = app.test_client()
    for address in HOST:
        _, title, words = helped(client, address)
        assert title.endswith(" – Septage receiving – City of Bayfield"), address
        assert words == "Help: 715-555-0100 , weekdays 7 a.m. to 3 p.m.", address
    assert helped(client, "/bayfield/nope")[0] == 404


def test_host_of_several_plants_names_each_with_its_number(app, clock_at):
    clock_at("2026-10-06T07:40")
    with_second("a", "715-555-0199")
    client = app.test_client()
    for address in ("/sign-in", "/nope/"):
        _, title, words = helped(client, address)
        assert title.endswith(" – Septage receiving – Septage Desk")
        assert words == "Help: City of A 715-555-0199 ; City of Bayfield 715-555-0100"
    # An address that begins with a plant is its own.
    assert helped(client, "/bayfield/nope")[2] == "Help: 715-555-0100 , weekdays 7 a.m. to 3 p.m."
    for name in "cdef":
        with_second(name, "715-555-0100")
    assert helped(client, "/sign-in")[2] == "Help: find the number of your plant"
    assert '<a href="tel:+17155550199">715-555-0199</a>' in client.get("/").get_data(as_text=True)


def with_second(name, phone):
    made = set_up_plant(slug=f"plant-{name}", name="Works", city=f"City of {name.upper()}", zone="America/Chicago",
                        phone=phone, help_hours="", address="1 Main", by=system("Set-up"), at=world.START)  # fmt: skip
    assert made.slug == f"plant-{name}"
    db.session.commit()

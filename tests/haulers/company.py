"""What the tests of a company's own pages share: signing in, sending a form with a file, reading what is wrong."""

import re
from io import BytesIO
from typing import Any

from flask.testing import FlaskClient

from haulers.models import Business
from haulers.queries import TruckLine
from office.db import db
from office.forms import fresh
from tests import world
from tests.haulers.builders import hauler

MINE, THEIRS = "o'brien@hauler.example", "second@hauler.example"


def second(plate: str = "WI 77", capacity: int = 900) -> Business:
    """Another hauler with a truck of its own."""
    return hauler("Second Septic", THEIRS, trucks=(TruckLine(plate, capacity, "Blue"),))


def signed_in(app: Any, email: str = MINE) -> FlaskClient:
    db.session.commit()
    client: FlaskClient = app.test_client()
    world.sign_in(client, email)
    return client


def read(client: FlaskClient, path: str) -> str:
    return str(client.get(f"/bayfield{path}").get_data(as_text=True))


def post(client: FlaskClient, path: str, file: tuple[str, bytes, str] | None = None, **typed: Any) -> Any:
    """Send a form; ``file`` is (field, content, name)."""
    data = {"once": fresh()} | typed
    if file is None:
        return client.post(f"/bayfield{path}", data=data)
    data[file[0]] = (BytesIO(file[1]), file[2])
    answer = client.post(f"/bayfield{path}", data=data, content_type="multipart/form-data")
    # The test client writes a large body into a temporary file it leaves open.
    answer.request.environ["wsgi.input"].close()
    return answer


def wrong(answer: Any) -> list[tuple[str, str]]:
    """What the error summary of a page says: where each line leads, and its words."""
    found = re.findall(r'<li><a href="#([^"]+)">([^<]+)</a></li>', answer.get_data(as_text=True))
    return [(target, words.replace("&#39;", "'").replace("&amp;", "&")) for target, words in found]


def ends(field: str, month: int = 6, day: int = 30, year: int = 2028) -> dict[str, int]:
    """A date typed in its three boxes."""
    return {f"{field}-month": month, f"{field}-day": day, f"{field}-year": year}

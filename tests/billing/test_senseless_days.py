"""Days nothing is kept of, and filters that are none, are refused in words."""

from typing import Any

import pytest

from office.db import db
from tests.billing import books
from tests.billing.test_routes import OCT_1, signed_in, text_of

EARLIER = "From must be January 1, 2026 to October 12, 2026: of earlier days nothing is kept."
BAD = {
    "from=1900-01-01&to=1900-12-31": EARLIER,
    "from=0001-01-01": EARLIER,
    "from=2026-10-09&to=2026-10-06": "To must be October 9, 2026 to December 31, 2026.",
    "from=2026-10-01&to=2999-12-31": "To must be October 1, 2026 to December 31, 2026.",
    "from=2026-13-01": "There are no days from “2026-13-01” to “”.",
}


@pytest.fixture
def address(app: Any, clock_at: Any) -> str:
    clock_at("2026-10-12T10:00")
    who = books.party("Apostle Example Septic", "first@septic.example")
    books.load(who)
    books.bill(who, OCT_1)
    db.session.commit()
    return f"/bayfield/clerk/accounts/{books.account(who).id}/statement"


def test_a_statement_of_senseless_days_is_refused_in_words(app: Any, address: str) -> None:
    clerk, mine = signed_in(app, "clerk"), signed_in(app, "first@septic.example")
    pages = ((clerk, address), (clerk, f"{address}.pdf"), (mine, "/bayfield/hauler/statement"),
             (mine, "/bayfield/hauler/statement.pdf"))  # fmt: skip
    for asked, why in BAD.items():
        for client, path in pages:
            answer = client.get(f"{path}?{asked}")
            assert (answer.status_code, why in text_of(answer)) == (409, True), (path, asked)
            assert "Open the statement anew and choose its days there." in text_of(answer)
    typed = {"first-month": "1", "first-day": "1", "first-year": "1900", "last-month": "10", "last-day": "9",
             "last-year": "2026"}  # fmt: skip
    answer = clerk.get(address, query_string=typed)
    assert answer.status_code == 200
    assert "From must be after December 31, 2025" in text_of(answer)
    for span in ("", "?from=2026-01-01&to=2026-10-12"):
        assert clerk.get(f"{address}{span}").status_code == 200


def test_a_filter_that_is_none_is_said(app: Any, clock_at: Any) -> None:
    clock_at("2026-10-12T10:00")
    for who, path, said in (
        ("director", "/history?before=zz", "There is no line “zz” in the history. The newest lines are shown."),
        ("director", "/director/schedule?year=zz", "There is no year “zz” here. Choose one of these; 2026 is shown."),
        ("director", "/director/schedule?year=1900", "There is no year “1900” here. Choose one of these; 2026 is"),
        ("operator", "/plant/lab?show=zz", "There is no filter “zz” here. What waits for results is shown."),
    ):
        assert said in text_of(signed_in(app, who).get(f"/bayfield{path}")), path
    for who, path in (("director", "/history?before=2"), ("director", "/director/schedule?year=2027"),
                      ("operator", "/plant/lab?show=all"), ("operator", "/plant/lab")):  # fmt: skip
        assert "There is no" not in text_of(signed_in(app, who).get(f"/bayfield{path}")), path

"""What the plant is built for: set by the city, dated, and what the page says against a slip of the pen."""

from typing import Any

import pytest
from sqlalchemy import select

from office.db import db
from office.plants import PlantRow
from tests.haulers.test_pages_hauler import once, signed_in, text

PAGE = "/bayfield/admin/design"
TYPED = {"bod": "400", "tss": "1,200", "since-month": "1", "since-day": "1", "since-year": "2026",
         "resolution": "Facility plan of 2019"}  # fmt: skip


def rows() -> list[tuple[str, Any]]:
    found = select(PlantRow.key, PlantRow.value).where(PlantRow.key.like("plant.design%")).order_by(PlantRow.key)
    return [(key, value) for key, value in db.session.execute(found)]


@pytest.mark.parametrize("who", ["director", "clerk", "admin"])
def test_the_figures_are_set_and_shown(app: Any, clock_at: Any, who: str) -> None:
    clock_at("2026-09-10T09:00")
    client = signed_in(app, who)
    assert "No figure is set yet." in text(client.get(PAGE))
    assert client.post(PAGE, data=TYPED | once()).location == PAGE
    assert rows() == [("plant.design_bod", 400), ("plant.design_tss", 1_200)]
    shown = text(client.get(PAGE))
    assert "<dd>1,200 pounds a day, since January 1, 2026 (Facility plan of 2019)</dd>" in shown


def test_one_figure_alone_leaves_the_other_as_it_is(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-10T09:00")
    client = signed_in(app, "clerk")
    client.post(PAGE, data=TYPED | {"tss": ""} | once())
    assert rows() == [("plant.design_bod", 400)]


@pytest.mark.parametrize(
    ("typed", "target", "said"),
    [
        ({"bod": "", "tss": ""}, "bod", "Enter pounds a day of BOD5 or of suspended solids"),
        ({"bod": "0"}, "bod", "0 is too low. Write 1 to 10,000,000 pounds a day."),
        ({"resolution": ""}, "resolution", "Enter the document or order"),
    ],
)
def test_what_is_wrong_is_said_at_its_field_and_nothing_is_set(app: Any, clock_at: Any, typed: dict[str, str],
                                                               target: str, said: str) -> None:  # fmt: skip
    clock_at("2026-09-10T09:00")
    answer = signed_in(app, "clerk").post(PAGE, data=TYPED | typed | once())
    assert answer.status_code == 422
    assert f'<li><a href="#{target}">{said}</a></li>' in text(answer)
    db.session.rollback()
    assert rows() == []


@pytest.mark.parametrize("who", ["member1", "operator"])
def test_others_do_not_set_them(app: Any, who: str) -> None:
    assert signed_in(app, who).get(PAGE).status_code == 403

"""A small app that draws every macro and picture with sample data, for the browser checks and for looking at them.

``python tests/browser/gallery.py`` serves it on http://localhost:8099: /forms, /parts, /pictures, /station, /refused.
"""

import sys
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from zoneinfo import ZoneInfo

from flask import Flask, Response, g, render_template
from flask_bootstrap import Bootstrap5
from flask_wtf.csrf import CSRFProtect

ROOT = Path(__file__).parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from intake.queries.two_weeks import Cell, Row, TwoWeeks  # noqa: E402
from office import formats, forms, web  # noqa: E402
from ordinances.refusal import Refusal  # noqa: E402

POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; object-src 'none'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
PLANT = SimpleNamespace(
    slug="bayfield",
    name="Bayfield septage receiving",
    city="City of Bayfield",
    phone="715-555-0100",
    help_hours="weekdays 7 a.m. to 3 p.m.",
    zone=ZoneInfo("America/Chicago"),
)
PAGES = ("Forms", "Parts", "Pictures", "Station")
NAV = [{"label": word, "href": f"/{word.lower()}", "current": word == "Forms"} for word in PAGES]
SEVEN = datetime(2026, 10, 6, 12, 0, tzinfo=UTC)
WASTE = [("septic", "Septic tank"), ("holding", "Holding tank"), ("grease", "Grease trap"), ("other", "Other")]


class Source(forms.Row):
    kind = forms.ChoiceField("Kind of tank", WASTE[:2])
    gallons = forms.GallonsField("Gallons a load", "What the truck takes from it", max=10_000)


class Sample(forms.Form):
    name = forms.TextField("Company name", autocomplete="organization")
    mail = forms.EmailField("E-mail")
    phone = forms.PhoneField("Phone", "Include the extension")
    gallons = forms.GallonsField("Gallons", "From the meter or sight glass", min=0, max=10_000)
    ph = forms.DecimalField_("pH", empty=None, min=0, max=14, places=1)
    fee = forms.MoneyField("Amount")
    ends = forms.Date3Field("License end date", "For example, 9 30 2027", after=date(2026, 10, 1))
    start = forms.TimeField("Start")
    slot = forms.ChoiceField(
        "Choose a start time",
        [
            ("a", "7:45 to 9:16 a.m.", "666 gallons an hour", "Earliest"),
            ("b", "8:00 to 9:57 a.m.", "516 gallons an hour"),
        ],
        empty="Select a start time",
    )
    waste = forms.TilesField("Type of waste", WASTE)
    seasons = forms.TicksField(
        "Seasons", [("w", "Winter"), ("r", "Rest of the year")], empty="Select at least one season"
    )
    note = forms.AreaField("Anything else", "The clerk reads this", empty=None)
    sources = forms.RowsField(Source, "Sources", row="Source", most=5)
    true = forms.TickField("What I have said is true and complete", empty="Tick the box to say that this is true")


class Station(forms.Form):
    who = forms.TilesField(
        "Who is here?",
        [("1", "Northwoods Pumping", "Truck 2 · 7:45 · 300 gal"), ("2", "Someone else", "Not booked today")],
    )
    waste = forms.TilesField("Type of waste", WASTE)
    gallons = forms.GallonsField("Gallons", "From the meter or sight glass. Booked: 300")


def quarters(full: Decimal) -> list[dict[str, object]]:
    """The twelve quarter hours of a partly taken day at 7:52; the last one restricted."""
    shares = ["0", "0", "0", ".28", ".28", ".64", "1", "1", "1", ".5", ".5", "1"]
    made = []
    for n, share in enumerate(shares):
        start = SEVEN + timedelta(minutes=15 * n)
        free = full * Decimal(share) * (Decimal(8) / 15 if n == 3 else 1)
        made.append({"start": start, "end": start + timedelta(minutes=15), "free": free, "shut": n == 11})
    return made


def sample_days() -> list[dict[str, object]]:
    """Fourteen days of busiest hour, limit and the limit by that day's own flow; one day unread, one over."""
    busiest = [612, 640, 666, 588, 650, 0, 0, 420, 660, 655, 300, 512, 690, 0]
    own = [640, 660, 625, 675, 712, 695, None, 618, 627, 678, 757, 731, 668, 655]
    first = date(2026, 10, 1)
    return [
        {"day": first + timedelta(days=n), "busiest": Decimal(b), "limit": 666, "own": o}
        for n, (b, o) in enumerate(zip(busiest, own, strict=True))
    ]


def picture_data() -> dict[str, object]:
    mine = [{"start": SEVEN + timedelta(minutes=135), "end": SEVEN + timedelta(minutes=165), "gph": 333}]
    words = ["full", "full", "full", "24", "46", "106", "166", "166", "166", "83", "83", "no"]
    cells = tuple(Cell(*pair) for pair in zip(words, (0, 0, 0, 1, 1, 2, 3, 3, 3, 2, 2, None), strict=True))
    rows = (
        Row(date(2026, 10, 5), "", (Cell("full", 0),) * 12, 0, 0),
        Row(date(2026, 10, 6), "", cells, 844, 333),
        Row(date(2026, 10, 9), "Closed: holiday", (), 0, 0),
    )
    day = date(2026, 10, 6)
    week = {"table": TwoWeeks(tuple(time(7 + n // 4, n % 4 * 15) for n in range(12)), rows),
            "times": {day: "/day/2026-10-06"}, "book": {day: "/book/2026-10-06"}}  # fmt: skip
    return {
        "week": week,
        "quarters": quarters(Decimal("166.5")),
        "mine": mine,
        "now": SEVEN + timedelta(minutes=52),
        "days": sample_days(),
    }


def create_gallery() -> Flask:
    app = Flask(__name__, root_path=str(ROOT), template_folder="templates", static_folder="static")
    app.config.update(SECRET_KEY="only for the gallery", WTF_CSRF_TIME_LIMIT=None)
    app.jinja_loader.searchpath.append(str(Path(__file__).parent / "gallery"))  # type: ignore[union-attr]
    Bootstrap5(app)
    CSRFProtect(app)
    formats.register(app)
    web.drawing(app)

    @app.before_request
    def at_the_plant() -> None:
        g.plant = PLANT

    @app.context_processor
    def frame() -> dict[str, object]:
        person = SimpleNamespace(id=1, name="Ann O'Brien")
        footer = [{"label": "Rules", "href": "/rules"}, {"label": "Fees", "href": "/fees"}]
        law = "City of Bayfield, Wisconsin, ch. 329"
        return {"plant": PLANT, "nav": NAV, "person": person, "footer_links": footer, "law_name": law}

    @app.after_request
    def policy(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = POLICY
        return response

    @app.route("/forms", methods=["GET", "POST"])
    def form_page() -> str:
        form = Sample()
        if form.is_submitted() and not form.edited_rows() and form.validate():
            return render_template("sent.html", form=form)
        return render_template("forms.html", form=form)

    @app.route("/station", methods=["GET", "POST"])
    def station() -> str:
        form = Station(data={"who": "1", "waste": "septic", "gallons": 300})
        return render_template("station.html", form=form)

    @app.get("/parts")
    def parts() -> str:
        return render_template("parts.html", refusal=REFUSED)

    @app.get("/pictures")
    def pictures() -> str:
        return render_template("pictures.html", **picture_data())

    for name in ("404", "403", "500", "stale-form", "refusal"):
        app.add_url_rule(f"/error/{name}", name, lambda name=name: render_template(f"errors/{name}.html", **ERRORS))
    return app


REFUSED = Refusal(
    "window_closed",
    "Applications for season 2026-27 closed on Tuesday, September 1, 2026, at 11:59 p.m.",
    "§ 329-7 B(1)",
    reading="September 1 itself is the last day.",
    next_step="The next season opens August 1, 2027. Call the clerk at 715-555-0101.",
)
ERRORS = {"refusal": REFUSED, "reference": "E-1042", "first_result": "/loads/7", "who_to_ask": "the plant manager"}

if __name__ == "__main__":
    create_gallery().run(port=8099)

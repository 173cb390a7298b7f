"""What people type is read, kept, and answered in one sentence at its field."""

import re
from collections.abc import Iterator
from datetime import date, time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, g, render_template_string
from werkzeug.datastructures import MultiDict

from office import formats, forms, web

ROOT = Path(__file__).parents[2]


@pytest.fixture
def app() -> Iterator[Flask]:
    app = Flask(__name__, root_path=str(ROOT))
    app.config.update(SECRET_KEY="test", WTF_CSRF_ENABLED=False)
    app.jinja_env.undefined = web.Loud
    formats.register(app)
    with app.test_request_context("/", method="POST"):
        yield app


class Source(forms.Row):
    gallons = forms.GallonsField("Gallons")
    place = forms.TextField("Place")


class Everything(forms.Form):
    gallons = forms.GallonsField("Gallons", "From the meter", max=10_000)
    poured = forms.GallonsField("Gallons poured", min=0)
    minutes = forms.WholeField("Minutes")
    ph = forms.DecimalField_("pH", min=0, max=14, places=1)
    fee = forms.MoneyField("Fee")
    ends = forms.Date3Field("License end date", after=date(2026, 10, 1))
    start = forms.TimeField("Start")
    phone = forms.PhoneField("Phone")
    mail = forms.EmailField("E-mail")
    name = forms.TextField("Company name", longest=40)
    note = forms.AreaField("Note", empty=None)
    kind = forms.ChoiceField("Kind", [("septic", "Septic tank"), ("holding", "Holding tank")])
    seasons = forms.TicksField("Seasons", [("w", "Winter"), ("r", "Rest")], empty="Select at least one season")
    true = forms.TickField("This is true", empty="Tick the box to say that this is true")
    sources = forms.RowsField(Source, "Sources", row="Source", most=3)


def sent(form: type[forms.Form] = Everything, **typed: str | list[str]) -> Any:
    posted = MultiDict(
        [(k.replace("__", "-"), v) for k, vs in typed.items() for v in (vs if isinstance(vs, list) else [vs])]
    )
    made = form(formdata=posted)
    made.validate()
    return made


def read(name: str, typed: str) -> tuple[Any, list[str]]:
    field = sent(**{name: typed})[name]
    return field.data, list(field.errors)


@pytest.mark.usefixtures("app")
class TestNumbers:
    @pytest.mark.parametrize("typed", ["1500", "1,500", " 1,500 ", "1,500 gallons", "1500 gal.", "+1500"])
    def test_gallons_are_read_as_people_write_them(self, typed: str) -> None:
        assert read("gallons", typed) == (1500, [])

    @pytest.mark.parametrize("typed", ["12,50", "abc", "1 thousand", "1,5000", "NaN", "1e3", "9" * 5000])
    def test_gallons_that_are_no_number(self, typed: str) -> None:
        assert read("gallons", typed) == (None, ["Gallons must be a number, like 1,500"])

    def test_gallons_out_of_range_and_not_whole(self) -> None:
        assert read("gallons", "10,000") == (10_000, [])
        assert read("gallons", "10,001")[1] == ["Gallons must be between 1 and 10,000"]
        assert read("gallons", "0")[1] == ["Gallons must be between 1 and 10,000"]
        assert read("gallons", "12.5")[1] == ["Gallons must be a whole number, like 1,500"]

    def test_zero_is_a_number_a_blank_is_not_and_less_is_refused(self) -> None:
        assert read("poured", "0") == (0, [])
        assert read("poured", "") == (None, ["Enter gallons poured"])
        assert read("poured", "-5")[1] == ["Gallons poured must be 0 or more"]
        assert read("poured", "−5")[1] == ["Gallons poured must be 0 or more"]
        assert read("minutes", "0") == (0, [])

    def test_zero_given_by_the_page_is_shown_and_kept(self) -> None:
        form = Everything(formdata=None, data={"poured": 0, "fee": Decimal("0.00")})
        assert (form.poured.data, form.poured.typed, form.fee.typed) == (0, "0", "0.00")

    @pytest.mark.parametrize(("typed", "value"), [("6.9", "6.9"), ("7", "7"), (".5", "0.5"), ("0", "0")])
    def test_decimal(self, typed: str, value: str) -> None:
        assert read("ph", typed) == (Decimal(value), [])

    @pytest.mark.parametrize(
        ("typed", "sentence"),
        [
            ("6,9", "pH must be a number, like 6.9"),
            ("Infinity", "pH must be a number, like 6.9"),
            ("72", "pH must be between 0 and 14"),
            ("6.95", "pH must have 1 digit or fewer after the point"),
        ],
    )
    def test_decimal_refused(self, typed: str, sentence: str) -> None:
        assert read("ph", typed)[1] == [sentence]

    @pytest.mark.parametrize(
        ("typed", "dollars"),
        [("$1,234.50", "1234.50"), ("12,16", "12.16"), ("12.5", "12.50"), ("1,234", "1234.00"), ("0.00", "0.00")],
    )
    def test_money(self, typed: str, dollars: str) -> None:
        value, errors = read("fee", typed)
        assert (str(value), errors) == (dollars, [])

    @pytest.mark.parametrize("typed", ["12.165", "twelve", "1.234,50"])
    def test_money_refused(self, typed: str) -> None:
        assert read("fee", typed) == (None, ["Fee must be an amount in dollars and cents, like 25.00"])


@pytest.mark.usefixtures("app")
class TestDatesAndTimes:
    def ends(self, month: str, day: str, year: str) -> tuple[Any, list[str], str]:
        field = sent(ends__month=month, ends__day=day, ends__year=year).ends
        return field.data, list(field.errors), field.target

    def test_date_is_read_and_a_month_may_be_a_word(self) -> None:
        assert self.ends("9", "30", "2027")[:2] == (date(2027, 9, 30), [])
        assert self.ends("Sept", "30", "2027")[0] == date(2027, 9, 30)
        assert self.ends("Autumn", "30", "2027")[1] == ["License end date must be a real date"]
        assert self.ends("sep.", "30", "2027")[0] == date(2027, 9, 30)

    @pytest.mark.parametrize(
        ("parts", "sentence", "box"),
        [
            (("9", "30", ""), "License end date must include a year", "ends-year"),
            (("", "", "2027"), "License end date must include a month and a day", "ends-month"),
            (("2", "30", "2027"), "License end date must be a real date", "ends-month"),
            (("9", "30", "27"), "License end date must include a year of four digits, like 2026", "ends-year"),
            (("10", "1", "2026"), "License end date must be after October 1, 2026", "ends-month"),
            (("", "", ""), "Enter license end date", "ends-month"),
        ],
    )
    def test_date_says_what_is_missing_and_leads_to_its_box(
        self, parts: tuple[str, str, str], sentence: str, box: str
    ) -> None:
        assert self.ends(*parts)[1:] == ([sentence], box)

    def test_typed_parts_are_kept(self) -> None:
        field = sent(ends__month="2", ends__day="30", ends__year="2027").ends
        assert [box.value for box in field.boxes] == ["2", "30", "2027"]

    @pytest.mark.parametrize(
        ("typed", "value"),
        [
            ("7:45 a.m.", time(7, 45)),
            ("07:45", time(7, 45)),
            ("7:45 PM", time(19, 45)),
            ("0745", time(7, 45)),
            ("7 am", time(7, 0)),
            ("12:00 noon", time(12, 0)),
            ("12:15 a.m.", time(0, 15)),
        ],
    )
    def test_time(self, typed: str, value: time) -> None:
        assert read("start", typed) == (value, [])

    @pytest.mark.parametrize("typed", ["7", "25:00", "7:60", "13:00 p.m.", "0:30 a.m.", "soon"])
    def test_time_refused(self, typed: str) -> None:
        assert read("start", typed)[1] == ["Start must be a time, like 7:45 a.m."]


@pytest.mark.usefixtures("app")
class TestText:
    @pytest.mark.parametrize("typed", ["(715) 555-0100 ext. 12", "715.555.0100 x12", "+1 715 555 0100"])
    def test_phone_is_kept_as_typed(self, typed: str) -> None:
        assert read("phone", typed) == (typed, [])

    def test_phone_refused(self) -> None:
        assert read("phone", "555")[1] == ["Phone must be a phone number, like 715-555-0100"]

    @pytest.mark.parametrize("typed", ["o'brien@example.org", "a+b@sub.example.com"])
    def test_mail_is_kept(self, typed: str) -> None:
        assert read("mail", typed) == (typed, [])

    @pytest.mark.parametrize("typed", ["name", "a@b", "a b@example.com", "a@example.com\nBcc: x@example.com", "a@.com"])
    def test_mail_refused(self, typed: str) -> None:
        assert read("mail", typed)[1] == ["Enter an e-mail address like name@example.com"]

    def test_names_keep_their_letters_and_lose_control_characters(self) -> None:
        assert read("name", " O'Brien & Søn Septic,\0 L.L.C. ") == ("O'Brien & Søn Septic, L.L.C.", [])
        assert read("name", "x" * 41)[1] == ["Company name must be 40 characters or fewer"]
        assert read("name", "  ")[1] == ["Enter company name"]

    def test_optional_blank_is_fine_and_lines_are_kept(self) -> None:
        assert read("note", "") == ("", [])
        assert read("note", "one\r\ntwo") == ("one\ntwo", [])


@pytest.mark.usefixtures("app")
class TestChoices:
    def test_radio(self) -> None:
        assert read("kind", "septic") == ("septic", [])
        assert read("kind", "") == (None, ["Select kind"])
        assert read("kind", "forged")[1] == ["Select one of the answers shown"]
        assert [o.checked for o in sent(kind="holding").kind.options()] == [False, True]

    def test_ticks(self) -> None:
        assert sent(seasons=["w", "r"]).seasons.data == ["w", "r"]
        assert sent().seasons.errors == ["Select at least one season"]
        assert sent(seasons=["w", "forged"]).seasons.errors == ["Select answers from those shown"]

    def test_tick_that_has_to_be_ticked(self) -> None:
        assert (sent(true="1").true.data, sent(true="1").true.errors) == (True, [])
        assert sent().true.errors == ["Tick the box to say that this is true"]


@pytest.mark.usefixtures("app")
class TestRowsAndKey:
    def test_row_errors_name_their_row_here_and_in_the_summary(self) -> None:
        form = sent(
            sources__0__gallons="300", sources__0__place="Dock 1", sources__2__gallons="x", sources__2__place="B"
        )
        said = "Source 2: Gallons must be a number, like 1,500"
        assert list(form.sources[1].form.gallons.errors) == [said]
        assert forms.Problem("sources-1-gallons", said) in form.problems()
        assert form.sources[1].form.gallons.typed == "x"

    def test_blank_spare_rows_are_dropped_but_never_the_last(self) -> None:
        form = sent(sources__0__gallons="", sources__1__gallons="300", sources__1__place="Dock 1")
        assert form.sources.data == [{"gallons": 300, "place": "Dock 1"}]
        assert len(sent(sources__0__gallons="").sources) == 1

    def test_key_is_made_once_and_kept_while_the_form_has_errors(self) -> None:
        first = Everything(formdata=None)
        assert re.fullmatch("[0-9a-f]{32}", first.once.data)
        assert sent(once=first.once.data).once.data == first.once.data
        assert re.fullmatch("[0-9a-f]{32}", sent(once="x' or 1").once.data)
        assert Everything(formdata=None).once.data != first.once.data

    def test_refusal_of_an_act_is_shown_at_its_field(self) -> None:
        form = sent(gallons="300")
        form.refuse("gallons", "Gallons are more than this truck holds (200)")
        form.refuse(None, "The plant is restricted")
        assert list(form.gallons.errors) == ["Gallons are more than this truck holds (200)"]
        assert form.problems()[0] == forms.Problem("main", "The plant is restricted")
        assert form.errors["gallons"] == ["Gallons are more than this truck holds (200)"]

    def test_no_sentence_blames_or_begs(self) -> None:
        names = ("gallons", "poured", "minutes", "ph", "fee", "start", "phone", "mail", "kind", "seasons")
        typed = dict.fromkeys(names, "?")
        for form in (sent(), sent(**typed, ends__month="?", ends__day="?", ends__year="2027")):
            words = " ".join(problem.sentence for problem in form.problems())
            assert len(form.problems()) >= 10
            assert re.findall(r"(?i)please|sorry|invalid|oops|forbidden|required", words) == []


def drawn(form: forms.Form, name: str) -> str:
    return render_template_string('{% import "ui/fields.html" as ui %}{{ ui.field(form[name]) }}', form=form, name=name)


@pytest.mark.usefixtures("app")
class TestMarkup:
    def test_control_names_its_hint_and_its_error_and_is_never_required(self) -> None:
        page = drawn(sent(gallons="x"), "gallons")
        assert 'aria-describedby="gallons-hint gallons-error" aria-invalid="true"' in page
        assert 'inputmode="numeric"' in page
        assert 'value="x"' in page
        assert "required" not in page

    def test_field_in_order_is_described_by_its_hint_only(self) -> None:
        page = drawn(sent(gallons="300"), "gallons")
        assert 'aria-describedby="gallons-hint"' in page
        assert "aria-invalid" not in page

    def test_radios_are_a_named_group_that_carries_the_error(self) -> None:
        page = drawn(sent(), "kind")
        assert (
            '<fieldset class="field field-wrong" role="radiogroup" aria-describedby="kind-error" aria-invalid="true">'
            in page
        )
        assert "<legend>Kind</legend>" in page

    def test_only_the_wrong_box_of_a_date_is_marked(self) -> None:
        page = drawn(sent(ends__month="9", ends__day="30", ends__year=""), "ends")
        marked = re.findall(r'id="ends-(month|day|year)" [^>]*aria-invalid="true"', page)
        assert marked == ["year"]

    def test_typed_markup_is_shown_as_text(self) -> None:
        assert "<b>" not in drawn(sent(name='"><b>x'), "name")

    def test_summary_links_each_sentence_to_its_control(self) -> None:
        form = sent(gallons="x")
        page = render_template_string('{% import "ui/fields.html" as ui %}{{ ui.error_summary(form) }}', form=form)
        assert '<li><a href="#gallons">Gallons must be a number, like 1,500</a></li>' in page
        assert page.count("<li>") == len(form.problems())


class Secret(forms.Form):
    name = forms.TextField("Name")
    password = forms.SecretField("Password")


def test_answers_are_what_was_typed_in_words_and_never_a_password(app):
    form = sent(
        gallons="a lot", ends__month="2", ends__day="30", kind="septic", seasons=["w", "r"], true="1",
        note="One\nTwo", sources__0__gallons="", sources__1__place="Lake Road",
    )  # fmt: skip
    assert form.answers() == [
        ("Gallons", "a lot"), ("License end date", "2/30"), ("Note", "One\nTwo"), ("Kind", "Septic tank"),
        ("Seasons", "Winter, Rest"), ("This is true", "Yes"), ("Source 1: Place", "Lake Road"),
    ]  # fmt: skip
    assert sent(Secret, name="Ann", password="correct horse").answers() == [("Name", "Ann")]


def test_form_sent_too_late_does_not_validate_and_says_so(app):
    g.lapsed = "Press the button again."
    form = Secret(formdata=MultiDict({"name": "Ann", "password": "correct horse"}))
    assert not form.validate()
    assert [(p.target, p.sentence) for p in form.problems()] == [("main", "Press the button again.")]

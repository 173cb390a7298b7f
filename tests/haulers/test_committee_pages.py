"""What the committee reads: filters, the state of letters, one application whole, more information, the worksheet."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import event, select

from haulers.actions import ask_late, verify_licence
from haulers.models import Application, ApplicationChange, Licence, Motion
from haulers.ports import Record
from haulers.queries import SourceLine, review_table
from office.db import db
from office.plants import set_plant_row
from ordinances.calendar import season_named
from ordinances.loading import Mean
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.builders import (
    OBRIEN,
    OUTSIDE,
    SOURCE,
    acting,
    approve,
    approved,
    decide,
    draft,
    filed,
    hauler,
    issue,
    record,
)
from tests.haulers.test_pages_hauler import once, signed_in, text

SHOWN = "O&#39;Brien &amp; Søn Septic, L.L.C."
TABLE = "/bayfield/committee?season=2026-27"
ONE = "/bayfield/committee/2026-27/0001"
RESORT = SourceLine("holding_tank", "Resort on the lake", "planning", "Daily", 3_000, 456_000, 0)


@pytest.fixture(autouse=True)
def september(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")


def page(app: Any, address: str, who: str = "member1") -> str:
    return " ".join(text(signed_in(app, who).get(address)).split())


def table() -> Any:
    law = world.law()
    return review_table(world.plant(), season_named(law, "2026-27"), law, world.at("2026-09-16T09:00"))


def set_row(key: str, value: int) -> None:
    made = set_plant_row(world.plant(), key, value, date(2026, 1, 1), "Facility plan of 2019",
                         by=world.staff("director"), at=world.START)  # fmt: skip
    assert not isinstance(made, Refusal), made
    db.session.commit()


def test_the_filters_keep_what_they_say_and_count_it(app: Any) -> None:
    filed(hauler("Outside Septic", "outside@hauler.example"), OUTSIDE, at="2026-08-02T09:00")
    inside = filed(hauler(), SOURCE)
    assert isinstance(decide([approve(inside)]), Motion)
    db.session.commit()
    assert [(name, count) for name, _, count in table().counts()] == [
        ("all", 2), ("undecided", 1), ("inside", 1), ("problem", 2),
    ]  # fmt: skip
    for show, kept in (("undecided", [False, True]), ("inside", [True, False]), ("all", [True, True])):
        shown = page(app, f"{TABLE}&show={show}")
        assert [f"{SHOWN}</a>" in shown, "Outside Septic</a>" in shown] == kept, show


def test_a_filter_that_keeps_nothing_says_so(app: Any) -> None:
    filed(hauler(), OUTSIDE)
    assert "No application to show here." in page(app, f"{TABLE}&show=inside")


def test_a_decision_is_shown_with_its_vote_until_and_after_its_letter_is_issued(app: Any) -> None:
    application = filed(hauler())
    motion = record([approve(application)])
    db.session.commit()
    waiting = page(app, TABLE)
    assert "1 letter not issued" in waiting
    assert "Letter not issued</span> voted September 15, 2026" in waiting
    one = page(app, ONE)
    assert "<dt>Voted (§ 329-7 B(2))</dt> <dd>September 15, 2026</dd>" in one
    assert "<dt>Letter (NR 113.07(2)(b), Wis. Adm. Code)</dt> <dd>Not issued</dd>" in one
    assert len(issue(motion, at="2026-09-17T09:00")) == 1
    db.session.commit()
    after = page(app, TABLE)
    assert "not issued" not in after
    assert "voted September 15, 2026, letter September 17, 2026" in after


def test_decided_gallons_are_not_suggested_again_before_the_letter_is_issued(app: Any) -> None:
    first = filed(hauler(), replace(SOURCE, gallons_winter=200_000))
    filed(hauler("Second", "second@hauler.example"), replace(SOURCE, gallons_winter=200_000))
    record([approve(first)])
    found = table()
    assert (found.approved_winter, [row.suggested_winter for row in found.undecided]) == (200_000, [9_790])


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (Record(7, 9_000, 0, 0), ["Fee not received"]),
        (Record(7, 9_000, 1, 0), ["Fee not received", "1 refused load"]),
        (Record(7, 9_000, 3, 2), ["Fee not received", "3 refused loads", "2 late records"]),
    ],
)
def test_last_season_is_among_the_checks(app: Any, before: Any, record: Record, said: list[str]) -> None:
    application = filed(hauler())
    before.records = {application.business_id: record}
    assert table().rows[0].checks == said


@pytest.mark.parametrize(("mg_l", "said"), [(11_261, ["Strong results"]), (11_260, [])])
def test_results_that_are_a_slug_at_the_full_rate_are_among_the_checks(app: Any, before: Any, mg_l: int,
                                                                       said: list[str]) -> None:  # fmt: skip
    application = filed(hauler())
    before.strengths = {application.business_id: {("septic_tank", "TSS"): Mean(Decimal(mg_l), 4)}}
    assert table().rows[0].track.checks == said


def test_the_license_is_looked_at_on_the_first_day_of_the_season(app: Any) -> None:
    filed(hauler())
    licence = db.session.scalars(select(Licence)).one()
    for ends, said in ((date(2026, 10, 1), []), (date(2026, 9, 30), ["License ends before the season"])):
        licence.ends_on = ends
        db.session.flush()
        assert table().rows[0].track.checks == said


def test_who_checked_the_license_and_against_what_is_shown(app: Any) -> None:
    filed(hauler())
    licence = db.session.scalars(select(Licence)).one()
    made = verify_licence(licence.id, "the state's list of August 2026", by=world.staff("clerk"),
                          at=world.at("2026-08-20T09:00"))  # fmt: skip
    assert not isinstance(made, Refusal), made
    db.session.commit()
    assert "<dd>August 20, 2026, against the state&#39;s list of August 2026</dd>" in page(app, ONE)


def test_one_application_shows_pounds_against_what_the_plant_is_built_for(app: Any, before: Any) -> None:
    application = filed(hauler(), replace(SOURCE, gallons_winter=209_790, gallons_rest=0))
    set_row("plant.design_bod", 400)
    before.records = {application.business_id: Record(1, 1_000, 0, 0)}
    before.strengths = {application.business_id: {("septic_tank", "TSS"): Mean(Decimal(11_000), 4, 1)}}
    shown = page(app, ONE)
    assert ('Winter, BOD5<span class="only-phone fw-normal"><br><span class="tag tag-warn">Typical</span></span></th>'
            '<td class="num">108.0</td><td class="num">400 (27 %)</td>'
            '<td class="not-phone"><span class="tag tag-warn">Typical</span></td>') in shown  # fmt: skip
    assert "<li>BOD5: septic tank 6,480 mg/L (typical: mean of EPA 832-F-99-068, not confirmed).</li>" in shown
    assert ('Winter, TSS<span class="only-phone fw-normal"><br>Own results</span></th><td class="num">183.3</td>'
            '<td class="num">not set</td><td class="not-phone">Own results</td>') in shown  # fmt: skip
    assert ("TSS: septic tank 11,000 mg/L (mean of 4 results, 1 of them outside what the test can measure and "
            "counted at its limit).") in shown  # fmt: skip
    assert ("Septic tank: TSS 11,000 mg/L (4 results, 1 outside the test). A result below the detection limit, such as "
            "&lt;2, counts as its limit; one above the test counts as the figure after &gt;.") in shown  # fmt: skip
    assert "a slug by the law" not in shown


def test_typical_septic_waste_at_the_full_rate_is_said_to_be_a_slug(app: Any) -> None:
    filed(hauler())
    assert ("At the full rate the plant&#39;s inflow would reach 1,396 mg/L TSS: a slug by the law&#39;s measure."
            in page(app, ONE))  # fmt: skip


@pytest.mark.parametrize(("gallons", "flagged"), [(456_000, True), (455_999, False)])
def test_three_thousand_gallons_a_day_of_holding_tank_waste_is_flagged(app: Any, gallons: int, flagged: bool) -> None:
    filed(hauler(), replace(RESORT, gallons_winter=gallons))
    said = "3,000 gallons a day or more of holding tank waste: a change of the service area may be needed first"
    assert (said in page(app, ONE)) is flagged


def test_the_tiers_are_listed_with_the_states_words_and_what_is_suggested(app: Any) -> None:
    filed(hauler(), SOURCE, OUTSIDE)
    shown = page(app, ONE)
    assert (
        'in the holding tank service area</span></th><td class="num text-wrap">12,000<br>suggested 12,000</td>'
        '<td class="num text-wrap">8,000<br>suggested 8,000</td>'
    ) in shown
    assert (
        '4<span class="not-phone">: Septic and holding tanks, new or existing, outside the planning area</span></th>'
        '<td class="num text-wrap">3,000<br>suggested 3,000</td>'
    ) in shown


def test_the_address_takes_the_number_with_and_without_noughts_and_no_other(app: Any) -> None:
    filed(hauler())
    client = signed_in(app, "member1")
    tried = ("0001", "1", "2", "L-001", "0001x", "99999999999999999999", "²")
    found = [client.get(f"/bayfield/committee/2026-27/{no}").status_code for no in tried]
    assert found == [200, 200, 404, 404, 404, 404, 404]


def test_a_source_is_a_row_with_its_tier_and_all_it_says(app: Any) -> None:
    filed(hauler(), OUTSIDE)
    assert ('1. Holding tank, Cabins north of Cornucopia<br><span class="hint fw-normal">Outside the planning area; '
            'Existing; Weekly in summer</span><span class="only-phone fw-normal"><br>Tier 4</span></th>'
            '<td class="not-phone">4</td><td class="num not-phone">1,000</td>'
            '<td class="num">3,000</td><td class="num">17,000</td>') in page(app, ONE)  # fmt: skip


def test_a_late_request_is_read_before_the_vote_but_stands_in_no_table(app: Any) -> None:
    business = hauler()
    draft(business)
    late = ask_late(world.plant(), business.id, "The form lay in the truck", by=acting(business),
                    at=world.at("2026-09-10T09:00"), law=world.law())  # fmt: skip
    assert isinstance(late, Application), late
    db.session.commit()
    one = page(app, "/bayfield/committee/2026-27/L-001")
    assert "Not taken yet" in one
    assert "Why it came late: The form lay in the truck" in one
    assert "Record a decision" not in one
    assert "No application is before the committee." in page(app, TABLE)


@pytest.mark.parametrize(
    ("season", "status"), [("1950-51", 404), ("1991-92", 404), ("1992-93", 200), ("2019-20", 200), ("soon", 404)]
)
def test_a_season_is_there_as_far_as_the_law_reaches_back(app: Any, season: str, status: int) -> None:
    client = signed_in(app, "member1")
    addresses = (f"committee?season={season}", f"committee/{season}/worksheet", f"committee/{season}/packet")
    assert [client.get(f"/bayfield/{one}").status_code for one in addresses] == [status] * 3


def test_previous_and_next_follow_the_table(app: Any) -> None:
    filed(hauler("Second", "second@hauler.example"), OUTSIDE, at="2026-08-02T09:00")
    filed(hauler(), SOURCE)
    assert 'href="/bayfield/committee/2026-27/0001">Next: Second</a>' in page(app, "/bayfield/committee/2026-27/0002")
    assert f'href="/bayfield/committee/2026-27/0002">Previous: {SHOWN}</a>' in page(app, ONE)


def test_asking_for_more_opens_the_application_and_is_shown(app: Any) -> None:
    filed(hauler())
    client = signed_in(app, "member1")
    asked = {"words": "Where are the cabins?", "opens": "sources", "due_on-month": "9", "due_on-day": "25",
             "due_on-year": "2026"}  # fmt: skip
    done = client.post(f"{ONE}/ask", data=asked | once())
    assert done.location == ONE
    change = db.session.scalars(select(ApplicationChange)).one()
    assert (change.side, change.words, change.due_on) == ("committee", "Where are the cabins?", date(2026, 9, 25))
    shown = page(app, ONE)
    assert "<b>Where are the cabins?</b>" in shown
    assert "Open for the hauler until September 25, 2026." in shown
    assert "Ask for more information" not in shown
    assert "Waiting for more information" in page(app, TABLE)


@pytest.mark.parametrize(
    ("typed", "target", "said"),
    [
        ({"words": ""}, "words", "Enter what you need to know"),
        ({"due_on-day": "15"}, "due_on-month", "The day must be today or later."),
    ],
)
def test_what_is_wrong_with_asking_is_said_there(app: Any, typed: dict[str, str], target: str, said: str) -> None:
    filed(hauler())
    asked = {"words": "Where?", "opens": "sources", "due_on-month": "9", "due_on-day": "16",
             "due_on-year": "2026"} | typed  # fmt: skip
    answer = signed_in(app, "member1").post(f"{ONE}/ask", data=asked | once())
    assert answer.status_code == 422
    assert f'<li><a href="#{target}">{said}</a></li>' in text(answer)
    assert db.session.scalars(select(ApplicationChange)).all() == []


def test_a_decided_application_is_not_asked(app: Any) -> None:
    record([approve(filed(hauler()))])
    db.session.commit()
    answer = text(signed_in(app, "member1").post(f"{ONE}/ask", data={"words": "Where?", "opens": "files"} | once()))
    assert "The committee has voted on application 2026-27/0001: it stays as it is." in answer


def test_the_worksheet_page_shows_every_step(app: Any) -> None:
    filed(hauler(), replace(SOURCE, gallons_winter=300_000))
    shown = page(app, "/bayfield/committee/2026-27/worksheet")
    for words in (
        "<li>3 hours × 666 = 1,998 gallons a day</li><li>105 open weekdays × 1,998 = 209,790 gallons</li>",
        "With an empty calendar it would be 109 days and 217,782 gallons.",
        "<li>Monday, January 18, 2027: Martin Luther King Jr. Day</li>",
        f'{SHOWN}</th><td class="num">300,000</td><td class="num not-phone">209,790.00</td><td class="num">209,790<',
        "How what fits is shared: in proportion to the gallons asked for.",
    ):
        assert words in shown, words


def test_what_is_decided_already_is_taken_off_on_the_worksheet(app: Any) -> None:
    decide([approve(filed(hauler()))])
    filed(hauler("Second", "second@hauler.example"))
    db.session.commit()
    assert ("<li>209,790 less 12,000 decided already: 197,790 gallons to share</li>"
            in page(app, "/bayfield/committee/2026-27/worksheet"))  # fmt: skip


def test_a_revocation_of_last_season_is_before_the_committee(app: Any) -> None:
    from haulers.actions import revoke_approval

    business = hauler()
    approval = approved(business)
    made = revoke_approval(world.plant(), approval.id, "§ 329-7 C(3)", "Three loads without a record",
                           by=world.staff("director"), at=world.at("2026-10-20T09:00"), law=world.law())  # fmt: skip
    assert not isinstance(made, Refusal), made
    db.session.commit()
    assert "Approval revoked October 20, 2026: § 329-7 C(3). Three loads without a record" in page(app, ONE)


def test_a_violation_is_before_the_committee_until_and_after_it_is_corrected(app: Any) -> None:
    from haulers.actions.violations import correct_violation, issue_violation

    business = hauler()
    filed(business)
    given = {"by": world.staff("clerk"), "at": world.at("2026-09-01T09:00"), "law": world.law()}
    made = issue_violation(world.plant(), business.id, "§ 329-7 C(3)", "No record of two loads.", [date(2026, 8, 28)],
                           [], date(2026, 9, 20), **given)  # fmt: skip
    assert not isinstance(made, Refusal), made
    assert table().rows[0].track.checks == ["1 violation not corrected"]
    said = "Violation September 1, 2026: § 329-7 C(3). No record of two loads. {}."
    assert said.format("Not corrected yet") in page(app, ONE)
    corrected = correct_violation(world.plant(), made.id, date(2026, 9, 10), "Both records came",
                                  **given | {"at": world.at("2026-09-11T09:00")})  # fmt: skip
    assert not isinstance(corrected, Refusal), corrected
    db.session.commit()
    assert table().rows[0].track.checks == ["1 violation"]
    assert said.format("Corrected September 10, 2026") in page(app, ONE)


@pytest.mark.parametrize("who", ["operator", "manager", "admin", "o'brien@hauler.example"])
def test_others_do_not_read_what_the_committee_reads(app: Any, who: str) -> None:
    filed(hauler())
    client = app.test_client()
    world.sign_in(client, who)
    for address in (TABLE, ONE, f"{ONE}/ask", "/bayfield/committee/2026-27/packet",
                    "/bayfield/committee/2026-27/worksheet"):  # fmt: skip
        assert client.get(address).status_code == 403, address


def test_the_queries_of_the_papers_do_not_grow_with_applications(app: Any) -> None:
    client = signed_in(app, "member1")
    filed(hauler())
    db.session.commit()

    def queries(address: str) -> int:
        client.get(address)
        seen: list[str] = []
        listener = lambda *args: seen.append(args[2])  # noqa: E731
        event.listen(db.engine, "before_cursor_execute", listener)
        assert client.get(address).status_code == 200
        event.remove(db.engine, "before_cursor_execute", listener)
        return len(seen)

    addresses = (TABLE, ONE, "/bayfield/committee/2026-27/worksheet", "/bayfield/committee/2026-27/packet")
    few = [queries(one) for one in addresses]
    for n in range(5):
        filed(hauler(f"Hauler {n}", f"h{n}@hauler.example"))
    db.session.commit()
    assert [queries(one) for one in addresses] == few
    assert len(db.session.scalars(select(Application)).all()) == 6
    assert OBRIEN in {one.business_name for one in db.session.scalars(select(Application))}

"""Pages of sampling: how often a hauler's loads are tested, what was drawn, and the proof of it (§ 329-7 F(5))."""

import hashlib
from typing import Any

from flask import abort, request

from haulers import queries as haulers
from intake.actions.testing_rule import TITLE, letter_data, rule_wrong, set_testing_rule
from intake.forms.sampling import RuleForm
from intake.models import SamplingRule
from intake.queries import testing_rule
from intake.queries.testing_rule import by_law
from intake.routes.base import bp, business_of, hauler_named
from office.access import Role
from office.db import db
from office.pages import Page, page
from ordinances.refusal import Refusal
from ordinances.testing_draw import EVERY, how_words, meant_words, rule_words

SEERS = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR, Role.CLERK)
AT_FIELD = {"kind": "kind", "figure": "figure", "since": "since", "no_reason": "reason", "same": "kind"}


@page(bp, "/director/testing", *SEERS)
def testing(here: Page) -> Any:
    """How often each hauler's loads are tested; loads that were due and not sampled; tests somebody ordered."""
    known = haulers.businesses_at(here.plant.id)
    now = testing_rule.now_of(here.plant.id, [one.id for one, _ in known], here.today)
    return here.show("intake/sampling/testing.html", haulers=[(one.id, party.name) for one, party in known], now=now,
                     by_law=by_law(here.law, here.today), rule_words=rule_words,
                     missed=testing_rule.not_sampled(here.plant.id),
                     ordered=testing_rule.ordered(here.plant.id))  # fmt: skip


@page(bp, "/director/testing/<int:business_id>", *SEERS)
def testing_of(here: Page, business_id: int) -> Any:
    """One hauler's rules, the newest first."""
    name = hauler_named(here, business_id)
    return here.show("intake/sampling/rules.html", name=name, business_id=business_id, **_rules(here, business_id))


def _rules(here: Page, business_id: int) -> dict[str, Any]:
    """What the pages of a hauler's rules show: each with how many were drawn and whether it has ended."""
    rows = list(reversed(testing_rule.rules_of(here.plant.id, business_id)))
    now = testing_rule.rule_on(here.plant.id, business_id, here.today)
    return {
        "rows": [(one, *testing_rule.counts(here.plant.id, business_id, one.id), testing_rule.ended(one, here.today))
                 for one in rows],
        "now": now, "by_law": by_law(here.law, here.today), "rule_words": rule_words,
    }  # fmt: skip


@page(bp, "/director/testing/<int:business_id>/letter", Role.DIRECTOR, methods=("GET", "POST"))
def testing_letter(here: Page, business_id: int) -> Any:
    """Write the letter; it is read before it is sent."""
    name, form, shown = hauler_named(here, business_id), RuleForm(data={"since": here.today}), None
    if form.validate_on_submit():
        asked = (form.kind.data, form.figure.data, form.since.data, form.reason.data)
        wrong = rule_wrong(here.plant, business_id, *asked, here.at, here.law)
        if wrong is None and request.form.get("seen") == _mark(*asked):
            done = set_testing_rule(here.plant, business_id, *asked, by=here.by, at=here.at, law=here.law)
            if not isinstance(done, Refusal):
                return here.done("intake.testing_of", "The letter is sent.", business_id=business_id)
            wrong = done
        if wrong is not None:
            if wrong.code not in AT_FIELD:
                return here.refuse(wrong)
            form.refuse(AT_FIELD[wrong.code], wrong.why)
        else:
            made = "made when the letter is sent" if form.kind.data != EVERY else ""
            shown = letter_data(here.plant, *asked, made, by=here.by, at=here.at, law=here.law)
    seen = _mark(form.kind.data, form.figure.data, form.since.data, form.reason.data) if shown else ""
    return here.show("intake/sampling/letter.html", form=form, name=name, business_id=business_id, shown=shown,
                     title=TITLE, seen=seen, now=testing_rule.rule_on(here.plant.id, business_id, here.today),
                     rule_words=rule_words, by_law=by_law(here.law, here.today))  # fmt: skip


def _mark(*typed: Any) -> str:
    """What was shown before, so that just this is sent."""
    return hashlib.sha256(repr(typed).encode()).hexdigest()


@page(bp, "/director/testing/rules/<int:rule_id>", *SEERS)
def testing_draws(here: Page, rule_id: int) -> Any:
    """What was drawn under one rule; once it has ended, the secret and the draws drawn again."""
    rule = db.session.get(SamplingRule, rule_id)
    if rule is None or rule.plant_id != here.plant.id:
        abort(404)
    return _draws(here, rule)


def _draws(here: Page, rule: SamplingRule) -> Any:
    return here.show("intake/sampling/draws.html", rule=rule, words=rule_words(rule.kind, rule.figure),
                     how=how_words(rule.kind, rule.figure, blocks=rule.blocks),
                     meant=meant_words(rule.kind, rule.figure, blocks=rule.blocks),
                     draws=testing_rule.draws_of(rule.id), proof=testing_rule.proof_of(rule, here.today),
                     letter=testing_rule.letter_number(rule), hauler=Role.HAULER in here.by.roles and here.by.capacity(
                         SEERS) is None, name=haulers.party_of_business(rule.business_id).name)  # fmt: skip


@page(bp, "/hauler/testing", Role.HAULER)
def my_testing(here: Page) -> Any:
    """How often the company's loads are tested."""
    return here.show("intake/sampling/mine.html", **_rules(here, business_of(here)))


@page(bp, "/hauler/testing/<int:rule_id>", Role.HAULER)
def my_draws(here: Page, rule_id: int) -> Any:
    """What was drawn under one of the company's own rules."""
    rule = db.session.get(SamplingRule, rule_id)
    if rule is None or (rule.plant_id, rule.business_id) != (here.plant.id, business_of(here)):
        abort(404)
    return _draws(here, rule)

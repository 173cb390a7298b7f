"""Pages of sampling: how often a hauler's loads are tested, what was drawn, and the proof of it (§ 329-7 F(5))."""

import hashlib
from typing import Any

from flask import abort, request, url_for

from haulers import queries as haulers
from intake.actions.testing_rule import TITLE, letter_data, rule_wrong, set_testing_rules
from intake.forms.sampling import RuleForm
from intake.models import SamplingRule
from intake.queries import testing_rule
from intake.queries.testing_rule import by_law
from intake.routes.base import bp, business_of, hauler_named
from office import formats
from office.access import Role
from office.db import db
from office.pages import Done, Page, page
from ordinances.refusal import Refusal
from ordinances.testing_draw import EVERY, how_words, meant_words, rule_words

SEERS = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR, Role.CLERK)
AT_FIELD = {"kind": "kind", "figure": "figure", "since": "since", "no_reason": "reason", "same": "kind"}


@page(bp, "/director/testing", *SEERS)
def testing(here: Page) -> Any:
    """How often each hauler's loads are tested; loads that were due and not sampled; tests somebody ordered."""
    names = _names(here)
    now = testing_rule.now_of(here.plant.id, names, here.today)
    return here.show("intake/sampling/testing.html", haulers=names.items(), now=now, today=here.today,
                     by_law=by_law(here.law, here.today), rule_words=rule_words,
                     untold=len(testing_rule.without_letter(here.plant.id, names)),
                     missed=testing_rule.not_sampled(here.plant.id),
                     ordered=testing_rule.ordered(here.plant.id))  # fmt: skip


def _names(here: Page) -> dict[int, str]:
    return {one.id: party.name for one, party in haulers.businesses_at(here.plant.id)}


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
    name = hauler_named(here, business_id)
    where = url_for("intake.testing_of", business_id=business_id)
    return _letter(here, {business_id: name}, name, where, f"Testing of {name}")


@page(bp, "/director/testing/letter", Role.DIRECTOR, methods=("GET", "POST"))
def testing_letters(here: Page) -> Any:
    """Write the same letter to every hauler that has none."""
    several = testing_rule.without_letter(here.plant.id, _names(here))
    if not several:
        return here.refuse(Refusal("all_told", "Every hauler of this plant has a letter.", "",
                                   next_step="Open a hauler to write another one."))  # fmt: skip
    name = formats.plural(len(several), "hauler")
    return _letter(here, several, name, url_for("intake.testing"), "Which loads are tested")


def _letter(here: Page, several: dict[int, str], name: str, back: str, back_words: str) -> Any:
    """A letter to one hauler or several: asked for, shown, and sent as it was shown."""
    form, shown = RuleForm(data={"since": here.today}), None
    later = testing_rule.rule_after(here.plant.id, next(iter(several)), here.today)
    if form.validate_on_submit():
        asked = (form.kind.data, form.figure.data, form.since.data, form.reason.data)
        checked = (rule_wrong(here.plant, one, *asked, here.by, here.at, here.law) for one in several)
        wrong = next((one for one in checked if one is not None), None)
        if wrong is None and request.form.get("seen") == _mark(*asked, *several):
            done = set_testing_rules(here.plant, list(several), *asked, by=here.by, at=here.at, law=here.law)
            if not isinstance(done, Refusal):
                said = "The letter is sent." if len(done) == 1 else f"{len(done)} letters are sent."
                return Done(back, said)
            wrong = done
        if wrong is not None:
            if wrong.code not in AT_FIELD:
                return here.refuse(wrong)
            form.refuse(AT_FIELD[wrong.code], wrong.why)
        else:
            made = "made when the letter is sent" if form.kind.data != EVERY else ""
            later = testing_rule.rule_after(here.plant.id, next(iter(several)), form.since.data or here.today)
            shown = letter_data(here.plant, *asked, made, later, by=here.by, at=here.at, law=here.law)
    seen = _mark(form.kind.data, form.figure.data, form.since.data, form.reason.data, *several) if shown else ""
    now = testing_rule.rule_on(here.plant.id, next(iter(several)), here.today)
    return here.show("intake/sampling/letter.html", form=form, name=name, several=several, shown=shown, title=TITLE,
                     seen=seen, now=now, later=later, rule_words=rule_words, by_law=by_law(here.law, here.today),
                     back=back, back_words=back_words)  # fmt: skip


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

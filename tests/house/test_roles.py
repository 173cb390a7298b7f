"""Who may open which page and do which act: one table, held against the application itself."""

from office.acts import ACTS
from tests.house.act_roles import ACT_ROLES
from tests.house.roles import NOT_OURS, PAGE_ROLES


def pages_of(app):
    return {
        rule.endpoint: getattr(app.view_functions[rule.endpoint], "roles", None) for rule in app.url_map.iter_rules()
    }


def test_every_page_is_in_the_table_with_its_roles(app):
    found = {end: tuple(role.value for role in roles) for end, roles in pages_of(app).items() if roles}
    assert found == PAGE_ROLES


def test_page_without_roles_belongs_to_a_library(app):
    assert {endpoint for endpoint, roles in pages_of(app).items() if roles is None} == NOT_OURS


def test_every_act_is_in_the_table_with_its_roles(app):
    found = {name: tuple(role.value for role in roles) for name, roles in ACTS.items() if not name.startswith("test_")}
    assert found == ACT_ROLES


def test_addresses_are_kebab_case_and_typed(app):
    for rule in app.url_map.iter_rules():
        if rule.endpoint in NOT_OURS:
            continue
        assert rule.rule == rule.rule.lower(), rule.rule
        assert "_" not in rule.rule.replace("<plant_slug>", "").replace("_id>", ">"), rule.rule

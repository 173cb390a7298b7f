"""What the import contracts cannot say: the law's own imports, nothing imports the door, states know nothing."""

import ast
import sys

from tests.house.sources import name, python


def imports(path):
    """The modules a file names in its import statements."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def test_the_law_imports_only_the_standard_library_and_itself():
    for path in python():
        if name(path).startswith("ordinances/"):
            roots = {module.partition(".")[0] for module in imports(path)}
            assert roots <= sys.stdlib_module_names | {"ordinances"}, name(path)


def test_nothing_imports_the_door():
    assert [name(path) for path in python() if "app" in imports(path)] == []


def test_states_import_only_enum():
    for path in python():
        if name(path).endswith("/states.py"):
            assert imports(path) <= {"enum"}, name(path)


def test_acts_import_no_page():
    pages = {"office.web", "office.pages", "office.forms", "flask", "flask_wtf", "wtforms"}
    for path in python():
        if "/actions" in name(path):
            assert not imports(path) & pages, name(path)

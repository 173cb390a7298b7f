"""What no source file may hold: numbers of the law, questions for the time, inline styles, unkind words, giants."""

import ast
import re
import statistics

from sqlalchemy import inspect

from office.db import Model
from tests.house.sources import ROOT, name, pages, python

# Every spelling: 160000, 160,000, 160_000; .024 and 0.024; the figure standing alone.
FIGURES = re.compile(
    r"(?<![\d.,_#])(666|670|160[,_ ]?000|6[,_ ]?666|1[,_ ]?998|166\.5|0?\.024|2\.4 cents|12\.16)(?![\d_])"
)


def test_no_number_of_the_ordinance_stands_in_source_or_template():
    found = [
        f"{name(path)}:{number}: {line.strip()}"
        for path in [*python(), *pages()]
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if FIGURES.search(line)
    ]
    assert found == []


def test_only_the_clock_asks_for_the_time():
    asks = re.compile(
        r"\b(datetime\.(now|utcnow|today)|date\.today|time\.time|func\.now|CURRENT_TIMESTAMP|server_default)\b"
    )
    found = [
        f"{name(path)}:{number}"
        for path in python()
        if name(path) != "office/clock.py"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if asks.search(line)
    ]
    assert found == []


def test_no_template_holds_inline_style_script_or_handler():
    bad = re.compile(r"\sstyle=|<script(?![^>]*\bsrc=)|\son(click|load|submit|change)=|javascript:", re.IGNORECASE)
    found = [name(path) for path in pages() if path.suffix == ".html" and bad.search(path.read_text(encoding="utf-8"))]
    assert found == []


TIME = r"(?:clock_time|day_time|span\(|from_words|\[.from.\]|data\.from\b)"


def test_no_sentence_ends_with_a_time_and_a_second_full_stop():
    """ "8:04 a.m.." comes of a time followed by a full stop: such words go through ``full_stop``."""
    between = r"(?:\s*(?:\{%[^%]*%\}|</?\w+[^>]*>))*"
    shown = re.compile(r"\{\{(?![^{}]*full_stop)[^{}]*" + TIME + r"[^{}]*\}\}" + between + r"\.(?!\w)")
    letters = re.compile(r"#data\.from\*?\.(?!\w)")
    said = re.compile(r"\{[^{}]*" + TIME + r"[^{}]*\}\.(?!\w)")
    found = []
    for path in pages():
        whole = path.read_text(encoding="utf-8")
        bare = re.sub(r"\{% if [^%]*%\}(?:(?!\{% (?:if|el|endif)).)*\{% endif %\}", "", whole, flags=re.DOTALL)
        found += [name(path) for text in (whole, bare) if shown.search(text) or letters.search(text)]
    found += [name(path) for path in python() if said.search(path.read_text(encoding="utf-8"))]
    assert found == []


def test_no_error_text_is_unkind():
    bad = re.compile(r"(?<!aria-)(?<!is-)\b(please|sorry|invalid|oops|forbidden)\b", re.IGNORECASE)
    found = []
    for path in python():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            # Only words a person reads: a sentence in a string, no names and no HTML attributes.
            said = isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
            if said and bad.search(node.value) and not _docstring(node, path):
                found.append(f"{name(path)}:{node.lineno}")
    for path in pages():
        if path.suffix in (".html", ".typ"):
            words = re.sub(r"{[#%{].*?[#%}]}|<[^>]*>", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
            if bad.search(words):
                found.append(name(path))
    assert found == []


def _docstring(node, path):
    line = path.read_text(encoding="utf-8").splitlines()[node.lineno - 1].strip()
    return line.startswith('"""') or node.value.count("\n") > 3


def test_files_and_functions_stay_small():
    files = {name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in python()}
    functions = {}
    for path in python():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                functions[f"{name(path)}:{node.name}"] = node.end_lineno - node.lineno + 1
    assert {key: size for key, size in files.items() if size > 500} == {}
    assert {key: size for key, size in functions.items() if size > 60} == {}
    assert sorted(files.values())[int(len(files) * 0.95)] <= 350
    assert statistics.median(files.values()) <= 130


def test_no_mapper_reaches_into_another_room():
    crossing = []
    for mapper in Model.registry.mappers:
        room = mapper.class_.__module__.split(".")[0]
        for relation in inspect(mapper).relationships:
            if relation.mapper.class_.__module__.split(".")[0] != room:
                crossing.append(f"{mapper.class_.__name__}.{relation.key}")
    assert crossing == []


def test_nothing_names_a_machine_path_or_a_registry():
    bad = re.compile(r"/work/|/root/|shared/|pypi\.org|registry\.npmjs|deb\.debian")
    docs = [ROOT / one for one in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Makefile", "pyproject.toml")]
    found = [name(path) for path in [*python(), *pages(), *docs] if bad.search(path.read_text(encoding="utf-8"))]
    assert found == []

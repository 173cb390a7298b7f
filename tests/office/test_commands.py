"""Commands on a machine without a database, or asked with rubbish: a sentence with what to do, never a traceback."""

import json

import pytest
from click import ClickException
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from office.db import db
from office.ready import reachable
from tests.conftest import make_app

MAKE_IT = "Make it with: flask --app app serve (your own plant) or make demo (the sample season).\n"
NEEDY = [("verify",), ("jobs", "tick"), ("jobs", "run"), ("intake", "import-flow", "bayfield", "flows.csv")]


def run(app, *args):
    done = app.test_cli_runner().invoke(args=list(args))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


@pytest.mark.parametrize("args", NEEDY)
def test_without_a_database_the_next_command_is_named_and_no_file_is_made(args, tmp_path):
    path = tmp_path / "none.db"
    app = make_app(f"sqlite:///{path}")
    assert run(app, *args) == (1, f"Error: There is no database at {path} yet. {MAKE_IT}")
    assert not path.exists()


@pytest.mark.parametrize("args", NEEDY)
def test_a_database_without_our_tables_is_named(args, tmp_path):
    path = tmp_path / "empty.db"
    path.touch()
    app = make_app(f"sqlite:///{path}")
    assert run(app, *args) == (1, f"Error: The database at {path} holds no Septage Desk yet. {MAKE_IT}")


@pytest.mark.parametrize("args", [*NEEDY, ("demo",), ("serve",)])
def test_a_database_that_does_not_answer_is_named_without_its_password(args):
    app = make_app("postgresql+psycopg://clerk:secret@127.0.0.1:1/septage")
    code, said = run(app, *args)
    first = "Error: The database at postgresql+psycopg://clerk:***@127.0.0.1:1/septage does not answer: "
    assert (code, said.startswith(first), "secret" in said) == (1, True, False)
    assert said.endswith("\nStart it, or name another one in DATABASE_URL.\n")


@pytest.mark.parametrize("args", [*NEEDY, ("demo",)])
def test_a_file_that_is_no_database_is_named(args, tmp_path):
    path = tmp_path / "letter.db"
    path.write_text("Dear Council, " * 100)
    code, said = run(make_app(f"sqlite:///{path}"), *args)
    assert (code, said) == (1, f"Error: The database at {path} does not answer: file is not a database\n"
                               "Start it, or name another one in DATABASE_URL.\n")  # fmt: skip


def test_a_database_of_an_earlier_version_is_not_worked_with(app):
    db.session.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    db.session.commit()
    code, said = run(app, "jobs", "tick", "--at", "2026-10-22T08:00-05:00")
    step = "Bring it up to date first: flask --app app db upgrade"
    assert (code, said.splitlines()[1:]) == (1, [step])
    assert "alembic_version: says 0001" in run(app, "verify")[1]


@pytest.mark.parametrize(("at", "why"), [
    ("garbage", "garbage is no ISO date and time with an offset, like 2026-10-22T08:00-05:00"),
    ("2026-10-22T08:00", "2026-10-22T08:00 has no offset, like 2026-10-22T08:00-05:00"),
    ("0001-01-01T00:00+00:00", "0001-01-01T00:00+00:00 is too far from now"),
    ("9999-12-31T23:59+00:00", "9999-12-31T23:59+00:00 is too far from now"),
])  # fmt: skip
def test_an_instant_that_cannot_be_read_is_told_with_one_that_can(app, at, why):
    code, said = run(app, "jobs", "tick", "--at", at)
    assert (code, said.splitlines()[-1]) == (2, f"Error: Invalid value for '--at': {why}")


def test_what_is_owed_is_done_at_the_instant_given(app):
    code, said = run(app, "jobs", "tick", "--at", "2026-10-22T08:00-05:00")
    assert (code, said.endswith("letters 0, mail 0\n")) == (0, True)


def test_heads_go_out_and_come_back(app, tmp_path):
    path = tmp_path / "heads.json"
    assert run(app, "verify", "--export-heads", str(path))[0] == 0
    assert run(app, "verify", "--heads", str(path))[0] == 0
    heads = {chain: [seq, "0" * 64] for chain, (seq, _) in json.loads(path.read_text()).items()}
    path.write_text(json.dumps(heads))
    code, said = run(app, "verify", "--heads", str(path))
    assert (code, len(said.splitlines())) == (1, len(heads))


@pytest.mark.parametrize("content", ["rubbish", "[]", '{"a": 1}', '{"a": ["x", "y"]}', "\x00\xff"])
def test_heads_that_are_none_are_refused_in_words(app, tmp_path, content):
    path = tmp_path / "heads.json"
    path.write_bytes(content.encode("latin-1"))
    why = f"{path} holds no heads; name a file that verify --export-heads wrote"
    code, said = run(app, "verify", "--heads", str(path))
    assert (code, said.splitlines()[-1]) == (2, f"Error: Invalid value for --heads: {why}")


def test_files_of_heads_that_cannot_be_opened_are_named(app, tmp_path):
    missing, folder = tmp_path / "none.json", tmp_path
    code, said = run(app, "verify", "--heads", str(missing))
    why = f"{missing} cannot be read: No such file or directory"
    assert (code, said.splitlines()[-1]) == (2, f"Error: Invalid value for --heads: {why}")
    code, said = run(app, "verify", "--export-heads", str(folder))
    why = f"{folder} cannot be written: Is a directory"
    assert (code, said.splitlines()[-1]) == (2, f"Error: Invalid value for --export-heads: {why}")


def test_a_database_that_another_program_writes_to_is_said_to_be_busy(app):
    said = "database is locked\nAnother program is writing to it. Try again"
    with pytest.raises(ClickException, match=said), reachable():
        raise OperationalError("", None, Exception("database is locked"))


RUBBISH = [
    ("window", "--at", "garbage"), ("window", "--at", "9999-12-31T23:59:59"), ("window", "--at", "0001-01-01T00:00"),
    ("window", "--at", "2026-09-01T00:00+99:00"), ("hours", "--date", "garbage"), ("hours", "--date", "0001-01-01"),
    ("rate", "--date", "2026-10-06", "--flow-gpd", "9" * 30), ("rate", "--date", "2026-10-06", "--flow-gpd", "1e9"),
    ("fit", "--date", "2026-10-06", "--gallons", "-1"), ("fit", "--date", "2026-10-06", "--gallons", "9" * 30),
    ("due", "--discharged-at", "garbage"), ("due", "--discharged-at", "9999-12-31T10:00"),
    *(("price", "--date", "2026-10-06", "--gallons", "1500", "--waste", "septic_tank", option, value)
      for option, value in [("--tests", "9" * 30), ("--after-hours-minutes", "9" * 30), ("--capacity", "9" * 30),
                            ("--wage", "NaN"), ("--gallons", "1.5"), ("--waste", "gold")]),
]  # fmt: skip


@pytest.mark.parametrize("question", RUBBISH)
def test_a_question_of_law_that_cannot_be_read_is_told_so(app, question):
    name, *options = question
    code, said = run(app, "law", name, "bayfield", *options)
    assert (code, said.splitlines()[-1].startswith("Error: ")) == (2, True)


@pytest.mark.parametrize("name", ["users", "roles"])
def test_no_command_changes_people_past_the_history(app, name):
    assert run(app, name, "--help")[0] == 2

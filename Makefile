# Every command does what it needs first. Needs: Debian, Python 3.11 or newer, make.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
QUIET := --quiet --quiet --disable-pip-version-check --root-user-action=ignore --progress-bar=off
export PYTHONDONTWRITEBYTECODE := 1

.PHONY: help setup run demo test test-sqlite test-postgresql check soak bench

help:
	@echo "make demo    a sample season at http://localhost:8000, with one sign-in per role"
	@echo "make run     your own, empty plant at http://localhost:8000; the first visit sets it up"
	@echo "make test    every test, on SQLite and on PostgreSQL, with a real browser"
	@echo "make check   lint, types, floors, the shipped ordinances"
	@echo "make setup   only the environment in .venv"
	@echo "make soak    the long tests; make bench: speed as ratios"

setup: $(READY)

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Septage Desk needs Python 3.11 or newer. This is " + sys.version.split()[0] + ". Set PYTHON=... to another one.")'
	@$(PYTHON) -m venv .venv >/dev/null 2>&1 || { \
	  rm -rf .venv; echo "Installing python3-venv, which Debian keeps apart ..."; \
	  if [ "$$(id -u)" = 0 ]; then apt-get update -qq && apt-get install -y -qq python3-venv; \
	  else sudo -n apt-get update -qq && sudo -n apt-get install -y -qq python3-venv; fi; \
	  $(PYTHON) -m venv .venv; } || { echo "Python cannot make an environment here. Install it with: apt-get install python3-venv"; exit 1; }
	@echo "Installing Septage Desk's libraries into .venv (about a minute) ..."
	@$(BIN)/python -m pip install $(QUIET) --upgrade pip
	@$(BIN)/python -m pip install $(QUIET) --editable '.[dev]'
	@touch $@

run: $(READY)
	@$(BIN)/flask --app app serve

demo: export DATABASE_URL := sqlite:///$(CURDIR)/instance/demo.db
# The sample's own morning, also where the variable is there but empty.
demo: override export SEPTAGE_CLOCK := $(or $(strip $(SEPTAGE_CLOCK)),2027-02-09T07:52)
demo: $(READY)
	@mkdir -p instance
	@$(BIN)/flask --app app demo
	@$(BIN)/flask --app app serve

check: $(READY)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/flask --app app law check

test: $(READY)
	@$(BIN)/python -m tests.machine
	@$(MAKE) --no-print-directory test-sqlite test-postgresql

test-sqlite: $(READY)
	@echo "== SQLite"
	@$(BIN)/python -m pytest -q -n 2 --dist loadgroup --engine sqlite

test-postgresql: $(READY)
	@echo "== PostgreSQL"
	@$(BIN)/python -m pytest -q -n 2 --dist loadgroup --engine postgresql

soak: $(READY)
	@$(BIN)/python -m tests.machine
	@$(BIN)/python -m bench.soak

bench: $(READY)
	@$(BIN)/python -m bench.ratios

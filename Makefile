# make run · make test · make lint · make bench · make docs-check · make messages · make clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

PORT ?= 8000
CONFIG ?= config/de-rm.toml
DATA ?= ./data

.DEFAULT_GOAL := run
.PHONY: run test lint format bench docs-check messages clean libraries

# The service in the foreground, with a mongod of its own; Ctrl-C stops both.
run: libraries $(VENV)/run.stamp
	@CALENDAR_DATA='$(DATA)' $(BIN)/calendar-app --config '$(CONFIG)' \
		serve --bind '127.0.0.1:$(PORT)' --demo

test: libraries lint
	$(BIN)/pytest -n 2 --cov --cov-report=term

lint: $(VENV)/test.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/test.stamp
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Every command of README and docs, in a copy of the project.
docs-check: libraries $(VENV)/test.stamp
	@PYTHONPATH=scripts $(BIN)/python -m docs_check

# The catalogues of messages, in step with the code.
messages: $(VENV)/test.stamp
	$(BIN)/python scripts/messages.py

bench: libraries $(VENV)/test.stamp
	$(BIN)/python benchmarks/run.py

clean:
	rm -rf $(VENV) .coverage .coverage.* .hypothesis .import_linter_cache .mypy_cache \
		.pytest_cache .ruff_cache node_modules
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# mongod is a program of the system and wants two libraries of it.
libraries:
	@scripts/system-libraries

# What was installed is remembered, so that a second run starts at once.
$(VENV)/run.stamp: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo 'Python 3.11 or later is needed; name it with PYTHON=.' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade 'pip>=25.1'
	$(PIP) install --constraint constraints.txt --editable '.[embedded]'
	@touch $@

$(VENV)/test.stamp: $(VENV)/run.stamp
	$(PIP) install --constraint constraints.txt --group test --group lint
	@touch $@

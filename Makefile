# make run · make check · make test [ARGS='tests/api -k trash'] [COVERAGE=1] · make clients · make test-clients · make test-plugin
# make test-integration · make test-processes · make test-plans · make test-rooms · make test-benchmarks · make test-browser · make test-pages · make test-graph · make test-openapi · make report-lighthouse
# make test-interference · make test-caches · make test-changes · make test-secondaries · make test-recurrence · make test-properties · make test-sources · make test-region · make test-ledger · make test-mutation · make lint · make format · make docs [VERSION=1.2.3] · make docs-check · make screenshots · make messages · make bench · make bench-hour · make bench-million
# make bench-ablation · make bench-history · make bench-import · make bench-feeds · make bench-busy · make bench-lending · make bench-footprint · make bench-cost
# make release VERSION=1.2.3 [DRY_RUN=1] · make clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

PORT ?= 8000
CONFIG ?= config/de-rm.toml
DATA ?= ./data
EVENTS ?= 1000000
RECORDS ?= 20000
# Tests at once; on two processors three, as services and their databases often wait.
WORKERS ?= 3
# Arguments of pytest; with some, `make test` runs these tests alone and no linter.
ARGS ?=
COVERAGE ?=
# Tests that take long, each with a target of its own.
ROOMS := tests/region tests/integration tests/processes tests/plans tests/docs_check
COMPILED := $(VENV)/compiled.stamp
# Rules that `make test-mutation` changes.
MUTANTS ?= 210

CLIENTS := tests/clients/node_modules
BROWSER_TOOLS := tests/browser/node_modules
GENERATOR := tests/clients/generator
TYPESCRIPT := clients/typescript
RECORDS_OF_PYTHON := clients/python/calendar_client/schema.py
PLUGIN := examples/plugin

.DEFAULT_GOAL := run
.PHONY: run check test release test-integration test-processes test-plans test-rooms test-benchmarks test-browser clients test-clients test-plugin test-openapi node lint format bench bench-ablation bench-history bench-hour bench-million
.PHONY: report-lighthouse test-interference test-caches test-changes test-secondaries test-recurrence test-properties test-sources test-region test-ledger test-mutation test-pages test-graph bench-import bench-feeds bench-busy bench-lending bench-footprint bench-cost docs docs-check screenshots messages clean libraries

# The service in the foreground, with a mongod of its own; Ctrl-C stops both.
run: libraries $(VENV)/run.stamp
	@CALENDAR_DATA='$(DATA)' $(BIN)/calendar-app --config '$(CONFIG)' \
		serve --bind '127.0.0.1:$(PORT)' --demo

# What answers within a minute: the linters, and the tests that need no database.
check: lint
	$(BIN)/pytest -q -n 2 tests/unit

# Its many processes keep what they have compiled, also where the environment would not have that.
test: export PYTHONDONTWRITEBYTECODE =
test: export TMPDIR := $(or $(TMPDIR),$(shell scripts/memory-directory))
test: libraries $(VENV)/test.stamp
ifndef ARGS
	@# Tests that have changed are compiled once, beside the linters, rather than by each worker.
	@# A name that no test has lets modules be read without making their thousands of cases.
	@{ [ -e $(COMPILED) ] && [ -z "$$(find calendar_app tests -name node_modules -prune \
		-o -name '*.py' -newer $(COMPILED) -print -quit)" ] \
		|| { $(BIN)/pytest --collect-only -qq -o python_functions=none >/dev/null 2>&1; \
		touch $(COMPILED); }; } & \
	$(MAKE) --no-print-directory lint; status=$$?; wait; exit $$status
endif
ifdef COVERAGE
	$(BIN)/coverage erase
	@# Else pytest takes a folder within another one for a duplicate, and leaves it out.
	$(BIN)/coverage run -m pytest --keep-duplicates -n $(WORKERS) $(or $(ARGS),tests $(ROOMS))
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report
else
	$(BIN)/pytest -n $(WORKERS) $(ARGS)
endif

# Imports, sources and many writers at once. Commands, the service, its workers and its mongod as they
# start, reload, are killed and end. By which indexes MongoDB answers, and after how many questions.
test-integration test-processes test-plans test-rooms: export PYTHONDONTWRITEBYTECODE =
test-integration test-processes test-plans test-rooms: export TMPDIR := $(or $(TMPDIR),$(shell scripts/memory-directory))
test-integration test-processes test-plans: libraries $(VENV)/test.stamp
	$(BIN)/pytest -n $(WORKERS) tests/$(@:test-%=%)

# All three at once, so that some compute while others wait for processes. Before them the model
# region, a twentieth of it: one worker has it for a minute.
test-rooms: libraries $(VENV)/test.stamp
	$(BIN)/pytest -n $(WORKERS) tests/region tests/integration tests/processes tests/plans

# The changelog, the version, the wheel and the tag; a dry run does all of it in a copy.
release: $(VENV)/test.stamp
	@scripts/release $(if $(DRY_RUN),--dry-run) '$(VERSION)'

# Two calendars that differ only in what a caller may not read, and 5,000 requests by chance to
# both; `make test` makes dozens.
test-interference: libraries $(VENV)/test.stamp
	INTERFERENCE_REQUESTS=5000 $(BIN)/pytest --timeout=0 tests/property/test_interference.py

# Random writes by three workers, and 5,000 of the answers that they keep beside those that a newcomer
# computes; `make test-processes` compares hundreds. Then all that is rendered from kept fragments after
# any change, and after 400 by chance, and feeds after 200; `make test` reads a part.
test-caches: libraries $(VENV)/test.stamp
	CACHED_ANSWERS=5000 $(BIN)/pytest --timeout=0 tests/processes/test_cached_answers.py
	FRAGMENT_READS=all FRAGMENT_STEPS=400 FEED_STEPS=200 $(BIN)/pytest -n 2 --timeout=0 \
		tests/api/http/test_kept_fragments.py tests/property/test_kept_fragments.py \
		tests/property/test_kept_feeds.py

# Copies of the calendar that follow through 1,000 random writes, kills and elections, and what two
# calendars tell strangers that differ only in hidden records; `make test-processes` writes a tenth,
# `make test` less.
test-changes: libraries $(VENV)/test.stamp
	MIRRORED_WRITES=1000 STREAMED_WRITES=200 FOLLOWED_WRITES=400 $(BIN)/pytest --timeout=0 \
		-k 'copy or follow' tests/processes/test_mirrors.py tests/property/test_interference.py \
		tests/processes/test_followers.py
	WEBHOOK_CHANGES=2000 $(BIN)/pytest -s --timeout=0 tests/integration/test_delivering.py \
		tests/processes/test_webhooks_served.py

# The pages of 500 combinations of filters beside the lists of the interface; `make test` has 12.
# Month tables of 240 calendars; `make test` has six.
test-pages: libraries $(VENV)/test.stamp
	PAGES_COMBINATIONS=500 MONTH_SEEDS=40 $(BIN)/pytest -n 2 --timeout=0 \
		tests/property/test_pages_agree.py tests/property/test_days_of_events.py

# 20,000 random rules by four other expanders; `make test` compares hundreds with two of them.
test-recurrence: export RECURRENCE_RULES = 20000
test-recurrence: node libraries $(VENV)/test.stamp $(CLIENTS)/run.stamp
	$(BIN)/pytest --timeout=0 tests/property/test_recurrence_agreement.py
	cd tests/clients && node --test recurrence.test.mjs

# Histories of series, entity tags, feeds, languages, searches, dates, pages and places by chance, and
# events that are sent back; `make test` has a tenth of them, or less.
test-properties: export RECURRENCE_CASES = 200
test-properties: export ENTITY_TAG_EXAMPLES = 30
test-properties: export FEED_CASES = 120
test-properties: export FEED_ZONES_STEP = 1
test-properties: export LANGUAGE_CASES = 400
test-properties: export SEARCH_CASES = 300
test-properties: export DATE_FILTER_EXAMPLES = 3000
test-properties: export GEO_QUESTIONS = 2000
test-properties: export GEO_EXAMPLES = 150
test-properties: export PAGING_EXAMPLES = 200
test-properties: export ROUND_TRIP_EXAMPLES = 600
test-properties: libraries $(VENV)/test.stamp
	$(BIN)/pytest -n 2 --timeout=0 tests/property/test_recurrence_histories.py \
		tests/property/test_entity_tags.py tests/property/test_feeds_read_back.py \
		tests/property/test_language_contract.py tests/property/test_search_agreement.py \
		tests/property/test_date_filters.py tests/property/test_what_lies_near.py \
		tests/property/test_great_circles.py tests/property/test_paging_partitions.py \
		tests/property/test_round_trip_properties.py

# 1,000 histories of a feed by chance beside edits made here; `make test` has two. 300 of three
# sources that announce the same events, with editors and a keeper; `make test` has one. Two calendars
# that read each other ten times, and a calendar of 50,000 events, with its figures. All calendars
# that icalendar brings for its tests, and those in the directory CALENDARS, such as clones of
# ical.js, node-ical and recurring-ical-events; `make test` reads a tenth of the former.
test-sources: libraries $(VENV)/test.stamp
	FOREIGN_CALENDARS='$(CALENDARS)' $(BIN)/pytest -n 2 tests/property/test_foreign_calendars.py
	SOURCE_ROUNDS=10 $(BIN)/pytest tests/property/test_source_round_trips.py
	SOURCE_EVENTS=50000 $(BIN)/pytest -s --timeout=0 tests/processes/test_source_processes.py
	SOURCE_HISTORIES=1000 $(BIN)/pytest -n 2 --dist=load --timeout=0 tests/property/test_source_histories.py
	REGION_HISTORIES=300 $(BIN)/pytest -n 2 --dist=load --timeout=0 tests/property/test_region_histories.py

# 200 feeds of 40 towns for ten days, with the figures and the first cases that fall short; it takes
# half an hour. `make test-rooms` collects a twentieth.
test-region: export REGION_SCALE ?= 1
test-region: libraries $(VENV)/test.stamp
	$(BIN)/pytest -n 0 --timeout=0 tests/region

# 2,000 histories of who wrote and checked texts beside a plain model, and the translations of 2,000
# events of which the memory has to propose a fifth; `make test` has a few dozens.
test-ledger: libraries $(VENV)/test.stamp
	LEDGER_HISTORIES=2000 HELD_OUT_EVENTS=2000 $(BIN)/pytest -n 2 --dist=load --timeout=0 \
		tests/property/test_ledger_histories.py tests/property/test_held_out_translations.py

# 2,000 reads behind writes from a replica set of three, in four sorts of trouble; `make
# test-processes` makes a tenth.
test-secondaries: libraries $(VENV)/test.stamp
	SECONDARY_READS=2000 $(BIN)/pytest --timeout=0 tests/processes/test_secondaries.py

# 500 filters of the list beside the same in SPARQL over the graph; `make test` asks some dozens.
test-graph: libraries $(VENV)/test.stamp
	GRAPH_FILTERS=500 $(BIN)/pytest --timeout=0 tests/api/feeds/test_graph.py

# Rules changed by chance, one expression at a time, and which of these changes no test notices.
test-mutation: libraries $(VENV)/mutation.stamp
	$(BIN)/python scripts/mutation.py --mutants '$(MUTANTS)'

# Thousands of requests by chance from the OpenAPI document, and all that is odd in each field of each
# form of the desk; `make test` makes hundreds.
test-openapi: libraries $(VENV)/test.stamp
	OPENAPI_EXAMPLES=20 ODD_INPUT=all $(BIN)/pytest -n 2 tests/contract/test_schemathesis.py \
		tests/api/desk/test_odd_input.py

# Our clients as packages: a wheel, a module for browsers and Node, a plugin for WordPress. Their
# types are made from the OpenAPI document.
clients: node $(VENV)/test.stamp $(TYPESCRIPT)/node_modules/run.stamp
	$(BIN)/calendar-app --config '$(CONFIG)' openapi >$(TYPESCRIPT)/openapi.json
	$(BIN)/python clients/python/scripts/typed_records.py \
		<$(TYPESCRIPT)/openapi.json >$(RECORDS_OF_PYTHON)
	$(BIN)/ruff format --quiet $(RECORDS_OF_PYTHON)
	$(BIN)/ruff check --quiet --fix $(RECORDS_OF_PYTHON)
	$(BIN)/python -m flit_core.wheel --outdir clients/python/dist clients/python
	$(BIN)/python -m flit_core.wheel --outdir clients/mcp/dist clients/mcp
	cd $(TYPESCRIPT) && npm run --silent generate && npm run --silent build
	mkdir -p clients/wordpress/dist
	cd clients/wordpress && ../../$(BIN)/python -m zipfile -c dist/calendar-app.zip calendar-app

# Clients that know nothing of this service: one for WordPress, one that follows links, those that
# generators make from the OpenAPI document, and the vocabulary of schema.org. Then our own.
test-clients: node libraries $(VENV)/browser.stamp $(VENV)/assistants.stamp $(CLIENTS)/run.stamp $(GENERATOR)/run.stamp clients
	$(BIN)/pytest tests/clients
	$(BIN)/pytest -m needs_nginx tests/clients
	cd tests/clients && node --test
	cd clients/python && ../../$(BIN)/mypy
	cd clients/mcp && MYPYPATH=../python ../../$(BIN)/mypy
	PYTHONPATH=$$(echo clients/python/dist/*.whl clients/mcp/dist/*.whl | tr ' ' :) \
		$(BIN)/pytest -n 2 clients
	cd $(TYPESCRIPT) && npm test --silent

# The example of a plugin, installed from its wheel beside the service.
test-plugin: libraries $(VENV)/test.stamp
	rm -rf $(PLUGIN)/build
	$(PIP) wheel --no-deps --no-build-isolation --wheel-dir $(PLUGIN)/build ./$(PLUGIN)
	$(PIP) install --no-deps --target $(PLUGIN)/build/site $(PLUGIN)/build/*.whl
	$(BIN)/mypy --strict $(PLUGIN)/src
	PYTHONPATH=$(PLUGIN)/build/site $(BIN)/pytest $(PLUGIN)/tests

# The benchmarks run and print all their figures; how good they are is not tested.
test-benchmarks: libraries $(VENV)/test.stamp
	$(BIN)/pytest tests/benchmarks

# Pages as people see them, in the system's Chromium, which a busy machine starts late.
test-browser: node libraries $(VENV)/browser.stamp $(BROWSER_TOOLS)/run.stamp
	$(BIN)/pytest -n 2 --timeout 300 tests/browser

# The scores of Lighthouse, as a phone sees the list, the month and an event.
report-lighthouse: node libraries $(VENV)/browser.stamp $(BROWSER_TOOLS)/run.stamp
	$(BIN)/pytest -q -s tests/browser/test_lighthouse.py

lint: $(VENV)/test.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/test.stamp
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Every command and program of README and docs, in a copy of the project; before that, whether this
# check notices what is wrong.
docs-check: node libraries $(VENV)/docs.stamp $(CLIENTS)/run.stamp
	$(BIN)/pytest -q -n 2 --dist=load tests/docs_check
	@PYTHONPATH=scripts $(BIN)/python -m docs_check

# The documentation as a site in build/docs, a folder for each version, searched, without other hosts.
docs: $(VENV)/docs.stamp
	@PYTHONPATH=scripts $(BIN)/python -m docs_site build/docs $(if $(VERSION),--version '$(VERSION)')

# The pictures of pages and desk in docs/images, anew from a demo calendar.
screenshots: libraries $(VENV)/browser.stamp
	$(BIN)/python scripts/screenshots.py

# The catalogs of messages, in step with the code.
messages: $(VENV)/test.stamp
	$(BIN)/python scripts/messages.py

bench: libraries $(VENV)/test.stamp
	$(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/series.py
	$(BIN)/python benchmarks/sizes.py
	$(BIN)/python benchmarks/remembering.py

# Occurrences as whole documents, and as ones that lend their texts from the series.
bench-lending: libraries $(VENV)/test.stamp
	$(BIN)/python benchmarks/lending.py

# What each mechanism gains that only makes things faster.
bench-ablation: libraries $(VENV)/test.stamp
	$(BIN)/python benchmarks/ablation.py

# What the history of records costs.
bench-history: libraries $(VENV)/test.stamp
	$(BIN)/python benchmarks/history.py

# The memory that is taken after an hour of requests of all sorts.
bench-hour: libraries $(VENV)/test.stamp
	$(BIN)/python benchmarks/endurance.py

# The memory and disk that calendars of 1,000, 10,000 and 100,000 events take.
bench-footprint: libraries $(VENV)/test.stamp
	$(BIN)/python benchmarks/footprint.py --events 1000 10000 100000

# What each request of a visitor costs, in lists.
bench-cost: libraries $(VENV)/test.stamp
	$(BIN)/python benchmarks/visitor_cost.py

# A large calendar beside a small one; both are built once, and kept in data-bench.
bench-million: libraries $(VENV)/test.stamp
	$(BIN)/python benchmarks/growth.py --events '$(EVENTS)'

# The pages of an invented site, taken into an empty calendar, and then once more.
bench-import: libraries $(VENV)/test.stamp
	$(BIN)/python benchmarks/import_rate.py --records '$(RECORDS)'

# A list beside a reading, readers of feeds and webhooks at once.
bench-busy: libraries $(VENV)/test.stamp
	$(BIN)/python benchmarks/busy_service.py

# One event beside clients that read whole feeds.
bench-feeds: libraries $(VENV)/test.stamp
	$(BIN)/python benchmarks/feed_readers.py

clean:
	rm -rf $(VENV) mutants .coverage .coverage.* .hypothesis .import_linter_cache .mypy_cache \
		.pytest_cache .ruff_cache $(CLIENTS) $(BROWSER_TOOLS) $(GENERATOR) tests/clients/generated \
		clients/*/dist $(TYPESCRIPT)/node_modules $(TYPESCRIPT)/openapi.json $(TYPESCRIPT)/src/schema.ts
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# mongod is a program of the system and wants two libraries of it.
libraries:
	@scripts/system-libraries

# The clients for WordPress are written in JavaScript.
node:
	@command -v node >/dev/null && command -v npm >/dev/null \
		|| { echo 'Node 18 or later is needed, with npm: sudo apt-get install nodejs npm' >&2; exit 1; }

$(BROWSER_TOOLS)/run.stamp: tests/browser/package.json
	cd tests/browser && npm install --no-package-lock --no-audit --no-fund --silent
	@touch $@

$(TYPESCRIPT)/node_modules/run.stamp: $(TYPESCRIPT)/package.json
	cd $(TYPESCRIPT) && npm install --no-package-lock --no-audit --no-fund --silent
	@touch $@

$(CLIENTS)/run.stamp: tests/clients/package.json
	cd tests/clients && npm install --no-package-lock --no-audit --no-fund --silent
	@touch $@

# Its dependencies are pinned by versions of its own, so it gets an environment of its own.
$(GENERATOR)/run.stamp: tests/clients/generator.txt
	$(PYTHON) -m venv $(GENERATOR)
	$(GENERATOR)/bin/python -m pip --quiet --disable-pip-version-check install --requirement $<
	@touch $@

# What was installed is remembered, so that a second run starts at once.
$(VENV)/run.stamp: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo 'Python 3.11 or later is needed; name it with PYTHON=.' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade 'pip>=25.1'
	$(PIP) install --constraint constraints.txt --editable '.[embedded]'
	@touch $@

$(VENV)/test.stamp: $(VENV)/run.stamp
	$(PIP) install --constraint constraints.txt --group test --group lint --group release
	@touch $@

$(VENV)/mutation.stamp: $(VENV)/test.stamp
	$(PIP) install --constraint constraints.txt --group mutation
	@touch $@

$(VENV)/docs.stamp: $(VENV)/test.stamp
	$(PIP) install --constraint constraints.txt --group docs
	@touch $@

$(VENV)/assistants.stamp: $(VENV)/test.stamp
	$(PIP) install --constraint constraints.txt --group assistants
	@touch $@

$(VENV)/browser.stamp: $(VENV)/test.stamp
	$(PIP) install --constraint constraints.txt --group browser
	@touch $@

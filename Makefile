# Everything a person types. Each target does its own set-up first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes
# PostgreSQL users need its driver too.
RUNTIME := requirements$(if $(DATABASE_URL),-postgresql).txt
STAMP := $(VENV)/.$(RUNTIME)
DEV := $(VENV)/.requirements-dev.txt

.PHONY: run demo test check bench pins
.SILENT:

run: $(STAMP)  ## start hermesweb and print where to open it
	exec $(BIN)/python manage.py serve

demo: $(STAMP)  ## the same, on a made-up home
	exec $(BIN)/python manage.py demo

test: $(DEV)  ## everything CI runs
	$(MAKE) check
	$(BIN)/python tests/run.py

check: $(DEV)  ## style, types, import rules, templates, settings
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/djade --check --target-version 5.2 templates/*.html
	$(BIN)/python manage.py validate_templates --verbosity 0
	$(BIN)/python manage.py makemigrations --check --dry-run --verbosity 0
	HERMESWEB_HOSTS=hermesweb.example HERMESWEB_TRUSTED_PROXY=1 HERMESWEB_DATA=$(VENV)/check-data \
	  $(BIN)/python tests/check_deploy.py

bench: $(DEV)  ## figures as ratios, in one run
	for script in tests/bench/bench_*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

pins: $(DEV)  ## write the pinned requirements from pyproject.toml
	for extra in "" "--extra postgresql:-postgresql" "--extra postgresql --extra dev:-dev"; do \
	  $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header \
	    --no-annotate pyproject.toml $${extra%%:*} --output-file requirements$${extra##*:}.txt || exit 1; \
	done

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "hermesweb needs Python 3.11 or newer. Set PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV) || { echo "Making the virtual environment failed. On Debian: apt install python3-venv"; exit 1; }

$(VENV)/.requirements%: requirements% | $(VENV)/bin/python
	echo "Installing what $< names…"
	$(PIP_INSTALL) --requirement $<
	touch $@

# Needs: make and a Python >= 3.11 named python3 (or PYTHON=...). Everything else comes from uv.lock.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
# A uv of the machine, else the one that pip brings into .venv.
UV ?= $(or $(shell command -v uv 2>/dev/null),$(VENV)/bin/uv)
ARGS ?=
# More than there are cores: many tests wait for a clock or another process.
AT_ONCE ?= 3

export UV_PROJECT_ENVIRONMENT := $(VENV)
export UV_PYTHON_DOWNLOADS := never
unexport VIRTUAL_ENV
# uv does not read pip's settings; the certificate bundle is one that it needs.
ifndef SSL_CERT_FILE
ifdef PIP_CERT
export SSL_CERT_FILE := $(PIP_CERT)
endif
endif

# Install a set of uv.lock: uv takes the files from where the lock says. Where they cannot be reached (a mirror),
# pip takes the same versions, checked by the same hashes, by name from the index it is configured for.
# --inexact: uv itself lives in .venv too, and `make run` leaves the test tools in place.
define install
	@if ! $(UV) sync --frozen --inexact --quiet --python $(PY) $(1); then \
	    echo "taking the locked versions from pip's index instead" >&2; \
	    $(UV) export --frozen --no-emit-project --quiet --python $(PY) --output-file $(VENV)/locked.txt $(1) >/dev/null; \
	    $(PY) -m pip install --quiet --require-hashes --no-deps -r $(VENV)/locked.txt; \
	fi
	@touch $@
endef

.PHONY: help run test check lint lint-format lint-rules lint-types lint-walls format demo readme week bench sweep crash node lock lock-hosts clean

help: ## what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-11s %s\n", $$1, $$2}'

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=..." >&2; exit 1; }
	@echo 'building $(VENV) (once)' >&2
	@$(PYTHON) -m venv $(VENV)
	@test -x "$(UV)" || $(PY) -m pip install --quiet --disable-pip-version-check 'uv>=0.9,<1'
	@touch $@

$(VENV)/.runtime: $(VENV)/.python uv.lock pyproject.toml
	$(call install,)

$(VENV)/.dev: $(VENV)/.runtime
	$(call install,--group dev)

$(VENV)/.postgres: $(VENV)/.runtime
	$(call install,--group postgres)

$(VENV)/.bench: $(VENV)/.dev
	$(call install,--group bench)

# The driver comes along where the database is PostgreSQL.
run: $(VENV)/.runtime $(if $(filter postgresql:%,$(QINGHAI_DATABASE_URL)),$(VENV)/.postgres) ## start the bot (the console where no channel is configured)
	@exec $(PY) run.py $(ARGS)

test: $(VENV)/.dev ## the whole test suite
	$(PY) -m pytest -n $(AT_ONCE) --dist worksteal $(ARGS)

lint: lint-format lint-rules lint-types lint-walls ## format, rules, types, import contracts

lint-format: $(VENV)/.dev
	$(VENV)/bin/ruff format --check .

lint-rules: $(VENV)/.dev
	$(VENV)/bin/ruff check .

lint-types: $(VENV)/.dev
	$(VENV)/bin/mypy

lint-walls: $(VENV)/.dev
	PYTHONPATH=. $(VENV)/bin/lint-imports --no-cache

check: lint test ## lint and test: what CI runs

format: $(VENV)/.dev ## put the code in order
	$(VENV)/bin/ruff check --fix-only --quiet .
	$(VENV)/bin/ruff format .

demo: $(VENV)/.runtime ## the worked example on a virtual clock
	@$(PY) run.py rehearse data/scenarios/worked-example.yaml

readme: $(VENV)/.dev ## the dialogues and the diagram in README as they are now
	$(PY) -m tests.architecture.test_readme

week: $(VENV)/.dev ## the dialogue of the week in tests/scenarios/week as it is now
	$(PY) -m tests.flow.test_week

bench: $(VENV)/.bench ## measure
	$(PY) bench/run.py $(ARGS)

sweep: $(VENV)/.dev ## everything, with the slow tests and many more examples
	QINGHAI_SWEEP=1 $(PY) -m pytest -m "" $(ARGS)

crash: $(VENV)/.dev ## the crash sweep alone, and its table (ARGS="--seeds 10")
	$(PY) -m tests.crash.sweep $(ARGS)

node: .node/.installed ## the test servers from npm, for the tests marked npm

.node/.installed: Makefile
	mkdir -p .node
	npm install --prefix .node --no-save --no-audit --no-fund --silent telegram-test-api@4.2.1 @dwmkerr/mock-llm@0.1.29
	touch $@

# Whatever index this machine is set to, the lock names the public one.
lock: $(VENV)/.python ## resolve pyproject.toml into uv.lock anew (ARGS=--upgrade for newer versions)
	env -u UV_INDEX -u UV_INDEX_URL -u UV_EXTRA_INDEX_URL -u UV_FIND_LINKS \
	    UV_DEFAULT_INDEX=https://pypi.org/simple $(UV) lock --no-config --python $(PY) $(ARGS)
	$(MAKE) --no-print-directory lock-hosts

lock-hosts: ## fails where uv.lock names another host than the public index
	@others=$$(grep -oE 'https?://[^/"]+' uv.lock | sort -u | grep -vxE 'https://(pypi\.org|files\.pythonhosted\.org)' || true); \
	    if [ -n "$$others" ]; then echo "uv.lock names $$others; run: make lock" >&2; exit 1; fi

clean: ## forget what was built (not data/)
	rm -rf $(VENV) .node .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Needs Python 3.11+, pip and make, nothing else; everything it installs stays in .venv and .tools.
.DEFAULT_GOAL := help
.PHONY: help setup test demo lint format docs lock bench calibration chaos oracles screenshots clean FORCE

BIN := .venv/bin
READY := .venv/.ready

# The Python on the machine is the one that is used: uv never fetches another.
export UV_PYTHON_DOWNLOADS := never

# Jurat's own files are compiled once, and not at every one of the many starts that tests make.
unexport PYTHONDONTWRITEBYTECODE

# The first Python that is new enough, seen through any virtual environment that is active.
PYTHON = $(shell for python in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$python -c 'import sys; sys.version_info < (3, 11) and sys.exit(1); print(sys._base_executable)' \
	2>/dev/null && break; done)

# A uv that is named on the PATH may still be a shim that does not run.
UV := $(shell uv --version >/dev/null 2>&1 && command -v uv || echo .tools/bin/uv)

# uv insists on a cache that it can write to, and not every account has a home.
define uv_cache
cache="$$($(UV) cache dir 2>/dev/null)"; mkdir -p "$$cache" 2>/dev/null && test -w "$$cache" \
	|| export UV_CACHE_DIR="$(CURDIR)/.tools/cache"
endef

help:  ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(READY)  ## install Jurat and all it needs into .venv
	@:

test: setup  ## run all tests (ARGS="-k words" for some)
	@$(BIN)/python -m tests.machine.provide
	@$(BIN)/python -m pytest --numprocesses $$($(BIN)/python -m tests.machine.processes) \
		--dist loadfile --no-loadscope-reorder $(ARGS)

demo: setup  ## open a sample campaign
	@$(BIN)/jurat demo $(ARGS)

lint: setup  ## check style, types and who imports whom
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/lint-imports

format: setup  ## put the code into the house style
	@$(BIN)/ruff check --fix-only
	@$(BIN)/ruff format

docs: setup  ## build the documentation into build/docs
	@$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -d build/doctrees docs build/docs $(ARGS)
	@echo "build/docs/index.html"

lock: | $(UV)  ## write requirements.lock anew (ARGS=--upgrade for newer versions)
	@$(uv_cache); $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-emit-find-links --all-extras pyproject.toml -o requirements.lock \
		--custom-compile-command "make lock" $(ARGS)

bench: setup  ## write docs/benchmarks.md: speed beside other programs (ARGS="peers" for some)
	@$(BIN)/python -m benchmarks.page $(ARGS)

calibration: setup  ## write docs/calibration.md: error rates of tests and intervals (an hour)
	@OPENBLAS_NUM_THREADS=1 POLARS_MAX_THREADS=1 $(BIN)/python -m benchmarks.calibration $(ARGS)

chaos: setup  ## let servers, databases and disks fail under judges at work (ten minutes)
	@$(BIN)/python -m tests.machine.provide
	@$(BIN)/python -m tests.chaos $(ARGS)

oracles: setup  ## write docs/oracles.md: published numbers beside Jurat's
	@$(BIN)/python -m tests.oracles.page

screenshots: setup  ## take the pictures of the pages in docs/images anew (ARGS="names" for some)
	@$(BIN)/python -m tests.browser.screenshots $(ARGS)

clean:  ## remove all that was installed or cached here
	@rm -rf .venv .tools .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .grimp_cache dist build docs/api
	@find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

SYNC := --quiet --python $(BIN)/python requirements.lock

# What Jurat imports is compiled here. The tests' tools are compiled when they are first used: most
# of their files never are, and all of them would take a minute and a half of a processor.
COMPILED := alembic anyio babel click httptools itsdangerous jinja2 joblib llvmlite markdown_it msgspec numba \
	numpy polars psycopg rich scipy sqlalchemy starlette structlog threadpoolctl.py uvicorn yaml

# Without the mark the environment is half made and starts over; with it, it is brought up to date.
# What uv has cached is tried first, so that a change in pyproject.toml needs no network.
# uv is asked for in the recipe: as a prerequisite it would be fetched for a set-up that is done.
$(READY): requirements.lock pyproject.toml $(shell test -x $(BIN)/python || echo FORCE)
	@test -n "$(PYTHON)" || { echo "Jurat needs Python 3.11 or newer; none is on the PATH." >&2; exit 1; }
	@echo "Setting up .venv with $(PYTHON)"
	@$(MAKE) --silent --no-print-directory $(UV)
	@$(uv_cache); set -e; \
	test -e $@ && $(BIN)/python -c '' 2>/dev/null || $(UV) venv --quiet --clear --python "$(PYTHON)" .venv; \
	rm -f $@; \
	$(UV) pip sync $(SYNC) --offline 2>/dev/null || $(UV) pip sync $(SYNC); \
	$(UV) pip install --quiet --no-deps --no-build-isolation --python $(BIN)/python -e .
# Where an environment forbids Python to write bytecode, each start would compile Jurat again.
	@$(BIN)/python -m compileall -q -j 2 -x '/tests/' src $(COMPILED:%=.venv/lib/python*/site-packages/%)
# The first score would wait for this; nothing is compiled where an earlier set-up did.
	@$(BIN)/jurat doctor --prepare >/dev/null
	@touch $@

# --target keeps out of the machine's own Python, which Debian would refuse to change.
.tools/bin/uv:
	@$(PYTHON) -m pip --version >/dev/null || { echo "Jurat is set up with pip; $(PYTHON) has none." >&2; exit 1; }
	@$(PYTHON) -m pip install --quiet --quiet --disable-pip-version-check --no-cache-dir \
		--root-user-action=ignore --upgrade --target .tools uv

# `make lab` and `make test` need a Python of at least 3.11 and nothing else.
# Environments are plain venv + pip; a stamp file per extra says what is already installed.

VENV := .venv
BIN := $(VENV)/bin
LOWEST := .venv-lowest
LITE := .venv-lite
PYTHON ?=
PIP = -m pip install --quiet --disable-pip-version-check
# A worker for each core and one for Chromium take whole files, so what a file opens is opened once;
# tests/conftest.py puts the long ones first, which is why the order of files is kept.
WORKERS ?= auto
# One core is one thread: threads of OpenMP and BLAS that wait for a core another worker has, burn time.
ONE_THREAD = OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
# Workers, kernels and servers read what one of them has compiled, even where the environment is set
# not to keep it.
KEEP_COMPILED = PYTHONDONTWRITEBYTECODE=
# What takes a second to import in each of them and is never asked for.
WITHOUT = PYTHONPATH="$(CURDIR)/tools/without$${PYTHONPATH:+:$$PYTHONPATH}"
PARALLEL = -n $(WORKERS) --dist loadfile --no-loadscope-reorder
# All that has to pass before a merge; the workflows run the same.
CHECKS = lint test test-slow coverage test-lowest docs dist lite
QUALITY = rank_calibration ensemble_calibration ensemble_mean calibrate_first scoring_lists_field
NBVAL = --nbval --nbval-current-env --nbval-sanitize-with tests/notebooks/nbval_sanitize.cfg --nbval-cell-timeout 600

NPM = PATH="$(CURDIR)/$(BIN):$$PATH" npm

.DEFAULT_GOAL := help
.PHONY: help env js lab test test-slow check-all test-lowest coverage lint ruff format notebooks docs pictures bench quality promises fuzz reproduce dist lite lock clean
# A stamp left by a failed install would hide the failure from the next run.
.DELETE_ON_ERROR:

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

env: $(VENV)/.stamp-test ## the environment of the tests, made once

lab: $(VENV)/.stamp-lab ## open your copy of the course in JupyterLab
	@$(BIN)/rocviz lab

# Every test runs either in test or in test-slow, by its marker.
RUN_TESTS = browser=$$($(BIN)/python tests/browser/find_chromium.py --install) && \
	ROCVIZ_BROWSER="$$browser" ROCVIZ_REQUIRE_BROWSER=1 $(ONE_THREAD) $(KEEP_COMPILED) $(WITHOUT) \
	$(BIN)/python -m pytest $(PARALLEL) $(NBVAL) tests rocviz $(wildcard notebooks/*.ipynb)

test: ruff $(VENV)/.stamp-test ## ruff, then one run of pytest: unit tests, doctests, notebooks, Chromium
	@echo "Running the tests on every core (some minutes)"
	@$(RUN_TESTS) -m "not slow"

test-slow: $(VENV)/.stamp-test ## the tests marked "slow": what changes seldom, or is tested more quickly too
	@echo "Running the slow tests on every core (some minutes)"
	@$(RUN_TESTS) -m slow

check-all: ## make test and all that it leaves out, one after another
	@for target in $(CHECKS); do \
		echo "make $$target"; $(MAKE) --no-print-directory $$target || exit 1; \
	done

test-lowest: $(LOWEST)/.stamp-test ## tests on the lowest supported versions
	$(ONE_THREAD) $(LOWEST)/bin/python -m pytest $(PARALLEL) -W default --ignore tests/browser --ignore tests/notebooks tests

coverage: $(VENV)/.stamp-test ## branch coverage of the core, which must be whole
	$(ONE_THREAD) $(BIN)/python -m pytest $(PARALLEL) -q --cov=rocviz.core --cov-branch --cov-fail-under=100 tests/core tests/datasets \
	tests/fuzz/test_refusals.py

lint: ruff js/node_modules/.stamp ## ruff, mypy; eslint, tsc and the bundles of JavaScript
	@echo "Looking at the code: mypy (half a minute when nothing is cached)"
	@$(BIN)/mypy --no-error-summary
	@echo "Looking at the code: eslint, tsc, unit tests and bundles"
	@cd js && $(NPM) run --silent lint && $(NPM) run --silent test && $(NPM) run --silent check

js: js/node_modules/.stamp ## build rocviz/widgets/base/bundles from js/src
	cd js && $(NPM) run --silent build

ruff: $(VENV)/.stamp-test
	@echo "Looking at the code: ruff"
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .

format: $(VENV)/.stamp-test ## write what docstrings repeat of metrics and inputs, and let ruff put the code in order
	$(BIN)/python tools/metrics.py
	$(BIN)/python tools/inputs.py
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

notebooks: $(VENV)/.stamp-test ## pair the course's two forms, run it, save what it shows
	$(BIN)/jupytext --quiet --sync notebooks/*.py
	$(BIN)/python tools/run_notebooks.py

docs: $(VENV)/.stamp-docs ## build the site into docs/_build/html
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html

pictures: $(VENV)/.stamp-test ## take the pictures of README and docs again, in Chromium
	@browser=$$($(BIN)/python tests/browser/find_chromium.py --install) && \
	ROCVIZ_BROWSER="$$browser" $(BIN)/python tools/screenshots.py

bench: $(VENV)/.stamp-bench ## speed and memory beside other libraries: writes the tables of docs/speed.md
	$(ONE_THREAD) $(BIN)/python benchmarks/speed.py
	$(ONE_THREAD) $(BIN)/python benchmarks/groups_peer.py
	$(ONE_THREAD) $(BIN)/python benchmarks/multiclass_peer.py

# Minutes to hours; what was measured is kept in benchmarks/.kept, so a run goes on where one was stopped.
quality: $(VENV)/.stamp-bench ## how good beside others, on real data: writes the tables of docs/measured
	@for name in $(QUALITY); do $(ONE_THREAD) $(BIN)/python benchmarks/$$name.py || exit 1; done

promises: $(VENV)/.stamp-bench ## more comparisons, printed, or those of one TOPIC; a promise of speed that is missed is an error
	$(ONE_THREAD) $(BIN)/python -m pytest benchmarks $(if $(TOPIC),--topic $(TOPIC)) $(if $(SAMPLES),--samples $(SAMPLES))

fuzz: $(VENV)/.stamp-test ## hostile values, EXAMPLES (600) / 10 for each callable and explorer: what breaks
	ulimit -v 8388608; EXAMPLES=$(or $(EXAMPLES),600) $(ONE_THREAD) $(BIN)/python -m pytest -q \
	tests/fuzz/test_arguments.py tests/fuzz/test_states.py tests/fuzz/test_loaders.py \
	--hypothesis-profile=thorough $(if $(SEED),--hypothesis-seed=$(SEED))

reproduce: $(VENV)/.stamp-bench ## the papers' experiments: published numbers beside ours
	@$(BIN)/python benchmarks/reproduce $(PAPERS) $(if $(DATA),--data "$(DATA)")

# BUILD=no takes what is in dist, as the workflow of a release does with what it is going to publish.
dist: $(VENV)/.stamp-build ## build wheel and sdist, and, unless TRY=no, try each in an empty environment
	PIP_CONSTRAINT=$(CURDIR)/constraints.txt $(BIN)/python tools/dist.py \
	$(if $(filter no,$(BUILD)),--no-build) $(if $(filter no,$(TRY)),--no-try)

# In an environment of its own: JupyterLab would load JupyterLite's extension, in the tests too.
lite: $(LITE)/.stamp-lite ## the course as a site whose Python runs in the browser (JupyterLite)
	$(LITE)/bin/python tools/dist.py --no-try
	$(LITE)/bin/python tools/lite.py dist/rocviz-*.whl

lock: ## write both constraints files again (the one target that uses uv)
	tools/lock.sh

clean: ## remove environments and built files
	rm -rf $(VENV) $(LOWEST) $(LITE) js/node_modules docs/_build docs/_pictures docs/api docs/notebooks build dist

$(VENV)/bin/python:
	@tools/make_venv.sh $(VENV) $(PYTHON)

$(LOWEST)/bin/python:
	@tools/make_venv.sh $(LOWEST) $(PYTHON)

$(LITE)/bin/python:
	@tools/make_venv.sh $(LITE) $(PYTHON)

# What builds packages is locked, by hashes as it makes what is released; hence no build isolation below.
$(VENV)/.stamp-build: constraints-build.txt | $(VENV)/bin/python
	@echo "Preparing the environment in $(VENV) (a few minutes, once)"
	@$(BIN)/python $(PIP) --require-hashes -r constraints-build.txt
	@touch $@

$(VENV)/.stamp-%: pyproject.toml constraints.txt $(VENV)/.stamp-build
	@echo "Installing rocviz[$*] into $(VENV)"
	@$(BIN)/python $(PIP) -c constraints.txt --no-build-isolation -e ".[$*]"
	@touch $@

# Node comes from PyPI; what runs there is for lint and for building alone.
js/node_modules/.stamp: js/package-lock.json $(VENV)/.stamp-js
	@echo "Installing eslint, tsc and esbuild into js/node_modules"
	@cd js && $(NPM) ci --silent --ignore-scripts --no-audit --no-fund
	@touch $@

$(LITE)/.stamp-lite: pyproject.toml constraints.txt constraints-build.txt | $(LITE)/bin/python
	@echo "Preparing the environment in $(LITE) (a few minutes, once)"
	@$(LITE)/bin/python $(PIP) --require-hashes -r constraints-build.txt
	@$(LITE)/bin/python $(PIP) -c constraints.txt --no-build-isolation -e ".[lite]"
	@touch $@

$(LOWEST)/.stamp-test: pyproject.toml constraints-lowest.txt | $(LOWEST)/bin/python
	@echo "Preparing the environment in $(LOWEST) (a few minutes, once)"
	@$(LOWEST)/bin/python $(PIP) -c constraints-lowest.txt hatchling hatch-fancy-pypi-readme editables
	@$(LOWEST)/bin/python $(PIP) -c constraints-lowest.txt --no-build-isolation -e ".[test]"
	@touch $@

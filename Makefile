# Every target sets up what it needs in .venv; nothing but Python 3.11 or newer, with pip and venv, is taken for granted.
#
#   make demo      the main job on a built-in example
#   make test      all tests
#   make help      all targets

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:
.SUFFIXES:
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
LOG := $(VENV)/setup.log

# The first Python that is new enough; `make PYTHON=/path/to/python3 …` overrules it.
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11; do \
	if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then echo $$python; break; fi; done)

# Numba's cache doesn't notice when a kernel of another file changes, so every state of the kernels has its own folder.
NUMBA_CACHE_DIR ?= $(shell $(PYTHON) .ci/kernel_cache.py)
export NUMBA_CACHE_DIR

# More arguments for the tool a target runs, for example: make test ARGS="-k knapsack"
ARGS ?=

.PHONY: help demo test test-lowest test-lowest-all torture coverage lint format bench experiments docs figures paper wheel smoke release release-check clean

help:
	@echo "make demo     a rule, what a misreading does to it, and the best rule, found and proven; and a report"
	@echo "make test     run all tests"
	@echo "make test-lowest  a part of the tests with the oldest dependencies that are supported; test-lowest-all: all"
	@echo "make coverage  run all tests and say which lines they reach"
	@echo "make torture  look for faults for MINUTES (10) from SEED (0), going on where the last run stopped"
	@echo "make lint     check style and types"
	@echo "make format   put the code into the house style"
	@echo "make bench    run the benchmarks"
	@echo "make experiments  repeat the paper's three experiments; SCALE=paper takes hours"
	@echo "make docs     build the documentation into site/"
	@echo "make figures  draw the figures of the documentation anew"
	@echo "make paper    draw the figures of the software paper and build it; needs pandoc"
	@echo "make wheel    build a wheel and a source distribution into dist/"
	@echo "make smoke    install both into empty environments and try them there"
	@echo "make release  the same, unless CONTRIBUTING.md has open items"
	@echo "make clean    remove what the other targets made, except .venv"

demo: $(VENV)/.stamp-run
	@$(BIN)/hedgerow demo $(ARGS)

test: $(VENV)/.stamp-dev
	@echo "running the tests"
	@$(BIN)/python -m pytest -q -n 2 $(ARGS)

# tests/lowest.txt has the versions. The part is what a minute allows, and needs no optional package but two.
LOWEST := .venv-lowest
LOWEST_TESTS := tests/test_tree.py tests/test_evaluate.py tests/test_columns.py tests/test_instance.py \
	tests/test_questions.py tests/test_checks.py tests/rules/test_file.py tests/adversary/test_attack.py \
	tests/mip/test_model_file.py tests/mip/test_other_writers.py \
	tests/problems/test_explicit.py tests/problems/test_path_oracles.py

test-lowest: $(LOWEST)/.stamp
	@echo "running a part of the tests with the lowest dependencies"
	@$(subst $(VENV),$(LOWEST),$(BIN))/python -m pytest -q $(LOWEST_TESTS) $(ARGS)
	@$(subst $(VENV),$(LOWEST),$(BIN))/python tests/smoke.py

test-lowest-all: $(LOWEST)/.stamp-all
	@echo "running the tests with the lowest dependencies and extras"
	@$(subst $(VENV),$(LOWEST),$(BIN))/python -m pytest -q -n 2 $(ARGS)

$(LOWEST)/.stamp-all: $(LOWEST)/.stamp
	@echo "installing the lowest versions of all extras into $(LOWEST) …"
	@$(call quietly,$(subst $(VENV),$(LOWEST),$(BIN))/python -m pip install --quiet --constraint tests/lowest.txt \
		--editable '.[dev]')
	@touch $@

$(LOWEST)/.stamp: pyproject.toml tests/lowest.txt
	@echo "installing Hedgerow with its lowest dependencies into $(LOWEST) …"
	@mkdir -p $(VENV)
	@$(PYTHON) -m venv --clear $(LOWEST)
	@$(call quietly,$(subst $(VENV),$(LOWEST),$(BIN))/python -m pip install --quiet --constraint tests/lowest.txt \
		--editable '.[plot$(comma)report]' pytest hypothesis)
	@touch $@

coverage: $(VENV)/.stamp-dev
	@echo "running the tests; kernels, which run compiled, are left out of the count"
	@$(BIN)/coverage erase
	@$(BIN)/coverage run -m pytest -q -n 2 $(ARGS)
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage report --skip-covered

# The counts and findings of a seed are kept in torture-SEED.json, and a run goes on from there.
MINUTES ?= 10
SEED ?= 0

torture: $(VENV)/.stamp-dev
	@echo "looking for faults for $(MINUTES) minutes"
	@$(BIN)/python -m tests.torture --minutes $(MINUTES) --seed $(SEED) --state torture-$(SEED).json $(ARGS)

lint: $(VENV)/.stamp-dev
	@echo "ruff check"
	@$(BIN)/ruff check .
	@echo "ruff format --check"
	@$(BIN)/ruff format --check .
	@echo "mypy"
	@$(BIN)/mypy

format: $(VENV)/.stamp-dev
	@$(BIN)/ruff check --fix-only .
	@$(BIN)/ruff format .

bench: $(VENV)/.stamp-dev
	@echo "running the benchmarks"
	@$(BIN)/python -m benchmarks $(ARGS)

# Results, tables and figures go to results/; a run that was stopped goes on where it was.
SCALE ?= smoke

experiments: $(VENV)/.stamp-dev
	@for number in 1 2 3; do $(BIN)/python -m experiments $$number --scale $(SCALE) --out results/$(SCALE)-$$number $(ARGS); done

docs: $(VENV)/.stamp-docs
	@echo "building the documentation"
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet $(ARGS)
	@echo "open site/index.html"

figures: $(VENV)/.stamp-dev
	@echo "drawing the figures into docs/img"
	@$(BIN)/python docs/figures.py

paper: $(VENV)/.stamp-dev
	@echo "drawing the figures of the paper and building paper/paper.html"
	@$(BIN)/python paper/figures.py
	@pandoc paper/paper.md --citeproc --bibliography paper/paper.bib --resource-path paper --self-contained \
		-o paper/paper.html

wheel: $(VENV)/.stamp-run
	@echo "building wheel and source distribution"
	@rm -rf dist
	@$(call quietly,$(BIN)/python -m pip install --quiet build)
	@$(call quietly,$(BIN)/python -m build --outdir dist .)
	@ls dist/*

smoke: wheel
	@$(PYTHON) tests/smoke.py dist/*.whl
	@$(PYTHON) tests/smoke.py dist/*.tar.gz

release: release-check smoke

release-check:
	@if grep '^- \[ \]' CONTRIBUTING.md; then echo "make: CONTRIBUTING.md has open items" >&2; exit 1; fi

clean:
	@rm -rf dist site build .numba .venv-lowest .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find src tests benchmarks docs -type d -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true
	@echo "cleaned; $(VENV) stays, remove it by hand to set up afresh"

# ---------------------------------------------------------------------------------------------- setting up

comma := ,

# Run a command without its chatter; show the whole of it should the command fail.
quietly = $(1) > $(LOG) 2>&1 || { cat $(LOG); echo "make: failed: $(1)" >&2; exit 1; }
install = $(call quietly,$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '$(1)')

$(VENV)/.stamp-venv:
	@test -n "$(PYTHON)" || { echo "Hedgerow needs Python 3.11 or newer; none was found. Try: make PYTHON=/path/to/python3" >&2; exit 1; }
	@echo "setting up $(VENV) with $$($(PYTHON) --version) …"
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "$(PYTHON) cannot make virtual environments; on Debian: apt-get install python3-venv" >&2; exit 1; }
	@touch $@

$(VENV)/.stamp-run: pyproject.toml | $(VENV)/.stamp-venv
	@echo "installing Hedgerow into $(VENV), about a minute the first time …"
	@$(call install,.[report])
	@touch $@

$(VENV)/.stamp-dev: pyproject.toml | $(VENV)/.stamp-venv
	@echo "installing Hedgerow and its development tools into $(VENV), about a minute the first time …"
	@$(call install,.[dev])
	@touch $@ $(VENV)/.stamp-run

$(VENV)/.stamp-docs: pyproject.toml | $(VENV)/.stamp-venv
	@echo "installing Hedgerow and its documentation tools into $(VENV), about a minute the first time …"
	@$(call install,.[docs])
	@touch $@ $(VENV)/.stamp-run

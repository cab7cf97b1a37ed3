# `make plan` builds a plan and proves it; `make test` proves the product. Both start from python3 (3.11 or later,
# with venv) and make alone: everything else goes into .venv. Settings of pip (PIP_... variables, pip.conf) are obeyed.

PYTHON  ?= python3
VENV    := .venv
OUT     := out
INPUT   := samples/hybrid/input.xlsx
TESTS   :=

BIN     := $(VENV)/bin
READY   := $(VENV)/.ready
DEV     := $(VENV)/.ready-dev
SAMPLES := $(patsubst samples/%/README.md,%,$(wildcard samples/*/README.md))

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help plan test lint types unit prove samples docs bench clean

help:
	@echo "make plan      build $(OUT)/plan.xlsx from $(INPUT) and verify it (INPUT=my.xlsx for your own)"
	@echo "make test      lint, types and all tests (TESTS='-k name' for some of them)"
	@echo "make prove     change EVERY input cell of every sample's plan inside the file and compare with a rebuild"
	@echo "make samples   write samples/<name>/input.xlsx and expected.tsv anew"
	@echo "make docs      write docs/method.md and docs/pictures anew (needs LibreOffice and poppler)"
	@echo "make bench     time a plan of 40 models, 20 tenants and 36 months"
	@echo "make clean     remove $(OUT) and $(VENV)"

# ---- the environment: installed once, and again when pyproject.toml changes

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or later is needed, $(PYTHON) is older: make PYTHON=python3.12 ..." >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(DEV): $(READY)
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

# ---- the plan

plan: $(READY)
	@test -f "$(INPUT)" || $(MAKE) --no-print-directory "$(INPUT)"
	@mkdir -p $(OUT)
	$(BIN)/planner build "$(INPUT)" -o $(OUT)/plan.xlsx
	$(BIN)/planner verify $(OUT)/plan.xlsx

samples/%/input.xlsx: | $(READY)
	@mkdir -p $(@D)
	$(BIN)/planner init $@ --sample $*

# ---- the proof

# All three run, whatever the first one says; make fails when one of them fails.
test: $(DEV)
	@$(MAKE) --no-print-directory --keep-going lint types unit

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check planner tests tools benchmarks

types: $(DEV)
	$(BIN)/mypy

# On a build machine (CI=true) a skipped test is a failure: nothing is proven by what did not run.
unit: $(DEV)
	@mkdir -p $(OUT)
	$(BIN)/pytest -n auto --dist worksteal --junitxml=$(OUT)/tests.xml $(TESTS)
	@test "$$CI" != true || grep -q '<testsuite [^>]*skipped="0"' $(OUT)/tests.xml || { echo "CI=true, but tests were skipped" >&2; exit 1; }

# All changes of all samples, the large one in every engine and language: `make test` tries a part of them.
prove: $(DEV)
	PROVE=1 $(BIN)/pytest -n auto --dist worksteal tests/test_parity.py tests/test_perturbation.py tests/test_supply_alive.py

# ---- what is generated

samples: $(READY)
	@for name in $(SAMPLES); do $(BIN)/planner init samples/$$name/input.xlsx --sample $$name --force || exit 1; done
	$(BIN)/python tools/expected.py

docs: $(READY) samples/hybrid/input.xlsx
	$(BIN)/python tools/method_page.py
	$(BIN)/python tools/pictures.py

bench: $(READY)
	$(BIN)/python benchmarks/build.py --runs 5

clean:
	rm -rf $(OUT) $(VENV)

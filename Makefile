# Everything here works from a fresh clone with git, make and Python 3.11 or newer. See README.md.
PYTHON ?=
HOST ?= 127.0.0.1
PORT ?= 8000
BIN := .venv/bin
# `make test TESTS=tests/search` runs a part.
TESTS ?= tests
# Processes that run tests side by side: `auto` is one a core, `0` none.
JOBS ?= auto

.PHONY: help demo run test test-all bench lint format messages clean environment environment-dev agent

help:
	@echo "make demo      the whole site on bundled sample papers, offline, on 127.0.0.1:$(PORT)"
	@echo "make run       the site on the real sources, on $(HOST):$(PORT)"
	@echo "make test      the quick tests       make test-all  every test"
	@echo "make lint      style and types       make format    put the style right"
	@echo "make bench     measurements          make messages  translations"
	@echo "make clean     remove what can be made again (never data/)"

demo: environment
	@$(BIN)/python -m demo --port $(PORT)

run: environment agent
	@$(BIN)/python manage.py serve --host $(HOST) --port $(PORT) --first-start

test: environment-dev
	$(BIN)/python -m pytest -q -n $(JOBS) -m "not slow and not pi" $(TESTS)

test-all: environment-dev agent
	$(BIN)/python -m pytest -q -n $(JOBS) $(TESTS)

bench: environment-dev
	@for bench in $(basename $(notdir $(wildcard tests/bench/bench_*.py))); do $(BIN)/python -m tests.bench.$$bench || exit 1; done

lint: environment-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy .

format: environment-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

messages: environment
	$(BIN)/python manage.py makemessages --locale en --no-location --no-obsolete --no-wrap \
		--ignore .venv --ignore .tools --ignore tests --ignore 'data*'
	$(BIN)/python manage.py compilemessages --locale en --ignore .venv --ignore .tools

clean:
	rm -rf .venv .tools data-demo bench-results .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -not -path './data/*' -prune -exec rm -rf {} +

environment:
	@python=$$(PYTHON="$(PYTHON)" sh scripts/find_python) && "$$python" scripts/make_environment.py requirements.txt

environment-dev:
	@python=$$(PYTHON="$(PYTHON)" sh scripts/find_python) && "$$python" scripts/make_environment.py requirements-dev.txt

# The site runs without an agent, too, and then says on /status/ what is missing.
agent: environment
	@$(BIN)/python -m operations.agent.install || echo "The agent could not be installed now; the site runs without it." >&2

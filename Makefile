# make play   plays the example campaign; needs Python 3.11 or newer, and nothing else
# make test   runs every test, with CI=true on up to ten times as many examples; make check, everything that can be checked without running it
# make pictures draws the views for README and docs/ anew, by the app itself; ARGS="bridge log" draws only those
# make phone-pictures draws those of the page for phones, by a browser
# make reference writes docs/game-file.md and the rules in docs/house-rules.md anew, from the program
# make records  rewrites tests/rules/transcripts/records: what the play-scripts of the rules show
# make release VERSION=… builds, checks and tags a release
# make bench  measures its speed against what it promises; make torture, whether it ever loses anything
#
# All of it lives in .venv, which is made on first use and brought up to date when pyproject.toml changes.

SHELL   := /bin/sh
BIN     := .venv/bin
# Twice quiet: errors still show.
PIP     := $(BIN)/python -m pip --quiet --quiet --disable-pip-version-check
# Arguments, as in: make test ARGS="tests/rules -x"
# or make bench ARGS="--quick" or make torture ARGS="--only kill"
ARGS    ?=
# The first of these that is new enough makes .venv; PYTHON=… says otherwise.
PYTHONS := $(or $(PYTHON),python3 python3.13 python3.12 python3.11 python3.14)

# Python keeps what it has compiled, whatever the environment says, and keeps it in .venv. The tests start hundreds of
# commands, and pytest rewrites every test: compiling all of it each time takes longer than running it. What pip installs for tests
# is compiled there too.
COMPILED := PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX='$(CURDIR)/.venv/compiled'

MAKEFLAGS += --no-print-directory
.DELETE_ON_ERROR:
.PHONY: play test check format bench pictures phone-pictures reference records torture mutants release clean

play: .venv/ready
	@$(BIN)/waylog open tenacity

test: .venv/ready-dev
	@if [ -f tests/toml_suite.py ]; then $(BIN)/python tests/toml_suite.py; fi
ifeq ($(ARGS),)
	@$(COMPILED) $(BIN)/python -m pytest --quiet --numprocesses=auto --maxprocesses=8 --dist=worksteal --all-clauses
else
	@$(COMPILED) $(BIN)/python -m pytest $(ARGS)
endif

# All four run, whatever the others find; each is heard only when it has something to say.
check: .venv/ready-dev
	@failed=0; for tool in "ruff check ." "ruff format --check ." mypy lint-imports; do \
	  said=$$($(BIN)/$$tool 2>&1) || { failed=1; echo "$$tool"; echo "$$said"; }; \
	done; \
	if [ $$failed = 0 ]; then echo "style, types and imports: all well"; fi; exit $$failed

format: .venv/ready-dev
	@$(BIN)/ruff check --quiet --fix .; $(BIN)/ruff format --quiet .

bench: .venv/ready-dev
	@$(BIN)/python -m bench.run $(ARGS)

pictures: .venv/ready-dev
	@$(COMPILED) $(BIN)/python docs/make_pictures.py $(ARGS)

phone-pictures: .venv/ready-dev
	@$(COMPILED) $(BIN)/python -m docs.make_phone_pictures

reference: .venv/ready-dev
	@$(COMPILED) $(BIN)/python docs/make_reference.py

records: .venv/ready-dev
	@$(COMPILED) $(BIN)/python -m tests.rules.records

# Takes hours. Some of it mounts small disks, which takes root; it says so where it can't.
torture: .venv/ready-dev
	@$(COMPILED) $(BIN)/python -m torture $(ARGS)

# Hours for all of them; see tests/mutation.py for a sample.
mutants: .venv/ready-dev
	@$(BIN)/python -m pip --quiet --quiet --disable-pip-version-check install --editable '.[mutants]'
	@$(BIN)/python -m tests.mutation $(ARGS)

release: .venv/ready-dev
	@.ci/release '$(VERSION)'

clean:
	@rm -rf .mutants .venv dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	@find tui tests bench torture -name __pycache__ -type d -prune -exec rm -rf {} +

# Both installs are editable: what is edited in tui/ is what runs.
.venv/ready: $(BIN)/python pyproject.toml
	@echo "Setting up (once, and again when pyproject.toml changes) ..."
	@$(PIP) install --editable .
	@touch $@

.venv/ready-dev: $(BIN)/python pyproject.toml
	@echo "Setting up for tests (once, and again when pyproject.toml changes) ..."
	@$(COMPILED) $(PIP) install --editable '.[dev]'
	@# Only for the axe-core that it contains: without the browsers that it is made for.
	@$(PIP) install --no-deps 'axe-playwright-python~=0.1.8'
	@touch .venv/ready $@

# In turn: venv with its own pip; venv with the pip outside it; virtualenv; or a word on what is missing.
$(BIN)/python:
	@set -eu; found=; \
	for python in $(PYTHONS); do \
	  if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then found=$$python; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
	  echo "Waylog needs Python 3.11 or newer. Looked for: $(PYTHONS)." >&2; \
	  echo "Install one, or name yours: make play PYTHON=/path/to/python3" >&2; exit 1; \
	fi; \
	rm -rf .venv; \
	if "$$found" -m venv .venv >/dev/null 2>&1; then exit 0; fi; rm -rf .venv; \
	if "$$found" -m pip --version >/dev/null 2>&1 && "$$found" -m venv --without-pip .venv >/dev/null 2>&1 \
	  && "$$found" -m pip --quiet --quiet --disable-pip-version-check --python .venv/bin/python install pip; then exit 0; fi; rm -rf .venv; \
	if "$$found" -m virtualenv --quiet .venv >/dev/null 2>&1; then exit 0; fi; rm -rf .venv; \
	name=$$("$$found" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])'); \
	echo "$$found can't make a virtual environment: its venv or ensurepip part is missing." >&2; \
	echo "On Debian and Ubuntu: sudo apt install $$name   (or python3-venv)" >&2; exit 1

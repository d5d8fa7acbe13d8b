# `make serve` and `make test` work on a fresh clone with git, make and Python 3.11 or newer.
PYTHON ?= python3
BIN := .venv/bin
PORT ?= 8000
DIST ?= dist
WORKERS := -n 3 --dist loadgroup --no-loadscope-reorder
BOOKWORK := PATH="$(CURDIR)/$(BIN):$$PATH" $(MAKE) --no-print-directory -C bookwork PYTHON=python
BROWSERS := chromium firefox-esr webkit2gtk-driver xvfb openbox
PIP := -m pip --disable-pip-version-check install --quiet --require-hashes --requirement
# One BLAS thread: several are slower on small matrices, and far slower on a busy machine.
export OPENBLAS_NUM_THREADS ?= 1
# Compiled modules are kept, whatever the shell says: every process of a test run reads them.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup book serve check test test-book test-bookwork test-all lab dist lock clean

help:
	@echo "make serve     build the book and serve it on localhost; what you save is built again, and the page reloads"
	@echo "make test      check everything: style, types, the book, bookwork; test-book and test-bookwork run the tests of one"
	@echo "make test-all  the same and the slow tests: every download, a page in JupyterLab and in every engine (weekly in CI)"
	@echo "make lab       open the chapters in JupyterLab, as working copies in my-notebooks"
	@echo "make book      build the book into _build/html"
	@echo "make check     style, format, spelling, types, and faults in the chapters"
	@echo "make dist      build the library and bookwork as wheels and source archives into dist"
	@echo "make lock      write requirements.lock again, after a change in the lists of packages"
	@echo "make clean     remove everything that was built, including the environment"

# Everything that requirements.lock names, each file with its digest: uv is fast; pip knows more of mirrors and proxies.
setup: .venv/set-up
.venv/set-up: requirements.lock $(wildcard pyproject.toml */pyproject.toml)
	@$(PYTHON) -c "import sys; sys.exit('This book needs Python 3.11 or newer: make PYTHON=/path/to/python' if sys.version_info < (3, 11) else 0)"
	@echo "Setting up .venv with what requirements.lock names (a minute or two)"
	@$(PYTHON) -m venv .venv
	@sed -n '/^uv==/,/^[^u ]/{/^[u ]/p;}' requirements.lock > .venv/uv.lock
	@$(BIN)/python $(PIP) .venv/uv.lock
	@$(BIN)/uv pip install --quiet --require-hashes --requirement requirements.lock --python $(BIN)/python || $(BIN)/python $(PIP) requirements.lock
	@$(BIN)/uv pip install --quiet --no-deps --no-build-isolation --python $(BIN)/python --editable . --editable ./bookwork
	@touch $@

book: setup
	@$(BIN)/python -m bookwork build

serve: setup
	@$(BIN)/python -m bookwork serve --port $(PORT)

lab: setup
	@$(BIN)/python -m bookwork build --pages
	@$(BIN)/python -m tools.my_notebooks
	$(BIN)/python -m jupyterlab my-notebooks/00-welcome.ipynb

check: setup
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m codespell_lib
	$(BIN)/python -m mypy
	$(BIN)/python -m bookwork check
	$(BOOKWORK) check

test: setup
	@$(MAKE) --no-print-directory check test-book test-bookwork

test-book: setup book .venv/browsers
	$(BIN)/pytest $(WORKERS) $(PYTEST)

test-bookwork: setup .venv/browsers
	$(BOOKWORK) test

test-all:
	@$(MAKE) --no-print-directory test PYTEST='-m ""'

# Debian's browsers, where root may install them; else Chromium is Playwright's, and Firefox and WebKit are left out.
.venv/browsers: .venv/set-up
	@for program in chromium firefox-esr WebKitWebDriver Xvfb openbox; do command -v $$program > /dev/null || missing=1; done; \
		test -z "$$missing" \
		|| { apt-get update --quiet && apt-get install --quiet --yes --no-install-recommends $(BROWSERS); } \
		|| command -v chromium || $(BIN)/python -m playwright install chromium
	@touch $@

dist: setup
	@$(BOOKWORK) dist DIST="$$(realpath -m "$(DIST)")"
	@$(BIN)/python -m build --no-isolation --outdir "$(DIST)" .

lock: setup
	@cat binder/requirements.txt requirements.txt | sed '/^-/d' | $(BIN)/uv pip compile - --universal --python-version 3.11 --generate-hashes --no-strip-extras --custom-compile-command "make lock" --no-emit-index-url --no-emit-find-links --quiet --output-file requirements.lock

clean:
	@$(BOOKWORK) clean
	rm -rf .venv _build dist build .hypothesis .pytest_cache .mypy_cache .ruff_cache .coverage *.egg-info

# `make serve` and `make test` work on a fresh clone with git, make and Python 3.11 or newer.
PYTHON ?= python3
BIN := .venv/bin
PORT ?= 8000
# One BLAS thread: several are slower on small matrices, and far slower on a busy machine.
export OPENBLAS_NUM_THREADS ?= 1
# Compiled modules are kept, whatever the shell says: every process of a test run reads them.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup model book serve watch check check-chapters check-types check-words check-web checked-book book-after-web check-web-last web test test-all coverage mutate bench lab pdf pictures docs dist release lock clean

help:
	@echo "make serve     build the book and serve it on localhost"
	@echo "make watch     the same while you write: rebuild what you save and reload the page"
	@echo "make test      check everything: style, types, library, book"
	@echo "make test-all  the same and the slow tests: all chapters in JupyterLab, the PDF (weekly in CI)"
	@echo "make lab       open the chapters in JupyterLab, as working copies in my-notebooks"
	@echo "make book      build the book into _build/html"
	@echo "make model     fetch MiniLM for readers' own sentences, as make book does"
	@echo "make check     style, format, spelling, types, and faults in the chapters"
	@echo "make coverage  branch coverage of the library"
	@echo "make mutate    change the library on purpose, a little at a time, and see which tests notice"
	@echo "make bench     measure sliders, how a page opens, what it weighs, the start of Python, and build time"
	@echo "make pdf       print the book into one PDF, _build/paying-attention.pdf"
	@echo "make pictures  draw the diagrams in images/ anew, and take the pictures of the first page's figure"
	@echo "make docs      build the documentation of bookwork into bookwork/docs/_build/html"
	@echo "make dist      build the library and bookwork as wheels and source archives into dist"
	@echo "make release   the same, checked and tried as users get them; says how to upload, and does not"
	@echo "make lock      write requirements.lock again, after a change in the lists of packages"
	@echo "make clean     remove everything that was built, including the environment"

setup:
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) was not found: install Python 3.11 or newer, or say where it is: make PYTHON=/path/to/python"; exit 1; }
	@$(PYTHON) tools/set_up.py

model: setup
	@$(BIN)/python -m tools.build_model

book: setup
	@$(BIN)/python -m bookwork.build.make_book

watch: setup
	@$(BIN)/python -m bookwork serve --port $(PORT)

serve: setup
	@$(BIN)/python -m bookwork.commands.serve --port $(PORT)

lab: setup
	@$(BIN)/python -m tools.notebooks mine
	$(BIN)/python -m jupyterlab my-notebooks/00-welcome.ipynb

check: setup
	@$(MAKE) --no-print-directory --jobs=2 check-chapters check-types check-words check-web

check-chapters:
	$(BIN)/python -m bookwork.book.check_book

check-types:
	$(BIN)/python -m mypy

check-words:
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m codespell_lib
	$(BIN)/python -m tools.check_prose
	$(BIN)/python -m tools.lock_packages --check

check-web:
	$(BIN)/python -m tools.check_web

# The book is built beside the checks, once there are the npm packages, which check-web needs too.
# Without check-chapters: tests/book looks for the same faults, with the same sentences.
checked-book: setup
	@$(MAKE) --no-print-directory --jobs=2 book-after-web check-types check-words check-web-last

book-after-web: web
	@$(MAKE) --no-print-directory book

check-web-last: web check-types check-words
	@$(MAKE) --no-print-directory check-web

web: setup
	@$(BIN)/python -m bookwork.build.build_web

test: checked-book
	@$(BIN)/python tools/find_chromium.py
	$(BIN)/python -m pytest -n 3 --dist loadgroup --no-loadscope-reorder

test-all: checked-book
	@$(BIN)/python tools/find_chromium.py
	$(BIN)/python -m pytest -n 3 --dist loadgroup --no-loadscope-reorder -m ""

coverage: setup
	$(BIN)/python -m pytest attention_lib attention_exercises tests --ignore tests/book --ignore tests/browser --ignore tests/lab --cov --cov-report term-missing

mutate: setup
	$(PYTHON) -m venv _build/mutate
	_build/mutate/bin/pip install --quiet --requirement tools/mutation-requirements.txt
	HYPOTHESIS_PROFILE=mutation _build/mutate/bin/mutmut run --max-children 2
	_build/mutate/bin/mutmut results

bench: book
	@$(BIN)/python tools/find_chromium.py
	$(BIN)/python -m benchmarks.slider
	$(BIN)/python -m benchmarks.opening
	$(BIN)/python -m benchmarks.page_weight
	$(BIN)/python -m benchmarks.python_start
	$(BIN)/python -m benchmarks.writing
	$(BIN)/python -m benchmarks.language_model
	$(BIN)/python -m benchmarks.build_time

pdf: book
	@$(BIN)/python tools/find_chromium.py
	@$(BIN)/python -m tools.make_pdf

pictures: book
	@$(BIN)/python tools/find_chromium.py
	@$(BIN)/python -m tools.draw_diagrams
	@$(BIN)/python -m tools.take_pictures

docs: setup
	@cd bookwork/docs && PYTHONPATH=../.. ../../$(BIN)/python -m bookwork build

dist: setup
	@$(BIN)/python -m tools.make_dist

release: dist
	$(PYTHON) -m venv _build/release
	_build/release/bin/pip install --quiet --requirement tools/release-requirements.txt
	_build/release/bin/twine check --strict dist/*.whl dist/*.tar.gz
	$(BIN)/python -m tools.try_dist
	@echo "Nothing was uploaded. To do it, bookwork first: _build/release/bin/twine upload dist/bookwork-* dist/attention_lib-*"

lock: setup
	@$(BIN)/python -m tools.lock_packages

clean:
	rm -rf .venv _build dist build bookwork/page/node_modules mutants .hypothesis .pytest_cache .mypy_cache .ruff_cache .coverage *.egg-info

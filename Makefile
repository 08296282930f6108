# Every command that people and CI need.
PYTHON ?= python3
BIN := .venv/bin
# `make test PYTHON=python3.13`: an environment of another Python is made again.
ifneq ($(origin PYTHON),file)
$(shell [ ! -e $(BIN)/python ] || [ "$$($(BIN)/python -VV)" = "$$($(PYTHON) -VV)" ] || rm -r .venv)
endif
# Two test processes more than there are cores: many tests wait for timers, servers and browsers. The tests of one file share
# servers and browsers. tests/conftest.py puts the files in order, the slow ones first.
SPREAD = -n $(shell $(PYTHON) -c 'import os; print(2 + (os.cpu_count() or 1))') --dist loadfile --no-loadscope-reorder
# Hundreds of servers start during the tests: each would compile the whole source again.
unexport PYTHONDONTWRITEBYTECODE
WEB := web/index.html web/package.json web/package-lock.json web/tsconfig.json web/vite.config.ts \
	web/importMap.ts web/pack.mjs web/worker.js web/checkTexts.mjs web/board-kit.d.ts \
	$(shell find web/src web/public -type f 2>/dev/null)

.PHONY: setup serve test check bench web fmt dist licences soak screenshots

setup: .venv/dev.ready web examples/node_modules/ready ## install everything that serving and testing need

serve: .venv/run.ready web ## run the server on http://127.0.0.1:3000
	@exec $(BIN)/qipai serve

test: setup ## run all tests, including those in a real browser
	@tools/chromium
	@$(BIN)/python -m tools.redis_server
	@tools/stockfish
	$(BIN)/python -m pytest $(SPREAD)
	cd web && ../tools/npm test

check: .venv/dev.ready web/node_modules/ready ## check format, lint, types, layers and generated documents; run the fast tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tools.protocol --check
	$(BIN)/python -m tools.docs_examples --check
	cd web && ../tools/npm run check
	@$(BIN)/python -m tools.redis_server
	$(BIN)/python -m pytest $(SPREAD) -q -m "not slow"

bench: .venv/dev.ready ## measure CPU per move beside the Node references; QUICK=1 takes under 90 s, PEERS=1 compares with other libraries
	$(BIN)/python -m bench $(if $(QUICK),--quick) $(if $(PEERS),--peers)

soak: .venv/dev.ready ## an hour of faults: workers and Redis cut off, 1,000 kills, random input, 1,000 damaged databases; SOAK=75 unless given
	QIPAI_SOAK=$(or $(SOAK),75) $(BIN)/python -m pytest -q tests/cluster/test_faults.py tests/faults/test_kill.py tests/fuzz
	QIPAI_DAMAGED_COPIES=1000 $(BIN)/python -m pytest -q -s tests/faults/test_damaged_copies.py

web: src/qipai/page/index.html ## build the web page

fmt: .venv/dev.ready ## format the code and regenerate the documents made from it
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/python -m tools.protocol
	$(BIN)/python -m tools.docs_examples
	$(BIN)/python -m tests.games.lessons.lesson_files

dist: .venv/run.ready web ## build a wheel with the web page in dist/
	$(BIN)/pip wheel --quiet --no-deps --wheel-dir dist .

licences: .venv/dev.ready web/node_modules/ready ## list the licence of every dependency; fails if one is incompatible
	@$(BIN)/python -m tools.licences

screenshots: setup ## take the screenshots in docs/screenshots
	@tools/chromium
	$(BIN)/python -m tools.screenshots

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed")'
	$(PYTHON) -m venv .venv

.venv/run.ready: requirements/run.txt pyproject.toml | .venv/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements/run.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

.venv/dev.ready: requirements/dev.txt .venv/run.ready
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements/dev.txt
	@touch $@

web/node_modules/ready: web/package.json web/package-lock.json | .venv/bin/python
	cd web && ../tools/npm ci --no-progress --loglevel=error
	@touch $@

examples/node_modules/ready: examples/package.json examples/package-lock.json | .venv/bin/python
	cd examples && ../tools/npm ci --no-progress --loglevel=error
	@touch $@

src/qipai/page/index.html: web/node_modules/ready $(WEB)
	cd web && ../tools/npm run --silent build
	mkdir -p src/qipai/page/socket.io
	cp $(addprefix web/node_modules/socket.io-client/dist/socket.io,.js .min.js .esm.min.js) src/qipai/page/socket.io
	@touch $@

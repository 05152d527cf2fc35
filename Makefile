# `make` lists the targets; each says what it is for after the two number signs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# One more than processors: some tests wait for browsers and processes.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
# A worker takes whole files, so that what their tests share is made once, and in the order of tests/conftest.py.
PARALLEL := -n $(WORKERS) --dist loadfile --no-loadscope-reorder
# The long tests are few.
STEALING := -n $(WORKERS) --dist worksteal
PYTHONS ?= 3.11 3.13
ARGS ?=

.PHONY: help
help:  ## list the targets
	@sed -En 's/^([a-z-]+):.*## (.*)/\1\t\2/p' Makefile | expand -t 20

.PHONY: play
play: $(VENV)/.play  ## the simulated box in the browser
	$(BIN)/python -m referee play $(ARGS)

.PHONY: pocket
pocket: firmware/pocket/node_modules/.package-lock.json $(VENV)/.play  ## the referee as a static site that runs in the browser, in dist/pocket; needs npm
	$(BIN)/python -m firmware.pocket.build dist/pocket

.PHONY: pocket-serve
pocket-serve: pocket  ## that site on http://127.0.0.1:8090
	$(BIN)/python -m firmware.pocket.serve dist/pocket

.PHONY: site
site: pocket $(VENV)/.test  ## the documents and the pocket as one static site, in dist/site
	$(BIN)/python -m firmware.site.build dist/site dist/pocket

.PHONY: release
release: $(VENV)/.test  ## what people download, with checksums, in dist/release; needs root; PARTS="python pocket case deb image site"
	firmware/release.sh $(BIN)/python dist/release $(PARTS)

.PHONY: hall
hall: $(VENV)/.test  ## the hall of an event, with an example: 16 players
	$(BIN)/python -m referee hall --example $(ARGS)

.PHONY: check
check: lint types  ## lint, types, and the tests of the rooms that have changed since the last commit
	@rooms="$(wildcard $(shell (git diff --name-only HEAD; git ls-files --others --exclude-standard) | \
		sed -En 's:^(referee|tests)/([^/.]+)/.*:tests/\2:p; s:^(hardware|firmware)/.*:tests/\1:p' | sort -u))"; \
	[ -z "$$rooms" ] || $(BIN)/python -m pytest -m "not long and not timed" $$rooms $(ARGS)

.PHONY: test
test: lint types pytest  ## lint, types, imports and all tests but the long ones; six minutes on two cores

.PHONY: lint
lint: $(VENV)/.test  ## ruff, what nobody uses, and the contracts of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/vulture
	$(BIN)/lint-imports --no-logo --cache-dir $(VENV)/.import-linter

.PHONY: types
types: $(VENV)/.test  ## mypy --strict
	$(BIN)/mypy

# Real MicroPython for the tests of the firmware, axe-core for those of the pages, and Pyodide, where there is npm.
NPM := tests/firmware/micropython tests/web/axe firmware/pocket
PYTEST_NEEDS := $(VENV)/.test $(if $(shell command -v npm),$(NPM:%=%/node_modules/.package-lock.json))

# Tests that wait for real milliseconds have the machine to themselves at the end, also where others have failed.
# 5: ARGS names none of them.
.PHONY: pytest
pytest: $(PYTEST_NEEDS)  ## the tests of `make test` alone; ARGS="-k debounce"
	@$(BIN)/python -m pytest -m "not long and not timed" $(PARALLEL) $(ARGS) || [ $$? -eq 5 ] || failed=yes; \
	$(BIN)/python -m pytest -m timed $(ARGS) || [ $$? -eq 5 ] || failed=yes; \
	[ -z "$$failed" ]

# gpiozero's own tests, which are tried on the mock pins.
GPIOZERO := tests/hardware/simulated/upstream/requirements.txt

.cache/gpiozero/.fetched: $(GPIOZERO) | $(VENV)/.test
	@mkdir -p $(@D) && $(BIN)/pip download --quiet --disable-pip-version-check --require-hashes --no-deps \
		--no-binary :all: --no-build-isolation --dest $(@D) -r $< && touch $@ || echo "gpiozero's tests could not be fetched"

.PHONY: test-long
test-long: $(PYTEST_NEEDS) .cache/gpiozero/.fetched  ## the long tests: evenings, faults, and many more random answers and broken inputs
	$(BIN)/python -m pytest -m long $(STEALING) $(ARGS)
	REFEREE_CONFORMANCE=1200 $(BIN)/python -m pytest $(STEALING) $(ARGS) \
		-k "texts_fit_the_glass or refused_answers" tests/conformance/test_shelf.py
	REFEREE_FUZZ_INPUTS=10000 $(BIN)/python -m pytest $(STEALING) $(ARGS) \
		"tests/fuzz/test_fuzz.py::test_no_input_crashes_or_changes_what_it_should_not"

$(NPM:%=%/node_modules/.package-lock.json): %/node_modules/.package-lock.json: %/package-lock.json
	@npm ci --silent --prefix $* && touch $@ || echo "what $* needs could not be fetched from npm"

.PHONY: test-pythons
test-pythons:  ## the tests of `make test` with other versions of Python, where the machine has them; PYTHONS="3.12"
	tests/house/pythons.sh $(PYTHONS)

.PHONY: coverage
coverage: $(PYTEST_NEEDS)  ## which branches no test takes, by file; ARGS="tests/session"
	@mkdir -p .cache && $(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -q -m "not long and not timed" $(PARALLEL) $(ARGS)
	@$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

.PHONY: deploy-input-board
deploy-input-board:  ## the firmware onto the input board; DEVICE=id:E6605481DB318A34
	firmware/input_board/deploy $(DEVICE)

# SUITE: bookworm or trixie, the release of Debian or Raspberry Pi OS that a package is for.
SUITE ?= trixie
STATION = dist/electronic-referee_*+$(DEBIAN)_arm64.deb
TRAY = dist/electronic-referee-tray_*+$(DEBIAN)_arm64.deb
DEBIAN := $(if $(SUITE:bookworm=),deb13,deb12)

.PHONY: deb
deb:  ## the station as a Debian package for the Raspberry Pi, in dist/; SUITE=bookworm: for Python 3.11
	firmware/deb/build.sh station $(SUITE)

.PHONY: deb-tray
deb-tray:  ## what the tray with a camera needs besides, as a second package; SUITE=bookworm: for Python 3.11
	firmware/deb/build.sh tray $(SUITE)

.PHONY: test-deb
test-deb: deb deb-tray  ## both installed, upgraded and purged in an emulated Debian for arm64; needs root
	tests/deb/installed.sh $(SUITE) $(STATION) $(TRAY)

.PHONY: image
image: deb  ## a card for the Zero 2 W, 3 and 4, of Debian and that package, in dist/; needs root (docs/image.md)
	firmware/card/image.sh dist/electronic-referee_*+deb13_arm64.deb

.PHONY: test-image
test-image: $(VENV)/.test image  ## that card on an emulated Pi 3B: rulings, a crash, power cuts (docs/image.md)
	$(BIN)/python -m tests.card dist/electronic-referee_*+deb13.img $(ARGS)

.PHONY: board
board:  ## the carrier board of firmware/board checked, as Gerbers and pictures, in dist/board; needs KiCad 9
	firmware/board/make.sh dist/board

.PHONY: wiring
wiring: $(VENV)/.test wiring-tools  ## the wiring diagram and the tables of docs/build.md from hardware/pins.toml
	$(BIN)/python -m tests.docs.pins
	.venv-docs/bin/wireviz -f s -o $(VENV) -O wiring docs/wiring.yml
	$(BIN)/python -m tests.docs.pins --sign $(VENV)/wiring.svg

.PHONY: wiring-tools
wiring-tools: .venv-docs/.made  ## what draws the wiring diagram, in .venv-docs

.venv-docs/.made: requirements-docs.lock
	@$(PYTHON) -m venv .venv-docs
	.venv-docs/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-docs.lock
	@touch $@

.PHONY: test-kernel
test-kernel: $(VENV)/.test  ## the station on a Linux kernel in a virtual machine, with power cuts (CONTRIBUTING.md)
	@$(BIN)/python -m compileall -q referee hardware
	$(BIN)/python -m tests.kernel $(ARGS)

.PHONY: bench
bench: $(VENV)/.test  ## the figures the project is held to, as JSON
	$(BIN)/python -m tests.bench.figures $(ARGS)

.PHONY: figures
figures: $(VENV)/.test  ## how large the house is: lines, rooms, words, packages, modules, each with its limit
	$(BIN)/python -m tests.house.figures

.PHONY: hall-kills hall-copies hall-load
hall-kills: $(VENV)/.test  ## a hall, boxes and lines killed 300 times; ARGS="--halls 4": four halls and their PostgreSQL
	$(BIN)/python -m tests.station.hall.kills --kills 300 $(ARGS)
hall-copies: $(VENV)/.test  ## old copies of a hall while 50 boxes play
	$(BIN)/python -m tests.station.hall.copies $(ARGS)
hall-load: $(VENV)/.test  ## 200 boxes, 300 phones and 10 televisions; ARGS="--boxes 400", "--commit 20", "--halls 4"
	$(BIN)/python -m tests.station.hall.load $(ARGS)

.PHONY: fuzz
fuzz: $(VENV)/.test  ## 100,000 broken messages of browsers to a station; ARGS="--inputs 1000000"
	$(BIN)/python -m tests.fuzz $(ARGS)

.PHONY: images
images: $(VENV)/.test  ## the pictures of README and docs, taken of the running thing; look at them before committing
	$(BIN)/python -m tests.docs.pictures

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "The referee needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.11 ..."; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
		|| { echo "Python's venv module is missing; on Debian: apt install python3-venv"; exit 1; }
	@touch $@

# Dependencies come from the lock files only, each checked against its hash.
INSTALL = $(BIN)/python -u -m pip install --progress-bar off --disable-pip-version-check --require-hashes -r
SHOW = sed -n -e 's/^Collecting \([^ ]*\).*/  \1/p' -e 's/^Installing collected.*/  all there; unpacking them/p'

$(VENV)/.play: $(VENV)/.made requirements.lock
	@echo "Installing what the referee needs into $(VENV), once:"
	@rm -f $@; { $(INSTALL) requirements.lock && touch $@; } | $(SHOW); [ -e $@ ]

$(VENV)/.test: $(VENV)/.made requirements-dev.lock
	@echo "Installing what the referee and its tests need into $(VENV), once:"
	@rm -f $@; { $(INSTALL) requirements-dev.lock && touch $@ $(VENV)/.play; } | $(SHOW); [ -e $@ ]

.PHONY: lock
lock:  ## after a change of dependencies, by a maintainer: resolve again and pin with hashes; needs uv
	uv pip compile -q --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11 \
		pyproject.toml -o requirements.lock
	uv pip compile -q --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11 \
		pyproject.toml --extra dice -o requirements-dice.lock
	uv pip compile -q --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11 \
		pyproject.toml --extra tray -o requirements-tray.lock
	uv pip compile -q --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11 \
		pyproject.toml --extra dice --extra hall --extra hall-postgres --extra tray --group dev -o requirements-dev.lock
	uv pip compile -q --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11 \
		--group pyproject.toml:docs -o requirements-docs.lock

.PHONY: clean
clean:  ## remove everything that was made
	rm -rf $(VENV) .venv-* $(NPM:%=%/node_modules) .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist *.egg-info

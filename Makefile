# Two commands do everything: `make play` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ARGS ?=

.PHONY: play test lint types pytest bench soak fuzz faults glass images clean

play: $(VENV)/.play
	$(BIN)/python -m referee play $(ARGS)

test: lint types pytest

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.test
	$(BIN)/mypy

# Real MicroPython for the tests of the firmware, where there is npm.
MICROPYTHON := tests/firmware/micropython

pytest: $(VENV)/.test $(if $(shell command -v npm),$(MICROPYTHON)/node_modules/.package-lock.json)
	$(BIN)/python -m pytest $(ARGS)

$(MICROPYTHON)/node_modules/.package-lock.json: $(MICROPYTHON)/package-lock.json
	@npm ci --silent --prefix $(MICROPYTHON) && touch $@ || echo "MicroPython could not be fetched from npm"

# Install the firmware of the input board: make deploy-input-board [DEVICE=id:E6605481DB318A34]
.PHONY: deploy-input-board
deploy-input-board:
	firmware/input_board/deploy $(DEVICE)

# On a Raspberry Pi: install the station as a service, or take it off again; firmware/pi/install.sh lists the options.
.PHONY: install-pi uninstall-pi
install-pi:
	sudo firmware/pi/install.sh $(ARGS)

uninstall-pi:
	sudo firmware/pi/install.sh --uninstall $(ARGS)

# The wiring diagram and the tables of docs/build.md, made from hardware/pins.toml; graphviz draws.
.PHONY: wiring wiring-tools
wiring: $(VENV)/.test wiring-tools
	$(BIN)/python -m tests.docs.pins
	.venv-docs/bin/wireviz -f s -o $(VENV) -O wiring docs/wiring.yml
	$(BIN)/python -m tests.docs.pins --sign $(VENV)/wiring.svg

wiring-tools: .venv-docs/.made

.venv-docs/.made: requirements-docs.lock
	@$(PYTHON) -m venv .venv-docs
	.venv-docs/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-docs.lock
	@touch $@

# The referee on a real Linux kernel in a virtual machine: real pins, a real bus, power cuts (docs/kernel.md).
.PHONY: test-kernel
test-kernel: $(VENV)/.test
	@$(BIN)/python -m compileall -q referee hardware
	$(BIN)/python -m tests.kernel $(ARGS)

# The figures the project is held to, as JSON.
bench: $(VENV)/.test
	$(BIN)/python -m tests.bench.figures $(ARGS)

# Every fault injected and measured: the table of docs/faults.md.
faults: $(VENV)/.test
	$(BIN)/python -m tests.faults $(ARGS)

# Days of play at one station on virtual time: make soak ARGS="--days 365".
soak: $(VENV)/.test
	$(BIN)/python -m tests.bench.soak $(ARGS)

# Broken input on the serial line, the drive protocol and the panel: make fuzz ARGS="--inputs 10000000".
fuzz: $(VENV)/.test
	$(BIN)/python -m tests.fuzz $(ARGS)

# Every kind of screen on one sheet, to look at.
glass: $(VENV)/.test
	$(BIN)/python -m referee.console.sheet glass.png

# The pictures of the README, taken of the running thing; look at them before they are committed.
images: $(VENV)/.test
	$(BIN)/python -m tests.docs_images

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "The referee needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.11 ..."; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
		|| { echo "Python's venv module is missing; on Debian: apt install python3-venv"; exit 1; }
	@touch $@

# Dependencies come from the lock files only, each checked against its hash.
$(VENV)/.play: $(VENV)/.made requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

$(VENV)/.test: $(VENV)/.made requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@ $(VENV)/.play

# Only after a change of pyproject.toml, by a maintainer: resolve again and pin with hashes.
.PHONY: lock
lock:
	uv pip compile -q --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11 \
		pyproject.toml -o requirements.lock
	uv pip compile -q --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11 \
		pyproject.toml --group dev -o requirements-dev.lock

clean:
	rm -rf $(VENV) .venv-docs $(MICROPYTHON)/node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist *.egg-info

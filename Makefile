# The front door: Meson does the building, and this names what can be asked for.

BUILD := build
PREFIX ?= /usr/local
DESTDIR ?=
PYTHON := python3
C_FILES = $(shell git ls-files '*.c' '*.h')

.DEFAULT_GOAL := all
SOAK_TIME := 1h
.PHONY: all demo check check-browser bench bench-check accuracy coverage fuzz torture soak format lint install clean packages help

all: $(BUILD)/build.ninja ## build build/emend and build/emend-serve
	@ninja -C $(BUILD) --quiet emend emend-serve

$(BUILD)/build.ninja:
	@missing=$$(scripts/packages.sh --missing build); test -z "$$missing" || \
	  { echo "Building needs: $$missing" >&2; echo "Install them with: make packages" >&2; exit 1; }
	meson setup $(BUILD)

packages: ## install what building needs (Debian)
	@scripts/packages.sh build

demo: ## build, then play a short conversation with the server
	@scripts/packages.sh demo
	@$(MAKE) --no-print-directory all
	@$(PYTHON) scripts/demo.py --emend $(BUILD)/emend

check: ## run every test
	@scripts/packages.sh check
	@$(PYTHON) scripts/check.py

check-browser: ## the review page in Chromium, with 10,000 changes, 2 minutes; BROWSER='--pictures FOLDER'
	@scripts/packages.sh check-browser
	@$(MAKE) --no-print-directory all
	@$(PYTHON) tests/browser/run.py --emend $(BUILD)/emend $(BROWSER)

bench: ## emend beside other tools, and which goals are reached, 10 minutes; BENCH='--only table' and the like
	@scripts/packages.sh bench
	@$(MAKE) --no-print-directory all
	@ninja -C $(BUILD) --quiet bench/floor bench/peak bench/serve_load
	@$(PYTHON) bench/run.py --emend $(BUILD)/emend $(BENCH)
	@test -n "$(BENCH)" || $(BUILD)/bench/serve_load $(BUILD)/emend

bench-check: ## what grew in instructions by more than 5 %; BENCH_CHECK=--record
	@scripts/packages.sh bench-check
	@$(MAKE) --no-print-directory all
	@$(PYTHON) bench/instructions.py --emend $(BUILD)/emend $(BENCH_CHECK)

accuracy: ## how often edits that drifted from the file are made right; ACCURACY='--seed 2' and the like
	@scripts/packages.sh accuracy
	@$(MAKE) --no-print-directory all
	@$(PYTHON) bench/accuracy/run.py --emend $(BUILD)/emend $(ACCURACY)
	@$(PYTHON) bench/accuracy/correct.py --emend $(BUILD)/emend $(ACCURACY)

coverage: ## lines and branches of src/ that the tests reach; fails where less than promised
	@scripts/packages.sh coverage
	@$(PYTHON) scripts/coverage.py

fuzz: ## libFuzzer on each harness of tests/fuzz, or on FUZZ='NAME...', FUZZ_SECONDS=60 each
	@scripts/packages.sh fuzz
	@scripts/fuzz.sh $(FUZZ)

torture: ## the whole proof with its scoreboard: power cuts, kills, races; root, 15 minutes
	@scripts/packages.sh torture
	@scripts/setup.sh $(BUILD) && ninja -C $(BUILD) --quiet
	@$(PYTHON) tests/torture/run.py --build $(BUILD)

soak: ## what needs an hour, by chance: SOAK_TIME=1h
	@scripts/packages.sh torture
	@scripts/setup.sh $(BUILD) && ninja -C $(BUILD) --quiet
	@$(PYTHON) tests/torture/run.py --build $(BUILD) --soak $(SOAK_TIME)

format: ## lay out the C files as .clang-format says
	@clang-format -i $(C_FILES)

lint: ## clang-tidy over src/
	@scripts/packages.sh lint
	@$(PYTHON) scripts/lint.py

# Both may be relative to here, and hold blanks, at which $(abspath) would cut them.
install: export INSTALL_PREFIX = $(PREFIX)
install: export INSTALL_DESTDIR = $(DESTDIR)
install: $(BUILD)/build.ninja ## install to $(DESTDIR)$(PREFIX)
	@meson configure $(BUILD) -Dprefix="$$(realpath -ms -- "$$INSTALL_PREFIX")" >/dev/null
	@ninja -C $(BUILD) --quiet installed
	@DESTDIR="$${INSTALL_DESTDIR:+$$(realpath -ms -- "$$INSTALL_DESTDIR")}" \
	  meson install -C $(BUILD) --no-rebuild --quiet

clean: ## remove what was built
	rm -rf $(BUILD) $(BUILD)-*

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 12

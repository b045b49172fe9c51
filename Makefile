# Everyday commands. What they need is set up by `sh test.sh`; `make` itself is a convenience, nothing else uses it.

BIN := .venv/bin
UV_VERSION := 0.13.9
UV_COMPILE := $(BIN)/uv pip compile --quiet --no-config --universal --generate-hashes --python-version 3.11 \
	--custom-compile-command 'make lock' $(UPGRADE)

.PHONY: simulate test test-wheel check format bench golden docs lock clean

simulate:
	sh simulate.sh

test:
	sh test.sh

# The same tests on the built wheel, away from the checkout.
test-wheel: $(BIN)/python
	sh tools/test_wheel.sh

check: $(BIN)/python
	sh tools/check.sh

format: $(BIN)/python
	$(BIN)/python -m ruff check --fix .
	$(BIN)/python -m ruff format .

bench: $(BIN)/python
	$(BIN)/tablier bench

# The recorded expectations of tests/golden, written anew from what the code does now: read the difference before you commit it.
golden: $(BIN)/python
	$(BIN)/python -m tests.golden.regenerate

docs: $(BIN)/python
	$(BIN)/python -m pip --disable-pip-version-check install --quiet --require-hashes -r requirements/docs.lock
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --site-dir site

# The lock files, with hashes, after a change of pyproject.toml or package.json. Versions stay as they are where they can;
# `make lock UPGRADE=--upgrade` takes the newest. The run list is a part of every other list.
lock: $(BIN)/python
	$(BIN)/python -m pip --disable-pip-version-check install --quiet uv==$(UV_VERSION)
	$(UV_COMPILE) pyproject.toml --group build -o requirements/run.lock
	$(UV_COMPILE) pyproject.toml --group build --extra pi -c requirements/run.lock -o requirements/pi.lock
	$(UV_COMPILE) pyproject.toml --group build --group dev -c requirements/run.lock -o requirements/dev.lock
	$(UV_COMPILE) --group docs -c requirements/dev.lock -o requirements/docs.lock
	sh tools/npm.sh install --package-lock-only

$(BIN)/python:
	@echo 'run "sh test.sh" once first: it makes .venv' >&2
	@false

# Everything that the commands above made, and nothing else.
clean:
	rm -rf .venv node_modules build dist site *.egg-info .mypy_cache .pytest_cache .ruff_cache \
		.import_linter_cache .hypothesis .coverage .coverage.* test-results
	find . -type d -name __pycache__ -prune -exec rm -rf {} +

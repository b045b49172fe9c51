#!/bin/sh
# Sets everything up, then runs every check and every test but the slow ones. Arguments go to pytest.
set -eu
root=$(cd "$(dirname "$0")" && pwd -P)
. "$root/tools/setup.sh"

make_venv
require_desktop_processor
install_locked dev
require_browser
install_page_tools

cd "$root"
status=0
sh tools/check.sh || status=$?
.venv/bin/python -m pytest -n 2 --dist loadfile "$@" || status=$?
[ "$status" -eq 0 ] || say "not everything passed; the checks and the tests above say what"
exit "$status"

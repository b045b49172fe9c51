#!/bin/sh
# Sets everything up, then runs every check and every test but the slow ones. Arguments go to pytest.
set -eu
root=$(cd "$(dirname "$0")" && pwd -P)
. "$root/tools/setup.sh"

make_venv
require_desktop_processor
install_locked dev
require_chromium
install_page_tools

cd "$root"
sh tools/check.sh
exec .venv/bin/python -m pytest -n 2 --dist loadfile "$@"

#!/bin/sh
# Sets everything up, then starts Avalam on a simulated board. Arguments go to `tablier simulate`.
set -eu
root=$(cd "$(dirname "$0")" && pwd -P)
. "$root/tools/setup.sh"

install_for_running
exec "$root/.venv/bin/tablier" simulate --game avalam "$@"

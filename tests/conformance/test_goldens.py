"""Every registered game has a golden playthrough; those that exist are replayed line by line."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path

import pytest

from engines.registry import games
from tests.golden.playthrough import FOLDER, read_record, render

FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("name", games())
def test_a_game_has_a_playthrough(name: str) -> None:
    played = {read_record(path.read_text(encoding="utf-8")).game.name for path in FILES}
    assert name in played, (
        f"run python -m tests.golden.regenerate playthroughs, then look at {name}-default.txt"
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_playthrough_goes_as_it_is_written(path: Path) -> None:
    written = path.read_text(encoding="utf-8")
    replayed = render(read_record(written))
    for number, (was, now) in enumerate(zip_longest(written.splitlines(), replayed.splitlines()), 1):
        assert now == was, f"{path.name}, line {number}"
    assert written == replayed

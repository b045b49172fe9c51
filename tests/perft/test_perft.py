"""Counts of move sequences against data files, and against a second counter."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.base import BoardGame
from engines.errors import EngineError
from engines.perft import divide, perft
from engines.registry import game, games
from tests.perft import plain_counter
from tests.perft.suite import FOLDER, Case, all_cases

CASES = all_cases()
SMALL = 60_000
"""What the plain counter does in a moment."""


def marked(case: Case) -> object:
    marks = [pytest.mark.slow, pytest.mark.timeout(1800)] if case.slow else []
    return pytest.param(case, marks=marks, id=str(case))


@pytest.mark.parametrize("case", [marked(case) for case in CASES])
def test_counts(case: Case) -> None:
    position = game(case.game).parse_position(case.position)
    found = perft(position, case.depth)
    by_move = [] if found == case.count else list(divide(position, case.depth))
    assert found == case.count, f"{case.position}\n" + "\n".join(map(str, by_move))


PLAIN = [case for case in CASES if case.game == "avalam"]
"""The cases that the plain counter knows the rules of."""


@pytest.mark.parametrize("case", [case for case in PLAIN if case.count <= SMALL], ids=str)
def test_the_plain_counter_agrees(case: Case) -> None:
    assert plain_counter.count(case.position, case.depth) == case.count


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in PLAIN if SMALL < case.count < 2_000_000], ids=str)
def test_the_plain_counter_agrees_on_large_counts(case: Case) -> None:
    assert plain_counter.count(case.position, case.depth) == case.count


@pytest.mark.parametrize("case", [case for case in CASES if 0 < case.count <= SMALL], ids=str)
def test_divide_adds_up(case: Case) -> None:
    position = game(case.game).parse_position(case.position)
    parts = list(divide(position, case.depth))
    assert [move for move, _ in parts] == list(position.legal_moves())
    assert sum(count for _, count in parts) == case.count


@pytest.mark.parametrize("name", [name for name in games() if isinstance(game(name), BoardGame)])
def test_every_board_game_has_counts(name: str) -> None:
    assert name in {case.game for case in CASES}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.perft")), ids=lambda path: path.stem)
def test_data_files_say_where_their_counts_come_from(path: Path) -> None:
    assert path.read_text(encoding="utf-8").startswith("# Origin: ")


def test_depth_zero_is_one_sequence_and_less_is_refused() -> None:
    start = game("avalam").initial()
    assert perft(start, 0) == 1
    with pytest.raises(EngineError, match="0 or more"):
        perft(start, -1)

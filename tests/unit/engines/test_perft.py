"""Counting over any game: chance, hidden ends, and the quick way where there is one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from engines.errors import EngineError, UncountableError
from engines.perft import QuickPerft, countable_moves, divide, perft, perft_series
from engines.registry import game

AVALAM = game("avalam")


@dataclass(frozen=True)
class Coin:
    """A chance event that can be listed, or not."""

    listed: bool = True
    kind: str = "coin"

    def outcomes(self) -> Sequence[str] | None:
        return ("heads", "tails") if self.listed else None


@dataclass(frozen=True)
class Toy:
    """A game without a quick way: a coin, then three moves, then a coin again; over after `left` moves."""

    left: int
    coin_due: bool = True
    listed: bool = True

    def chance(self) -> Coin | None:
        return Coin(self.listed) if self.coin_due and self.left else None

    def legal_moves(self) -> tuple[str, ...]:
        return ("a", "b", "c") if self.left and not self.coin_due else ()

    def play(self, move: str) -> Toy:
        return replace(self, left=self.left - 1, coin_due=not self.coin_due)


def counts(pairs: Iterator[tuple[Any, int]]) -> list[tuple[Any, int]]:
    return list(pairs)


def test_chance_moves_count_like_others_and_finished_games_nothing() -> None:
    toy: Any = Toy(4)
    assert [perft(toy, depth) for depth in range(6)] == [1, 2, 6, 12, 36, 0]
    assert not isinstance(toy, QuickPerft)


def test_divide_gives_every_move_with_its_share() -> None:
    toy: Any = Toy(4)
    assert counts(divide(toy, 3)) == [("heads", 6), ("tails", 6)]
    assert counts(divide(toy.play("heads"), 1)) == [("a", 1), ("b", 1), ("c", 1)]


def test_what_cannot_be_listed_cannot_be_counted() -> None:
    toy: Any = Toy(4, listed=False)
    for count in (lambda: perft(toy, 1), lambda: divide(toy, 1), lambda: countable_moves(toy)):
        with pytest.raises(UncountableError, match="'coin' has too many outcomes"):
            count()
    assert perft(toy, 0) == 1


def test_depths_out_of_range_are_refused_at_once() -> None:
    start = AVALAM.initial()
    with pytest.raises(EngineError, match="depth -1 is not allowed: it must be 0 or more"):
        perft(start, -1)
    for count in (divide, perft_series):
        with pytest.raises(EngineError, match="depth 0 is not allowed: it must be 1 or more"):
            count(start, 0)


def test_the_series_gives_each_depth() -> None:
    assert list(perft_series(AVALAM.initial(), 1)) == [(1, 292)]
    assert list(perft_series(AVALAM.initial(), 2)) == [(1, 292), (2, 81_488)]


def test_divide_of_the_start_of_avalam() -> None:
    start = AVALAM.initial()
    parts = dict(divide(start, 2))
    assert list(parts) == list(start.legal_moves())
    assert sum(parts.values()) == 81_488


def test_the_quick_way_of_avalam_agrees_with_playing() -> None:
    class Slow:
        """The start of Avalam without its quick way."""

        def __init__(self, position: Any) -> None:
            self._position = position

        def chance(self) -> None:
            return None

        def legal_moves(self) -> tuple[Any, ...]:
            moves: tuple[Any, ...] = self._position.legal_moves()
            return moves

        def play(self, move: Any) -> Slow:
            return Slow(self._position.play(move))

    slow: Any = Slow(AVALAM.initial())
    assert perft(slow, 2) == perft(AVALAM.initial(), 2) == 81_488


def test_a_random_setup_of_avalam_cannot_be_counted() -> None:
    with pytest.raises(UncountableError, match="'setup'"):
        perft(AVALAM.initial(setup="random"), 1)

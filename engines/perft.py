"""Counting of move sequences, the check that rules are right: `perft(start, 3) = 21711440`.

Sequences are counted, not positions: what is reached twice counts twice, and a game that is over
before `depth` counts nothing. A chance move is a move like any other where its outcomes can be listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol, runtime_checkable

from engines.base import Position
from engines.errors import EngineError, UncountableError


@runtime_checkable
class QuickPerft(Protocol):
    """A position that can count its own sequences faster than by playing them."""

    def quick_perft(self, depth: int) -> int | None:
        """The number of sequences of `depth` (from 1) moves, or None where there is no quick way."""
        ...


def perft(position: Position, depth: int) -> int:
    """The number of sequences of `depth` moves from `position`.

    Raises: EngineError for a negative depth; UncountableError.
    """
    if depth < 0:
        raise EngineError(f"depth {depth} is not allowed: it must be 0 or more")
    if depth == 0:
        return 1
    if isinstance(position, QuickPerft):
        quick = position.quick_perft(depth)
        if quick is not None:
            return quick
    return sum(perft(position.play(move), depth - 1) for move in countable_moves(position))


def divide(position: Position, depth: int) -> Iterator[tuple[Any, int]]:
    """Every move of `position` with the number of sequences of `depth` moves that begin with it.

    The pairs come one by one, so that whoever asks can show how far it is.

    Raises: EngineError for a depth below 1; UncountableError.
    """
    if depth < 1:
        raise EngineError(f"depth {depth} is not allowed: it must be 1 or more")
    moves = countable_moves(position)
    return ((move, perft(position.play(move), depth - 1)) for move in moves)


def perft_series(position: Position, depth: int) -> Iterator[tuple[int, int]]:
    """The pairs (1, perft 1), (2, perft 2) and so on up to `depth`, one by one.

    Raises: EngineError for a depth below 1; UncountableError.
    """
    if depth < 1:
        raise EngineError(f"depth {depth} is not allowed: it must be 1 or more")
    return ((ply, perft(position, ply)) for ply in range(1, depth + 1))


def countable_moves(position: Position) -> tuple[Any, ...]:
    """The moves that can come next: the outcomes of chance if it is due, else the legal ones.

    Raises: UncountableError where chance has too many outcomes to list.
    """
    chance = position.chance()
    if chance is None:
        return position.legal_moves()
    outcomes = chance.outcomes()
    if outcomes is None:
        raise UncountableError(
            f"the chance event {chance.kind!r} has too many outcomes to count; count from a position after it"
        )
    return tuple(outcomes)

"""Errors of the engines: every one is an `EngineError`, which is a `ValueError`.

EngineError
├── UnknownGameError     no game of that name
├── SettingError         unknown setting, or a value that is not allowed
├── NotationError        a text that is no move or no position
├── IllegalMoveError     a well-formed move that the rules refuse here
├── AmbiguousMoveError   a text that fits several legal moves
├── InvalidPositionError a position that cannot be; names every fault at once
├── RecordError          a stored game that cannot be read or does not play through
└── UncountableError     a count over a chance event with too many outcomes to list
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engines.base import Reason


class EngineError(ValueError):
    """Base of all errors of the engines."""


class UnknownGameError(EngineError):
    """No game has this name; the message lists those that exist."""


class SettingError(EngineError):
    """A setting is unknown or its value is not allowed; the message says what is."""


class NotationError(EngineError):
    """A text cannot be read as a move or a position."""


class IllegalMoveError(EngineError):
    """A move that the rules refuse in this position.

    Carries `move` (its text), `position` (its text) and `reason`.
    """

    def __init__(self, move: str, position: str, reason: Reason) -> None:
        super().__init__(f"illegal move {move!r} in {position!r}: {reason}")
        self.move = move
        self.position = position
        self.reason = reason


class AmbiguousMoveError(EngineError):
    """A move text that fits several legal moves, listed in `candidates`."""

    def __init__(self, move: str, candidates: Sequence[str]) -> None:
        super().__init__(f"ambiguous move {move!r}: could be {', '.join(candidates)}")
        self.move = move
        self.candidates = tuple(candidates)


class InvalidPositionError(EngineError):
    """A position that cannot be; `faults` lists everything that is wrong with it."""

    def __init__(self, text: str, faults: Sequence[str]) -> None:
        super().__init__(f"invalid position {text!r}: {'; '.join(faults)}")
        self.faults = tuple(faults)


class RecordError(EngineError):
    """A stored game that cannot be read or does not play through, or a step that it does not allow."""


class UncountableError(EngineError):
    """A count that would have to go through a chance event with too many outcomes to list."""

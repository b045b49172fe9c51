"""What lies on an Avalam board and how the game stands, without the rules that move it on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Phase(Enum):
    """What is going on; the set-ups bear the names of the setting that begins with them."""

    PLAYING = "playing"
    PLACING = "free"
    SHUFFLING = "random"


class Tiebreak(Enum):
    """What decides between equal numbers of towers."""

    NONE = "none"
    FIVES = "fives"


@dataclass(frozen=True, slots=True)
class Layout:
    """The towers and the state of the game.

    `heights` and `owners` follow `board.CELLS`; an empty hole has height 0 and owner None.
    `turn` is the player to move, also while that move waits for a shuffle or does not exist any more.
    """

    heights: tuple[int, ...]
    owners: tuple[int | None, ...]
    turn: int
    phase: Phase = Phase.PLAYING
    tiebreak: Tiebreak = Tiebreak.NONE

"""How clumsy a hand is, and how poor the board: the kinds of games that benchmarks play.

The kinds are those of recorded games: how exactly pieces come to stand, how long hands take and
how often they go astray was read off such recordings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hardware.simulator.table import Physics

SEATED = Physics(strength=0.03, lateral_mm=0.4, vertical_mm=0.14)
"""A board of ordinary make."""
SLOPPY = replace(SEATED, lateral_mm=0.7, vertical_mm=0.28, noise_mt=2 * SEATED.noise_mt)
"""Holes too wide, and sensors with twice the noise."""

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Habits:
    """What a hand does, as shares of the moves; durations are ranges in ms.

    `pause_ms` lies between one piece standing and the next hand's start. `drift_mt` is how far a
    sensor's zero wanders a minute, at most.
    """

    physics: Physics = SEATED
    pause_ms: Range = (500, 2500)
    linger: float = 0.1
    """Moves in which the piece is held high up for a while."""
    low: float = 0.0
    """Moves carried low over other places, with rests there."""
    hover: float = 0.0
    """Moves in which the piece is held close over its destination."""
    put_back: float = 0.0
    """Pieces lifted and put back before a move."""
    nudge: float = 0.0
    wave: float = 0.0
    """Moves before which a bracelet passes over the board."""
    both_hands: bool = False
    """Whether the bracelet passes while the other hand moves."""
    illegal: float = 0.0
    """Turns in which a piece is first set down where it may not stand, and put right."""
    take_back: float = 0.0
    """Turns that take one to three moves back."""
    drift_mt: float = 0.0
    faults: bool = False
    """Whether sensors, frames and the bus fail."""
    interrupted: bool = False
    """Whether the bus may go away while a piece is in a hand, and not only between moves."""


_HANDS = Habits(low=0.3, hover=0.15, put_back=0.2, nudge=0.2, wave=0.12)

KINDS: Mapping[str, Habits] = {
    "plain": Habits(),
    "hands": _HANDS,
    "mistakes": Habits(low=0.1, hover=0.1, illegal=0.35, take_back=0.1),
    "fast": Habits(pause_ms=(60, 350), linger=0.05),
    "faults": Habits(low=0.1, hover=0.1, drift_mt=0.1, faults=True),
    "weak": replace(_HANDS, physics=SLOPPY, drift_mt=0.15),
    "mixed": replace(
        _HANDS,
        physics=SLOPPY,
        pause_ms=(60, 1500),
        both_hands=True,
        illegal=0.12,
        take_back=0.08,
        drift_mt=0.15,
        faults=True,
        interrupted=True,
    ),
}
"""The kinds of games by name."""

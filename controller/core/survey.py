"""What is different on the board right now: places emptied, filled, touched or blind; lifts over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from controller.core.belief import Belief
from controller.core.options import Heights
from controller.core.places import Places

_LIFTED = 0.7
"""A place that reads less than this share of what stood there has been lifted."""
_FILLED = 0.3
"""An empty place that reads more than this share of a single piece holds one, or nearly so."""
TOUCHED_MT = 0.1
_TOUCHED_NOISE = 4.0


@dataclass(frozen=True, slots=True)
class Survey:
    """The places that do not read as believed. Lists of places, sorted."""

    emptied: tuple[int, ...]
    filled: tuple[int, ...]
    touched: tuple[int, ...]
    blind: tuple[int, ...]
    """Places with a piece that cannot be read."""

    @property
    def quiet(self) -> bool:
        """Whether everything that can be read reads as believed."""
        return not (self.emptied or self.filled or self.touched)

    @property
    def stirred(self) -> tuple[int, ...]:
        """All places that read otherwise than believed."""
        return (*self.emptied, *self.filled, *self.touched)


def survey(belief: Belief, places: Places) -> Survey:
    """Compare what is read now with what is believed."""
    emptied, filled, touched, blind = [], [], [], []
    least = _FILLED * belief.model.single_mt
    for k, value in enumerate(places.value):
        stands = belief.heights[k]
        if not places.usable[k]:
            if stands:
                blind.append(k)
            continue
        reading = places.mean[k] if value is None else value  # an unread place keeps its last good value
        if not stands:
            if reading > least:
                filled.append(k)
        else:
            expected = belief.expected(k)
            if reading < _LIFTED * expected:
                emptied.append(k)
            elif abs(places.mean[k] - expected) > touched_mt(places, k):
                touched.append(k)
    return Survey(tuple(emptied), tuple(filled), tuple(touched), tuple(blind))


def touched_mt(places: Places, k: int) -> float:
    """How far place k's mean must be off to count as touched."""
    return TOUCHED_MT + _TOUCHED_NOISE * places.noise[k] / max(places.length[k], 1)


def occupancy_faults(heights: Heights, places: Places, half_mt: float) -> tuple[list[int], list[int]]:
    """The places that lack a piece and those that hold one too many, by their readings alone."""
    missing, extra = [], []
    for k, h in enumerate(heights):
        if places.usable[k]:
            stands = places.mean[k] > half_mt
            if h and not stands:
                missing.append(k)
            elif stands and not h:
                extra.append(k)
    return missing, extra


class Lifts:
    """The towers in the air: since when, and which one to show."""

    _SHOWN_FRAMES = 2  # two agreeing frames light the destinations

    def __init__(self) -> None:
        self.frames: dict[int, int] = {}
        """How many frames in a row each emptied place has been empty."""
        self.since_ms: dict[int, int] = {}
        self.shown: int | None = None

    def watch(self, emptied: Sequence[int], t_ms: int) -> bool:
        """Take in a frame's emptied places; whether the tower to show has changed."""
        self.frames = {k: self.frames.get(k, 0) + 1 for k in emptied}
        self.since_ms = {k: self.since_ms.get(k, t_ms) for k in emptied}
        up = [k for k, n in self.frames.items() if n >= self._SHOWN_FRAMES]
        shown = self.shown if self.shown in self.frames else (up[0] if up else None)
        changed = shown != self.shown
        self.shown = shown
        return changed

    @property
    def replied(self) -> bool:
        """Whether just one tower was lifted in this very frame, and at most one is gone besides."""
        return list(self.frames.values()).count(1) == 1 and len(self.frames) <= 2

    def is_up(self, place: int) -> bool:
        """Whether this place's tower is in the air for certain."""
        return self.frames.get(place, 0) >= self._SHOWN_FRAMES

"""When the recogniser believes what. Times in ms, leads and costs in minus two log-likelihoods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

Curve = tuple[tuple[int, float], ...]
"""A piecewise linear function of the time at rest in ms."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """The thresholds of the recogniser; what the sample traces taught, with room to spare."""

    settle_ms: int = 150
    """A legal move stands after so long at rest."""
    settle_illegal_ms: int = 260
    settle_home_ms: int = 240
    """A piece that was put back, or nudged, is taken as it stands."""
    settle_tower_ms: int = 2500
    """A tower that reads otherwise, but was never empty, may have lost a piece that is in a hand."""
    removed_ms: int = 800
    """A piece taken off the board counts as gone after so long."""
    least_rest_ms: int = 35
    """Nothing is weighed against a hand before this."""
    patience_ms: int = 700
    """After so long at rest, a story ahead by less will do."""
    lost_ms: int = 1200
    """A board at rest that no story explains for so long has been knocked over."""
    lead: float = 20.0
    least_lead: float = 8.0
    illegal_cost: float = 8.0
    split_cost: float = 14.0
    order_cost: float = 30.0
    """For setting towers down in another order than they were lifted."""
    misfit: float = 5.0
    """More than this per place around, and the story is not what happened."""
    misfit_tall: float = 4.2
    """The same on a tower of `tall` pieces or more, whose small effects are well known."""
    tall: int = 3
    milestone_lead: float = 12.0
    milestone_frames: int = 3
    reply_ms: int = 420
    """A lift of another tower speaks for the one before to stand, like so much more time at rest."""
    milestone_kept_ms: int = 100
    """The first signs of a lift may hide for so long what stood before it."""
    low_mm: float = 6.0
    brisk: Curve = ((150, 2.0), (240, -5.5), (700, -6.5), (3000, -9.0))
    """How much worse a hold below `low_mm` must fit than standing, where no hand was seen to rest low."""
    careful: Curve = ((150, 4.0), (470, 3.0), (580, -5.5), (1200, -6.5), (3000, -9.0))
    """The same where they were: on a tall tower only time tells a piece that stands from one held close."""
    touching_mm: float = 2.7
    touching: Curve = ((150, 2.0), (300, -7.0), (600, -20.0))
    """The same where the best hold is as low as is tried: nobody holds a piece that close for long."""
    high: Curve = ((150, 6.0), (500, 3.0), (900, 0.0), (3000, -4.0))
    """The same for a hold as high as hands carry and wait."""
    low_rest_ms: int = 120
    low_rest_lead: float = -14.0
    least_low_mm: float = 2.6
    low_rest_mm: float = 11.0
    """A hand that rests so long, so surely and so low is one of those that do."""
    illegal_lead: float = 30.0
    wide_frames: int = 8
    wide_every: int = 4
    """At rest for so many frames, every so many frames all places are thought of, not only the stirred."""
    ask_ms: int = 1500
    """After so long at rest with several legal moves about equally likely, the players are asked."""
    ask_hand_ms: int = 600
    """An occupancy board asks for the destination after so long, since the piece may be in a hand."""
    ask_within: float = 12.0
    """Moves that fit so much worse than the best are not worth asking about."""


def interpolate(points: Sequence[tuple[int, float]], at: float) -> float:
    """The piecewise linear function through `points`, level beyond its ends."""
    for (x0, y0), (x1, y1) in pairwise(points):
        if at <= x1:
            return y0 if at <= x0 else y0 + (y1 - y0) * (at - x0) / (x1 - x0)
    return points[-1][1]

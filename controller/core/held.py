"""A tower over one place, held or seated: how well each pose of it fits what is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

from controller.core.pose import Pose, fit_pose

if TYPE_CHECKING:
    from controller.core.belief import Belief

SEAT_MT = 1.6
"""How far a piece's own reading moves when it is set down anew."""
ASIDE_MM = 1.2
"""How far aside a seated tower usually lies."""
_MARK_MOST = 5.0
_MARK_BEYOND = 0.15


@dataclass(frozen=True, slots=True)
class Hover:
    """How a piece in a hand compares with one that stands.

    `lead` is how much worse the hand fits; `clearance_mm` is the height above what lies below at
    which it fits best, `place` the place it is nearest to then.
    """

    lead: float
    clearance_mm: float
    place: int


def _soften(mark: float) -> float:
    """A mark whose part beyond the usual counts little, yet still says which way is better."""
    if mark > _MARK_MOST:
        return _MARK_MOST + _MARK_BEYOND * (mark - _MARK_MOST)
    if mark < -_MARK_MOST:
        return -_MARK_MOST + _MARK_BEYOND * (mark + _MARK_MOST)
    return mark


class Held:
    """The fit of a tower over one place, at any pose."""

    def __init__(
        self,
        belief: Belief,
        rest: Mapping[int, int],
        shifts: Mapping[int, float],
        pieces: int,
        felt: Sequence[int],
        *,
        seat: int | None = None,
    ) -> None:
        model = belief.model
        self._belief, self._rest, self._pieces = belief, rest, pieces
        self._table = model.hand_table
        self._felt = [(k, shifts.get(k, 0.0)) for k in felt]
        self._at = [model.positions_mm[k] for k in felt]
        self._seated = seat
        self._targets = [belief.off[k] - shift for k, shift in self._felt]
        self._weights = [1.0 / self._spread(k) for k in felt]

    def _spread(self, k: int) -> float:
        if k in self._rest or k == self._seated:
            return SEAT_MT
        return sqrt(self._belief.variance(k))

    def cost(self, pose: Pose) -> float:
        """The cost of all places that feel the tower, held at `pose`."""
        fields = self._table.tower(self._pieces, pose, self._at)
        felt = sum(self._one(k, shift + field) for (k, shift), field in zip(self._felt, fields, strict=True))
        return felt + sum(mark * mark for mark in self._aside(pose))

    def _aside(self, pose: Pose) -> tuple[float, ...]:
        """How far a seated tower lies aside, in units of what is usual."""
        if self._seated is None:
            return ()
        x_mm, y_mm = self._belief.model.positions_mm[self._seated]
        return ((pose[0] - x_mm) / ASIDE_MM, (pose[1] - y_mm) / ASIDE_MM)

    def _one(self, k: int, shift: float) -> float:
        belief = self._belief
        if k in self._rest:
            return belief.changed_cost(k, self._rest[k], shift)
        off = belief.off[k] - shift
        if k == self._seated:
            return belief.seated_cost(off)
        return belief.unchanged_cost(k, off)

    def _marks(self, pose: Pose) -> list[float]:
        fields = self._table.tower(self._pieces, pose, self._at)
        return [
            _soften((target - field) * weight)
            for target, weight, field in zip(self._targets, self._weights, fields, strict=True)
        ] + list(self._aside(pose))

    def best(self, start: Pose, least_z_mm: float, most_z_mm: float) -> tuple[float, Pose]:
        """The least cost near `start` with the tower's bottom between these heights, and its pose."""
        pose = fit_pose(self._marks, start, least_z_mm, most_z_mm)
        return min((self.cost(start), start), (self.cost(pose), pose))

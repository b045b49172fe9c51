"""What is believed to stand on a field board, and how well other explanations fit what is read.

A `Belief` holds the towers that stand, what each place should therefore read, and the offset of each
place from that: a piece never stands quite in the middle, so an occupied place's own reading is
known only from what it was before, while its effect on the places around is known to a hundredth of
a mT. Costs are minus two log-likelihoods against the belief itself; lower is better.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import hypot, log

from controller.core.fieldmodel import FieldModel
from controller.core.places import Places

After = Mapping[int, int]
"""What a story leaves behind: place to number of pieces, for the places it changes."""

_MODEL_MT = 0.012
"""What the field model itself is off by, per place."""
_SEAT_MT = 1.6
"""How far a piece's own reading moves when it is set down anew."""
_RESEAT_COST = 7.0
"""Twice the log of seat over noise: the price of a place whose own reading is free."""
_NUDGE_COST = 16.0
"""The price of explaining a place by a nudge of its piece; caps what one neighbour can say."""
_NUDGE_MOST = 50.0
_EMPTY_MOST = 100.0
_MISFIT_MOST = 12.0
_EMPTY_MT = 0.15
"""What a place that was covered until now may read when empty: the magnets around are not all alike."""
_SEAT_SHARE = 0.08
"""A piece set down a millimetre aside changes what it adds to its neighbours by about this share."""
_LEAST_SHIFT_MT = 0.05
_TRACK = 0.06
"""Share of the difference that an undisturbed place's offset takes over in a frame."""

HOVER_CLEARANCES_MM = (2.4, 3.1, 3.9, 4.9, 6.2, 8.0, 10.5, 14.0, 18.0, 24.0, 32.0, 45.0)
"""Heights above what lies below at which a hand is tried, before one concludes that a piece stands."""
_HOVER_COST = 3.0
_DIRECTIONS = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))


class Belief:
    """The towers believed to stand and the fit of stories that differ from them."""

    def __init__(self, model: FieldModel, places: Places, heights: Iterable[int]) -> None:
        self.model = model
        self.places = places
        self.heights = list(heights)
        self.scene = model.scene(self.heights)
        self.offset = [0.0] * places.count
        self.base_cost = [0.0] * places.count

    def settle(self, after: After) -> None:
        """Believe that `after` stands now; the changed places' offsets are read off afresh."""
        cross = self.model.cross
        for j, h in after.items():
            before = self.heights[j]
            for k, row in enumerate(cross):
                self.scene[k] += row[j][h] - row[j][before]
            self.heights[j] = h
        for j in after:
            self.reseat(j)

    def reseat(self, place: int) -> None:
        """Take a place's present mean as what its piece reads from now on."""
        known = self.places.length[place] > 0
        self.offset[place] = self.places.mean[place] - self.scene[place] if known else 0.0

    def expected(self, place: int) -> float:
        """What a place should read."""
        return self.scene[place] + self.offset[place]

    def residual(self, place: int) -> float:
        """How far a place's mean is off what it should read."""
        return self.places.mean[place] - self.scene[place] - self.offset[place]

    def follow(self, quiet: Iterable[int]) -> None:
        """Let the offsets of undisturbed places follow slow drift."""
        for k in quiet:
            self.offset[k] += _TRACK * self.residual(k)

    def refresh(self) -> None:
        """Work out every place's cost under the belief itself; call once a frame before `cost`."""
        self.base_cost = [
            self._unchanged(k, self.residual(k)) if self.places.usable[k] else 0.0 for k in range(self.places.count)
        ]

    def _unchanged(self, k: int, off: float, shift: float = 0.0) -> float:
        """The cost of place k, `off` its mark, where pieces set down anew add `shift` to it."""
        variance = self.places.variance(k) + _MODEL_MT * _MODEL_MT
        tight = off * off / variance
        if shift > _LEAST_SHIFT_MT or shift < -_LEAST_SHIFT_MT:
            more = 1.0 + _SEAT_SHARE * _SEAT_SHARE * shift * shift / variance
            tight = tight / more + log(more)
        if self.heights[k] == 0:
            return min(tight, _EMPTY_MOST)
        if tight < _NUDGE_COST:
            return tight
        return _NUDGE_COST + min(off * off / (_SEAT_MT * _SEAT_MT), _NUDGE_MOST)

    def _changed(self, k: int, h: int, shift: float) -> float:
        """The cost of place k whose tower became h high; `shift` is what the others add to it."""
        if h == 0:
            off = self.places.mean[k] - self.scene[k] - shift
            spread = self.places.variance(k) + _MODEL_MT * _MODEL_MT + _EMPTY_MT * _EMPTY_MT
            return min(off * off / spread, _EMPTY_MOST)
        off = self.places.mean[k] - self.scene[k] - shift
        if self.heights[k]:
            off -= self.offset[k]
        return _RESEAT_COST + min(off * off / (_SEAT_MT * _SEAT_MT), _NUDGE_MOST)

    def cost(self, after: After) -> float:
        """How much worse (or better, below zero) `after` fits than the belief itself."""
        shifts = self._shifts(after)
        usable, base = self.places.usable, self.base_cost
        total = 0.0
        for k, shift in shifts.items():
            if usable[k]:
                if k in after:
                    total += self._changed(k, after[k], shift) - base[k]
                else:
                    total += self._unchanged(k, self.residual(k) - shift, shift) - base[k]
        return total

    def _shifts(self, after: After) -> dict[int, float]:
        """What each place near a change should read more than now."""
        shifts: dict[int, float] = {}
        cross, heights = self.model.cross, self.heights
        for j, h in after.items():
            before = heights[j]
            if h != before:
                for k in self.model.near[j]:
                    column = cross[k][j]
                    shifts[k] = shifts.get(k, 0.0) + column[h] - column[before]
            else:
                shifts.setdefault(j, 0.0)
        return shifts

    def misfit(self, after: After, around: Iterable[int]) -> float:
        """The mean cost of the unchanged usable places in `around` if `after` stands: about 1 if it does."""
        shifts = self._shifts(after)
        costs = [
            min(self._unchanged(k, self.residual(k) - shifts.get(k, 0.0), shifts.get(k, 0.0)), _MISFIT_MOST)
            for k in around
            if k not in after and self.places.usable[k]
        ]
        return sum(costs) / len(costs) if costs else 0.0

    def hover_cost(self, rest: After, pieces: int, over: int) -> float:
        """The least cost of holding `pieces` in a hand closely above place `over`, `rest` standing."""
        x_mm, y_mm = self.model.positions_mm[over]
        top_mm = rest.get(over, self.heights[over]) * self.model.parameters.pawn_mm
        shifts = self._shifts(rest)
        reached = self.model.near[over]
        fixed = sum(
            (self._changed(k, rest[k], s) if k in rest else self._unchanged(k, self.residual(k) - s)) - self.base_cost[k]
            for k, s in shifts.items()
            if self.places.usable[k] and k not in reached
        )
        ready = [
            (k, shifts.get(k, 0.0), self.model.positions_mm[k]) for k in reached if self.places.usable[k]
        ]

        def at(x: float, y: float, clearance_mm: float) -> float:
            total = 0.0
            bz_mt = self.model.hand_table.bz_mt
            for k, shift, (px, py) in ready:
                shift += bz_mt(pieces, hypot(px - x, py - y), top_mm + clearance_mm)
                if k in rest:
                    total += self._changed(k, rest[k], shift)
                else:
                    total += self._unchanged(k, self.residual(k) - shift)
                total -= self.base_cost[k]
            return total

        best, clearance_mm = min((at(x_mm, y_mm, c), c) for c in HOVER_CLEARANCES_MM)
        for step_mm in (4.0, 2.5, 1.5):
            for dx, dy, dc in _DIRECTIONS:
                x, y, c = x_mm + step_mm * dx, y_mm + step_mm * dy, clearance_mm * (1.0 + 0.06 * step_mm * dc)
                if c >= HOVER_CLEARANCES_MM[0] and (aside := at(x, y, c)) < best:
                    best, x_mm, y_mm, clearance_mm = aside, x, y, c
        return best + fixed + _HOVER_COST

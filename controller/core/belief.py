"""What is believed to stand on a field board, and how well other explanations fit what is read.

A `Belief` holds the towers that stand, what each place should therefore read, and the offset of each
place from that: a piece never stands quite in the middle, so an occupied place's own reading is
known only from what it was before, while its effect on the places around is known to a hundredth of
a mT. Costs are minus two log-likelihoods against the belief itself; lower is better.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import log

from controller.core.fieldmodel import FieldModel
from controller.core.held import SEAT_MT, Held, Hover
from controller.core.places import Places

After = Mapping[int, int]
"""What a story leaves behind: place to number of pieces, for the places it changes."""

_MODEL_MT = 0.012
"""What the field model itself is off by, per place."""
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
_OLD = 16
_TRACK = 0.06
"""Share of the difference that an undisturbed place's offset takes over in a frame."""

HOVER_CLEARANCES_MM = (2.4, 3.1, 3.9, 4.9, 6.2, 8.0, 10.5, 14.0, 18.0, 24.0, 32.0, 45.0)
"""Heights above what lies below at which a hand is tried, before one concludes that a piece stands."""
_HOVER_COST = 3.0
_SEATED_MOST_MM = 0.4
_CEILING_MM = 90.0
_BRIGHT = 1
_BRIGHT_MT = 0.25


class Belief:
    """The towers believed to stand and the fit of stories that differ from them."""

    def __init__(self, model: FieldModel, places: Places, heights: Iterable[int]) -> None:
        self.model = model
        self.places = places
        self.heights = list(heights)
        self.scene = model.scene(self.heights)
        self.offset = [0.0] * places.count
        self.base_cost = [0.0] * places.count
        self.seen = list(places.mean)
        """What each place reads, as the mean of the frames that count as evidence now."""
        self.off = [0.0] * places.count
        """How far each place is seen to read off what it should."""
        self._weight = [1.0] * places.count
        self._age = [1] * places.count
        """How many frames each offset rests on."""
        self._frames = 1

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
        self.offset[place] = self.seen[place] - self.scene[place]
        self._age[place] = self._frames

    def expected(self, place: int) -> float:
        """What a place should read."""
        return self.scene[place] + self.offset[place]

    def follow(self, quiet: Iterable[int]) -> None:
        """Let the offsets of undisturbed places follow slow drift."""
        for k in quiet:
            value = self.places.value[k]
            if value is not None:
                self._age[k] += 1
                self.offset[k] += max(_TRACK, 1.0 / self._age[k]) * (value - self.expected(k))

    def look(self, frames: int) -> None:
        """Take the last `frames` as the evidence; call once a frame before anything is weighed."""
        self.seen = self.places.means(frames)
        self._frames = frames
        count, usable, noise = self.places.count, self.places.usable, self.places.noise
        self.off = [self.seen[k] - self.scene[k] - self.offset[k] for k in range(count)]
        share = [1.0 / frames + 1.0 / min(self._age[k], _OLD) for k in range(count)]
        self._weight = [1.0 / (noise[k] * noise[k] * share[k] + _MODEL_MT * _MODEL_MT) for k in range(count)]
        self.base_cost = [self.unchanged_cost(k, self.off[k]) if usable[k] else 0.0 for k in range(count)]

    def variance(self, k: int) -> float:
        """The variance of what place k is seen to read, in mT²."""
        return 1.0 / self._weight[k]

    def unchanged_cost(self, k: int, off: float, shift: float = 0.0) -> float:
        """The cost of place k, `off` its mark, where pieces set down anew add `shift` to it."""
        tight = off * off * self._weight[k]
        if shift > _LEAST_SHIFT_MT or shift < -_LEAST_SHIFT_MT:
            more = 1.0 + _SEAT_SHARE * _SEAT_SHARE * shift * shift * self._weight[k]
            tight = tight / more + log(more)
        if self.heights[k] == 0:
            return min(tight, _EMPTY_MOST)
        if tight < _NUDGE_COST:
            return tight
        return _NUDGE_COST + min(off * off / (SEAT_MT * SEAT_MT), _NUDGE_MOST)

    def changed_cost(self, k: int, h: int, shift: float) -> float:
        """The cost of place k whose tower became h high; `shift` is what the others add to it."""
        off = self.seen[k] - self.scene[k] - shift
        if h == 0:
            return min(off * off / (self.variance(k) + _EMPTY_MT * _EMPTY_MT), _EMPTY_MOST)
        if self.heights[k]:
            off -= self.offset[k]
        return self.seated_cost(off)

    @staticmethod
    def seated_cost(off: float) -> float:
        """The cost of a place whose piece was set down anew and reads `off` more than the model says."""
        return _RESEAT_COST + min(off * off / (SEAT_MT * SEAT_MT), _NUDGE_MOST)

    def cost(self, after: After) -> float:
        """How much worse (or better, below zero) `after` fits than the belief itself."""
        usable, base, off, unchanged = self.places.usable, self.base_cost, self.off, self.unchanged_cost
        total = 0.0
        for k, shift in self.shifts(after).items():
            if usable[k]:
                here = (
                    self.changed_cost(k, after[k], shift)
                    if k in after
                    else unchanged(k, off[k] - shift, shift)
                )
                total += here - base[k]
        return total

    def shifts(self, after: After) -> dict[int, float]:
        """What each place near a change should read more than now."""
        shifts: dict[int, float] = {}
        heights = self.heights
        for j, h in after.items():
            before = heights[j]
            if h == before:
                shifts.setdefault(j, 0.0)
                continue
            for k, column in self.model.felt_by[j]:
                shifts[k] = shifts.get(k, 0.0) + column[h] - column[before]
        return shifts

    def misfit(self, after: After, around: Iterable[int]) -> float:
        """The mean cost of the unchanged usable places in `around` if `after` stands: about 1 if it does."""
        shifts = self.shifts(after)
        costs = [
            min(
                self.unchanged_cost(k, self.off[k] - shifts.get(k, 0.0), shifts.get(k, 0.0)),
                _MISFIT_MOST,
            )
            for k in around
            if k not in after and self.places.usable[k]
        ]
        return sum(costs) / len(costs) if costs else 0.0

    def hover(self, rest: After, pieces: int, over: int) -> Hover:
        """How much worse it fits that a hand holds `pieces` somewhere than that they stand on `over`.

        `rest` is what stands in either case. A tower set down may stand a little aside; one in a hand
        is looked for close above `over` and above the places that read the most too much.
        """
        shifts = self.shifts(rest)
        starts = [over, *self._bright(rest, shifts, over)]
        felt = list(
            dict.fromkeys(k for start in starts for k in self.model.near[start] if self.places.usable[k])
        )
        pawn_mm = self.model.parameters.pawn_mm
        held = Held(self, rest, shifts, pieces, felt)
        seated = Held(self, rest, shifts, pieces, felt, seat=over)
        x_mm, y_mm = self.model.positions_mm[over]
        top_mm = rest.get(over, self.heights[over]) * pawn_mm
        stands, _ = seated.best((x_mm, y_mm, top_mm), top_mm, top_mm + _SEATED_MOST_MM)
        hovers = []
        for start in starts:
            x_mm, y_mm = self.model.positions_mm[start]
            top_mm = rest.get(start, self.heights[start]) * pawn_mm
            clearance_mm = min(HOVER_CLEARANCES_MM, key=lambda c: held.cost((x_mm, y_mm, top_mm + c)))
            least_mm = HOVER_CLEARANCES_MM[0] + (top_mm if start == over else 0.0)
            cost, pose = held.best((x_mm, y_mm, top_mm + clearance_mm), least_mm, _CEILING_MM)
            hovers.append((cost, pose[2] - top_mm, self.model.nearest(pose[0], pose[1])))
        cost, clearance_mm, place = min(hovers)
        return Hover(cost + _HOVER_COST - stands, clearance_mm, place)

    def _bright(self, rest: After, shifts: Mapping[int, float], over: int) -> list[int]:
        """The places, `over` aside, that read the most more than they should with `rest` standing."""
        more = [
            (self.off[k] - shifts.get(k, 0.0), k)
            for k in range(self.places.count)
            if k != over and k not in rest and self.places.usable[k]
        ]
        return [k for excess, k in sorted(more, reverse=True)[:_BRIGHT] if excess > _BRIGHT_MT]

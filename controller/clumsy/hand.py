"""What clumsy hands do with towers, as steps of the simulated hand.

Every method gives the steps of one gesture from an empty hand to an empty hand; durations and
heights are drawn from what hands take. A gap is the height of a tower's underside above what
stands below.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from random import Random

from hardware.simulator.hand import Glide, Grab, Lower, Release, Step, Wait, Wear
from hardware.simulator.table import Table

_US = 1000
_LIFT_MS = (60, 300)
_LOWER_MS = (120, 260)
_TRAVEL_MM_S = (60.0, 170.0)
_AIM_MS = (60, 400)
"""Above the destination, before a piece is set down."""
_LINGER_MS = (300, 1200)
_HIGH_GAP_MM = (12.0, 32.0)
_LOW_GAP_MM = (4.5, 8.0)
_LOW_REST_MS = (300, 450)
_HOVER_GAP_MM = (11.0, 20.0)
_HOVER_MS = (500, 1500)
_WOBBLE_MS = (30, 80)
_WOBBLE_MM = 1.2
_BRACELET_STRENGTH = (0.5, 0.8)
_BRACELET_MM = (25.0, 32.0)
_BRACELET_MM_S = (60.0, 150.0)
_AWAY_MM = 250.0
_SINKS = 0.5
"""How often a tower that rests low sinks to the same gap over a place that is lower than the way."""


class ClumsyHand:
    """Makes gestures over one table; cells are names of its board."""

    def __init__(self, table: Table, rng: Random) -> None:
        self._table = table
        self._rng = rng

    def move_high(self, origin: str, target: str, count: int, *, linger: bool, hover: bool) -> list[Step]:
        """Carry well above everything; perhaps wait up there, perhaps wait close over the target."""
        way = (self._at(origin), self._at(target))
        below_mm = max(self._top_mm(way, origin), self._stays_mm(origin, count))
        clearance_mm = below_mm + self._draw(_HIGH_GAP_MM)
        steps = [*self._take(origin, count, clearance_mm)]
        if linger:
            steps.append(self._wait(_LINGER_MS))
        steps.append(self._travel(*way))
        if hover:
            steps += self._hover()
        return [*steps, *self._set_down()]

    def move_low(
        self, origin: str, over: Sequence[str], target: str, count: int, *, hover: bool
    ) -> list[Step]:
        """Carry just above what stands on the way, resting over some of the places of `over`."""
        gap_mm = self._draw(_LOW_GAP_MM)
        way = [self._at(cell) for cell in (origin, *over, target)]
        tops_mm = [self._top_mm(leg, origin) for leg in pairwise(way)]
        steps = [*self._take(origin, count, max(tops_mm[0], self._stays_mm(origin, count)) + gap_mm)]
        for number, (start, end) in enumerate(pairwise(way)):
            if number:
                steps.append(Glide(self._us((60, 140)), clearance_mm=tops_mm[number] + gap_mm))
            steps.append(self._travel(start, end))
            if number < len(over):
                if self._rng.random() < _SINKS:
                    steps.append(Lower(self._us((60, 140)), gap_mm))
                steps.append(self._wait(_LOW_REST_MS))
        if hover:
            steps += self._hover()
        return [*steps, *self._set_down()]

    def put_back(self, origin: str, count: int) -> list[Step]:
        """Lift, think, and set down again."""
        steps = self._take(origin, count, self._rng.uniform(12.0, 55.0))
        return [*steps, self._wait((100, 900)), Lower(self._us(_LOWER_MS)), Release()]

    def nudge(self, cell: str) -> list[Step]:
        """Make a tower wobble, so that it stands a little differently."""
        x_mm, y_mm = self._at(cell)
        steps: list[Step] = [Grab(x_mm, y_mm)]
        for _ in range(self._rng.randint(1, 3)):
            dx_mm, dy_mm = (self._rng.uniform(-_WOBBLE_MM, _WOBBLE_MM) for _ in range(2))
            up_mm = self._rng.uniform(0.2, _WOBBLE_MM)
            steps.append(Glide(self._us(_WOBBLE_MS), x_mm + dx_mm, y_mm + dy_mm, up_mm))
        return [*steps, Lower(self._us(_WOBBLE_MS)), Release()]

    def wave(self, over: Sequence[str]) -> list[Step]:
        """Pass with a steel bracelet low over some cells and away."""
        way = [self._at(cell) for cell in over]
        height_mm, speed_mm_s = self._draw(_BRACELET_MM), self._draw(_BRACELET_MM_S)
        steps: list[Step] = [Wear(self._draw(_BRACELET_STRENGTH), *way[0], _AWAY_MM)]
        steps.append(Glide(self._us((300, 700)), clearance_mm=height_mm))
        for start, end in pairwise(way):
            steps.append(Glide(round(math.dist(start, end) / speed_mm_s * 1e6), *end))
        return [*steps, Glide(self._us((300, 700)), clearance_mm=_AWAY_MM), Release()]

    def pause(self, range_ms: tuple[int, int]) -> Wait:
        """Keep still for a while."""
        return self._wait(range_ms)

    def _take(self, origin: str, count: int, clearance_mm: float) -> list[Step]:
        x_mm, y_mm = self._at(origin)
        return [Grab(x_mm, y_mm, count), Glide(self._us(_LIFT_MS), clearance_mm=clearance_mm)]

    def _set_down(self) -> list[Step]:
        return [self._wait(_AIM_MS), Lower(self._us(_LOWER_MS)), Release()]

    def _hover(self) -> list[Step]:
        return [Lower(self._us((100, 250)), self._draw(_HOVER_GAP_MM)), self._wait(_HOVER_MS)]

    def _stays_mm(self, origin: str, count: int) -> float:
        return (len(self._table.stacks().get(origin, ())) - count) * self._table.board.pawn_mm

    def _top_mm(self, way: Sequence[tuple[float, float]], origin: str) -> float:
        """How high what stands on the way reaches, the tower that is carried away aside."""
        own = self._at(origin)
        (x0, y0), (x1, y1) = way
        parts = max(1, math.ceil(math.dist(*way) / 5.0))
        places = [(x0 + (x1 - x0) * n / parts, y0 + (y1 - y0) * n / parts) for n in range(parts + 1)]
        return max(self._table.top_mm(*place, besides=own) for place in places)

    def _at(self, cell: str) -> tuple[float, float]:
        place = self._table.board.cell(cell)
        return place.x_mm, place.y_mm

    def _draw(self, limits: tuple[float, float]) -> float:
        return self._rng.uniform(*limits)

    def _us(self, range_ms: tuple[int, int]) -> int:
        return self._rng.randint(*range_ms) * _US

    def _wait(self, range_ms: tuple[int, int]) -> Wait:
        return Wait(self._us(range_ms))

    def _travel(self, start: tuple[float, float], end: tuple[float, float]) -> Glide:
        return Glide(round(math.dist(start, end) / self._draw(_TRAVEL_MM_S) * 1e6), *end)

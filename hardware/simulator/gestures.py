"""What people do with towers, as steps of a hand: moves in several manners, and all the clumsiness.

Durations are drawn from what hands take; the same random generator gives the same gesture.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from random import Random

from hardware.simulator.hand import Glide, Grab, Lower, Nudge, Release, Step, Wait, Wear
from hardware.simulator.table import Carried, Table

_MS = 1000
_HIGH_MM = 55.0  # well above a tower of five
_LOW_GAP_MM = 6.0
_SLIDE_GAP_MM = 0.8
_FALL_MM = 12.0
_SWEEP_MS = 70
"""How quickly an arm that knocks against towers lifts each of them, and twice that to be past the edge."""
_BESIDE = 1.36
"""How far from the outermost holes a tower lies that was laid aside, in pitches."""


class Manner(Enum):
    """How a tower travels."""

    HIGH = "high"  # well above everything
    LOW = "low"  # a few millimetres above the towers on its way
    SLIDE = "slide"  # touching them


@dataclass(frozen=True, slots=True)
class Pace:
    """How quick a hand is: ranges in ms, and mm a second across the board."""

    lift_ms: tuple[int, int] = (160, 320)
    lower_ms: tuple[int, int] = (140, 280)
    think_ms: tuple[int, int] = (300, 1200)
    travel_mm_s: tuple[float, float] = (120.0, 320.0)


class Gestures:
    """Makes the steps of gestures over one table. Cells are names of the board file."""

    def __init__(self, table: Table, rng: Random, pace: Pace | None = None) -> None:
        self._table = table
        self._rng = rng
        self._pace = pace or Pace()

    def move(
        self,
        origin: str,
        target: str,
        manner: Manner = Manner.HIGH,
        count: int | None = None,
        via: Sequence[str] = (),
    ) -> list[Step]:
        """Take the tower on `origin`, or its `count` top pieces, to `target`, past the cells of `via`."""
        way = [self._place(name) for name in (origin, *via, target)]
        clearance_mm = self._clearance(way, origin, manner, count)
        steps = self.lift(origin, clearance_mm, count)
        for start, end in pairwise(way):
            steps.append(self._travel(start, end))
        return [*steps, self._lower(), Release()]

    def lift(self, origin: str, clearance_mm: float = _HIGH_MM, count: int | None = None) -> list[Step]:
        """Take a tower, or its `count` top pieces, and raise it straight up; it stays in the hand."""
        x_mm, y_mm = self._place(origin)
        return [
            Grab(x_mm, y_mm, count),
            Glide(self._draw_us(self._pace.lift_ms), clearance_mm=clearance_mm),
        ]

    def put(self, target: str) -> list[Step]:
        """Bring what is in the hand over `target` and set it down."""
        x_mm, y_mm = self._place(target)
        travel = Glide(self._draw_us(self._pace.lift_ms), x_mm, y_mm)
        return [travel, self._lower(), Release()]

    def put_back(self, origin: str, count: int | None = None) -> list[Step]:
        """Lift, think, and set down where it was."""
        return [*self.lift(origin, count=count), self.think(), self._lower(), Release()]

    def hover(self, origin: str, over: Sequence[str], target: str) -> list[Step]:
        """Hold the tower low over some cells, thinking over each, then set it down on `target`."""
        way = [self._place(name) for name in (origin, *over, target)]
        steps = self.lift(origin, self._clearance(way, origin, Manner.LOW))
        for start, end in pairwise(way):
            steps += [self._travel(start, end), self.think()]
        return [*steps, self._lower(), Release()]

    def nudge(self, cell: str) -> list[Step]:
        """Touch a tower in passing."""
        x_mm, y_mm = self._place(cell)
        return [Nudge(x_mm, y_mm)]

    def drop(self, origin: str, target: str, count: int | None = None) -> list[Step]:
        """Let the tower fall on `target` from some height, so that it stands a little askew."""
        steps = self.move(origin, target, count=count)
        return [*steps[:-2], self._lower(_FALL_MM), Release(), *self.nudge(target)]

    def stumble(self, origin: str, wrong: str, target: str, count: int) -> list[Step]:
        """Set a tower of `count` pieces down on `wrong`, see the mistake, and take it on to `target`."""
        return [*self.move(origin, wrong), self.think(), *self.move(wrong, target, count=count)]

    def wave(self, over: Sequence[str], strength: float = 0.3, clearance_mm: float = 45.0) -> list[Step]:
        """Pass with a bracelet, whose magnet has `strength` pieces' field, over some cells and away."""
        way = [self._place(name) for name in over]
        x_mm, y_mm = way[0]
        steps: list[Step] = [Wear(strength, x_mm, y_mm, clearance_mm)]
        for start, end in pairwise(way):
            steps.append(self._travel(start, end))
        return [*steps, Glide(self._draw_us(self._pace.lift_ms), clearance_mm=300.0), Release()]

    def carry(self, held: Carried, target: str, gap_mm: float | None = None) -> list[Step]:
        """Bring what is held over `target`: high up, or `gap_mm` above all that stands on the way."""
        way = [(held.x_mm, held.y_mm), self._place(target)]
        up_mm = _HIGH_MM
        if gap_mm is not None:
            up_mm = gap_mm + max(self._table.top_mm(*place) for place in _between(way))
        return [Glide(self._draw_us(self._pace.lift_ms), clearance_mm=up_mm), self._travel(*way)]

    def hold_over(self, held: Carried, target: str, gap_mm: float, duration_ms: int) -> list[Step]:
        """Bring what is held over `target`, sink to `gap_mm` above what stands there, and stay a while."""
        return [*self.carry(held, target), self._lower(gap_mm), Wait(duration_ms * _MS)]

    def let_go(self) -> list[Step]:
        """Set down what is held, straight below."""
        return [self._lower(), Release()]

    def return_held(self, held: Carried) -> list[Step]:
        """Set down what is held where it was taken."""
        home = self._place(held.origin) if isinstance(held.origin, str) else held.origin
        return [self._travel((held.x_mm, held.y_mm), home), *self.let_go()]

    def lay_aside(self, held: Carried) -> list[Step]:
        """Set down what is held beside the board."""
        (spot,) = self._spots_beside([(held.x_mm, held.y_mm)])
        return [self._travel((held.x_mm, held.y_mm), spot), *self.let_go()]

    def sweep(self, cells: Sequence[str]) -> list[Step]:
        """Knock the towers on these cells off the board with an arm, one right after the other."""
        places = [self._place(cell) for cell in cells]
        steps: list[Step] = []
        for cell, place, spot in zip(cells, places, self._spots_beside(places), strict=True):
            up_mm = self._clearance((place, spot), cell, Manner.SLIDE)
            steps += [Grab(*place), Glide(_SWEEP_MS * _MS, clearance_mm=up_mm)]
            steps += [Glide(2 * _SWEEP_MS * _MS, *spot), Lower(_SWEEP_MS * _MS), Release()]
        return steps

    def think(self) -> Wait:
        """Keep still for a while."""
        return Wait(self._draw_us(self._pace.think_ms))

    def _place(self, cell: str) -> tuple[float, float]:
        place = self._table.board.cell(cell)
        return place.x_mm, place.y_mm

    def _spots_beside(self, places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        """A free spot beside the board for each of these places, on the nearer side, about level."""
        board = self._table.board
        xs = [x for x, _ in board.positions_mm]
        step_mm = board.pawn_diameter_mm * 1.05
        taken = [(x, y) for x, y, _ in self._table.loose()]
        spots = []
        for x_mm, y_mm in places:
            right = 2.0 * x_mm >= min(xs) + max(xs)
            beside_mm = max(xs) + _BESIDE * board.pitch_mm if right else min(xs) - _BESIDE * board.pitch_mm
            steps = (sign * n * step_mm for n in range(len(taken) + 1) for sign in (1, -1))
            spot = next(
                (beside_mm, y_mm + step)
                for step in steps
                if all(math.dist((beside_mm, y_mm + step), other) >= step_mm * 0.99 for other in taken)
            )
            taken.append(spot)
            spots.append(spot)
        return spots

    def _draw_us(self, range_ms: tuple[int, int]) -> int:
        return self._rng.randint(*range_ms) * _MS

    def _travel(self, start: tuple[float, float], end: tuple[float, float]) -> Glide:
        speed = self._rng.uniform(*self._pace.travel_mm_s)
        return Glide(round(math.dist(start, end) / speed * 1000.0 * _MS), *end)

    def _lower(self, above_mm: float = 0.0) -> Lower:
        return Lower(self._draw_us(self._pace.lower_ms), above_mm)

    def _clearance(
        self, way: Sequence[tuple[float, float]], origin: str, manner: Manner, count: int | None = None
    ) -> float:
        """How high to travel: over everything, or just over what stands on the way."""
        if manner is Manner.HIGH:
            return _HIGH_MM
        gap_mm = _LOW_GAP_MM if manner is Manner.LOW else _SLIDE_GAP_MM
        own = self._place(origin)
        stays = len(self._table.stacks().get(origin, ())) - count if count is not None else 0
        tops_mm = [stays * self._table.board.pawn_mm]
        tops_mm += [self._table.top_mm(*place, besides=own) for place in _between(way)]
        return max(tops_mm) + gap_mm


def _between(way: Sequence[tuple[float, float]], step_mm: float = 5.0) -> list[tuple[float, float]]:
    """Places along a way, near enough to one another that no tower slips between them."""
    places = [way[0]]
    for (x0, y0), (x1, y1) in pairwise(way):
        parts = max(1, math.ceil(math.dist((x0, y0), (x1, y1)) / step_mm))
        places += [(x0 + (x1 - x0) * n / parts, y0 + (y1 - y0) * n / parts) for n in range(1, parts + 1)]
    return places

"""A toy game on nine places, three by three, for the parts of the recogniser that know no game.

A tower goes onto a tower beside it (not across a corner) as long as no more than five pieces stand
there then. In the toy with a box, a piece may also come from beside the board onto an empty place.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from controller.core.belief import Belief
from controller.core.calibration import Calibration
from controller.core.fieldmodel import FieldModel, FieldParameters
from controller.core.options import Heights, Option
from controller.core.places import Places
from controller.core.pose import Pose
from hardware.magnetics import Magnet

SIDE = 3
COUNT = SIDE * SIDE
FULL = 5
NOISE_MT = 0.02
POSITIONS_MM = tuple((30.0 * (k % SIDE), 30.0 * (k // SIDE)) for k in range(COUNT))
PARAMETERS = FieldParameters(POSITIONS_MM, 30.0, 8.0, 8.0, Magnet(8.0, 3.0, 1.2))
START = (1,) * COUNT


@cache
def model() -> FieldModel:
    """The tables of the toy board."""
    return FieldModel(PARAMETERS)


def beside(a: int, b: int) -> bool:
    """Whether two places lie next to each other."""
    return abs(a % SIDE - b % SIDE) + abs(a // SIDE - b // SIDE) == 1


@dataclass(frozen=True)
class ToyNode:
    """What stands where, and after how many moves."""

    heights: Heights
    ply: int = 0


@dataclass
class ToyRules:
    """`Rules` of the toy; `played` counts how often each node was asked for its options."""

    has_box: bool = False
    has_holes: bool = False
    """Whether a tower may also go onto an empty place."""
    asked: list[ToyNode] = field(default_factory=list)

    def heights(self, node: ToyNode) -> Heights:
        return node.heights

    def options(self, node: ToyNode) -> Sequence[Option]:
        self.asked.append(node)
        heights = node.heights
        found = []
        for a in range(COUNT):
            for b in range(COUNT):
                total = heights[a] + heights[b]
                is_free = heights[b] or self.has_holes
                if beside(a, b) and heights[a] and is_free and total <= FULL:
                    found.append(Option(f"{a}{b}", ((a, 0), (b, total))))
            if self.has_box and not heights[a]:
                found.append(Option(f"+{a}", ((a, 1),)))
        return found

    def play(self, node: ToyNode, key: str) -> ToyNode:
        option = next(o for o in self.options(node) if o.key == key)
        heights = list(node.heights)
        for k, h in option.after:
            heights[k] = h
        return ToyNode(tuple(heights), node.ply + 1)

    def refusal(self, node: ToyNode, origin: int, target: int) -> str:
        if not beside(origin, target):
            return "far"
        return "high" if node.heights[target] else "hole"


def calibration(noise_mt: float = NOISE_MT) -> Calibration:
    """Perfect sensors."""
    return Calibration((0.0,) * COUNT, (model().single_mt,) * COUNT, noise_mt)


@dataclass(frozen=True)
class InHand:
    """A tower in a hand."""

    pieces: int
    pose: Pose


def over(place: int, pieces: int = 1, up_mm: float = 40.0) -> InHand:
    """A tower held above a place, its bottom this high above the wood."""
    return InHand(pieces, (*POSITIONS_MM[place], up_mm))


class Readings:
    """What the toy's sensors read, frame by frame, with a little noise that always is the same."""

    def __init__(self, noise_mt: float = NOISE_MT, seed: int = 1, period_ms: int = 20) -> None:
        self.t_ms = 0
        self.period_ms = period_ms
        self.noise_mt = noise_mt
        self.unread: set[int] = set()
        self._rng = random.Random(seed)

    def of(
        self,
        heights: Sequence[int],
        hand: InHand | None = None,
        aside_mt: Mapping[int, float] | None = None,
    ) -> list[float | None]:
        """One frame of these towers; `aside_mt` is what places read besides."""
        self.t_ms += self.period_ms
        fields = model().scene(heights)
        if hand is not None:
            held = model().hand_table.tower(hand.pieces, hand.pose, POSITIONS_MM)
            fields = [a + b for a, b in zip(fields, held, strict=True)]
        for k, more in (aside_mt or {}).items():
            fields[k] += more
        return [
            None if k in self.unread else value + self._rng.gauss(0.0, self.noise_mt)
            for k, value in enumerate(fields)
        ]


def at_rest(heights: Sequence[int], *, frames: int = 20) -> tuple[Places, Belief, Readings]:
    """Places and belief of towers that have stood for a while."""
    readings = Readings()
    places = Places(COUNT, [NOISE_MT] * COUNT)
    for _ in range(frames):
        values = readings.of(heights)
        places.feed(readings.t_ms, values)
    belief = Belief(model(), places, heights)
    belief.look(places.window(range(COUNT)))
    for k in range(COUNT):
        belief.reseat(k)
    return places, belief, readings


def show(
    places: Places,
    belief: Belief,
    readings: Readings,
    heights: Sequence[int],
    *,
    hand: InHand | None = None,
    aside_mt: Mapping[int, float] | None = None,
    frames: int = 10,
) -> None:
    """Let the board read like this for some frames, and take them as the evidence."""
    for _ in range(frames):
        values = readings.of(heights, hand, aside_mt)
        places.feed(readings.t_ms, values)
    belief.look(places.window(range(COUNT)))


def changed(heights: Sequence[int], after: Mapping[int, int] | Iterable[tuple[int, int]]) -> list[int]:
    """These towers with some places changed."""
    found = list(heights)
    for k, h in dict(after).items():
        found[k] = h
    return found

"""A second counter of Avalam's sequences, written from the rules alone: slow, plain, sharing no code.

It reads the position text itself, keeps heights by coordinates and plays every move to the last.
"""

from __future__ import annotations

from collections import Counter

RANKS = (
    "..##.....",
    ".####....",
    ".######..",
    ".########",
    "#########",
    "########.",
    "..######.",
    "....####.",
    ".....##..",
)

Point = tuple[int, int]


def holes() -> list[Point]:
    return [(x, y) for y, rank in enumerate(RANKS) for x, mark in enumerate(rank) if mark == "#"]


def neighbours(point: Point) -> list[Point]:
    x, y = point
    return [(a, b) for a, b in holes() if max(abs(a - x), abs(b - y)) == 1]


NEIGHBOURS = {point: neighbours(point) for point in holes()}


def count(text: str, depth: int) -> int:
    """The number of sequences of `depth` moves from the position `text`."""
    ranks, _, fields = text.partition(" ")
    towers = [rank[at : at + 2] for rank in ranks.split("/") for at in range(0, len(rank), 2)]
    heights = {hole: int(tower[1]) for hole, tower in zip(holes(), towers, strict=True) if tower != "--"}
    if "setup=free" in fields:
        left = Counter({"r": 24, "b": 24}) - Counter(tower[0] for tower in towers)
        return _count_placements(heights, left, depth)
    return _count_moves(heights, depth)


def _count_placements(heights: dict[Point, int], left: Counter[str], depth: int) -> int:
    if not left.total():
        return _count_moves(heights, depth)
    if depth == 0:
        return 1
    total = 0
    for hole in set(holes()) - set(heights):
        for colour in list(+left):
            total += _count_placements({**heights, hole: 1}, left - Counter(colour), depth - 1)
    return total


def _count_moves(heights: dict[Point, int], depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for origin, moved in list(heights.items()):
        for target in NEIGHBOURS[origin]:
            there = heights.get(target)
            if there is not None and moved + there <= 5:
                after = {**heights, target: moved + there}
                del after[origin]
                total += _count_moves(after, depth - 1)
    return total

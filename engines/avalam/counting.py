"""Quick counting of Avalam's move sequences on bitboards.

Colours and turns do not decide which moves exist, so heights are enough. A hole is a bit of a
number: ten bits a rank, of which nine are files, so that no shift runs from one edge to the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.avalam.board import CELLS, MAX_HEIGHT

_STRIDE = 10
_SHIFTS = (1, _STRIDE - 1, _STRIDE, _STRIDE + 1)
"""Half of the eight directions: each pair of neighbours is met once."""

_BITS = tuple(1 << (int(cell[1]) * _STRIDE + ord(cell[0]) - ord("a")) for cell in CELLS)

_FITTING = tuple((one, other) for one in range(1, MAX_HEIGHT) for other in range(1, MAX_HEIGHT + 1 - one))
"""All pairs of heights that make no more than a full tower."""


def count_sequences(heights: Sequence[int], depth: int) -> int:
    """The number of sequences of `depth` (from 1) moves from towers of `heights`, in the order of `CELLS`."""
    by_height = [0] * (MAX_HEIGHT + 1)
    for bit, height in zip(_BITS, heights, strict=True):
        by_height[height] |= bit
    return _count(by_height[1], by_height[2], by_height[3], by_height[4], depth)


def _count(ones: int, twos: int, threes: int, fours: int, depth: int) -> int:
    if depth == 1:
        return _count_moves(ones, twos, threes, fours)
    boards = (0, ones, twos, threes, fours, 0)
    total = 0
    for one_height, one, other_height, other in _pairs(boards):
        rest = list(boards)
        rest[one_height] ^= one
        rest[other_height] ^= other
        reached = one_height + other_height
        for target in (one, other):
            after = list(rest)
            after[reached] |= target
            total += _count(after[1], after[2], after[3], after[4], depth - 1)
    return total


def _pairs(boards: Sequence[int]) -> Iterator[tuple[int, int, int, int]]:
    """Each two neighbouring towers that fit on each other, once: height and bit of both."""
    for shift in _SHIFTS:
        for one_height, other_height in _FITTING:
            ones = boards[one_height] & (boards[other_height] >> shift)
            while ones:
                bit = ones & -ones
                ones ^= bit
                yield one_height, bit, other_height, bit << shift


def _count_moves(ones: int, twos: int, threes: int, fours: int) -> int:
    """The number of moves: two for each pair of neighbours of at most five pawns together."""
    up_to_two = ones | twos
    up_to_three = up_to_two | threes
    up_to_four = up_to_three | fours
    pairs = 0
    for shift in _SHIFTS:
        fitting = ones & (up_to_four >> shift) | twos & (up_to_three >> shift)
        pairs += (fitting | threes & (up_to_two >> shift) | fours & (ones >> shift)).bit_count()
    return 2 * pairs

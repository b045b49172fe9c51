"""The board of Avalam: 49 holes, who neighbours whom, and how the pawns lie at the start.

Holes are named like chess squares, files `a` to `i` from the left, ranks `9` to `1` from the top.
An index is the place of a name in `CELLS`, which is sorted.
"""

from __future__ import annotations

from itertools import product

RED, BLACK = 0, 1
PLAYER_NAMES = ("red", "black")
COLOUR_LETTERS = "rb"

MAX_HEIGHT = 5
PAWNS_EACH = 24
PAWNS = 2 * PAWNS_EACH
CENTRE = "e5"

_FILES = "abcdefghi"
_FIRST_AND_LAST_FILE = {9: "cd", 8: "be", 7: "bg", 6: "bi", 5: "ai", 4: "ah", 3: "ch", 2: "eh", 1: "fg"}


def _row(rank: int) -> tuple[str, ...]:
    first, last = (_FILES.index(file) for file in _FIRST_AND_LAST_FILE[rank])
    return tuple(f"{file}{rank}" for file in _FILES[first : last + 1])


ROWS: tuple[tuple[str, ...], ...] = tuple(_row(rank) for rank in _FIRST_AND_LAST_FILE)
"""The holes as a page shows them: ranks from the top, each from the left."""

CELLS: tuple[str, ...] = tuple(sorted(cell for row in ROWS for cell in row))
INDEX: dict[str, int] = {cell: index for index, cell in enumerate(CELLS)}


def _around(cell: str) -> tuple[str, ...]:
    file, rank = ord(cell[0]), int(cell[1])
    steps = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]
    return tuple(name for right, up in steps if (name := f"{chr(file + right)}{rank + up}") in INDEX)


NEIGHBOURS: dict[str, tuple[str, ...]] = {cell: _around(cell) for cell in CELLS}
"""The up to eight holes next to each, sorted, whatever lies on them."""


def _start_owner(cell: str) -> int | None:
    if cell == CENTRE:
        return None
    file_index, rank_index = _FILES.index(cell[0]), 9 - int(cell[1])
    return (file_index + rank_index) % 2


START_OWNERS: tuple[int | None, ...] = tuple(_start_owner(cell) for cell in CELLS)
"""The colours at the start, in the order of `CELLS`: a chequer with the centre empty."""

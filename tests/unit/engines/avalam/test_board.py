"""The board against the figures and the drawing of the rules."""

from __future__ import annotations

from collections import Counter

import pytest

from engines.avalam.board import (
    CELLS,
    CENTRE,
    INDEX,
    NEIGHBOURS,
    ROWS,
    START_OWNERS,
)

DRAWING = """
9  .  .  R  B  .  .  .  .  .
8  .  R  B  R  B  .  .  .  .
7  .  B  R  B  R  B  R  .  .
6  .  R  B  R  B  R  B  R  B
5  R  B  R  B  o  B  R  B  R
4  B  R  B  R  B  R  B  R  .
3  .  .  R  B  R  B  R  B  .
2  .  .  .  .  B  R  B  R  .
1  .  .  .  .  .  B  R  .  .
"""


def drawn() -> dict[str, str]:
    rows = [line.split() for line in DRAWING.strip().splitlines()]
    return {
        f"{file}{rank}": mark for rank, *marks in rows for file, mark in zip("abcdefghi", marks, strict=True)
    }


def test_holes_and_colours_are_those_of_the_drawing() -> None:
    letters = {
        cell: {0: "R", 1: "B", None: "o"}[owner] for cell, owner in zip(CELLS, START_OWNERS, strict=True)
    }
    assert letters == {cell: mark for cell, mark in drawn().items() if mark != "."}
    assert Counter(START_OWNERS) == {0: 24, 1: 24, None: 1}
    assert CENTRE == "e5"


def test_cells_are_in_the_order_of_the_recordings() -> None:
    header = (
        "a4 a5 b4 b5 b6 b7 b8 c3 c4 c5 c6 c7 c8 c9 d3 d4 d5 d6 d7 d8 d9 e2 e3 e4 e5 e6 e7 e8 f1 f2 f3 f4 f5 "
        "f6 f7 g1 g2 g3 g4 g5 g6 g7 h2 h3 h4 h5 h6 i5 i6"
    )
    assert list(CELLS) == header.split()
    assert [CELLS[index] for index in INDEX.values()] == list(INDEX)


def test_rows_run_from_the_top_left() -> None:
    assert [len(row) for row in ROWS] == [2, 4, 6, 8, 9, 8, 6, 4, 2]
    assert ROWS[0] == ("c9", "d9")
    assert ROWS[8] == ("f1", "g1")


def test_numbers_of_neighbouring_pawns_at_the_start() -> None:
    """Source: rules, known values."""
    pawns = {cell for cell in CELLS if cell != CENTRE}
    numbers = Counter(len(pawns & set(NEIGHBOURS[cell])) for cell in pawns)
    assert numbers == {3: 2, 4: 10, 5: 4, 6: 6, 7: 18, 8: 8}


@pytest.mark.parametrize(
    ("cell", "around"),
    [
        ("e5", "d4 d5 d6 e4 e6 f4 f5 f6"),
        ("a4", "a5 b4 b5"),
        ("c9", "b8 c8 d8 d9"),
        ("i6", "h5 h6 i5"),
        ("f1", "e2 f2 g1 g2"),
    ],
)
def test_neighbours(cell: str, around: str) -> None:
    assert NEIGHBOURS[cell] == tuple(around.split())


def test_neighbourhood_is_mutual() -> None:
    assert all(cell in NEIGHBOURS[other] for cell in CELLS for other in NEIGHBOURS[cell])


def test_the_half_turn_keeps_holes_and_colours() -> None:
    def turned(cell: str) -> str:
        return f"{chr(ord('a') + ord('i') - ord(cell[0]))}{10 - int(cell[1])}"

    owners = dict(zip(CELLS, START_OWNERS, strict=True))
    assert {turned(cell): owner for cell, owner in owners.items()} == owners

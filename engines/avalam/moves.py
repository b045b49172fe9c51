"""The moves of Avalam as values; `notation` gives them their texts."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class TowerMove(NamedTuple):
    """The whole tower on `origin` goes onto the one on `target`."""

    origin: str
    target: str


class Placement(NamedTuple):
    """A pawn laid on a free hole during a free set-up; `pawn` is `R` or `B`."""

    pawn: str
    cell: str


class Shuffle(NamedTuple):
    """The chance move of a random set-up: `r`, `b` or `-` for each hole in the order of `CELLS`."""

    pawns: str


AvalamMove: TypeAlias = TowerMove | Placement | Shuffle

"""Small boards for tests."""

from __future__ import annotations

from engines.avalam.board import ROWS
from engines.avalam.position import Position
from engines.registry import game


def position(to_move: str = "r", **towers: str) -> Position:
    """The position with these towers only, e.g. `position("b", c9="r1", d9="b4")`."""
    ranks = "/".join("".join(towers.get(cell, "--") for cell in row) for row in ROWS)
    parsed = game("avalam").parse_position(f"{ranks} {to_move}")
    assert isinstance(parsed, Position)
    return parsed

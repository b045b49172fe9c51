"""What lies on a simulated table as values for JSON, and back.

So a program can be stopped and started again over the same wooden board. A hand does not outlive
the program: what was in it stands again where it was taken.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from hardware.boardfile import Board
from hardware.simulator.table import Pawn, Table, Tower


def format_table(table: Table) -> dict[str, object]:
    """The table as values for JSON."""
    towers = [_noted(t.cell, t.x_mm, t.y_mm, t.rise_mm, t.pawns) for t in table.towers]
    hands = []
    for held in table.carried:
        if not held.pawns:
            continue
        if isinstance(held.origin, str):
            home = table.board.cell(held.origin)
            hands.append(_noted(home.name, home.x_mm, home.y_mm, 0.0, held.pawns))
        else:
            hands.append(_noted(None, *held.origin, 0.0, held.pawns))
    return {"board": table.board.name, "towers": towers, "in_hand": hands}


def restore_table(table: Table, snapshot: object) -> None:
    """Put back what `format_table` noted.

    Raises: ValueError saying what is wrong; then nothing has changed.
    """
    if not isinstance(snapshot, dict) or snapshot.get("board") != table.board.name:
        raise ValueError(f"simulated table: this is no snapshot of the board {table.board.name}")
    standing, lost = (
        [_tower(entry, table.board) for entry in _entries(snapshot, key)] for key in ("towers", "in_hand")
    )
    taken = [tower.cell for tower in standing if tower.cell is not None]
    if len(taken) != len(set(taken)):
        raise ValueError("simulated table: two towers stand on one cell")
    table.put_all(standing, lost)


def _noted(
    cell: str | None, x_mm: float, y_mm: float, rise_mm: float, pawns: Iterable[Pawn]
) -> dict[str, object]:
    return {
        "cell": cell,
        "x_mm": x_mm,
        "y_mm": y_mm,
        "rise_mm": rise_mm,
        "pawns": [[pawn.owner, pawn.strength] for pawn in pawns],
    }


def _entries(snapshot: dict[str, object], key: str) -> list[object]:
    entries = snapshot.get(key)
    if not isinstance(entries, list):
        raise ValueError(f"simulated table: {key} is missing, must be a list of towers")
    return entries


def _tower(entry: object, board: Board) -> Tower:
    if not isinstance(entry, dict):
        raise ValueError(f"simulated table: {entry!r} is no tower")
    try:
        pawns = [Pawn(int(owner), float(strength)) for owner, strength in entry["pawns"]]
        cell = entry["cell"]
        x_mm, y_mm, rise_mm = (float(entry[key]) for key in ("x_mm", "y_mm", "rise_mm"))
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"simulated table: {entry!r} is no tower") from None
    numbers = [x_mm, y_mm, rise_mm, *(pawn.strength for pawn in pawns)]
    if not pawns or not all(map(math.isfinite, numbers)):
        raise ValueError(f"simulated table: {entry!r} is no tower")
    if cell is not None and cell not in board.names:
        raise ValueError(f"simulated table: {cell!r} is no cell of the board {board.name}")
    return Tower(pawns, cell, x_mm, y_mm, rise_mm)

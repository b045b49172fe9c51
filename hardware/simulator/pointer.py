"""A hand that somebody leads: the mouse or the finger on a page."""

from __future__ import annotations

from dataclasses import dataclass

from hardware.simulator.hand import Glide, Grab, Hand, Release
from hardware.simulator.table import Table

_GLIDE_US = 40_000  # a page reports a moving pointer about this often
_RAISE_US = 120_000
_CARRY_MM = 15.0
_GAP_MM = 3.0


@dataclass(frozen=True, slots=True)
class Grasp:
    """What the pointer took: from which cell (None beside the board), and the owners, bottom first."""

    cell: str | None
    owners: tuple[int, ...]


class Pointer:
    """Direct control of one hand, at any place in mm. A tower in it is carried low, as on a table."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.hand = Hand(table)

    def grab(self, x_mm: float, y_mm: float, count: int | None, now_us: int) -> Grasp | None:
        """Take the tower at a place, or its `count` top pieces, and raise it a little; None if none is there.

        What was held before is let go first.
        Raises: ValueError if `count` is less than 1.
        """
        if count is not None and count < 1:
            raise ValueError(f"count is {count}, must be at least 1")
        self.release(now_us)
        self.hand.do([Grab(x_mm, y_mm, count)], now_us)
        held = self.hand.held
        if held is None:
            return None
        up_mm = self._low_mm(x_mm, y_mm, held.clearance_mm)
        self.hand.do([Glide(_RAISE_US, clearance_mm=up_mm)], now_us)
        cell = held.origin if isinstance(held.origin, str) else None
        return Grasp(cell, tuple(pawn.owner for pawn in held.pawns))

    def move_to(self, x_mm: float, y_mm: float, clearance_mm: float | None, now_us: int) -> None:
        """Lead the hand to a place; without a clearance it stays just over what stands there."""
        self.hand.advance(now_us)
        self.hand.stop()
        held = self.hand.held
        if held is None:
            return
        up_mm = clearance_mm if clearance_mm is not None else self._low_mm(x_mm, y_mm, held.taken_mm)
        self.hand.do([Glide(_GLIDE_US, x_mm, y_mm, up_mm)], now_us)

    def release(self, now_us: int) -> str | None:
        """Let go where the hand was led to; the cell on which the tower stands now, if it is one."""
        self.hand.finish(now_us)
        held = self.hand.held
        if held is None:
            return None
        self.hand.do([Release()], now_us)
        return self.hand.events[-1].cell

    def _low_mm(self, x_mm: float, y_mm: float, least_mm: float) -> float:
        return max(_CARRY_MM + least_mm, self._table.top_mm(x_mm, y_mm) + _GAP_MM)

"""A simulated table without physics: pieces stand where the hand set them down, at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from controller.api import ScriptState, TableState
from hardware.boardfile import Board
from hardware.simulator.script import Line

Pieces = tuple[int, ...]


class FakeTable:
    """`SimulatedTable` for tests; `changed` is called after each thing the hand did."""

    def __init__(
        self, board: Board, agreed: Callable[[], Mapping[str, Pieces]], changed: Callable[[], None]
    ) -> None:
        self._board = board
        self._agreed = agreed
        self._changed = changed
        self.stacks: dict[str, Pieces] = dict(agreed())
        self.loose: list[tuple[float, float, Pieces]] = []
        self.hand: tuple[float, float, float, Pieces] | None = None
        self.calls: list[tuple[object, ...]] = []
        self.broken: tuple[tuple[str, str], ...] = ()
        self.script: ScriptState | None = None

    def grab(self, x_mm: float, y_mm: float, count: int | None = None) -> None:
        self.calls.append(("grab", x_mm, y_mm, count))
        cell = self._cell_at(x_mm, y_mm)
        if self.hand is not None:
            return
        if cell is not None and self.stacks.get(cell):
            pieces = self.stacks[cell]
            taken = len(pieces) if count is None else min(count, len(pieces))
            left = pieces[: len(pieces) - taken]
            self.stacks = {k: v for k, v in self.stacks.items() if k != cell} | ({cell: left} if left else {})
            self.hand = (x_mm, y_mm, 0.0, pieces[len(pieces) - taken :])
        else:
            near = [p for p in self.loose if abs(p[0] - x_mm) < 15 and abs(p[1] - y_mm) < 15]
            if not near:
                return
            self.loose.remove(near[0])
            self.hand = (x_mm, y_mm, 0.0, near[0][2])
        self._changed()

    def move(self, x_mm: float, y_mm: float, clearance_mm: float) -> None:
        self.calls.append(("move", x_mm, y_mm, clearance_mm))
        if self.hand is not None:
            self.hand = (x_mm, y_mm, clearance_mm, self.hand[3])
            self._changed()

    def release(self) -> None:
        self.calls.append(("release",))
        if self.hand is None:
            return
        x_mm, y_mm, _, pieces = self.hand
        self.hand = None
        cell = self._cell_at(x_mm, y_mm)
        if cell is None:
            self.loose.append((x_mm, y_mm, pieces))
        else:
            self.stacks[cell] = self.stacks.get(cell, ()) + pieces
        self._changed()

    def reset(self) -> None:
        self.calls.append(("reset",))
        self.stacks, self.loose, self.hand = dict(self._agreed()), [], None
        self._changed()

    def play(self, lines: Sequence[Line]) -> None:
        self.calls.append(("play", tuple(lines)))

    def cut_power(self) -> None:
        self.calls.append(("cut_power",))

    def state(self) -> TableState:
        state = TableState(dict(self.stacks), tuple(self.loose), self.hand)
        return replace(state, broken=self.broken, script=self.script)

    def _cell_at(self, x_mm: float, y_mm: float) -> str | None:
        for cell in self._board.cells:
            if (cell.x_mm - x_mm) ** 2 + (cell.y_mm - y_mm) ** 2 <= (self._board.pitch_mm / 2) ** 2:
                return cell.name
        return None

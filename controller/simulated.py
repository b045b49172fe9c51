"""The wooden part of a simulated board, as the daemon keeps it: a person's hand, and what stays on the table.

The page's wishes for the hand wait in a queue and are done by the daemon's thread, in order. What
lies on the table is written down whenever it comes to rest, so that it is there after the program
ended, however it ended: wood does not forget either.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

from controller.api import ScriptState, TableState
from engines.base import Reason
from hardware.boardfile import Board
from hardware.simulator.board import SimulatedBoard
from hardware.simulator.script import Break, Heal, Line, ScriptError
from hardware.simulator.scriptrunner import ScriptRunner
from hardware.simulator.troubles import Troubles

Stacks = Mapping[str, Sequence[int | None]]

_MOST_WAITING = 200
_NEXT_TO_PLATE = 1.36
"""How far from the outermost holes pieces are laid down beside the board, in pitches."""
_OUT_OF_REACH = 12.0
"""From here on, in pitches, no sensor feels a piece: where they lie while the board is calibrated."""
_SPACING = 1.05
"""From one such piece to the next, in diameters of a piece."""


@dataclass(frozen=True, slots=True)
class _Grab:
    x_mm: float
    y_mm: float
    count: int | None


@dataclass(frozen=True, slots=True)
class _Move:
    x_mm: float
    y_mm: float
    clearance_mm: float


@dataclass(frozen=True, slots=True)
class _Release:
    pass


@dataclass(frozen=True, slots=True)
class _Reset:
    pass


@dataclass(frozen=True, slots=True)
class _Play:
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class _CutPower:
    pass


_Wish = _Grab | _Move | _Release | _Reset | _Play | _CutPower


class TableDesk:
    """`SimulatedTable` over a simulated board. `obey` is the daemon's; the rest is for any thread."""

    def __init__(
        self,
        wooden: SimulatedBoard,
        stock: Sequence[int],
        agreed: Callable[[], Stacks],
        wake: Callable[[], None],
        restart: Callable[[], None] = lambda: None,
        *,
        at_hand: Callable[[], int | None] = lambda: None,
    ) -> None:
        """`stock` are the owners of all pieces of the game, `agreed` what should stand on the board.

        `restart` takes the game up from the journal, as after a power cut. `at_hand` says how many of
        the other pieces lie beside the board, the rest out of reach of its sensors; None for all.
        """
        self._at_hand = at_hand
        self._wooden = wooden
        self._stock = tuple(stock)
        self._agreed = agreed
        self._wake = wake
        self._restart = restart
        self._troubles = Troubles(wooden)
        self._script: ScriptRunner | None = None
        self._lock = threading.Lock()
        self._waiting: list[_Wish] = []

    def grab(self, x_mm: float, y_mm: float, count: int | None = None) -> None:
        """Take hold of the tower at this point, or of its top `count` pieces."""
        self._want(_Grab(x_mm, y_mm, count))

    def move(self, x_mm: float, y_mm: float, clearance_mm: float) -> None:
        """Carry what is held to this point, its bottom this high above what it passes over."""
        self._want(_Move(x_mm, y_mm, clearance_mm))

    def release(self) -> None:
        """Set it down on the hole below, or loose beside the board."""
        self._want(_Release())

    def reset(self) -> None:
        """Set the whole table up for the agreed position."""
        self._want(_Reset())

    def play(self, lines: Sequence[Line]) -> None:
        """Play a hand script from now on, instead of the one under way; faults alone leave that one be."""
        self._want(_Play(tuple(lines)))

    def cut_power(self) -> None:
        """Take the game up from the journal, as after a power cut; the pieces stay where they are."""
        self._want(_CutPower())

    def state(self) -> TableState:
        """What stands where, and what was broken on purpose."""
        carried = self._wooden.carried()
        return TableState(
            self._wooden.stacks(),
            tuple(self._wooden.loose()),
            carried[0] if carried else None,
            self._troubles.standing,
            self._script_state(),
        )

    def _script_state(self) -> ScriptState | None:
        script = self._script
        if script is None:
            return None
        error = script.failure
        reason = None if error is None else script_reason(error)
        return ScriptState(script.line, script.is_over, reason)

    def obey(self) -> bool:
        """Do everything that waits, and go on with what takes its time; whether anything waited."""
        with self._lock:
            wishes, self._waiting = self._waiting, []
        for wish in wishes:
            self._do(wish)
        self._troubles.go_on()
        if self._script is not None:
            self._script.go_on()
        return bool(wishes)

    def restore(self, path: Path) -> None:
        """Have on the table what the file notes; where it notes nothing good, set up the agreed position."""
        try:
            self._wooden.restore(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError):
            self._set_up()

    def noted(self) -> str | None:
        """What lies on the table, for the file; None while a hand is over it."""
        if self._wooden.carried():
            return None
        return json.dumps(self._wooden.snapshot())

    def _want(self, wish: _Wish) -> None:
        with self._lock:
            if isinstance(wish, _Move) and self._waiting and isinstance(self._waiting[-1], _Move):
                self._waiting[-1] = wish  # they would all be done at the same moment
            elif len(self._waiting) < _MOST_WAITING:
                self._waiting.append(wish)
        self._wake()

    def _do(self, wish: _Wish) -> None:
        match wish:
            case _Grab(x_mm, y_mm, count):
                self._wooden.grab(x_mm, y_mm, count)
            case _Move(x_mm, y_mm, clearance_mm):
                over_mm = self._wooden.table.top_mm(x_mm, y_mm)
                self._wooden.move_to(x_mm, y_mm, over_mm + clearance_mm)
            case _Release():
                self._wooden.release()
            case _Reset():
                self._end_script()
                self._set_up()
            case _Play(lines):
                self._begin_script(lines)
            case _CutPower():
                self._restart()

    def _begin_script(self, lines: tuple[Line, ...]) -> None:
        if all(isinstance(line.command, Break | Heal) for line in lines):
            ScriptRunner(self._wooden, lines, self._troubles).go_on()
            return
        self._end_script()
        self._script = ScriptRunner(self._wooden, lines, self._troubles)

    def _end_script(self) -> None:
        if self._script is not None and not self._script.is_over:
            self._script.stop()
        self._script = None

    def _set_up(self) -> None:
        board, lying = self._wooden.board, self._wooden.snapshot()
        self._wooden.restore(tidy(board, lying, self._agreed(), self._stock, self._at_hand()))


def script_reason(error: ScriptError) -> Reason:
    """Why a script cannot be carried out, as a reason for people: the line, then its parameters."""
    return Reason(f"script_{error.code}", (error.line, *error.params))


def tidy(
    board: Board,
    snapshot: Mapping[str, Any],
    agreed: Stacks,
    stock: Sequence[int],
    at_hand: int | None = None,
) -> Mapping[str, Any]:
    """A snapshot of the same table with `agreed` on the board and all other pieces beside it.

    With `at_hand` only so many lie beside it and the rest far away. Pieces keep their magnets; those of
    `stock` that are not on the table at all are brought.
    """
    pieces: dict[int, list[float]] = {}
    for tower in (*snapshot["towers"], *snapshot["in_hand"]):
        for owner, strength in tower["pawns"]:
            pieces.setdefault(owner, []).append(strength)
    for owner, count in Counter(stock).items():
        have = pieces.setdefault(owner, [])
        have += [1.0] * (count - len(have))
    towers = [
        _tower(cell, *_home(board, cell), [_take(pieces, owner) for owner in owners])
        for cell, owners in agreed.items()
    ]
    spots = chain(islice(_beside(board), at_hand), _beside(board, _OUT_OF_REACH))
    for owner in sorted(pieces):
        towers += [_tower(None, *next(spots), [[owner, strength]]) for strength in pieces[owner]]
    return {"board": board.name, "towers": [], "in_hand": towers}


def _take(pieces: dict[int, list[float]], owner: int | None) -> list[float]:
    """A piece of this owner, of any where the owner is not known."""
    if owner is None or owner < 0:
        owner = max(pieces, key=lambda other: len(pieces[other]), default=0)
    left = pieces.get(owner)
    return [owner, left.pop() if left else 1.0]


def _home(board: Board, cell: str) -> tuple[float, float]:
    place = board.cell(cell)
    return place.x_mm, place.y_mm


def _tower(cell: str | None, x_mm: float, y_mm: float, pawns: list[list[float]]) -> dict[str, Any]:
    return {"cell": cell, "x_mm": x_mm, "y_mm": y_mm, "rise_mm": 0.0, "pawns": pawns}


def _beside(board: Board, pitches: float = _NEXT_TO_PLATE) -> Iterator[tuple[float, float]]:
    """Places on the table around the board, row by row outwards, without end."""
    xs, ys = zip(*board.positions_mm, strict=True)
    step_mm = board.pawn_diameter_mm * _SPACING
    ring = 0
    while True:
        off_mm = pitches * board.pitch_mm + ring * step_mm
        left, right, bottom, top = min(xs) - off_mm, max(xs) + off_mm, min(ys) - off_mm, max(ys) + off_mm
        for x_mm in (left, right):
            yield from ((x_mm, y_mm) for y_mm in _steps(bottom, top, step_mm))
        for y_mm in (bottom, top):
            yield from ((x_mm, y_mm) for x_mm in _steps(left + step_mm, right - step_mm, step_mm))
        ring += 1


def _steps(first: float, last: float, step: float) -> list[float]:
    """Evenly spaced from first to last, at least `step` apart."""
    parts = max(1, int((last - first) / step))
    return [first + (last - first) * n / parts for n in range(parts + 1)]

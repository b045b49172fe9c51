"""What the page may ask of the daemon: the one door between `web` and everything below it.

All methods may be called from any thread and none of them blocks. Results of commands come as
futures; news comes by a callback on the daemon's own thread, which must hand it on and return.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Protocol

from controller.core.calibrationreport import Progress
from controller.core.messages import Command, View
from controller.diagnostics import Report
from engines.base import Reason
from hardware.boardfile import Board
from hardware.ports import Colour, Fault
from hardware.simulator.script import Line


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The published state: what `seq` stands for is durable."""

    seq: int
    view: View
    faults: tuple[Fault, ...]
    pixels: tuple[Colour, ...]
    """What the strip transmitted last."""
    calibration: Progress | None = None
    """How far a calibration is, or how the last one ended; None where there is nothing to see."""


@dataclass(frozen=True, slots=True)
class TableState:
    """What really stands on a simulated table. Owners bottom first; millimetres of the board file."""

    stacks: Mapping[str, tuple[int, ...]]
    loose: tuple[tuple[float, float, tuple[int, ...]], ...]
    hand: tuple[float, float, float, tuple[int, ...]] | None
    """x, y, clearance of what the hand carries, and the pieces in it."""
    broken: tuple[tuple[str, str], ...] = ()
    """What was broken on purpose: part (a place, `bus`, `strip`) and how."""
    script: ScriptState | None = None
    """The hand script that was played last."""


@dataclass(frozen=True, slots=True)
class ScriptState:
    """How far a hand script has come; `failure` is why it was given up."""

    line: int
    is_over: bool
    failure: Reason | None = None


class SimulatedTable(Protocol):
    """The hand of a person at the simulated table. Calls are taken in order by the daemon's thread."""

    def grab(self, x_mm: float, y_mm: float, count: int | None = None) -> None:
        """Take hold of the tower at this point, or of its top `count` pieces, if there is one."""
        ...

    def move(self, x_mm: float, y_mm: float, clearance_mm: float) -> None:
        """Carry what is held to this point, its bottom this high above what it passes over."""
        ...

    def release(self) -> None:
        """Set it down on the hole below, or loose beside the board."""
        ...

    def reset(self) -> None:
        """Set the whole table up for the agreed position, as a tidy person would."""
        ...

    def play(self, lines: Sequence[Line]) -> None:
        """Play a hand script from now on, instead of the one under way; faults alone leave that one be."""
        ...

    def cut_power(self) -> None:
        """Take the game up from the journal, as after a power cut; the pieces stay where they are."""
        ...

    def state(self) -> TableState:
        """What stands where."""
        ...


@dataclass(frozen=True, slots=True)
class News:
    """What changed: `kind` is `view`, `strip` or `table`."""

    kind: str
    snapshot: Snapshot


class DaemonApi(Protocol):
    """The daemon as the page sees it."""

    @property
    def board(self) -> Board:
        """The board file in use."""
        ...

    @property
    def table(self) -> SimulatedTable | None:
        """The simulated table, or None where real pieces stand on real wood."""
        ...

    @property
    def version(self) -> str:
        """The program's version."""
        ...

    def snapshot(self) -> Snapshot:
        """The state as published last."""
        ...

    def submit(self, command: Command) -> Future[Snapshot]:
        """Carry out a command; the future gives the state published with it.

        It fails with CommandError (the reason) or with BusyError when too many commands wait.
        """
        ...

    def subscribe(self, callback: Callable[[News], None]) -> Callable[[], None]:
        """Call `callback` on every change; returns the function that ends it."""
        ...

    def settings(self) -> Mapping[str, tuple[str, ...]]:
        """The settings of the board's game: names to allowed values, the default first."""
        ...

    def record(self, write: Callable[[str], None]) -> Callable[[], None]:
        """Give `write` a trace from the next frame on, line by line; returns the function that ends it.

        `write` is called on the daemon's own thread and must return at once.
        """
        ...

    def is_operator(self, token: str) -> bool:
        """Whether `token` is the one that only the daemon's own user can read."""
        ...

    def playable(self) -> bool:
        """Whether a game can be played at all (for /health)."""
        ...

    def status(self) -> Mapping[str, Any]:
        """Counters and rates for the diagnostics and /health."""
        ...

    def diagnostics(self) -> Report:
        """How every place of the board reads now, and how the board fares."""
        ...

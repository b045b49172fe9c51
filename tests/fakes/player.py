"""People at a simulated board whose daemon runs without a thread, in the board's own time."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import cache
from pathlib import Path
from typing import Any

from controller.api import Snapshot
from controller.config import Config
from controller.core.calibration import Calibration
from controller.core.messages import Command, Phase, View
from controller.measuring import FILE_NAME, measure_simulated, write_calibration
from controller.startup import SIMULATOR_FOLDER, Plan, RunningDaemon, open_daemon
from engines.registry import game
from hardware.factory import DeviceSettings
from hardware.simulator.board import SimulatedBoard
from hardware.simulator.gestures import Manner

PATIENCE_MS = 10_000


@cache
def calibration(seed: int) -> Calibration:
    """The calibration of a simulated board, measured once for all tests."""
    return measure_simulated(DeviceSettings(kind="simulated", board="avalam", seed=seed, real_time=False), "")


def bring_calibration(data: Path, seed: int) -> None:
    """Put a calibration into a data folder that has none."""
    path = data / SIMULATOR_FOLDER / FILE_NAME
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_calibration(path, calibration(seed))


class Player:
    """A daemon on a data folder, its wooden board, and hands; closing it is pulling the plug in order."""

    def __init__(self, data: Path, *, seed: int = 1) -> None:
        devices = DeviceSettings(kind="simulated", board="avalam", seed=seed, real_time=False)
        bring_calibration(data, seed)
        self.running: RunningDaemon = open_daemon(Plan(Config(), data, devices))
        self.daemon = self.running.daemon
        wooden = self.daemon.devices.simulated
        assert wooden is not None
        self.wooden: SimulatedBoard = wooden
        self.game: Any = game("avalam")
        self.daemon.begin()

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *_: object) -> None:
        self.running.close()

    @property
    def now_ms(self) -> int:
        return self.daemon.devices.clock.now_ms()

    @property
    def snapshot(self) -> Snapshot:
        return self.daemon.snapshot()

    @property
    def view(self) -> View:
        return self.snapshot.view

    @property
    def moves(self) -> list[str]:
        return [move.move for move in self.view.moves]

    @property
    def fault_codes(self) -> list[str]:
        return [fault.code for fault in self.snapshot.faults]

    def turn(self) -> None:
        """A turn of the daemon, its writing, and the board's time until the next."""
        pause_ms = self.daemon.step(self.now_ms)
        self.daemon.write()
        self.daemon.step(self.now_ms)
        self.wooden.advance_ms(pause_ms)

    def let_pass(self, duration_ms: int) -> None:
        until_ms = self.now_ms + duration_ms
        while self.now_ms < until_ms:
            self.turn()

    def until(self, condition: Callable[[], bool]) -> None:
        """Let time pass until something is so; it must become so in ten seconds of the board."""
        until_ms = self.now_ms + PATIENCE_MS
        while not condition():
            assert self.now_ms < until_ms, (self.view.phase, self.view.notice, self.view.tasks, self.moves)
            self.turn()

    def until_play(self) -> None:
        self.until(lambda: self.view.phase is Phase.PLAY)

    def hand(self, origin: str, target: str, manner: Manner = Manner.HIGH, count: int | None = None) -> None:
        """A hand takes the tower on one cell to another; it is under way when this returns."""
        self.wooden.do(self.wooden.gestures.move(origin, target, manner, count))

    def play(self, *moves: str, manner: Manner = Manner.HIGH) -> None:
        """Make moves and see each accepted."""
        for text in moves:
            expected = [*self.moves, text]
            self.hand(text[:2], text[2:], manner)
            self.until(lambda expected=expected: self.moves == expected)  # type: ignore[misc]
            self.let_pass(200)

    def say(self, command: Command) -> Snapshot:
        """Command something and get the answer."""
        answer: Future[Snapshot] = self.daemon.submit(command)
        self.until(answer.done)
        return answer.result(0)

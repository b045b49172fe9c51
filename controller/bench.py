"""The project's own figures: what a scan costs, and how long it takes from a lift to its light.

Both are taken on the simulated board in its own time, through the same parts that play.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from controller.config import Config
from controller.core.lights import Meaning, colour_of
from controller.core.messages import Answer
from controller.core.session import Session
from controller.daemon import Daemon
from controller.errors import ControllerError
from controller.measuring import measure_simulated
from controller.startup import Plan, board_game, field_parameters, open_daemon
from engines.base import BoardGame
from engines.record import Record
from hardware.factory import Devices, DeviceSettings, open_devices
from hardware.leds.power import gamma_corrected
from hardware.ports import Colour
from hardware.simulator.board import SimulatedBoard

LIMIT_MS = 100
"""What a lift may take to its light, at the 99th percentile."""
_PERIOD_MS = 40
_PATIENCE_MS = 8000
_THINK_MS = (100, 1200)


@dataclass(frozen=True, slots=True)
class ScanCost:
    """What scans of a standing board cost.

    Bytes and transactions are those of the dearest scan. `board_ms` is the mean time a scan takes on
    the board; `scan_cpu_ms` the processor time of drivers and simulated chips together, and
    `frame_cpu_ms` that of understanding the frame.
    """

    places: int
    scans: int
    bytes: int
    transactions: int
    board_ms: float
    scan_cpu_ms: float
    frame_cpu_ms: float


@dataclass(frozen=True, slots=True)
class Latency:
    """From the piece 3 mm up to the end of the transmission that lights its destinations, in board time."""

    moves: int
    p50_ms: float
    p99_ms: float
    max_ms: float
    limit_ms: int = LIMIT_MS


def bench_scan(board: str = "avalam", scans: int = 250, seed: int = 1) -> ScanCost:
    """Scan a simulated board with all pieces at their start.

    Raises: BoardFileError, CalibrationError.
    """
    settings = DeviceSettings(kind="simulated", board=board, seed=seed, real_time=False)
    calibration = measure_simulated(settings, "")
    devices = open_devices(settings)
    wooden = _wooden(devices)
    game = board_game(devices.board)
    wooden.set_up({cell: [owner or 0 for owner in s] for cell, s in game.stacks(game.initial(), ()).items()})
    session = Session(game, devices.sensors.cells, calibration, field_parameters(devices.board))
    devices.sensors.start()
    costs = [_scan(devices, wooden, session) for _ in range(scans)]
    devices.close()
    columns = [max(column) for column in zip(*costs, strict=True)]
    means = [sum(column) / scans for column in zip(*costs, strict=True)]
    return ScanCost(len(devices.board.cells), scans, int(columns[0]), int(columns[1]), *means[2:])


def _scan(devices: Devices, wooden: SimulatedBoard, session: Session) -> tuple[float, ...]:
    """One scan: bytes, transactions, ms of the board, of the processor for the scan and for the frame."""
    began_us, began_ns = wooden.clock.now_us(), time.process_time_ns()
    frame = devices.sensors.scan()
    read_ns = time.process_time_ns()
    session.frame(frame)
    done_ns = time.process_time_ns()
    took_ms = (wooden.clock.now_us() - began_us) / 1000
    wooden.advance_ms(max(0.0, _PERIOD_MS - took_ms))
    counters = devices.sensors.health().counters
    cost = (counters["scan_bytes"], counters["scan_transactions"])
    return (*cost, took_ms, (read_ns - began_ns) / 1e6, (done_ns - read_ns) / 1e6)


def bench_latency(board: str = "avalam", games: int = 1, seed: int = 1, moves: int | None = None) -> Latency:
    """Play random games, or their first `moves`, with the simulated hand and measure every lift.

    Raises: ControllerError for a move that was not understood; BoardFileError, CalibrationError.
    """
    waits_ms: list[float] = []
    for number in range(games):
        with TemporaryDirectory(prefix="tablier-bench-") as folder:
            devices = DeviceSettings(kind="simulated", board=board, seed=seed + number, real_time=False)
            with open_daemon(Plan(Config(board=board), Path(folder), devices)) as running:
                waits_ms += _Play(running.daemon, Random(seed + number)).game(moves)  # noqa: S311 - repeatable
    return Latency(len(waits_ms), _part(waits_ms, 0.5), _part(waits_ms, 0.99), max(waits_ms))


class _Play:
    """A random game by the simulated hand, in board time."""

    def __init__(self, daemon: Daemon, rng: Random) -> None:
        self._daemon = daemon
        self._devices = daemon.devices
        self._wooden = _wooden(daemon.devices)
        self._rng = rng
        self._game: BoardGame = board_game(daemon.board)
        self._record = Record(self._game)
        self._green = gamma_corrected([colour_of(Meaning.TARGET)])[0]

    def game(self, most: int | None) -> list[float]:
        """Play to the end, or `most` moves; the ms from each lift to its light."""
        self._daemon.begin()
        self._let_pass(1500)
        waits_ms: list[float] = []
        while (moves := self._record.position.legal_moves()) and len(waits_ms) != most:
            move = self._rng.choice(moves)
            origin, *_, target = (c.cell for c in self._game.changes(move, self._record.position))
            targets = self._targets(origin)
            self._wooden.do(self._wooden.gestures.move(origin, target))
            text = self._game.format_move(move, self._record.position)
            self._record.push(move)
            self._await(text)
            waits_ms.append(self._wait_ms(targets))
            self._let_pass(self._rng.randint(*_THINK_MS))
        return waits_ms

    def _targets(self, origin: str) -> list[int]:
        """The pixels of the cells to which what stands on `origin` may go."""
        position, pixels = self._record.position, []
        for move in position.legal_moves():
            first, *_, last = (change.cell for change in self._game.changes(move, position))
            if first == origin:
                pixels.append(self._daemon.board.cell(last).pixel)
        return pixels

    def _turn(self) -> None:
        """One turn of the daemon, its writing, and the time until the next."""
        pause_ms = self._daemon.step(self._devices.clock.now_ms())
        self._daemon.write()
        self._daemon.step(self._devices.clock.now_ms())
        self._wooden.advance_ms(pause_ms)

    def _let_pass(self, duration_ms: int) -> None:
        until_ms = self._devices.clock.now_ms() + duration_ms
        while self._devices.clock.now_ms() < until_ms:
            self._turn()

    def _await(self, text: str) -> None:
        """Let time pass until the move is published, answering a question where one is asked."""
        until_ms = self._devices.clock.now_ms() + _PATIENCE_MS
        while [m.move for m in self._daemon.snapshot().view.moves] != list(self._record.move_texts):
            if self._devices.clock.now_ms() > until_ms:
                raise ControllerError(
                    f"the move {text}, number {len(self._record.moves)}, was not understood"
                )
            if text in self._daemon.snapshot().view.question:
                self._daemon.submit(Answer(text))
            self._turn()

    def _wait_ms(self, targets: Sequence[int]) -> float:
        """From the latest lift to the first transmission after it in which all its targets are lit."""
        lifted_us = max(e.t_us for hand in self._wooden.hands for e in hand.events if e.kind == "lifted")
        for shown in self._wooden.strip.frames:
            if shown.t_us >= lifted_us and self._are_lit(shown.pixels, targets):
                return (shown.t_us - lifted_us) / 1000
        raise ControllerError(f"the lift at {lifted_us / 1e6:.2f} s was not answered by light")

    def _are_lit(self, pixels: Sequence[Colour], targets: Sequence[int]) -> bool:
        return all(_has_hue(pixels[target], self._green) for target in targets)


def _has_hue(pixel: Colour, colour: Colour) -> bool:
    """Whether a pixel shows exactly the channels of a colour; the power limit may have dimmed it."""
    return tuple(map(bool, pixel)) == tuple(map(bool, colour))


def _wooden(devices: Devices) -> SimulatedBoard:
    if devices.simulated is None:
        raise ControllerError("this is measured on a simulated board only")
    return devices.simulated


def _part(values: Sequence[float], share: float) -> float:
    """The value below which this share of all values lies, by the nearest rank."""
    return sorted(values)[max(0, ceil(share * len(values)) - 1)]


def rounded(values: Mapping[str, float]) -> dict[str, float]:
    """Figures as they are printed: to the hundredth."""
    return {key: round(value, 2) for key, value in values.items()}

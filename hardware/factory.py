"""The one place where it is decided whether the devices are real or simulated."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal

from hardware.boardfile import Board, load_board
from hardware.clock import MonotonicClock
from hardware.i2c import LinuxI2cBus
from hardware.leds.null import NullStrip
from hardware.ports import Clock, Sensors, Strip
from hardware.sensing.field import field_scanner
from hardware.simulator.board import SimulatedBoard
from hardware.simulator.table import Physics


@dataclass(frozen=True, slots=True)
class DeviceSettings:
    """Which devices to use. `board` is a board's name or file, `bus` the I2C device file.

    `seed`, `real_time` and `physics` are for the simulated board: without real time its clock
    moves only as its devices and its owner move it.
    """

    kind: Literal["real", "simulated"] = "real"
    board: str = "avalam"
    bus: str = "/dev/i2c-1"
    seed: int = 0
    real_time: bool = True
    physics: Physics | None = None


@dataclass(frozen=True, slots=True)
class Devices:
    """Everything that belongs to one board. `simulated` is the wooden part where it is not real."""

    board: Board
    sensors: Sensors
    strip: Strip
    clock: Clock
    simulated: SimulatedBoard | None = None

    def close(self) -> None:
        """Make the strip dark and release everything; closing twice does nothing."""
        self.strip.close()
        self.sensors.close()


def open_devices(settings: DeviceSettings) -> Devices:
    """The devices, not started yet: `sensors.start()` finds the chips.

    A bus that is missing is a fault of the sensors, not an error here.
    Raises: BoardFileError.
    """
    board = load_board(settings.board)
    if settings.kind == "simulated":
        return _simulated(board, settings)
    clock = MonotonicClock()
    sensors = field_scanner(board, lambda: LinuxI2cBus(settings.bus), settings.bus, clock)
    return Devices(board, sensors, NullStrip(board.strip_length), clock)


def _simulated(board: Board, settings: DeviceSettings) -> Devices:
    start_ns = time.monotonic_ns()

    def wall_us() -> int:
        return (time.monotonic_ns() - start_ns) // 1000

    wooden = SimulatedBoard(
        board,
        seed=settings.seed,
        physics=settings.physics,
        wall_us=wall_us if settings.real_time else None,
    )
    sensors = field_scanner(
        board, wooden.open_bus, "simulated bus", wooden.clock, reset_muxes=wooden.bus.reset_muxes
    )
    return Devices(board, sensors, wooden.strip, wooden.clock, wooden)

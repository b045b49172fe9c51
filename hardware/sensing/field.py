"""The sensors of a field board: a scanner wired as its board file says."""

from __future__ import annotations

from collections.abc import Callable

from hardware.boardfile import Board
from hardware.ports import Clock, I2cBus, Unit
from hardware.sensing.busline import BusLine
from hardware.sensing.chip import Tmag5273Place
from hardware.sensing.post import Wiring
from hardware.sensing.scanner import BusScanner, ScanLimits


def field_scanner(
    board: Board,
    open_bus: Callable[[], I2cBus],
    where: str,
    clock: Clock,
    *,
    limits: ScanLimits | None = None,
    reset_muxes: Callable[[], None] | None = None,
) -> BusScanner:
    """The scanner of `board` on the bus that `open_bus` opens; `where` names the bus in faults."""
    line = BusLine(open_bus, where)
    wirings = [
        Wiring(cell.mux, cell.channel, Tmag5273Place(line, cell.sensor, cell.name)) for cell in board.cells
    ]
    return BusScanner(line, wirings, Unit.MT, clock, limits=limits, reset_muxes=reset_muxes)

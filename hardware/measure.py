"""What scans cost: bytes and transactions on the bus, board time, processor time."""

from __future__ import annotations

import time
from dataclasses import dataclass

from hardware.boardfile import Board
from hardware.counting import BusCost
from hardware.sensing.field import field_scanner
from hardware.simulator.board import SimulatedBoard


@dataclass(frozen=True, slots=True)
class ScanMeasure:
    """The cost of scans of one board: the dearest one and the mean of `scans`.

    `wire_us` and `board_us` are mean times a scan on the wires alone and with the time each
    transaction takes besides; `processor_us` is what the processor spent, simulation included.
    """

    places: int
    scans: int
    most_bytes: int
    most_transactions: int
    mean_bytes: float
    mean_transactions: float
    wire_us: float
    board_us: float
    processor_us: float


def measure_scans(board: Board, scans: int = 200, interval_ms: int = 40, seed: int = 0) -> ScanMeasure:
    """Scan a simulated `board` with a piece on every hole but one, `interval_ms` apart.

    Raises: ValueError if `scans` is less than 1.
    """
    if scans < 1:
        raise ValueError(f"scans is {scans}, must be at least 1")
    wooden = SimulatedBoard(board, seed=seed)
    wooden.set_up({name: (n % 2,) for n, name in enumerate(board.names[1:])})
    scanner = field_scanner(board, wooden.open_bus, "simulated bus", wooden.clock)
    scanner.start()
    costs: list[BusCost] = []
    board_us = 0
    processor_ns = 0
    for _ in range(scans):
        began_us, began_ns = wooden.clock.now_us(), time.process_time_ns()
        scanner.scan()
        processor_ns += time.process_time_ns() - began_ns
        took_us = wooden.clock.now_us() - began_us
        board_us += took_us
        costs.append(scanner.last_cost)
        wooden.advance_ms(max(0.0, interval_ms - took_us / 1000.0))
    scanner.close()
    return ScanMeasure(
        places=len(board.cells),
        scans=scans,
        most_bytes=max(cost.bytes for cost in costs),
        most_transactions=max(cost.transactions for cost in costs),
        mean_bytes=sum(cost.bytes for cost in costs) / scans,
        mean_transactions=sum(cost.transactions for cost in costs) / scans,
        wire_us=sum(cost.wire_us() for cost in costs) / scans,
        board_us=board_us / scans,
        processor_us=processor_ns / 1000.0 / scans,
    )

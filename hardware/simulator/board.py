"""The simulated board: wires, chips, pieces, hands, strip and clock, put together from a board file.

Programs reach it through the ports alone: the bus that `open_bus` gives, the strip, the clock.
What a person does with a real board (set it up, move towers, unplug things) is done by the other
methods. They may be called from any thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from threading import RLock

from hardware.boardfile import Board, BoardCell
from hardware.magnetics import magnet_bz_mt
from hardware.simulator.bus import SimulatedBus, SimulatedI2cBus
from hardware.simulator.chips import Imperfection, SimulatedTca9548a, SimulatedTmag5273
from hardware.simulator.clock import BoardClock
from hardware.simulator.gestures import Gestures, Pace
from hardware.simulator.hand import Hand, Step
from hardware.simulator.pointer import Grasp, Pointer
from hardware.simulator.snapshot import format_table, restore_table
from hardware.simulator.strip import RecordingStrip
from hardware.simulator.table import Physics, Table


class SimulatedBoard:
    """A wooden board that is not there. The same `seed` gives the same sensors, pieces and hands.

    Without `wall_us` time moves only through transfers and `advance_ms`; with it, time also keeps
    up with that clock of microseconds.
    """

    def __init__(
        self,
        board: Board,
        *,
        seed: int = 0,
        physics: Physics | None = None,
        pace: Pace | None = None,
        wall_us: Callable[[], int] | None = None,
    ) -> None:
        self.board = board
        self.clock = BoardClock(wall_us)
        self.table = Table(board, _stream(seed, "table"), physics)
        self.gestures = Gestures(self.table, _stream(seed, "hands"), pace)
        self.hands = (Hand(self.table), Hand(self.table))
        self.strip = RecordingStrip(board.strip_length, self.clock)
        self._pointer = Pointer(self.table)
        self._all_hands = (*self.hands, self._pointer.hand)
        self._lock = RLock()
        self._muxes = {
            address: SimulatedTca9548a(address) for address in sorted({c.mux for c in board.cells})
        }
        self._sensors: dict[str, SimulatedTmag5273] = {}
        flaws = _stream(seed, "sensors")
        for index, cell in enumerate(board.cells):
            sensor = self._sensor(index, cell, flaws, seed)
            self._sensors[cell.name] = sensor
            self._muxes[cell.mux].segments[cell.channel].append(sensor)
        self.bus = SimulatedBus(self.clock, tuple(self._muxes.values()), lock=self._lock)

    def _sensor(self, index: int, cell: BoardCell, flaws: Random, seed: int) -> SimulatedTmag5273:
        physics = self.table.physics
        flaw = Imperfection(
            gain=flaws.gauss(1.0, physics.gain),
            offset_mt=flaws.gauss(0.0, physics.offset_mt),
            noise_mt=physics.noise_mt,
        )
        noise = _stream(seed, f"noise {cell.name}")

        def field_mt() -> float:
            self._move_hands()
            return self.table.field_mt(index)

        return SimulatedTmag5273(cell.sensor, field_mt, self.clock.now_us, noise, flaw)

    def _move_hands(self) -> None:
        now_us = self.clock.now_us()
        for hand in self._all_hands:
            if not hand.is_idle:
                hand.advance(now_us)

    def open_bus(self) -> SimulatedI2cBus:
        """A program's handle on the board's bus.

        Raises: DeviceNotFoundError while it is unplugged.
        """
        return self.bus.open()

    def sensor(self, cell: str) -> SimulatedTmag5273:
        """The sensor under a cell, to break and to heal it.

        Raises: KeyError.
        """
        return self._sensors[cell]

    def mux(self, address: int) -> SimulatedTca9548a:
        """The multiplexer at an address, to break and to heal it.

        Raises: KeyError.
        """
        return self._muxes[address]

    def calibration(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """What a perfect calibration of these sensors finds: zero and single-piece field in mT, by cell."""
        single_mt = magnet_bz_mt(self.board.magnet, 0.0, self.board.gap_mm)
        flaws = [self._sensors[name].imperfection for name in self.board.names]
        return tuple(f.offset_mt for f in flaws), tuple(f.gain * single_mt for f in flaws)

    def advance_ms(self, duration_ms: float) -> None:
        """Let time pass; hands go on meanwhile."""
        with self._lock:
            self.clock.advance_us(round(duration_ms * 1000))
            self._move_hands()

    def finish_hands(self) -> None:
        """Let time pass until no hand has anything left to do."""
        with self._lock:
            self._move_hands()
            left_us = max(hand.remaining_us() for hand in self._all_hands)
            self.clock.advance_us(left_us)
            self._move_hands()

    def do(self, steps: Iterable[Step], hand: int = 0) -> None:
        """Have a hand, 0 or 1, do these steps after what it is doing."""
        with self._lock:
            self.hands[hand].do(steps, self.clock.now_us())

    def set_up(self, stacks: Mapping[str, Sequence[int]]) -> None:
        """Put these towers on the board, owners bottom first; everything else is taken away.

        Raises: ValueError naming the cells that the board does not have.
        """
        with self._lock:
            self._move_hands()
            for hand in self._all_hands:
                hand.reset()
            self.table.set_up(stacks)

    def stacks(self) -> dict[str, tuple[int, ...]]:
        """The truth: the owners on each hole that is not empty, bottom first."""
        with self._lock:
            self._move_hands()
            return self.table.stacks()

    def loose(self) -> list[tuple[float, float, tuple[int, ...]]]:
        """The towers beside the holes: x, y in mm, owners bottom first."""
        with self._lock:
            self._move_hands()
            return self.table.loose()

    def carried(self) -> list[tuple[float, float, float, tuple[int, ...]]]:
        """What hands hold: x, y and clearance in mm, owners bottom first."""
        with self._lock:
            self._move_hands()
            return [
                (h.x_mm, h.y_mm, h.clearance_mm, tuple(p.owner for p in h.pawns))
                for h in self.table.carried
                if h.pawns
            ]

    def grab(self, x_mm: float, y_mm: float, count: int | None = None) -> Grasp | None:
        """The pointer takes the tower at a place, or its `count` top pieces; None if none is there."""
        with self._lock:
            self._move_hands()
            return self._pointer.grab(x_mm, y_mm, count, self.clock.now_us())

    def move_to(self, x_mm: float, y_mm: float, clearance_mm: float | None = None) -> None:
        """The pointer leads what it holds to a place, just over what stands there unless told otherwise."""
        with self._lock:
            self._pointer.move_to(x_mm, y_mm, clearance_mm, self.clock.now_us())

    def release(self) -> str | None:
        """The pointer lets go; the cell on which the tower stands now, None beside the board."""
        with self._lock:
            self._move_hands()
            return self._pointer.release(self.clock.now_us())

    def snapshot(self) -> dict[str, object]:
        """What lies where, as values for JSON; what is in a hand is noted where it was taken."""
        with self._lock:
            self._move_hands()
            return format_table(self.table)

    def restore(self, snapshot: object) -> None:
        """Put everything back as `snapshot` noted it.

        Raises: ValueError saying what is wrong; then nothing has changed.
        """
        with self._lock:
            restore_table(self.table, snapshot)
            for hand in self._all_hands:
                hand.reset()


def _stream(seed: int, name: str) -> Random:
    """A source of chance of its own for each purpose, so that one does not disturb another."""
    return Random(f"{seed} {name}")  # noqa: S311 - it is to be repeatable, not secret

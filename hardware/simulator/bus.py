"""The simulated I2C bus: transactions from START to STOP, and what they take.

It takes the time that real wires take, moving the board's clock on: nine bits a byte, a bit for
each START and STOP, and a fixed time a transaction for the driver and the kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from threading import RLock

from hardware.counting import BIT_RATE_HZ
from hardware.errors import BusError, BusTimeoutError, DeviceClosedError, DeviceNotFoundError, NackError
from hardware.simulator.chips import SimulatedChip, SimulatedTca9548a
from hardware.simulator.clock import BoardClock

TRANSACTION_OVERHEAD_US = 100
TIMEOUT_US = 100_000
_BITS_A_BYTE = 9


class BusTrouble(Enum):
    """What is wrong with the bus as a whole."""

    NONE = "none"
    HANGS = "hangs"  # SDA is held low: every transfer runs into its time limit
    FAILS = "fails"  # every transfer fails at once
    GONE = "gone"  # the device file has vanished


class SimulatedBus:
    """The wires, the multiplexers on them and the chips behind. Programs use it through `open`."""

    def __init__(
        self,
        clock: BoardClock,
        muxes: Sequence[SimulatedTca9548a],
        chips: Sequence[SimulatedChip] = (),
        *,
        overhead_us: int = TRANSACTION_OVERHEAD_US,
        bit_rate_hz: int = BIT_RATE_HZ,
        lock: RLock | None = None,
    ) -> None:
        self._clock = clock
        self._muxes = tuple(muxes)
        self._chips = tuple(chips)
        self._overhead_us = overhead_us
        self._bit_rate_hz = bit_rate_hz
        self._lock = lock or RLock()
        self.trouble = BusTrouble.NONE

    def open(self) -> SimulatedI2cBus:
        """A program's handle on the bus.

        Raises: DeviceNotFoundError while the device is gone.
        """
        if self.trouble is BusTrouble.GONE:
            raise DeviceNotFoundError("no simulated I2C bus: it is unplugged")
        return SimulatedI2cBus(self)

    def reset_muxes(self) -> None:
        """A pulse on the RESET line of all multiplexers."""
        with self._lock:
            for mux in self._muxes:
                mux.restart()

    def transfer(self, address: int, data: bytes | None, length: int) -> bytes:
        """One transaction: write where `data` is there, then read where `length` is not 0.

        Raises: NackError, BusTimeoutError, BusError.
        """
        with self._lock:
            where = f"I2C address 0x{address:02x}"
            self._refuse_in_trouble(where)
            reachable = self._reachable()
            answering = [chip for chip in reachable if chip.address == address and chip.answers]
            for chip in answering:
                chip.addressed()
            if any(chip.holds_bus for chip in reachable):
                self._clock.advance_us(TIMEOUT_US)
                raise BusTimeoutError(f"{where}: the bus is held and nothing moves")
            if not answering:
                self._pass_time(1, 1)
                raise NackError(f"{where}: no answer")
            answer = self._exchange(answering, data, length)
            for chip in reachable:
                chip.stop()
            return answer

    def _exchange(self, answering: Sequence[SimulatedChip], data: bytes | None, length: int) -> bytes:
        starts = (data is not None) + (length > 0)
        self._pass_time(starts + len(data or b"") + length, starts)
        if data is not None:
            for chip in answering:
                chip.write(data)
        answer = b"\xff" * length  # the bus floats high, and every chip can only pull it low
        if length:
            for chip in answering:
                answer = bytes(a & b for a, b in zip(answer, chip.read(length), strict=True))
        return answer

    def _refuse_in_trouble(self, where: str) -> None:
        if self.trouble is BusTrouble.NONE:
            return
        if self.trouble is BusTrouble.HANGS:
            self._clock.advance_us(TIMEOUT_US)
            raise BusTimeoutError(f"{where}: the bus is held and nothing moves")
        self._clock.advance_us(self._overhead_us)
        raise BusError(f"{where}: transfer failed")

    def _reachable(self) -> list[SimulatedChip]:
        reachable: list[SimulatedChip] = [*self._muxes, *self._chips]
        for mux in self._muxes:
            if mux.mask and mux.answers:
                reachable += mux.open_chips()
        return reachable

    def _pass_time(self, byte_count: int, starts: int) -> None:
        bits = byte_count * _BITS_A_BYTE + starts + 1
        self._clock.advance_us(self._overhead_us + round(bits * 1_000_000 / self._bit_rate_hz))


class SimulatedI2cBus:
    """A program's handle on a simulated bus: an `I2cBus`."""

    __slots__ = ("_bus", "_closed")

    def __init__(self, bus: SimulatedBus) -> None:
        self._bus = bus
        self._closed = False

    def _transfer(self, address: int, data: bytes | None, length: int) -> bytes:
        if self._closed:
            raise DeviceClosedError("the simulated I2C bus is closed")
        return self._bus.transfer(address, data, length)

    def write(self, address: int, data: bytes) -> None:
        """Write `data` to the 7-bit `address`."""
        self._transfer(address, data, 0)

    def read(self, address: int, length: int) -> bytes:
        """Read `length` bytes without a register pointer."""
        return self._transfer(address, None, length)

    def write_read(self, address: int, data: bytes, length: int) -> bytes:
        """Write, repeated START, read."""
        return self._transfer(address, data, length)

    def close(self) -> None:
        """Release the handle; closing twice does nothing."""
        self._closed = True

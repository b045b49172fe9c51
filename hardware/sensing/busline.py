"""A bus that can be lost and opened again, and that counts what passes over it."""

from __future__ import annotations

from collections.abc import Callable

from hardware.counting import BusCost, BusErrors, CountingBus
from hardware.errors import (
    BusError,
    DeviceClosedError,
    DeviceNotFoundError,
    DevicePermissionError,
    HardwareError,
)
from hardware.ports import Fault, I2cBus

FIRST_PAUSE_MS = 250
LONGEST_PAUSE_MS = 5_000


class BusLine:
    """An `I2cBus` that stays the same object while the bus behind it comes and goes.

    `open_bus` opens the real one; `where` names it in faults.
    """

    def __init__(self, open_bus: Callable[[], I2cBus], where: str) -> None:
        self._open_bus = open_bus
        self._where = where
        self._bus: CountingBus | None = None
        self._closed = False
        self._pause_ms = 0
        self._retry_at_ms = 0
        self._past = BusCost()
        self._errors = BusErrors()
        self.fault: Fault | None = None

    @property
    def cost(self) -> BusCost:
        """Everything that has passed since the start, over all openings."""
        now = self._bus.cost if self._bus else BusCost()
        return BusCost(*(a + b for a, b in zip(self._past, now, strict=True)))

    @property
    def errors(self) -> BusErrors:
        """The failed transfers since the start."""
        return self._errors

    def ensure(self, now_ms: int) -> bool:
        """Have an open bus; True if it was opened just now, so that nothing is known of its chips.

        Raises: BusError while it is lost, at once if the pause before the next trial is not over.
        """
        if self._closed:
            raise DeviceClosedError(f"{self._where} is closed")
        if self._bus is not None:
            return False
        if self.fault is not None and now_ms < self._retry_at_ms:
            raise BusError(f"{self._where} is away, next trial in {self._retry_at_ms - now_ms} ms")
        try:
            bus = CountingBus(self._open_bus())
        except HardwareError as error:
            self.lose(_code(error), now_ms, str(error))
            raise BusError(str(error)) from error
        bus.errors = self._errors
        self._bus = bus
        return True

    def works(self) -> None:
        """Note that transfers succeed: a loss is over."""
        self.fault = None
        self._pause_ms = 0

    def lose(self, code: str, now_ms: int, reason: str) -> None:
        """Note that the bus is lost, and let go of it until the next trial."""
        self._pause_ms = min(max(self._pause_ms * 2, FIRST_PAUSE_MS), LONGEST_PAUSE_MS)
        self._retry_at_ms = now_ms + self._pause_ms
        self.fault = Fault(code, self._where, (reason,))
        self._release()

    def _release(self) -> None:
        if self._bus is not None:
            self._past = self.cost
            bus, self._bus = self._bus, None
            bus.close()

    def _open(self) -> CountingBus:
        if self._bus is None:
            raise DeviceClosedError(f"{self._where} is not open")
        return self._bus

    def write(self, address: int, data: bytes) -> None:
        """Write `data` to the 7-bit `address`."""
        self._open().write(address, data)

    def read(self, address: int, length: int) -> bytes:
        """Read `length` bytes without a register pointer."""
        return self._open().read(address, length)

    def write_read(self, address: int, data: bytes, length: int) -> bytes:
        """Write, repeated START, read."""
        return self._open().write_read(address, data, length)

    def close(self) -> None:
        """Release the bus for good; closing twice does nothing."""
        self._closed = True
        self._release()


def _code(error: HardwareError) -> str:
    if isinstance(error, DeviceNotFoundError):
        return "bus_not_found"
    if isinstance(error, DevicePermissionError):
        return "bus_permission"
    return "bus_lost"

"""A bus that counts what passes over it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from hardware.errors import BusError, BusTimeoutError, NackError
from hardware.ports import I2cBus

BIT_RATE_HZ = 400_000
_BITS_A_BYTE = 9
_US_A_SECOND = 1_000_000


class BusCost(NamedTuple):
    """What transfers cost: bytes on the wire with the address bytes, transactions from START to STOP."""

    bytes: int = 0
    transactions: int = 0
    starts: int = 0

    def since(self, earlier: BusCost) -> BusCost:
        """The cost that has come up after `earlier`."""
        return BusCost(*(now - then for now, then in zip(self, earlier, strict=True)))

    def wire_us(self, bit_rate_hz: int = BIT_RATE_HZ) -> float:
        """The time on the wire: nine bits a byte, and one bit a START, repeated START or STOP."""
        bits = self.bytes * _BITS_A_BYTE + self.starts + self.transactions
        return bits * _US_A_SECOND / bit_rate_hz


@dataclass(slots=True)
class BusErrors:
    """How many transfers failed, by kind."""

    nacks: int = 0
    timeouts: int = 0
    others: int = 0


class CountingBus:
    """Any `I2cBus`, counted. A failed transfer counts as one whose data never moved."""

    __slots__ = ("_bus", "_bytes", "_starts", "_transactions", "errors")

    def __init__(self, bus: I2cBus) -> None:
        self._bus = bus
        self._bytes = 0
        self._transactions = 0
        self._starts = 0
        self.errors = BusErrors()

    @property
    def cost(self) -> BusCost:
        """Everything since the start."""
        return BusCost(self._bytes, self._transactions, self._starts)

    def write(self, address: int, data: bytes) -> None:
        """Write `data` to the 7-bit `address`."""
        self._begin(1)
        try:
            self._bus.write(address, data)
        except BusError as error:
            self._failed(error)
            raise
        self._bytes += len(data)

    def read(self, address: int, length: int) -> bytes:
        """Read `length` bytes without a register pointer."""
        self._begin(1)
        try:
            answer = self._bus.read(address, length)
        except BusError as error:
            self._failed(error)
            raise
        self._bytes += length
        return answer

    def write_read(self, address: int, data: bytes, length: int) -> bytes:
        """Write, repeated START, read."""
        self._begin(1)
        try:
            answer = self._bus.write_read(address, data, length)
        except BusError as error:
            self._failed(error)
            raise
        self._starts += 1
        self._bytes += 1 + len(data) + length
        return answer

    def close(self) -> None:
        """Release the bus beneath."""
        self._bus.close()

    def _begin(self, address_bytes: int) -> None:
        self._transactions += 1
        self._starts += 1
        self._bytes += address_bytes

    def _failed(self, error: BusError) -> None:
        if isinstance(error, NackError):
            self.errors.nacks += 1
        elif isinstance(error, BusTimeoutError):
            self.errors.timeouts += 1
        else:
            self.errors.others += 1

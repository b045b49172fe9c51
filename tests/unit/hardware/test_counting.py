"""What the counting bus counts."""

from __future__ import annotations

import pytest

from hardware.counting import BusCost, CountingBus
from hardware.errors import BusError, BusTimeoutError, NackError


class Wire:
    """A bus that answers with ones, or raises `error`."""

    def __init__(self) -> None:
        self.error: BusError | None = None
        self.closed = False

    def _go(self) -> None:
        if self.error is not None:
            raise self.error

    def write(self, address: int, data: bytes) -> None:
        self._go()

    def read(self, address: int, length: int) -> bytes:
        self._go()
        return b"\x01" * length

    def write_read(self, address: int, data: bytes, length: int) -> bytes:
        self._go()
        return b"\x01" * length

    def close(self) -> None:
        self.closed = True


def test_bytes_count_with_their_addresses() -> None:
    bus = CountingBus(Wire())
    bus.write(0x70, b"\x04")
    assert bus.cost == BusCost(bytes=2, transactions=1, starts=1)
    assert bus.read(0x70, 1) == b"\x01"
    assert bus.cost == BusCost(bytes=4, transactions=2, starts=2)
    assert bus.write_read(0x35, b"\x16", 2) == b"\x01\x01"
    assert bus.cost == BusCost(bytes=9, transactions=3, starts=4)


def test_the_cost_of_a_stretch_is_a_difference() -> None:
    bus = CountingBus(Wire())
    bus.write(0x70, b"\x04")
    before = bus.cost
    bus.write_read(0x35, b"\x16", 2)
    assert bus.cost.since(before) == BusCost(bytes=5, transactions=1, starts=2)


def test_wire_time_is_nine_bits_a_byte_and_the_conditions() -> None:
    assert BusCost(bytes=5, transactions=1, starts=2).wire_us() == pytest.approx((45 + 3) * 2.5)
    assert BusCost(bytes=5, transactions=1, starts=2).wire_us(100_000) == pytest.approx(480.0)


@pytest.mark.parametrize(
    ("error", "nacks", "timeouts", "others"),
    [(NackError("n"), 3, 0, 0), (BusTimeoutError("t"), 0, 3, 0), (BusError("o"), 0, 0, 3)],
)
def test_failures_count_by_kind_and_their_data_never_moved(
    error: BusError, nacks: int, timeouts: int, others: int
) -> None:
    wire = Wire()
    wire.error = error
    bus = CountingBus(wire)
    with pytest.raises(type(error)):
        bus.write(0x35, b"\x00\x00")
    with pytest.raises(type(error)):
        bus.read(0x35, 9)
    with pytest.raises(type(error)):
        bus.write_read(0x35, b"\x00", 9)
    assert (bus.errors.nacks, bus.errors.timeouts, bus.errors.others) == (nacks, timeouts, others)
    assert bus.cost == BusCost(bytes=3, transactions=3, starts=3)


def test_closing_closes_the_bus_beneath() -> None:
    wire = Wire()
    CountingBus(wire).close()
    assert wire.closed

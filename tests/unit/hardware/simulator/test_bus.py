"""The simulated wires: who answers, what it takes, and what goes wrong."""

from __future__ import annotations

import pytest

from hardware.errors import (
    BusError,
    BusTimeoutError,
    DeviceClosedError,
    DeviceNotFoundError,
    NackError,
)
from hardware.simulator.bus import BusTrouble, SimulatedBus
from hardware.simulator.chips import SimulatedTca9548a
from hardware.simulator.clock import BoardClock


class Memory:
    """A chip that returns fixed bytes."""

    def __init__(self, address: int, content: bytes = b"\xff") -> None:
        self.address = address
        self.content = content
        self.answers = True
        self.holds_bus = False
        self.log: list[object] = []

    def addressed(self) -> None:
        self.log.append("addressed")

    def write(self, data: bytes) -> None:
        self.log.append(data)

    def read(self, length: int) -> bytes:
        return (self.content * length)[:length]

    def stop(self) -> None:
        self.log.append("stop")


def wires(*chips: Memory, muxes: int = 0) -> tuple[SimulatedBus, BoardClock, list[SimulatedTca9548a]]:
    clock = BoardClock()
    switches = [SimulatedTca9548a(0x70 + n) for n in range(muxes)]
    return SimulatedBus(clock, switches, chips), clock, switches


def test_bytes_reach_the_chip_between_start_and_stop() -> None:
    chip = Memory(0x35, b"\x12\x34")
    other = Memory(0x22)
    bus, _, _ = wires(chip, other)
    handle = bus.open()
    handle.write(0x35, b"\x01\x02")
    assert handle.write_read(0x35, b"\x16", 2) == b"\x12\x34"
    assert handle.read(0x35, 1) == b"\x12"
    assert chip.log == ["addressed", b"\x01\x02", "stop", "addressed", b"\x16", "stop", "addressed", "stop"]
    assert other.log == ["stop"] * 3


@pytest.mark.parametrize(
    ("act", "duration_us"),
    [
        # bytes with addresses * 9 bits, a bit a START and STOP, at 2.5 us, and 100 us for the driver
        (lambda bus: bus.write(0x35, b"\x01"), 100 + (18 + 2) * 2.5),
        (lambda bus: bus.read(0x35, 1), 100 + (18 + 2) * 2.5),
        (lambda bus: bus.write_read(0x35, b"\x16", 2), 100 + (45 + 3) * 2.5),
    ],
)
def test_transfers_take_their_time(act: object, duration_us: float) -> None:
    bus, clock, _ = wires(Memory(0x35))
    act(bus.open())  # type: ignore[operator]
    assert clock.now_us() == duration_us


def test_nobody_at_an_address_is_a_nack() -> None:
    chip = Memory(0x35)
    bus, clock, _ = wires(chip)
    with pytest.raises(NackError, match="0x22: no answer"):
        bus.open().write(0x22, b"\x01")
    assert clock.now_us() == 100 + round((9 + 2) * 2.5)
    chip.answers = False
    with pytest.raises(NackError):
        bus.open().read(0x35, 1)
    assert chip.log == []


def test_two_at_one_address_give_the_and_of_their_bits_without_an_error() -> None:
    bus, _, _ = wires(Memory(0x35, b"\xf0\x0f"), Memory(0x35, b"\x3c\xff"))
    assert bus.open().read(0x35, 2) == b"\x30\x0f"


def test_a_selection_works_from_the_stop_on() -> None:
    behind = Memory(0x35, b"\x42")
    bus, _, (mux,) = wires(muxes=1)
    mux.segments[2].append(behind)
    handle = bus.open()
    with pytest.raises(NackError):
        handle.read(0x35, 1)
    handle.write(0x70, b"\x04")
    assert handle.read(0x35, 1) == b"\x42"
    assert handle.write_read(0x70, b"\x00", 1) == b"\x04", "still as before within the transaction"
    with pytest.raises(NackError):
        handle.read(0x35, 1)


def test_two_multiplexers_with_open_channels_collide() -> None:
    bus, _, muxes = wires(muxes=2)
    for mux, content in zip(muxes, (b"\xf0", b"\x1f"), strict=True):
        mux.segments[0].append(Memory(0x35, content))
    handle = bus.open()
    handle.write(0x70, b"\x01")
    handle.write(0x71, b"\x01")
    assert handle.read(0x35, 1) == b"\x10"
    bus.reset_muxes()
    assert handle.read(0x70, 1) == b"\x00"
    muxes[0].mask = 1
    muxes[0].faults.dead = True
    with pytest.raises(NackError):
        handle.read(0x35, 1)


def test_a_chip_that_holds_the_bus_stops_everything_that_can_reach_it() -> None:
    behind = Memory(0x35)
    behind.holds_bus = True
    bus, clock, (mux,) = wires(muxes=1)
    mux.segments[0].append(behind)
    handle = bus.open()
    handle.write(0x70, b"\x01")
    before_us = clock.now_us()
    with pytest.raises(BusTimeoutError, match="the bus is held"):
        handle.write(0x70, b"\x00")
    assert clock.now_us() - before_us == 100_000
    bus.reset_muxes()
    handle.write(0x70, b"\x00")


@pytest.mark.parametrize(
    ("trouble", "kind", "duration_us"),
    [
        (BusTrouble.HANGS, BusTimeoutError, 100_000),
        (BusTrouble.FAILS, BusError, 100),
        (BusTrouble.GONE, BusError, 100),
    ],
)
def test_a_bus_in_trouble(trouble: BusTrouble, kind: type[BusError], duration_us: int) -> None:
    bus, clock, _ = wires(Memory(0x35))
    handle = bus.open()
    bus.trouble = trouble
    with pytest.raises(kind) as caught:
        handle.read(0x35, 1)
    assert type(caught.value) is kind
    assert clock.now_us() == duration_us


def test_an_unplugged_bus_cannot_be_opened() -> None:
    bus, _, _ = wires()
    bus.trouble = BusTrouble.GONE
    with pytest.raises(DeviceNotFoundError, match="it is unplugged"):
        bus.open()


def test_a_closed_handle_is_closed_and_the_next_one_works() -> None:
    bus, _, _ = wires(Memory(0x35))
    handle = bus.open()
    handle.close()
    handle.close()
    with pytest.raises(DeviceClosedError):
        handle.read(0x35, 1)
    assert bus.open().read(0x35, 1) == b"\xff"

"""A bus that comes and goes."""

from __future__ import annotations

import pytest

from hardware.counting import BusCost
from hardware.errors import (
    BusError,
    DeviceClosedError,
    DeviceNotFoundError,
    DevicePermissionError,
    HardwareError,
    NackError,
)
from hardware.ports import Fault
from hardware.sensing.busline import BusLine


class Wire:
    def __init__(self) -> None:
        self.closed = False
        self.deaf = False

    def write(self, address: int, data: bytes) -> None:
        if self.deaf:
            raise NackError("deaf")

    def read(self, address: int, length: int) -> bytes:
        return bytes(length)

    def write_read(self, address: int, data: bytes, length: int) -> bytes:
        return bytes(length)

    def close(self) -> None:
        self.closed = True


class Plug:
    """Opens wires, or raises `error`."""

    def __init__(self) -> None:
        self.error: HardwareError | None = None
        self.wires: list[Wire] = []

    def __call__(self) -> Wire:
        if self.error is not None:
            raise self.error
        self.wires.append(Wire())
        return self.wires[-1]


def test_it_opens_once() -> None:
    plug = Plug()
    line = BusLine(plug, "bus 1")
    assert line.ensure(0)
    assert not line.ensure(1)
    assert len(plug.wires) == 1
    line.write(0x70, b"\x01")
    assert line.read(0x70, 1) == b"\x00"
    assert line.write_read(0x35, b"\x16", 2) == b"\x00\x00"
    assert line.cost == BusCost(bytes=9, transactions=3, starts=4)
    assert line.fault is None


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (DeviceNotFoundError("no bus"), "bus_not_found"),
        (DevicePermissionError("not yours"), "bus_permission"),
        (BusError("odd"), "bus_lost"),
    ],
)
def test_a_bus_that_does_not_open_is_a_fault_with_its_reason(error: HardwareError, code: str) -> None:
    plug = Plug()
    plug.error = error
    line = BusLine(plug, "bus 1")
    with pytest.raises(BusError, match=str(error)):
        line.ensure(0)
    assert line.fault == Fault(code, "bus 1", (str(error),))


def test_trials_are_ever_further_apart() -> None:
    plug = Plug()
    plug.error = BusError("odd")
    line = BusLine(plug, "bus 1")
    now_ms = 0
    for pause_ms in (250, 500, 1000, 2000, 4000, 5000, 5000):
        with pytest.raises(BusError, match="odd"):
            line.ensure(now_ms)
        with pytest.raises(BusError, match="bus 1 is away, next trial in 1 ms"):
            line.ensure(now_ms + pause_ms - 1)
        now_ms += pause_ms
    plug.error = None
    assert line.ensure(now_ms)
    assert line.fault is not None, "the loss is over only when a transfer went well"
    line.works()
    assert line.fault is None


def test_a_lost_bus_is_let_go_and_its_costs_stay() -> None:
    plug = Plug()
    line = BusLine(plug, "bus 1")
    line.ensure(0)
    plug.wires[0].deaf = True
    with pytest.raises(NackError):
        line.write(0x70, b"\x01")
    line.lose("bus_lost", 100, "the bus hangs")
    assert plug.wires[0].closed
    assert line.cost.transactions == 1
    assert line.errors.nacks == 1
    with pytest.raises(DeviceClosedError, match="bus 1 is not open"):
        line.write(0x70, b"\x01")
    assert line.ensure(350)
    line.write(0x70, b"\x01")
    assert line.cost == BusCost(bytes=3, transactions=2, starts=2)
    assert line.errors.nacks == 1


def test_a_pause_begins_short_again_after_success() -> None:
    line = BusLine(Plug(), "bus 1")
    line.ensure(0)
    line.lose("bus_lost", 0, "x")
    line.ensure(250)
    line.lose("bus_lost", 250, "x")
    with pytest.raises(BusError):
        line.ensure(749)
    line.ensure(750)
    line.works()
    line.lose("bus_lost", 800, "x")
    assert line.ensure(1050)


def test_after_closing_it_stays_closed() -> None:
    plug = Plug()
    line = BusLine(plug, "bus 1")
    line.ensure(0)
    line.close()
    line.close()
    assert plug.wires[0].closed
    with pytest.raises(DeviceClosedError, match="bus 1 is closed"):
        line.ensure(0)

"""Never two ways open at once."""

from __future__ import annotations

import pytest

from hardware.errors import BusTimeoutError, NackError, WrongDeviceError
from hardware.sensing.routes import Routes


class Switches:
    """A bus with multiplexers as bare registers; it notes when two have something open."""

    def __init__(self, *addresses: int) -> None:
        self.masks = dict.fromkeys(addresses, 0)
        self.deaf: set[int] = set()
        self.hangs = False
        self.collided = False
        self.log: list[tuple[int, int | None]] = []

    def _meet(self, address: int) -> None:
        if self.hangs:
            raise BusTimeoutError("hangs")
        if address in self.deaf:
            raise NackError("deaf")

    def write(self, address: int, data: bytes) -> None:
        self._meet(address)
        self.masks[address] = data[-1]
        self.log.append((address, data[-1]))
        awake = [mask for a, mask in self.masks.items() if mask and a not in self.deaf]
        self.collided |= len(awake) > 1 or any(mask.bit_count() > 1 for mask in awake)

    def read(self, address: int, length: int) -> bytes:
        self._meet(address)
        self.log.append((address, None))
        return bytes((self.masks[address],))

    def write_read(self, address: int, data: bytes, length: int) -> bytes:
        raise AssertionError("not for multiplexers")

    def close(self) -> None:
        raise AssertionError("not its bus to close")


def test_before_anything_is_known_all_are_closed_and_read_back() -> None:
    bus = Switches(0x70, 0x71)
    bus.masks[0x71] = 0xFF
    Routes(bus, [0x71, 0x70, 0x70]).open(0x70, 2)
    assert bus.log == [(0x71, 0), (0x71, None), (0x70, 0), (0x70, None), (0x70, 4)]


def test_afterwards_a_way_costs_one_byte_and_a_change_of_switch_two() -> None:
    bus = Switches(0x70, 0x71)
    routes = Routes(bus, [0x70, 0x71])
    routes.open(0x70, 2)
    bus.log.clear()
    routes.open(0x70, 3)
    routes.open(0x70, 3)
    routes.open(0x71, 0)
    routes.close()
    assert bus.log == [(0x70, 8), (0x70, 0), (0x71, 1), (0x71, 0)]
    assert not bus.collided


def test_a_switch_without_power_is_not_in_the_way() -> None:
    bus = Switches(0x70, 0x71)
    routes = Routes(bus, [0x70, 0x71])
    bus.deaf.add(0x71)
    routes.open(0x70, 1)
    assert bus.masks[0x70] == 2
    routes.close()
    with pytest.raises(NackError):
        routes.open(0x71, 1)
    bus.deaf.clear()
    routes.open(0x71, 1)
    assert bus.masks == {0x70: 0, 0x71: 2}
    assert not bus.collided


def test_something_else_in_the_way_is_left_alone_but_never_opened() -> None:
    bus = Switches(0x70, 0x71)
    routes = Routes(bus, [0x70, 0x71])
    real = bus.write
    bus.write = lambda address, data: None if address == 0x71 else real(address, data)  # type: ignore[method-assign]
    bus.masks[0x71] = 0x42
    routes.open(0x70, 1)
    with pytest.raises(WrongDeviceError):
        routes.open(0x71, 1)


def test_a_bus_that_hangs_is_told() -> None:
    bus = Switches(0x70, 0x71)
    routes = Routes(bus, [0x70, 0x71])
    routes.open(0x70, 1)
    bus.hangs = True
    with pytest.raises(BusTimeoutError):
        routes.open(0x71, 1)
    with pytest.raises(BusTimeoutError):
        routes.close()


def test_verifying_distrusts_all_when_one_is_not_as_told() -> None:
    bus = Switches(0x70, 0x71)
    routes = Routes(bus, [0x70, 0x71])
    routes.open(0x70, 1)
    assert routes.verify(0x70)
    bus.masks[0x70] = 0
    assert not routes.verify(0x70)
    bus.log.clear()
    routes.open(0x70, 1)
    assert (0x71, None) in bus.log
    assert bus.masks == {0x70: 2, 0x71: 0}


def test_verifying_one_that_is_silent_distrusts_all_too() -> None:
    bus = Switches(0x70, 0x71)
    routes = Routes(bus, [0x70, 0x71])
    routes.open(0x70, 1)
    bus.deaf.add(0x70)
    with pytest.raises(NackError):
        routes.verify(0x70)
    bus.deaf.clear()
    bus.log.clear()
    routes.open(0x70, 1)
    assert bus.log == [(0x71, 0), (0x71, None), (0x70, 0), (0x70, None), (0x70, 2)]


def test_the_addresses_are_sorted_and_single() -> None:
    assert Routes(Switches(), [0x72, 0x70, 0x72]).addresses == (0x70, 0x72)

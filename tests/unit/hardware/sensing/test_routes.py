"""Never two ways open at once."""

from __future__ import annotations

import pytest

from hardware.errors import BusTimeoutError, NackError, WrongDeviceError
from hardware.sensing.routes import Routes, WayBlockedError


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


def test_a_switch_without_power_is_in_the_way_until_it_is_known_to_have_none() -> None:
    bus = Switches(0x70, 0x71)
    routes = Routes(bus, [0x70, 0x71])
    bus.deaf.add(0x71)
    with pytest.raises(WayBlockedError, match="mux 0x71 is in the way: deaf") as caught:
        routes.open(0x70, 1)
    assert caught.value.address == 0x71
    assert isinstance(caught.value.cause, NackError)
    routes.open(0x70, 1, powerless={0x71})
    assert bus.masks[0x70] == 2
    routes.close()
    with pytest.raises(NackError):
        routes.open(0x71, 1)
    bus.deaf.clear()
    routes.open(0x71, 1)
    assert bus.masks == {0x70: 0, 0x71: 2}
    assert not bus.collided


def test_a_lost_byte_on_closing_never_leaves_two_ways_open() -> None:
    bus = Switches(0x70, 0x71)
    routes = Routes(bus, [0x70, 0x71])
    routes.open(0x71, 1)
    bus.deaf.add(0x71)
    with pytest.raises(WayBlockedError):
        routes.open(0x70, 1)
    routes.close()
    bus.deaf.clear()
    routes.open(0x70, 1)
    assert bus.masks == {0x70: 2, 0x71: 0}
    assert not bus.collided


def test_something_else_in_the_way_blocks_too_and_is_never_opened() -> None:
    bus = Switches(0x70, 0x71)
    routes = Routes(bus, [0x70, 0x71])
    real = bus.write
    bus.write = lambda address, data: None if address == 0x71 else real(address, data)  # type: ignore[method-assign]
    bus.masks[0x71] = 0x42
    with pytest.raises(WayBlockedError) as caught:
        routes.open(0x70, 1)
    assert isinstance(caught.value.cause, WrongDeviceError)
    routes.open(0x70, 1, powerless={0x71})
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


def test_after_verifying_only_a_switch_in_doubt_is_reset() -> None:
    bus = Switches(0x70, 0x71)
    routes = Routes(bus, [0x70, 0x71])
    routes.open(0x70, 1)
    routes.verify(0x70)
    bus.log.clear()
    routes.open(0x70, 1)
    assert bus.log == []
    bus.masks[0x70] = 0
    routes.verify(0x70)
    bus.log.clear()
    routes.open(0x70, 1)
    assert bus.log == [(0x70, 0), (0x70, None), (0x70, 2)]


def test_verifying_one_that_is_silent_leaves_it_in_doubt() -> None:
    bus = Switches(0x70, 0x71)
    routes = Routes(bus, [0x70, 0x71])
    routes.open(0x70, 1)
    bus.deaf.add(0x70)
    with pytest.raises(NackError):
        routes.verify(0x70)
    bus.deaf.clear()
    bus.log.clear()
    routes.open(0x70, 1)
    assert bus.log == [(0x70, 0), (0x70, None), (0x70, 2)]


def test_distrusting_resets_all() -> None:
    bus = Switches(0x70, 0x71)
    routes = Routes(bus, [0x70, 0x71])
    routes.open(0x70, 1)
    routes.distrust()
    bus.log.clear()
    routes.open(0x71, 1)
    assert bus.log == [(0x70, 0), (0x70, None), (0x71, 0), (0x71, None), (0x71, 2)]


def test_the_addresses_are_sorted_and_single() -> None:
    assert Routes(Switches(), [0x72, 0x70, 0x72]).addresses == (0x70, 0x72)

"""The driver of the multiplexer, over a register that a test can spoil."""

from __future__ import annotations

import pytest

from hardware.chips.tca9548a import Tca9548a
from hardware.errors import BusError, NackError, WrongDeviceError


class Register:
    """A bus with one register at 0x71."""

    def __init__(self) -> None:
        self.mask = 0
        self.sent: list[bytes] = []
        self.deaf = False
        self.broken = False
        self.forgetful = False

    def write(self, address: int, data: bytes) -> None:
        assert address == 0x71
        if self.deaf:
            raise NackError("deaf")
        if self.broken:
            raise BusError("broken")
        self.sent.append(data)
        if not self.forgetful:
            self.mask = data[-1]

    def read(self, address: int, length: int) -> bytes:
        assert (address, length) == (0x71, 1)
        if self.deaf:
            raise NackError("deaf")
        return bytes((self.mask,))

    def write_read(self, address: int, data: bytes, length: int) -> bytes:
        raise AssertionError("a selection must not share its transaction with a read")

    def close(self) -> None:
        raise AssertionError("a driver does not close its bus")


@pytest.mark.parametrize("channel", range(8))
def test_a_channel_is_a_bit(channel: int) -> None:
    bus = Register()
    mux = Tca9548a(bus, 0x71)
    mux.select(channel)
    assert bus.sent == [bytes((1 << channel,))]
    assert mux.mask == 1 << channel


def test_what_is_open_already_costs_nothing() -> None:
    bus = Register()
    mux = Tca9548a(bus, 0x71)
    mux.select(3)
    mux.select(3)
    mux.close()
    mux.close()
    assert bus.sent == [b"\x08", b"\x00"]


@pytest.mark.parametrize("channel", [-1, 8])
def test_there_are_eight_channels(channel: int) -> None:
    with pytest.raises(ValueError, match=f"channel is {channel}, must be 0 to 7"):
        Tca9548a(Register(), 0x71).select(channel)


def test_one_that_was_closed_and_does_not_answer_is_closed_all_the_same() -> None:
    bus = Register()
    mux = Tca9548a(bus, 0x71)
    mux.reset()
    bus.deaf = True
    with pytest.raises(NackError):
        mux.select(4)
    assert mux.mask == 0


def test_after_another_error_nothing_is_known() -> None:
    bus = Register()
    mux = Tca9548a(bus, 0x71)
    mux.reset()
    bus.broken = True
    with pytest.raises(BusError):
        mux.select(4)
    assert mux.mask is None


def test_after_an_error_with_a_channel_open_nothing_is_known() -> None:
    bus = Register()
    mux = Tca9548a(bus, 0x71)
    mux.select(3)
    bus.deaf = True
    with pytest.raises(NackError):
        mux.select(4)
    assert mux.mask is None
    bus.deaf = False
    mux.select(3)
    assert bus.sent[-1] == b"\x08"


def test_verifying_sees_a_switch_that_restarted() -> None:
    bus = Register()
    mux = Tca9548a(bus, 0x71)
    assert not mux.verify()
    mux.select(2)
    assert mux.verify()
    assert mux.mask == 0x04
    bus.mask = 0
    assert not mux.verify()
    assert mux.mask is None


def test_resetting_reads_back() -> None:
    bus = Register()
    bus.mask = 0x55
    mux = Tca9548a(bus, 0x71)
    mux.reset()
    assert bus.mask == 0
    assert mux.mask == 0
    assert mux.read_mask() == 0


def test_something_else_at_its_address_is_found_out() -> None:
    bus = Register()
    bus.mask = 0x55
    bus.forgetful = True
    mux = Tca9548a(bus, 0x71)
    with pytest.raises(WrongDeviceError, match="0x71: no TCA9548A, wrote 0x00, read 0x55"):
        mux.reset()
    assert mux.mask is None

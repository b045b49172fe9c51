"""The driver of the sensor, over bare registers: which bytes it sends, and what it makes of them."""

from __future__ import annotations

import pytest

from hardware.chips.tmag5273 import Identity, Tmag5273
from hardware.errors import WrongDeviceError


class Registers:
    """A bus with the registers of one chip at 0x22."""

    def __init__(self, version: int = 1) -> None:
        self.values = bytearray(0x1D)
        self.values[0x0D:0x10] = bytes((version, 0x49, 0x54))
        self.written: list[bytes] = []
        self.deaf_register: int | None = None

    def write(self, address: int, data: bytes) -> None:
        assert address == 0x22
        self.written.append(data)
        register, value = data
        if register != self.deaf_register:
            self.values[register] = value

    def read(self, address: int, length: int) -> bytes:
        raise AssertionError("reads need a register pointer")

    def write_read(self, address: int, data: bytes, length: int) -> bytes:
        assert address == 0x22
        (register,) = data
        return bytes(self.values[register : register + length])

    def close(self) -> None:
        raise AssertionError("a driver does not close its bus")


def test_the_configuration_byte_by_byte_with_the_mode_last() -> None:
    bus = Registers()
    Tmag5273(bus, 0x22).configure()
    assert bus.written == [b"\x00\x34", b"\x02\x40", b"\x03\x01", b"\x01\x12"]


def test_a_register_that_does_not_keep_its_value_is_found_out() -> None:
    bus = Registers()
    bus.deaf_register = 0x03
    with pytest.raises(WrongDeviceError, match="0x22: does not keep its configuration"):
        Tmag5273(bus, 0x22).configure()


def test_a_restart_shows_in_the_configuration() -> None:
    bus = Registers()
    chip = Tmag5273(bus, 0x22)
    assert not chip.is_configured()
    chip.configure()
    assert chip.is_configured()
    bus.values[1] = 0
    assert not chip.is_configured()


@pytest.mark.parametrize(
    ("raw", "counts", "field_mt"),
    [
        (b"\x00\x00", 0, 0.0),
        (b"\x00\x01", 1, 80.0 / 32768.0),
        (b"\xff\xff", -1, -80.0 / 32768.0),
        (b"\x7f\xff", 32767, 80.0 * 32767.0 / 32768.0),
        (b"\x80\x00", -32768, -80.0),
        (b"\x2b\x33", 11059, 27.0),
    ],
)
def test_counts_are_twos_complement_big_endian(raw: bytes, counts: int, field_mt: float) -> None:
    bus = Registers()
    bus.values[0x16:0x18] = raw
    chip = Tmag5273(bus, 0x22)
    chip.identify()
    assert chip.read_counts() == counts
    assert chip.read_z_mt() == pytest.approx(field_mt, abs=0.001)


def test_the_other_version_has_another_range() -> None:
    bus = Registers(version=2)
    bus.values[0x16:0x18] = b"\x40\x00"
    chip = Tmag5273(bus, 0x22)
    chip.identify()
    assert chip.read_z_mt() == pytest.approx(133.0)
    assert chip.read_identity() == Identity(0x5449, 2)


@pytest.mark.parametrize(
    ("spoilt", "shown"),
    [
        ((1, 0xFF, 0xFF), "manufacturer 0xffff version 1"),
        ((1, 0x54, 0x49), "manufacturer 0x4954 version 1"),
        ((0, 0x49, 0x54), "manufacturer 0x5449 version 0"),
        ((3, 0x49, 0x54), "manufacturer 0x5449 version 3"),
    ],
)
def test_another_chip_is_refused(spoilt: tuple[int, int, int], shown: str) -> None:
    bus = Registers()
    bus.values[0x0D:0x10] = bytes(spoilt)
    with pytest.raises(WrongDeviceError, match=shown):
        Tmag5273(bus, 0x22).identify()


def test_only_the_version_bits_of_the_id_count() -> None:
    bus = Registers(version=0xA9)
    Tmag5273(bus, 0x22).identify()
    assert Tmag5273(bus, 0x22).read_identity() == Identity(0x5449, 1)

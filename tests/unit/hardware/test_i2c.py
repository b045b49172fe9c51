"""Opening a Linux bus, and what its errors become. Transfers are in the contract tests."""

from __future__ import annotations

import errno
import importlib
import os
from pathlib import Path
from types import ModuleType

import pytest

from hardware import i2c
from hardware.errors import (
    BusError,
    BusTimeoutError,
    DeviceNotFoundError,
    DevicePermissionError,
    NackError,
)


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (121, NackError),
        (errno.ETIMEDOUT, BusTimeoutError),
        (errno.EIO, BusError),
        (errno.ENXIO, BusError),
        (errno.EAGAIN, BusError),
        (errno.EOPNOTSUPP, BusError),
        (errno.ENODEV, BusError),
    ],
)
def test_each_number_of_the_kernel_has_its_error(number: int, kind: type[Exception]) -> None:
    error = i2c.transfer_error(OSError(number, "why"), 0x35)
    assert type(error) is kind
    assert str(error).startswith("I2C address 0x35: ")


def test_a_missing_bus_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(DeviceNotFoundError, match=r"no I2C bus .*i2c-9: switch I2C on"):
        i2c.LinuxI2cBus(str(tmp_path / "i2c-9"))


def test_a_file_that_may_not_be_opened_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    class Refusing:
        def __init__(self, _path: str) -> None:
            raise PermissionError(errno.EACCES, "Permission denied")

    smbus2 = importlib.import_module("smbus2")
    monkeypatch.setattr(smbus2, "SMBus", Refusing)
    with pytest.raises(DevicePermissionError, match="may not use /dev/i2c-1: add this user to the group i2c"):
        i2c.LinuxI2cBus("/dev/i2c-1")


def test_another_fault_on_opening_is_a_bus_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing:
        def __init__(self, _path: str) -> None:
            raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(importlib.import_module("smbus2"), "SMBus", Failing)
    with pytest.raises(BusError, match="cannot open /dev/i2c-1: Too many open files"):
        i2c.LinuxI2cBus("/dev/i2c-1")


def test_a_system_without_i2c_is_a_missing_bus(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_module(name: str) -> ModuleType:
        raise ImportError(name)

    monkeypatch.setattr(i2c.importlib, "import_module", no_module)
    with pytest.raises(DeviceNotFoundError, match="this system has no I2C"):
        i2c.LinuxI2cBus("/dev/i2c-1")


class Adapter:
    """An smbus2 whose file is an ordinary one."""

    def __init__(self, path: str) -> None:
        self.fd = os.open(path, os.O_RDONLY)
        self.closed = False

    def close(self) -> None:
        os.close(self.fd)
        self.closed = True


@pytest.mark.parametrize(
    ("call", "number", "kind", "message"),
    [
        ("flock", errno.ENOLCK, BusError, "cannot open .*i2c-1: No locks"),
        ("ioctl", errno.EACCES, DevicePermissionError, "may not use .*i2c-1"),
        ("ioctl", errno.ENODEV, DeviceNotFoundError, "no I2C bus .*i2c-1"),
    ],
)
def test_a_bus_that_refuses_to_be_prepared_is_closed_again(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    call: str,
    number: int,
    kind: type[Exception],
    message: str,
) -> None:
    def refuse(*_arguments: object) -> None:
        raise OSError(number, "No locks available")

    made: list[Adapter] = []

    def adapter(path: str) -> Adapter:
        made.append(Adapter(path))
        return made[-1]

    path = tmp_path / "i2c-1"
    path.touch()
    monkeypatch.setattr(importlib.import_module("smbus2"), "SMBus", adapter)
    monkeypatch.setattr(importlib.import_module("fcntl"), call, refuse)
    with pytest.raises(kind, match=message):
        i2c.LinuxI2cBus(str(path))
    assert made[0].closed

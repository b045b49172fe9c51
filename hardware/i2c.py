"""The I2C bus of a Linux machine, through smbus2.

Only `i2c_rdwr` is used: it keeps no state between calls, so that no address cached in the object
can be raced for, and it leaves one read at most, last, which is all that a BCM2835 can do.
smbus2 needs Linux; it is imported when a bus is opened, so that the simulator runs without it.
"""

from __future__ import annotations

import errno
import importlib
from types import ModuleType
from typing import Any

from hardware.errors import (
    BusError,
    BusTimeoutError,
    DeviceClosedError,
    DeviceNotFoundError,
    DevicePermissionError,
    HardwareError,
    NackError,
)

TRANSFER_TIMEOUT_MS = 100
"""How long the kernel may wait for one transfer. Its own default of a second would stall a scan."""

# Source: Linux include/uapi/linux/i2c-dev.h
_I2C_TIMEOUT = 0x0702
_TIMEOUT_UNIT_MS = 10

_EREMOTEIO = 121  # Linux's number; other systems have no name for it
_NACK = frozenset({_EREMOTEIO})
_TIMEOUT = frozenset({errno.ETIMEDOUT})
_UNSUPPORTED = frozenset({errno.EOPNOTSUPP, errno.ENOSYS})
_GONE = frozenset({errno.ENODEV, errno.EBADF})


def transfer_error(error: OSError, address: int) -> HardwareError:
    """The error of the ports that a failed transfer to `address` means.

    Source: Linux drivers i2c-bcm2835.c and i2c-designware-common.c; a NACK is EREMOTEIO on both.
    """
    where = f"I2C address 0x{address:02x}"
    if error.errno in _NACK:
        return NackError(f"{where}: no answer")
    if error.errno in _TIMEOUT:
        return BusTimeoutError(f"{where}: the bus is held and nothing moves")
    if error.errno in _UNSUPPORTED:
        return BusError(f"{where}: the bus adapter refuses this kind of transfer")
    if error.errno in _GONE:
        return BusError(f"{where}: the bus device has gone")
    return BusError(f"{where}: transfer failed: {error.strerror}")


def _open_error(error: OSError, path: str) -> HardwareError:
    if error.errno in (errno.EACCES, errno.EPERM):
        return DevicePermissionError(f"may not use {path}: add this user to the group i2c and log in again")
    if error.errno in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return DeviceNotFoundError(
            f"no I2C bus {path}: switch I2C on (raspi-config, Interface Options) and restart"
        )
    return BusError(f"cannot open {path}: {error.strerror}")


def _load(name: str, path: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise DeviceNotFoundError(
            f"no I2C bus {path}: this system has no I2C (module {name} cannot be loaded)"
        ) from None


class LinuxI2cBus:
    """An `I2cBus` on a device file such as `/dev/i2c-1`, held by this process alone.

    One thread at a time may use it.
    Raises: DeviceNotFoundError, DevicePermissionError, BusError, each with a line that says what to do.
    """

    def __init__(self, path: str, timeout_ms: int = TRANSFER_TIMEOUT_MS) -> None:
        self._path = path
        self._fcntl = _load("fcntl", path)
        self._smbus2: Any = _load("smbus2", path)
        try:
            self._bus = self._smbus2.SMBus(path)
        except OSError as error:
            raise _open_error(error, path) from None
        try:
            self._claim()
            self._limit_waiting(timeout_ms)
        except BaseException:
            self._bus.close()
            raise
        self._closed = False

    def _claim(self) -> None:
        """Hold the bus alone: two programs would switch each other's multiplexers."""
        try:
            self._fcntl.flock(self._bus.fd, self._fcntl.LOCK_EX | self._fcntl.LOCK_NB)
        except BlockingIOError:
            raise DevicePermissionError(
                f"{self._path} is in use by another program: stop that one first"
            ) from None
        except OSError as error:
            raise _open_error(error, self._path) from None

    def _limit_waiting(self, timeout_ms: int) -> None:
        try:
            self._fcntl.ioctl(self._bus.fd, _I2C_TIMEOUT, max(1, timeout_ms // _TIMEOUT_UNIT_MS))
        except OSError as error:
            if error.errno not in (errno.ENOTTY, errno.EINVAL):
                raise _open_error(error, self._path) from None
            # an adapter without this setting keeps its own time limit; nothing else differs

    def _transfer(self, address: int, *messages: Any) -> None:
        if self._closed:
            raise DeviceClosedError(f"{self._path} is closed")
        try:
            self._bus.i2c_rdwr(*messages)
        except OSError as error:
            raise transfer_error(error, address) from None

    def write(self, address: int, data: bytes) -> None:
        """Write `data` to the 7-bit `address`."""
        self._transfer(address, self._smbus2.i2c_msg.write(address, data))

    def read(self, address: int, length: int) -> bytes:
        """Read `length` bytes without a register pointer."""
        answer = self._smbus2.i2c_msg.read(address, length)
        self._transfer(address, answer)
        return bytes(answer)

    def write_read(self, address: int, data: bytes, length: int) -> bytes:
        """Write, repeated START, read."""
        answer = self._smbus2.i2c_msg.read(address, length)
        self._transfer(address, self._smbus2.i2c_msg.write(address, data), answer)
        return bytes(answer)

    def close(self) -> None:
        """Release the bus; closing twice does nothing."""
        if not self._closed:
            self._closed = True
            self._bus.close()

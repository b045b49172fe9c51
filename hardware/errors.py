"""Errors of the hardware: every one is a `HardwareError`, and the matching builtin too.

HardwareError
├── DeviceNotFoundError(FileNotFoundError)   no such bus, port or chip
├── DevicePermissionError(PermissionError)   it is there, but may not be used
├── WrongDeviceError(ValueError)             something else answers there
├── BusError(OSError)                        a transfer failed and may be tried again
│   ├── NackError                            nobody answered at the address
│   └── BusTimeoutError(TimeoutError)        the bus hangs
├── LinkError(OSError)                       the serial peer is gone or talks nonsense
├── DeviceClosedError(ValueError)            used after close
└── BoardFileError(ValueError)               a board file with faults, all of them listed
"""

from __future__ import annotations

from collections.abc import Sequence


class HardwareError(Exception):
    """Base of all errors of the hardware."""


class DeviceNotFoundError(HardwareError, FileNotFoundError):
    """No such bus, port or chip."""


class DevicePermissionError(HardwareError, PermissionError):
    """The device exists but this user may not use it."""


class WrongDeviceError(HardwareError, ValueError):
    """Another chip than expected answers at an address."""


class BusError(HardwareError, OSError):
    """A transfer failed; it may be tried again."""


class NackError(BusError):
    """Nobody acknowledged the address or a byte."""


class BusTimeoutError(BusError, TimeoutError):
    """The bus is held and nothing moves."""


class LinkError(HardwareError, OSError):
    """The serial peer is gone or does not speak the protocol."""


class DeviceClosedError(HardwareError, ValueError):
    """A device was used after it was closed."""


class BoardFileError(HardwareError, ValueError):
    """A board file with faults; `faults` lists all of them."""

    def __init__(self, path: str, faults: Sequence[str]) -> None:
        super().__init__(f"{path}: {'; '.join(faults)}")
        self.faults = tuple(faults)

"""A kernel's I2C for the real smbus2, in this process: its `ioctl` and `os` are ours while it lasts.

What smbus2 hands to the kernel (its ctypes structures) is taken apart as the kernel does and served
by a simulated bus; errors come back as the kernel's numbers.
Source: Linux include/uapi/linux/i2c.h and i2c-dev.h; drivers/i2c/busses/i2c-bcm2835.c.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from smbus2 import smbus2

from hardware.errors import BusError, BusTimeoutError, NackError

I2C_RDWR = 0x0707
I2C_TIMEOUT = 0x0702
I2C_FUNCS = 0x0705
I2C_M_RD = 0x0001
FUNC_I2C = 0x00000001
EREMOTEIO = 121

Transfer = Callable[[int, bytes | None, int], bytes]


class KernelI2c:
    """A kernel with one bus at `path`; `transfer` does a transaction on its wires."""

    def __init__(self, path: Path, transfer: Transfer) -> None:
        self.path = str(path)
        path.touch()
        self._transfer = transfer
        self._open_files: set[int] = set()
        self.timeout_10_ms: int | None = None
        self.refuses_timeout = False

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Stand between smbus2 and the real kernel until the test ends."""
        kernel = self
        real_ioctl = fcntl.ioctl

        class Os:
            def __getattr__(self, name: str) -> Any:
                return getattr(os, name)

            def open(self, path: str, flags: int) -> int:
                file = os.open(path, flags)
                if path == kernel.path:
                    kernel._open_files.add(file)
                return file

            def close(self, file: int) -> None:
                kernel._open_files.discard(file)
                os.close(file)

        def ioctl(file: int, request: int, argument: Any = 0, *rest: Any) -> Any:
            if file in kernel._open_files:
                return kernel.ioctl(request, argument)
            return real_ioctl(file, request, argument, *rest)

        monkeypatch.setattr(smbus2, "os", Os())
        monkeypatch.setattr(smbus2, "ioctl", ioctl)
        monkeypatch.setattr(fcntl, "ioctl", ioctl)

    def ioctl(self, request: int, argument: Any) -> int:
        """What the kernel does at an ioctl on the bus."""
        if request == I2C_TIMEOUT and not self.refuses_timeout:
            self.timeout_10_ms = int(argument)
            return 0
        if request == I2C_FUNCS:
            argument.value = FUNC_I2C
            return 0
        if request == I2C_RDWR:
            return self._combined(argument)
        raise _kernel_error(errno.ENOTTY)

    def _combined(self, argument: Any) -> int:
        """One transaction of the messages, as a BCM2835 can do it: at most one read, and that last."""
        messages = [argument.msgs[n] for n in range(argument.nmsgs)]
        reads = [bool(message.flags & I2C_M_RD) for message in messages]
        if any(reads[:-1]):
            raise _kernel_error(errno.EOPNOTSUPP)
        (address,) = {message.addr for message in messages}
        data = [ctypes.string_at(m.buf, m.len) for m, read in zip(messages, reads, strict=True) if not read]
        length = messages[-1].len if reads[-1] else 0
        try:
            answer = self._transfer(address, b"".join(data) if data else None, length)
        except NackError:
            raise _kernel_error(EREMOTEIO) from None
        except BusTimeoutError:
            raise _kernel_error(errno.ETIMEDOUT) from None
        except BusError:
            raise _kernel_error(errno.EIO) from None
        if length:
            ctypes.memmove(messages[-1].buf, answer, length)
        return len(messages)


def _kernel_error(number: int) -> OSError:
    return OSError(number, os.strerror(number))

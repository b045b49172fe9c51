"""The way to a sensor behind multiplexers: never two ways open at once.

Sensors behind different multiplexers have equal addresses. With two ways open both would answer,
and the bus would give the wired-AND of their bits without any error.
"""

from __future__ import annotations

from collections.abc import Iterable

from hardware.chips.tca9548a import NONE_OPEN, Tca9548a
from hardware.errors import BusTimeoutError, HardwareError
from hardware.ports import I2cBus


class Routes:
    """All multiplexers of one bus."""

    __slots__ = ("_muxes",)

    def __init__(self, bus: I2cBus, addresses: Iterable[int]) -> None:
        self._muxes = {address: Tca9548a(bus, address) for address in sorted(set(addresses))}

    @property
    def addresses(self) -> tuple[int, ...]:
        """The multiplexers' addresses, ascending."""
        return tuple(self._muxes)

    def open(self, address: int, channel: int) -> None:
        """Open one channel of one multiplexer, everything else closed before.

        Raises: BusError, WrongDeviceError of this multiplexer; BusTimeoutError of any.
        """
        for mux in self._muxes.values():
            if mux.address != address and mux.mask != NONE_OPEN:
                self._shut(mux)
        mux = self._muxes[address]
        if mux.mask is None:
            mux.reset()
        mux.select(channel)

    def _shut(self, mux: Tca9548a) -> None:
        """Close one that is in the way. One that does not answer has no power and opens nothing."""
        try:
            if mux.mask is None:
                mux.reset()
            else:
                mux.close()
        except BusTimeoutError:
            raise
        except HardwareError:
            mux.mask = None

    def close(self) -> None:
        """Leave nothing open.

        Raises: BusTimeoutError.
        """
        for mux in self._muxes.values():
            if mux.mask != NONE_OPEN:
                self._shut(mux)

    def distrust(self) -> None:
        """Forget what is open: the next way is opened after all are closed and read back."""
        for mux in self._muxes.values():
            mux.mask = None

    def verify(self, address: int) -> bool:
        """Whether a multiplexer still has open what it was told; if not, all are distrusted.

        Raises: BusError; then too.
        """
        try:
            if self._muxes[address].verify():
                return True
        except HardwareError:
            self.distrust()
            raise
        self.distrust()
        return False

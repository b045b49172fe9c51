"""The way to a sensor behind multiplexers: never two ways open at once.

Sensors behind different multiplexers have equal addresses. With two ways open both would answer,
and the bus would give the wired-AND of their bits without any error.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from hardware.chips.tca9548a import NONE_OPEN, Tca9548a
from hardware.errors import BusError, BusTimeoutError, HardwareError
from hardware.ports import I2cBus


class WayBlockedError(BusError):
    """The multiplexer at `address` could not be closed, so that no other way may be opened."""

    def __init__(self, address: int, cause: HardwareError) -> None:
        super().__init__(f"mux 0x{address:02x} is in the way: {cause}")
        self.address = address
        self.cause = cause


class Routes:
    """All multiplexers of one bus."""

    __slots__ = ("_muxes",)

    def __init__(self, bus: I2cBus, addresses: Iterable[int]) -> None:
        self._muxes = {address: Tca9548a(bus, address) for address in sorted(set(addresses))}

    @property
    def addresses(self) -> tuple[int, ...]:
        """The multiplexers' addresses, ascending."""
        return tuple(self._muxes)

    def open(self, address: int, channel: int, powerless: Collection[int] = ()) -> None:
        """Open one channel of one multiplexer, everything else closed before.

        Multiplexers that are `powerless` need not answer: they open nothing. Of any other one, a
        single lost byte must not be taken for that.
        Raises: BusError, WrongDeviceError of this multiplexer; WayBlockedError of another;
        BusTimeoutError of any.
        """
        for mux in self._muxes.values():
            if mux.address != address and mux.mask != NONE_OPEN:
                self._shut(mux, may_be_silent=mux.address in powerless)
        mux = self._muxes[address]
        if mux.mask is None:
            mux.reset()
        mux.select(channel)

    def _shut(self, mux: Tca9548a, *, may_be_silent: bool) -> None:
        try:
            if mux.mask is None:
                mux.reset()
            else:
                mux.close()
        except BusTimeoutError:
            raise
        except HardwareError as error:
            mux.mask = None
            if not may_be_silent:
                raise WayBlockedError(mux.address, error) from error

    def close(self) -> None:
        """Leave nothing open; one that does not answer is closed before the next way is opened.

        Raises: BusTimeoutError.
        """
        for mux in self._muxes.values():
            if mux.mask != NONE_OPEN:
                self._shut(mux, may_be_silent=True)

    def distrust(self) -> None:
        """Forget what is open: before the next way is opened all are closed and read back."""
        for mux in self._muxes.values():
            mux.mask = None

    def verify(self, address: int) -> None:
        """See whether a multiplexer still has open what it was told; if not, it is in doubt.

        Raises: BusError; then it is in doubt too.
        """
        self._muxes[address].verify()

"""TCA9548A: an I2C switch of eight channels behind one address.

It has one register and no identity: whatever is written becomes the register, bit n opens channel n.
A selection takes effect at the STOP, so that it can never share a transaction with what it opens.
Source: TI SCPS207, control register (the PCA9548A is the same to a program).
"""

from __future__ import annotations

from hardware.errors import NackError, WrongDeviceError
from hardware.ports import I2cBus

CHANNELS = 8
NONE_OPEN = 0x00  # also the state after power-on and after a pulse on RESET


class Tca9548a:
    """One switch. `mask` is what it was last known to have open, None where that is in doubt."""

    __slots__ = ("_bus", "address", "mask")

    def __init__(self, bus: I2cBus, address: int) -> None:
        self._bus = bus
        self.address = address
        self.mask: int | None = None

    def select(self, channel: int) -> None:
        """Open `channel` alone; nothing is sent where it is open already.

        Raises: BusError; then `mask` is in doubt, unless nothing was open and nobody answered.
        """
        if not 0 <= channel < CHANNELS:
            raise ValueError(f"channel is {channel}, must be 0 to {CHANNELS - 1}")
        self._write(1 << channel)

    def close(self) -> None:
        """Open nothing; nothing is sent where nothing is open.

        Raises: BusError; then `mask` is None.
        """
        self._write(NONE_OPEN)

    def _write(self, mask: int) -> None:
        if self.mask == mask:
            return
        before, self.mask = self.mask, None
        try:
            self._bus.write(self.address, bytes((mask,)))
        except NackError:
            # what was not acknowledged was not taken; without power it would be closed as well
            self.mask = NONE_OPEN if before == NONE_OPEN else None
            raise
        self.mask = mask

    def read_mask(self) -> int:
        """What the switch says it has open, one bit a channel.

        Raises: BusError.
        """
        return self._bus.read(self.address, 1)[0]

    def reset(self) -> None:
        """Close all channels whatever was known, and see that it is so.

        Raises: BusError; WrongDeviceError where the register does not hold what was written.
        """
        self.mask = None
        self.close()
        found = self.read_mask()
        if found != NONE_OPEN:
            self.mask = None
            raise WrongDeviceError(
                f"I2C address 0x{self.address:02x}: no TCA9548A, wrote 0x00, read 0x{found:02x}"
            )

    def verify(self) -> bool:
        """Whether the switch really has open what it was told; after a no, `mask` is None.

        Raises: BusError.
        """
        expected = self.mask
        self.mask = None
        if expected is None or self.read_mask() != expected:
            return False
        self.mask = expected
        return True

"""No strip at all: for a board without lights."""

from __future__ import annotations

from collections.abc import Sequence

from hardware.errors import DeviceClosedError
from hardware.leds.power import checked
from hardware.ports import Colour


class NullStrip:
    """A `Strip` of `length` pixels that nobody sees."""

    def __init__(self, length: int) -> None:
        self._length = length
        self._closed = False

    @property
    def length(self) -> int:
        """How many pixels it would have."""
        return self._length

    def show(self, pixels: Sequence[Colour]) -> None:
        """Check the pixels as a real strip would."""
        if self._closed:
            raise DeviceClosedError("the strip is closed")
        checked(pixels, self._length)

    def close(self) -> None:
        """Take no more pixels; closing twice does nothing."""
        self._closed = True

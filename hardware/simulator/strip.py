"""The simulated strip: it remembers what it showed and when the last bit was out."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from hardware.errors import BusError, DeviceClosedError
from hardware.leds.power import checked
from hardware.ports import BLACK, Colour
from hardware.simulator.clock import BoardClock

PIXEL_US = 30
"""24 bits at 800 kHz. Source: WS2812B data sheet."""
RESET_US = 300
"""The pause after which the pixels take over what they got. Source: WS2812B data sheet, 280 us."""
_REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class ShownFrame:
    """Pixels, and when their transmission had finished."""

    t_us: int
    pixels: tuple[Colour, ...]

    @property
    def t_ms(self) -> int:
        """The time in milliseconds, rounded up: before that it was not all there."""
        return -(-self.t_us // 1000)


class RecordingStrip:
    """A `Strip` on the board's clock. `frames` holds the latest ones, `pixels` what is lit now."""

    def __init__(self, length: int, clock: BoardClock, remember: int = _REMEMBERED) -> None:
        self._length = length
        self._clock = clock
        self._closed = False
        self.fails = False
        self.pixels: tuple[Colour, ...] = (BLACK,) * length
        self.frames: deque[ShownFrame] = deque(maxlen=remember)

    @property
    def length(self) -> int:
        """How many pixels it has."""
        return self._length

    def show(self, pixels: Sequence[Colour]) -> None:
        """Transmit; the board's time moves on by what that takes.

        Raises: BusError while `fails` is set.
        """
        if self._closed:
            raise DeviceClosedError("the strip is closed")
        shown = checked(pixels, self._length)
        if self.fails:
            raise BusError("the simulated strip is unplugged")
        self._transmit(shown)

    def _transmit(self, pixels: tuple[Colour, ...]) -> None:
        self._clock.advance_us(PIXEL_US * self._length + RESET_US)
        self.pixels = pixels
        self.frames.append(ShownFrame(self._clock.now_us(), pixels))

    def close(self) -> None:
        """Go dark and take no more pixels; closing twice does nothing."""
        if not self._closed:
            self._closed = True
            if not self.fails:
                self._transmit((BLACK,) * self._length)

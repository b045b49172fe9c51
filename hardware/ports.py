"""The ports: what the program sees of a board, whatever stands behind it.

Frames come out of `Sensors`, pixels go into a `Strip`. The real devices and the simulator both
implement these protocols, and nothing above them can tell which is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, Protocol


class Unit(Enum):
    """What the values of a frame are."""

    MT = "mT"
    PRESENT = "present"


@dataclass(frozen=True, slots=True)
class Frame:
    """One scan of the whole board.

    `t_ms` is monotonic. `values` holds one entry a place in the order of the board's cells: mT on a
    field board, 0 or 1 on an occupancy board, None where the place could not be read.
    """

    t_ms: int
    values: tuple[float | None, ...]


class Colour(NamedTuple):
    """A pixel's colour, 0 to 255 a channel, before the strip's own colour order."""

    r: int
    g: int
    b: int


BLACK = Colour(0, 0, 0)


class I2cBus(Protocol):
    """An I2C bus. Every call is one transaction from START to STOP.

    Raises: NackError, BusTimeoutError, BusError, DeviceClosedError.
    """

    def write(self, address: int, data: bytes) -> None:
        """Write `data` to the 7-bit `address`."""
        ...

    def read(self, address: int, length: int) -> bytes:
        """Read `length` bytes without a register pointer."""
        ...

    def write_read(self, address: int, data: bytes, length: int) -> bytes:
        """Write, repeated START, read; the one read comes last (BCM2835 allows no more)."""
        ...

    def close(self) -> None:
        """Release the bus; closing twice does nothing."""
        ...


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that stands: a code of the catalogues, where it is, and its parameters."""

    code: str
    where: str
    params: tuple[str | int, ...] = ()


@dataclass(frozen=True, slots=True)
class Health:
    """How the sensors fare: faults that stand now, and counters since the start."""

    faults: tuple[Fault, ...] = ()
    counters: dict[str, int] = field(default_factory=dict)


class Sensors(Protocol):
    """Everything that reads the places of one board. One thread owns it."""

    @property
    def unit(self) -> Unit:
        """What its frames hold."""
        ...

    @property
    def cells(self) -> tuple[str, ...]:
        """The names of the places in the order of a frame's values."""
        ...

    def start(self) -> None:
        """Find, check and configure the chips; what is missing becomes a fault, not an error."""
        ...

    def scan(self) -> Frame:
        """Read every place once, within a deadline. A place that cannot be read is None.

        Raises: BusError only if nothing at all could be read.
        """
        ...

    def health(self) -> Health:
        """Faults and counters."""
        ...

    def close(self) -> None:
        """Release the chips' bus; closing twice does nothing."""
        ...


class Strip(Protocol):
    """A strip of pixels."""

    @property
    def length(self) -> int:
        """How many pixels it has."""
        ...

    def show(self, pixels: Sequence[Colour]) -> None:
        """Transmit exactly `length` colours; returns when the transmission has finished.

        Raises: BusError, LinkError, DeviceClosedError.
        """
        ...

    def close(self) -> None:
        """Make the strip dark and release it; closing twice does nothing."""
        ...


class Clock(Protocol):
    """Monotonic time of the devices."""

    def now_ms(self) -> int:
        """Milliseconds since some fixed moment; never goes back."""
        ...

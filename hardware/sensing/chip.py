"""What a scanner asks of a chip, whatever it is: one protocol for sensors, switches and converters."""

from __future__ import annotations

from typing import Protocol

from hardware.chips.tmag5273 import Tmag5273
from hardware.ports import I2cBus

_SMALL_COUNTS = 400  # 1 mT: noise and crosstalk, but no piece


class PlaceChip(Protocol):
    """A chip on an I2C segment that reads one place or more.

    Raises everywhere: BusError; WrongDeviceError where something else answers.
    """

    @property
    def cells(self) -> tuple[str, ...]:
        """The places it reads."""
        ...

    @property
    def has_noise(self) -> bool:
        """Whether a healthy chip's readings always flicker, so that a still one is frozen."""
        ...

    def identify(self) -> None:
        """See that the right chip answers."""
        ...

    def configure(self) -> None:
        """Set it up, and see that it took it."""
        ...

    def is_configured(self) -> bool:
        """Whether it still is set up: a chip that restarted is not."""
        ...

    def read(self) -> tuple[int, ...]:
        """The raw readings, one a place."""
        ...

    def looks_restarted(self, raw: tuple[int, ...], before: tuple[int, ...] | None) -> bool:
        """Whether these may be the readings of a chip that lost its set-up; `before` came the scan before.

        They may still be honest; that is looked into.
        """
        ...

    def values(self, raw: tuple[int, ...]) -> tuple[float, ...]:
        """The readings in the unit of the board's frames."""
        ...


class Tmag5273Place:
    """A TMAG5273 under one cell."""

    __slots__ = ("_chip", "cells")

    has_noise = True

    def __init__(self, bus: I2cBus, address: int, cell: str) -> None:
        self._chip = Tmag5273(bus, address)
        self.cells = (cell,)

    def identify(self) -> None:
        """See that a TMAG5273 answers."""
        self._chip.identify()

    def configure(self) -> None:
        """Make it convert Z continuously."""
        self._chip.configure()

    def is_configured(self) -> bool:
        """Whether it still does."""
        return self._chip.is_configured()

    def read(self) -> tuple[int, ...]:
        """The counts of Z."""
        return (self._chip.read_counts(),)

    def looks_restarted(self, raw: tuple[int, ...], before: tuple[int, ...] | None) -> bool:
        """Exactly zero, out of the blue or twice: what the chip answers for ever after power-on.

        A single zero among small values is what an empty place reads now and then.
        """
        if raw != (0,):
            return False
        return before is None or before == raw or abs(before[0]) > _SMALL_COUNTS

    def values(self, raw: tuple[int, ...]) -> tuple[float, ...]:
        """Z in mT."""
        return tuple(self._chip.to_mt(counts) for counts in raw)

"""The lights on their way to the strip: rendered, corrected, limited, transmitted, and tried again."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from controller.core.lights import Look, Meaning, beginnings, render
from hardware.boardfile import Board
from hardware.errors import HardwareError
from hardware.leds.power import DEFAULT_LIMIT_MA, gamma_corrected, limited
from hardware.ports import BLACK, Colour, Fault, Strip

REFRESH_MS = 1000
"""A pixel that caught a disturbance is put right after this time at the latest."""
FIRST_PAUSE_MS = 500
LONGEST_PAUSE_MS = 10_000

_log = logging.getLogger(__name__)


class Lamps:
    """The strip of one board. A strip that fails is named, and tried again after a pause."""

    def __init__(
        self, strip: Strip, board: Board, look: Look | None = None, limit_ma: float = DEFAULT_LIMIT_MA
    ) -> None:
        self._strip = strip
        self._pixel = {cell.name: cell.pixel for cell in board.cells}
        self._look = look or Look()
        self._limit_ma = limit_ma
        self._since: Mapping[Meaning, int] = {}
        self._pause_ms = 0
        self._next_ms = 0
        self.fault: Fault | None = None
        """Why the strip cannot be reached, if it cannot."""
        self.pixels: tuple[Colour, ...] = (BLACK,) * strip.length
        """What was transmitted last."""

    def show(self, lights: Mapping[str, Meaning], t_ms: int) -> bool:
        """Show these meanings, by cell, as they look at `t_ms`; whether the pixels changed."""
        by_pixel = {self._pixel[cell]: meaning for cell, meaning in lights.items()}
        self._since = beginnings(self._since, by_pixel, t_ms)
        drawn = render(by_pixel, t_ms, self._strip.length, self._look, self._since)
        return self._transmit(limited(gamma_corrected(drawn), self._limit_ma), t_ms)

    def darken(self, t_ms: int) -> bool:
        """Make the strip dark."""
        return self.show({}, t_ms)

    def _transmit(self, pixels: tuple[Colour, ...], t_ms: int) -> bool:
        is_new = pixels != self.pixels
        if t_ms < self._next_ms and (self.fault is not None or not is_new):
            return False
        try:
            self._strip.show(pixels)
        except HardwareError as error:
            self._failed(error, t_ms)
            return False
        if self.fault is not None:
            _log.warning("the strip is back")
        self.fault = None
        self._pause_ms = 0
        self._next_ms = t_ms + REFRESH_MS
        self.pixels = pixels
        return is_new

    def _failed(self, error: HardwareError, t_ms: int) -> None:
        if self.fault is None:
            _log.warning("the strip is lost: %s", error)
        self._pause_ms = min(max(2 * self._pause_ms, FIRST_PAUSE_MS), LONGEST_PAUSE_MS)
        self._next_ms = t_ms + self._pause_ms
        self.fault = Fault("strip_lost", "strip", (str(error),))

"""The clock of real devices."""

from __future__ import annotations

import time


class MonotonicClock:
    """Milliseconds since this clock was made; it never goes back."""

    __slots__ = ("_start_ns",)

    def __init__(self) -> None:
        self._start_ns = time.monotonic_ns()

    def now_ms(self) -> int:
        """Milliseconds since the clock was made."""
        return (time.monotonic_ns() - self._start_ns) // 1_000_000

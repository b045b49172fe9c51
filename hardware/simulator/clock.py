"""The simulated board's time."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock


class BoardClock:
    """Time in microseconds that moves when a simulated device takes time, and never goes back.

    On its own it stands still between transfers, until somebody moves it on: a test or a benchmark
    runs as fast as the processor allows. With `wall_us` it also keeps up with that clock.
    """

    __slots__ = ("_lock", "_us", "_wall_us")

    def __init__(self, wall_us: Callable[[], int] | None = None) -> None:
        self._us = 0
        self._wall_us = wall_us
        self._lock = Lock()  # bus and strip may be driven by threads of their own

    def now_us(self) -> int:
        """Microseconds since the board began."""
        with self._lock:
            return self._catch_up()

    def now_ms(self) -> int:
        """Milliseconds since the board began."""
        return self.now_us() // 1000

    def advance_us(self, duration_us: int) -> None:
        """Let time pass."""
        if duration_us < 0:
            raise ValueError(f"duration is {duration_us} us, must not be negative")
        with self._lock:
            self._us = self._catch_up() + duration_us

    def advance_to_us(self, moment_us: int) -> None:
        """Let time pass until `moment_us`; a moment that is over changes nothing."""
        with self._lock:
            self._us = max(self._catch_up(), moment_us)

    def _catch_up(self) -> int:
        if self._wall_us is not None:
            self._us = max(self._us, self._wall_us())
        return self._us

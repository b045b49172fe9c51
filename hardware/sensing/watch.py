"""How one chip fares: up, down until its next trial, restarted a while ago, frozen.

Pure: the time comes in from outside.
"""

from __future__ import annotations

from dataclasses import dataclass

from hardware.ports import Fault

NACK = "nack"
BUS_ERROR = "bus_error"
HANG = "hang"
WRONG_IDENTITY = "wrong_identity"
RESTARTED = "restarted"
FROZEN = "frozen"


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a chip that failed is left alone: at first, and at most after doubling."""

    first_ms: int
    most_ms: int


# A hang stalls the whole scan for a transfer's time limit, so that it is tried least often.
PATIENCE = {
    NACK: Patience(250, 2_000),
    BUS_ERROR: Patience(250, 2_000),
    WRONG_IDENTITY: Patience(1_000, 4_000),
    HANG: Patience(1_000, 30_000),
}
RESTART_SHOWN_MS = 10_000
FROZEN_AFTER_MS = 3_000
FROZEN_AFTER_READINGS = 25
REMEDY_PAUSE_MS = 5_000
_SETTLE_MS = 5  # the first conversion after a configuration may not be there yet


class Watch:
    """The state of one chip; `where` names it in faults."""

    __slots__ = (
        "_configured_at_ms",
        "_down_code",
        "_pause_ms",
        "_remedy_at_ms",
        "_restarted_at_ms",
        "_retry_at_ms",
        "_same_count",
        "_same_raw",
        "_same_since_ms",
        "frozen",
        "needs_bring_up",
        "where",
    )

    def __init__(self, where: tuple[str, ...]) -> None:
        self.where = where
        self.needs_bring_up = True
        self.frozen = False
        self._configured_at_ms: int | None = None
        self._remedy_at_ms = 0
        self._down_code: str | None = None
        self._retry_at_ms = 0
        self._pause_ms = 0
        self._restarted_at_ms: int | None = None
        self._same_raw: tuple[int, ...] | None = None
        self._same_since_ms = 0
        self._same_count = 0

    @property
    def is_up(self) -> bool:
        """Whether it was brought up and nothing is known against it."""
        return self._down_code is None and not self.needs_bring_up

    @property
    def is_down(self) -> bool:
        """Whether it failed and has not come up since."""
        return self._down_code is not None

    def is_due(self, now_ms: int) -> bool:
        """Whether it should be spoken to in a scan that begins now."""
        return self._down_code is None or now_ms >= self._retry_at_ms

    def configured(self, now_ms: int) -> None:
        """Its configuration was written just now."""
        self._configured_at_ms = now_ms

    def is_fresh(self, now_ms: int) -> bool:
        """Whether it was configured so lately that its readings may not mean anything yet."""
        return self._configured_at_ms is not None and now_ms - self._configured_at_ms < _SETTLE_MS

    def came_up(self) -> None:
        """It was identified and configured."""
        self.needs_bring_up = False
        self._down_code = None
        self._pause_ms = 0

    def failed(self, code: str, now_ms: int) -> None:
        """It could not be read; it must be brought up again, but not before a pause."""
        patience = PATIENCE[code]
        longer_ms = self._pause_ms * 2 if code == self._down_code else 0
        self._pause_ms = min(max(longer_ms, patience.first_ms), patience.most_ms)
        self._retry_at_ms = now_ms + self._pause_ms
        self._down_code = code
        self.needs_bring_up = True
        self._forget_readings()

    def begin_anew(self) -> None:
        """Nothing is known of it any more: the bus was away."""
        self.needs_bring_up = True
        self._down_code = None
        self._forget_readings()

    def restarted(self, now_ms: int) -> None:
        """It had lost its configuration. The fault is shown for a while: it is over when it is seen."""
        self._restarted_at_ms = now_ms
        self._forget_readings()

    def saw(self, raw: tuple[int, ...], now_ms: int) -> None:
        """Note a reading: one that never changes for long comes from a frozen chip."""
        if raw != self._same_raw:
            self._same_raw = raw
            self._same_since_ms = now_ms
            self._same_count = 1
            self.frozen = False
            return
        self._same_count += 1
        long_enough = now_ms - self._same_since_ms >= FROZEN_AFTER_MS
        self.frozen = long_enough and self._same_count >= FROZEN_AFTER_READINGS

    @property
    def last_raw(self) -> tuple[int, ...] | None:
        """The latest reading that was believed."""
        return self._same_raw

    def wants_remedy(self, now_ms: int) -> bool:
        """Whether a frozen chip should be configured anew now, which may set it going; not too often."""
        if not self.frozen or now_ms < self._remedy_at_ms:
            return False
        self._remedy_at_ms = now_ms + REMEDY_PAUSE_MS
        return True

    def _forget_readings(self) -> None:
        self._same_raw = None
        self._same_count = 0
        self.frozen = False

    def faults(self, now_ms: int) -> list[Fault]:
        """What stands against it now, once for each place it reads."""
        codes = []
        if self._down_code is not None:
            codes.append(self._down_code)
        elif self.frozen:
            codes.append(FROZEN)
        if self._restarted_at_ms is not None and now_ms - self._restarted_at_ms < RESTART_SHOWN_MS:
            codes.append(RESTARTED)
        return [Fault(code, place) for code in codes for place in self.where]

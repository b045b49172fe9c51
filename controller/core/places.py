"""Every place's own story over time: what it reads at rest, since when, and how far it can be trusted.

Values are nominal mT (counts less zero, over gain). Each place keeps the mean of its current segment,
that is of the frames since its value last jumped. A segment is short on purpose: an old mean would
hide a small step.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from math import sqrt

LONGEST_WINDOW = 24
"""No mean goes further back than so many frames."""
_SEGMENT = 16
"""A segment's mean forgets what lies further back than about this many frames."""
_JUMP = 4.5
"""A value this many standard deviations off the mean has jumped."""
_SHIFT = 2.6
"""Two values in a row this far off, to the same side, have too."""
_LEAST_NOISE = 0.012
_FROZEN_FRAMES = 12
"""A live sensor's last digits dance; one that repeats itself this often is dead or frozen."""
_NOISY = 0.3
_CALM = 0.1
"""Share of late frames in which a value jumped against the jump before; hands do not alternate."""


class Places:
    """The filtered state of all places. Lists are indexed by place."""

    def __init__(self, count: int, noise: Sequence[float]) -> None:
        self.count = count
        self.value: list[float | None] = [None] * count
        self.mean = [0.0] * count
        self.length = [0] * count
        """Frames in the current segment; 0 where nothing was read yet."""
        self.jumped_ms = [0] * count
        """When the current segment began."""
        self.noise = list(noise)
        self.usable = [False] * count
        """Whether the place can serve as evidence now: read, alive and calm."""
        self.frames = 0
        self.faults: dict[int, str] = {}
        self.masked: set[int] = set()
        self._shift = [0] * count
        self._repeats = [0] * count
        self._unrest = [0.0] * count
        self._last_side = [0] * count
        self._unread = [0] * count
        self._last: float | None = None
        self._jumped_frame = [0] * count
        self._sums: deque[list[float]] = deque([[0.0] * count], maxlen=LONGEST_WINDOW + 1)

    def feed(self, t_ms: int, values: Sequence[float | None]) -> None:
        """Take in one frame of nominal values."""
        for k in range(self.count):
            value = values[k]
            if value is None:
                self._miss(k)
            else:
                self._take(k, value, t_ms)
        self.frames += 1
        now = [self.mean[k] if v is None else v for k, v in enumerate(values)]
        self._sums.append([s + v for s, v in zip(self._sums[-1], now, strict=True)])

    def window(self, places: Iterable[int]) -> int:
        """How many frames back nothing jumped in any of `places`; at least 1."""
        calm = self.frames - max((self._jumped_frame[k] for k in places), default=0)
        return max(1, min(calm, len(self._sums) - 1, LONGEST_WINDOW))

    def means(self, frames: int) -> list[float]:
        """Every place's mean over the last `frames`."""
        last, first = self._sums[-1], self._sums[-1 - frames]
        return [(b - a) / frames for a, b in zip(first, last, strict=True)]

    def _miss(self, k: int) -> None:
        self.value[k] = None
        self._unread[k] += 1
        if self._unread[k] >= _FROZEN_FRAMES:
            self._fault(k, "unread")

    def _take(self, k: int, value: float, t_ms: int) -> None:
        self._last = self.value[k]
        self._repeats[k] = self._repeats[k] + 1 if self._last == value else 0
        self.value[k] = value
        self._unread[k] = 0
        length, noise = self.length[k], self.noise[k]
        off = value - self.mean[k]
        limit = noise * (1.0 + 0.5 / length) if length else 0.0
        size = abs(off)
        if not length or size > _JUMP * limit:
            self._jump(k, value, off, t_ms)
        else:
            self._settle(k, value, off, t_ms, shifted=size > _SHIFT * limit)
        self._judge(k)

    def _jump(self, k: int, value: float, off: float, t_ms: int) -> None:
        side = 1 if off > 0 else -1
        self._unrest[k] += 0.03 * ((side == -self._last_side[k]) - self._unrest[k])
        self._last_side[k] = side
        self.jumped_ms[k] = t_ms
        self._jumped_frame[k] = self.frames
        self._restart(k, value, 1)

    def _settle(self, k: int, value: float, off: float, t_ms: int, *, shifted: bool) -> None:
        self._unrest[k] *= 0.97
        last = self._last
        side = (1 if off > 0 else -1) if shifted else 0
        if shifted and self._shift[k] == side and last is not None:
            self._restart(k, (value + last) / 2.0, 2)
            self._jumped_frame[k] = self.frames - 1
            self.jumped_ms[k] = t_ms
            return
        self._shift[k] = side
        length = min(self.length[k] + 1, _SEGMENT)
        self.length[k] = length
        self.mean[k] += off / length
        if last is not None:
            self._learn_noise(k, value - last)

    def _restart(self, k: int, mean: float, length: int) -> None:
        self.mean[k] = mean
        self.length[k] = length
        self._shift[k] = 0

    def _learn_noise(self, k: int, step: float) -> None:
        """Follow a place's noise by its steps from frame to frame, as long as nothing jumps."""
        noise = self.noise[k]
        bounded = min(abs(step), 4.0 * noise)
        grown = noise * noise * 0.98 + 0.01 * bounded * bounded
        self.noise[k] = max(sqrt(grown), _LEAST_NOISE)

    def _judge(self, k: int) -> None:
        if self._repeats[k] >= _FROZEN_FRAMES:
            self._fault(k, "frozen")
        elif self._unrest[k] > _NOISY:
            self._fault(k, "noisy")
        elif k in self.faults and self._repeats[k] == 0 and self._unrest[k] < _CALM:
            del self.faults[k]
            self.usable[k] = k not in self.masked
        else:
            self.usable[k] = k not in self.faults and k not in self.masked

    def _fault(self, k: int, code: str) -> None:
        self.faults[k] = code
        self.usable[k] = False

    def mask(self, places: set[int]) -> None:
        """Ignore these places from now on."""
        self.masked = set(places)
        for k in range(self.count):
            self.usable[k] = self.usable[k] and k not in places

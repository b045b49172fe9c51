"""What the places of a field board read while nothing moves: means and noise over the newest frames."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from hardware.ports import Frame

REST_MS = 800
"""How long a place must have been at rest, longer than a hand pauses on its way."""
LEAST_FRAMES = 16
"""Fewer frames do not bring the noise of a mean down far enough, however slow the board is scanned."""
_MOST_FRAMES = 256
_STILL_MT = 0.3
_STILL_SIGMAS = 8.0
"""The span of some twenty values at rest is about four sigmas; a hand moves it by far more."""


@dataclass(frozen=True, slots=True)
class Rest:
    """The board over one window, by place in mT; None where fewer than half of the frames were read.

    `moving` holds the places whose values spread more than their noise explains.
    """

    mean_mt: tuple[float | None, ...]
    noise_mt: tuple[float | None, ...]
    moving: frozenset[int]


class RestWindow:
    """The newest frames of a board."""

    def __init__(self) -> None:
        self._frames: deque[Frame] = deque(maxlen=_MOST_FRAMES)

    def feed(self, frame: Frame) -> None:
        """Take in one frame."""
        self._frames.append(frame)

    def clear(self) -> None:
        """Forget all frames: something else is looked for from now on."""
        self._frames.clear()

    def rest(self, noise_mt: Sequence[float]) -> Rest | None:
        """The window, judged by the noise of each place; None while it is too short."""
        frames = self._newest()
        if not frames:
            return None
        means: list[float | None] = []
        noises: list[float | None] = []
        moving = set()
        for place, column in enumerate(zip(*(frame.values for frame in frames), strict=True)):
            values = [value for value in column if value is not None]
            count = len(values)
            if 2 * count < len(frames):
                means.append(None)
                noises.append(None)
                continue
            mean = sum(values) / count
            means.append(mean)
            noises.append(sqrt(sum([(value - mean) ** 2 for value in values]) / count))
            if max(values) - min(values) > max(_STILL_MT, _STILL_SIGMAS * noise_mt[place]):
                moving.add(place)
        return Rest(tuple(means), tuple(noises), frozenset(moving))

    def _newest(self) -> list[Frame]:
        """The shortest run of newest frames that is long enough; empty if there is none."""
        newest: list[Frame] = []
        for frame in reversed(self._frames):
            newest.append(frame)
            if len(newest) >= LEAST_FRAMES and newest[0].t_ms - frame.t_ms >= REST_MS:
                return newest
        return []

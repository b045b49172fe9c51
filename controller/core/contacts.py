"""The places of an occupancy board over time: present or not, since when, and whether to be believed.

A hall switch says only whether a magnet is there. It is believed once it held for a while; a switch
that cannot be read keeps its last good value and is marked.
"""

from __future__ import annotations

from collections.abc import Sequence

_UNREAD_FRAMES = 8
_FLICKER_MEMORY = 0.97
_FLICKERS = 0.25
_CALM = 0.08
"""Share of late frames in which a switch changed: more than any hand does, and calm again."""


class Contacts:
    """The filtered state of all places; lists are indexed by place."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.present: list[bool] = [False] * count
        """What each place said last."""
        self.since_ms: list[int] = [0] * count
        """When it began to say so."""
        self.usable: list[bool] = [False] * count
        self.faults: dict[int, str] = {}
        self.frames = 0
        self._unread = [0] * count
        self._restless = [0.0] * count

    def feed(self, t_ms: int, values: Sequence[float | None]) -> None:
        """Take in one frame: one, nought or None a place."""
        self.frames += 1
        for k, value in enumerate(values):
            if value is None:
                self._miss(k)
            else:
                self._take(k, value > 0, t_ms)

    def _miss(self, k: int) -> None:
        self._unread[k] += 1
        if self._unread[k] >= _UNREAD_FRAMES:
            self._fault(k, "unread")

    def _take(self, k: int, present: bool, t_ms: int) -> None:  # noqa: FBT001 - it is the value itself
        first = self.frames == 1 or not self.since_ms[k]
        changed = present != self.present[k]
        if changed or first:
            self.present[k] = present
            self.since_ms[k] = t_ms
        self._unread[k] = 0
        self._restless[k] = self._restless[k] * _FLICKER_MEMORY + (1.0 - _FLICKER_MEMORY) * (
            changed and not first
        )
        if self._restless[k] > _FLICKERS:
            self._fault(k, "noisy")
        elif self._restless[k] < _CALM:
            self.faults.pop(k, None)
            self.usable[k] = True

    def _fault(self, k: int, code: str) -> None:
        self.faults[k] = code
        self.usable[k] = False

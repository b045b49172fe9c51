"""Traces of the running board, line by line, for the daemon's own user."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator

from controller.api import DaemonApi

MOST_WAITING = 2000
"""So many lines wait for a reader; 80 seconds at 25 scans a second."""


class TooSlowError(Exception):
    """The reader did not keep up. Its connection breaks, since a trace with a hole would look whole."""


class Recordings:
    """The recordings under way, on the event loop. One ends when its reader leaves, all with `close`."""

    def __init__(self, daemon: DaemonApi) -> None:
        self._daemon = daemon
        self._running: set[_Recording] = set()

    def __len__(self) -> int:
        return len(self._running)

    async def lines(self) -> AsyncIterator[str]:
        """A trace from the next frame on.

        Raises: TooSlowError.
        """
        recording = _Recording(asyncio.get_running_loop())
        self._running.add(recording)
        end = self._daemon.record(recording.write)
        try:
            while (line := await recording.next()) is not None:
                yield line
        finally:
            end()
            self._running.discard(recording)

    def close(self) -> None:
        """End all recordings after what they have got."""
        for recording in self._running:
            recording.finish()


class _Recording:
    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._lines: deque[str] = deque()
        self._something = asyncio.Event()
        self._is_over = False

    def write(self, line: str) -> None:
        """Called on the daemon's thread."""
        self._loop.call_soon_threadsafe(self._put, line)

    def _put(self, line: str) -> None:
        if len(self._lines) <= MOST_WAITING:  # one more than may wait shows that it was too much
            self._lines.append(line)
        self._something.set()

    def finish(self) -> None:
        self._is_over = True
        self._something.set()

    async def next(self) -> str | None:
        while not self._lines:
            if self._is_over:
                return None
            self._something.clear()
            await self._something.wait()
        if len(self._lines) > MOST_WAITING:
            raise TooSlowError(f"more than {MOST_WAITING} lines wait")
        return self._lines.popleft()

"""News of the daemon, brought to everybody who looks on, each at their own pace.

The daemon's thread only leaves a mark of what changed; the event loop fetches the state once it gets
round to it. So nothing queues up, however slow a browser is: what is sent is always the latest.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from controller.api import DaemonApi, News, Snapshot, TableState
from controller.core.messages import to_json

KINDS = ("view", "strip", "table")


@dataclass(frozen=True, slots=True)
class PublicState:
    """A published state, ready to be sent; `view` holds the faults of the devices as a key of its own."""

    seq: int
    view: dict[str, Any]
    pixels: tuple[tuple[int, int, int], ...]


class Listener(Protocol):
    """Somebody who is told that there is something new. Called on the event loop; must not block."""

    def news(self, kind: str) -> None:
        """`kind`, one of `KINDS`, has changed."""
        ...


def public_state(snapshot: Snapshot, view: dict[str, Any] | None = None) -> PublicState:
    """What everybody may see of a snapshot; `view` is its view if that is known already."""
    if view is None:
        view = to_json(snapshot.view) | {
            "faults": to_json(snapshot.faults),
            "calibration": to_json(snapshot.calibration),
        }
    return PublicState(snapshot.seq, view, tuple((c.r, c.g, c.b) for c in snapshot.pixels))


def table_json(state: TableState) -> dict[str, Any]:
    """The simulated table as the page gets it."""
    hands = []
    if state.hand is not None:
        x_mm, y_mm, clearance_mm, pieces = state.hand
        hands.append({"x_mm": x_mm, "y_mm": y_mm, "clearance_mm": clearance_mm, "pieces": list(pieces)})
    return {
        "stacks": {cell: list(pieces) for cell, pieces in state.stacks.items()},
        "loose": [{"x_mm": x, "y_mm": y, "pieces": list(pieces)} for x, y, pieces in state.loose],
        "hands": hands,
        "broken": [{"part": part, "kind": kind} for part, kind in state.broken],
        "script": to_json(state.script),
    }


class Hub:
    """The latest state, and those who are told of it. Lives on the event loop, from `open` to `close`."""

    def __init__(self, daemon: DaemonApi) -> None:
        self._daemon = daemon
        self._listeners: set[Listener] = set()
        self._lock = threading.Lock()
        self._dirty: set[str] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._unsubscribe: Callable[[], None] | None = None
        self._snapshot = daemon.snapshot()
        self._state = public_state(self._snapshot)

    def open(self) -> None:
        """Begin to listen to the daemon; called on the event loop."""
        self._loop = asyncio.get_running_loop()
        self._unsubscribe = self._daemon.subscribe(self._heard)

    def close(self) -> None:
        """End it; closing twice does nothing."""
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
        with self._lock:
            self._loop = None

    def add(self, listener: Listener) -> None:
        """Tell `listener` from now on."""
        self._listeners.add(listener)

    def remove(self, listener: Listener) -> None:
        """Tell it no more."""
        self._listeners.discard(listener)

    def __len__(self) -> int:
        return len(self._listeners)

    def state(self) -> PublicState:
        """The latest state. It never goes back: a snapshot older than one already shown is left out."""
        self._take(self._daemon.snapshot())
        return self._state

    def advance(self, snapshot: Snapshot) -> None:
        """Take over a state that came with the answer to a command, if it is news."""
        before = self._state
        self._take(snapshot)
        if self._state is not before:
            self._tell("view")

    def table(self) -> dict[str, Any] | None:
        """The simulated table as it stands now, or None where there is none."""
        table = self._daemon.table
        return None if table is None else table_json(table.state())

    def diagnostics(self) -> dict[str, Any]:
        """How every place of the board reads now."""
        report: dict[str, Any] = to_json(self._daemon.diagnostics())
        return report

    def _take(self, snapshot: Snapshot) -> None:
        held = self._snapshot
        if held is snapshot or snapshot.seq < held.seq:
            return
        same = (
            held.view is snapshot.view
            and held.faults == snapshot.faults
            and held.calibration is snapshot.calibration
        )
        self._state = public_state(snapshot, self._state.view if same else None)
        self._snapshot = snapshot

    def _heard(self, news: News) -> None:
        """On the daemon's thread: leave a mark, and wake the event loop if nobody has yet."""
        with self._lock:
            asleep = not self._dirty
            self._dirty.add(news.kind)
            if asleep and self._loop is not None:
                self._loop.call_soon_threadsafe(self._spread)

    def _spread(self) -> None:
        with self._lock:
            kinds, self._dirty = self._dirty, set()
        for kind in KINDS:
            if kind in kinds:
                self._tell(kind)

    def _tell(self, kind: str) -> None:
        for listener in tuple(self._listeners):
            listener.news(kind)

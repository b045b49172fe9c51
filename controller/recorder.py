"""Recording of what a running board reads, line by line, for whoever asks while it plays."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Protocol

from controller.core.calibration import Calibration
from controller.core.messages import Command, View
from controller.trace import (
    TraceHeader,
    board_facts,
    format_frame,
    format_header,
    format_input,
    format_line,
)
from hardware.boardfile import Board
from hardware.ports import Frame, Unit

_log = logging.getLogger(__name__)


class Viewed(Protocol):
    """Whatever knows the game as it stands."""

    def view(self) -> View:
        """The state as everybody may see it."""
        ...


class Recorder:
    """Hands the lines of a trace to those who listen; the daemon's thread feeds it."""

    def __init__(self, board: Board, unit: Unit, rate_hz: float, calibration: Calibration | None) -> None:
        self._board = board
        self._unit = unit
        self._rate_hz = rate_hz
        self.calibration = calibration
        """What the next trace says of the board; the daemon's thread may replace it."""
        self._lock = threading.Lock()
        self._new: list[Callable[[str], None]] = []
        self._listeners: list[Callable[[str], None]] = []

    def listen(self, write: Callable[[str], None]) -> Callable[[], None]:
        """Give `write` a trace from the next frame on, line by line; returns the function that ends it.

        `write` is called on the daemon's thread and must not block.
        """
        with self._lock:
            self._new.append(write)

        def end() -> None:
            with self._lock:
                for listeners in (self._new, self._listeners):
                    if write in listeners:
                        listeners.remove(write)

        return end

    def frame(self, frame: Frame, session: Viewed) -> None:
        """A frame was read, before the session has seen it."""
        with self._lock:
            new, self._new = self._new, []
            self._listeners += new
            listeners = list(self._listeners)
        if not listeners:
            return
        if new:
            header = format_line(format_header(self._header(session.view())))
            _say(new, header)
        _say(listeners, format_line(format_frame(frame, self._unit)))

    def input(self, t_ms: int, command: Command) -> None:
        """A player commanded something."""
        with self._lock:
            listeners = list(self._listeners)
        if listeners:
            _say(listeners, format_line(format_input(t_ms, command)))

    def _header(self, view: View) -> TraceHeader:
        return TraceHeader(
            game=view.game,
            unit=self._unit,
            cells=self._board.names,
            rate_hz=self._rate_hz,
            position=view.position,
            settings=view.settings,
            calibration=self.calibration,
            board=board_facts(self._board),
        )


def _say(listeners: list[Callable[[str], None]], line: str) -> None:
    for write in listeners:
        try:
            write(line + "\n")
        except Exception:
            _log.exception("a listener failed")

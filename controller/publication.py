"""What everybody may see now, who is told when it changes, and who waits for an answer to a command."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from dataclasses import replace

from controller.api import News, Snapshot
from controller.core.calibrationreport import Progress
from controller.core.messages import View
from hardware.ports import Colour, Fault

_log = logging.getLogger(__name__)


class Publication:
    """The published state. One thread publishes; asking and subscribing are for any."""

    def __init__(self, view: View, pixels: tuple[Colour, ...]) -> None:
        self.snapshot = Snapshot(1, view, (), pixels)
        self._lock = threading.Lock()
        self._subscribers: list[Callable[[News], None]] = []
        self._answers: list[Future[Snapshot]] = []

    def subscribe(self, callback: Callable[[News], None]) -> Callable[[], None]:
        """Call `callback` on every change; returns the function that ends it."""
        with self._lock:
            self._subscribers.append(callback)

        def end() -> None:
            with self._lock:
                if callback in self._subscribers:
                    self._subscribers.remove(callback)

        return end

    def show(self, view: View | None, faults: tuple[Fault, ...], calibration: Progress | None = None) -> None:
        """Publish another view (None: the same one) with the faults and the calibration of now."""
        old = self.snapshot
        self.snapshot = Snapshot(old.seq + 1, view or old.view, faults, old.pixels, calibration)
        self.tell("view")

    def show_pixels(self, pixels: tuple[Colour, ...]) -> None:
        """Publish what the strip shows now; it belongs to the same state."""
        old = self.snapshot
        self.snapshot = replace(old, pixels=pixels)
        self.tell("strip")

    def tell(self, kind: str) -> None:
        """Tell all subscribers that something of this kind changed."""
        with self._lock:
            subscribers = list(self._subscribers)
        news = News(kind, self.snapshot)
        for callback in subscribers:
            try:
                callback(news)
            except Exception:
                _log.exception("a subscriber failed")

    def owe(self, answer: Future[Snapshot]) -> None:
        """Answer this one with the next `answer`."""
        self._answers.append(answer)

    def answer(self) -> None:
        """Answer everybody who waits with the state as it is published now."""
        answers, self._answers = self._answers, []
        for waiting in answers:
            settle(waiting, self.snapshot)

    def refuse(self, error: Exception) -> None:
        """Answer everybody who waits with an error."""
        answers, self._answers = self._answers, []
        for waiting in answers:
            settle(waiting, error)


def settle(answer: Future[Snapshot], result: Snapshot | Exception) -> None:
    """Give an answer to whoever still waits for it."""
    try:
        if isinstance(result, Exception):
            answer.set_exception(result)
        else:
            answer.set_result(result)
    except InvalidStateError:  # they gave up waiting
        pass

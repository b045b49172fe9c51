"""The daemon: one thread owns the board; everything else looks on or asks.

The thread runs `BoardLoop.step` again and again, and sleeps in between until it is time to scan or
somebody wakes it: with a command, with the hand at a simulated table, or because the disk is done.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from secrets import compare_digest
from typing import Any

from controller.api import News, Snapshot
from controller.boardloop import Asked, BoardLoop
from controller.core.messages import Command
from controller.diagnostics import Report
from controller.errors import BusyError
from controller.keeper import Keeper
from controller.notify import Notifier
from controller.publication import settle
from controller.simulated import TableDesk
from engines.base import BoardGame
from hardware.boardfile import Board
from hardware.factory import Devices

MOST_COMMANDS = 32
_MS_A_SECOND = 1000

_log = logging.getLogger(__name__)


class Daemon:
    """`DaemonApi` over one board. `start` and `close` run the thread; tests call `begin` and `step`."""

    def __init__(
        self,
        game: BoardGame,
        devices: Devices,
        keeper: Keeper,
        make_loop: Callable[[Callable[[], None]], BoardLoop],
        *,
        version: str = "0",
        token: str = "",
        notifier: Notifier | None = None,
        on_failure: Callable[[], None] = lambda: None,
    ) -> None:
        """`make_loop` is given what wakes the thread; `on_failure` hears that play is over.

        `token` is what commands of the daemon's own user prove themselves with.
        """
        self._game = game
        self._devices = devices
        self._keeper = keeper
        self._version = version
        self._token = token
        self._notifier = notifier or Notifier({})
        self._on_failure = on_failure
        self._wake = threading.Event()
        keeper.wake = self._wake.set
        self._loop = make_loop(self._wake.set)
        self._lock = threading.Lock()
        self._commands: deque[Asked] = deque()
        self._has_ended = False
        self._has_failed = False
        self._thread: threading.Thread | None = None

    # ------------------------------------------------------------------ DaemonApi, for any thread

    @property
    def board(self) -> Board:
        """The board file in use."""
        return self._devices.board

    @property
    def table(self) -> TableDesk | None:
        """The simulated table, or None."""
        return self._loop.table

    @property
    def devices(self) -> Devices:
        """The devices; only whoever runs the daemon without its thread may touch them."""
        return self._devices

    @property
    def version(self) -> str:
        """The program's version."""
        return self._version

    def snapshot(self) -> Snapshot:
        """The state as published last."""
        return self._loop.public.snapshot

    def submit(self, command: Command) -> Future[Snapshot]:
        """Have a command carried out; the future gives the state published with it."""
        answer: Future[Snapshot] = Future()
        with self._lock:
            if self._has_ended:
                answer.set_exception(BusyError("the daemon has stopped"))
            elif len(self._commands) >= MOST_COMMANDS:
                answer.set_exception(BusyError(f"{MOST_COMMANDS} commands wait already; try again"))
            else:
                self._commands.append((command, answer))
        self._wake.set()
        return answer

    def subscribe(self, callback: Callable[[News], None]) -> Callable[[], None]:
        """Call `callback` on every change; returns the function that ends it."""
        return self._loop.public.subscribe(callback)

    def settings(self) -> Mapping[str, tuple[str, ...]]:
        """The settings of the board's game: names to allowed values, the default first."""
        return {setting.name: setting.allowed for setting in self._game.settings}

    def record(self, write: Callable[[str], None]) -> Callable[[], None]:
        """Give `write` a trace from the next frame on, line by line; returns the function that ends it."""
        return self._loop.recorder.listen(write)

    def is_operator(self, token: str) -> bool:
        """Whether `token` is the one that only the daemon's own user can read."""
        return bool(self._token) and compare_digest(token.encode(), self._token.encode())

    def playable(self) -> bool:
        """Whether a game can be played at all."""
        return not self._has_failed

    def status(self) -> Mapping[str, Any]:
        """Counters and rates."""
        return self._loop.status()

    def diagnostics(self) -> Report:
        """How every place of the board reads now, and how the board fares."""
        return self._loop.diagnostics()

    # ------------------------------------------------------------------ the thread

    def start(self) -> None:
        """Run in a thread of its own."""
        self._keeper.start()
        self.begin()
        self._thread = threading.Thread(target=self._run, name="scan", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop, make the strip dark, release the devices; closing twice does nothing."""
        self._notifier.stopping()
        self._end()
        self._wake.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self._loop.close()
        self._keeper.close()
        self._refuse_all()

    def begin(self) -> None:
        """Bring the devices up, without a thread."""
        self._loop.begin()

    def step(self, now_ms: int) -> int:
        """One turn, without a thread; the ms till the next."""
        with self._lock:
            commands, self._commands = self._commands, deque()
        return self._loop.step(now_ms, commands)

    def write(self) -> None:
        """Write what waits for the disk, without a thread."""
        self._keeper.work()

    def _run(self) -> None:
        clock = self._devices.clock
        self._notifier.ready()
        while not self._has_ended:
            try:
                pause_ms = self.step(clock.now_ms())
            except Exception as error:
                _log.exception("the scan loop failed")
                self._fail(error)
                return
            self._notifier.alive()
            faults = self.snapshot().faults
            self._notifier.status(
                ", ".join(f"{fault.code} {fault.where}" for fault in faults) or "all is well"
            )
            self._wake.wait(pause_ms / _MS_A_SECOND)
            self._wake.clear()

    def _fail(self, error: Exception) -> None:
        self._has_failed = True
        self._end()
        self._loop.fail(error)
        self._refuse_all()
        self._on_failure()

    def _end(self) -> None:
        with self._lock:
            self._has_ended = True

    def _refuse_all(self) -> None:
        error = BusyError("the daemon has stopped")
        with self._lock:
            commands, self._commands = self._commands, deque()
        for _, answer in commands:
            settle(answer, error)
        self._loop.public.refuse(error)

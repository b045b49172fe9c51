"""What systemd is told: that the daemon is ready, alive, stopping. Nothing happens without systemd.

Source: systemd sd_notify(3), sd_watchdog_enabled(3).
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

_US_A_SECOND = 1_000_000
_SIGNS_A_PERIOD = 4


class Notifier:
    """Sends states to the socket in `NOTIFY_SOCKET`. A failing send is not worth an error."""

    def __init__(
        self, environment: Mapping[str, str] = os.environ, now_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        self._now_s = now_s
        self._next_s = 0.0
        self._status = ""
        self.watchdog_s = _watchdog_s(environment)
        """How often systemd wants a sign of life at least, None where it does not."""

    def ready(self) -> None:
        """The daemon plays: a first scan was tried, the page is served."""
        self._send("READY=1")

    def alive(self) -> None:
        """A sign of life; only the scan loop may give it, and as often as it likes."""
        if self.watchdog_s is None:
            return
        now_s = self._now_s()
        if now_s >= self._next_s:
            self._next_s = now_s + self.watchdog_s / _SIGNS_A_PERIOD
            self._send("WATCHDOG=1")

    def status(self, text: str) -> None:
        """One line for `systemctl status`; nothing is sent where it says what it said before."""
        if text != self._status:
            self._status = text
            self._send("STATUS=" + text.replace("\n", " "))

    def stopping(self) -> None:
        """The daemon is about to end."""
        self._send("STOPPING=1")

    def _send(self, state: str) -> None:
        if not self._address:
            return
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as peer:
            peer.settimeout(0)
            peer.sendto(state.encode("utf-8"), address)


def _watchdog_s(environment: Mapping[str, str]) -> float | None:
    """The watchdog's period, if it is meant for this process."""
    period, process = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", "")
    if not period.isdigit() or int(period) == 0 or (process and process != str(os.getpid())):
        return None
    return int(period) / _US_A_SECOND

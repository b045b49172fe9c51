"""What systemd hears."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.notify import Notifier


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as peer:
        peer.bind(str(tmp_path / "n"))
        peer.settimeout(5)
        yield peer


def test_states_are_sent_to_the_socket_of_the_environment(systemd: socket.socket) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": systemd.getsockname(), "WATCHDOG_USEC": "10000000"})
    notifier.ready()
    notifier.alive()
    notifier.status("25 scans a second\nall well")
    notifier.status("25 scans a second\nall well")
    notifier.stopping()
    heard = [systemd.recv(100) for _ in range(4)]
    assert heard == [b"READY=1", b"WATCHDOG=1", b"STATUS=25 scans a second all well", b"STOPPING=1"]


def test_signs_of_life_are_as_rare_as_the_watchdog_allows(systemd: socket.socket) -> None:
    clock = iter(range(100))
    environment = {"NOTIFY_SOCKET": systemd.getsockname(), "WATCHDOG_USEC": "40000000"}
    notifier = Notifier(environment, now_s=lambda: next(clock))
    for _ in range(21):
        notifier.alive()
    notifier.ready()
    heard = [systemd.recv(100)]
    while heard[-1] != b"READY=1":
        heard.append(systemd.recv(100))
    assert heard == [b"WATCHDOG=1"] * 3 + [b"READY=1"]


def test_an_abstract_socket() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as peer:
        name = f"tablier-test-{os.getpid()}"
        peer.bind("\0" + name)
        peer.settimeout(5)
        Notifier({"NOTIFY_SOCKET": "@" + name}).ready()
        assert peer.recv(100) == b"READY=1"


def test_without_systemd_nothing_happens(tmp_path: Path) -> None:
    Notifier({}).ready()
    Notifier({"NOTIFY_SOCKET": str(tmp_path / "gone")}).alive()


@pytest.mark.parametrize(
    ("environment", "period_s"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "10000000"}, 10.0),
        ({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": str(os.getpid())}, 10.0),
        ({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_the_watchdog_period(environment: dict[str, str], period_s: float | None) -> None:
    assert Notifier(environment).watchdog_s == period_s

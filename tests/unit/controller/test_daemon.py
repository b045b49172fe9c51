"""The daemon's thread: it scans by itself, answers, survives nothing it should not, and stops in order."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from controller.api import News
from controller.boardloop import MOST_RENEWALS, BoardLoop, LoopSettings
from controller.core.messages import Entry, Resign
from controller.daemon import MOST_COMMANDS, Daemon
from controller.errors import BusyError
from controller.keeper import Keeper
from engines.registry import game
from hardware.factory import DeviceSettings, open_devices
from hardware.ports import BLACK
from hardware.simulator.table import IDEAL
from tests.fakes.session import FakeSession

AVALAM: Any = game("avalam")
BEGIN = Entry("game", {"game": "avalam", "settings": {}})
DEADLINE_S = 20


class Rig:
    """A daemon with a scripted session, and an event for news and for the end of play."""

    def __init__(self, folder: Path) -> None:
        self.devices = open_devices(DeviceSettings(kind="simulated", physics=IDEAL))
        assert self.devices.simulated is not None
        self.wooden = self.devices.simulated
        self.keeper = Keeper(folder / "journal.db")
        self.keeper.open("avalam")
        self.keeper.put([BEGIN])
        self.session = FakeSession()
        self.failed = threading.Event()
        self.heard = threading.Event()
        self.kinds: list[str] = []
        self.daemon = Daemon(
            AVALAM, self.devices, self.keeper, self.loop, version="1.2", on_failure=self.failed.set
        )
        self.daemon.subscribe(self.hear)

    def loop(self, wake: Callable[[], None]) -> BoardLoop:
        return BoardLoop(
            self.devices, self.keeper, lambda: self.session, LoopSettings(rate_hz=50), Random(1), wake=wake
        )

    def hear(self, news: News) -> None:
        self.kinds.append(news.kind)
        self.heard.set()

    def wait_until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            assert self.heard.wait(DEADLINE_S)
            self.heard.clear()


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(tmp_path)
    yield rig
    rig.daemon.close()


def test_what_the_page_may_ask(rig: Rig) -> None:
    assert rig.daemon.version == "1.2"
    assert rig.daemon.board.name == "avalam"
    assert rig.daemon.table is not None
    assert rig.daemon.settings()["tiebreak"] == ("none", "fives")
    assert rig.daemon.playable()
    assert rig.daemon.snapshot().seq == 1


def test_a_move_is_published_by_itself_soon_after_it_is_durable(rig: Rig) -> None:
    rig.session.coming = [rig.session.moves("c9d8")]
    rig.daemon.start()
    rig.wait_until(lambda: len(rig.daemon.snapshot().view.moves) == 1)
    assert rig.keeper.durable == 2


def test_a_command_is_carried_out_and_answered(rig: Rig) -> None:
    rig.session.orders = [rig.session.moves("c9d8")]
    rig.daemon.start()
    snapshot = rig.daemon.submit(Resign(0)).result(DEADLINE_S)
    assert [move.move for move in snapshot.view.moves] == ["c9d8"]


def test_too_many_commands_are_refused(rig: Rig) -> None:
    waiting = [rig.daemon.submit(Resign(0)) for _ in range(MOST_COMMANDS + 1)]
    with pytest.raises(BusyError, match="32 commands wait already"):
        waiting[-1].result(0)
    rig.daemon.start()
    for answer in waiting[:-1]:
        answer.result(DEADLINE_S)


def test_after_the_end_everything_is_refused_and_the_strip_is_dark(rig: Rig) -> None:
    rig.daemon.start()
    rig.daemon.close()
    rig.daemon.close()
    with pytest.raises(BusyError, match="the daemon has stopped"):
        rig.daemon.submit(Resign(0)).result(0)
    assert rig.wooden.strip.pixels == (BLACK,) * 49


def test_commands_that_wait_at_the_end_are_refused(rig: Rig) -> None:
    answer = rig.daemon.submit(Resign(0))
    rig.daemon.close()
    with pytest.raises(BusyError, match="the daemon has stopped"):
        answer.result(0)


def test_wrong_code_ends_play_and_it_is_said(rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    rig.session.coming = [ZeroDivisionError("wrong code") for _ in range(MOST_RENEWALS + 1)]
    with caplog.at_level(logging.CRITICAL):
        rig.daemon.start()
        assert rig.failed.wait(DEADLINE_S)
    assert not rig.daemon.playable()
    assert [fault.code for fault in rig.daemon.snapshot().faults] == ["internal"]
    with pytest.raises(BusyError):
        rig.daemon.submit(Resign(0)).result(0)


def test_whoever_shows_the_token_is_the_operator(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    assert not rig.daemon.is_operator("")
    rig.daemon._token = "secret"
    assert rig.daemon.is_operator("secret")
    assert not rig.daemon.is_operator("Secret")
    assert not rig.daemon.is_operator("sécret")
    rig.daemon.close()


def test_a_running_board_is_recorded_line_by_line(rig: Rig) -> None:
    lines: list[str] = []
    rig.daemon.start()
    end = rig.daemon.record(lambda line: (lines.append(line), rig.heard.set())[0])
    rig.wait_until(lambda: len(lines) >= 3)
    end()
    assert lines[0].startswith('{"format":"tablier-trace/1"')
    assert lines[1].startswith('{"t_ms":')
    assert rig.daemon.status()["rate_hz"] > 0

"""Turns of the loop, one by one: what is obeyed, scanned, shown, stored, and in which order."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from random import Random
from typing import Any

import pytest

from controller.api import News, Snapshot
from controller.boardloop import MOST_RENEWALS, PATIENCE_MS, BoardLoop, LoopSettings
from controller.core.lights import Meaning
from controller.core.messages import Entry, Resign
from controller.core.session import Effects
from controller.errors import CommandError
from controller.journal import Journal, StorageError
from controller.keeper import Keeper
from engines.base import Reason
from hardware.factory import DeviceSettings, open_devices
from hardware.ports import BLACK
from hardware.simulator.bus import BusTrouble
from hardware.simulator.table import IDEAL
from tests.fakes.session import FakeSession

BEGIN = Entry("game", {"game": "avalam", "settings": {}})
GREEN = (0, 255, 0)


class Bench:
    """A loop over an ideal simulated board with a session that the test tells what to do."""

    def __init__(self, folder: Path) -> None:
        self.devices = open_devices(DeviceSettings(kind="simulated", real_time=False, physics=IDEAL))
        assert self.devices.simulated is not None
        self.wooden = self.devices.simulated
        self.keeper = Keeper(folder / "journal.db")
        self.keeper.open("avalam")
        self.keeper.put([BEGIN])
        self.keeper.work()
        self.sessions: list[FakeSession] = []
        self.table_file = folder / "table.json"
        settings = LoopSettings(table_file=self.table_file)
        self.loop = BoardLoop(self.devices, self.keeper, self.renew, settings, Random(1), stock=(0,) * 24)
        self.news: list[News] = []
        self.loop.public.subscribe(self.news.append)
        self.loop.begin()

    def renew(self) -> FakeSession:
        self.sessions.append(FakeSession())
        return self.sessions[-1]

    @property
    def session(self) -> FakeSession:
        return self.sessions[-1]

    @property
    def snapshot(self) -> Snapshot:
        return self.loop.public.snapshot

    @property
    def fault_codes(self) -> list[str]:
        return [fault.code for fault in self.snapshot.faults]

    def turn(self, *commands: Any) -> list[Future[Snapshot]]:
        """One scan's time, then a turn."""
        self.wooden.advance_ms(40)
        return self.turn_now(*commands)

    def turn_now(self, *commands: Any) -> list[Future[Snapshot]]:
        answers: list[Future[Snapshot]] = [Future() for _ in commands]
        self.loop.step(self.devices.clock.now_ms(), list(zip(commands, answers, strict=True)))
        return answers

    def kinds(self) -> list[str]:
        kinds = [news.kind for news in self.news]
        self.news.clear()
        return kinds


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    bench.loop.close()
    bench.keeper.close()


def test_scans_keep_to_their_rate_however_often_the_loop_turns(bench: Bench) -> None:
    start_ms = bench.devices.clock.now_ms()
    while bench.devices.clock.now_ms() < start_ms + 1000:
        bench.loop.step(bench.devices.clock.now_ms())
        bench.wooden.advance_ms(3)
    assert len(bench.session.frames) == 25
    assert bench.loop.status()["rate_hz"] == pytest.approx(25, abs=0.6)


def test_the_pause_lasts_until_the_next_scan(bench: Bench) -> None:
    bench.turn()
    pause_ms = bench.loop.step(bench.devices.clock.now_ms())
    due_ms = bench.devices.clock.now_ms() + pause_ms
    scanned = len(bench.session.frames)
    bench.loop.step(due_ms - 1)
    assert len(bench.session.frames) == scanned
    bench.loop.step(due_ms)
    assert len(bench.session.frames) == scanned + 1


def test_a_long_stall_is_not_made_up_for(bench: Bench) -> None:
    bench.turn()
    scanned = len(bench.session.frames)
    bench.wooden.advance_ms(2000)
    for _ in range(10):
        bench.loop.step(bench.devices.clock.now_ms())
    assert len(bench.session.frames) <= scanned + 2


def test_the_strip_is_dark_at_the_start_and_at_the_end(bench: Bench) -> None:
    assert bench.wooden.strip.frames[0].pixels == (BLACK,) * 49
    bench.session.lit = {"c9": Meaning.TARGET}
    bench.turn()
    assert bench.snapshot.pixels[0] == GREEN
    bench.loop.close()
    assert bench.wooden.strip.pixels == (BLACK,) * 49


def test_lights_are_news_and_belong_to_the_view_that_stands(bench: Bench) -> None:
    bench.turn()
    bench.kinds()
    seq = bench.snapshot.seq
    bench.session.lit = {"c9": Meaning.TARGET}
    bench.turn()
    assert bench.kinds() == ["strip"]
    assert bench.snapshot.seq == seq
    bench.turn()
    assert bench.kinds() == []


def test_a_move_is_shown_only_when_it_is_durable(bench: Bench) -> None:
    bench.turn()
    bench.kinds()
    before = bench.snapshot
    bench.session.coming = [bench.session.moves("c9d8")]
    bench.session.lit = {"d8": Meaning.LAST}
    bench.turn()
    bench.turn()
    assert bench.snapshot is before
    assert bench.wooden.strip.pixels == (BLACK,) * 49
    bench.keeper.work()
    bench.turn_now()
    assert [move.move for move in bench.snapshot.view.moves] == ["c9d8"]
    assert bench.snapshot.seq == before.seq + 1
    assert bench.wooden.strip.pixels != (BLACK,) * 49
    assert bench.kinds() == ["strip", "view"]


def test_a_command_is_answered_with_the_durable_state(bench: Bench) -> None:
    bench.session.orders = [bench.session.moves("c9d8")]
    (answer,) = bench.turn(Resign(1))
    assert not answer.done()
    bench.keeper.work()
    bench.turn_now()
    assert answer.result(0) is bench.snapshot
    assert [move.move for move in answer.result(0).view.moves] == ["c9d8"]
    assert bench.session.commands[0][0] == Resign(1)


def test_a_command_that_changes_nothing_is_answered_at_once(bench: Bench) -> None:
    bench.turn()
    (answer,) = bench.turn(Resign(1))
    assert answer.result(0) is bench.snapshot


def test_a_refused_command_says_why(bench: Bench) -> None:
    bench.session.orders = [CommandError(Reason("game_over"))]
    (answer,) = bench.turn(Resign(1))
    with pytest.raises(CommandError, match="game_over"):
        answer.result(0)


def failing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: Journal, __: Sequence[Entry]) -> None:
        raise StorageError("journal.db: cannot be used: database or disk is full")

    monkeypatch.setattr(Journal, "append", fail)


def test_a_full_disk_is_shown_and_the_game_goes_on(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        failing(patch)
        bench.session.coming = [bench.session.moves("c9d8")]
        bench.turn()
        bench.keeper.work()
        bench.turn()
        assert [move.move for move in bench.snapshot.view.moves] == ["c9d8"]
        assert bench.fault_codes == ["journal_unwritable"]
    bench.keeper.work()
    bench.turn()
    assert bench.fault_codes == []


def test_a_disk_that_hangs_holds_the_game_up_for_two_seconds_only(bench: Bench) -> None:
    bench.turn()
    bench.session.coming = [bench.session.moves("c9d8")]
    bench.turn()
    since_ms = bench.devices.clock.now_ms()
    while bench.devices.clock.now_ms() < since_ms + PATIENCE_MS - 100:
        bench.turn()
    assert bench.snapshot.view.moves == ()
    while bench.devices.clock.now_ms() < since_ms + PATIENCE_MS:
        bench.turn()
    bench.turn()
    assert [move.move for move in bench.snapshot.view.moves] == ["c9d8"]
    assert bench.fault_codes == ["journal_slow"]
    bench.keeper.work()
    bench.turn()
    assert bench.fault_codes == []


def test_a_lost_bus_gives_unread_places_and_is_named_until_it_is_back(bench: Bench) -> None:
    bench.turn()
    bench.wooden.bus.trouble = BusTrouble.GONE
    for _ in range(20):
        bench.turn()
    assert bench.session.frames[-1].values == (None,) * 49
    assert bench.fault_codes == ["bus_not_found"]
    times = [frame.t_ms for frame in bench.session.frames]
    assert times == sorted(times)
    bench.wooden.bus.trouble = BusTrouble.NONE
    for _ in range(150):
        bench.turn()
    assert None not in bench.session.frames[-1].values
    assert bench.fault_codes == []


def test_a_lost_strip_is_named_and_the_game_goes_on(bench: Bench) -> None:
    bench.wooden.strip.fails = True
    bench.session.lit = {"c9": Meaning.TARGET}
    bench.session.coming = [bench.session.moves("c9d8")]
    bench.turn()
    bench.keeper.work()
    bench.turn()
    assert bench.fault_codes == ["strip_lost"]
    assert len(bench.snapshot.view.moves) == 1
    bench.wooden.strip.fails = False
    for _ in range(30):
        bench.turn()
    assert bench.fault_codes == []
    assert bench.wooden.strip.pixels[0] == GREEN


class FakeChance:
    kind = "setup"

    def sample(self, rng: Random) -> str:
        return f"drawn {rng.randrange(10)}"

    def outcomes(self) -> None:
        return None


def test_chance_is_drawn_outside_and_stored(bench: Bench) -> None:
    bench.session.due = [FakeChance()]
    bench.session.orders = [Effects((), (BEGIN,), changed=True)]
    bench.turn(Resign(0))
    assert bench.keeper.game == (BEGIN, Entry("chance", {"move": "drawn 2"}))


def test_a_session_that_fails_is_made_anew(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    bench.turn()
    bench.session.coming = [ZeroDivisionError("wrong code")]
    with caplog.at_level(logging.ERROR):
        bench.turn()
    assert len(bench.sessions) == 2
    assert "the session failed" in caplog.text
    bench.turn()
    assert len(bench.session.frames) == 1
    assert bench.loop.status()["renewals"] == 1


def test_a_session_that_fails_again_and_again_ends_play(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(MOST_RENEWALS):
        bench.session.orders = [ZeroDivisionError("wrong code")]
        (answer,) = bench.turn(Resign(0))
        with pytest.raises(ZeroDivisionError):
            answer.result(0)
    bench.session.coming = [ZeroDivisionError("wrong code")]
    with pytest.raises(ZeroDivisionError):
        bench.turn()
    bench.session.lit = {"c9": Meaning.TARGET}
    bench.loop.fail(ZeroDivisionError("wrong code"))
    assert bench.fault_codes == ["internal"]
    assert bench.wooden.strip.pixels == (BLACK,) * 49


def test_the_hand_at_the_table_is_obeyed_and_the_table_is_news(bench: Bench) -> None:
    assert bench.loop.table is not None
    place = bench.devices.board.cell("c9")
    bench.turn()
    bench.kinds()
    bench.loop.table.grab(place.x_mm, place.y_mm)
    bench.turn_now()
    assert bench.kinds() == ["table"]
    bench.wooden.finish_hands()
    bench.turn()
    bench.kinds()
    bench.turn()
    assert bench.kinds() == []


def written(bench: Bench) -> str:
    bench.keeper.work()
    return bench.table_file.read_text(encoding="utf-8")


def test_the_table_is_noted_when_it_has_come_to_rest(bench: Bench) -> None:
    assert bench.loop.table is not None
    bench.turn()
    first = written(bench)
    place, target = bench.devices.board.cell("c9"), bench.devices.board.cell("d8")
    bench.loop.table.grab(place.x_mm, place.y_mm)
    bench.turn()
    bench.turn()
    assert written(bench) == first
    bench.loop.table.move(target.x_mm, target.y_mm, 6)
    bench.loop.table.release()
    bench.turn()
    assert written(bench) != first


def test_frames_and_commands_are_recorded(bench: Bench) -> None:
    lines: list[str] = []
    bench.loop.recorder.listen(lines.append)
    bench.turn()
    bench.turn(Resign(1))
    assert [line.partition(":")[0] for line in lines] == ['{"format"', '{"t_ms"', '{"t_ms"', '{"t_ms"']
    assert '"command":"resign"' in lines[2]


def test_status_counts(bench: Bench) -> None:
    bench.turn()
    bench.turn()
    status = bench.loop.status()
    assert status["sensors"]["scans"] == 2
    assert (status["entries"], status["durable"], status["wanted_rate_hz"]) == (1, 1, 25)

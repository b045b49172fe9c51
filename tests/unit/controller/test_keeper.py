"""The keeper: entries become durable in order, and a failing disk stops nobody."""

from __future__ import annotations

import errno
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from controller import keeper as module
from controller.core.messages import Entry
from controller.errors import JournalError
from controller.journal import DamageError, Journal, StorageError
from controller.keeper import Keeper
from hardware.ports import Fault

BEGIN = Entry("game", {"game": "avalam", "settings": {}})


def moves(*texts: str) -> tuple[Entry, ...]:
    return tuple(Entry("move", {"move": text}) for text in texts)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def stored(path: Path) -> tuple[Entry, ...]:
    with closing(Journal(path)) as journal:
        game_id = journal.unfinished("avalam")
        return () if game_id is None else journal.resume(game_id).entries


@contextmanager
def failing(error: Exception) -> Iterator[None]:
    def fail(_: Journal, __: Sequence[Entry]) -> None:
        raise error

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Journal, "append", fail)
        yield


def test_entries_become_durable_and_somebody_is_woken(path: Path) -> None:
    woken: list[int] = []
    keeper = Keeper(path, lambda: woken.append(keeper.durable))
    assert keeper.open("avalam") is None
    keeper.put([BEGIN, *moves("c9d8")])
    assert (keeper.submitted, keeper.durable) == (2, 0)
    assert not keeper.is_settled(2)
    keeper.work()
    assert (keeper.durable, woken) == (2, [2])
    assert keeper.is_settled(2)
    assert not keeper.is_settled(3)
    keeper.close()
    assert stored(path) == (BEGIN, *moves("c9d8"))


def test_the_unfinished_game_is_resumed(path: Path) -> None:
    with closing(Journal(path)) as journal:
        journal.append([BEGIN, *moves("c9d8")])
    keeper = Keeper(path)
    game = keeper.open("avalam")
    assert game is not None
    assert (game.game_id, game.entries) == (1, (BEGIN, *moves("c9d8")))
    keeper.put(moves("f1g1"))
    assert keeper.game == (BEGIN, *moves("c9d8", "f1g1"))
    assert keeper.game_id == 1
    keeper.put([Entry("game", {"game": "avalam", "settings": {}})])
    assert (keeper.game, keeper.game_id) == ((BEGIN,), 2)
    keeper.put(moves("c9d8"))
    keeper.close()
    assert stored(path) == keeper.game


def test_a_full_disk_is_named_and_the_game_goes_on_from_memory(path: Path) -> None:
    keeper = Keeper(path)
    keeper.open("avalam")
    keeper.put([BEGIN])
    with failing(StorageError("journal.db: cannot be used: database or disk is full")):
        keeper.work()
        keeper.put(moves("c9d8"))
        keeper.work()
        assert [fault.code for fault in keeper.faults] == ["journal_unwritable"]
        assert keeper.durable == 0
        assert keeper.is_settled(2)
    keeper.work()
    assert (keeper.faults, keeper.durable) == ((), 2)
    keeper.close()
    assert stored(path) == (BEGIN, *moves("c9d8"))


def test_pauses_between_trials_grow_and_end_with_success(path: Path) -> None:
    keeper = Keeper(path)
    keeper.open("avalam")
    keeper.put([BEGIN])
    pauses = []
    with failing(StorageError("full")):
        for _ in range(8):
            keeper.work()
            pauses.append(keeper._pause_s)
    assert pauses == [0.5, 1, 2, 4, 8, 16, 30, 30]
    keeper.work()
    assert keeper._pause_s == 0
    keeper.close()


def test_a_disk_that_fails_from_the_start(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.parent.joinpath("other").mkdir()
    keeper = Keeper(path.parent / "other" / "missing" / "journal.db")
    assert keeper.open("avalam") is None
    assert [fault.code for fault in keeper.faults] == ["journal_unwritable"]
    keeper.put([BEGIN])
    keeper.work()
    assert keeper.is_settled(1)
    (path.parent / "other" / "missing").mkdir()
    keeper.work()
    assert (keeper.faults, keeper.durable) == ((), 1)
    keeper.close()


def test_a_newer_journal_is_an_error_at_once(path: Path) -> None:
    Journal(path).close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 9")
    with pytest.raises(JournalError, match="newer tablier"):
        Keeper(path).open("avalam")


def test_a_damaged_journal_is_salvaged_and_it_is_said(path: Path) -> None:
    path.write_bytes(b"rubbish" * 1000)
    keeper = Keeper(path)
    assert keeper.open("avalam") is None
    (fault,) = keeper.faults
    assert fault.code == "journal_salvaged"
    assert (path.parent / fault.where).read_bytes().startswith(b"rubbish")
    keeper.close()


def test_a_journal_that_breaks_in_use_is_written_anew_from_memory(path: Path) -> None:
    keeper = Keeper(path)
    keeper.open("avalam")
    keeper.put([BEGIN, *moves("c9d8", "f1g1")])
    keeper.work()
    break_table(keeper)
    keeper.put(moves("i5h4"))
    keeper.work()
    assert [fault.code for fault in keeper.faults] == ["journal_salvaged"]
    assert keeper.durable == 4
    keeper.close()
    assert stored(path) == (BEGIN, *moves("c9d8", "f1g1", "i5h4"))


def test_a_game_begun_on_a_journal_that_breaks(path: Path) -> None:
    keeper = Keeper(path)
    keeper.open("avalam")
    keeper.put([BEGIN, *moves("c9d8")])
    keeper.work()
    break_table(keeper)
    keeper.put([*moves("f1g1"), BEGIN, *moves("a4a5")])
    keeper.work()
    assert keeper.durable == 5
    keeper.close()
    assert stored(path) == (BEGIN, *moves("a4a5"))


def break_table(keeper: Keeper) -> None:
    assert keeper._journal is not None
    keeper._journal._db.execute("PRAGMA foreign_keys = OFF")
    keeper._journal._db.execute("DELETE FROM entries")
    keeper._journal._db.execute("DROP TABLE entries")


def test_damage_that_cannot_be_put_right_is_tried_again(path: Path) -> None:
    keeper = Keeper(path)
    keeper.open("avalam")
    keeper.put([BEGIN])
    with failing(DamageError("journal.db: is damaged: disk image is malformed")):
        keeper.work()
    assert "journal_unwritable" in [fault.code for fault in keeper.faults]
    keeper.work()
    assert keeper.durable == 1
    keeper.close()


def test_entries_without_end_do_not_fill_the_memory(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WAITING", 3)
    keeper = Keeper(path)
    keeper.put([BEGIN, *moves("c9d8", "f1g1", "i5h4")])
    assert keeper.faults == (Fault("journal_overflow", "journal.db", (3,)),)


def test_only_the_latest_text_of_a_file_is_written(tmp_path: Path, path: Path) -> None:
    keeper = Keeper(path)
    keeper.put_file(tmp_path / "table.json", "one")
    keeper.put_file(tmp_path / "table.json", "two")
    keeper.work()
    assert (tmp_path / "table.json").read_text(encoding="utf-8") == "two"
    keeper.close()


def test_a_file_that_cannot_be_written_is_tried_again(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path, text: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    keeper = Keeper(path)
    with monkeypatch.context() as patch:
        patch.setattr(module, "write_atomically", fail)
        keeper.put_file(tmp_path / "table.json", "one")
        keeper.work()
        assert keeper.faults == (Fault("file_unwritable", "table.json", ("No space left on device",)),)
    keeper.work()
    assert keeper.faults == ()
    assert (tmp_path / "table.json").read_text(encoding="utf-8") == "one"
    keeper.close()


def wait_until(condition: Callable[[], bool], woken: threading.Event) -> None:
    while not condition():
        assert woken.wait(10)
        woken.clear()


def test_the_thread_writes_while_nobody_waits(path: Path) -> None:
    woken = threading.Event()
    keeper = Keeper(path, woken.set)
    keeper.open("avalam")
    keeper.start()
    keeper.put([BEGIN])
    wait_until(lambda: keeper.durable == 1, woken)
    for entry in moves("c9d8", "f1g1", "i5h4"):
        keeper.put([entry])
    keeper.close()
    keeper.close()
    assert keeper.durable == 4
    assert stored(path) == keeper.game


def test_the_thread_tries_again_by_itself(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_PAUSE_S", 0.01)
    woken = threading.Event()
    keeper = Keeper(path, woken.set)
    keeper.open("avalam")
    with failing(StorageError("full")):
        keeper.start()
        keeper.put([BEGIN])
        wait_until(lambda: bool(keeper.faults), woken)
    wait_until(lambda: keeper.durable == 1, woken)
    assert keeper.faults == ()
    keeper.close()

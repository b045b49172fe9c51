"""The journal: what is stored is there again, whatever happened to the file."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from controller import journal as module
from controller.core.messages import Entry
from controller.errors import JournalError
from controller.journal import APPLICATION_ID, DamageError, Journal, StorageError

BEGIN = Entry("game", {"game": "avalam", "settings": {"first": "red"}})
END = Entry("end", {"termination": "resignation", "winners": [1], "scores": [24, 23]})


def move(text: str) -> Entry:
    return Entry("move", {"move": text})


GAME = (BEGIN, move("c9d8"), move("f1g2"), Entry("amend", {"move": "f1g1"}), Entry("takeback", {"plies": 1}))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def stored(path: Path, game: str = "avalam") -> tuple[Entry, ...] | None:
    with closing(Journal(path)) as journal:
        game_id = journal.unfinished(game)
        return None if game_id is None else journal.resume(game_id).entries


def write(path: Path, *entries: Entry) -> None:
    with closing(Journal(path)) as journal:
        for entry in entries:
            journal.append([entry])


def test_what_is_appended_is_there_after_reopening(path: Path) -> None:
    write(path, *GAME)
    assert stored(path) == GAME


def test_a_new_journal_has_no_game(path: Path) -> None:
    assert stored(path) is None


def test_only_the_newest_game_goes_on_and_only_if_it_has_not_ended(path: Path) -> None:
    write(path, BEGIN, move("c9d8"))
    write(path, BEGIN, move("e2f1"))
    assert stored(path) == (BEGIN, move("e2f1"))
    with closing(Journal(path)) as journal:
        assert journal.unfinished("avalam") == 2
        journal.resume(2)
        journal.append([END])
        assert journal.unfinished("avalam") is None
        journal.append([Entry("takeback", {"plies": 1})])
        assert journal.unfinished("avalam") == 2
        assert journal.unfinished("carami") is None


def test_a_resumed_game_is_continued(path: Path) -> None:
    write(path, *GAME)
    with closing(Journal(path)) as journal:
        journal.resume(1)
        journal.append([move("i5h4")])
        assert journal.game_id == 1
    assert stored(path) == (*GAME, move("i5h4"))


def test_entries_of_one_append_are_stored_all_or_none(path: Path) -> None:
    with closing(Journal(path)) as journal:
        journal.append([BEGIN])
        with pytest.raises(TypeError):
            journal.append([move("c9d8"), Entry("move", {"move": object()})])
        journal.append([move("e2f1")])
    assert stored(path) == (BEGIN, move("e2f1"))


def test_an_entry_without_a_game_is_an_error(path: Path) -> None:
    with closing(Journal(path)) as journal, pytest.raises(JournalError, match="belongs to no game"):
        journal.append([move("c9d8")])


def test_there_is_no_such_game(path: Path) -> None:
    with closing(Journal(path)) as journal, pytest.raises(JournalError, match="there is no game 4"):
        journal.resume(4)


def test_a_whole_game_can_be_replaced(path: Path) -> None:
    write(path, BEGIN, move("c9d8"))
    with closing(Journal(path)) as journal:
        journal.replace(1, GAME)
        journal.append([move("i5h4")])
        journal.replace(9, GAME)
        assert journal.unfinished("avalam") == 9
        assert journal.resume(1).entries == (*GAME, move("i5h4"))


def test_the_file_says_what_it_is_and_is_written_through(path: Path) -> None:
    with closing(Journal(path)) as journal:
        assert journal._db.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert journal._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert journal._db.execute("PRAGMA synchronous").fetchone() == (2,)


def test_an_older_schema_is_brought_up_to_date(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(path, *GAME)
    newer = (*module._MIGRATIONS, ("ALTER TABLE games ADD COLUMN title TEXT",))
    monkeypatch.setattr(module, "_MIGRATIONS", newer)
    assert stored(path) == GAME
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT title FROM games").fetchall() == [(None,)]
        assert db.execute("PRAGMA user_version").fetchone() == (2,)


def test_a_failing_migration_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(path, *GAME)
    with monkeypatch.context() as patch:
        broken = ("ALTER TABLE games ADD COLUMN title TEXT", "INSERT INTO games VALUES (1)")
        patch.setattr(module, "_MIGRATIONS", (*module._MIGRATIONS, broken))
        with pytest.raises(JournalError):
            Journal(path)
    assert stored(path) == GAME


def test_a_newer_schema_is_refused_and_left_alone(path: Path) -> None:
    write(path, *GAME)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 7")
    before = path.read_bytes()
    with pytest.raises(
        JournalError, match=r"written by a newer tablier \(schema 7, this one knows up to 1\)"
    ):
        Journal(path)
    assert path.read_bytes() == before


def test_another_programs_database_is_refused_and_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE recipes (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(JournalError, match="is the database of another program"):
        Journal(path)
    assert path.read_bytes() == before


def test_a_folder_that_cannot_be_written_is_a_storage_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be used: unable to open database file"):
        Journal(tmp_path / "nowhere" / "journal.db")


def test_a_full_disk_is_a_storage_error_and_the_journal_goes_on_when_there_is_room(path: Path) -> None:
    with closing(Journal(path)) as journal:
        journal.append([BEGIN])
        (pages,) = journal._db.execute("PRAGMA page_count").fetchone()
        journal._db.execute(f"PRAGMA max_page_count = {pages}")
        many = [move("c9d8")] * 500
        with pytest.raises(StorageError, match="full"):
            journal.append(many)
        journal._db.execute(f"PRAGMA max_page_count = {pages + 100}")
        journal.append([move("e2f1")])
    assert stored(path) == (BEGIN, move("e2f1"))


# ------------------------------------------------------------------ damage


def damaged_files(path: Path) -> list[Path]:
    return sorted(path.parent.glob("journal-damaged-*.db"))


def long_game(path: Path) -> tuple[Entry, ...]:
    entries = (BEGIN, *(move(f"c{n % 9 + 1}d8") for n in range(400)))
    with closing(Journal(path)) as journal:
        journal.append(entries)
    return entries


def test_no_database_at_all_is_kept_aside(path: Path) -> None:
    path.write_bytes(b"this is no database, whatever its name says" * 100)
    with closing(Journal(path)) as journal:
        assert journal.salvaged is not None
        assert (journal.salvaged.saved, journal.salvaged.strays) == (0, 0)
        kept = journal.salvaged.kept_as
        journal.append(GAME)
    assert kept.read_bytes().startswith(b"this is no database")
    assert damaged_files(path) == [kept]
    assert stored(path) == GAME


def test_a_schema_version_below_0_is_damage_and_costs_nothing(path: Path) -> None:
    write(path, *GAME)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = -3")
    with closing(Journal(path)) as journal:
        assert journal.salvaged is not None
        assert (journal.salvaged.saved, journal.salvaged.strays) == (len(GAME), 0)
        assert journal.resume(1).entries == GAME
    assert damaged_files(path) == [journal.salvaged.kept_as]


def test_another_programs_database_is_left_alone_whatever_its_version(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE recipes (name TEXT)")
        db.execute("PRAGMA user_version = -3")
    before = path.read_bytes()
    with pytest.raises(JournalError, match="is the database of another program"):
        Journal(path)
    assert path.read_bytes() == before


def test_an_empty_file_is_damage_not_a_new_journal(path: Path) -> None:
    path.touch()
    with closing(Journal(path)) as journal:
        assert journal.salvaged is not None
        assert (journal.salvaged.saved, journal.salvaged.strays) == (0, 0)
    assert damaged_files(path) == [journal.salvaged.kept_as]


def test_the_log_of_an_empty_file_is_read(path: Path) -> None:
    with closing(Journal(path)) as journal:
        journal.append(GAME)
        wal = path.with_name("journal.db-wal").read_bytes()
    path.write_bytes(b"")
    path.with_name("journal.db-wal").write_bytes(wal)
    assert stored(path) == GAME


def test_a_beginning_that_failed_is_not_taken_for_damage(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: Journal, db: sqlite3.Connection) -> None:
        db.execute("PRAGMA application_id").fetchone()
        assert path.stat().st_size == 0
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "_prepare", full)
        with pytest.raises(StorageError, match="No space left"):
            Journal(path)
    assert not path.exists()
    with closing(Journal(path)) as journal:
        assert journal.salvaged is None


def test_a_damaged_page_costs_only_what_stood_on_it(path: Path) -> None:
    entries = long_game(path)
    data = bytearray(path.read_bytes())
    middle = data.index(b"tablier-entry/1 1 200 ") // 4096 * 4096
    data[middle : middle + 4096] = bytes(4096)
    path.write_bytes(data)
    with closing(Journal(path)) as journal:
        salvage = journal.salvaged
        assert salvage is not None
        kept = journal.resume(1).entries
    assert kept == entries[: len(kept)]
    assert salvage.saved == len(kept)
    assert salvage.saved + salvage.strays > len(entries) - 60
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM strays").fetchone() == (salvage.strays,)
    assert salvage.kept_as.read_bytes() == bytes(data)
    assert stored(path) == kept


def test_a_damaged_tree_above_good_pages_costs_nothing(path: Path) -> None:
    entries = long_game(path)
    data = bytearray(path.read_bytes())
    with closing(sqlite3.connect(path)) as db:
        (root,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'entries'").fetchone()
    data[(root - 1) * 4096 : root * 4096] = b"\xaa" * 4096
    path.write_bytes(data)
    assert stored(path) == entries


def test_a_wrong_byte_in_an_entry_is_found_by_its_checksum(path: Path) -> None:
    write(path, *GAME)
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"f1g1"', b'"f1g2"'))
    with closing(Journal(path)) as journal:
        assert journal.salvaged is not None
        assert journal.salvaged.saved == 3
        assert journal.resume(1).entries == GAME[:3]


def test_a_file_cut_short_keeps_the_rest(path: Path) -> None:
    entries = long_game(path)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    kept = stored(path)
    assert kept is not None
    assert kept == entries[: len(kept)]
    assert len(kept) > len(entries) // 5


def test_the_write_ahead_log_is_read_too(path: Path) -> None:
    with closing(Journal(path)) as journal:
        journal.append(GAME)
        data = bytearray(path.read_bytes())
        wal = path.with_name("journal.db-wal").read_bytes()
    path.write_bytes(b"\xaa" * len(data))
    path.with_name("journal.db-wal").write_bytes(wal)
    assert stored(path) == GAME


def test_damage_twice_in_a_second_keeps_both_files(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_utc_now", lambda: "2026-12-01T10:00:00.000Z")
    for number in (1, 2):
        path.write_bytes(b"rubbish %d" % number * 100)
        Journal(path, now=module._utc_now).close()
    assert [file.name for file in damaged_files(path)] == [
        "journal-damaged-2026-12-01-100000-2.db",
        "journal-damaged-2026-12-01-100000.db",
    ]


def test_damage_found_while_running_is_said(path: Path) -> None:
    with closing(Journal(path)) as journal:
        journal.append(GAME)
        journal._db.execute("DROP TABLE entries")
        with pytest.raises(DamageError, match="no such table"):
            journal.append([move("i5h4")])


class PowerCutError(Exception):
    pass


@pytest.fixture
def cut_at(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Makes the n-th rename from now on fail as a power cut would; n is what is put in the list."""
    left = [10**6]
    rename = Path.replace

    def counted(self: Path, target: Path) -> Path:
        left[0] -= 1
        if left[0] < 0:
            raise PowerCutError
        return rename(self, target)

    monkeypatch.setattr(Path, "replace", counted)
    yield left
    left[0] = 10**6


@pytest.mark.parametrize("renames", range(6))
def test_a_power_cut_in_the_middle_of_salvaging_loses_nothing(
    path: Path, cut_at: list[int], renames: int
) -> None:
    with closing(Journal(path)) as journal:
        journal.append(GAME)
        wal = bytearray(path.with_name("journal.db-wal").read_bytes())
    wal[16] ^= 1  # another salt: SQLite ignores such a log
    path.write_bytes(b"rubbish" * 1000)
    path.with_name("journal.db-wal").write_bytes(wal)
    cut_at[0] = renames
    if renames < 5:
        with pytest.raises(PowerCutError):
            Journal(path)
    cut_at[0] = 10**6
    assert stored(path) == GAME
    kept = b"".join(file.read_bytes() for file in path.parent.glob("journal-damaged-*"))
    assert b"rubbish" in kept
    assert bytes(wal) in kept

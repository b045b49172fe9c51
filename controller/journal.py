"""The journal: every stored game, entry by entry, in one SQLite file.

A write-ahead log with full synchronisation: what `append` has returned from survives a power cut.
A damaged file is kept aside under a dated name and everything good in it goes into a new one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from controller import salvage
from controller.core.messages import Entry
from controller.entries import Line, format_line, parse_line
from controller.errors import JournalError
from controller.files import sync_folder

FILE_NAME = "journal.db"
APPLICATION_ID = 0x54424C52  # "TBLR"
_BUSY_MS = 2000
# SQLITE_ERROR too: these statements are right, so a table or a column they name is not there.
_DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR})

_MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE games (
            id INTEGER PRIMARY KEY,
            game TEXT NOT NULL,
            started_at TEXT NOT NULL,
            ended INTEGER NOT NULL DEFAULT 0)""",
        # With row numbers, so that no line stands on the inner pages of the tree and is lost with one.
        """CREATE TABLE entries (
            game_id INTEGER NOT NULL REFERENCES games (id),
            seq INTEGER NOT NULL,
            line TEXT NOT NULL,
            UNIQUE (game_id, seq))""",
        # Good entries out of a damaged file that cannot be reached from the beginning of their game.
        "CREATE TABLE strays (line TEXT NOT NULL)",
    ),
)
"""What brings a file from one schema version to the next; the version is how many have been applied."""


class StorageError(JournalError):
    """The file cannot be written now (a full disk, a failing card); it may be tried again."""


class DamageError(JournalError):
    """The file was found to be damaged while it was in use; opening it anew saves what is good."""


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as the journal tells it, from its first entry on."""

    game_id: int
    entries: tuple[Entry, ...]


def _utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Journal:
    """The open file. One thread at a time may use it."""

    def __init__(self, path: Path, *, now: Callable[[], str] = _utc_now) -> None:
        """Open the journal, making it, bringing its schema up to date or salvaging it where needed.

        Raises: JournalError for a file of a newer program or of another one; StorageError.
        """
        self.path = path
        self._now = now
        self._game_id = 0
        self._seq = 0
        self.salvaged: salvage.Salvage | None = None
        """What was saved from a damaged file while opening, if it was damaged."""
        with self._translated():
            salvage.finish(path)
            salvage.keep_log(path)
            try:
                self._db = self._open()
            except DamageError:
                self.salvaged = salvage.salvage(path, now(), self._rewritten)
                self._db = self._open()
            salvage.forget_log(path)

    def close(self) -> None:
        """Close the file; closing twice does nothing."""
        self._db.close()

    @property
    def game_id(self) -> int:
        """The number of the game that entries are appended to; 0 before the first."""
        return self._game_id

    def append(self, entries: Sequence[Entry]) -> None:
        """Store entries, all of them or none; they are durable when this returns.

        An entry of kind `game` begins a game; the others go to the game begun or resumed last.

        Raises: StorageError, DamageError; nothing is stored then.
        """
        before = self._game_id, self._seq
        try:
            with self._transaction():
                for entry in entries:
                    self._append(entry)
        except BaseException:
            self._game_id, self._seq = before
            raise

    def resume(self, game_id: int) -> StoredGame:
        """Go on with this game: entries are appended to it from now on.

        Raises: JournalError if there is no such game; DamageError.
        """
        with self._translated():
            rows = self._db.execute(
                "SELECT line FROM entries WHERE game_id = ? ORDER BY seq", (game_id,)
            ).fetchall()
        if not rows:
            raise JournalError(f"{self.path}: there is no game {game_id}")
        self._game_id, self._seq = game_id, len(rows)
        return StoredGame(game_id, tuple(self._line(text).entry for (text,) in rows))

    def newest(self) -> int:
        """The number of the newest game of any kind; 0 where there is none.

        Raises: DamageError.
        """
        with self._translated():
            (newest,) = self._db.execute("SELECT coalesce(max(id), 0) FROM games").fetchone()
        return int(newest)

    def unfinished(self, game: str) -> int | None:
        """The number of the newest game of this kind, if it has not ended; None otherwise.

        Raises: DamageError.
        """
        with self._translated():
            row = self._db.execute(
                "SELECT id, ended FROM games WHERE game = ? ORDER BY id DESC LIMIT 1", (game,)
            ).fetchone()
        return int(row[0]) if row is not None and not row[1] else None

    def replace(self, game_id: int, entries: Sequence[Entry]) -> None:
        """Make these the entries of a game, whatever was stored of it, and go on with it.

        Raises: StorageError, DamageError; nothing has changed then.
        """
        before = self._game_id, self._seq
        try:
            with self._transaction():
                self._db.execute("DELETE FROM entries WHERE game_id = ?", (game_id,))
                self._db.execute("DELETE FROM games WHERE id = ?", (game_id,))
                for entry in entries:
                    self._append(entry, game_id)
        except BaseException:
            self._game_id, self._seq = before
            raise

    def _append(self, entry: Entry, game_id: int | None = None) -> None:
        at = self._now()
        if entry.kind == "game":
            self._begin(entry, at, game_id)
        elif not self._game_id:
            raise JournalError(f"{self.path}: an entry of kind {entry.kind} belongs to no game")
        line = format_line(self._game_id, self._seq, at, entry)
        self._db.execute("INSERT INTO entries VALUES (?, ?, ?)", (self._game_id, self._seq, line))
        self._db.execute("UPDATE games SET ended = ? WHERE id = ?", (int(entry.kind == "end"), self._game_id))
        self._seq += 1

    def _begin(self, entry: Entry, at: str, game_id: int | None) -> None:
        if game_id is None:
            game_id = self.newest() + 1
        self._db.execute(
            "INSERT INTO games (id, game, started_at) VALUES (?, ?, ?)", (game_id, entry.data["game"], at)
        )
        self._game_id, self._seq = int(game_id), 0

    # ------------------------------------------------------------------ opening

    def _open(self) -> sqlite3.Connection:
        is_new = not self.path.exists()
        if not is_new and not self.path.stat().st_size:
            # SQLite would take it for a new one, and delete its log.
            raise DamageError(f"{self.path}: is damaged: it is empty")
        with self._translated():
            db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
            try:
                self._prepare(db)
                self._check(db)
                if is_new:
                    sync_folder(self.path.parent)
            except BaseException:
                db.close()
                if is_new:
                    self._forget_empty()
                raise
        return db

    def _forget_empty(self) -> None:
        """Remove what a beginning that failed left, so that the next one does not take it for damage."""
        with suppress(OSError):
            if not self.path.stat().st_size:
                self.path.unlink()

    def _prepare(self, db: sqlite3.Connection) -> None:
        db.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
        (application,) = db.execute("PRAGMA application_id").fetchone()
        (version,) = db.execute("PRAGMA user_version").fetchone()
        (tables,) = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        if tables and application != APPLICATION_ID:
            raise JournalError(f"{self.path}: is the database of another program; name another --data folder")
        if version < 0:
            raise DamageError(f"{self.path}: is damaged: its schema version is {version}")
        if version > len(_MIGRATIONS):
            raise JournalError(
                f"{self.path}: was written by a newer tablier (schema {version}, this one knows up to"
                f" {len(_MIGRATIONS)}); update the program, or name another --data folder"
            )
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
        for number in range(version, len(_MIGRATIONS)):
            _migrate(db, number)

    def _check(self, db: sqlite3.Connection) -> None:
        """Read everything once: damage is to be found now, not in the middle of a game.

        Raises: DamageError.
        """
        (found,) = db.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise DamageError(f"{self.path}: is damaged: {found}")
        latest = (0, -1)
        for game_id, seq, text in db.execute("SELECT * FROM entries ORDER BY game_id, seq"):
            self._line(text, (game_id, seq))
            if seq != (latest[1] + 1 if game_id == latest[0] else 0):
                raise DamageError(f"{self.path}: is damaged: entries of game {game_id} are missing")
            latest = (game_id, seq)

    def _line(self, text: str, key: tuple[int, int] | None = None) -> Line:
        line = parse_line(text)
        if line is None or key not in (None, line.key):
            raise DamageError(f"{self.path}: is damaged: the checksum of an entry is wrong")
        return line

    def _rewritten(self, path: Path, lines: Sequence[Line], strays: Sequence[Line]) -> None:
        """Make a new file at `path` of salvaged lines."""
        fresh = Journal(path, now=self._now)
        try:
            with fresh._transaction():
                for line in lines:
                    fresh._take_over(line)
                fresh._db.executemany("INSERT INTO strays VALUES (?)", [(line.text,) for line in strays])
            fresh._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            fresh.close()

    def _take_over(self, line: Line) -> None:
        (game_id, seq), entry = line.key, line.entry
        if seq == 0:
            name = str(entry.data.get("game", ""))
            self._db.execute(
                "INSERT INTO games (id, game, started_at) VALUES (?, ?, ?)", (game_id, name, line.at)
            )
        self._db.execute("INSERT INTO entries VALUES (?, ?, ?)", (game_id, seq, line.text))
        self._db.execute("UPDATE games SET ended = ? WHERE id = ?", (int(entry.kind == "end"), game_id))

    # ------------------------------------------------------------------ transactions and errors

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._translated():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """SQLite's errors as the journal's: what may be tried again, and what is damage."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF in _DAMAGE:
                raise DamageError(f"{self.path}: is damaged: {error}") from None
            if isinstance(error, sqlite3.OperationalError):
                raise StorageError(f"{self.path}: cannot be used: {error}") from None
            raise
        except OSError as error:
            raise StorageError(f"{self.path}: cannot be used: {error.strerror or error}") from None


def _migrate(db: sqlite3.Connection, number: int) -> None:
    db.execute("BEGIN IMMEDIATE")
    try:
        for statement in _MIGRATIONS[number]:
            db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {number + 1}")
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise

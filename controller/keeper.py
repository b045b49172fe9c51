"""The thread that writes: entries into the journal in their order, small files whole.

Nothing waits for it. While the disk does not take the entries, they are kept in memory, the fault is
named, and writing is tried again, later each time.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from controller.core.messages import Entry
from controller.errors import JournalError
from controller.files import write_atomically
from controller.journal import DamageError, Journal, StorageError, StoredGame
from controller.salvage import Salvage
from hardware.ports import Fault

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0
MOST_WAITING = 10_000
_FAREWELL_S = 10.0

_log = logging.getLogger(__name__)


class Keeper:
    """Entries that wait, and how far they are durable. All methods may be called from any thread."""

    def __init__(self, path: Path, wake: Callable[[], None] = lambda: None) -> None:
        """Keep the journal at `path`."""
        self._path = path
        self.wake = wake
        """Called whenever something became durable or failed."""
        self._lock = threading.Condition()
        self._journal: Journal | None = None
        self._waiting: list[Entry] = []
        self._game: list[Entry] = []
        self._files: dict[Path, str] = {}
        self._faults: dict[str, Fault] = {}
        self._game_id = 0
        self._newest = 0
        self._submitted = 0
        self._durable = 0
        self._pause_s = 0.0
        self._stopping = False
        self._thread: threading.Thread | None = None

    # ------------------------------------------------------------------ asked by the daemon

    @property
    def submitted(self) -> int:
        """How many entries have been handed in since the start."""
        return self._submitted

    @property
    def durable(self) -> int:
        """How many of them, from the first on, survive a power cut now."""
        return self._durable

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What stands in the way of writing now, and what was saved from a damaged journal."""
        with self._lock:
            return tuple(self._faults.values())

    def is_settled(self, count: int) -> bool:
        """Whether the first `count` entries are durable, or cannot become so for now."""
        return self._durable >= count or "journal" in self._faults

    def put(self, entries: Sequence[Entry]) -> None:
        """Hand entries in; returns at once."""
        with self._lock:
            for entry in entries:
                if entry.kind == "game":
                    self._game = []
                    self._newest += 1
                    self._game_id = self._newest
                self._game.append(entry)
            if len(self._waiting) + len(entries) <= MOST_WAITING:
                self._waiting += entries
            else:
                self._faults["lost"] = Fault("journal_overflow", self._path.name, (MOST_WAITING,))
            self._submitted += len(entries)
            self._lock.notify()

    def put_file(self, path: Path, text: str) -> None:
        """Have a small file replaced; only the latest text counts. Returns at once."""
        with self._lock:
            self._files[path] = text
            self._lock.notify()

    @property
    def game(self) -> tuple[Entry, ...]:
        """The entries of the game under way, durable or not."""
        with self._lock:
            return tuple(self._game)

    @property
    def game_id(self) -> int:
        """The number under which the game under way is, or will be, stored; 0 before the first."""
        return self._game_id

    @property
    def newest(self) -> int:
        """The highest number of a stored game, of whatever kind."""
        return self._newest

    # ------------------------------------------------------------------ before the start

    def open(self, game: str) -> StoredGame | None:
        """Open the journal and resume the unfinished game of this kind, if there is one.

        A disk that cannot be used now is a fault, not an error: the game is played from memory.
        Raises: JournalError for a journal of a newer program or of another one.
        """
        try:
            self._journal = self._opened()
            self._newest = self._journal.newest()
            game_id = self._journal.unfinished(game)
            stored = None if game_id is None else self._journal.resume(game_id)
        except (StorageError, DamageError) as error:
            self._fail(error)
            return None
        if stored is not None:
            self._game_id, self._game = stored.game_id, list(stored.entries)
        return stored

    def forget_game(self) -> None:
        """The resumed game is not gone on with: the next entry begins another one."""
        self._game = []

    def _opened(self) -> Journal:
        journal = Journal(self._path)
        if journal.salvaged is not None:
            self._say_salvaged(journal.salvaged)
        return journal

    def _say_salvaged(self, salvaged: Salvage) -> None:
        _log.warning(
            "%s was damaged: it is kept as %s, and %d entries were saved from it",
            self._path,
            salvaged.kept_as.name,
            salvaged.saved + salvaged.strays,
        )
        saved = salvaged.saved + salvaged.strays
        self._faults["salvaged"] = Fault("journal_salvaged", salvaged.kept_as.name, (saved,))

    # ------------------------------------------------------------------ the thread

    def start(self) -> None:
        """Start writing in a thread of its own."""
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Write what can be written, stop and close the journal; closing twice does nothing."""
        with self._lock:
            self._stopping = True
            self._lock.notify()
        if self._thread is not None:
            self._thread.join(_FAREWELL_S)
            self._thread = None
        else:
            self.work()
        if self._journal is not None:
            self._journal.close()
            self._journal = None

    def _run(self) -> None:
        while True:
            with self._lock:
                self._lock.wait_for(lambda: self._stopping or self._pause_s or self._waiting or self._files)
                if self._pause_s and not self._stopping:
                    self._lock.wait_for(lambda: self._stopping, self._pause_s)
                is_last = self._stopping
            self.work()
            if is_last:
                return

    def work(self) -> None:
        """Write what waits, once; the thread does this again and again, and tests without a thread too."""
        self._write_files()
        with self._lock:
            batch = list(self._waiting)
        if not batch:
            return
        try:
            self._write(batch)
        except JournalError as error:
            self._fail(error)
        else:
            self._succeed(len(batch))
        self.wake()

    def _write(self, batch: Sequence[Entry]) -> None:
        if self._journal is None:
            self._journal = self._opened()
        try:
            self._journal.append(batch)
        except DamageError:
            game_id = self._journal.game_id
            self._journal.close()
            self._journal = None
            self._journal = self._opened()
            self._write_anew(self._journal, game_id, batch)

    def _write_anew(self, journal: Journal, game_id: int, batch: Sequence[Entry]) -> None:
        """The file broke while it was in use and was salvaged: put back from memory what it lost."""
        begin = next((n for n, entry in enumerate(batch) if entry.kind == "game"), None)
        if begin is None:
            journal.replace(game_id, self.game)
            return
        try:
            journal.resume(game_id)
        except JournalError:
            journal.append(batch[begin:])
        else:
            journal.append(batch)

    def _write_files(self) -> None:
        with self._lock:
            files, self._files = self._files, {}
        for path, text in files.items():
            try:
                write_atomically(path, text)
            except OSError as error:
                _log.warning("%s cannot be written: %s", path, error.strerror)
                with self._lock:
                    self._files.setdefault(path, text)
                    self._faults["file"] = Fault("file_unwritable", path.name, (error.strerror or "",))
                    self._wait_longer()
                self.wake()
            else:
                with self._lock:
                    self._pause_s = 0.0 if self._faults.pop("file", None) else self._pause_s

    def _fail(self, error: JournalError) -> None:
        with self._lock:
            if "journal" not in self._faults:
                _log.warning("%s; the game goes on from memory", error)
            self._wait_longer()
            self._faults["journal"] = Fault("journal_unwritable", self._path.name, (str(error),))

    def _succeed(self, count: int) -> None:
        with self._lock:
            del self._waiting[:count]
            self._durable += count
            self._pause_s = 0.0
            self._faults.pop("journal", None)

    def _wait_longer(self) -> None:
        self._pause_s = min(max(2 * self._pause_s, FIRST_PAUSE_S), LONGEST_PAUSE_S)

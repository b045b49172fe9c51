"""Saving what is good in a damaged journal.

The damaged files are kept, under a dated name. Their entries are read twice: as a database, as far
as that goes, and as plain bytes, in which every line carries its own checksum. The new file is
complete before the old one is moved, and a power cut in between is made good at the next start.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

from controller.entries import Line, find_lines, parse_line
from controller.files import sync_folder

_LOG = "-wal"
_KEPT_LOG = "-wal-kept"
_PARTS = ("", _LOG, "-shm")
_READ_PARTS = ("", _LOG, _KEPT_LOG)
Writer = Callable[[Path, Sequence[Line], Sequence[Line]], None]


@dataclass(frozen=True, slots=True)
class Salvage:
    """What was saved: entries in their games, good ones outside any whole game, and where the old file is."""

    saved: int
    strays: int
    kept_as: Path


def salvage(path: Path, at: str, write: Writer) -> Salvage:
    """Replace the damaged journal at `path` by a good one with everything that could be read of it.

    `write` makes a journal of lines at a path. Raises: OSError, JournalError; nothing is lost then.
    """
    lines, strays = _whole_games(_read(path))
    unfinished = _part(path, ".part")
    _remove(unfinished)
    write(unfinished, lines, strays)
    unfinished.replace(_ready(path))
    return Salvage(len(lines), len(strays), _exchange(path, at))


def finish(path: Path) -> None:
    """Finish an exchange that a power cut interrupted; nothing happens where there was none.

    Raises: OSError.
    """
    if _ready(path).exists():
        _exchange(path, "interrupted")


def keep_log(path: Path) -> None:
    """Copy a log that was not closed in order: SQLite deletes one that it cannot use.

    Raises: OSError.
    """
    log, kept = _part(path, _LOG), _part(path, _KEPT_LOG)
    if log.exists() and log.stat().st_size and not kept.exists():
        copyfile(log, _part(path, ".part"))
        _part(path, ".part").replace(kept)
        sync_folder(path.parent)


def forget_log(path: Path) -> None:
    """Remove the copy: the log was good."""
    _part(path, _KEPT_LOG).unlink(missing_ok=True)


def _part(path: Path, part: str) -> Path:
    return path.with_name(path.name + part)


def _ready(path: Path) -> Path:
    return _part(path, ".salvaged")


def _exchange(path: Path, at: str) -> Path:
    """Move the damaged files aside and the good one into their place."""
    aside = _free_name(path, at)
    for part in (*_PARTS, _KEPT_LOG):  # the copy of the log last: it is the better one
        if _part(path, part).exists():
            _part(path, part).replace(_part(aside, _LOG if part == _KEPT_LOG else part))
    sync_folder(path.parent)
    _ready(path).replace(path)
    sync_folder(path.parent)
    return aside


def _free_name(path: Path, at: str) -> Path:
    stamp = at[:19].replace(":", "").replace("T", "-")
    number, name = 1, path.with_name(f"{path.stem}-damaged-{stamp}{path.suffix}")
    while name.exists():
        number += 1
        name = path.with_name(f"{path.stem}-damaged-{stamp}-{number}{path.suffix}")
    return name


def _remove(path: Path) -> None:
    for part in _PARTS:
        _part(path, part).unlink(missing_ok=True)


def _read(path: Path) -> dict[tuple[int, int], Line]:
    """All good lines by their key: what the database says, completed from the raw bytes."""
    lines, is_complete = _as_database(path)
    ends = dict(sorted(lines))
    raw: dict[tuple[int, int], Line] = {}
    for part in _READ_PARTS:
        if _part(path, part).exists():
            _keep_newest(raw, find_lines(_part(path, part).read_bytes()))
    for key, line in raw.items():
        # Beyond what a readable database holds there is only what was never committed.
        if not is_complete or key[1] < ends.get(key[0], -1):
            lines.setdefault(key, line)
    return lines


def _keep_newest(kept: dict[tuple[int, int], Line], lines: Iterable[Line]) -> None:
    for line in lines:
        if line.key not in kept or line.at > kept[line.key].at:
            kept[line.key] = line


def _as_database(path: Path) -> tuple[dict[tuple[int, int], Line], bool]:
    """The good lines of a copy of the database, and whether it could be read to its end."""
    lines: dict[tuple[int, int], Line] = {}
    with TemporaryDirectory(dir=path.parent, prefix=".salvage-") as folder:
        copy = Path(folder) / path.name
        for part in _READ_PARTS:
            if _part(path, part).exists():
                copyfile(_part(path, part), _part(copy, _LOG if part == _KEPT_LOG else part))
        try:
            with closing(sqlite3.connect(copy)) as db:
                for (text,) in db.execute("SELECT line FROM entries ORDER BY game_id, seq"):
                    line = parse_line(text) if isinstance(text, str) else None
                    if line is not None:
                        lines[line.key] = line
        except sqlite3.Error:
            return lines, False
    return lines, True


def _whole_games(lines: dict[tuple[int, int], Line]) -> tuple[list[Line], list[Line]]:
    """The lines that can be reached from the beginning of their game, and the others."""
    whole: list[Line] = []
    strays: list[Line] = []
    reached: dict[int, int] = {}
    for (game, seq), line in sorted(lines.items()):
        if seq == reached.get(game, 0) and (seq > 0 or line.entry.kind == "game"):
            reached[game] = seq + 1
            whole.append(line)
        else:
            strays.append(line)
    return whole, strays

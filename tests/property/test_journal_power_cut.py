"""Whenever the power goes, everything that was acknowledged is there again, and nothing is made up.

A power cut leaves some part of what was being written. With a write-ahead log that is a prefix of
the log, perhaps torn or followed by rubbish, or a database into which only some pages of a log that
is still whole were copied. All of these are made from the files themselves.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.core.messages import Entry
from controller.journal import Journal

BEGIN = Entry("game", {"game": "avalam", "settings": {}})
PAGE = 4096

entries = st.builds(
    Entry,
    st.sampled_from(["move", "amend", "takeback", "chance"]),
    st.fixed_dictionaries({"move": st.text("abcdefghi123456789", min_size=4, max_size=60)}),
)
appends = st.lists(st.lists(entries, min_size=1, max_size=3), min_size=1, max_size=5)


def stored(path: Path) -> list[Entry]:
    with closing(Journal(path)) as journal:
        game_id = journal.unfinished("avalam")
        return [] if game_id is None else list(journal.resume(game_id).entries)


def recorded(path: Path, batches: Sequence[Sequence[Entry]]) -> tuple[bytes, bytes, list[tuple[int, int]]]:
    """The files while the journal is open, and after how many bytes of the log how many entries stood."""
    log = path.with_name(path.name + "-wal")
    with closing(Journal(path)) as journal:
        journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        count, acknowledged = 0, [(0, 0)]
        for batch in batches:
            journal.append(batch)
            count += len(batch)
            acknowledged.append((log.stat().st_size, count))
        return path.read_bytes(), log.read_bytes(), acknowledged


@settings(max_examples=25, deadline=None)
@given(appends, st.data())
def test_a_log_cut_anywhere_keeps_what_was_acknowledged(
    tmp_path_factory: Any, batches: list[list[Entry]], data: st.DataObject
) -> None:
    batches = [[BEGIN], *batches]
    folder: Path = tmp_path_factory.mktemp("cut")
    database, log, acknowledged = recorded(folder / "written.db", batches)
    everything = [entry for batch in batches for entry in batch]
    edges = [size for size, _ in acknowledged]
    cut = data.draw(st.sampled_from(edges) | st.integers(0, len(log)), label="cut")
    rubbish = data.draw(st.binary(max_size=50), label="rubbish")
    path = folder / "journal.db"
    path.write_bytes(database)
    path.with_name("journal.db-wal").write_bytes(log[:cut] + rubbish)
    kept = stored(path)
    assert len(kept) >= max(count for size, count in acknowledged if size <= cut)
    assert kept == everything[: len(kept)]
    assert len(kept) in [count for _, count in acknowledged]


@settings(max_examples=15, deadline=None)
@given(appends, st.data())
def test_a_checkpoint_cut_anywhere_keeps_everything(
    tmp_path_factory: Any, batches: list[list[Entry]], data: st.DataObject
) -> None:
    batches = [[BEGIN], *batches]
    folder: Path = tmp_path_factory.mktemp("checkpoint")
    before, log, _ = recorded(folder / "written.db", batches)
    after = (folder / "written.db").read_bytes()  # closing has copied the log into it
    pages = range(max(len(before), len(after)) // PAGE)
    copied = data.draw(st.sets(st.sampled_from(pages)), label="copied")
    torn = data.draw(st.integers(0, PAGE), label="torn")
    mixed = bytearray(before.ljust(len(after), b"\0"))
    for number, page in enumerate(sorted(copied)):
        length = torn if number == len(copied) - 1 else PAGE
        mixed[page * PAGE : page * PAGE + length] = after[page * PAGE : page * PAGE + length]
    path = folder / "journal.db"
    path.write_bytes(mixed)
    path.with_name("journal.db-wal").write_bytes(log)
    assert stored(path) == [entry for batch in batches for entry in batch]


WRITER = textwrap.dedent(
    """
    import sys
    from pathlib import Path
    from controller.core.messages import Entry
    from controller.journal import Journal

    journal = Journal(Path(sys.argv[1]))
    game_id = journal.unfinished("avalam")
    count = 0
    if game_id is None:
        journal.append([Entry("game", {"game": "avalam", "settings": {}})])
    else:
        count = len(journal.resume(game_id).entries) - 1
    journal._db.execute("PRAGMA wal_autocheckpoint = 3")
    print(count, flush=True)
    while True:
        count += 1
        journal.append([Entry("move", {"move": f"m{count}"})])
        print(count, flush=True)
    """
)


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a_killed_process_loses_nothing_it_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    root = Path(__file__).parents[2]
    for kill_after in (1, 2, 3, 5, 8, 13, 21, 34):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(root)},
        )
        with writer:
            assert writer.stdout is not None
            acknowledged = [int(writer.stdout.readline()) for _ in range(kill_after)]
            os.kill(writer.pid, signal.SIGKILL)
            acknowledged += [int(line) for line in writer.stdout if line.endswith("\n")]
        copy = tmp_path / "copy.db"
        for part in ("", "-wal"):
            copyfile(path.with_name(path.name + part), copy.with_name(copy.name + part))
        kept = stored(copy)
        assert kept == [BEGIN, *(Entry("move", {"move": f"m{n}"}) for n in range(1, len(kept)))]
        assert acknowledged[-1] <= len(kept) - 1 <= acknowledged[-1] + 1

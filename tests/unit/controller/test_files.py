"""Atomic writes, and holds on folders and devices."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from controller.errors import BusyError, ConfigError
from controller.files import LOCK_NAME, lock_device, lock_folder, lock_holder, write_atomically


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    write_atomically(path, "one é\n")
    write_atomically(path, "two\n")
    assert path.read_text(encoding="utf-8") == "two\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_that_fails_leaves_the_old_file_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "state.json"
    write_atomically(path, "old")
    for name in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, fail)
            with pytest.raises(OSError, match="disk full"):
                write_atomically(path, "new")
        assert path.read_text(encoding="utf-8") == "old"
        assert list(tmp_path.iterdir()) == [path]


def fail(*_: object) -> None:
    raise OSError("disk full")


def test_a_folder_is_held_by_one_process_at_a_time(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "data"
    with lock_folder(folder):
        assert folder.stat().st_mode & 0o777 == 0o700
        with pytest.raises(BusyError) as caught:
            lock_folder(folder)
    assert str(caught.value) == (
        f"{folder}: held by process {os.getpid()}; stop it, or name another folder with --data"
    )
    lock_folder(folder).close()


HOLDER = """
import sys
from pathlib import Path
from controller.files import lock_folder
lock = lock_folder(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def test_the_hold_of_another_process_is_named_and_ends_with_it(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])},
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(BusyError, match=f"held by process {other.pid};"):
            lock_folder(tmp_path)
        other.kill()
        other.wait()
        lock_folder(tmp_path).close()


def test_a_hold_without_a_name_still_counts(tmp_path: Path) -> None:
    with lock_folder(tmp_path):
        (tmp_path / LOCK_NAME).write_text("", encoding="utf-8")
        with pytest.raises(BusyError, match="held by another process"):
            lock_folder(tmp_path)


def test_a_folder_that_cannot_be_made_or_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"the data folder cannot be made: .*; name another"):
        lock_folder(tmp_path / "file" / "data")
    (tmp_path / LOCK_NAME).mkdir()
    with pytest.raises(ConfigError, match="the data folder cannot be used: Is a directory"):
        lock_folder(tmp_path)


def test_a_device_is_held_by_one_process_at_a_time(tmp_path: Path) -> None:
    device = tmp_path / "i2c-1"
    assert lock_device(device) is None
    device.write_bytes(b"")
    lock = lock_device(device)
    assert lock is not None
    with lock, pytest.raises(BusyError, match=f"{device}: held by (process {os.getpid()}|another process);"):
        lock_device(device)


def test_the_holder_of_a_lock_as_the_kernel_lists_it(tmp_path: Path) -> None:
    table = tmp_path / "locks"
    table.write_text(
        "1: POSIX  ADVISORY  WRITE 11 00:18:77 0 EOF\n"
        "2: FLOCK  ADVISORY  WRITE 4711 00:18:77 0 EOF\n"
        "2: -> FLOCK  ADVISORY  WRITE 12 00:18:77 0 EOF\n"
        "3: FLOCK  ADVISORY  WRITE -1 00:18:78 0 EOF\n",
        encoding="ascii",
    )
    assert lock_holder(77, table) == 4711
    assert lock_holder(78, table) is None
    assert lock_holder(79, table) is None
    assert lock_holder(77, tmp_path / "none") is None

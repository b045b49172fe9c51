"""Files that survive a power cut, and folders and devices that only one daemon holds."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import TracebackType
from typing import IO, Self

from controller.errors import BusyError, ConfigError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

LOCK_NAME = "lock"
_PRIVATE_FOLDER = 0o700
_LOCKED_BYTE = 1 << 20  # beyond the text, since Windows lets nobody read what is locked


def write_atomically(path: Path, text: str) -> None:
    """Replace the file by `text`, so that after a power cut it holds the old text or the new one.

    Raises: OSError; the old file is untouched then.
    """
    with NamedTemporaryFile(
        "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False
    ) as stream:
        temporary = Path(stream.name)
        try:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        except BaseException:
            temporary.unlink()
            raise
    try:
        temporary.replace(path)
    except BaseException:
        temporary.unlink()
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make what was created or renamed in a folder last.

    Raises: OSError.
    """
    if sys.platform == "win32":  # folders cannot be opened there
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folder(folder: Path) -> None:
    """Make a data folder that only its user can read, with the folders above it.

    Raises: ConfigError.
    """
    try:
        folder.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            str(folder), [f"the data folder cannot be made: {error.strerror}; name another one with --data"]
        ) from None


class Lock:
    """Somebody's hold on a folder or a device, until it is closed or its process ends, however it ends."""

    def __init__(self, stream: IO[str] | IO[bytes]) -> None:
        self._stream = stream

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go; closing twice does nothing."""
        self._stream.close()


def lock_folder(folder: Path) -> Lock:
    """Take hold of a data folder, making it where it does not exist.

    Raises: BusyError naming the process that holds it; ConfigError where it cannot be used.
    """
    make_folder(folder)
    try:
        stream = (folder / LOCK_NAME).open("a+", encoding="utf-8")
    except OSError as error:
        raise ConfigError(
            str(folder), [f"the data folder cannot be used: {error.strerror}; name another one with --data"]
        ) from None
    if not _try_lock(stream):
        stream.seek(0)
        holder = stream.read(20).strip()
        stream.close()
        who = f"process {holder}" if holder.isdigit() else "another process"
        raise BusyError(f"{folder}: held by {who}; stop it, or name another folder with --data")
    with suppress(OSError):  # on a full disk the hold still counts, only its name is missing
        stream.truncate(0)
        stream.write(f"{os.getpid()}\n")
        stream.flush()
    return Lock(stream)


def lock_device(path: Path) -> Lock | None:
    """Take hold of a device; None where it cannot be opened, which opening it for use will explain.

    Raises: BusyError naming the process that holds it.
    """
    try:
        stream = path.open("rb", buffering=0)
    except OSError:
        return None
    if not _try_lock(stream):
        holder = lock_holder(os.fstat(stream.fileno()).st_ino)
        stream.close()
        who = "another process" if holder is None else f"process {holder}"
        raise BusyError(f"{path}: held by {who}; stop it, or name another device in the configuration")
    return Lock(stream)


def lock_holder(inode: int, table: Path = Path("/proc/locks")) -> int | None:
    """The process that holds a lock on the file with this inode, as far as the kernel tells."""
    try:
        lines = table.read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    for line in lines:
        words = line.split()
        if len(words) >= 6 and words[1] == "FLOCK" and words[5].endswith(f":{inode}") and words[4].isdigit():
            return int(words[4])
    return None


def _try_lock(stream: IO[str] | IO[bytes]) -> bool:
    try:
        if sys.platform == "win32":
            stream.seek(_LOCKED_BYTE)
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True

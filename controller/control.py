"""How commands find a running daemon and prove who they are: an address and a token in the data folder.

Only the user of the daemon can read the file. It is there as long as the daemon listens.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from controller.errors import ControllerError
from controller.files import write_atomically

FILE_NAME = "control.json"


@dataclass(frozen=True, slots=True)
class Control:
    """A running daemon: its process, its port on loopback, and the token it expects."""

    process: int
    port: int
    token: str


class ControlFile:
    """The file of a daemon in its data folder; removed on leaving."""

    def __init__(self, data: Path, token: str) -> None:
        self._path = data / FILE_NAME
        self._token = token

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def write(self, port: int) -> None:
        """Say that the daemon listens on this port. A full disk only makes commands unable to find it."""
        data = {"process": os.getpid(), "port": port, "token": self._token}
        with suppress(OSError):
            write_atomically(self._path, json.dumps(data) + "\n")  # temporary files are private, so is this


def read_control(data: Path) -> Control | None:
    """The daemon that runs on this data folder; None if there is none.

    Raises: ControllerError for a file that this user may not read or that is damaged.
    """
    path = data / FILE_NAME
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        control = Control(int(told["process"]), int(told["port"]), str(told["token"]))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ControllerError(
            f"{path}: cannot be read: {error.strerror}; run this as the daemon's user"
        ) from None
    except (ValueError, KeyError, TypeError):
        raise ControllerError(f"{path}: is damaged; start the daemon again") from None
    return control if _is_alive(control.process) else None


def _is_alive(process: int) -> bool:
    """Whether a process is there: a daemon that was killed leaves its file behind."""
    if sys.platform == "win32":  # where signal 0 means something else
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True

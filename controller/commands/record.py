"""`tablier record`: what the sensors read, into a trace."""

from __future__ import annotations

import argparse
import gzip
import http.client
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import IO

from controller.commands.base import Context, Subparsers, add_command, add_data, whole_number
from controller.control import Control, read_control
from controller.errors import ControllerError
from controller.folders import find_data

_PATH = "/api/control/recording"
_WAIT_S = 10.0
_LONGEST_S = 7 * 24 * 3600


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        subparsers,
        "record",
        run,
        "record what the sensors of the running board read",
        "tablier record game.jsonl.gz --seconds 60",
        details="Ctrl-C ends it.",
    )
    parser.add_argument("out", metavar="OUT", help="the file to write; compressed if its name ends in .gz")
    parser.add_argument("--seconds", type=_seconds, metavar="N", help="how long (default: until Ctrl-C)")
    add_data(parser)


def _seconds(text: str) -> int:
    return whole_number(text, 1, _LONGEST_S)


def run(options: argparse.Namespace, context: Context) -> int:
    """Write the trace line by line as it is played."""
    data = find_data(options.data)
    control = read_control(data)
    if control is None:
        raise ControllerError(f"no daemon runs on {data}; start tablier run or tablier simulate first")
    frames = 0
    deadline_s = None if options.seconds is None else time.monotonic() + options.seconds
    with _opened(Path(options.out)) as out:
        try:
            for line in _lines(control):
                out.write(line)
                frames += b'"t_ms"' in line
                if sys.stderr.isatty():
                    print(f"\r{frames} frames", end="", file=context.err)
                if deadline_s is not None and time.monotonic() >= deadline_s:
                    break
        except KeyboardInterrupt:
            pass  # the usual way to end it
    if sys.stderr.isatty():
        context.note("")
    context.line(f"{options.out}: {frames} frames")
    return 0


def _opened(path: Path) -> IO[bytes]:
    opener: Callable[[Path, str], IO[bytes]] = gzip.open if path.suffix == ".gz" else open  # type: ignore[assignment]
    try:
        return opener(path, "wb")
    except OSError as error:
        raise ControllerError(f"{path}: cannot be written: {error.strerror}") from None


def _lines(control: Control) -> Iterator[bytes]:
    """The lines of the trace as the daemon sends them."""
    connection = http.client.HTTPConnection("127.0.0.1", control.port, timeout=_WAIT_S)
    with closing(connection):
        try:
            connection.request("GET", _PATH, headers={"Authorization": f"Bearer {control.token}"})
            response = connection.getresponse()
            if response.status != http.client.OK:
                raise ControllerError(f"the daemon refused to record: {response.status} {response.reason}")
            yield from iter(response.readline, b"")
        except (OSError, http.client.HTTPException) as error:
            raise ControllerError(
                f"the daemon (process {control.process}) does not answer: {error}"
            ) from None

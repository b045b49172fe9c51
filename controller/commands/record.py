"""`tablier record`: what the sensors read, into a trace."""

from __future__ import annotations

import argparse
import gzip
import http.client
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import IO, cast

from controller.commands.base import Context, Subparsers, add_command, add_config, add_data, whole_number
from controller.config import load_config
from controller.control import Control, read_control
from controller.errors import CalibrationError, ControllerError
from controller.files import lock_device, lock_folder
from controller.folders import find_config, find_data
from controller.measuring import FILE_NAME, read_calibration
from controller.trace import TraceHeader, board_facts, format_frame, format_header, format_line
from hardware.errors import BusError
from hardware.factory import DeviceSettings, open_devices
from hardware.ports import Frame

_PATH = "/api/control/recording"
_WAIT_S = 10.0
_LONGEST_S = 7 * 24 * 3600
_FRAME = b'{"t_ms":'


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        subparsers,
        "record",
        run,
        "record what the sensors of the board read",
        "tablier record game.jsonl.gz --seconds 60",
        details="From the running daemon if there is one, else from the real board itself. Ctrl-C ends it.",
    )
    parser.add_argument("out", metavar="OUT", help="the file to write; compressed if its name ends in .gz")
    parser.add_argument("--seconds", type=_seconds, metavar="N", help="how long (default: until Ctrl-C)")
    add_data(parser)
    add_config(parser)


def _seconds(text: str) -> int:
    return whole_number(text, 1, _LONGEST_S)


def run(options: argparse.Namespace, context: Context) -> int:
    """Write the trace line by line as it comes."""
    data = find_data(options.data)
    control = read_control(data)
    with ExitStack() as resources:
        lines = _from_daemon(control, resources) if control else _from_board(data, options, resources)
        count = _write(lines, Path(options.out), options.seconds, context)
    context.line(f"{options.out}: {count} frames")
    return 0


def _write(lines: Iterator[bytes], path: Path, seconds: int | None, context: Context) -> int:
    """Write lines until time is up or somebody interrupts; how many frames there were."""
    count = 0
    end_s = None if seconds is None else time.monotonic() + seconds
    shows_progress = context.err.isatty()
    first = next(lines)  # before the file is made: there is nothing to record if this fails
    with _writable(path) as out:
        out.write(first)
        try:
            for line in lines:
                out.write(line)
                count += line.startswith(_FRAME)
                if shows_progress:
                    print(f"\r{count} frames", end="", file=context.err, flush=True)
                if end_s is not None and time.monotonic() >= end_s:
                    break
        except KeyboardInterrupt:
            pass  # the usual way to end it
    if shows_progress:
        context.note("")
    return count


@contextmanager
def _writable(path: Path) -> Iterator[_Recording]:
    recording = _Recording(path)
    try:
        yield recording
    except BaseException:
        with suppress(ControllerError):  # what went wrong first is what is said
            recording.close()
        raise
    recording.close()


class _Recording:
    """The file that is written; whatever it cannot take is a `ControllerError`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._named():
            self._file: IO[bytes] = path.open("wb")
            self._out: IO[bytes] = self._file
            if path.suffix == ".gz":
                self._out = cast(IO[bytes], gzip.GzipFile(fileobj=self._file, mode="wb"))

    def write(self, line: bytes) -> None:
        """Write a line. Raises: ControllerError."""
        with self._named():
            self._out.write(line)

    def close(self) -> None:
        """Write the rest. Raises: ControllerError."""
        with self._named():
            try:
                self._out.close()
            finally:
                self._file.close()

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            why = error.strerror or error
            raise ControllerError(f"{self._path}: cannot be written: {why}; name another file") from None


def _from_daemon(control: Control, resources: ExitStack) -> Iterator[bytes]:
    """The lines of a trace as a running daemon sends them."""
    connection = http.client.HTTPConnection("127.0.0.1", control.port, timeout=_WAIT_S)
    resources.enter_context(closing(connection))
    try:
        connection.request("GET", _PATH, headers={"Authorization": f"Bearer {control.token}"})
        response = connection.getresponse()
        if response.status != http.client.OK:
            raise ControllerError(f"the daemon refuses to be recorded: {response.status} {response.reason}")
        yield from iter(response.readline, b"")
    except (OSError, http.client.HTTPException) as error:
        raise ControllerError(
            f"the daemon (process {control.process}) does not answer: {error}; see whether it still runs"
        ) from None


def _from_board(data: Path, options: argparse.Namespace, resources: ExitStack) -> Iterator[bytes]:
    """The lines of a trace from the real board, which nobody else holds."""
    config = load_config(find_config(options.config)).config
    resources.enter_context(lock_folder(data))
    if (lock := lock_device(Path(config.bus))) is not None:
        resources.enter_context(lock)
    devices = open_devices(DeviceSettings(kind="real", board=config.board, bus=config.bus))
    resources.callback(devices.close)
    try:
        calibration = read_calibration(data / FILE_NAME, devices.board)
    except FileNotFoundError:
        raise CalibrationError(
            f"no daemon runs on {data}, and a board cannot be recorded without {data / FILE_NAME};"
            " start tablier run or tablier simulate, or name its --data folder"
        ) from None
    sensors = devices.sensors
    header = TraceHeader(
        devices.board.game,
        sensors.unit,
        sensors.cells,
        config.rate_hz,
        calibration=calibration,
        board=board_facts(devices.board),
    )
    sensors.start()
    yield _line(format_header(header))
    period_s = 1 / config.rate_hz
    due_s = time.monotonic()
    while True:
        try:
            frame = sensors.scan()
        except BusError:
            frame = Frame(devices.clock.now_ms(), (None,) * len(sensors.cells))
        yield _line(format_frame(frame, sensors.unit))
        due_s = max(due_s + period_s, time.monotonic())
        time.sleep(max(0.0, due_s - time.monotonic()))


def _line(data: dict[str, object]) -> bytes:
    return (format_line(data) + "\n").encode("utf-8")

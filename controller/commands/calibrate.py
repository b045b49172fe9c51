"""`tablier calibrate`: the board measured anew, led by its own lights and by the terminal."""

from __future__ import annotations

import argparse
import http.client
import json
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

from controller.commands.base import Context, Subparsers, add_command, add_config, add_data, add_json
from controller.config import load_config
from controller.control import Control, read_control
from controller.core.calibrating import Calibrator
from controller.core.calibration import Calibration
from controller.core.calibrationreport import Stage, Way
from controller.core.messages import to_json
from controller.errors import CalibrationError, ControllerError
from controller.files import lock_device, lock_folder
from controller.folders import find_config, find_data
from controller.lamps import Lamps
from controller.leading import kept_name, now
from controller.measuring import label, read_calibration, write_calibration
from controller.startup import board_game, calibration_path, field_parameters, single_pieces
from hardware.errors import BusError
from hardware.factory import Devices, DeviceSettings, open_devices
from hardware.ports import Frame, Unit

_PATH = "/api/control/calibration"
_WAIT_S = 10.0
_LOOK_S = 0.25
_MS_A_SECOND = 1000
_BAR = 20
_FULL_MARGIN = 5.0

Told = Mapping[str, Any]
"""The progress as JSON; see `controller.core.calibrationreport.Progress`."""


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        subparsers,
        "calibrate",
        run,
        "measure the board anew, place by place, led by its lights",
        "tablier calibrate --way carry",
        details="On the running daemon if there is one, whose game waits meanwhile, else on the real board"
        " itself. Lay all pieces at least 10 cm away from the board, then bring one to each place that is"
        " lit. Ctrl-C ends it and changes nothing.",
    )
    parser.add_argument(
        "--way",
        choices=[way.value for way in Way],
        default=Way.CARRY.value,
        help="carry one piece round, or set the board up for a game (default: carry)",
    )
    add_json(parser)
    add_data(parser)
    add_config(parser)


def run(options: argparse.Namespace, context: Context) -> int:
    """Show the calibration until it is over; 0 if the board has a new one."""
    data = find_data(options.data)
    control = read_control(data)
    with ExitStack() as resources:
        if control:
            steps = _on_daemon(control, options.way, resources)
        else:
            steps = _on_board(data, options, resources)
        last = _show(steps, context, is_json=options.json)
    return 0 if last.get("stage") == Stage.DONE.value else 1


# ------------------------------------------------------------------ what is shown


def _show(steps: Iterator[Told], context: Context, *, is_json: bool) -> Told:
    """Show each step once; a terminal gets one line that changes. The last step is given back."""
    is_terminal = not is_json and context.out.isatty()
    last: Told = {}
    said = ""
    for step in steps:
        last = step
        if is_json:
            context.json_line(step)
            continue
        line = sentence(step)
        if line != said and is_terminal:
            context.write(f"\r\x1b[K{line}")
        elif line != said:
            context.line(line)
        said = line
    if is_terminal:
        context.line()
    if not is_json:
        for line in table(last):
            context.line(line)
    return last


def sentence(step: Told) -> str:
    """What is to be done now, in one line."""
    cells, cell = ", ".join(step["cells"]), step["cell"]
    match step["stage"], step["hint"]:
        case "done", _:
            return "the board is calibrated"
        case "failed", "swapped":
            return f"the wires of these places are crossed: {cells}; put them right and calibrate again"
        case "failed", _:
            return f"too few places felt a piece; without one: {cells}"
    said = {
        "remove": f"take away what stands on {cells}",
        "rest": "leave the board alone for a moment",
        "unread": "the sensors do not answer; see that the board is connected",
        "place": f"put one piece on {cells}",
        "carry": f"carry the piece to {cell}",
        "misplaced": f"the piece stands on {cells}; carry it to {cell}",
        "extra": f"take away the piece on {cells}",
        "reversed": f"the piece on {cells} is upside down; turn it over",
    }
    return f"{step['done']}/{step['total']} {said[step['hint']]}"


def table(step: Told) -> Iterator[str]:
    """Every place with its field, its margin and what is wrong with it, once it is over."""
    if step.get("stage") not in ("done", "failed"):
        return
    for cell, place in step["places"].items():
        single, margin, ratio = place["single_mt"], place["margin"], place["signal_to_noise"]
        fault = place["fault"] or ""
        if place["other"]:
            fault += f" with {place['other']}"
        if single is None:
            yield f"{cell:4} {'-':>9} {fault}".rstrip()
            continue
        bar = "#" * min(_BAR, round(_BAR * (margin or 0) / _FULL_MARGIN))
        noise = "" if ratio is None else f"{ratio:6.0f} x noise"
        margin_said = f"{margin or 0:5.2f} x threshold"
        yield f"{cell:4} {single:6.2f} mT {margin_said} {noise:14} {bar:{_BAR}} {fault}".rstrip()


# ------------------------------------------------------------------ on a running daemon


class _Daemon:
    """The daemon's calibration, over its loopback port."""

    def __init__(self, control: Control) -> None:
        self._control = control

    def ask(self, method: str, data: Mapping[str, Any] | None = None) -> Any:
        """Send a command or ask how far it is. Raises: ControllerError."""
        body = None if data is None else json.dumps(data)
        headers = {"Authorization": f"Bearer {self._control.token}", "Content-Type": "application/json"}
        try:
            with closing(
                http.client.HTTPConnection("127.0.0.1", self._control.port, timeout=_WAIT_S)
            ) as connection:
                connection.request(method, _PATH, body=body, headers=headers)
                response = connection.getresponse()
                told = json.loads(response.read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise ControllerError(
                f"the daemon (process {self._control.process}) does not answer: {error};"
                " see whether it still runs"
            ) from None
        if response.status != http.client.OK:
            why = told.get("detail") or told.get("title") or response.reason
            raise ControllerError(f"the daemon refuses to calibrate: {why}")
        return told["calibration"]


def _on_daemon(control: Control, way: str, resources: ExitStack) -> Iterator[Told]:
    daemon = _Daemon(control)
    step = daemon.ask("POST", {"command": "calibrate", "way": way})

    def end() -> None:
        with suppress(ControllerError):
            daemon.ask("POST", {"command": "end_calibration"})

    resources.callback(end)  # whether it is broken off or over: the page need not show it any longer
    before = None
    while True:
        if step is None:
            raise ControllerError("the calibration was ended on the page; nothing has changed")
        if step != before:
            yield step
        if step["stage"] in ("done", "failed"):
            return
        before = step
        time.sleep(_LOOK_S)
        step = daemon.ask("GET")


# ------------------------------------------------------------------ on the board itself


def _on_board(data: Path, options: argparse.Namespace, resources: ExitStack) -> Iterator[Told]:
    config = load_config(find_config(options.config)).config
    resources.enter_context(lock_folder(data))
    if (lock := lock_device(Path(config.bus))) is not None:
        resources.enter_context(lock)
    devices = open_devices(DeviceSettings(kind="real", board=config.board, bus=config.bus))
    resources.callback(devices.close)
    if devices.sensors.unit is not Unit.MT:
        raise CalibrationError(
            f"{devices.board.name}: its sensors say yes or no; there is nothing to measure"
        )
    lamps = Lamps(devices.strip, devices.board, config.look, config.power_limit_ma)
    calibrator = Calibrator(
        devices.sensors.cells,
        field_parameters(devices.board),
        Way(options.way),
        single_pieces(board_game(devices.board)),
    )
    devices.sensors.start()
    yield to_json(calibrator.progress)
    for frame in _frames(devices, config.rate_hz):
        changed = calibrator.frame(frame)
        lamps.show(calibrator.lights(), devices.clock.now_ms())
        if changed:
            yield to_json(calibrator.progress)
        if calibrator.is_over:
            break
    if calibrator.stage is Stage.DONE:
        _keep(data, devices, calibrator.result(label(devices.board), now()))


def _frames(devices: Devices, rate_hz: int) -> Iterator[Frame]:
    due_s = time.monotonic()
    while True:
        try:
            yield devices.sensors.scan()
        except BusError:
            yield Frame(devices.clock.now_ms(), (None,) * len(devices.sensors.cells))
        due_s = max(due_s + 1 / rate_hz, time.monotonic())
        time.sleep(max(0.0, due_s - time.monotonic()))


def _keep(data: Path, devices: Devices, found: Calibration) -> None:
    path = calibration_path(data, is_simulated=False)
    try:
        with suppress(FileNotFoundError, CalibrationError):  # there is nothing good to keep then
            before = read_calibration(path, devices.board)
            write_calibration(kept_name(path, before, found.made_at), before)
        write_calibration(path, found)
    except OSError as error:
        raise ControllerError(f"{path}: cannot be written: {error.strerror}; nothing has changed") from None

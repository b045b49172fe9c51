"""The calibration of a simulated board, measured through its sensors as that of a wooden one would be.

The empty board gives the zeros; one piece, set on each hole in turn, gives the rest. It is done in
the board's own time, which nobody has to wait for.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean, median, pstdev

from controller.core.calibration import Calibration, format_calibration, parse_calibration
from controller.errors import CalibrationError
from controller.files import write_atomically
from hardware.boardfile import Board
from hardware.factory import Devices, DeviceSettings, open_devices
from hardware.ports import Frame
from hardware.simulator.board import SimulatedBoard

FILE_NAME = "calibration.json"
_SCANS_EMPTY = 32
_SCANS_A_PLACE = 6
_PAUSE_MS = 40


def read_calibration(path: Path, board: Board) -> Calibration:
    """The calibration in a file, checked against the board it is to serve.

    Raises: FileNotFoundError; CalibrationError saying what is wrong.
    """
    try:
        text = path.read_text(encoding="utf-8")
        calibration = parse_calibration(json.loads(text), board.names)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise CalibrationError(f"{path}: cannot be read: {error.strerror}") from None
    except CalibrationError as error:
        raise CalibrationError(f"{path}: {error}") from None
    except (ValueError, RecursionError):
        raise CalibrationError(f"{path}: is not JSON; measure the board again") from None
    if calibration.board != label(board):
        raise CalibrationError(f"{path}: was measured on {calibration.board!r}, not on {label(board)!r}")
    return calibration


def write_calibration(path: Path, calibration: Calibration) -> None:
    """Write the calibration so that the file is always whole.

    Raises: OSError.
    """
    write_atomically(path, json.dumps(format_calibration(calibration)) + "\n")


def label(board: Board) -> str:
    """What a calibration says it belongs to: the board file's name and version."""
    return f"{board.name} {board.version}"


def measure_simulated(settings: DeviceSettings, made_at: str) -> Calibration:
    """Measure the simulated board that `settings` make; it must be one with time of its own.

    Raises: CalibrationError naming a place that cannot be read.
    """
    devices = open_devices(replace(settings, kind="simulated", real_time=False))
    if devices.simulated is None:
        raise CalibrationError("only a simulated board can be measured without a person")
    try:
        devices.sensors.start()
        return _measured(devices, devices.simulated, made_at)
    finally:
        devices.close()


def _measured(devices: Devices, wooden: SimulatedBoard, made_at: str) -> Calibration:
    board = devices.board
    empty = _columns(board, _scans(devices, wooden, _SCANS_EMPTY))
    zeros = [fmean(column) for column in empty]
    singles = []
    for index, cell in enumerate(board.cells):
        piece = {"cell": cell.name, "x_mm": cell.x_mm, "y_mm": cell.y_mm, "rise_mm": 0.0, "pawns": [[0, 1.0]]}
        wooden.restore({"board": board.name, "towers": [], "in_hand": [piece]})
        column = _columns(board, _scans(devices, wooden, _SCANS_A_PLACE))[index]
        singles.append(fmean(column) - zeros[index])
    noise_mt = median(pstdev(column) for column in empty)
    return Calibration(_rounded(zeros), _rounded(singles), round(noise_mt, 4), label(board), made_at)


def _scans(devices: Devices, wooden: SimulatedBoard, count: int) -> list[Frame]:
    frames = []
    for _ in range(count):
        wooden.advance_ms(_PAUSE_MS)
        frames.append(devices.sensors.scan())
    return frames


def _columns(board: Board, frames: Sequence[Frame]) -> list[list[float]]:
    """The values of each place; every place has to be there."""
    columns = [
        [v for v in column if v is not None] for column in zip(*(f.values for f in frames), strict=True)
    ]
    for cell, column in zip(board.names, columns, strict=True):
        if not column:
            raise CalibrationError(f"calibration: {cell} cannot be read")
    return columns


def _rounded(values: Sequence[float]) -> tuple[float, ...]:
    return tuple(round(value, 4) for value in values)

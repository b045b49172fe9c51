"""Calibration: from the counts of one board's own sensors to what its pieces weigh in them.

`zero_mt` is what a place reads without any magnet, `single_mt` what one piece standing alone on the
board gives there, zero taken off. Both are in the order of the board's cells.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from controller.errors import CalibrationError

_LIMIT_MT = 300.0
_LEAST_SINGLE_MT = 0.5


@dataclass(frozen=True, slots=True)
class Calibration:
    """Zero and single-piece field of every place, and where they come from."""

    zero_mt: tuple[float, ...]
    single_mt: tuple[float, ...]
    noise_mt: float = 0.03
    board: str = ""
    made_at: str = ""
    """ISO 8601 date and time, or empty where unknown."""
    unusable: tuple[str, ...] = ()
    """The cells that felt no piece; what they read means nothing."""
    place_noise_mt: tuple[float | None, ...] = ()
    """The noise of every place, None where it could not be read; empty where unknown."""
    temperature_c: float | None = None
    """The temperature at which it was made, None where unknown."""


def parse_calibration(data: Any, cells: tuple[str, ...]) -> Calibration:
    """Read a calibration from JSON-able data, checked against the board's cells.

    Raises: CalibrationError naming the first thing that is wrong.
    """
    if not isinstance(data, Mapping):
        raise CalibrationError("calibration: must be an object with zero_mt and single_mt")
    columns = {name: _column(data, name, cells) for name in ("zero_mt", "single_mt")}
    for cell, single in zip(cells, columns["single_mt"], strict=True):
        if abs(single) < _LEAST_SINGLE_MT:
            raise CalibrationError(
                f"calibration: single_mt of {cell} is {single}; at least {_LEAST_SINGLE_MT} mT is needed"
            )
    noise = data.get("noise_mt", 0.03)
    if not _is_number(noise) or not 0 <= noise <= 10:
        raise CalibrationError(f"calibration: noise_mt must be a number from 0 to 10, not {noise!r}")
    board, made_at = str(data.get("board", "")), str(data.get("made_at", ""))
    return Calibration(
        columns["zero_mt"],
        columns["single_mt"],
        float(noise),
        board,
        made_at,
        _unusable(data.get("unusable", []), cells),
        _place_noise(data.get("place_noise_mt", []), cells),
        _temperature(data.get("temperature_c")),
    )


def format_calibration(calibration: Calibration) -> dict[str, Any]:
    """JSON-able data that `parse_calibration` reads back."""
    return {
        "zero_mt": list(calibration.zero_mt),
        "single_mt": list(calibration.single_mt),
        "noise_mt": calibration.noise_mt,
        "board": calibration.board,
        "made_at": calibration.made_at,
        "unusable": list(calibration.unusable),
        "place_noise_mt": list(calibration.place_noise_mt),
        "temperature_c": calibration.temperature_c,
    }


def _unusable(value: Any, cells: tuple[str, ...]) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(cell in cells for cell in value):
        raise CalibrationError(f"calibration: unusable must be a list of cells of the board, not {value!r}")
    return tuple(value)


def _place_noise(value: Any, cells: tuple[str, ...]) -> tuple[float | None, ...]:
    if not isinstance(value, list) or len(value) not in (0, len(cells)):
        raise CalibrationError(f"calibration: place_noise_mt needs {len(cells)} values, one a cell, or none")
    for noise in value:
        if noise is not None and (not _is_number(noise) or noise < 0):
            raise CalibrationError(f"calibration: place_noise_mt: not a noise: {noise!r}")
    return tuple(value)


def _temperature(value: Any) -> float | None:
    if value is not None and not _is_number(value):
        raise CalibrationError(f"calibration: temperature_c must be a number or null, not {value!r}")
    return None if value is None else float(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value)


def _column(data: Mapping[str, Any], name: str, cells: tuple[str, ...]) -> tuple[float, ...]:
    values = data.get(name)
    if not isinstance(values, list) or len(values) != len(cells):
        have = f"{len(values)} values" if isinstance(values, list) else "none"
        raise CalibrationError(f"calibration: {name} needs {len(cells)} values, one a cell; it has {have}")
    for cell, value in zip(cells, values, strict=True):
        if not _is_number(value) or abs(value) > _LIMIT_MT:
            raise CalibrationError(
                f"calibration: {name} of {cell} must be a number within ±{_LIMIT_MT:g} mT, not {value!r}"
            )
    return tuple(float(v) for v in values)

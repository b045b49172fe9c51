"""Calibrations: read, written, and refused in one line that says where and what is allowed."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from controller.core.calibration import Calibration, format_calibration, parse_calibration
from controller.errors import CalibrationError

CELLS = ("a1", "b1", "c1")
GOOD: dict[str, Any] = {"zero_mt": [0.1, -0.2, 0], "single_mt": [26.0, -27.5, 30]}


def test_what_is_written_is_read_back() -> None:
    made = Calibration((0.1, 0.0, -0.2), (26.0, 27.0, -25.0), 0.05, "avalam 1", "2025-01-02T03:04:05")
    assert parse_calibration(json.loads(json.dumps(format_calibration(made))), CELLS) == made


def test_only_the_columns_are_needed() -> None:
    assert parse_calibration(GOOD, CELLS) == Calibration((0.1, -0.2, 0.0), (26.0, -27.5, 30.0), 0.03, "", "")


@pytest.mark.parametrize("single", [0.5, -0.5, 300, -300])
def test_the_limits_are_allowed(single: float) -> None:
    given = GOOD | {"single_mt": [single] * 3, "zero_mt": [300, -300, 0], "noise_mt": 10}
    assert parse_calibration(given, CELLS).single_mt == (single,) * 3


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (None, "must be an object with zero_mt and single_mt"),
        ([], "must be an object with zero_mt and single_mt"),
        ({}, "zero_mt needs 3 values, one a cell; it has none"),
        (GOOD | {"zero_mt": [1, 2]}, "zero_mt needs 3 values, one a cell; it has 2 values"),
        (GOOD | {"single_mt": "abc"}, "single_mt needs 3 values, one a cell; it has none"),
        (GOOD | {"zero_mt": [0, "x", 0]}, "zero_mt of b1 must be a number within ±300 mT, not 'x'"),
        (GOOD | {"zero_mt": [0, 0, True]}, "zero_mt of c1 must be a number within ±300 mT, not True"),
        (GOOD | {"zero_mt": [0, 0, 300.1]}, "zero_mt of c1 must be a number within ±300 mT, not 300.1"),
        (GOOD | {"single_mt": [math.nan, 1, 1]}, "single_mt of a1 must be a number within ±300 mT, not nan"),
        (GOOD | {"single_mt": [26, math.inf, 1]}, "single_mt of b1 must be a number within ±300 mT, not inf"),
        (GOOD | {"single_mt": [26, 0.49, 1]}, "single_mt of b1 is 0.49; at least 0.5 mT is needed"),
        (GOOD | {"noise_mt": -0.1}, "noise_mt must be a number from 0 to 10, not -0.1"),
        (GOOD | {"noise_mt": 10.1}, "noise_mt must be a number from 0 to 10, not 10.1"),
        (GOOD | {"noise_mt": None}, "noise_mt must be a number from 0 to 10, not None"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(wrong: Any, message: str) -> None:
    with pytest.raises(CalibrationError) as caught:
        parse_calibration(wrong, CELLS)
    assert str(caught.value) == f"calibration: {message}"

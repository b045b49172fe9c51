"""Calibrating the simulated board through its sensors, and the file that keeps it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from controller.errors import CalibrationError
from controller.measuring import label, measure_simulated, read_calibration, write_calibration
from hardware.boardfile import load_board
from hardware.factory import DeviceSettings, open_devices

BOARD = load_board("avalam")
SETTINGS = DeviceSettings(kind="simulated", seed=3, real_time=False)


def test_the_measure_agrees_with_what_the_sensors_are(tmp_path: Path) -> None:
    measured = measure_simulated(SETTINGS, "2026-12-01T10:00:00+00:00")
    devices = open_devices(SETTINGS)
    assert devices.simulated is not None
    zero_mt, single_mt = devices.simulated.calibration()
    for found, true in zip(measured.zero_mt, zero_mt, strict=True):
        assert abs(found - true) < 0.03
    for found, true in zip(measured.single_mt, single_mt, strict=True):
        assert abs(found / true - 1) < 0.08
    assert 0.015 < measured.noise_mt < 0.04
    assert (measured.board, measured.made_at) == ("avalam 1", "2026-12-01T10:00:00+00:00")
    path = tmp_path / "calibration.json"
    write_calibration(path, measured)
    assert read_calibration(path, BOARD) == measured


def test_a_dead_place_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def with_dead_place(settings: DeviceSettings) -> object:
        devices = open_devices(settings)
        assert devices.simulated is not None
        devices.simulated.sensor("e5").faults.dead = True
        return devices

    monkeypatch.setattr("controller.measuring.open_devices", with_dead_place)
    with pytest.raises(CalibrationError, match="calibration: e5 cannot be read"):
        measure_simulated(SETTINGS, "")


def test_a_file_that_cannot_serve_says_why(tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    with pytest.raises(FileNotFoundError):
        read_calibration(path, BOARD)
    path.write_text("{", encoding="utf-8")
    with pytest.raises(CalibrationError, match="is not JSON; measure the board again"):
        read_calibration(path, BOARD)
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(CalibrationError, match=r"calibration\.json: calibration: zero_mt needs 49 values"):
        read_calibration(path, BOARD)
    path.unlink()
    path.mkdir()
    with pytest.raises(CalibrationError, match="cannot be read: Is a directory"):
        read_calibration(path, BOARD)


def test_a_calibration_of_another_board_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    write_calibration(path, measure_simulated(SETTINGS, ""))
    newer = replace(BOARD, version=2)
    assert label(newer) == "avalam 2"
    with pytest.raises(CalibrationError, match="was measured on 'avalam 1', not on 'avalam 2'"):
        read_calibration(path, newer)

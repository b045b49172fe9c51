"""Real or simulated is decided in one place."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.boardfile import load_board
from hardware.clock import MonotonicClock
from hardware.errors import BoardFileError, BusError, DeviceClosedError
from hardware.factory import DeviceSettings, open_devices
from hardware.measure import measure_scans
from hardware.ports import BLACK, Sensors, Strip
from hardware.simulator.table import IDEAL


def test_simulated_devices_in_board_time() -> None:
    devices = open_devices(DeviceSettings("simulated", seed=3, real_time=False, physics=IDEAL))
    assert devices.simulated is not None
    assert devices.board.name == "avalam"
    sensors: Sensors = devices.sensors
    strip: Strip = devices.strip
    sensors.start()
    assert sensors.health().faults == ()
    devices.simulated.set_up({"e5": (0,)})
    frame = sensors.scan()
    assert frame.values[sensors.cells.index("e5")] == pytest.approx(27.0, abs=0.1)
    assert frame.t_ms == devices.clock.now_ms()
    assert strip.length == 49
    devices.close()
    devices.close()
    with pytest.raises(DeviceClosedError):
        strip.show([BLACK] * 49)
    with pytest.raises(DeviceClosedError):
        sensors.scan()


def test_simulated_devices_in_real_time_never_go_back() -> None:
    devices = open_devices(DeviceSettings("simulated"))
    devices.sensors.start()
    before_ms = devices.clock.now_ms()
    assert devices.sensors.scan().t_ms >= before_ms
    devices.close()


def test_real_devices_without_a_bus_start_with_a_fault(tmp_path: Path) -> None:
    path = str(tmp_path / "i2c-1")
    devices = open_devices(DeviceSettings("real", bus=path))
    assert devices.simulated is None
    devices.sensors.start()
    (fault,) = devices.sensors.health().faults
    assert (fault.code, fault.where) == ("bus_not_found", path)
    with pytest.raises(BusError, match="is away, next trial"):
        devices.sensors.scan()
    devices.strip.show([BLACK] * 49)
    devices.close()


def test_a_wrong_board_is_an_error() -> None:
    with pytest.raises(BoardFileError, match="no such board"):
        open_devices(DeviceSettings("simulated", board="nosuch"))


def test_the_real_clock_goes_on() -> None:
    clock = MonotonicClock()
    first = clock.now_ms()
    assert 0 <= first <= clock.now_ms()


def test_a_measure_of_scans_stays_within_the_budget() -> None:
    measure = measure_scans(load_board("avalam"), scans=60)
    assert measure.places == 49
    assert measure.scans == 60
    assert measure.most_bytes <= 310
    assert measure.most_transactions <= 80
    assert 303 <= measure.mean_bytes <= measure.most_bytes
    assert 7_000 < measure.wire_us < 8_000
    assert measure.wire_us + 7_000 < measure.board_us < 17_000
    assert measure.processor_us > 0
    with pytest.raises(ValueError, match="scans is 0"):
        measure_scans(load_board("avalam"), scans=0)

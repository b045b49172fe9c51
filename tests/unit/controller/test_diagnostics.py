"""What is said of every place: its value, its noise, its margin, and what stands against it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from controller.core.calibration import Calibration
from controller.core.messages import PlaceFault
from controller.diagnostics import Diagnostics, Report
from hardware.ports import Fault, Frame, Unit

CELLS = ("a1", "a2", "a3")
CALIBRATION = Calibration((0.5, -0.5, 0.0), (20.0, 20.0, 24.0), 0.03, "toy 1", "2026-11-30T12:00:00+00:00")


def field() -> Diagnostics:
    return Diagnostics(CELLS, Unit.MT, CALIBRATION)


def seen(diagnostics: Diagnostics, *rows: tuple[float | None, ...]) -> Report:
    for n, row in enumerate(rows):
        diagnostics.see(Frame(40 * n, row), ())
    return diagnostics.report((), {})


def test_a_value_is_compared_with_where_empty_becomes_occupied() -> None:
    report = seen(field(), (20.5, -0.6, None))
    assert report.cells == CELLS
    assert report.values == (20.5, -0.6, None)
    assert report.thresholds_mt == (5.5, 4.5, 6.0)
    assert report.occupied == (True, False, None)
    assert report.margins_mt == (15.0, 5.1, None)
    assert (report.unit, report.calibrated_at) == ("mT", CALIBRATION.made_at)


def test_noise_is_followed_and_named_when_it_grows_far_beyond_the_usual() -> None:
    rng, diagnostics = Random(3), field()
    rows = [(rng.gauss(20, 0.03), rng.gauss(0, 0.6), 0.0) for _ in range(600)]
    report = seen(diagnostics, *rows)
    assert report.noise_mt[0] == pytest.approx(0.03, rel=0.25)
    assert report.noise_mt[1] == pytest.approx(0.6, rel=0.25)
    assert report.states == ("ok", "noisy", "ok")


def test_hands_are_no_noise() -> None:
    rng = Random(4)
    lifts = [20.0 * abs(1 - (n % 50) / 25) for n in range(600)]
    report = seen(field(), *[(value + rng.gauss(0, 0.03), 0.0, 0.0) for value in lifts])
    assert report.noise_mt[0] is not None
    assert report.noise_mt[0] < 0.15
    assert report.states[0] == "ok"


def test_a_value_that_stays_near_the_threshold_is_weak() -> None:
    diagnostics = field()
    assert seen(diagnostics, *[(5.4, 0.0, 24.0)] * 24).states == ("ok", "ok", "ok")
    assert seen(diagnostics, (5.4, 0.0, 24.0)).states == ("weak", "ok", "ok")
    assert seen(diagnostics, (20.4, 0.0, 24.0)).states == ("ok", "ok", "ok")


def test_what_stands_against_a_place_comes_from_session_and_sensors() -> None:
    diagnostics = field()
    diagnostics.see(
        Frame(0, (None, 0.0, 0.0)), [PlaceFault(0, "a1", "unread"), PlaceFault(0, "a3", "frozen")]
    )
    assert diagnostics.report((), {}).states == ("unread", "ok", "frozen")
    assert diagnostics.report([Fault("nack", "a1"), Fault("bus_lost", "x")], {}).states[0] == "nack"
    diagnostics.see(Frame(40, (0.0, 0.0, 0.0)), [PlaceFault(40, "a1", None)])
    assert diagnostics.report((), {}).states == ("ok", "ok", "frozen")
    diagnostics.begin_anew()
    assert diagnostics.report((), {}).states == ("ok", "ok", "ok")


def test_without_a_calibration_there_is_no_threshold() -> None:
    report = seen(Diagnostics(CELLS, Unit.MT, None), (20.5, 0.0, None))
    assert report.thresholds_mt == report.margins_mt == report.occupied == (None, None, None)
    assert report.calibrated_at == ""


def test_an_occupancy_board_has_neither_noise_nor_margin() -> None:
    report = seen(Diagnostics(CELLS, Unit.PRESENT, None), (1, 0, None))
    assert report.occupied == (True, False, None)
    assert report.noise_mt == report.margins_mt == report.thresholds_mt == (None, None, None)
    assert report.states == ("ok", "ok", "ok")


def test_after_a_calibration_its_thresholds_count() -> None:
    diagnostics = field()
    diagnostics.calibrate(replace(CALIBRATION, single_mt=(40.0, 20.0, 24.0)))
    assert seen(diagnostics, (20.5, 0.0, 0.0)).thresholds_mt == (10.5, 4.5, 6.0)

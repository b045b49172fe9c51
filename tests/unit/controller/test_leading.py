"""The desk of a calibration, without a board: what it takes, and where the one before is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.core.calibration import Calibration
from controller.core.messages import Calibrate, EndCalibration, Resign, SkipPlace
from controller.errors import CommandError
from controller.leading import CalibrationDesk, kept_name, now
from controller.startup import field_parameters
from hardware.boardfile import load_board
from hardware.ports import Frame

BOARD = load_board("avalam")
COUNT = len(BOARD.names)


def desk(unusable: tuple[str, ...] = ()) -> CalibrationDesk:
    calibration = Calibration((0.0,) * COUNT, (26.0,) * COUNT, unusable=unusable)
    written: list[Path] = []
    return CalibrationDesk(
        BOARD,
        field_parameters(BOARD),
        {},
        Path("calibration.json"),
        calibration,
        lambda path, _: written.append(path),
    )


def test_the_game_keeps_its_commands_until_a_calibration_begins() -> None:
    idle = desk()
    assert not idle.takes(Resign(0))
    assert idle.takes(Calibrate())
    idle.command(Calibrate())
    assert idle.takes(Resign(0))
    with pytest.raises(CommandError, match="calibrating"):
        idle.command(Resign(0))
    idle.command(SkipPlace())
    assert idle.is_busy
    assert idle.stacks() == {}
    idle.command(EndCalibration())
    assert (idle.is_busy, idle.progress, dict(idle.lights())) == (False, None, {})
    assert not idle.frame(Frame(0, (0.0,) * COUNT))


def test_a_place_that_means_nothing_is_read_as_unknown() -> None:
    frame = Frame(5, (1.0,) * COUNT)
    assert desk().readable(frame) is frame
    k = BOARD.names.index("e5")
    values = desk(("e5",)).readable(frame).values
    assert (values[k], values.count(1.0)) == (None, COUNT - 1)


def test_a_calibration_is_kept_under_its_own_date() -> None:
    path = Path("data") / "calibration.json"
    dated = Calibration((), (), made_at="2026-11-02T08:30:05+00:00")
    assert kept_name(path, dated, "2026-12-01T12:00:00+00:00").name == "calibration-20261102T083005.json"
    undated = Calibration((), ())
    assert kept_name(path, undated, "2026-12-01T12:00:00+00:00").name == "calibration-20261201T120000.json"


def test_dates_have_no_part_of_a_second() -> None:
    assert len(now()) == len("2026-12-01T12:00:00+00:00")

"""Recording a board that no daemon holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from controller import cli
from controller.commands import record
from controller.files import lock_folder
from controller.measuring import FILE_NAME, write_calibration
from controller.tracereader import TraceReader
from hardware.factory import Devices, DeviceSettings, open_devices
from hardware.simulator.bus import BusTrouble
from tests.fakes.player import calibration


class Board:
    """Stands for the real board: a simulated one whose time passes while the command sleeps."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, during: Callable[[Board], None]) -> None:
        self.settings: list[DeviceSettings] = []
        self.naps = 0
        self._during = during
        monkeypatch.setattr(record, "open_devices", self.open)
        monkeypatch.setattr(record.time, "sleep", self.sleep)

    def open(self, settings: DeviceSettings) -> Devices:
        self.settings.append(settings)
        devices = open_devices(replace(settings, kind="simulated", real_time=False))
        assert devices.simulated is not None
        self.wooden = devices.simulated
        return devices

    def sleep(self, _: float) -> None:
        self.naps += 1
        self.wooden.advance_ms(40)
        self._during(self)


def interrupt(board: Board) -> None:
    if board.naps == 4:
        board.wooden.bus.trouble = BusTrouble.GONE
    if board.naps == 6:
        raise KeyboardInterrupt


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    write_calibration(folder / FILE_NAME, calibration(0))
    return folder


def test_the_board_itself_is_recorded_until_ctrl_c(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    board = Board(monkeypatch, interrupt)
    config = tmp_path / "mine.toml"
    config.write_text(f"[sensors]\nbus = '{tmp_path / 'i2c-1'}'\nrate_hz = 50\n", encoding="utf-8")
    out = tmp_path / "game.jsonl"
    assert cli.main(["record", str(out), "--data", str(data), "--config", str(config)]) == 0
    assert capsys.readouterr() == (f"{out}: 6 frames\n", "")
    assert board.settings == [DeviceSettings(kind="real", board="avalam", bus=str(tmp_path / "i2c-1"))]
    with TraceReader(out) as reader:
        frames = list(reader)
        assert (reader.header.rate_hz, reader.header.calibration) == (50.0, calibration(0))
    assert [None in frame.values for frame in frames] == [False] * 4 + [True] * 2  # type: ignore[union-attr]
    lock_folder(data).close()


def test_without_a_calibration_it_is_said_what_to_do(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Board(monkeypatch, interrupt)
    (data / FILE_NAME).unlink()
    out = tmp_path / "game.jsonl"
    assert cli.main(["record", str(out), "--data", str(data)]) == 1
    assert "a board cannot be recorded without" in capsys.readouterr().err
    assert not out.exists()

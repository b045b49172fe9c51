"""A person carries a piece round a simulated board, in the board's own time, while a game waits."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from controller.core.calibrationreport import Progress
from controller.core.messages import Calibrate, Confirm, EndCalibration, Phase, Resign, SkipPlace
from controller.errors import CommandError
from controller.measuring import FILE_NAME
from hardware.ports import BLACK
from tests.fakes.player import Player


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


class Carrier:
    """A hand with one piece, which does what the lights say."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.at_mm = player.wooden.loose()[0][:2]

    @property
    def progress(self) -> Progress:
        found = self.player.snapshot.calibration
        assert found is not None
        return found

    def carry(self, cell: str) -> None:
        """Bring the piece to a cell, high over the board."""
        player, table = self.player, self.player.daemon.table
        place = player.daemon.board.cell(cell)
        assert table is not None
        table.grab(*self.at_mm)
        table.move(*self.at_mm, 60)
        player.let_pass(120)
        table.move(place.x_mm, place.y_mm, 40)
        player.let_pass(120)
        table.release()
        self.at_mm = (place.x_mm, place.y_mm)

    def settle(self) -> str | None:
        """Carry the piece to the next place until that is done; the fault that was found, if any."""
        cell, done = self.progress.cell, self.progress.done
        assert cell is not None
        self.carry(cell)
        self.player.until(lambda: self.progress.done > done)
        return self.progress.places[cell].fault


def begin(player: Player) -> Carrier:
    """Ask for a calibration and clear the table as the page's button does."""
    assert player.daemon.table is not None
    player.say(Calibrate())
    player.until(
        lambda: player.snapshot.calibration is not None and player.snapshot.calibration.hint == "remove"
    )
    player.daemon.table.reset()
    player.let_pass(80)
    carrier = Carrier(player)
    player.until(lambda: carrier.progress.stage == "single")
    return carrier


def test_a_piece_carried_round_calibrates_the_board_and_the_game_goes_on(data: Path) -> None:
    with Player(data) as player:
        player.until_play()
        player.play("c9d8")
        table = player.daemon.table
        assert table is not None
        for cell, gain in (("c5", 0.0), ("f6", 0.4)):
            sensor = player.wooden.sensor(cell)
            sensor.imperfection = replace(sensor.imperfection, gain=gain)
        before = (data / "simulator" / FILE_NAME).read_text(encoding="utf-8")
        carrier = begin(player)
        faults = {}
        while carrier.progress.stage == "single":
            cell = carrier.progress.cell
            faults[cell] = carrier.settle()
        assert carrier.progress.stage == "done"
        assert {cell: fault for cell, fault in faults.items() if fault} == {"c5": "dead"}
        assert carrier.progress.places["f6"].fault == "weak"
        assert player.moves == ["c9d8"]

        (kept,) = (data / "simulator").glob("calibration-*.json")
        assert json.loads(kept.read_text(encoding="utf-8")).items() >= json.loads(before).items()
        found = json.loads((data / "simulator" / FILE_NAME).read_text(encoding="utf-8"))
        assert (found["board"], found["unusable"]) == ("avalam 1", ["c5"])
        zeros, singles = player.wooden.calibration()
        for k, cell in enumerate(player.daemon.board.names):
            assert found["zero_mt"][k] == pytest.approx(zeros[k], abs=0.05)
            if cell != "c5":
                assert found["single_mt"][k] == pytest.approx(singles[k], rel=0.05)

        assert player.view.phase is Phase.FIX
        table.reset()
        player.until(lambda: player.view.phase in (Phase.CONFIRM, Phase.PLAY))
        player.say(Confirm())
        player.until_play()
        player.until(lambda: player.view.unknown == ("c5",))
        player.play("f1g1")
        assert player.moves == ["c9d8", "f1g1"]
        assert player.snapshot.calibration is not None
        assert player.say(EndCalibration()).calibration is None
    with Player(data) as player:
        player.until(lambda: player.view.unknown == ("c5",))


def test_crossed_wires_are_named_and_an_ended_calibration_changes_nothing(data: Path) -> None:
    with Player(data) as player:
        player.until_play()
        a, b = player.wooden.sensor("a4"), player.wooden.sensor("b4")
        a._field_mt, b._field_mt = b._field_mt, a._field_mt
        before = (data / "simulator" / FILE_NAME).read_text(encoding="utf-8")
        carrier = begin(player)
        while carrier.progress.cell not in ("a4", "b4"):
            player.say(SkipPlace())
        cell = carrier.progress.cell
        assert carrier.settle() == "swapped"
        assert {cell, carrier.progress.places[cell].other} == {"a4", "b4"}
        assert any(pixel != BLACK for pixel in player.snapshot.pixels)
        with pytest.raises(CommandError, match="calibrating"):
            player.say(Resign(0))
        with pytest.raises(CommandError, match="calibrating"):
            player.say(Calibrate())
        assert player.say(EndCalibration()).calibration is None
        with pytest.raises(CommandError, match="not_now"):
            player.say(EndCalibration())
        with pytest.raises(CommandError, match="not_now"):
            player.say(SkipPlace())
        assert (data / "simulator" / FILE_NAME).read_text(encoding="utf-8") == before


def test_a_set_up_board_is_calibrated_at_once(data: Path) -> None:
    with Player(data) as player:
        player.until_play()
        table = player.daemon.table
        assert table is not None
        with pytest.raises(CommandError, match="carry or setup"):
            player.say(Calibrate("by magic"))
        player.say(Calibrate("setup"))
        table.reset()
        player.let_pass(80)
        carrier = Carrier(player)
        player.until(lambda: carrier.progress.stage == "single")
        assert (carrier.progress.cell, carrier.settle()) == ("e5", None)
        assert carrier.progress.stage == "set_up"
        table.reset()
        player.until(lambda: carrier.progress.stage == "done")
        found = json.loads((data / "simulator" / FILE_NAME).read_text(encoding="utf-8"))
        assert found["single_mt"] == pytest.approx(player.wooden.calibration()[1], rel=0.12)
        player.until_play()
        player.play("c9d8")

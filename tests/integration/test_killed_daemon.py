"""The real program: killed in the middle of a game it finds the game again, and it stops in order."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from controller.control import read_control
from controller.tracereader import TraceReader
from hardware.ports import Frame
from tests.fakes.player import bring_calibration
from tests.fakes.process import ROOT, SimulateProcess

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    bring_calibration(tmp_path / "data", 0)
    return tmp_path / "data"


def test_a_killed_daemon_finds_its_game_and_its_table_again(data: Path) -> None:
    moves = ["c9d8", "f1g1", "i5h4", "a5b5"]
    with SimulateProcess(data) as first:
        first.open_page()
        first.until(lambda: first.view["phase"] == "play")
        for move in moves:
            first.play(move)
        first.grab("d5")
        first.kill()
        before, stacks = first.view, first.table["stacks"]
    with SimulateProcess(data) as second:
        second.open_page()
        second.until(lambda: second.view["phase"] == "confirm")
        assert second.moves == moves
        for key in ("position", "game_id", "settings", "to_move", "scores", "stacks"):
            assert second.view[key] == before[key], key
        assert second.table["stacks"] == stacks | {"d5": before["stacks"]["d5"]}
        second.send(type="command", id="1", command="confirm")
        second.until(lambda: second.view["phase"] == "play")
        second.play("d5d4")
        assert second.moves == [*moves, "d5d4"]
        assert second.view["faults"] == []


def test_it_stops_in_order_and_leaves_nothing_behind(data: Path) -> None:
    with SimulateProcess(data) as process:
        control = read_control(data)
        assert control is not None
        assert (control.process, control.port) == (process.process.pid, process.port)
        assert process.stop() == 0
        assert process.process.stderr is not None
        assert process.process.stderr.read() == ""
    assert read_control(data) is None


def test_a_killed_daemon_is_not_taken_for_a_running_one(data: Path) -> None:
    with SimulateProcess(data) as process:
        process.kill()
    assert (data / "control.json").exists()
    assert read_control(data) is None


def record(data: Path, out: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "web.main", "record", str(out), "--data", str(data), *options],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=ROOT,
    )


def test_a_running_board_is_recorded(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "game.jsonl.gz"
    with SimulateProcess(data) as process:
        done = record(data, out, "--seconds", "1")
        assert process.stop() == 0
    assert (done.returncode, done.stderr) == (0, "")
    with TraceReader(out) as reader:
        frames = [item for item in reader if isinstance(item, Frame)]
        assert reader.header.game == "avalam"
    assert done.stdout == f"{out}: {len(frames)} frames\n"
    assert len(frames) >= 5
    assert None not in frames[0].values


def test_recording_needs_the_token(data: Path, tmp_path: Path) -> None:
    with SimulateProcess(data) as process:
        path = data / "control.json"
        told = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps(told | {"token": "guessed"}), encoding="utf-8")
        done = record(data, tmp_path / "game.jsonl")
        assert process.stop() == 0
    assert done.returncode == 1
    assert done.stderr.startswith("tablier: the daemon refuses to be recorded: 40")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "game.jsonl").exists()


def test_a_recording_that_nobody_can_write_is_an_error(data: Path, tmp_path: Path) -> None:
    with SimulateProcess(data):
        done = record(data, tmp_path / "none" / "game.jsonl")
    assert done.returncode == 1
    assert "cannot be written: No such file or directory; name another file" in done.stderr


def test_a_second_program_on_the_same_folder_says_who_holds_it(data: Path) -> None:
    with SimulateProcess(data) as process:
        second = subprocess.run(
            [sys.executable, "-m", "web.main", "simulate", "--port", "0", "--data", str(data)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            cwd=ROOT,
        )
    assert (second.returncode, second.stdout) == (1, "")
    assert second.stderr == (
        f"tablier: {data}: held by process {process.process.pid};"
        " stop it, or name another folder with --data\n"
    )

"""`tablier calibrate`: on the board itself, and on a daemon that runs."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from controller import cli
from controller.commands import calibrate
from controller.files import lock_folder
from controller.measuring import FILE_NAME, write_calibration
from engines.registry import game
from hardware.factory import Devices, DeviceSettings, open_devices
from hardware.simulator.bus import BusTrouble
from tests.fakes.player import calibration

AVALAM: Any = game("avalam")
START = {cell: tuple(stack) for cell, stack in AVALAM.stacks(AVALAM.initial(), ()).items()}


class Board:
    """Stands for the real board: a simulated one whose time, and person, move while the command sleeps."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, person: Callable[[Board], None]) -> None:
        self.naps = 0
        self._person = person
        monkeypatch.setattr(calibrate, "open_devices", self.open)
        monkeypatch.setattr(calibrate.time, "sleep", self.sleep)

    def open(self, settings: DeviceSettings) -> Devices:
        devices = open_devices(replace(settings, kind="simulated", real_time=False))
        assert devices.simulated is not None
        self.wooden = devices.simulated
        return devices

    def sleep(self, _: float) -> None:
        self.naps += 1
        self.wooden.advance_ms(40)
        self._person(self)


def sets_up(board: Board) -> None:
    """An empty board for a while, a piece in the middle, nothing, and then all of them."""
    if board.naps == 2:
        board.wooden.bus.trouble = BusTrouble.GONE
    if board.naps == 4:
        board.wooden.bus.trouble = BusTrouble.NONE
    stacks = {60: {"e5": (0,)}, 100: {}, 104: START}.get(board.naps)
    if stacks is not None:
        board.wooden.set_up(stacks)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("controller.folders.SYSTEM_CONFIG", tmp_path / "etc.toml")
    monkeypatch.setattr("controller.folders.user_config", lambda: tmp_path / "user.toml")
    monkeypatch.setattr(calibrate, "now", lambda: "2026-12-01T12:00:00+00:00")
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


def options(data: Path, *more: str) -> list[str]:
    config = data / "mine.toml"
    config.write_text(f"[sensors]\nbus = '{data / 'i2c-1'}'\n", encoding="utf-8")
    return ["calibrate", "--data", str(data), "--config", str(config), *more]


def test_the_board_itself_gets_its_first_calibration(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    board = Board(monkeypatch, sets_up)
    assert cli.main(options(data, "--way", "setup")) == 0
    said, complaints = capsys.readouterr()
    lines = said.splitlines()
    assert complaints == ""
    assert "0/49 leave the board alone for a moment" in lines
    assert "0/49 put one piece on e5" in lines
    assert "the board is calibrated" in lines
    assert len([line for line in lines if " x threshold " in line and " x noise " in line]) == 49
    found = json.loads((data / FILE_NAME).read_text(encoding="utf-8"))
    assert (found["board"], found["made_at"]) == ("avalam 1", "2026-12-01T12:00:00+00:00")
    assert found["single_mt"] == pytest.approx(board.wooden.calibration()[1], rel=0.12)
    lock_folder(data).close()


def test_a_calibration_that_is_replaced_is_kept(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = replace(calibration(0), made_at="2026-11-02T08:30:05+00:00")
    write_calibration(data / FILE_NAME, before)
    old = (data / FILE_NAME).read_text(encoding="utf-8")
    Board(monkeypatch, sets_up)
    assert cli.main(options(data, "--way", "setup", "--json")) == 0
    assert (data / "calibration-20261102T083005.json").read_text(encoding="utf-8") == old
    steps = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [step["stage"] for step in (steps[0], steps[-1])] == ["empty", "done"]
    assert steps[-1]["done"] == steps[-1]["total"] == 49


def test_ctrl_c_changes_nothing(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupts(board: Board) -> None:
        if board.naps == 5:
            raise KeyboardInterrupt

    Board(monkeypatch, interrupts)
    assert cli.main(options(data)) == 130
    assert not (data / FILE_NAME).exists()
    lock_folder(data).close()


# ------------------------------------------------------------------ on a running daemon

PLACE = {
    "single_mt": 26.5,
    "noise_mt": 0.02,
    "signal_to_noise": 1325,
    "margin": 4.0,
    "fault": None,
    "other": None,
}


def step(stage: str, hint: str | None, *cells: str, **more: Any) -> dict[str, Any]:
    base = {"way": "carry", "stage": stage, "cell": None, "done": 0, "total": 2, "places": {}}
    return base | {"hint": hint, "cells": list(cells)} | more


class Daemon:
    """A server on loopback that tells one step after the other; `asked` are the commands it got."""

    def __init__(self, data: Path, *steps: dict[str, Any] | None, status: int = 200) -> None:
        self.asked: list[Any] = []
        self.tokens: set[str | None] = set()
        coming = list(steps)
        daemon = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                daemon.tokens.add(self.headers["authorization"])
                told = {"calibration": coming.pop(0)} if status == 200 else {"title": "it is busy"}
                body = json.dumps(told).encode()
                self.send_response(status)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self) -> None:
                length = int(self.headers["content-length"])
                daemon.asked.append(json.loads(self.rfile.read(length)))
                if daemon.asked[-1]["command"] == "end_calibration":
                    coming.insert(0, None)
                self.do_GET()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,))
        self.thread.start()
        control = {"process": os.getpid(), "port": self.server.server_port, "token": "secret"}
        (data / "control.json").write_text(json.dumps(control), encoding="utf-8")

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


Start = Callable[..., Daemon]


@pytest.fixture
def start(data: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    monkeypatch.setattr(calibrate.time, "sleep", lambda _: None)
    running: list[Daemon] = []

    def begin(*steps: dict[str, Any] | None, status: int = 200) -> Daemon:
        running.append(Daemon(data, *steps, status=status))
        return running[-1]

    yield begin
    for daemon in running:
        daemon.close()


def test_a_running_daemon_is_led_and_its_margins_are_shown(
    data: Path, start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    places = {"a4": PLACE, "a5": PLACE | {"fault": "dead", "single_mt": None, "margin": None}}
    daemon = start(
        step("empty", "remove", "a4", "a5"),
        step("single", "place", "a4", cell="a4"),
        step("single", "place", "a4", cell="a4"),
        step("single", "carry", "a5", cell="a5", done=1),
        step("done", None, done=2, places=places),
    )
    assert cli.main(["calibrate", "--data", str(data)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "0/2 take away what stands on a4, a5",
        "0/2 put one piece on a4",
        "1/2 carry the piece to a5",
        "the board is calibrated",
        "a4    26.50 mT  4.00 x threshold   1325 x noise ################",
        "a5           - dead",
    ]
    assert daemon.asked == [{"command": "calibrate", "way": "carry"}, {"command": "end_calibration"}]
    assert daemon.tokens == {"Bearer secret"}


def test_crossed_wires_are_a_failure(data: Path, start: Start, capsys: pytest.CaptureFixture[str]) -> None:
    crossed = PLACE | {"fault": "swapped", "single_mt": None, "other": "a5"}
    start(step("failed", "swapped", "a4", places={"a4": crossed}))
    assert cli.main(["calibrate", "--data", str(data)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("the wires of these places are crossed: a4;")
    assert lines[1] == "a4           - swapped with a5"


@pytest.mark.parametrize(
    ("steps", "status", "said"),
    [
        ([step("empty", "rest"), None], 200, "the calibration was ended on the page; nothing has changed"),
        ([], 409, "the daemon refuses to calibrate: it is busy"),
    ],
)
def test_what_goes_wrong_is_one_line(
    steps: list[Any], status: int, said: str, data: Path, start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    start(*steps, status=status)
    assert cli.main(["calibrate", "--data", str(data)]) == 1
    assert capsys.readouterr().err == f"tablier: {said}\n"


def test_a_daemon_that_does_not_answer_is_named(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    control = {"process": os.getpid(), "port": 9, "token": "secret"}
    (data / "control.json").write_text(json.dumps(control), encoding="utf-8")
    assert cli.main(["calibrate", "--data", str(data)]) == 1
    assert "does not answer" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("hint", "said"),
    [
        ("unread", "0/2 the sensors do not answer; see that the board is connected"),
        ("misplaced", "0/2 the piece stands on b4; carry it to a4"),
        ("extra", "0/2 take away the piece on b4"),
        ("reversed", "0/2 the piece on b4 is upside down; turn it over"),
    ],
)
def test_every_hint_has_a_sentence(hint: str, said: str) -> None:
    assert calibrate.sentence(step("single", hint, "b4", cell="a4")) == said


def test_too_few_places_are_named() -> None:
    assert calibrate.sentence(step("failed", "too_few", "a4", "a5")).endswith("without one: a4, a5")


def test_a_terminal_gets_one_line_that_changes(capsys: pytest.CaptureFixture[str]) -> None:
    class Terminal:
        def __init__(self) -> None:
            self.text = ""

        def write(self, text: str) -> int:
            self.text += text
            return len(text)

        def flush(self) -> None:
            pass

        def isatty(self) -> bool:
            return True

    out = Terminal()
    context: Any = calibrate.Context(out, out)  # type: ignore[arg-type]
    steps = [step("single", "place", "a4"), step("single", "place", "a5", done=1)]
    calibrate._show(iter(steps), context, is_json=False)
    assert out.text == "\r\x1b[K0/2 put one piece on a4\r\x1b[K1/2 put one piece on a5\n"

"""The command line: what it prints, and one line and a status for whatever goes wrong."""

from __future__ import annotations

import errno
import gzip
import io
import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from controller import cli
from controller.api import DaemonApi
from controller.commands import perft, record
from controller.control import read_control
from controller.files import lock_folder
from controller.journal import Journal
from controller.measuring import FILE_NAME, write_calibration
from controller.trace import TraceHeader, format_header
from engines.registry import game
from hardware.ports import Unit
from tests.fakes.player import bring_calibration, calibration

ROOT = Path(__file__).parents[2]
CELLS = game("avalam").cells


@pytest.fixture(autouse=True)
def own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No configuration and no data but the test's own."""
    monkeypatch.setattr("controller.folders.SYSTEM_CONFIG", tmp_path / "etc.toml")
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.chdir(tmp_path)


class Server:
    """Stands for the web server: notes what it is given, and returns or fails at once."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.served: list[tuple[str, int, Sequence[str]]] = []
        self.seen: list[Any] = []
        self.look: Callable[[DaemonApi], Any] = lambda daemon: daemon.snapshot().view.moves

    def __call__(
        self,
        daemon: DaemonApi,
        host: str,
        port: int,
        allowed_hosts: Sequence[str],
        /,
        *,
        on_listening: Callable[[int], None],
    ) -> None:
        if self.error is not None:
            raise self.error
        self.served.append((host, port, allowed_hosts))
        on_listening(port or 4711)
        self.seen.append(self.look(daemon))


def run(capsys: pytest.CaptureFixture[str], *argv: str, serve: Server | None = None) -> tuple[int, str, str]:
    status = cli.main(argv, serve)
    out, err = capsys.readouterr()
    return status, out, err


# ------------------------------------------------------------------ perft


def test_perft_prints_a_line_a_depth(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "perft", "avalam", "2") == (0, "perft(1) = 292\nperft(2) = 81488\n", "")


def test_perft_divide_adds_up(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "perft", "avalam", "2", "--divide")
    *moves, total = out.splitlines()
    assert (status, total, len(moves)) == (0, "perft(2) = 81488", 292)
    assert moves[0] == "a4a5: 286"
    assert sum(int(line.partition(": ")[2]) for line in moves) == 81488


def test_perft_as_json_with_settings_and_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    avalam: Any = game("avalam")
    position = avalam.format_position(avalam.initial().play(avalam.parse_move("c9d8", avalam.initial())))
    arguments = ["perft", "avalam", "1", "--json", "--position", position, "--set", "tiebreak=fives"]
    assert run(capsys, *arguments) == (0, '{"depth":1,"count":284}\n', "")
    status, out, _ = run(capsys, *arguments, "--divide")
    assert json.loads(out.splitlines()[-1]) == {"depth": 1, "count": 284}
    assert status == 0


# ------------------------------------------------------------------ wrong usage


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["fly"], "invalid choice: 'fly'"),
        (["perft", "avalam"], "the following arguments are required: DEPTH"),
        (["perft", "avalam", "0"], "'0' is not a whole number from 1 to 100"),
        (["perft", "avalam", "x"], "'x' is not a whole number from 1 to 100"),
        (["perft", "avalam", "1", "--set"], "expected one argument"),
        (["simulate", "--port", "80000"], "'80000' is not a whole number from 0 to 65535"),
        (["simulate", "--game", "chess"], "invalid choice: 'chess'"),
        (["config"], "an ACTION is needed: check or show"),
        (["bench", "weather"], "invalid choice: 'weather'"),
        (["record"], "the following arguments are required: OUT"),
        (["record", "x", "--seconds", "0"], "'0' is not a whole number"),
    ],
)
def test_wrong_usage_is_status_2(capsys: pytest.CaptureFixture[str], argv: list[str], said: str) -> None:
    status, out, err = run(capsys, *argv)
    assert (status, out) == (2, "")
    assert said in err
    assert "Traceback" not in err


COMMANDS = [
    ["simulate"],
    ["run"],
    ["replay"],
    ["record"],
    ["calibrate"],
    ["perft"],
    ["bench"],
    ["config"],
    ["config", "check"],
    ["config", "show"],
    [],
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command) or "tablier")
def test_every_command_has_help_with_an_example(
    capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    status, out, _ = run(capsys, *command, "--help")
    assert status == 0
    assert "example: tablier " + " ".join(command or ["simulate"]) in out


def test_every_command_that_is_listed_is_tested_here(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "--help")
    listed = set(re.findall(r"^    (\S+)", out, re.MULTILINE))
    assert listed == {command[0] for command in COMMANDS if command}


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--version")[1].startswith("tablier ")


# ------------------------------------------------------------------ bad input: one line, status 1


def trace(tmp_path: Path, *lines: str) -> str:
    header = TraceHeader("avalam", Unit.MT, CELLS, 25, calibration=calibration(1))
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join([json.dumps(format_header(header)), *lines]) + "\n", encoding="utf-8")
    return str(path)


def board_trace(tmp_path: Path, **facts: Any) -> str:
    header = TraceHeader("avalam", Unit.MT, CELLS, 25, calibration=calibration(1), board=facts)
    path = tmp_path / "t.jsonl"
    path.write_text(json.dumps(format_header(header)) + "\n", encoding="utf-8")
    return str(path)


def config_file(tmp_path: Path, text: str) -> str:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def newer_journal(tmp_path: Path) -> str:
    data = tmp_path / "data"
    bring_calibration(data, 0)
    Journal(data / "journal.db").close()
    with closing(sqlite3.connect(data / "journal.db")) as db:
        db.execute("PRAGMA user_version = 9")
    return str(data)


def data_with_file(tmp_path: Path, name: str) -> str:
    data = tmp_path / "data"
    data.mkdir()
    (data / name).touch()
    return str(data)


BAD_INPUT: dict[str, tuple[Callable[[Path], list[str]], str]] = {
    "unknown game": (lambda _: ["perft", "chess", "1"], "there is no game 'chess'; there are avalam"),
    "unknown setting": (
        lambda _: ["perft", "avalam", "1", "--set", "speed=9"],
        "avalam has no setting 'speed'; it has first, tiebreak, setup",
    ),
    "wrong setting": (
        lambda _: ["perft", "avalam", "1", "--set", "tiebreak=coin"],
        "avalam: tiebreak cannot be 'coin'; allowed are none, fives",
    ),
    "no setting": (
        lambda _: ["perft", "avalam", "1", "--set", "tiebreak"],
        "'tiebreak' is no setting; write key=value",
    ),
    "unreadable position": (lambda _: ["perft", "avalam", "1", "--position", "nonsense"], "position"),
    "uncountable": (
        lambda _: ["perft", "avalam", "1", "--set", "setup=random"],
        "too many outcomes to count",
    ),
    "no trace": (lambda _: ["replay", "none.jsonl"], "none.jsonl: cannot be read: No such file or directory"),
    "broken trace": (lambda p: ["replay", trace(p, "{")], "t.jsonl:2: is not JSON"),
    "unknown cell": (
        lambda p: ["replay", trace_with_cell(p)],
        "t.jsonl:1: unknown cell 'z9'; avalam has a4, a5",
    ),
    "short frame": (
        lambda p: ["replay", trace(p, '{"t_ms":1,"b_mt":[1]}')],
        "t.jsonl:2: b_mt has 1 values; 49",
    ),
    "board of a trace": (
        lambda p: ["replay", board_trace(p, pitch_mm="wide")],
        "t.jsonl:1: board.pitch_mm is 'wide'; allowed is a number from 0.5 to 200",
    ),
    "magnet of a trace": (
        lambda p: ["replay", board_trace(p, magnet_mm=[8])],
        "t.jsonl:1: board.magnet_mm is [8]; allowed is [diameter, length] in mm",
    ),
    "no configuration": (
        lambda _: ["simulate", "--config", "none.toml"],
        "none.toml: cannot be read: No such file",
    ),
    "wrong configuration": (
        lambda p: ["simulate", "--config", config_file(p, "[web]\nport = 'x'\nhosts = 1")],
        "mine.toml: web.port is 'x', must be a whole number from 0 to 65535; web.hosts is unknown",
    ),
    "unknown board": (lambda _: ["simulate", "--board", "chess"], "chess: no such board; there are avalam"),
    "board of another game": (
        lambda p: ["simulate", "--game", "avalam", "--board", other_board(p)],
        "other.toml: is a board for carami, not for avalam",
    ),
    "data is a file": (
        lambda p: ["simulate", "--data", config_file(p, "")],
        "the data folder cannot be made: File exists",
    ),
    "simulator is a file": (
        lambda p: ["simulate", "--data", data_with_file(p, "simulator")],
        "data/simulator: the data folder cannot be made: File exists; name another one with --data",
    ),
    "newer journal": (
        lambda p: ["simulate", "--data", newer_journal(p)],
        "journal.db: was written by a newer tablier (schema 9, this one knows up to 1); update the program",
    ),
    "no calibration": (
        lambda p: ["run", "--data", str(p / "d")],
        "calibration.json: is missing; the board must be",
    ),
    "no daemon to record": (lambda p: ["record", "o", "--data", str(p)], "no daemon runs on"),
}


def trace_with_cell(tmp_path: Path) -> str:
    path = Path(trace(tmp_path))
    path.write_text(path.read_text(encoding="utf-8").replace('"a4"', '"z9"', 1), encoding="utf-8")
    return str(path)


def other_board(tmp_path: Path) -> str:
    text = (files("hardware") / "boards" / "avalam.toml").read_text(encoding="utf-8")
    path = tmp_path / "other.toml"
    path.write_text(text.replace('game = "avalam"', 'game = "carami"'), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("name", BAD_INPUT)
def test_bad_input_is_one_line_and_status_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    argv, said = BAD_INPUT[name]
    status, out, err = run(capsys, *argv(tmp_path), serve=Server())
    assert (status, out) == (1, "")
    assert said in err
    assert err.startswith("tablier: ")
    assert err.count("\n") == 1


# ------------------------------------------------------------------ replay, config


def test_replay_prints_events_until_a_broken_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frames = [json.dumps({"t_ms": t, "b_mt": [0.0] * 49}) for t in range(0, 4000, 40)]
    question = '{"t_ms":4000,"input":{"answer":"c9d8"}}'
    path = trace(tmp_path, *frames, question)
    status, out, err = run(capsys, "replay", path, "--json")
    events = [json.loads(line) for line in out.splitlines()]
    assert (status, err) == (0, "")
    assert {"t_ms": 4000, "event": "refused", "reason": "no_question", "params": []} in events
    assert events[-1]["event"] == "end"
    status, out, _ = run(capsys, "replay", path)
    assert "4.00 s  refused   no_question" in out
    status, out, err = run(capsys, "replay", trace(tmp_path, *frames, question, "{"), "--json")
    assert status == 1
    assert [json.loads(line) for line in out.splitlines()] == events[:-1]


def test_config_show_says_which_file_gave_each_value(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = config_file(tmp_path, "[web]\nport = 9000\n")
    status, out, _ = run(capsys, "config", "show", "--config", path, "--data", "here")
    assert status == 0
    assert f"web.port = 9000  # {path}\n" in out
    assert 'board = "avalam"  # default\n' in out
    assert out.endswith("# data: here\n")
    told = json.loads(run(capsys, "config", "show", "--config", path, "--json")[1])
    assert told["values"]["web.port"] == {"value": 9000, "source": path}
    assert told["values"]["web.allowed_hosts"] == {"value": [], "source": "default"}
    assert told["file"] == path


def test_config_check_names_every_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = config_file(tmp_path, "[web]\nport = 'x'\n[lights]\npalette = 'neon'\n")
    status, out, err = run(capsys, "config", "check", "--config", path)
    assert (status, out) == (1, "")
    port, palette, count = err.splitlines()
    assert port == f"{path}: web.port is 'x', must be a whole number from 0 to 65535"
    assert palette.startswith(f"{path}: lights.palette is 'neon', must be ")
    assert count == f"tablier: {path}: 2 to put right, listed above"
    status, out, err = run(capsys, "config", "check", "--config", config_file(tmp_path, "board = 'chess'"))
    assert (status, out, err) == (
        1,
        "",
        (
            f"{path}: board is 'chess': no such board; there are avalam, or give the path of a .toml file\n"
            f"tablier: {path}: 1 to put right, listed above\n"
        ),
    )
    assert run(capsys, "config", "check") == (
        0,
        "no configuration file, the defaults hold: all is well\n",
        "",
    )


# ------------------------------------------------------------------ serving


def test_simulate_serves_a_daemon_and_says_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data"
    bring_calibration(data, 0)
    server = Server()
    server.look = lambda daemon: (read_control(data), daemon.board.name, daemon.table is not None)
    status, out, err = run(capsys, "simulate", "--data", str(data), "--port", "0", serve=server)
    assert (status, err) == (0, "")
    assert out == "Tablier plays avalam on a simulated board: http://localhost:4711 (Ctrl-C stops it)\n"
    assert server.served == [("127.0.0.1", 0, ())]
    ((control, name, is_simulated),) = server.seen
    assert (control.process, control.port, name, is_simulated) == (os.getpid(), 4711, "avalam", True)
    assert read_control(data) is None
    with lock_folder(data):
        pass


def test_for_the_network_there_is_a_picture_for_phones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    bring_calibration(data, 0)
    path = config_file(tmp_path, "[web]\nhost = '0.0.0.0'\nallowed_hosts = ['board.lan']\n")
    server = Server()
    status, out, _ = run(capsys, "simulate", "--data", str(data), "--config", path, serve=server)
    assert (status, server.served) == (0, [("0.0.0.0", 8080, ("board.lan",))])
    assert "http://localhost:8080" in out
    if "In this network: http://" in out:
        assert "█▄▄▄▄▄" in out


def test_the_control_file_is_private(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data"
    bring_calibration(data, 0)
    server = Server()
    server.look = lambda _: (data / "control.json").stat().st_mode & 0o777
    assert run(capsys, "simulate", "--data", str(data), serve=server)[0] == 0
    assert server.seen == [0o600]


def test_a_second_daemon_says_who_holds_the_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with lock_folder(tmp_path / "data"):
        status, out, err = run(capsys, "simulate", "--data", str(tmp_path / "data"), serve=Server())
    assert (status, out) == (1, "")
    assert err == (
        f"tablier: {tmp_path / 'data'}: held by process {os.getpid()};"
        " stop it, or name another folder with --data\n"
    )


def test_a_second_daemon_says_who_holds_the_bus(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from controller.files import lock_device

    bus = tmp_path / "i2c-7"
    bus.write_bytes(b"")
    path = config_file(tmp_path, f"[sensors]\nbus = '{bus}'\n")
    lock = lock_device(bus)
    assert lock is not None
    with lock:
        status, _, err = run(capsys, "run", "--config", path, "--data", str(tmp_path / "d"), serve=Server())
    assert status == 1
    assert f"{bus}: held by " in err


def test_a_board_without_its_bus_still_serves_its_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    write_calibration(data / FILE_NAME, calibration(0))
    path = config_file(tmp_path, f"[sensors]\nbus = '{tmp_path / 'i2c-9'}'\n")
    server = Server()
    server.look = lambda daemon: daemon.table
    status, out, err = run(capsys, "run", "--config", path, "--data", str(data), serve=server)
    assert (status, err, server.seen) == (0, "", [None])
    assert out.startswith(f"Tablier plays avalam on {tmp_path / 'i2c-9'}: http://localhost:8080")


def version_below_0(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = -3")


DAMAGE: dict[str, Callable[[Path], Any]] = {
    "no database": lambda path: path.write_bytes(b"rubbish" * 1000),
    "empty": lambda path: path.write_bytes(b""),
    "version below 0": version_below_0,
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_journal_is_said_in_one_line_and_play_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    data = tmp_path / "data"
    bring_calibration(data, 0)
    Journal(data / "journal.db").close()
    DAMAGE[name](data / "journal.db")
    server = Server()
    status, _, err = run(capsys, "simulate", "--data", str(data), serve=server)
    assert status == 0
    assert len(server.seen) == 1
    (kept,) = data.glob("journal-damaged-*.db")
    assert err == (
        f"tablier: {data / 'journal.db'} was damaged: it is kept as {kept.name},"
        " and 0 entries were saved from it\n"
    )


def test_a_simulated_board_whose_calibration_cannot_be_kept_is_played_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "data" / "simulator" / FILE_NAME
    path.mkdir(parents=True)
    server = Server()
    status, _, err = run(capsys, "simulate", "--data", str(tmp_path / "data"), serve=server)
    assert (status, len(server.seen)) == (0, 1)
    assert err.splitlines() == [
        f"tablier: {path}: cannot be read: Is a directory; the simulated board is measured again",
        f"tablier: {path} cannot be written: Is a directory",
    ]


def test_without_a_page_to_serve_it_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, "simulate", "--data", str(tmp_path / "data"))
    assert status == 1
    assert "serves a page" in err


# ------------------------------------------------------------------ errors in the program itself, signals


def fail(*_: Any) -> int:
    raise ZeroDivisionError("wrong code")


def test_wrong_code_is_one_line_and_a_file_with_details(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(perft, "starting_position", fail)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    status, _, err = run(capsys, "perft", "avalam", "1")
    assert status == 1
    assert err.count("\n") == 1
    (details,) = tmp_path.glob("tablier-error-*.txt")
    assert (
        f"tablier failed: ZeroDivisionError: wrong code; details are in {details}; please report them" in err
    )
    assert "Traceback" in details.read_text(encoding="utf-8")
    status, _, err = run(capsys, "perft", "avalam", "1", "--debug")
    assert status == 1
    assert "Traceback" in err


def test_debug_shows_where_an_error_came_from(capsys: pytest.CaptureFixture[str]) -> None:
    _, _, err = run(capsys, "--debug", "perft", "chess", "1")
    assert "Traceback" in err
    assert err.endswith("tablier: there is no game 'chess'; there are avalam\n")


def test_ctrl_c_is_quiet(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(perft, "starting_position", interrupt)
    assert run(capsys, "perft", "avalam", "1") == (130, "", "")


def program(*argv: str, **environment: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "controller.cli", *argv],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
    )


def test_a_reader_that_has_enough_is_no_error() -> None:
    with program("perft", "avalam", "2", "--divide") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is full")
NO_SPACE = "the output cannot be written: No space left on device"


def shell(line: str, tmp_path: Path) -> tuple[int, str, str]:
    """What the first program of a pipe did; `$T` stands for this one."""
    done = subprocess.run(
        ["bash", "-c", f"{line}; exit ${{PIPESTATUS[0]}}"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "T": f"{sys.executable} -m controller.cli"},
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


UNWRITABLE = {
    "$T perft avalam 2 >/dev/full": (1, "", f"tablier: {NO_SPACE}\n"),
    "$T perft avalam 1 --divide >/dev/full": (1, "", f"tablier: {NO_SPACE}\n"),
    "$T replay t.jsonl >/dev/full": (1, "", f"tablier: {NO_SPACE}\n"),
    "$T config show >/dev/full": (1, "", f"tablier: {NO_SPACE}\n"),
    "$T --help >/dev/full": (1, "", f"tablier: {NO_SPACE}\n"),
    "$T perft --help >/dev/full": (1, "", f"tablier: {NO_SPACE}\n"),
    "$T --version >/dev/full": (1, "", f"tablier: {NO_SPACE}\n"),
    "$T perft avalam 1 >&-": (1, "", "tablier: the output cannot be written: standard output is closed\n"),
    "$T --help >&-": (1, "", "tablier: the output cannot be written: standard output is closed\n"),
    "$T --help | true": (0, "", ""),
    "$T config show | true": (0, "", ""),
    "$T perft avalam 1 2>&-": (0, "perft(1) = 292\n", ""),
    "$T perft chess 1 2>&-": (1, "", ""),
    "$T perft chess 1 2>/dev/full": (1, "", ""),
    "$T perft 2>/dev/full": (2, "", ""),
}


@FULL
@pytest.mark.parametrize("line", UNWRITABLE)
def test_what_cannot_be_written_is_one_line_and_status_1(tmp_path: Path, line: str) -> None:
    trace(tmp_path, json.dumps({"t_ms": 0, "b_mt": [0.0] * 49}))
    assert shell(line, tmp_path) == UNWRITABLE[line]


@FULL
@pytest.mark.parametrize("lines", [1, 100_000], ids=["at the end", "on the way"])
@pytest.mark.parametrize("name", ["full", "full.gz"])
def test_a_recording_that_cannot_be_written_is_one_line_and_status_1(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    lines: int,
) -> None:
    path = tmp_path / name
    path.symlink_to("/dev/full")
    frames = (b'{"t_ms":%d}\n' % (t * t) for t in range(lines))
    monkeypatch.setattr(record, "read_control", lambda _: True)
    monkeypatch.setattr(record, "_from_daemon", lambda *_: frames)
    assert run(capsys, "record", str(path)) == (
        1,
        "",
        f"tablier: {path}: cannot be written: No space left on device; name another file\n",
    )


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            OSError(errno.ENOSPC, "No space left on device"),
            f"tablier: {NO_SPACE}; the page is on port 4711\n",
        ),
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), ""),
    ],
)
def test_a_page_whose_address_cannot_be_said_is_served(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    error: OSError,
    said: str,
) -> None:
    class Unwritable(io.StringIO):
        def write(self, text: str) -> int:
            if text:
                raise error
            return 0

    data = tmp_path / "data"
    bring_calibration(data, 0)
    server = Server()
    monkeypatch.setattr("sys.stdout", Unwritable())
    assert cli.main(["simulate", "--data", str(data), "--port", "0"], server) == 0
    assert len(server.seen) == 1
    assert capsys.readouterr().err == said


def test_utf_8_also_where_the_locale_knows_none(tmp_path: Path) -> None:
    path = tmp_path / "größe.toml"
    path.write_text("", encoding="utf-8")
    environment = {"LANG": "C", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    with program("config", "check", "--config", str(path), **environment) as process:
        out, err = process.communicate()
    assert (process.returncode, err) == (0, b"")
    assert "größe.toml: all is well" in out.decode("utf-8")


def test_a_compressed_trace_is_read_through_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(trace(tmp_path))
    packed = tmp_path / "t.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    status, out, _ = run(capsys, "replay", str(packed), "--json")
    assert status == 0
    assert json.loads(out)["event"] == "end"


def test_a_port_in_use_is_said_by_whoever_serves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from web import main as web

    data = tmp_path / "data"
    bring_calibration(data, 0)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        status = web.main(["simulate", "--data", str(data), "--port", str(port)])
    out, err = capsys.readouterr()
    assert (status, out) == (1, "")
    assert f"port {port} on 127.0.0.1 is in use by another program; stop it, or choose another --port" in err

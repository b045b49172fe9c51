"""Traces: what is written is read back, and what is broken is said in one line."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller import tracereader
from controller.core.calibration import Calibration
from controller.core.messages import Answer, Command, Resign, TakeBack
from controller.errors import TraceError
from controller.trace import TraceHeader, TraceInput, TraceWriter, board_facts, format_header
from controller.tracereader import TraceReader
from engines.registry import game
from hardware.boardfile import load_board
from hardware.ports import Frame, Unit

CELLS = game("avalam").cells
N = len(CELLS)
CALIBRATION = Calibration(tuple(0.01 * k for k in range(N)), (26.5,) * N, 0.02, "avalam", "2026-12-01")
FIELD = TraceHeader(
    "avalam", Unit.MT, CELLS, 50.0, calibration=CALIBRATION, board=board_facts(load_board("avalam"))
)
OCCUPANCY = TraceHeader("avalam", Unit.PRESENT, CELLS, 25.0, settings={"tiebreak": "fives"})


def write(path: Path, header: TraceHeader, *lines: Frame | TraceInput) -> Path:
    stream = io.StringIO()
    writer = TraceWriter(stream, header)
    for line in lines:
        if isinstance(line, Frame):
            writer.frame(line)
        else:
            writer.input(line.t_ms, line.command)
    path.write_text(stream.getvalue(), encoding="utf-8")
    return path


def read(path: Path) -> tuple[TraceHeader, list[Frame | TraceInput]]:
    with TraceReader(path) as reader:
        return reader.header, list(reader)


values = st.lists(st.none() | st.floats(-80, 80).map(lambda v: round(v, 3)), min_size=N, max_size=N).map(
    tuple
)
commands: st.SearchStrategy[Command] = st.sampled_from([Answer("c9d8"), TakeBack(2), Resign(1)])


@given(st.lists(values | commands, max_size=5))
def test_what_is_written_is_read_back(tmp_path_factory: Any, content: list[Any]) -> None:
    lines = [
        Frame(20 * n, v) if isinstance(v, tuple) else TraceInput(20 * n, v) for n, v in enumerate(content)
    ]
    path = tmp_path_factory.mktemp("trace") / "t.jsonl"
    assert read(write(path, FIELD, *lines)) == (FIELD, lines)


def test_an_occupancy_trace(tmp_path: Path) -> None:
    frame = Frame(40, (1,) * 40 + (None,) + (0,) * (N - 41))
    header, lines = read(write(tmp_path / "t.jsonl", OCCUPANCY, frame))
    assert (header, lines) == (OCCUPANCY, [frame])
    assert header.record().settings["tiebreak"] == "fives"


def test_gzip_is_known_by_its_content_not_by_its_name(tmp_path: Path) -> None:
    plain = write(tmp_path / "t.jsonl", OCCUPANCY, Frame(40, (0,) * N))
    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert read(packed) == read(plain)


def test_fields_are_written_to_the_microtesla(tmp_path: Path) -> None:
    path = write(tmp_path / "t.jsonl", FIELD, Frame(0, (1.23456,) * N))
    assert '"b_mt":[1.235,' in path.read_text(encoding="utf-8")


def test_a_position_text_is_where_the_game_stands(tmp_path: Path) -> None:
    text = game("avalam").format_position(game("avalam").initial(first="black"))
    header = TraceHeader("avalam", Unit.PRESENT, CELLS, 25.0, position=text)
    assert read(write(tmp_path / "t.jsonl", header))[0].record().position.player_to_move == 1


def test_unknown_keys_and_inputs_and_empty_lines_are_ignored(tmp_path: Path) -> None:
    head = format_header(OCCUPANCY) | {"weather": "fine", "board": "avalam"}
    frame = {"t_ms": 1, "present": [0] * N, "quality": 3}
    lines = [head, frame, {"t_ms": 2, "input": {"gesture": "wave"}}]
    path = tmp_path / "t.jsonl"
    path.write_text("\n\n".join(map(json.dumps, lines)) + "\n\n", encoding="utf-8")
    header, content = read(path)
    assert header.board == {"name": "avalam"}
    assert content == [Frame(1, (0,) * N)]


Change = Callable[[dict[str, Any]], Any]


def but(**changes: Any) -> Change:
    return lambda data: data | changes


BROKEN_HEADERS: dict[str, tuple[Change, str]] = {
    "format": (but(format="tablier-trace/2"), "format is 'tablier-trace/2'; allowed is 'tablier-trace/1'"),
    "no game": (but(game=None), "game is None; it must be a text"),
    "game": (but(game="chess"), "there is no game 'chess'; there are avalam"),
    "unit": (but(unit="gauss"), "unit is 'gauss'; allowed are 'mT', 'present'"),
    "rate": (but(rate_hz=0), "rate_hz is 0; allowed is a number above 0 up to 10000"),
    "cells no list": (but(cells="a4"), "cells must be a list of the cells' names"),
    "cell": (but(cells=["z9", *CELLS[1:]]), "unknown cell 'z9'; avalam has a4, a5, b4"),
    "cell twice": (but(cells=[*CELLS, "a4"]), "cell 'a4' comes twice; each may come once"),
    "cell missing": (but(cells=list(CELLS[1:])), "cells: a4 missing; all cells of avalam are needed"),
    "position": (but(position="nonsense"), "position"),
    "position no text": (but(position=4), "position is 4; it must be a text"),
    "setting": (
        but(settings={"tiebreak": "coin"}),
        "avalam: tiebreak cannot be 'coin'; allowed are none, fives",
    ),
    "unknown setting": (
        but(settings={"speed": "1"}),
        "avalam has no setting 'speed'; it has first, tiebreak",
    ),
    "settings no texts": (but(settings={"first": 1}), "settings must be an object of texts"),
    "no calibration": (but(calibration=None), "calibration: must be an object with zero_mt and single_mt"),
    "calibration": (
        but(calibration={"zero_mt": [0] * N, "single_mt": [0] * N}),
        "calibration: single_mt of a4 is 0.0; at least 0.5 mT is needed",
    ),
    "not an object": (lambda _: [1], "is not a JSON object; each line must hold one"),
}


@pytest.mark.parametrize("name", BROKEN_HEADERS)
def test_a_broken_header_is_named_with_what_is_allowed(tmp_path: Path, name: str) -> None:
    change, said = BROKEN_HEADERS[name]
    path = tmp_path / "t.jsonl"
    path.write_text(json.dumps(change(format_header(FIELD))) + "\n", encoding="utf-8")
    with pytest.raises(TraceError) as caught:
        TraceReader(path)
    assert str(caught.value).startswith(f"{path}:1: ")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


GOOD = json.dumps({"t_ms": 100, "b_mt": [0.0] * N})
BROKEN_LINES = {
    "{": "is not JSON",
    "[1]": "is not a JSON object",
    "null": "is not a JSON object",
    "[" * 5000: "is not JSON",
    '{"t_ms":100}': f"b_mt is missing; a frame needs b_mt with {N} values, or it is an input",
    '{"t_ms":100,"present":[]}': "b_mt is missing",
    '{"t_ms":100,"b_mt":[1.0]}': f"b_mt has 1 values; {N} are needed, one a cell",
    json.dumps(
        {"t_ms": 100, "b_mt": ["x"] + [0.0] * (N - 1)}
    ): "b_mt of a4 is 'x'; allowed is a number between -1000000000 and 1000000000, or null",
    json.dumps({"t_ms": 100, "b_mt": [True] + [0.0] * (N - 1)}): "b_mt of a4 is True",
    json.dumps(
        {"t_ms": 100, "b_mt": [10**400] + [0.0] * (N - 1)}
    ): f"b_mt of a4 is 1{'0' * 39}...; allowed is a number between -1000000000 and 1000000000, or null",
    GOOD.replace("0.0", "1e308", 1): "b_mt of a4 is 1e+308; allowed is a number between -1000000000 and",
    GOOD.replace("0.0", f"[{'1,' * 300}1]", 1): f"b_mt of a4 is [{'1, ' * 13}...; allowed is",
    GOOD.replace(
        "100", "9" * 50
    ): f"t_ms is {'9' * 40}...; allowed is a whole number of milliseconds from 0 to 10",
    GOOD.replace("0.0", "NaN", 1): "NaN is not allowed",
    GOOD.replace("0.0", "1e999", 1): "b_mt of a4 is inf; allowed is a number between",
    GOOD.replace("100", "99"): "t_ms goes back from 100 to 99; times must not go back",
    GOOD.replace("100", "100.5"): "t_ms is 100.5; allowed is a whole number of milliseconds from 0",
    GOOD.replace("100", "-1"): "t_ms is -1",
    GOOD.replace('"t_ms": 100, ', ""): "t_ms is None",
    '{"t_ms":100,"input":3}': "input must be an object",
    '{"t_ms":100,"input":{"answer":3}}': "input.answer is 3; it must be a text",
    '{"t_ms":100,"input":{"command":"fly"}}': "input: unknown command 'fly'; allowed: takeback, resign",
}


@pytest.mark.parametrize("line", BROKEN_LINES, ids=range(len(BROKEN_LINES)))
def test_a_broken_line_is_named_with_file_and_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join([json.dumps(format_header(FIELD)), GOOD, line]) + "\n", encoding="utf-8")
    with TraceReader(path) as reader:
        lines = iter(reader)
        assert next(lines) == Frame(100, (0.0,) * N)
        with pytest.raises(TraceError) as caught:
            next(lines)
    assert str(caught.value).startswith(f"{path}:3: ")
    assert BROKEN_LINES[line] in str(caught.value)


def test_presence_is_0_1_or_null(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    frame = {"t_ms": 0, "present": [2] + [0] * (N - 1)}
    path.write_text(json.dumps(format_header(OCCUPANCY)) + "\n" + json.dumps(frame), encoding="utf-8")
    with pytest.raises(TraceError, match="present of a4 is 2; allowed is 0, 1 or null"):
        read(path)


def test_no_value_is_nested_too_deeply_to_be_refused() -> None:
    value: object = 1
    for _ in range(100_000):
        value = [value]
    assert tracereader._shown(value) == "nested too deeply"


def test_files_that_cannot_be_a_trace(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match=r"gone\.jsonl: cannot be read: No such file"):
        TraceReader(tmp_path / "gone.jsonl")
    with pytest.raises(TraceError, match="cannot be read: Is a directory"):
        TraceReader(tmp_path)
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"")
    with pytest.raises(TraceError, match=r":1: the file is empty; its first line must be a header"):
        TraceReader(path)
    path.write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(TraceError, match=":1: is not UTF-8 text"):
        TraceReader(path)
    path.write_bytes(b" " * 2_000_000)
    with pytest.raises(TraceError, match="the line is too long"):
        TraceReader(path)


@pytest.mark.parametrize("cut", [12, 40, -9, -4])
def test_a_compressed_file_that_is_cut_off(tmp_path: Path, cut: int) -> None:
    whole = write(tmp_path / "t.jsonl", FIELD, *(Frame(t, (t / 7,) * N) for t in range(50)))
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(whole.read_bytes())[:cut])
    with pytest.raises(TraceError, match="compressed file is damaged or cut off"):
        read(path)


def test_a_compressed_file_with_a_wrong_byte(tmp_path: Path) -> None:
    whole = write(tmp_path / "t.jsonl", FIELD, *(Frame(t, (t / 7,) * N) for t in range(50)))
    data = bytearray(gzip.compress(whole.read_bytes()))
    data[len(data) // 2] ^= 0x55
    path = tmp_path / "bad.gz"
    path.write_bytes(bytes(data))
    with pytest.raises(TraceError):
        read(path)

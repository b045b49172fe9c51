"""Recording while the board plays."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from controller.core.calibration import Calibration
from controller.core.messages import Answer, Resign
from controller.recorder import Recorder
from controller.trace import TraceInput
from controller.tracereader import TraceReader
from hardware.boardfile import load_board
from hardware.ports import Frame, Unit
from tests.fakes.session import FakeSession

BOARD = load_board("avalam")
CALIBRATION = Calibration((0.0,) * 49, (26.0,) * 49)


def recorder() -> Recorder:
    return Recorder(BOARD, Unit.MT, 25, CALIBRATION)


def frame(t_ms: int) -> Frame:
    return Frame(t_ms, (t_ms / 8, None, *(1.5,) * 47))


def test_a_recording_is_a_whole_trace_from_its_first_frame_on(tmp_path: Path) -> None:
    lines: list[str] = []
    tape, session = recorder(), FakeSession()
    tape.frame(frame(0), session)
    end = tape.listen(lines.append)
    tape.input(20, Resign(1))
    tape.frame(frame(40), session)
    tape.input(60, Answer("c9d8"))
    tape.frame(frame(80), session)
    end()
    tape.frame(frame(120), session)
    path = tmp_path / "t.jsonl"
    path.write_text("".join(lines), encoding="utf-8")
    with TraceReader(path) as reader:
        assert list(reader) == [frame(40), TraceInput(60, Answer("c9d8")), frame(80)]
        assert reader.header.calibration == CALIBRATION
        assert reader.header.position == session.view().position
        assert reader.header.board is not None
        assert reader.header.board["pitch_mm"] == 30.0


def test_each_listener_gets_a_header_of_its_own() -> None:
    tape, session = recorder(), FakeSession()
    first: list[str] = []
    second: list[str] = []
    tape.listen(first.append)
    tape.frame(frame(0), session)
    tape.listen(second.append)
    tape.frame(frame(40), session)
    assert len(first) == 3
    assert second == [first[0], first[2]]


def test_a_listener_that_fails_does_not_harm_the_board(caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: str) -> None:
        raise RuntimeError("no")

    tape = recorder()
    tape.listen(fail)
    with caplog.at_level(logging.ERROR):
        tape.frame(frame(0), FakeSession())
    assert "a listener failed" in caplog.text

"""Recordings of occupancy boards go through the same replay as those of field boards."""

from __future__ import annotations

import json
from pathlib import Path

from controller.replaying import replay
from controller.trace import TraceHeader, format_header
from controller.tracereader import TraceReader
from engines.registry import game
from hardware.ports import Unit

AVALAM = game("avalam")


def test_an_occupancy_board_asks_and_hears_the_answer(tmp_path: Path) -> None:
    present = [int(h > 0) for h in AVALAM.heights(AVALAM.initial())]
    lifted = list(present)
    lifted[AVALAM.cells.index("c9")] = 0
    lines = [json.dumps(format_header(TraceHeader("avalam", Unit.PRESENT, AVALAM.cells, 25)))]
    for t_ms in range(40, 2400, 40):
        lines.append(json.dumps({"t_ms": t_ms, "present": present if t_ms < 800 else lifted}))
        if t_ms == 2000:
            lines.append(json.dumps({"t_ms": t_ms, "input": {"answer": "c9d8"}}))
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with TraceReader(path) as reader:
        events = [event for event in replay(reader) if event["event"] != "lift"]
    assert [event["event"] for event in events] == ["ask", "move", "end"]
    assert events[0]["moves"] == ["c9b8", "c9c8", "c9d8", "c9d9"]
    assert events[1]["move"] == "c9d8"

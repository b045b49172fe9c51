"""Truth files: written, read back, and those of other programs."""

from __future__ import annotations

import json

import pytest

from controller.clumsy.truth import TruthEvent, format_truth, parse_truth
from controller.errors import TraceError

EVENTS = [
    TruthEvent(1960, "move", "e3f4", 1140),
    TruthEvent(6740, "illegal", "e8e7", 5680, "split_tower"),
    TruthEvent(9220, "restored", "", 8600),
    TruthEvent(11320, "takeback", "e3f4", 10400),
]


def test_what_is_written_is_read_back() -> None:
    data = format_truth(EVENTS, {"f4": 2}, [(500, "d6 dead")])
    assert data["troubles"] == [{"t_ms": 500, "what": "d6 dead"}]
    assert parse_truth(json.dumps(data), "x") == (EVENTS, {"f4": 2})


def test_older_files_say_less() -> None:
    text = (
        '{"events": [{"t_ms": 5, "from_ms": 1, "illegal": "e8e7", "split": true},'
        ' {"t_ms": 9, "restored": true}], "final_heights": {"a4": 3}}'
    )
    events, heights = parse_truth(text, "x")
    assert events == [TruthEvent(5, "illegal", "e8e7", 1, "split_tower"), TruthEvent(9, "restored")]
    assert heights == {"a4": 3}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"events": [{}], "final_heights": {}}', '{"events": 3}'])
def test_other_files_are_refused_by_name(text: str) -> None:
    with pytest.raises(TraceError, match=r"^x\.json: is no truth file"):
        parse_truth(text, "x.json")

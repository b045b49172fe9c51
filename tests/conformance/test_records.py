"""Laws of records: take-back is exact at any depth, and a record can be written down and played again."""

from __future__ import annotations

import json

import pytest

from engines.errors import RecordError
from engines.record import Record
from tests.conformance.walks import WALKS, Walk

pytestmark = pytest.mark.parametrize("walk", WALKS, ids=str)


def copy_of(record: Record) -> Record:
    return Record.replay(record.game, record.move_texts, record.settings, record.start)


def test_a_replay_gives_every_position_again(walk: Walk) -> None:
    again = copy_of(walk.record)
    assert again.positions == walk.record.positions
    assert again == walk.record


def test_json_and_back(walk: Walk) -> None:
    again = Record.from_dict(json.loads(json.dumps(walk.record.to_dict())))
    assert again == walk.record
    assert again.positions == walk.record.positions
    assert again.moves == walk.record.moves


def test_take_back_of_any_depth_is_exact(walk: Walk) -> None:
    total = len(walk.record.moves)
    for plies in {1, 2, total // 2, total} - {0}:
        record = copy_of(walk.record)
        taken = record.pop(plies)
        assert taken == walk.record.moves[-plies:]
        assert record.positions == walk.record.positions[:-plies]
        for move in taken:
            record.push(move)
        assert record == walk.record
        assert record.positions == walk.record.positions


def test_too_deep_a_take_back_is_refused_and_changes_nothing(walk: Walk) -> None:
    record = copy_of(walk.record)
    for plies in (0, -1, len(record.moves) + 1):
        with pytest.raises(RecordError, match="take back"):
            record.pop(plies)
    assert record == walk.record


def test_a_game_can_go_on_from_any_position_text(walk: Walk) -> None:
    middle = len(walk.record.moves) // 2
    text = walk.game.format_position(walk.record.positions[middle])
    record = Record(walk.game, walk.record.settings, text)
    for move in walk.record.moves[middle:]:
        record.push(move)
    assert record.positions == walk.record.positions[middle:]
    assert Record.from_dict(record.to_dict()) == record

"""Laws of texts: what is written can be read back, and what cannot be read is refused in words."""

from __future__ import annotations

import pytest

from engines.errors import EngineError, NotationError
from tests.conformance.walks import WALKS, Walk

pytestmark = pytest.mark.parametrize("walk", WALKS, ids=str)

GARBAGE = ["", " ", "?", "x" * 500, "e5e5e5e5e5", "\n", "début", "0", ";", "a;b=c", "\x00", "/" * 8]


def test_moves_round_trip_and_their_texts_are_unique(walk: Walk) -> None:
    for position in walk.record.positions:
        moves = position.legal_moves()
        texts = [walk.game.format_move(move, position) for move in moves]
        assert len(set(texts)) == len(moves)
        assert [walk.game.parse_move(text, position) for text in texts] == list(moves)


def test_played_moves_round_trip_chance_included(walk: Walk) -> None:
    for position, move in walk.pairs():
        text = walk.game.format_move(move, position)
        assert walk.game.parse_move(text, position) == move
        assert walk.game.display_move(move, position)


def test_texts_of_moves_stand_in_one_line(walk: Walk) -> None:
    for position, move in walk.pairs():
        for text in (walk.game.format_move(move, position), walk.game.display_move(move, position)):
            assert text.isprintable()
            assert text == text.strip()


def test_positions_round_trip(walk: Walk) -> None:
    for position in walk.record.positions:
        text = walk.game.format_position(position)
        assert text.isprintable()
        assert walk.game.parse_position(text) == position
        assert walk.game.format_position(walk.game.parse_position(text)) == text


@pytest.mark.parametrize("text", GARBAGE, ids=ascii)
def test_garbage_is_no_move(walk: Walk, text: str) -> None:
    with pytest.raises(NotationError, match=r"\w+ \w+"):
        walk.game.parse_move(text, walk.record.positions[0])


@pytest.mark.parametrize("text", GARBAGE, ids=ascii)
def test_garbage_is_no_position(walk: Walk, text: str) -> None:
    with pytest.raises(EngineError, match=r"\w+ \w+"):
        walk.game.parse_position(text)

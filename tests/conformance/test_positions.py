"""Laws of positions: whose turn, what is legal, what play does and does not do."""

from __future__ import annotations

from random import Random

import pytest

from engines.errors import EngineError, IllegalMoveError
from tests.conformance.walks import WALKS, Walk, next_move, seats

pytestmark = pytest.mark.parametrize("walk", WALKS, ids=str)


def test_somebody_is_to_move_unless_it_is_over_or_chance_is_due(walk: Walk) -> None:
    for position in walk.record.positions:
        waits = position.chance() is not None or position.outcome() is not None
        assert (position.player_to_move is None) == waits
        assert bool(position.legal_moves()) == (not waits)
        assert position.chance() is None or position.outcome() is None


def test_moves_are_sorted_and_unique(walk: Walk) -> None:
    for position in walk.record.positions:
        moves = position.legal_moves()
        assert list(moves) == sorted(set(moves))
        assert moves == position.legal_moves()


def test_only_the_player_to_move_has_moves(walk: Walk) -> None:
    for position in walk.record.positions:
        to_move = position.player_to_move
        for player in seats(walk.game, position):
            expected = position.legal_moves() if player == to_move else ()
            assert position.legal_moves(player) == expected


def test_every_legal_move_can_be_played_and_changes_only_the_result(walk: Walk) -> None:
    for position, _ in walk.pairs():
        text, key = walk.game.format_position(position), hash(position)
        for move in position.legal_moves():
            assert position.play(move) == position.play(move)
            assert hash(position.play(move)) == hash(position.play(move))
            assert position.play(move) != position
        assert (walk.game.format_position(position), hash(position)) == (text, key)


def test_positions_cannot_be_changed(walk: Walk) -> None:
    position = walk.record.position
    for name in [*getattr(type(position), "__dataclass_fields__", ()), "something_new"]:
        with pytest.raises((AttributeError, TypeError)):
            setattr(position, name, None)


def test_an_illegal_move_is_refused_and_changes_nothing(walk: Walk) -> None:
    moves_seen = {move for position, _ in walk.pairs() for move in position.legal_moves()}
    strange = [None, object(), "no move at all", ("a", "b"), 0, *sorted(moves_seen, key=repr)[::7]]
    for position in walk.record.positions[::5] + walk.record.positions[-1:]:
        text, legal = walk.game.format_position(position), set(position.legal_moves())
        for move in strange:
            if move in legal:
                continue
            with pytest.raises(IllegalMoveError) as caught:
                position.play(move)
            assert caught.value.position == text
            assert caught.value.reason.code
        assert walk.game.format_position(position) == text


def test_the_outcome_comes_once_and_stays(walk: Walk) -> None:
    *earlier, last = walk.record.positions
    assert all(position.outcome() is None for position in earlier)
    outcome = last.outcome()
    if outcome is None:
        assert walk.setting is not None, "a game with default settings must come to an end"
        return
    sitting = seats(walk.game, last)
    assert len(outcome.scores) == len(sitting)
    assert outcome.winners
    assert set(outcome.winners) <= set(sitting)
    assert outcome.is_draw == (len(outcome.winners) > 1)


def test_as_many_players_sit_as_the_game_allows(walk: Walk) -> None:
    fewest, most = walk.game.players
    for position in walk.record.positions:
        assert fewest <= len(seats(walk.game, position)) <= most


def test_nobody_else_may_look(walk: Walk) -> None:
    for player in (-1, walk.game.players[1]):
        with pytest.raises(EngineError):
            walk.record.position.observation(player)


def test_chance_gives_the_same_for_the_same_seed_and_lists_what_it_can(walk: Walk) -> None:
    for position in walk.record.positions:
        chance = position.chance()
        if chance is None:
            continue
        assert chance.kind
        assert chance.sample(Random(5)) == chance.sample(Random(5))
        outcomes = chance.outcomes()
        for seed in range(20):
            drawn = chance.sample(Random(seed))
            assert outcomes is None or drawn in outcomes
            assert position.play(drawn) != position


def test_the_same_seed_gives_the_same_game(walk: Walk) -> None:
    rng = Random(walk.seed)
    for position, move in walk.pairs():
        assert next_move(position, rng) == move

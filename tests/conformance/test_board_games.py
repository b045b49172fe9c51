"""Laws of games on a board: what sensors can see agrees with what the rules say."""

from __future__ import annotations

import pytest

from engines.base import BoardGame, Position
from engines.errors import IllegalMoveError
from tests.conformance.walks import BOARD_WALKS, Walk, seats

pytestmark = pytest.mark.parametrize("walk", BOARD_WALKS, ids=str)


def board_game(walk: Walk) -> BoardGame:
    assert isinstance(walk.game, BoardGame)
    return walk.game


def by_cell(walk: Walk, position: Position) -> dict[str, int]:
    return dict(zip(walk.game.cells, walk.game.heights(position), strict=True))  # type: ignore[attr-defined]


def test_cells_are_sorted_and_unique_and_two_play(walk: Walk) -> None:
    cells = board_game(walk).cells
    assert list(cells) == sorted(set(cells))
    assert walk.game.players == (2, 2)
    assert len(board_game(walk).player_names) == 2


def test_heights_and_owners_speak_of_the_same_pieces(walk: Walk) -> None:
    game = board_game(walk)
    for position in walk.record.positions:
        heights, owners = game.heights(position), game.owners(position)
        assert len(heights) == len(owners) == len(game.cells)
        for height, owner in zip(heights, owners, strict=True):
            assert (owner is None) == (height == 0)
            assert height >= 0
            assert owner in (None, *seats(game, position))


def test_changes_are_what_play_does(walk: Walk) -> None:
    game = board_game(walk)
    for position, played in walk.pairs():
        before = by_cell(walk, position)
        for move in {*position.legal_moves()[::3], played}:
            changes = game.changes(move, position)
            assert len({change.cell for change in changes}) == len(changes)
            assert all(before[change.cell] == change.before for change in changes)
            after = before | {change.cell: change.after for change in changes}
            assert by_cell(walk, position.play(move)) == after


def test_a_piece_that_moves_leaves_the_first_cell_of_the_changes(walk: Walk) -> None:
    game = board_game(walk)
    for position in walk.record.positions:
        for move in position.legal_moves():
            first, *others = game.changes(move, position)
            lifted = [change for change in (first, *others) if change.after < change.before]
            assert not lifted or first in lifted


def test_changes_of_an_illegal_move_are_refused(walk: Walk) -> None:
    game = board_game(walk)
    last = walk.record.position
    for _, move in walk.pairs()[-3:]:
        if last.outcome() is not None:
            with pytest.raises(IllegalMoveError):
                game.changes(move, last)


def test_refusal_is_none_exactly_where_a_move_exists(walk: Walk) -> None:
    game = board_game(walk)
    for position in walk.record.positions[::4] + walk.record.positions[-1:]:
        carried = [
            changes
            for move in position.legal_moves()
            if (changes := game.changes(move, position))[0].after < changes[0].before
        ]
        plain = {(changes[0].cell, changes[1].cell) for changes in carried if len(changes) == 2}
        origins = {changes[0].cell for changes in carried}
        only_plain = all(len(changes) == 2 for changes in carried)
        for origin in game.cells:
            for target in game.cells:
                reason = game.refusal(position, origin, target)
                if (origin, target) in plain:
                    assert reason is None
                elif only_plain or origin not in origins:
                    assert reason is not None
                    assert reason.code


def test_stacks_hold_what_heights_and_owners_say(walk: Walk) -> None:
    game = board_game(walk)
    positions = walk.record.positions
    for ply in {0, 1, len(positions) // 2, len(positions) - 1} & set(range(len(positions))):
        stacks = game.stacks(positions[0], walk.record.moves[:ply])
        owners = dict(zip(game.cells, game.owners(positions[ply]), strict=True))
        heights = by_cell(walk, positions[ply])
        assert {cell: len(stack) for cell, stack in stacks.items()} == {c: h for c, h in heights.items() if h}
        assert all(stack[-1] == owners[cell] for cell, stack in stacks.items())


def test_scores_at_the_end_are_those_of_the_outcome(walk: Walk) -> None:
    game = board_game(walk)
    for position in walk.record.positions:
        assert len(game.scores(position)) == 2
    outcome = walk.record.position.outcome()
    if outcome is not None:
        assert game.scores(walk.record.position) == outcome.scores

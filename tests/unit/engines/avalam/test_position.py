"""The rules, one by one, on small boards."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engines.avalam.board import BLACK, CELLS, INDEX, RED
from engines.avalam.layout import Phase, Tiebreak
from engines.avalam.moves import Placement, Shuffle, TowerMove
from engines.avalam.position import Position
from engines.base import Outcome, Reason, Termination
from engines.errors import EngineError, IllegalMoveError
from engines.registry import game
from tests.unit.engines.avalam.boards import position

AVALAM: Any = game("avalam")


def tower(at: Position, cell: str) -> tuple[int | None, int]:
    return at.owners[INDEX[cell]], at.heights[INDEX[cell]]


def refused(at: Position, move: object) -> Reason:
    with pytest.raises(IllegalMoveError) as caught:
        at.play(move)  # type: ignore[arg-type]
    assert caught.value.reason == at.refusal(move)
    return caught.value.reason


class TestTowerMoves:
    def test_the_whole_tower_goes_on_top_and_its_owner_owns_the_result(self) -> None:
        after = position("r", c9="r2", d9="b3").play(TowerMove("c9", "d9"))
        assert tower(after, "d9") == (RED, 5)
        assert tower(after, "c9") == (None, 0)
        assert after.turn == BLACK

    def test_towers_of_either_colour_may_be_moved_by_either_player(self) -> None:
        for to_move in "rb":
            assert position(to_move, c9="r1", d9="b1").legal_moves() == (
                TowerMove("c9", "d9"),
                TowerMove("d9", "c9"),
            )

    def test_all_eight_directions(self) -> None:
        around = dict.fromkeys(("d4", "d5", "d6", "e4", "e6", "f4", "f5", "f6"), "b1")
        moves = position("r", e5="r4", **around).legal_moves()
        from_centre = [move.target for move in moves if isinstance(move, TowerMove) and move.origin == "e5"]
        assert from_centre == sorted(around)

    @pytest.mark.parametrize("moved", range(1, 6))
    @pytest.mark.parametrize("there", range(1, 6))
    def test_no_tower_higher_than_five(self, moved: int, there: int) -> None:
        at = position("r", c9=f"r{moved}", d9=f"b{there}")
        move = TowerMove("c9", "d9")
        assert (move in at.legal_moves()) == (moved + there <= 5)
        if moved + there > 5:
            assert refused(at, move) == Reason("too_high", (moved, there))
        else:
            assert tower(at.play(move), "d9") == (RED, moved + there)

    def test_never_onto_an_empty_hole(self) -> None:
        assert refused(position("r", c9="r1", d9="b1"), TowerMove("c9", "d8")) == Reason(
            "empty_target", ("d8",)
        )

    def test_only_onto_a_neighbour(self) -> None:
        at = position("r", c9="r1", d9="b1", e5="b1")
        assert refused(at, TowerMove("c9", "e5")) == Reason("not_adjacent", ("e5",))

    def test_not_adjacent_is_said_before_empty_and_too_high(self) -> None:
        at = position("r", c9="r5", d9="b1", e5="b1")
        assert refused(at, TowerMove("c9", "e4")) == Reason("not_adjacent", ("e4",))
        assert refused(at, TowerMove("c9", "e5")) == Reason("not_adjacent", ("e5",))
        assert refused(at, TowerMove("c9", "c8")) == Reason("empty_target", ("c8",))

    @pytest.mark.parametrize(
        "move",
        [
            TowerMove("d8", "c9"),
            TowerMove("d8", "a4"),
            TowerMove("c9", "c9"),
            TowerMove("c9", "z9"),
            TowerMove("z9", "c9"),
            Placement("R", "e5"),
            Shuffle("r" * 49),
            ("c9", "d9"),
            "c9d9",
            None,
        ],
    )
    def test_what_is_no_move_here(self, move: object) -> None:
        assert refused(position("r", c9="r1", d9="b1"), move) == Reason("not_a_move")

    def test_the_error_carries_move_position_and_reason(self) -> None:
        at = position("b", c9="r3", d9="b3")
        with pytest.raises(IllegalMoveError) as caught:
            at.play(TowerMove("c9", "d9"))
        assert caught.value.move == "c9d9"
        assert caught.value.position == AVALAM.format_position(at)
        assert str(caught.value).endswith("too_high(3, 3)")

    def test_the_player_who_is_not_to_move_has_no_moves(self) -> None:
        at = position("b", c9="r1", d9="b1")
        assert at.player_to_move == BLACK
        assert at.legal_moves(BLACK) == at.legal_moves()
        assert at.legal_moves(RED) == ()

    def test_turns_alternate_and_the_tiebreak_stays(self) -> None:
        at = AVALAM.initial(tiebreak="fives")
        for player, text in ((RED, "c9d9"), (BLACK, "d9d8"), (RED, "e8e7"), (BLACK, "a4a5")):
            assert at.player_to_move == player
            at = at.play(AVALAM.parse_move(text, at))
            assert at.tiebreak is Tiebreak.FIVES
        assert at.player_to_move == RED

    def test_the_start_has_292_moves(self) -> None:
        assert len(AVALAM.initial().legal_moves()) == 292


class TestEnd:
    def test_the_game_ends_only_when_nothing_fits(self) -> None:
        assert position("r", c9="r3", d9="b2").outcome() is None
        over = position("r", c9="r3", d9="b3", a4="b1")
        assert over.outcome() == Outcome(Termination.NO_MOVES, (BLACK,), (1, 2))
        assert over.player_to_move is None
        assert over.legal_moves() == ()

    def test_a_tower_counts_one_whatever_its_height(self) -> None:
        over = position("b", c9="r1", e5="r1", a4="b5")
        assert over.outcome() == Outcome(Termination.NO_MOVES, (RED,), (2, 1))

    def test_equal_towers_are_a_draw(self) -> None:
        over = position("r", c9="r5", a4="b1")
        outcome = over.outcome()
        assert outcome == Outcome(Termination.NO_MOVES, (RED, BLACK), (1, 1))
        assert outcome is not None
        assert outcome.is_draw

    @pytest.mark.parametrize(
        ("towers", "winners"),
        [
            ({"c9": "r5", "a4": "b4"}, (RED,)),
            ({"c9": "r4", "a4": "b5"}, (BLACK,)),
            ({"c9": "r5", "a4": "b5"}, (RED, BLACK)),
            ({"c9": "r1", "a4": "b4"}, (RED, BLACK)),
            ({"c9": "r1", "e5": "r1", "a4": "b5"}, (RED,)),
        ],
    )
    def test_fives_decide_between_equals_only(self, towers: dict[str, str], winners: tuple[int, ...]) -> None:
        over = replace(position("r", **towers), tiebreak=Tiebreak.FIVES)
        outcome = over.outcome()
        assert outcome is not None
        assert outcome.winners == winners
        assert outcome.scores == AVALAM.scores(over)

    def test_an_empty_board_is_a_draw(self) -> None:
        assert position().outcome() == Outcome(Termination.NO_MOVES, (RED, BLACK), (0, 0))


class TestFreeSetup:
    def test_players_in_turn_lay_any_pawn_on_any_free_hole(self) -> None:
        at = AVALAM.initial(setup="free")
        assert len(at.legal_moves()) == 98
        assert at.legal_moves()[:2] == (Placement("B", "a4"), Placement("B", "a5"))
        assert at.legal_moves()[49] == Placement("R", "a4")
        after = at.play(Placement("B", "e5"))
        assert tower(after, "e5") == (BLACK, 1)
        assert (at.player_to_move, after.player_to_move) == (RED, BLACK)
        assert len(after.legal_moves()) == 96
        assert after.outcome() is None

    def test_a_hole_takes_one_pawn(self) -> None:
        at = AVALAM.initial(setup="free").play(Placement("B", "e5"))
        assert refused(at, Placement("R", "e5")) == Reason("occupied", ("e5",))

    def test_no_colour_has_more_than_24_pawns(self) -> None:
        at = AVALAM.initial(setup="free")
        for cell in CELLS[:24]:
            at = at.play(Placement("R", cell))
        assert {move.pawn for move in at.legal_moves()} == {"B"}
        assert refused(at, Placement("R", CELLS[30])) == Reason("none_left", ("red",))
        for cell in CELLS[24:47]:
            at = at.play(Placement("B", cell))
        assert at.phase is Phase.PLACING
        at = at.play(Placement("B", CELLS[47]))
        assert at.phase is Phase.PLAYING

    @pytest.mark.parametrize(("first", "player"), [("red", RED), ("black", BLACK)])
    def test_after_48_pawns_the_first_player_moves(self, first: str, player: int) -> None:
        at = AVALAM.initial(setup="free", first=first, tiebreak="fives")
        assert at.player_to_move == player
        for number, cell in enumerate(CELLS[1:]):
            at = at.play(Placement("RB"[number % 2], cell))
        assert at.player_to_move == player
        assert at.tiebreak is Tiebreak.FIVES
        assert tower(at, CELLS[0]) == (None, 0)
        assert all(isinstance(move, TowerMove) for move in at.legal_moves())

    @pytest.mark.parametrize(
        "move", [TowerMove("c9", "d9"), Placement("r", "c9"), Placement("R", "z9"), Shuffle("r"), "Rc9"]
    )
    def test_what_is_no_placement(self, move: object) -> None:
        assert refused(AVALAM.initial(setup="free"), move) == Reason("not_a_move")


class TestRandomSetup:
    def test_a_shuffle_is_due_before_anybody_moves(self) -> None:
        at = AVALAM.initial(setup="random")
        chance = at.chance()
        assert chance is not None
        assert (chance.kind, chance.outcomes()) == ("setup", None)
        assert at.player_to_move is None
        assert at.legal_moves() == at.legal_moves(RED) == ()
        assert at.outcome() is None

    @pytest.mark.parametrize(("first", "player"), [("red", RED), ("black", BLACK)])
    def test_the_shuffled_pawns_lie_round_an_empty_centre(self, first: str, player: int) -> None:
        at = AVALAM.initial(setup="random", first=first, tiebreak="fives")
        after = at.play(at.chance().sample(Random(3)))
        assert (after.owners.count(RED), after.owners.count(BLACK)) == (24, 24)
        assert tower(after, "e5") == (None, 0)
        assert set(after.heights) == {0, 1}
        assert after.player_to_move == player
        assert (after.phase, after.tiebreak) == (Phase.PLAYING, Tiebreak.FIVES)
        assert after.chance() is None

    def test_shuffles_differ_and_reach_every_hole(self) -> None:
        chance = AVALAM.initial(setup="random").chance()
        drawn = [chance.sample(Random(seed)).pawns for seed in range(50)]
        assert len(set(drawn)) == 50
        holes = [index for index, cell in enumerate(CELLS) if cell != "e5"]
        assert all({pawns[index] for pawns in drawn} == {"r", "b"} for index in holes)

    @pytest.mark.parametrize(
        "pawns",
        [
            "r" * 24 + "-" + "b" * 23,
            "r" * 25 + "b" * 24,
            "-" + "r" * 24 + "b" * 24,
            "r" * 23 + "x-" + "b" * 24,
        ],
    )
    def test_what_is_no_set_of_pawns(self, pawns: str) -> None:
        at = AVALAM.initial(setup="random")
        assert refused(at, Shuffle(pawns)) == Reason("not_a_move")
        assert refused(at, Placement("R", "c9")) == Reason("not_a_move")


def test_nothing_is_hidden() -> None:
    start = AVALAM.initial()
    assert start.observation(RED) is start
    assert start.observation(BLACK) is start
    with pytest.raises(EngineError, match=r"no player 2 in avalam; there are 0 \(red\) and 1 \(black\)"):
        start.observation(2)


def test_positions_that_differ_in_anything_are_not_equal() -> None:
    start = AVALAM.initial()
    others = [AVALAM.initial(**{key: value}) for key, value in (("first", "black"), ("tiebreak", "fives"))]
    assert all(other != start for other in others)
    assert len({start, *others, AVALAM.initial()}) == 3


def test_random_games_are_as_long_as_the_rules_page_says() -> None:
    """Source: rules, known values: 34.6 plies on average, never more than 38."""
    rng = Random(34)
    lengths = []
    for _ in range(400):
        at, plies = AVALAM.initial(), 0
        while moves := at.legal_moves():
            at, plies = at.play(moves[rng.randrange(len(moves))]), plies + 1
        lengths.append(plies)
    assert sum(lengths) / len(lengths) == pytest.approx(34.6, abs=0.2)
    assert max(lengths) <= 38

"""Texts of moves and positions, and what is said about those that are wrong."""

from __future__ import annotations

import pytest

from engines.avalam.board import CELLS, RED, ROWS
from engines.avalam.layout import Layout, Phase, Tiebreak
from engines.avalam.moves import Placement, Shuffle, TowerMove
from engines.avalam.notation import (
    describe_move,
    format_layout,
    format_move,
    parse_layout,
    parse_move,
    require_cell,
)
from engines.errors import InvalidPositionError, NotationError
from engines.registry import game

START = (
    "r1b1/r1b1r1b1/b1r1b1r1b1r1/r1b1r1b1r1b1r1b1/r1b1r1b1--b1r1b1r1/"
    "b1r1b1r1b1r1b1r1/r1b1r1b1r1b1/b1r1b1r1/b1r1 r"
)
EMPTY = "/".join("--" * len(row) for row in ROWS)
SHUFFLED = "rb/rbrb/brbrbr/rbrbrbrb/rbrb-brbr/brbrbrbr/rbrbrb/brbr/br"


def faults(text: str) -> tuple[str, ...]:
    with pytest.raises(InvalidPositionError) as caught:
        parse_layout(text)
    assert str(caught.value).startswith(f"invalid position {text!r}: ")
    assert all(fault in str(caught.value) for fault in caught.value.faults)
    return caught.value.faults


def on_board(**towers: str) -> str:
    """The ranks of a board with these towers only."""
    return "/".join("".join(towers.get(cell, "--") for cell in row) for row in ROWS)


class TestMoves:
    @pytest.mark.parametrize(
        ("text", "move"),
        [
            ("c9d8", TowerMove("c9", "d8")),
            ("Rc9", Placement("R", "c9")),
            ("Be5", Placement("B", "e5")),
        ],
    )
    def test_both_ways(self, text: str, move: TowerMove | Placement) -> None:
        assert parse_move(text) == move
        assert type(parse_move(text)) is type(move)
        assert format_move(move) == text

    def test_a_shuffled_setup_is_written_by_rows_and_kept_by_cells(self) -> None:
        move = parse_move(SHUFFLED)
        assert isinstance(move, Shuffle)
        assert move.pawns[:7] == "brrbrbr"  # a4 a5 b4 b5 b6 b7 b8
        assert move.pawns.count("-") == 1
        assert format_move(move) == SHUFFLED

    @pytest.mark.parametrize(
        "text", ["c9", "c9d8e7", "c9>d8", "C9D8", "c9 d8", " c9d8", "c9d8\n", "rc9", "Xc9", "j1a1"]
    )
    def test_unreadable_moves_say_what_a_move_looks_like(self, text: str) -> None:
        with pytest.raises(NotationError, match="write c9d8") as caught:
            parse_move(text)
        assert repr(text) in str(caught.value)

    @pytest.mark.parametrize(
        ("text", "hole"), [("a1b2", "a1"), ("c9e9", "e9"), ("Ri9", "i9"), ("b9c9", "b9")]
    )
    def test_holes_that_do_not_exist_are_named(self, text: str, hole: str) -> None:
        with pytest.raises(
            NotationError, match=f"^'{text}': the board has no hole '{hole}'; rank {hole[1]} has "
        ):
            parse_move(text)

    def test_unreadable_cells_say_what_ranks_there_are(self) -> None:
        assert require_cell("e5") == "e5"
        with pytest.raises(NotationError, match=r"^'zz': the board has no hole 'zz'; ranks are 1 to 9$"):
            require_cell("zz")
        with pytest.raises(NotationError, match=r"^'i4': the board has no hole 'i4'; rank 4 has a4 to h4$"):
            require_cell("i4")

    def test_what_is_no_move_is_described_as_it_is(self) -> None:
        assert describe_move(TowerMove("c9", "d8")) == "c9d8"
        assert describe_move(("c9", "d8")) == "('c9', 'd8')"
        assert describe_move(None) == "None"


class TestPositions:
    def test_the_start_is_the_text_of_the_rules(self) -> None:
        assert format_layout(game("avalam").initial()) == START

    def test_towers_are_read_where_they_stand(self) -> None:
        layout = parse_layout(f"{on_board(c9='r1', a5='b4', e5='r5', g1='b2')} b")
        towers = {
            cell: (owner, height)
            for cell, owner, height in zip(CELLS, layout.owners, layout.heights, strict=True)
            if height
        }
        assert towers == {"c9": (0, 1), "a5": (1, 4), "e5": (0, 5), "g1": (1, 2)}
        assert layout.turn == 1
        assert (layout.phase, layout.tiebreak) == (Phase.PLAYING, Tiebreak.NONE)

    @pytest.mark.parametrize(
        ("fields", "phase", "tiebreak"),
        [
            ("", Phase.PLAYING, Tiebreak.NONE),
            (";setup=free", Phase.PLACING, Tiebreak.NONE),
            (";setup=random", Phase.SHUFFLING, Tiebreak.NONE),
            (";tiebreak=fives", Phase.PLAYING, Tiebreak.FIVES),
            (";setup=free;tiebreak=fives", Phase.PLACING, Tiebreak.FIVES),
        ],
    )
    def test_fields_both_ways(self, fields: str, phase: Phase, tiebreak: Tiebreak) -> None:
        layout = parse_layout(f"{EMPTY} r{fields}")
        assert layout == Layout((0,) * 49, (None,) * 49, RED, phase, tiebreak)
        assert format_layout(layout) == f"{EMPTY} r{fields}"

    def test_fields_come_in_any_order_and_say_more_than_the_settings(self) -> None:
        layout = parse_layout(f"{EMPTY} r;tiebreak=none;setup=free", Tiebreak.FIVES)
        assert (layout.phase, layout.tiebreak) == (Phase.PLACING, Tiebreak.NONE)
        assert parse_layout(f"{EMPTY} r", Tiebreak.FIVES).tiebreak is Tiebreak.FIVES

    @pytest.mark.parametrize(
        "text",
        [
            EMPTY,
            f"{EMPTY} x",
            f"{EMPTY}  r",
            f"{EMPTY} r;",
            f"{EMPTY} r;tiebreak",
            f"{EMPTY} r ",
            f" {EMPTY} r",
            "r",
        ],
    )
    def test_another_form_is_no_position(self, text: str) -> None:
        with pytest.raises(NotationError) as caught:
            parse_layout(text)
        assert str(caught.value) == (
            f"{text!r} is no position of avalam; write nine ranks from 9 to 1 with / between them, a space, "
            "r or b to move, then any ;key=value"
        )

    def test_all_unreadable_holes_are_named(self) -> None:
        text = f"{on_board(c9='x1', d9='r9', h4='B2', f1='1r', g1='-r')} r"
        with pytest.raises(NotationError) as caught:
            parse_layout(text)
        assert str(caught.value).startswith(f"{text!r}: c9: ")
        assert "c9: 'x1', h4: 'B2', f1: '1r', g1: '-r' cannot be read" in str(caught.value)
        assert "r or b and a height" in str(caught.value)

    def test_all_faults_are_named_at_once(self) -> None:
        text = f"{on_board(c9='r6', d9='b0')}/-- r;setup=standard;tiebreak=none;tiebreak=fives"
        assert faults(text) == (
            "10 ranks, there must be 9",
            "setup=standard: allowed are setup=free, setup=random, tiebreak=none, tiebreak=fives",
            "tiebreak is given twice",
        )
        assert faults(f"{on_board(c9='r6', d9='b0', a4='r7')} r;colour=red") == (
            "colour=red: allowed are setup=free, setup=random, tiebreak=none, tiebreak=fives",
            "a4: height 7, allowed are 1 to 5",
            "c9: height 6, allowed are 1 to 5",
            "d9: height 0, allowed are 1 to 5",
        )

    def test_a_rank_of_a_wrong_width_is_named_with_what_it_needs(self) -> None:
        assert faults(f"{on_board().replace('--/', '----/', 1)} r") == (
            "rank 9: 6 characters, there must be two for each of 2 holes",
        )

    def test_all_ranks_of_a_wrong_width_are_named(self) -> None:
        ranks = on_board(c9="r6", f1="b9").split("/")
        ranks[1] += "r1"
        ranks[4] = ranks[4][1:]
        assert faults(f"{'/'.join(ranks)} r") == (
            "rank 8: 10 characters, there must be two for each of 4 holes",
            "rank 5: 17 characters, there must be two for each of 9 holes",
            "c9: height 6, allowed are 1 to 5",
            "f1: height 9, allowed are 1 to 5",
        )

    @pytest.mark.parametrize("field", ["colour=none", "setup=fives", "tiebreak=sixes", "tiebreak=free"])
    def test_fields_and_values_that_do_not_belong_together(self, field: str) -> None:
        allowed = "setup=free, setup=random, tiebreak=none, tiebreak=fives"
        assert faults(f"{EMPTY} r;{field}") == (f"{field}: allowed are {allowed}",)

    def test_there_are_no_more_than_48_pawns(self) -> None:
        full = dict.fromkeys(("a4", "a5", "b4", "b5", "b6", "b7", "b8", "c3", "c4"), "r5")
        assert parse_layout(f"{on_board(**full, c5='b3')} r").heights.count(5) == 9
        assert faults(f"{on_board(**full, c5='b4')} r") == ("49 pawns, there are 48",)

    @pytest.mark.parametrize(("letter", "name"), [("r", "red"), ("b", "black")])
    def test_there_are_no_more_than_24_of_a_colour(self, letter: str, name: str) -> None:
        assert parse_layout(f"{on_board(**dict.fromkeys(CELLS[:24], f'{letter}1'))} r")
        text = f"{on_board(**dict.fromkeys(CELLS[:25], f'{letter}1'))} r"
        assert faults(text) == (f"25 {name} towers, there are 24 {name} pawns",)

    def test_setups_under_way_cannot_look_like_games(self) -> None:
        towers = f"{on_board(c9='r2')} r;setup=free"
        assert faults(towers) == ("setup=free: no hole can hold more than one pawn yet",)
        assert faults(f"{START};setup=free") == (
            "setup=free: all 48 pawns lie already, so the set-up is over",
        )
        assert faults(f"{on_board(c9='r1')} r;setup=random") == (
            "setup=random: the board must still be empty",
        )

"""What the house asks of Avalam beyond the rules: settings, changes, refusals, stacks."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from engines.avalam.board import BLACK, CELLS, RED
from engines.avalam.layout import Tiebreak
from engines.avalam.moves import Placement, TowerMove
from engines.base import BoardGame, CellChange, Reason
from engines.errors import IllegalMoveError, NotationError, SettingError
from engines.registry import game
from tests.unit.engines.avalam.boards import position

AVALAM: Any = game("avalam")
assert isinstance(AVALAM, BoardGame)


def test_settings_are_those_of_the_rules() -> None:
    assert {setting.name: setting.allowed for setting in AVALAM.settings} == {
        "first": ("red", "black"),
        "tiebreak": ("none", "fives"),
        "setup": ("standard", "free", "random"),
    }
    assert AVALAM.player_names == ("red", "black")
    assert (AVALAM.initial().turn, AVALAM.initial(first="black").turn) == (RED, BLACK)


def test_a_position_takes_from_the_settings_what_its_text_leaves_out() -> None:
    text = AVALAM.format_position(AVALAM.initial())
    assert AVALAM.parse_position(text, tiebreak="fives").tiebreak is Tiebreak.FIVES
    assert AVALAM.parse_position(f"{text};tiebreak=none", tiebreak="fives").tiebreak is Tiebreak.NONE
    assert AVALAM.parse_position(text, first="black", setup="free") == AVALAM.initial()
    with pytest.raises(SettingError, match="allowed are none, fives"):
        AVALAM.parse_position(text, tiebreak="sixes")


def test_moves_are_parsed_only_where_they_are_legal() -> None:
    start = AVALAM.initial()
    assert AVALAM.parse_move("c9d8", start) == TowerMove("c9", "d8")
    with pytest.raises(IllegalMoveError, match=r"illegal move 'd6e5' in 'r1b1/.* r': empty_target\(e5\)"):
        AVALAM.parse_move("d6e5", start)
    with pytest.raises(IllegalMoveError, match=r"illegal move 'Re5' in .*: not_a_move"):
        AVALAM.parse_move("Re5", start)


def test_moves_for_people_show_the_height_reached() -> None:
    assert AVALAM.display_move(TowerMove("c9", "d8"), AVALAM.initial()) == "c9>d8 (=2)"
    assert AVALAM.display_move(TowerMove("c9", "d9"), position(c9="r2", d9="b3")) == "c9>d9 (=5)"
    assert AVALAM.display_move(Placement("R", "c9"), AVALAM.initial(setup="free")) == "Rc9"


def test_changes() -> None:
    at = position(c9="r2", d9="b3")
    assert AVALAM.changes(TowerMove("c9", "d9"), at) == (CellChange("c9", 2, 0), CellChange("d9", 3, 5))
    free = AVALAM.initial(setup="free")
    assert AVALAM.changes(Placement("B", "e5"), free) == (CellChange("e5", 0, 1),)
    with pytest.raises(IllegalMoveError):
        AVALAM.changes(TowerMove("d9", "d8"), at)


def test_changes_of_a_shuffle_fill_all_but_the_centre() -> None:
    at = AVALAM.initial(setup="random")
    move = AVALAM.parse_move("rb/rbrb/brbrbr/rbrbrbrb/rbrb-brbr/brbrbrbr/rbrbrb/brbr/br", at)
    assert AVALAM.changes(move, at) == tuple(CellChange(cell, 0, 1) for cell in CELLS if cell != "e5")
    assert at.play(move) == AVALAM.initial()
    assert AVALAM.stacks(at, [move]) == AVALAM.stacks(AVALAM.initial(), [])


def test_refusal_agrees_with_the_legal_moves_everywhere() -> None:
    for at in (AVALAM.initial(), position(c9="r3", d9="b3", d8="b2", a4="r1")):
        legal = {(move.origin, move.target) for move in at.legal_moves() if isinstance(move, TowerMove)}
        allowed = {pair for pair in product(CELLS, repeat=2) if AVALAM.refusal(at, *pair) is None}
        assert allowed == legal


@pytest.mark.parametrize(
    ("origin", "target", "reason"),
    [
        ("c9", "d9", Reason("too_high", (4, 2))),
        ("c9", "c8", Reason("empty_target", ("c8",))),
        ("c9", "e5", Reason("not_adjacent", ("e5",))),
        ("e5", "c9", Reason("not_a_move")),
        ("c9", "c9", Reason("not_a_move")),
    ],
)
def test_refusals(origin: str, target: str, reason: Reason) -> None:
    assert AVALAM.refusal(position(c9="r4", d9="b2"), origin, target) == reason


@pytest.mark.parametrize("setup", ["free", "random"])
def test_nothing_may_be_carried_during_a_setup(setup: str) -> None:
    assert AVALAM.refusal(AVALAM.initial(setup=setup), "c9", "d9") == Reason("not_a_move")


def test_cells_that_do_not_exist_are_an_error_not_a_refusal() -> None:
    for origin, target in (("a1", "c9"), ("c9", "a1")):
        with pytest.raises(NotationError, match="no hole 'a1'; rank 1 has f1 to g1"):
            AVALAM.refusal(AVALAM.initial(), origin, target)
    with pytest.raises(NotationError, match="no hole 'a1'"):
        AVALAM.neighbours("a1")


def test_neighbours() -> None:
    assert AVALAM.neighbours("a4") == ("a5", "b4", "b5")


def test_stacks_keep_the_colours_that_are_covered() -> None:
    start = AVALAM.initial()
    stacks = AVALAM.stacks(start, [TowerMove("c9", "d9"), TowerMove("d9", "d8"), TowerMove("e8", "d8")])
    assert stacks["d8"] == (RED, BLACK, RED, BLACK)
    assert "c9" not in stacks
    assert len(stacks) == 45
    assert sum(map(len, stacks.values())) == 48
    assert list(stacks) == sorted(stacks)


def test_pawns_covered_in_the_start_are_unknown() -> None:
    at = position(c9="r2", d9="b3")
    assert AVALAM.stacks(at, []) == {"c9": (None, RED), "d9": (None, None, BLACK)}
    assert AVALAM.stacks(at, [TowerMove("c9", "d9")]) == {"d9": (None, None, BLACK, None, RED)}
    with pytest.raises(IllegalMoveError):
        AVALAM.stacks(at, [TowerMove("c9", "d8")])


def test_stacks_of_a_free_setup() -> None:
    assert AVALAM.stacks(AVALAM.initial(setup="free"), [Placement("B", "e5"), Placement("R", "c9")]) == {
        "c9": (RED,),
        "e5": (BLACK,),
    }

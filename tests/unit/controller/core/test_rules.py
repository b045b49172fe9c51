"""The engine's game as the recogniser may see it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from controller.core.options import Option
from controller.core.rules import EngineRules, Node
from engines.avalam.position import Position
from engines.base import Reason
from tests.fakes.sitting import AVALAM
from tests.unit.engines.avalam.boards import position

PLACE = {cell: k for k, cell in enumerate(AVALAM.cells)}


@pytest.fixture
def rules() -> EngineRules:
    return EngineRules(AVALAM)


def keys(options: tuple[Option, ...]) -> set[str]:
    return {option.key for option in options}


def test_places_are_numbers_of_cells(rules: EngineRules) -> None:
    node = Node(position(c9="r2", d9="b1", f1="r5"))
    heights = rules.heights(node)
    assert {AVALAM.cells[k]: h for k, h in enumerate(heights) if h} == {"c9": 2, "d9": 1, "f1": 5}
    assert rules.options(node) == (
        Option("c9d9", ((PLACE["c9"], 0), (PLACE["d9"], 3))),
        Option("d9c9", ((PLACE["d9"], 0), (PLACE["c9"], 3))),
    )


def test_all_moves_of_the_start_are_options(rules: EngineRules) -> None:
    start = AVALAM.initial()
    assert len(rules.options(Node(start))) == len(start.legal_moves()) == 292


def test_playing_gives_the_next_node_with_nothing_chosen(rules: EngineRules) -> None:
    start = AVALAM.initial()
    node = rules.play(Node(start, placing=1), "c9d8")
    assert node == Node(start.play(AVALAM.parse_move("c9d8", start)))


def test_options_are_kept_until_there_are_too_many(rules: EngineRules) -> None:
    start = Node(AVALAM.initial())
    first = rules.options(start)
    assert rules.options(start) is first
    for option in first[:2]:
        node = rules.play(start, option.key)
        for after in rules.options(node)[:200]:
            rules.options(rules.play(node, after.key))
    assert rules.options(start) == first
    assert rules.options(start) is not first


def test_a_closed_game_has_no_moves_and_says_why(rules: EngineRules) -> None:
    closed = Node(AVALAM.initial(), closed=True)
    assert rules.options(closed) == ()
    assert rules.refusal(closed, PLACE["c9"], PLACE["d8"]) == Reason("game_over")
    assert rules.heights(closed) == AVALAM.heights(AVALAM.initial())


def test_reasons_come_from_the_game(rules: EngineRules) -> None:
    node = Node(position(c9="r3", d9="b3", f1="r1", g1="b1"))
    assert rules.refusal(node, PLACE["c9"], PLACE["d9"]) == Reason("too_high", (3, 3))
    assert rules.refusal(node, PLACE["c9"], PLACE["c8"]) == Reason("empty_target", ("c8",))
    assert rules.refusal(node, PLACE["c9"], PLACE["f1"]) == Reason("not_adjacent", ("f1",))
    assert rules.refusal(node, PLACE["f1"], PLACE["g1"]) == Reason("not_a_move"), "not here: it may go there"


def test_where_no_move_is_left_the_game_is_over(rules: EngineRules) -> None:
    node = Node(position(c9="r3", d9="b3"))
    assert rules.options(node) == ()
    assert rules.refusal(node, PLACE["c9"], PLACE["d9"]) == Reason("game_over")


def test_a_shuffle_that_is_due_leaves_no_move(rules: EngineRules) -> None:
    start = AVALAM.initial(setup="random")
    assert rules.options(Node(start)) == ()
    shuffled = start.play(start.chance().sample(Random(3)))
    assert len(rules.options(Node(shuffled))) == 292


# ---------------------------------------------------------------- pieces from the box


def test_pieces_from_the_box_alternate_or_are_as_chosen(rules: EngineRules) -> None:
    start = AVALAM.initial(setup="free")
    red, black = Node(start), Node(start, placing=1)
    assert keys(rules.options(red)) == {f"R{cell}" for cell in AVALAM.cells}
    assert keys(rules.options(black)) == {f"B{cell}" for cell in AVALAM.cells}
    assert rules.options(red)[0].after == ((PLACE[rules.options(red)[0].key[1:]], 1),)
    assert (rules.placing(red), rules.placing(black)) == (0, 1)
    after = rules.play(red, "Rc9")
    assert keys(rules.options(after)) == {f"B{cell}" for cell in AVALAM.cells if cell != "c9"}
    assert rules.placing(after) == 1


def test_black_may_begin_a_free_set_up(rules: EngineRules) -> None:
    start = AVALAM.initial(setup="free", first="black")
    assert keys(rules.options(Node(start))) == {f"B{cell}" for cell in AVALAM.cells}


def test_where_a_colour_is_used_up_the_other_one_is_placed(rules: EngineRules) -> None:
    placing: Position = AVALAM.initial(setup="free")
    for cell in AVALAM.cells[:24]:
        placing = placing.play(AVALAM.parse_move(f"R{cell}", placing))
    left = {f"B{cell}" for cell in AVALAM.cells[24:]}
    assert keys(rules.options(Node(placing, placing=0))) == left
    assert keys(rules.options(Node(replace(placing, turn=0)))) == left


def test_where_nobodys_colour_is_wanted_any_will_do(rules: EngineRules) -> None:
    start = AVALAM.initial(setup="free")
    options = rules.options(Node(start, placing=7))
    assert {option.key[1:] for option in options} == set(AVALAM.cells)

"""What towers mean in a game: agreed, a move, taken back, gone on, or nothing the rules allow."""

from __future__ import annotations

import pytest

from controller.core.options import Option
from controller.core.stories import History, Label, Meaning, Step, Story, changes, ends
from tests.unit.controller.core.toy import START, ToyNode, ToyRules, changed


def history(*keys: str, has_box: bool = False, start: tuple[int, ...] = START) -> History:
    """A history in which these moves were agreed one by one."""
    made = History(ToyRules(has_box), ToyNode(start))
    for key in keys:
        made.push(key)
    return made


def changed_start(after: dict[int, int]) -> tuple[int, ...]:
    """The start with some places changed."""
    return tuple(changed(START, after))


def test_changes_are_the_places_that_differ() -> None:
    assert changes((1, 2, 0), (1, 0, 3)) == {(1, 0), (2, 3)}
    assert changes((1, 2), (1, 2)) == frozenset()
    with pytest.raises(ValueError, match="zip"):
        changes((1, 2), (1,))


@pytest.mark.parametrize(
    ("after", "found"),
    [(((0, 0), (1, 2)), (0, 1)), (((3, 1),), (3, None)), (((2, 1),), (None, 2)), (((4, 1),), (None, None))],
)
def test_the_ends_of_a_move(after: tuple[tuple[int, int], ...], found: tuple[int | None, int | None]) -> None:
    assert ends(Option("x", after), (1, 1, 0, 2, 1)) == found


def test_what_stands_already_is_agreed() -> None:
    assert history("01").label([0, 2, 1, 1, 1, 1, 1, 1, 1]) == Label(Meaning.AGREED)


def test_a_legal_move() -> None:
    assert history().label(changed(START, {0: 0, 1: 2})) == Label(Meaning.MOVE, ("01",))
    assert history("01").label(changed(START, {0: 0, 1: 0, 4: 3})) == Label(Meaning.MOVE, ("14",))


def test_a_move_across_a_corner_is_illegal_in_the_toy() -> None:
    assert history().label(changed(START, {0: 0, 4: 2})) == Label(Meaning.ILLEGAL)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_take_backs_of_any_depth(depth: int) -> None:
    made = history("01", "58", "12")
    before = [ply.heights for ply in made.plies][-depth]
    undone = ("12", "58", "01")[:depth]
    assert made.label(before) == Label(Meaning.TAKEBACK, undone, depth)


def test_a_piece_from_the_box_is_taken_back_by_its_going() -> None:
    made = history("+2", has_box=True, start=changed_start({2: 0}))
    assert made.label(changed_start({2: 0})) == Label(Meaning.TAKEBACK, ("+2",), 1)


def test_what_the_same_piece_goes_on_with_amends_the_last_move() -> None:
    made = history("43")
    assert made.amendable
    assert made.label(changed(START, {4: 0, 5: 2})) == Label(Meaning.AMEND, ("45",))


def test_another_piece_amends_nothing() -> None:
    assert history("43").label(changed(START, {6: 0, 3: 2})) == Label(Meaning.ILLEGAL)


def test_once_something_else_happened_a_move_is_not_amended() -> None:
    made = history("43")
    made.amendable = False
    assert made.label(changed(START, {4: 0, 5: 2})) == Label(Meaning.ILLEGAL)
    assert History(ToyRules(), ToyNode(START)).label(changed(START, {4: 0, 8: 2})) == Label(Meaning.ILLEGAL)


def test_a_last_move_that_the_rules_no_longer_know_cannot_go_on() -> None:
    made = history("43")
    made.plies[-1].key = "+4"
    assert made.label(changed(START, {4: 0, 5: 2})) == Label(Meaning.ILLEGAL)


class _Removals(ToyRules):
    """A game in which a piece may be taken off the board."""

    def options(self, node: ToyNode) -> list[Option]:
        return [Option("-4", ((4, 0),))]


def test_a_move_that_takes_a_piece_off_goes_nowhere_and_brings_nothing() -> None:
    made = History(_Removals(), ToyNode(START))
    assert made.targets == {}
    assert not made.arrives
    assert made.label(changed(START, {4: 0})) == Label(Meaning.MOVE, ("-4",))


def test_after_several_moves_are_taken_back_by_word_nothing_on_the_way_is_a_move() -> None:
    made = history("01", "87", "25").rewritten(ToyNode(START), ())
    assert made.undone == 3
    assert made.label(changed(START, {0: 0, 1: 2})) == Label(Meaning.ILLEGAL)
    assert made.label(changed(START, {8: 0, 7: 2})) == Label(Meaning.ILLEGAL)
    assert made.label(START) == Label(Meaning.AGREED)
    made.at_home()
    assert made.label(changed(START, {0: 0, 1: 2})) == Label(Meaning.MOVE, ("01",))


def test_a_single_move_taken_back_by_word_may_be_made_anew_elsewhere() -> None:
    made = history("01").rewritten(ToyNode(START), ())
    assert made.undone == 1
    assert made.label(changed(START, {0: 0, 1: 2})) == Label(Meaning.ILLEGAL), "that is what stands"
    assert made.label(changed(START, {0: 0, 3: 2})) == Label(Meaning.MOVE, ("03",))
    made.push("03")
    assert made.undone == 0


def test_another_game_agreed_by_word_undoes_nothing() -> None:
    assert history("01").rewritten(ToyNode(START), ("87",)).undone == 0
    assert history("01").rewritten(ToyNode(START), ("01", "87")).undone == 0
    assert history("01", "87").rewritten(ToyNode(START), ("01",)).undone == 1


def test_pushing_and_popping_moves_agrees_on_positions() -> None:
    made = history("01", "12")
    assert made.heights == (0, 0, 3, 1, 1, 1, 1, 1, 1)
    assert made.node == ToyNode(made.heights, 2)
    assert made.targets[2] == [5]
    assert made.pop() == "12"
    assert made.heights == (0, 2, 1, 1, 1, 1, 1, 1, 1)
    assert not made.amendable
    assert made.pop() == "01"
    assert made.heights == START


def test_a_replayed_history_is_that_of_the_moves_but_nothing_can_go_on() -> None:
    made = History.replay(ToyRules(), ToyNode(START), iter(["43", "36"]))
    assert [ply.key for ply in made.plies] == ["43", "36"]
    assert made.heights == history("43", "36").heights
    assert not made.amendable


def test_another_view_of_the_same_position() -> None:
    made = history("01")
    options = len(made.options)
    made.set_node(ToyNode(made.heights, 7))
    assert made.node.ply == 7
    assert len(made.options) == options
    assert [ply.key for ply in made.plies] == ["01"]


def test_the_targets_of_every_piece() -> None:
    made = history()
    assert made.targets[0] == [1, 3]
    assert made.targets[4] == [1, 3, 5, 7]
    assert not made.arrives
    assert history(has_box=True, start=changed_start({4: 0})).arrives


# ---------------------------------------------------------------- stories


def test_a_story_with_nothing_set_down_leaves_nothing() -> None:
    lifted = Story({3: 0}, hand=3)
    assert lifted.landed == ()
    assert lifted.placed == frozenset()
    assert lifted.result == frozenset()
    gone = Story({3: 0}, (Step(3, None, 1),))
    assert gone.placed == {(3, 0)}
    assert gone.landed == ()
    assert gone.result == frozenset(), "nobody knows yet where it will go"


def test_a_story_with_a_second_tower_in_the_hand_leaves_what_landed() -> None:
    step = Step(0, 1, 1)
    story = Story({0: 0, 1: 2, 5: 0}, (step,), hand=5)
    assert story.landed == (step,)
    assert story.result == story.placed == {(0, 0), (1, 2)}

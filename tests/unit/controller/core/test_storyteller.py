"""The storyteller: what it proposes for what the board shows, and what it leaves out."""

from __future__ import annotations

import pytest

from controller.core.belief import Belief
from controller.core.places import Places
from controller.core.stories import History, Step, Story
from controller.core.storyteller import Storyteller
from controller.core.survey import Survey
from tests.unit.controller.core.toy import COUNT, NOISE_MT, START, ToyNode, ToyRules, changed, model

TOWERS = (1, 2, 0, 5, 1, 0, 0, 3, 1)


class Teller:
    """A storyteller over towers that are agreed, or believed to differ from what is agreed."""

    def __init__(
        self,
        towers: tuple[int, ...] = TOWERS,
        *,
        agreed: tuple[int, ...] | None = None,
        keys: tuple[str, ...] = (),
        has_box: bool = False,
        has_holes: bool = False,
    ) -> None:
        self.rules = ToyRules(has_box, has_holes)
        self.history = History.replay(self.rules, ToyNode(agreed or towers), keys)
        self.belief = Belief(model(), Places(COUNT, [NOISE_MT] * COUNT), towers)
        self.teller = Storyteller(self.rules)

    def tell(
        self,
        emptied: tuple[int, ...] = (),
        filled: tuple[int, ...] = (),
        touched: tuple[int, ...] = (),
        blind: tuple[int, ...] = (),
        *,
        at_rest: bool = True,
    ) -> list[Story]:
        seen = Survey(emptied, filled, touched, blind)
        return list(self.teller.tell(seen, self.belief, self.history, at_rest=at_rest))

    def ends_anywhere(self, emptied: tuple[int, ...]) -> set[int]:
        """Where the wide stories of these towers end."""
        seen = Survey(emptied, (), (), ())
        stories = self.teller.tell(seen, self.belief, self.history, at_rest=True, wide=True)
        return {step.target for s in stories for step in s.landed if step.target is not None}

    def after(self, *args: tuple[int, ...]) -> list[dict[int, int]]:
        return [story.after for story in self.tell(*args)]


def test_where_nothing_is_gone_nothing_may_have_happened() -> None:
    assert Teller().tell()[0] == Story({})
    assert Teller().tell((), (), (0,))[0] == Story({})


def test_a_lifted_tower_is_in_a_hand_or_away_or_on_a_legal_place() -> None:
    stories = Teller().tell((4,))
    assert stories == [
        Story({4: 0}, hand=4),
        Story({4: 0}, (Step(4, None, 1),)),
        Story({4: 0, 1: 3}, (Step(4, 1, 1),)),
        Story({4: 0, 7: 4}, (Step(4, 7, 1),)),
    ]


def test_a_tower_may_also_be_where_something_stirred_or_nothing_is_known() -> None:
    assert Teller().after((4,), (5,), (8,), (3,))[2:7] == [
        {4: 0, 1: 3},
        {4: 0, 7: 4},
        {4: 0, 5: 1},
        {4: 0, 8: 2},
        {4: 0, 3: 6},
    ]


def test_wide_stories_end_on_any_tower_but_not_on_bare_wood() -> None:
    assert Teller().ends_anywhere((4,)) == {0, 1, 3, 7, 8}
    assert {target for s in Teller().tell((4,)) for target in s.after if target != 4} == {1, 7}


def test_no_tower_is_taller_than_the_tables_know() -> None:
    towers = changed(TOWERS, {0: 6, 8: 4})
    made = Teller(tuple(towers))
    assert {3: 0, 8: 9} in made.after((3,), (), (0, 8))
    assert not any(after.get(0, 0) > 10 for after in made.after((3,), (), (0, 8)))


def test_a_tower_is_not_set_down_on_its_own_place() -> None:
    assert all(story.after[4] == 0 for story in Teller().tell((4,), (), (4,)))


def test_part_of_a_tower_goes_away_or_somewhere_else() -> None:
    assert Teller().after((), (), (1, 4)) == [
        {},
        {1: 1},
        {1: 1, 4: 2},
    ]
    assert {7: 1, 5: 2} in Teller().after((), (5,), (7,))
    assert {7: 2, 1: 3} in Teller().after((), (), (1,), (7,))


def test_a_tower_that_cannot_be_seen_may_be_the_one_that_moved() -> None:
    stories = Teller().tell((), (), (1,), (4,))
    assert Story({4: 0}, hand=4) in stories
    assert Story({4: 0, 1: 3}, (Step(4, 1, 1),)) in stories


def test_one_piece_may_come_from_the_box() -> None:
    arrival = Story({5: 1}, (Step(None, 5, 1),))
    assert arrival in Teller().tell((), (5,))
    assert all(step.origin is not None for s in Teller().tell((), (2, 5)) for step in s.steps)


def test_only_the_most_changed_of_many_touched_places_count() -> None:
    made = Teller(START)
    for k in range(COUNT):
        made.belief.off[k] = 0.1 * k * (-1) ** k
    stories = made.tell((0,), (), tuple(range(1, 9)))
    assert {max(story.after) for story in stories if len(story.after) == 2} == {1, 3, 4, 5, 6, 7, 8}, (
        "1 and 3 as they are legal, the others as they changed the most"
    )


def test_what_is_still_to_be_put_right_takes_part_though_nothing_stirs() -> None:
    agreed = tuple(changed(TOWERS, {7: 2, 4: 2}))
    made = Teller(TOWERS, agreed=agreed)
    assert {7: 2, 4: 2} in made.after((), (), (4,)), "a piece from 7, where one is too many"
    assert Story({7: 2, 4: 2, 0: 0}, (Step(7, 4, 1),), 0) in made.tell((0,), (), (4,))


def test_before_anything_is_wrong_no_mistake_is_put_right() -> None:
    assert not [s for s in Teller().tell((0,), (), (7, 4)) if s.hand is not None and s.landed]


def test_two_towers_gone_one_is_down_and_one_in_a_hand() -> None:
    stories = Teller().tell((0, 4), at_rest=False)
    assert stories[0] == Story({0: 0, 4: 0}, hand=4)
    assert Story({0: 0, 1: 3, 4: 0}, (Step(0, 1, 1),), 4) in stories
    assert Story({4: 0, 7: 4, 0: 0}, (Step(4, 7, 1),), 0) in stories
    assert all(story.hand in (0, 4) for story in stories)


def test_the_tower_just_built_may_be_in_the_hand() -> None:
    stories = Teller().tell((1, 4), at_rest=False)
    assert Story({4: 0, 1: 0}, (Step(4, 1, 1),), 1) in stories
    assert Story({4: 0, 1: 0}, (Step(1, 4, 2),), 4) in stories


def test_two_moves_in_a_row_are_told_at_rest_only() -> None:
    def lines(*, at_rest: bool) -> set[tuple[str, ...]]:
        made = Teller()
        found = []
        for _ in range(10):
            found += [s.keys for s in made.tell((0, 8), (), (1, 7), at_rest=at_rest) if s.keys]
        return set(found)

    assert lines(at_rest=True) == {("01", "87"), ("87", "01")}
    assert lines(at_rest=False) == set()


def test_moves_in_a_row_leave_what_they_leave_together() -> None:
    (story,) = [s for s in Teller().tell((0, 1), (), (4,)) if s.keys == ("01", "14")]
    assert story.after == {0: 0, 1: 0, 4: 4}
    assert story.steps == (Step(0, 1, 1), Step(1, 4, 3))


def test_no_line_of_moves_fills_a_place_that_is_empty_now() -> None:
    made = Teller(tuple(changed(START, {5: 0})), has_holes=True)
    found: set[tuple[str, ...]] = set()
    for _ in range(10):
        found |= {s.keys for s in made.tell((0, 3), (), (1, 4, 6)) if s.keys}
    assert ("01", "34") in found
    assert ("01", "30") not in found, "0 was filled again, but it reads empty"


def test_three_moves_in_a_row_are_told_a_few_positions_at_a_time() -> None:
    made = Teller(START)
    found: set[tuple[str, ...]] = set()
    frames = 0
    while not frames or not made.teller.complete:
        before = len(made.rules.asked)
        found |= {s.keys for s in made.tell((0, 2, 6), (), (1, 3, 5, 7)) if s.keys}
        assert len(made.rules.asked) - before <= 2 * 3, "no frame may cost much"
        frames += 1
        assert frames < 100
    assert frames > 3
    assert ("01", "25", "67") in found
    assert ("67", "25", "01") in found
    assert all(len(keys) == 3 for keys in found)


def test_more_than_three_towers_gone_is_no_story() -> None:
    assert Teller(START).tell((0, 2, 6, 8)) == []
    assert Teller(START).tell((0, 2, 6), at_rest=False) == []


def test_moves_in_a_row_begin_where_the_board_agrees() -> None:
    agreed = tuple(changed(TOWERS, {7: 2, 4: 2}))
    assert not [s for s in Teller(TOWERS, agreed=agreed).tell((0, 8), (), (1, 7)) if s.keys]


def test_positions_are_opened_anew_after_a_move() -> None:
    made = Teller(START)
    made.tell((0, 2), (), (1, 5))
    made.tell((0, 2), (), (1, 5))
    made.history.push("87")
    made.belief.heights[8], made.belief.heights[7] = 0, 2
    stories = made.tell((0, 2), (), (1, 5))
    assert any(s.keys for s in stories)
    for story in stories:
        assert 8 not in story.after


@pytest.mark.parametrize("has_box", [True, False])
def test_the_order_of_stories_is_always_the_same(has_box: bool) -> None:
    told = [Teller(has_box=has_box).tell((4,), (5,), (0, 1, 7), (3,)) for _ in range(2)]
    assert told[0] == told[1]

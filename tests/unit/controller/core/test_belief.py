"""The belief: how well stories fit what is read, and whether a tower stands or is held."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from controller.core.belief import Belief
from controller.core.held import Held
from controller.core.places import Places
from tests.unit.controller.core.toy import (
    COUNT,
    NOISE_MT,
    POSITIONS_MM,
    START,
    InHand,
    at_rest,
    changed,
    model,
    over,
    show,
)

TOWERS = (1, 2, 0, 5, 1, 0, 0, 3, 1)
CLEARLY = 20.0


def believing(
    shown: Mapping[int, int],
    *,
    hand: InHand | None = None,
    aside_mt: Mapping[int, float] | None = None,
    before: tuple[int, ...] = TOWERS,
    frames: int = 10,
) -> Belief:
    """A belief in `before` while the board shows something else."""
    places, belief, readings = at_rest(before)
    show(places, belief, readings, changed(before, shown), hand=hand, aside_mt=aside_mt, frames=frames)
    return belief


# ---------------------------------------------------------------- what is expected


def test_what_stands_is_what_is_expected() -> None:
    _, belief, _ = at_rest(TOWERS)
    for k in range(COUNT):
        assert belief.expected(k) == pytest.approx(model().scene(TOWERS)[k], abs=NOISE_MT)
    assert belief.cost({}) == 0.0
    assert sum(belief.base_cost) < 2 * COUNT


def test_settling_a_story_changes_what_is_expected_everywhere() -> None:
    belief = believing({4: 0, 1: 3})
    belief.settle({4: 0, 1: 3})
    assert belief.heights == changed(TOWERS, {4: 0, 1: 3})
    for k, field_mt in enumerate(model().scene(belief.heights)):
        assert belief.scene[k] == pytest.approx(field_mt, abs=1e-9)
    assert belief.expected(1) == pytest.approx(belief.seen[1])
    assert belief.expected(4) == pytest.approx(belief.seen[4])
    belief.look(10)
    assert sum(belief.base_cost) < 2 * COUNT


def test_a_piece_that_stands_aside_is_taken_as_it_reads() -> None:
    belief = believing({}, aside_mt={3: 1.2})
    assert belief.off[3] == pytest.approx(1.2, abs=NOISE_MT)
    belief.reseat(3)
    belief.look(10)
    assert belief.off[3] == pytest.approx(0.0, abs=NOISE_MT)


def test_slow_drift_is_followed() -> None:
    places, belief, readings = at_rest(TOWERS)
    for step in range(400):
        show(places, belief, readings, TOWERS, aside_mt={0: step * 0.002}, frames=1)
        belief.follow(range(COUNT))
    assert belief.expected(0) == pytest.approx(model().scene(TOWERS)[0] + 0.8, abs=0.1)
    assert belief.expected(3) == pytest.approx(model().scene(TOWERS)[3], abs=0.03)


def test_drift_is_followed_only_where_it_is_asked_for() -> None:
    places, belief, readings = at_rest(TOWERS)
    before = list(belief.offset)
    show(places, belief, readings, TOWERS, aside_mt=dict.fromkeys(range(COUNT), 0.08), frames=10)
    belief.follow([2])
    assert [k for k in range(COUNT) if belief.offset[k] != before[k]] == [2]


def test_more_frames_say_more() -> None:
    places, belief, readings = at_rest(TOWERS, frames=40)
    show(places, belief, readings, TOWERS, frames=1)
    belief.look(1)
    alone = belief.variance(0)
    belief.look(16)
    assert belief.variance(0) < alone
    assert belief.variance(0) > 0.012**2, "the model itself is off by a little"


# ---------------------------------------------------------------- stories

CHANGES: dict[str, dict[int, int]] = {
    "onto a neighbour": {4: 0, 1: 3},
    "onto a tall one": {1: 0, 7: 5},
    "two onto one": {1: 0, 4: 3},
    "away": {4: 0},
    "into a hole": {4: 0, 5: 1},
    "part of a tower": {3: 4, 4: 2},
    "from the box": {5: 1},
    "nothing": {},
}


@pytest.mark.parametrize("what", CHANGES)
def test_the_true_story_fits_best(what: str) -> None:
    belief = believing(CHANGES[what])
    costs = {name: belief.cost(after) for name, after in CHANGES.items()}
    truth = costs.pop(what)
    assert min(costs.values()) > truth + CLEARLY
    assert truth < CLEARLY if what == "nothing" else truth < 0.0


@pytest.mark.parametrize("dead", [1, 4])
def test_the_neighbours_see_what_happens_on_a_dead_place(dead: int) -> None:
    places, belief, readings = at_rest(TOWERS)
    readings.unread = {dead}
    show(places, belief, readings, changed(TOWERS, {4: 0, 1: 3}), frames=14)
    assert not places.usable[dead]
    costs = {name: belief.cost(after) for name, after in CHANGES.items()}
    truth = costs.pop("onto a neighbour")
    assert min(costs.values()) > truth + CLEARLY


def test_another_height_of_the_same_tower_is_another_story() -> None:
    belief = believing({4: 0, 1: 3})
    assert belief.cost({4: 0, 1: 3}) + CLEARLY < belief.cost({4: 0, 1: 4})
    assert belief.cost({4: 0, 1: 3}) + CLEARLY < belief.cost({4: 0, 1: 2})


def test_a_story_that_changes_nothing_costs_what_anew_seating_does() -> None:
    belief = believing({})
    assert belief.shifts({3: 5}) == {3: 0.0}
    assert 0.0 < belief.cost({3: 5}) < 12.0


def test_the_shifts_of_a_story_are_differences_of_fields() -> None:
    _, belief, _ = at_rest(TOWERS)
    shifts = belief.shifts({4: 0, 1: 3})
    after = model().scene(changed(TOWERS, {4: 0, 1: 3}))
    for k in range(COUNT):
        assert shifts[k] == pytest.approx(after[k] - model().scene(TOWERS)[k], abs=1e-9)


def test_no_place_says_more_than_it_can_know() -> None:
    _, belief, _ = at_rest(TOWERS)
    assert belief.unchanged_cost(2, 50.0) == 100.0, "an empty place"
    assert belief.unchanged_cost(3, 0.0) == 0.0
    assert 16.0 < belief.unchanged_cost(3, 0.5) < 17.0, "a nudge explains it"
    assert belief.unchanged_cost(3, 50.0) == 16.0 + 50.0
    assert belief.unchanged_cost(3, -0.5) == belief.unchanged_cost(3, 0.5)
    assert belief.seated_cost(0.0) == 7.0
    assert belief.seated_cost(1.6) == pytest.approx(8.0)
    assert belief.seated_cost(100.0) == 57.0
    assert belief.changed_cost(3, 0, -belief.scene[3]) == 100.0


def test_what_a_piece_set_down_anew_adds_is_known_less_exactly() -> None:
    _, belief, _ = at_rest(TOWERS, frames=40)
    for off_mt in (0.1, 0.2):
        tight, wide = belief.unchanged_cost(2, off_mt), belief.unchanged_cost(2, off_mt, shift=2.0)
        assert wide < tight
        assert belief.unchanged_cost(2, off_mt, shift=-2.0) == wide
        assert belief.unchanged_cost(2, off_mt, shift=0.05) == tight
    assert belief.unchanged_cost(2, 0.0, shift=2.0) > 0.0, "but it is not free"


def test_a_misfit_is_about_one_where_a_story_is_true() -> None:
    belief = believing({4: 0, 1: 3})
    around = range(COUNT)
    assert belief.misfit({4: 0, 1: 3}, around) < 2.0
    assert belief.misfit({4: 0, 7: 4}, around) > 5.0
    assert belief.misfit({}, around) > 5.0
    assert belief.misfit({4: 0, 1: 3}, [1, 4]) == 0.0, "the places it changes say nothing of it"


def test_a_misfit_leaves_out_what_cannot_be_trusted() -> None:
    places, belief, readings = at_rest(TOWERS)
    show(places, belief, readings, TOWERS, aside_mt={8: 9.0})
    assert belief.misfit({}, [0, 8]) > 5.0
    places.mask({8})
    assert belief.misfit({}, [0, 8]) < 3.0
    assert belief.misfit({}, [8]) == 0.0


# ---------------------------------------------------------------- held or standing


def held_over(place: int, clearance_mm: float, origin: int = 4) -> InHand:
    top_mm = 8.0 * TOWERS[place]
    return over(place, TOWERS[origin], top_mm + clearance_mm)


@pytest.mark.parametrize("target", [0, 1, 7])
def test_a_piece_that_stands_is_not_held(target: int) -> None:
    belief = believing({4: 0, target: TOWERS[target] + 1})
    hover = belief.hover({4: 0}, 1, target)
    assert hover.lead > 0.0
    assert hover.clearance_mm < 6.0, "what comes nearest is a hold that almost touches"


@pytest.mark.parametrize("clearance_mm", [4.5, 8.0, 14.0, 25.0])
@pytest.mark.parametrize("target", [0, 1, 7])
def test_a_piece_held_over_a_tower_does_not_stand(target: int, clearance_mm: float) -> None:
    belief = believing({4: 0}, hand=held_over(target, clearance_mm))
    hover = belief.hover({4: 0}, 1, target)
    assert hover.lead < -5.0
    assert hover.place == target
    assert hover.clearance_mm == pytest.approx(clearance_mm, abs=2.0)


def test_a_piece_held_over_another_place_is_found_there() -> None:
    belief = believing({4: 0}, hand=held_over(8, 5.0))
    hover = belief.hover({4: 0}, 1, 1)
    assert hover.lead < -50.0
    assert hover.place == 8


def test_a_tower_is_held_or_stands_on_what_is_left_of_its_own() -> None:
    belief = believing({3: 4, 4: 2})
    assert belief.hover({3: 4}, 1, 4).lead > 0.0
    lifted = believing({3: 4}, hand=over(4, 1, 8.0 + 12.0))
    assert lifted.hover({3: 4}, 1, 4).lead < -5.0


def test_a_hold_is_weighed_without_the_places_that_cannot_be_trusted() -> None:
    places, belief, readings = at_rest(TOWERS)
    readings.unread = {1}
    show(places, belief, readings, changed(TOWERS, {4: 0}), hand=held_over(1, 9.0), frames=14)
    assert belief.hover({4: 0}, 1, 1).lead < 0.0


def test_the_cost_of_a_pose_is_least_where_the_tower_is() -> None:
    pose = (POSITIONS_MM[4][0] + 1.0, POSITIONS_MM[4][1] - 2.0, 24.0)
    belief = believing({4: 0}, hand=InHand(1, pose))
    held = Held(belief, {4: 0}, belief.shifts({4: 0}), 1, range(COUNT))
    best = held.cost(pose)
    for dx, dy, dz in [(6, 0, 0), (-6, 0, 0), (0, 6, 0), (0, -6, 0), (0, 0, 6), (0, 0, -6)]:
        assert held.cost((pose[0] + dx, pose[1] + dy, pose[2] + dz)) > best
    cost, found = held.best((*POSITIONS_MM[4], 20.0), 10.0, 90.0)
    assert cost <= best + 1.0
    assert found == pytest.approx(pose, abs=1.0)


def test_a_seated_tower_may_lie_a_little_aside_at_a_price() -> None:
    belief = believing({4: 0, 1: 3})
    seated = Held(belief, {4: 0}, belief.shifts({4: 0}), 1, range(COUNT), seat=1)
    free = Held(belief, {4: 0}, belief.shifts({4: 0}), 1, range(COUNT))
    x_mm, y_mm = POSITIONS_MM[1]
    assert seated.cost((x_mm, y_mm, 16.0)) < seated.cost((x_mm + 4.0, y_mm, 16.0))
    assert seated.cost((x_mm, y_mm, 16.0)) < free.cost((x_mm, y_mm, 16.0)) + 8.0


def test_the_best_pose_is_never_worse_than_where_the_search_began() -> None:
    belief = believing({4: 0}, hand=held_over(1, 30.0))
    held = Held(belief, {4: 0}, belief.shifts({4: 0}), 1, range(COUNT))
    for start in [(0.0, 0.0, 12.0), (60.0, 60.0, 50.0), (30.0, 0.0, 46.0)]:
        assert held.best(start, 10.0, 90.0)[0] <= held.cost(start)


def test_a_belief_needs_no_frames_to_exist() -> None:
    belief = Belief(model(), Places(COUNT, [NOISE_MT] * COUNT), START)
    assert belief.expected(4) == pytest.approx(model().scene(START)[4])
    assert belief.cost({4: 0, 1: 2}) == 0.0, "without a reading nothing is better or worse"

"""The survey: which places read otherwise than believed, and which towers are in the air."""

from __future__ import annotations

import pytest

from controller.core.survey import Lifts, Survey, occupancy_faults, survey, touched_mt
from tests.unit.controller.core.toy import START, at_rest, changed, model, over, show

TOWERS = (1, 2, 0, 5, 1, 0, 0, 3, 1)


def seen(
    shown: tuple[int, ...] | list[int], *, aside_mt: dict[int, float] | None = None, unread: int | None = None
) -> Survey:
    places, belief, readings = at_rest(TOWERS)
    if unread is not None:
        readings.unread = {unread}
    show(places, belief, readings, shown, aside_mt=aside_mt, frames=14)
    return survey(belief, places)


def test_what_reads_as_believed_is_quiet() -> None:
    found = seen(TOWERS)
    assert found == Survey((), (), (), ())
    assert found.quiet
    assert found.stirred == ()


def test_a_tower_that_is_gone_leaves_its_place_emptied_and_others_touched() -> None:
    found = seen(changed(TOWERS, {4: 0}))
    assert found.emptied == (4,)
    assert set(found.touched) >= {1, 3, 7}
    assert found.filled == ()
    assert not found.quiet
    assert found.stirred == (4, *found.touched)


def test_a_piece_on_an_empty_place_fills_it() -> None:
    found = seen(changed(TOWERS, {5: 1}))
    assert found.filled == (5,)
    assert found.emptied == ()


@pytest.mark.parametrize(("share", "is_filled"), [(0.2, False), (0.4, True)])
def test_an_empty_place_counts_as_filled_from_a_third_of_a_piece(share: float, is_filled: bool) -> None:
    found = seen(TOWERS, aside_mt={5: share * model().single_mt})
    assert (found.filled == (5,)) is is_filled
    assert found.touched == (), "an empty place is never touched"


@pytest.mark.parametrize(("share", "kind"), [(0.65, "emptied"), (0.75, "touched")])
def test_a_place_counts_as_emptied_below_two_thirds(share: float, kind: str) -> None:
    _, belief, _ = at_rest(TOWERS)
    found = seen(TOWERS, aside_mt={3: (share - 1.0) * belief.expected(3)})
    assert getattr(found, kind) == (3,)


def test_a_tower_that_reads_a_little_otherwise_is_touched() -> None:
    assert seen(TOWERS, aside_mt={7: 0.3}).touched == (7,)
    assert seen(TOWERS, aside_mt={7: -0.3}).touched == (7,)
    assert seen(TOWERS, aside_mt={7: 0.05}).touched == ()


def test_a_piece_far_above_its_place_is_emptied() -> None:
    places, belief, readings = at_rest(START)
    show(places, belief, readings, changed(START, {4: 0}), hand=over(4, 1, 30.0))
    assert survey(belief, places).emptied == (4,)


def test_a_place_that_cannot_be_read_is_blind_only_where_a_piece_stands() -> None:
    assert seen(changed(TOWERS, {4: 0}), unread=4).blind == (4,)
    assert seen(changed(TOWERS, {4: 0}), unread=4).emptied == ()
    assert seen(changed(TOWERS, {5: 1}), unread=5) == Survey((), (), (1, 4, 7, 8), ()), (
        "its neighbours feel it"
    )


def test_a_place_that_was_not_read_for_a_moment_keeps_its_last_good_value() -> None:
    places, belief, readings = at_rest(START)
    show(places, belief, readings, changed(START, {4: 0}), frames=3)
    readings.unread = {4}
    show(places, belief, readings, changed(START, {4: 0}), frames=1)
    assert survey(belief, places).emptied == (4,)


def test_the_noise_of_a_place_widens_what_counts_as_touched() -> None:
    places, _, _ = at_rest(START)
    calm_mt = touched_mt(places, 0)
    places.noise[0] *= 10
    assert touched_mt(places, 0) > calm_mt
    places.length[0] = 0
    assert touched_mt(places, 0) == pytest.approx(0.1 + 4.0 * places.noise[0])


def test_occupancy_alone_tells_what_is_missing_and_what_is_extra() -> None:
    places, belief, readings = at_rest(TOWERS)
    half_mt = 0.5 * model().single_mt
    assert occupancy_faults(TOWERS, places, half_mt) == ([], [])
    show(places, belief, readings, changed(TOWERS, {0: 0, 7: 0, 5: 1, 6: 4}))
    assert occupancy_faults(TOWERS, places, half_mt) == ([0, 7], [5, 6])
    readings.unread = {0, 5}
    show(places, belief, readings, changed(TOWERS, {0: 0, 7: 0, 5: 1, 6: 4}), frames=14)
    assert occupancy_faults(TOWERS, places, half_mt) == ([7], [6]), "what is not read says nothing"


# ---------------------------------------------------------------- lifts


def test_a_lift_is_shown_after_two_frames_and_gone_at_once() -> None:
    lifts = Lifts()
    assert not lifts.watch([4], 100)
    assert (lifts.shown, lifts.replied, lifts.is_up(4)) == (None, True, False)
    assert lifts.watch([4], 120)
    assert (lifts.shown, lifts.replied, lifts.is_up(4)) == (4, False, True)
    assert not lifts.watch([4], 140)
    assert lifts.since_ms == {4: 100}
    assert lifts.watch([], 160)
    assert (lifts.shown, lifts.replied, lifts.is_up(4)) == (None, False, False)
    assert not lifts.watch([], 180)


def test_a_flicker_is_never_shown() -> None:
    lifts = Lifts()
    for t_ms in range(0, 400, 40):
        assert not lifts.watch([4], t_ms)
        assert not lifts.watch([], t_ms + 20)


def test_the_first_of_two_lifts_stays_shown_until_it_is_down() -> None:
    lifts = Lifts()
    for t_ms in (0, 20):
        lifts.watch([4], t_ms)
    assert not lifts.watch([2, 4], 40)
    assert lifts.replied
    assert not lifts.watch([2, 4], 60)
    assert lifts.shown == 4
    assert lifts.since_ms == {2: 40, 4: 0}
    assert lifts.watch([2], 80)
    assert lifts.shown == 2


def test_a_place_that_was_down_in_between_begins_anew() -> None:
    lifts = Lifts()
    for t_ms, emptied in enumerate(([4], [4], [], [4])):
        lifts.watch(emptied, t_ms)
    assert lifts.since_ms == {4: 3}
    assert not lifts.is_up(4)

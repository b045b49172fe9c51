"""Every place's own story: means that forget, jumps that are seen at once, sensors that cannot be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from controller.core.places import LONGEST_WINDOW, Places

NOISE_MT = 0.02
PERIOD_MS = 20


class Feed:
    """Three places, fed frame by frame."""

    def __init__(self, noise_mt: float = NOISE_MT) -> None:
        self.places = Places(3, [noise_mt] * 3)
        self.t_ms = 0
        self._rng = Random(7)

    def frame(self, values: Sequence[float | None], noise_mt: float = NOISE_MT) -> None:
        self.t_ms += PERIOD_MS
        noisy = [None if v is None else v + self._rng.gauss(0.0, noise_mt) for v in values]
        self.places.feed(self.t_ms, noisy)

    def frames(self, count: int, values: Sequence[float | None], noise_mt: float = NOISE_MT) -> None:
        for _ in range(count):
            self.frame(values, noise_mt)


def test_before_the_first_frame_nothing_is_known() -> None:
    places = Places(2, [NOISE_MT] * 2)
    assert places.value == [None, None]
    assert places.usable == [False, False]
    assert places.length == [0, 0]
    assert places.window(range(2)) == 1


def test_a_mean_settles_on_what_is_read() -> None:
    feed = Feed()
    feed.frames(30, [26.0, 0.0, 5.0])
    assert feed.places.mean == pytest.approx([26.0, 0.0, 5.0], abs=3 * NOISE_MT / 16**0.5)
    assert feed.places.usable == [True] * 3
    assert feed.places.faults == {}
    assert feed.places.frames == 30
    assert max(feed.places.length) == 16


def test_a_jump_begins_a_segment_at_once() -> None:
    feed = Feed()
    feed.frames(30, [26.0, 0.0, 5.0])
    began_ms = feed.places.jumped_ms[1]
    feed.frame([20.0, 0.0, 5.0])
    assert feed.places.jumped_ms == [feed.t_ms, began_ms, feed.places.jumped_ms[2]]
    assert feed.places.length[0] == 1
    assert feed.places.mean[0] == pytest.approx(20.0, abs=5 * NOISE_MT)
    assert feed.places.mean[1] == pytest.approx(0.0, abs=NOISE_MT)


@pytest.mark.parametrize("step_mt", [3.5 * NOISE_MT, -3.5 * NOISE_MT])
def test_a_small_step_is_seen_by_its_second_value(step_mt: float) -> None:
    places = Places(1, [NOISE_MT])
    for n in range(30):
        places.feed(n * PERIOD_MS, [10.0 + 0.3 * NOISE_MT * (-1) ** n])
    began_ms, noise = places.jumped_ms[0], places.noise[0]
    step_mt *= noise / NOISE_MT
    places.feed(600, [10.0 + step_mt])
    assert places.jumped_ms[0] == began_ms
    places.feed(620, [10.0 + 1.01 * step_mt])
    assert places.jumped_ms[0] == 620
    assert places.length[0] == 2
    assert places.mean[0] == pytest.approx(10.0 + 1.005 * step_mt)
    assert places.window([0]) == 2, "both values are after the step"


def test_two_values_off_to_either_side_are_no_step() -> None:
    places = Places(1, [NOISE_MT])
    for n in range(30):
        places.feed(n * PERIOD_MS, [10.0 + 0.3 * NOISE_MT * (-1) ** n])
    began_ms, off_mt = places.jumped_ms[0], 3.5 * places.noise[0]
    places.feed(600, [10.0 + off_mt])
    places.feed(620, [10.0 - off_mt])
    places.feed(640, [10.0])
    places.feed(660, [10.0 - off_mt])
    assert places.jumped_ms[0] == began_ms


def test_the_window_goes_back_to_the_newest_jump_of_some_places() -> None:
    feed = Feed()
    feed.frames(20, [26.0, 0.0, 5.0])
    feed.frames(6, [0.0, 0.0, 5.0])
    feed.frames(3, [0.0, 26.0, 5.0])
    places = feed.places
    assert places.window([1]) == 3
    assert places.window([0, 1]) == 3
    assert places.window([0]) == 9
    assert places.window([2]) == places.window([]) == LONGEST_WINDOW
    assert places.means(3) == pytest.approx([0.0, 26.0, 5.0], abs=3 * NOISE_MT)
    assert places.means(9)[1] == pytest.approx(26.0 / 3, abs=0.1), "a longer window holds older values"


def test_a_window_is_never_longer_than_what_was_read() -> None:
    feed = Feed()
    feed.frames(4, [26.0, 0.0, 5.0])
    assert feed.places.window([]) == 4
    assert feed.places.means(4)[0] == pytest.approx(26.0, abs=3 * NOISE_MT)


def test_the_noise_of_a_place_is_learned_while_it_rests() -> None:
    feed = Feed()
    feed.frames(400, [26.0, 0.0, 5.0], noise_mt=0.04)
    assert feed.places.noise == pytest.approx([0.04] * 3, rel=0.3)
    feed.frames(400, [26.0, 0.0, 5.0], noise_mt=0.0001)
    assert feed.places.noise == [0.012] * 3, "no sensor is that good"


# ---------------------------------------------------------------- sensors that cannot be trusted


def test_a_place_that_is_not_read_keeps_its_mean_and_is_named_after_a_while() -> None:
    feed = Feed()
    feed.frames(20, [26.0, 0.0, 5.0])
    feed.frames(11, [None, 0.0, 5.0])
    assert feed.places.value[0] is None
    assert feed.places.faults == {}
    assert feed.places.usable[0], "a few values more or less do not matter"
    feed.frame([None, 0.0, 5.0])
    assert feed.places.faults == {0: "unread"}
    assert feed.places.usable == [False, True, True]
    assert feed.places.mean[0] == pytest.approx(26.0, abs=NOISE_MT)
    assert feed.places.means(5)[0] == pytest.approx(26.0, abs=NOISE_MT)


def test_a_place_that_is_read_again_is_well_at_once() -> None:
    feed = Feed()
    feed.frames(20, [26.0, 0.0, 5.0])
    feed.frames(30, [None, 0.0, 5.0])
    feed.frame([26.0, 0.0, 5.0])
    assert feed.places.faults == {}
    assert feed.places.usable[0]


def test_a_place_that_was_never_read_is_not_usable() -> None:
    feed = Feed()
    feed.frames(20, [None, 0.0, 5.0])
    assert feed.places.faults == {0: "unread"}
    assert feed.places.length[0] == 0
    assert feed.places.mean[0] == 0.0


def test_a_place_whose_digits_never_dance_is_frozen() -> None:
    places = Places(2, [NOISE_MT] * 2)
    rng = Random(1)
    for n in range(13):
        places.feed(n * PERIOD_MS, [26.001, 26.0 + rng.gauss(0.0, NOISE_MT)])
        assert places.faults == ({} if n < 12 else {0: "frozen"})
    assert places.usable == [False, True]
    places.feed(300, [26.0, 26.0])
    assert places.faults == {}
    assert places.usable == [True, True]


def test_a_place_that_jumps_to_and_fro_is_noisy_until_it_is_calm() -> None:
    feed = Feed()
    feed.frames(10, [26.0, 0.0, 5.0])
    frames = 0
    while not feed.places.faults:
        feed.frame([26.0 + (-1) ** frames, 0.0, 5.0])
        frames += 1
        assert frames < 100
    assert feed.places.faults == {0: "noisy"}
    assert not feed.places.usable[0]
    assert 8 <= frames <= 40
    calm = 0
    while feed.places.faults:
        feed.frame([26.0, 0.0, 5.0])
        calm += 1
        assert calm < 200
    assert feed.places.usable[0]
    assert calm > 5, "it has to prove itself"


def test_hands_that_come_and_go_do_not_make_a_place_noisy() -> None:
    feed = Feed()
    for _ in range(20):
        feed.frames(12, [26.0, 0.0, 5.0])
        feed.frames(12, [0.0, 26.0, 5.0])
    assert feed.places.faults == {}


def test_a_lift_that_passes_through_many_values_does_not_make_a_place_noisy() -> None:
    feed = Feed()
    for _ in range(10):
        for share in range(10):
            feed.frame([26.0 * (1 - share / 10), 0.0, 5.0])
        feed.frames(8, [0.0, 0.0, 5.0])
        for share in range(10):
            feed.frame([26.0 * share / 10, 0.0, 5.0])
        feed.frames(8, [26.0, 0.0, 5.0])
    assert feed.places.faults == {}


def test_masked_places_are_ignored_until_they_are_no_longer() -> None:
    feed = Feed()
    feed.frames(5, [26.0, 0.0, 5.0])
    feed.places.mask({1})
    assert feed.places.usable == [True, False, True]
    feed.frames(5, [26.0, 0.0, 5.0])
    assert feed.places.usable == [True, False, True]
    feed.frames(12, [26.0, None, 5.0])
    feed.frame([26.0, 0.0, 5.0])
    assert feed.places.faults == {}
    assert not feed.places.usable[1], "being well again does not unmask it"
    feed.places.mask(set())
    feed.frame([26.0, 0.0, 5.0])
    assert feed.places.usable == [True] * 3

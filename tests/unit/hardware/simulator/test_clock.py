"""The board's time."""

from __future__ import annotations

import pytest

from hardware.simulator.clock import BoardClock


def test_on_its_own_it_stands_still() -> None:
    clock = BoardClock()
    assert (clock.now_us(), clock.now_ms()) == (0, 0)
    clock.advance_us(2_999)
    assert (clock.now_us(), clock.now_ms()) == (2_999, 2)
    clock.advance_to_us(1_000)
    assert clock.now_us() == 2_999
    clock.advance_to_us(4_000)
    assert clock.now_ms() == 4


def test_it_keeps_up_with_the_wall_but_never_goes_back() -> None:
    wall = [1_000]
    clock = BoardClock(lambda: wall[0])
    assert clock.now_us() == 1_000
    clock.advance_us(15_000)
    wall[0] = 9_000
    assert clock.now_us() == 16_000
    wall[0] = 40_000
    assert clock.now_us() == 40_000


def test_time_has_one_direction() -> None:
    with pytest.raises(ValueError, match="duration is -1 us"):
        BoardClock().advance_us(-1)

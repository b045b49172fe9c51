"""Brightness, gamma and the current limit."""

from __future__ import annotations

import pytest

from hardware.errors import DeviceClosedError
from hardware.leds.null import NullStrip
from hardware.leds.power import checked, current_ma, gamma_corrected, gamma_table, limited, scaled
from hardware.ports import BLACK, Colour

WHITE = Colour(255, 255, 255)


def test_a_white_pixel_draws_61_ma_and_a_dark_one_1() -> None:
    assert current_ma([WHITE]) == pytest.approx(61.0)
    assert current_ma([BLACK, BLACK]) == pytest.approx(2.0)
    assert current_ma([Colour(51, 0, 0)]) == pytest.approx(5.0)


def test_49_white_pixels_are_brought_down_to_two_amperes() -> None:
    frame = limited([WHITE] * 49)
    assert current_ma(frame) <= 2000.0
    assert current_ma(frame) == pytest.approx(2000.0, abs=49 * 3 * 20 / 255)
    assert frame == (Colour(169, 169, 169),) * 49


def test_the_whole_frame_is_scaled_so_that_colours_stay() -> None:
    frame = limited([Colour(200, 100, 0), Colour(50, 0, 0)], limit_ma=2.0 + 13.8)
    assert frame == (Colour(100, 50, 0), Colour(25, 0, 0))


def test_a_frame_within_the_limit_is_left_alone() -> None:
    frame = [Colour(1, 2, 3)] * 49
    assert limited(frame) == tuple(frame)


def test_a_limit_below_the_idle_current_is_darkness() -> None:
    assert limited([WHITE] * 3, limit_ma=1.0) == (BLACK,) * 3


@pytest.mark.parametrize("factor", [-0.1, 1.1])
def test_brightness_has_bounds(factor: float) -> None:
    with pytest.raises(ValueError, match="must be 0 to 1"):
        scaled([WHITE], factor)


def test_brightness_scales_each_channel() -> None:
    assert scaled([Colour(255, 100, 0)], 0.5) == (Colour(127, 50, 0),)
    assert scaled([WHITE], 1.0) == (WHITE,)
    assert scaled([WHITE], 0.0) == (BLACK,)


def test_gamma_keeps_the_ends_and_what_is_lit() -> None:
    table = gamma_table()
    assert (table[0], table[1], table[128], table[255]) == (0, 1, 56, 255)
    assert list(table) == sorted(table)
    assert gamma_corrected([Colour(0, 128, 255)]) == (Colour(0, 56, 255),)
    assert gamma_table(1.0) == tuple(range(256))


def test_gamma_is_positive() -> None:
    with pytest.raises(ValueError, match=r"gamma is 0\.0, must be positive"):
        gamma_table(0.0)


def test_a_frame_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="2 pixels given, the strip has 3"):
        checked([BLACK] * 2, 3)


def test_a_channel_out_of_bounds_is_refused() -> None:
    with pytest.raises(ValueError, match=r"pixel 1 is \(0, 256, 0\), each channel must be 0 to 255"):
        checked([BLACK, Colour(0, 256, 0)], 2)


def test_no_strip_checks_its_frames_and_shows_nothing() -> None:
    strip = NullStrip(2)
    assert strip.length == 2
    strip.show([WHITE, BLACK])
    with pytest.raises(ValueError, match="1 pixels given"):
        strip.show([WHITE])
    strip.close()
    strip.close()
    with pytest.raises(DeviceClosedError):
        strip.show([WHITE, BLACK])

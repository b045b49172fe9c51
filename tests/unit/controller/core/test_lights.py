"""The light language, as the table in the design says it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import pytest

from controller.core.lights import (
    RHYTHMS,
    Look,
    Meaning,
    Palette,
    beginnings,
    colour_of,
    render,
)
from hardware.ports import BLACK, Colour

LENGTH = 49


def levels(meaning: Meaning, until_ms: int, step_ms: int = 10) -> list[float]:
    """The brightest channel of a lone light over time, as a part of its full colour."""
    full = max(colour_of(meaning))
    return [max(render({7: meaning}, t, LENGTH)[7]) / full for t in range(0, until_ms, step_ms)]


def flashes(values: list[float]) -> int:
    return sum(a == 0 and b > 0 for a, b in zip([0.0, *values], values, strict=False))


@pytest.mark.parametrize(
    "meaning", [Meaning.TARGET, Meaning.TO, Meaning.LAST, Meaning.PLACE_FIRST, Meaning.PLACE_SECOND]
)
def test_steady_lights_never_change(meaning: Meaning) -> None:
    assert set(levels(meaning, 3000)) == {1.0}


@pytest.mark.parametrize("meaning", [Meaning.LIFTED, Meaning.FROM])
def test_breathing_is_once_a_second_bright_at_first_and_never_dark(meaning: Meaning) -> None:
    values = levels(meaning, 2000)
    assert values[0] == 1.0
    assert values[:100] == values[100:]
    assert min(values) == values[50] == pytest.approx(0.2, abs=0.01)


def test_hint_pulses_once_in_two_seconds() -> None:
    values = levels(Meaning.HINT, 4000)
    assert values[:200] == values[200:]
    assert values[100] == min(values) == pytest.approx(0.2, abs=0.01)


def test_take_away_blinks_once_a_second_and_half_of_it() -> None:
    values = levels(Meaning.REMOVE, 3000)
    assert flashes(values) == 3
    assert sum(values) == len(values) / 2


def test_wrong_blinks_twice_a_second_in_a_pair() -> None:
    values = levels(Meaning.WRONG, 1000)
    assert flashes(values) == 2
    assert not any(values[50:])


def test_masked_blinks_shortly_once_in_three_seconds() -> None:
    values = levels(Meaning.MASKED, 6000)
    assert flashes(values) == 2
    assert 80 <= sum(values[:300]) * 10 <= 200


def test_the_candidates_of_a_choice_alternate_twice_a_second() -> None:
    lights = dict.fromkeys((3, 10, 11), Meaning.CHOOSE)
    shown = [render(lights, t, LENGTH) for t in range(0, 1000, 10)]
    lit = [tuple(pixel for pixel in lights if frame[pixel] != BLACK) for frame in shown]
    assert lit[:50] == [(3, 11)] * 25 + [(10,)] * 25
    assert lit[50:] == lit[:50]


def test_no_blink_is_too_short_to_be_scanned_25_times_a_second() -> None:
    for meaning in Meaning:
        values = levels(meaning, 6000)
        for start in range(4):
            assert any(values[start::4]), meaning


def test_nothing_flashes_more_than_three_times_a_second() -> None:
    for meaning in Meaning:
        assert flashes(levels(meaning, 1000)) <= 3, meaning


@pytest.mark.parametrize(
    ("meaning", "colour"),
    [
        (Meaning.LIFTED, Colour(255, 255, 255)),
        (Meaning.TARGET, Colour(0, 255, 0)),
        (Meaning.WRONG, Colour(255, 0, 0)),
        (Meaning.HINT, Colour(0, 255, 255)),
    ],
)
def test_default_colours(meaning: Meaning, colour: Colour) -> None:
    assert render({0: meaning}, 0, 1) == (colour,)


def test_from_and_to_are_the_same_blue_and_last_is_a_dim_one() -> None:
    blue, dim = colour_of(Meaning.TO), colour_of(Meaning.LAST)
    assert colour_of(Meaning.FROM) == blue
    assert blue.b > 2 * max(blue.r, blue.g)
    assert sum(dim) < sum(blue) / 2
    assert dim.b > 2 * max(dim.r, dim.g)


def test_unlit_pixels_are_black() -> None:
    shown = render({5: Meaning.TARGET}, 0, LENGTH)
    assert len(shown) == LENGTH
    assert [n for n, pixel in enumerate(shown) if pixel != BLACK] == [5]


def test_brightness_scales_and_keeps_every_channel_that_is_lit() -> None:
    assert render({0: Meaning.WRONG}, 0, 1, Look(brightness=0.5)) == (Colour(128, 0, 0),)
    assert render({0: Meaning.LAST}, 0, 1, Look(brightness=0.01)) == (Colour(0, 1, 1),)
    assert render({0: Meaning.WRONG}, 0, 1, Look(brightness=0.0)) == (BLACK,)


def test_night_has_a_brightness_of_its_own_and_is_never_brighter_than_day() -> None:
    assert Look(night=True, night_brightness=0.2).level == 0.2
    assert Look(brightness=0.1, night=True, night_brightness=0.2).level == 0.1


def test_rhythms_begin_with_their_meaning() -> None:
    since = beginnings({}, {4: Meaning.WRONG}, 730)
    assert since == {Meaning.WRONG: 730}
    assert render({4: Meaning.WRONG}, 730, LENGTH, since=since)[4] == Colour(255, 0, 0)
    since = beginnings(since, {4: Meaning.WRONG, 5: Meaning.TARGET}, 900)
    assert since == {Meaning.WRONG: 730, Meaning.TARGET: 900}
    assert beginnings(since, {}, 1000) == {}


def test_a_pixel_off_the_strip_is_an_error() -> None:
    with pytest.raises(ValueError, match="pixel 49 is not on a strip of 49"):
        render({49: Meaning.TARGET}, 0, LENGTH)


# Machado, Oliveira and Fernandes 2009: what linear RGB becomes for eyes without one kind of cone.
VISION: Mapping[str, tuple[tuple[float, float, float], ...]] = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritanopia": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
WHITE = (0.9505, 1.0, 1.089)


def times(matrix: tuple[tuple[float, float, float], ...], vector: list[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def lab(colour: Colour, vision: str) -> tuple[float, float, float]:
    linear = [c / 3294.6 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    seen = [min(1.0, max(0.0, c)) for c in times(VISION[vision], linear)]
    parts = [v / w for v, w in zip(times(XYZ, seen), WHITE, strict=True)]
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in parts)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize(
    ("palette", "vision"),
    [
        (Palette.DEFAULT, "all"),
        (Palette.RED_GREEN, "all"),
        (Palette.RED_GREEN, "protanopia"),
        (Palette.RED_GREEN, "deuteranopia"),
        (Palette.BLUE_YELLOW, "all"),
        (Palette.BLUE_YELLOW, "tritanopia"),
    ],
)
def test_lights_of_one_rhythm_can_be_told_apart_by_colour(palette: Palette, vision: str) -> None:
    for one, other in combinations(Meaning, 2):
        if RHYTHMS[one] is RHYTHMS[other]:
            there = zip(
                lab(colour_of(one, palette), vision), lab(colour_of(other, palette), vision), strict=True
            )
            assert sum((a - b) ** 2 for a, b in there) ** 0.5 > 25, (one, other)

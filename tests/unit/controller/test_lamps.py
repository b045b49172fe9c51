"""The lights on their way to the strip."""

from __future__ import annotations

from collections.abc import Sequence

from controller.core.lights import Look, Meaning
from controller.lamps import FIRST_PAUSE_MS, REFRESH_MS, Lamps
from hardware.boardfile import load_board
from hardware.errors import BusError
from hardware.leds.power import current_ma
from hardware.ports import BLACK, Colour, Fault

BOARD = load_board("avalam")


class FakeStrip:
    length = BOARD.strip_length

    def __init__(self) -> None:
        self.shown: list[tuple[Colour, ...]] = []
        self.fails = False

    def show(self, pixels: Sequence[Colour]) -> None:
        if self.fails:
            raise BusError("the strip is unplugged")
        self.shown.append(tuple(pixels))

    def close(self) -> None:
        self.shown.append((BLACK,) * self.length)


def test_the_strip_is_made_dark_at_the_start() -> None:
    strip = FakeStrip()
    assert not Lamps(strip, BOARD).darken(0)
    assert strip.shown == [(BLACK,) * 49]


def test_a_light_is_under_its_cell_as_the_board_file_says() -> None:
    strip = FakeStrip()
    assert Lamps(strip, BOARD).show({"c9": Meaning.TARGET, "g1": Meaning.WRONG}, 0)
    lit = {n: pixel for n, pixel in enumerate(strip.shown[0]) if pixel != BLACK}
    assert lit == {0: Colour(0, 255, 0), 48: Colour(255, 0, 0)}


def test_nothing_is_transmitted_while_nothing_changes_but_once_a_second() -> None:
    strip = FakeStrip()
    lamps = Lamps(strip, BOARD)
    changes = [lamps.show({"c9": Meaning.TARGET}, t) for t in range(0, 2 * REFRESH_MS, 40)]
    assert changes == [True] + [False] * (len(changes) - 1)
    assert len(strip.shown) == 2


def test_the_current_is_limited_over_the_whole_strip() -> None:
    strip = FakeStrip()
    lights = dict.fromkeys(BOARD.names, Meaning.LIFTED)
    Lamps(strip, BOARD, limit_ma=500).show(lights, 0)
    assert 400 < current_ma(strip.shown[0]) <= 500
    Lamps(strip, BOARD, Look(brightness=0.1)).show(lights, 0)
    assert 0 < max(strip.shown[1][0]) < 10


def test_a_rhythm_begins_when_its_light_does() -> None:
    strip = FakeStrip()
    lamps = Lamps(strip, BOARD)
    lamps.show({}, 0)
    lamps.show({"c9": Meaning.WRONG}, 777)
    assert strip.shown[-1][0] == Colour(255, 0, 0)


def test_a_lost_strip_is_named_and_tried_again_later_each_time() -> None:
    strip = FakeStrip()
    lamps = Lamps(strip, BOARD)
    strip.fails = True
    tried = []
    for t_ms in range(0, 4000, 20):
        before = lamps._next_ms
        assert not lamps.show({"c9": Meaning.TARGET}, t_ms)
        if lamps._next_ms != before:
            tried.append(t_ms)
    assert tried == [0, FIRST_PAUSE_MS, 3 * FIRST_PAUSE_MS, 7 * FIRST_PAUSE_MS]
    assert lamps.fault == Fault("strip_lost", "strip", ("the strip is unplugged",))
    strip.fails = False
    shown = [lamps.show({"c9": Meaning.TARGET}, t_ms) for t_ms in range(4000, 9000, 20)]
    assert shown.count(True) == 1
    assert lamps.fault is None

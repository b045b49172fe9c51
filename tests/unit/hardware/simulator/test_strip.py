"""The recording strip."""

from __future__ import annotations

import pytest

from hardware.errors import BusError, DeviceClosedError
from hardware.ports import BLACK, Colour, Strip
from hardware.simulator.clock import BoardClock
from hardware.simulator.strip import RecordingStrip

RED = Colour(255, 0, 0)


def test_it_keeps_frames_with_the_time_their_last_bit_was_out() -> None:
    clock = BoardClock()
    clock.advance_us(500)
    recording = RecordingStrip(49, clock)
    strip: Strip = recording
    assert strip.length == 49
    strip.show([RED] * 49)
    assert recording.frames[-1].t_us == 500 + 49 * 30 + 300
    assert recording.frames[-1].t_ms == 3, "at 2.27 ms it was there, so not yet at 2"
    assert recording.pixels == (RED,) * 49
    assert clock.now_us() == 2_270


def test_it_checks_what_it_gets() -> None:
    strip = RecordingStrip(2, BoardClock())
    with pytest.raises(ValueError, match="3 pixels given, the strip has 2"):
        strip.show([RED] * 3)
    assert len(strip.frames) == 0


def test_it_remembers_only_the_latest() -> None:
    strip = RecordingStrip(1, BoardClock(), remember=2)
    for level in range(5):
        strip.show([Colour(level, 0, 0)])
    assert [frame.pixels[0].r for frame in strip.frames] == [3, 4]


def test_it_goes_dark_when_closed() -> None:
    strip = RecordingStrip(2, BoardClock())
    strip.show([RED, RED])
    strip.close()
    strip.close()
    assert strip.pixels == (BLACK, BLACK)
    assert len(strip.frames) == 2
    with pytest.raises(DeviceClosedError):
        strip.show([RED, RED])


def test_it_can_fail() -> None:
    strip = RecordingStrip(2, BoardClock())
    strip.fails = True
    with pytest.raises(BusError, match="unplugged"):
        strip.show([RED, RED])
    strip.close()
    assert strip.pixels == (BLACK, BLACK)

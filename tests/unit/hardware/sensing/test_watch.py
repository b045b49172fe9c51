"""How a chip's state goes on in time."""

from __future__ import annotations

import pytest

from hardware.ports import Fault
from hardware.sensing import watch
from hardware.sensing.watch import Watch


def up() -> Watch:
    chip = Watch(("e5",))
    chip.came_up()
    return chip


def test_a_new_chip_must_be_brought_up_and_has_no_fault() -> None:
    chip = Watch(("e5",))
    assert chip.needs_bring_up
    assert chip.is_due(0)
    assert not chip.is_up
    assert chip.faults(0) == []
    chip.came_up()
    assert chip.is_up


@pytest.mark.parametrize(
    ("code", "pauses_ms"),
    [
        (watch.NACK, [250, 500, 1000, 2000, 2000]),
        (watch.BUS_ERROR, [250, 500, 1000, 2000, 2000]),
        (watch.WRONG_IDENTITY, [1000, 2000, 4000, 4000]),
        (watch.HANG, [1000, 2000, 4000, 8000, 16000, 30000, 30000]),
    ],
)
def test_a_chip_that_fails_is_left_alone_ever_longer(code: str, pauses_ms: list[int]) -> None:
    chip = up()
    now_ms = 10
    for pause_ms in pauses_ms:
        chip.failed(code, now_ms)
        assert chip.is_down
        assert not chip.is_up
        assert chip.faults(now_ms) == [Fault(code, "e5")]
        assert not chip.is_due(now_ms + pause_ms - 1)
        now_ms += pause_ms
        assert chip.is_due(now_ms)
        assert chip.needs_bring_up


def test_patience_begins_anew_once_it_came_up_or_fails_otherwise() -> None:
    chip = up()
    for _ in range(4):
        chip.failed(watch.NACK, 0)
    chip.came_up()
    assert not chip.is_down
    assert chip.faults(0) == []
    chip.failed(watch.NACK, 100)
    assert chip.is_due(350)
    chip.failed(watch.WRONG_IDENTITY, 350)
    assert not chip.is_due(1349)
    assert chip.is_due(1350)


def test_after_the_bus_was_away_it_is_tried_at_once() -> None:
    chip = up()
    chip.failed(watch.HANG, 0)
    chip.begin_anew()
    assert chip.is_due(1)
    assert chip.needs_bring_up
    assert chip.faults(1) == []


def test_a_restart_is_shown_for_ten_seconds() -> None:
    chip = up()
    chip.restarted(500)
    assert chip.is_up
    assert chip.faults(10_499) == [Fault(watch.RESTARTED, "e5")]
    assert chip.faults(10_500) == []


def test_a_configuration_needs_5_ms_to_work() -> None:
    chip = up()
    assert not chip.is_fresh(0)
    chip.configured(100)
    assert chip.is_fresh(104)
    assert not chip.is_fresh(105)


def test_the_same_reading_for_three_seconds_is_frozen() -> None:
    chip = up()
    for now_ms in range(0, 2961, 40):
        chip.saw((77,), now_ms)
        assert not chip.frozen
    chip.saw((77,), 3000)
    assert chip.frozen
    assert chip.faults(3000) == [Fault(watch.FROZEN, "e5")]
    chip.saw((78,), 3040)
    assert not chip.frozen
    assert chip.faults(3040) == []


def test_few_readings_are_no_proof() -> None:
    chip = up()
    for n in range(24):
        chip.saw((77,), n * 1000)
        assert not chip.frozen
    chip.saw((77,), 24_000)
    assert chip.frozen


def test_flicker_is_life() -> None:
    chip = up()
    for n in range(200):
        chip.saw((77 + n % 2,), n * 40)
    assert not chip.frozen


def test_what_is_frozen_is_configured_anew_every_five_seconds() -> None:
    chip = up()
    assert not chip.wants_remedy(0)
    for now_ms in range(0, 3001, 40):
        chip.saw((77,), now_ms)
    chip.saw((77,), 3000)
    assert chip.wants_remedy(3000)
    assert not chip.wants_remedy(7999)
    assert chip.wants_remedy(8000)


def test_failing_forgets_the_readings() -> None:
    chip = up()
    for now_ms in range(0, 3041, 40):
        chip.saw((77,), now_ms)
    assert chip.frozen
    chip.failed(watch.NACK, 3040)
    chip.came_up()
    assert not chip.frozen
    chip.saw((77,), 3400)
    assert not chip.frozen


def test_a_chip_of_many_places_names_them_all() -> None:
    chip = Watch(("a1", "b1"))
    chip.failed(watch.NACK, 0)
    assert chip.faults(0) == [Fault(watch.NACK, "a1"), Fault(watch.NACK, "b1")]

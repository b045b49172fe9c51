"""The simulated chips behave as their data sheets say."""

from __future__ import annotations

import statistics
from random import Random

import pytest

from hardware.simulator.chips import Imperfection, SimulatedTca9548a, SimulatedTmag5273

COUNT_MT = 80.0 / 32768.0


class World:
    def __init__(self) -> None:
        self.field_mt = 27.0
        self.us = 0

    def chip(self, flaw: Imperfection | None = None, address: int = 0x35) -> SimulatedTmag5273:
        return SimulatedTmag5273(address, lambda: self.field_mt, lambda: self.us, Random(1), flaw)


def read(chip: SimulatedTmag5273, register: int, length: int = 1) -> bytes:
    chip.write(bytes((register,)))
    return chip.read(length)


def z_counts(chip: SimulatedTmag5273) -> int:
    return int.from_bytes(read(chip, 0x16, 2), "big", signed=True)


def configured(world: World, flaw: Imperfection | None = None) -> SimulatedTmag5273:
    chip = world.chip(flaw)
    for register, value in ((0x00, 0x34), (0x02, 0x40), (0x03, 0x01), (0x01, 0x12)):
        chip.write(bytes((register, value)))
    world.us += 1_000
    return chip


def test_after_power_on_it_stands_by_and_answers_zero_for_ever() -> None:
    world = World()
    chip = world.chip()
    assert read(chip, 0x00, 13) == bytes(13)
    assert read(chip, 0x0D, 3) == b"\x01\x49\x54"
    assert read(chip, 0x18) == b"\x10"
    world.us = 10_000_000
    assert z_counts(chip) == 0


def test_the_pointer_moves_along() -> None:
    world = World()
    chip = world.chip()
    chip.write(b"\x02\x40\x01")
    assert read(chip, 0x00, 4) == b"\x00\x00\x40\x01"
    chip.write(b"\x0d")
    assert chip.read(1) + chip.read(2) == b"\x01\x49\x54"
    chip.write(b"")
    assert chip.read(1) == b"\x00"


def test_identity_and_results_cannot_be_written() -> None:
    chip = World().chip()
    chip.write(b"\x0d\xff\xff\xff\xff\xff")
    assert read(chip, 0x0D, 3) == b"\x01\x49\x54"
    chip.write(b"\x16\x12\x34")
    assert z_counts(chip) == 0


def test_a_configured_chip_converts_every_833_us() -> None:
    world = World()
    chip = world.chip()
    for register, value in ((0x00, 0x34), (0x02, 0x40), (0x03, 0x01), (0x01, 0x12)):
        chip.write(bytes((register, value)))
    world.us = 833
    assert z_counts(chip) == 0, "the first conversion has not ended"
    world.us = 834
    assert z_counts(chip) == round(27.0 / COUNT_MT)
    world.field_mt = -3.0
    assert z_counts(chip) == round(27.0 / COUNT_MT), "between conversions the value stays"
    world.us = 1_700
    assert z_counts(chip) == round(-3.0 / COUNT_MT)
    assert read(chip, 0x18)[0] & 0x01
    assert read(chip, 0x18)[0] >> 5 == 2, "the conversions are counted"


@pytest.mark.parametrize(("config", "first_us"), [(0x00, 50), (0x0C, 228), (0x14, 834), (0x1C, 834)])
def test_averaging_takes_time(config: int, first_us: int) -> None:
    world = World()
    chip = world.chip()
    chip.write(bytes((0x00, config, 0x02, 0x40, 0x01)))
    world.us = first_us - 1
    assert z_counts(chip) == 0
    world.us = first_us
    assert z_counts(chip) != 0


def test_three_axes_take_longer_and_the_others_see_nothing() -> None:
    world = World()
    chip = world.chip()
    chip.write(b"\x00\x14\x02\x70\x03")
    chip.write(b"\x07\x01")
    world.us = 2_499
    assert z_counts(chip) == 0
    world.us = 2_500
    t, x, y, z = (read(chip, register, 2) for register in (0x10, 0x12, 0x14, 0x16))
    assert int.from_bytes(t, "big") == 17_508
    assert (x, y) == (b"\x00\x00", b"\x00\x00")
    assert int.from_bytes(z, "big") == round(27.0 / COUNT_MT)


def test_a_channel_that_is_off_stays_zero() -> None:
    world = World()
    chip = world.chip()
    chip.write(b"\x00\x14\x02\x10\x03")
    world.us = 1_000
    assert z_counts(chip) == 0


@pytest.mark.parametrize(
    ("field_mt", "z_range", "counts"),
    [(100.0, 1, 32767), (-100.0, 1, -32768), (41.0, 0, 32767), (20.0, 0, 16384), (20.0, 1, 8192)],
)
def test_ranges_and_saturation(field_mt: float, z_range: int, counts: int) -> None:
    world = World()
    world.field_mt = field_mt
    chip = configured(world)
    chip.write(bytes((0x03, z_range)))
    world.us += 1_000
    assert z_counts(chip) == counts


def test_gain_offset_and_noise() -> None:
    world = World()
    chip = configured(world, Imperfection(gain=1.1, offset_mt=0.5, noise_mt=0.025))
    values = []
    for _ in range(500):
        world.us += 1_000
        values.append(z_counts(chip) * COUNT_MT)
    assert statistics.mean(values) == pytest.approx(30.2, abs=0.005)
    assert statistics.stdev(values) == pytest.approx(0.025, rel=0.1)
    chip.write(b"\x00\x20")
    loud = []
    for _ in range(500):
        world.us += 1_000
        loud.append(z_counts(chip) * COUNT_MT)
    assert statistics.stdev(loud) == pytest.approx(0.025 * 32**0.5, rel=0.1)


def test_a_noisy_chip_has_its_noise_multiplied() -> None:
    world = World()
    chip = configured(world, Imperfection(noise_mt=0.01))
    chip.faults.noise_factor = 50.0
    values = []
    for _ in range(300):
        world.us += 1_000
        values.append(z_counts(chip) * COUNT_MT)
    assert statistics.stdev(values) == pytest.approx(0.5, rel=0.15)


def test_standby_converts_on_the_triggers_bit() -> None:
    world = World()
    chip = world.chip()
    chip.write(b"\x02\x40\x01")
    chip.write(b"\x96")
    assert chip.read(2) == round(27.0 / COUNT_MT).to_bytes(2, "big")


def test_its_address_can_be_changed_until_it_restarts() -> None:
    chip = World().chip()
    chip.write(bytes((0x0C, 0x40 << 1)))
    assert chip.address == 0x35
    chip.write(bytes((0x0C, 0x40 << 1 | 1)))
    assert chip.address == 0x40
    chip.restart()
    assert chip.address == 0x35


def test_the_power_on_mark_is_cleared_by_writing_it() -> None:
    world = World()
    chip = configured(world)
    assert z_counts(chip)
    assert read(chip, 0x18)[0] & 0x10
    chip.write(b"\x18\x10")
    assert not read(chip, 0x18)[0] & 0x10
    chip.restart()
    assert read(chip, 0x18) == b"\x10"
    assert z_counts(chip) == 0


def test_a_stuck_chip_keeps_its_last_value() -> None:
    world = World()
    chip = configured(world)
    before = z_counts(chip)
    chip.faults.stuck = True
    world.field_mt = 0.0
    world.us += 10_000
    assert z_counts(chip) == before
    chip.heal()
    assert z_counts(chip) == 0


def test_a_foreign_chip_has_another_maker() -> None:
    chip = World().chip()
    chip.faults.foreign = True
    assert read(chip, 0x0D, 3) == b"\x01\xff\xff"


def test_dead_and_hanging_chips() -> None:
    chip = World().chip()
    assert chip.answers
    chip.faults.dead = True
    assert not chip.answers
    chip.heal()
    chip.faults.hangs = True
    assert not chip.holds_bus, "not before it is addressed"
    chip.addressed()
    assert chip.holds_bus
    chip.heal()
    assert not chip.holds_bus


def test_the_multiplexer_switches_at_the_stop() -> None:
    mux = SimulatedTca9548a(0x70)
    sensor = World().chip()
    mux.segments[3].append(sensor)
    assert mux.read(2) == b"\x00\x00"
    mux.write(b"\x01\x08")
    assert mux.mask == 0
    assert mux.open_chips() == []
    mux.stop()
    assert mux.read(1) == b"\x08"
    assert mux.open_chips() == [sensor]
    mux.write(b"")
    mux.stop()
    assert mux.mask == 8
    mux.write(b"\xff")
    mux.restart()
    mux.stop()
    assert mux.mask == 0

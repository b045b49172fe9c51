"""What every I2C bus does: the simulated one, and the real smbus2 over a kernel of our own."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import smbus2

from hardware.boardfile import load_board
from hardware.chips.tca9548a import Tca9548a
from hardware.chips.tmag5273 import Tmag5273
from hardware.errors import (
    BusError,
    BusTimeoutError,
    DeviceClosedError,
    DevicePermissionError,
    NackError,
)
from hardware.i2c import LinuxI2cBus
from hardware.ports import Frame, I2cBus
from hardware.sensing.field import field_scanner
from hardware.simulator.board import SimulatedBoard
from hardware.simulator.bus import BusTrouble
from tests.contract.i2c_kernel import KernelI2c

BOARD = load_board("avalam")
C9 = BOARD.cell("c9")
D9 = BOARD.cell("d9")


class Bench:
    """A simulated board, and how a program opens its bus."""

    def __init__(self, wooden: SimulatedBoard, open_bus: Callable[[], I2cBus]) -> None:
        self.wooden = wooden
        self.open_bus = open_bus
        self.bus = open_bus()


def made_board() -> SimulatedBoard:
    wooden = SimulatedBoard(BOARD, seed=8)
    wooden.set_up({name: (0,) for name in BOARD.names if name != "e5"})
    return wooden


@pytest.fixture
def wooden() -> SimulatedBoard:
    return made_board()


@pytest.fixture
def kernel(tmp_path: Path, wooden: SimulatedBoard) -> KernelI2c:
    return KernelI2c(tmp_path / "i2c-1", wooden.bus.transfer)


@pytest.fixture(params=["simulated", "smbus2"])
def bench(
    request: pytest.FixtureRequest,
    wooden: SimulatedBoard,
    kernel: KernelI2c,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Bench]:
    if request.param == "simulated":
        made = Bench(wooden, wooden.open_bus)
    else:
        kernel.install(monkeypatch)
        made = Bench(wooden, lambda: LinuxI2cBus(kernel.path))
    yield made
    made.bus.close()


def test_a_selection_is_read_back(bench: Bench) -> None:
    bench.bus.write(0x70, b"\x04")
    assert bench.bus.read(0x70, 1) == b"\x04"
    assert bench.bus.read(0x71, 3) == b"\x00\x00\x00"


def test_a_selection_takes_effect_at_the_stop(bench: Bench) -> None:
    assert bench.bus.write_read(0x70, b"\x01", 1) == b"\x00"
    assert bench.bus.read(0x70, 1) == b"\x01"


def test_registers_behind_a_multiplexer(bench: Bench) -> None:
    bench.bus.write(C9.mux, bytes((1 << C9.channel,)))
    assert bench.bus.write_read(C9.sensor, b"\x0d", 3) == b"\x01\x49\x54"
    bench.bus.write(C9.sensor, b"\x02\x40\x01")
    assert bench.bus.write_read(C9.sensor, b"\x00", 4) == b"\x00\x00\x40\x01"


def test_nobody_at_the_address_is_a_nack(bench: Bench) -> None:
    for act in (
        lambda: bench.bus.write(0x35, b"\x00"),
        lambda: bench.bus.read(0x35, 1),
        lambda: bench.bus.write_read(0x35, b"\x0d", 3),
    ):
        with pytest.raises(NackError, match="I2C address 0x35: no answer"):
            act()


def test_a_held_bus_is_a_timeout(bench: Bench) -> None:
    bench.wooden.bus.trouble = BusTrouble.HANGS
    with pytest.raises(BusTimeoutError, match="the bus is held and nothing moves"):
        bench.bus.write(0x70, b"\x00")


def test_another_fault_is_a_plain_bus_error(bench: Bench) -> None:
    bench.wooden.bus.trouble = BusTrouble.FAILS
    with pytest.raises(BusError, match="I2C address 0x70: transfer failed") as caught:
        bench.bus.write(0x70, b"\x00")
    assert type(caught.value) is BusError


def test_after_an_error_the_bus_works_on(bench: Bench) -> None:
    with pytest.raises(NackError):
        bench.bus.read(0x35, 1)
    bench.bus.write(0x70, b"\x01")
    assert bench.bus.read(0x70, 1) == b"\x01"


def test_a_closed_bus_is_closed_and_can_be_opened_again(bench: Bench) -> None:
    bench.bus.write(0x70, b"\x01")
    bench.bus.close()
    bench.bus.close()
    with pytest.raises(DeviceClosedError):
        bench.bus.read(0x70, 1)
    bench.bus = bench.open_bus()
    assert bench.bus.read(0x70, 1) == b"\x01"


def drive(bench: Bench) -> list[float]:
    """What the drivers read of two sensors on one channel."""
    mux = Tca9548a(bench.bus, C9.mux)
    mux.reset()
    mux.select(C9.channel)
    assert mux.verify()
    fields_mt = []
    for address in (C9.sensor, D9.sensor):
        chip = Tmag5273(bench.bus, address)
        chip.identify()
        chip.configure()
        bench.wooden.advance_ms(2)
        fields_mt.append(chip.read_z_mt())
    return fields_mt


def test_the_drivers_read_the_same_to_the_last_bit_over_either_bus(bench: Bench) -> None:
    other = made_board()
    fields_mt = drive(bench)
    assert fields_mt == drive(Bench(other, other.open_bus))
    assert all(20.0 < field_mt < 32.0 for field_mt in fields_mt)


def scan(bench: Bench) -> list[Frame]:
    """Frames of a scanner, the last one with a sensor missing."""
    bench.bus.close()
    scanner = field_scanner(BOARD, bench.open_bus, "bus", bench.wooden.clock)
    scanner.start()
    frames = [scanner.scan() for _ in range(3)]
    assert scanner.health().faults == ()
    assert scanner.last_cost.bytes <= 310
    assert scanner.last_cost.transactions <= 80
    bench.wooden.sensor("d4").faults.dead = True
    frames.append(scanner.scan())
    assert [(fault.code, fault.where) for fault in scanner.health().faults] == [("nack", "d4")]
    scanner.close()
    return frames


def test_scans_are_the_same_to_the_last_bit_and_millisecond_over_either_bus(bench: Bench) -> None:
    other = made_board()
    frames = scan(bench)
    assert frames == scan(Bench(other, other.open_bus))
    assert all(value is not None for frame in frames[:3] for value in frame.values)
    assert frames[3].values[BOARD.names.index("d4")] is None


@pytest.fixture
def linux(kernel: KernelI2c, monkeypatch: pytest.MonkeyPatch) -> KernelI2c:
    kernel.install(monkeypatch)
    return kernel


def test_the_kernel_waits_a_tenth_of_a_second_at_most(linux: KernelI2c) -> None:
    LinuxI2cBus(linux.path).close()
    assert linux.timeout_10_ms == 10
    LinuxI2cBus(linux.path, timeout_ms=3).close()
    assert linux.timeout_10_ms == 1


def test_an_adapter_without_a_time_limit_is_used_all_the_same(linux: KernelI2c) -> None:
    linux.refuses_timeout = True
    bus = LinuxI2cBus(linux.path)
    assert bus.read(0x70, 1) == b"\x00"
    bus.close()


def test_a_bus_is_held_by_one_program_alone(linux: KernelI2c) -> None:
    bus = LinuxI2cBus(linux.path)
    with pytest.raises(DevicePermissionError, match="is in use by another program: stop that one first"):
        LinuxI2cBus(linux.path)
    bus.close()
    LinuxI2cBus(linux.path).close()


def test_our_kernel_refuses_a_read_that_is_not_last_as_a_raspberry_pi_does(linux: KernelI2c) -> None:
    raw = smbus2.SMBus(linux.path)
    with pytest.raises(OSError, match="not supported") as caught:
        raw.i2c_rdwr(smbus2.i2c_msg.read(0x70, 1), smbus2.i2c_msg.write(0x70, b"\x01"))
    assert caught.value.errno == errno.EOPNOTSUPP
    with pytest.raises(OSError, match="Remote I/O") as caught:
        raw.i2c_rdwr(smbus2.i2c_msg.read(0x35, 1))
    assert caught.value.errno == 121
    raw.close()

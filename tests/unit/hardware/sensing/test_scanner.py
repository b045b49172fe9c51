"""Scans of a simulated board, whole and with every fault that chips and wires have."""

from __future__ import annotations

import pytest

from hardware.boardfile import Board, load_board
from hardware.errors import BusError, BusTimeoutError, DeviceClosedError, NackError
from hardware.ports import Fault, Frame, Sensors, Unit
from hardware.sensing.field import field_scanner
from hardware.sensing.scanner import BusScanner, ScanLimits
from hardware.simulator.board import SimulatedBoard
from hardware.simulator.bus import BusTrouble
from hardware.simulator.table import IDEAL

BOARD = load_board("avalam")
SCAN_MS = 40


class Bench:
    """A scanner over a simulated board, scanned 25 times a second."""

    def __init__(self, board: Board = BOARD, *, reset_line: bool = True, ideal: bool = False) -> None:
        self.wooden = SimulatedBoard(board, seed=5, physics=IDEAL if ideal else None)
        self.wooden.set_up({name: (0,) for name in board.names if name != "e5"})
        self.scanner: BusScanner = field_scanner(
            board,
            self.wooden.open_bus,
            "bus",
            self.wooden.clock,
            reset_muxes=self.wooden.bus.reset_muxes if reset_line else None,
        )
        self.next_ms = 0

    def start(self) -> Bench:
        self.scanner.start()
        self.next_ms = self.wooden.clock.now_ms()
        return self

    def scan(self) -> Frame:
        """The frame of the next period."""
        self.next_ms = max(self.next_ms + SCAN_MS, self.wooden.clock.now_ms())
        self.wooden.clock.advance_to_us(self.next_ms * 1000)
        return self.scanner.scan()

    def scan_for(self, duration_ms: int) -> list[Frame]:
        end_ms = self.next_ms + duration_ms
        frames = []
        while self.next_ms < end_ms:
            frames.append(self.scan())
        return frames

    def value(self, frame: Frame, cell: str) -> float | None:
        return frame.values[self.scanner.cells.index(cell)]

    def codes(self) -> set[tuple[str, str]]:
        return {(fault.code, fault.where) for fault in self.scanner.health().faults}

    def unread(self, frame: Frame) -> set[str]:
        return {cell for cell, value in zip(self.scanner.cells, frame.values, strict=True) if value is None}


@pytest.fixture
def bench() -> Bench:
    return Bench().start()


def behind(mux: int, channel: int | None = None) -> set[str]:
    return {c.name for c in BOARD.cells if c.mux == mux and channel in (None, c.channel)}


def test_it_is_a_field_sensor_of_all_cells(bench: Bench) -> None:
    sensors: Sensors = bench.scanner
    assert sensors.unit is Unit.MT
    assert sensors.cells == BOARD.names


def test_an_ideal_board_reads_the_field_of_its_pieces() -> None:
    bench = Bench(ideal=True).start()
    frame = bench.scan()
    for index, value in enumerate(frame.values):
        assert value == pytest.approx(bench.wooden.table.field_mt(index), abs=0.03)
    assert bench.value(frame, "e5") == pytest.approx(-2.8, abs=0.1)
    assert bench.codes() == set()


def test_a_frame_carries_the_time_at_the_end_of_its_scan(bench: Bench) -> None:
    frame = bench.scan()
    assert frame.t_ms == bench.wooden.clock.now_ms()
    assert 12 <= frame.t_ms - bench.next_ms <= 20


def test_no_scan_of_49_places_takes_more_than_310_bytes_and_80_transactions(bench: Bench) -> None:
    for _ in range(250):
        bench.scan()
        assert bench.scanner.last_cost.bytes <= 310
        assert bench.scanner.last_cost.transactions <= 80
    counters = bench.scanner.health().counters
    assert counters["scans"] == 250
    assert counters["scan_bytes"] == bench.scanner.last_cost.bytes
    assert counters["bytes"] > 250 * 300


def test_a_zero_that_is_honest_is_believed_within_the_budget() -> None:
    bench = Bench(ideal=True).start()
    bench.wooden.set_up({})
    zeros = unknown = 0
    for _ in range(60):
        frame = bench.scan()
        assert bench.scanner.last_cost.bytes <= 310
        zeros += frame.values.count(0.0)
        unknown += frame.values.count(None)
    assert zeros > 100
    assert 0 < unknown < zeros, "of two in a row one a scan is looked into, the others stay unknown"
    assert bench.codes() == set()


def test_a_restart_under_an_empty_hole_is_found_too() -> None:
    bench = Bench(ideal=True).start()
    bench.wooden.set_up({})
    bench.scan_for(400)
    bench.wooden.sensor("d4").restart()
    bench.scan_for(2000)
    assert bench.codes() == {("restarted", "d4")}


def test_a_silent_sensor_is_none_and_named_and_costs_the_others_nothing(bench: Bench) -> None:
    before = bench.scan()
    bench.wooden.sensor("d4").faults.dead = True
    frame = bench.scan()
    assert bench.unread(frame) == {"d4"}
    assert bench.codes() == {("nack", "d4")}
    assert bench.value(frame, "d5") == pytest.approx(bench.value(before, "d5"), abs=0.3)
    for frame in bench.scan_for(5000):
        assert bench.unread(frame) == {"d4"}
        assert frame.t_ms < bench.next_ms + SCAN_MS
    bench.wooden.sensor("d4").heal()
    frames = bench.scan_for(2100)
    assert bench.unread(frames[-1]) == set()
    assert bench.codes() == set()


def test_one_lost_byte_is_retried_and_never_seen(bench: Bench) -> None:
    sensor = bench.wooden.sensor("d4")
    real = sensor.addressed
    lapses = [0]

    def lapse() -> None:
        lapses[0] += 1
        sensor.faults.dead = lapses[0] == 1
        real()

    bench.scan()
    sensor.addressed = lapse  # type: ignore[method-assign]
    sensor.faults.dead = False
    lapses[0] = 0
    bus = bench.wooden.bus
    whole = bus.transfer

    def once_deaf(address: int, data: bytes | None, length: int) -> bytes:
        if data == b"\x16" and lapses[0] == 0:
            lapses[0] = 1
            raise BusError("glitch")
        return whole(address, data, length)

    bus.transfer = once_deaf  # type: ignore[method-assign]
    frame = bench.scan()
    assert bench.unread(frame) == set()
    assert bench.scanner.health().counters["retries"] == 1
    assert bench.codes() == set()


def test_a_multiplexer_without_power_speaks_for_all_behind_it(bench: Bench) -> None:
    bench.scan()
    bench.wooden.mux(0x71).faults.dead = True
    frame = bench.scan()
    assert bench.unread(frame) == behind(0x71)
    assert bench.codes() == {("nack", "mux 0x71")}
    bench.wooden.mux(0x71).heal()
    bench.wooden.mux(0x71).restart()
    frames = bench.scan_for(1000)
    assert bench.unread(frames[-1]) == set()
    assert bench.codes() == set()


def test_a_multiplexer_that_loses_power_while_open_costs_one_scan(bench: Bench) -> None:
    bench.scan()
    bus = bench.wooden.bus
    whole = bus.transfer
    count = 0

    def lose_power_at_10(address: int, data: bytes | None, length: int) -> bytes:
        nonlocal count
        count += 1
        bench.wooden.mux(0x70).faults.dead = count >= 10
        return whole(address, data, length)

    bus.transfer = lose_power_at_10  # type: ignore[method-assign]
    frame = bench.scan()
    assert {"c9", "d9"}.isdisjoint(bench.unread(frame))
    assert bench.codes() == {("nack", "mux 0x70")}
    for frame in bench.scan_for(1_000):
        assert bench.unread(frame) == behind(0x70)
    bus.transfer = whole  # type: ignore[method-assign]
    bench.wooden.mux(0x70).restart()
    bench.wooden.mux(0x70).heal()
    assert bench.unread(bench.scan_for(2_000)[-1]) == set()
    assert bench.codes() == set()


def test_a_board_that_is_only_partly_there_starts_with_what_it_has() -> None:
    bench = Bench()
    bench.wooden.mux(0x71).faults.dead = True
    bench.wooden.mux(0x73).faults.dead = True
    bench.start()
    assert bench.codes() == {("nack", "mux 0x71"), ("nack", "mux 0x73")}
    assert bench.unread(bench.scan()) == behind(0x71) | behind(0x73)


def test_a_multiplexer_that_restarts_between_scans_is_opened_again(bench: Bench) -> None:
    bench.scan()
    bench.wooden.bus.reset_muxes()
    frame = bench.scan()
    assert bench.unread(frame) == set()


def test_multiplexers_that_restart_anywhere_in_a_scan_never_give_a_strangers_value() -> None:
    bench = Bench(ideal=True).start()
    truth = bench.scan()
    bus = bench.wooden.bus
    whole = bus.transfer
    count = point = 0

    def restart_at_the_point(address: int, data: bytes | None, length: int) -> bytes:
        nonlocal count
        count += 1
        if count == point:
            bus.reset_muxes()
        return whole(address, data, length)

    bus.transfer = restart_at_the_point  # type: ignore[method-assign]
    for at in range(1, 80):
        count, point = 0, at
        assert bench.scan().values == pytest.approx(truth.values, abs=0.05)
    assert bench.scanner.health().counters["retries"] >= 49
    assert bench.codes() == set()


@pytest.mark.parametrize("error", [NackError("n"), BusError("o"), BusTimeoutError("t")])
@pytest.mark.parametrize("lasts", [1, 12])
def test_errors_anywhere_in_a_scan_never_give_a_wrong_value_and_pass(error: BusError, lasts: int) -> None:
    bench = Bench(ideal=True).start()
    truth = bench.scan()
    bus = bench.wooden.bus
    whole = bus.transfer
    count = point = 0

    def failing_at_the_point(address: int, data: bytes | None, length: int) -> bytes:
        nonlocal count
        count += 1
        if point <= count < point + lasts:
            raise error
        return whole(address, data, length)

    bus.transfer = failing_at_the_point  # type: ignore[method-assign]
    for at in range(1, 80, 1 if lasts == 1 else 7):
        count, point = 0, at
        try:
            values = bench.scan().values
        except BusError:
            values = (None,) * 49
        for value, true in zip(values, truth.values, strict=True):
            assert value is None or value == pytest.approx(true, abs=0.05)
        count, point = 0, 10_000
        bench.next_ms += 4_100
        assert bench.scan().values == pytest.approx(truth.values, abs=0.05)
        assert bench.codes() == set()


def test_a_bus_that_hangs_after_an_error_is_freed_and_the_scan_goes_on(bench: Bench) -> None:
    bench.scan()
    bus = bench.wooden.bus
    whole = bus.transfer
    errors: list[BusError] = [NackError("n"), BusTimeoutError("t")]

    def failing_twice(address: int, data: bytes | None, length: int) -> bytes:
        if errors and (data == b"\x16" or len(errors) == 1):
            raise errors.pop(0)
        return whole(address, data, length)

    bus.transfer = failing_twice  # type: ignore[method-assign]
    assert bench.unread(bench.scan()) == {"c9"}
    assert bench.codes() == {("hang", "c9")}


def test_errors_after_the_deadline_are_not_retried(bench: Bench) -> None:
    limits = ScanLimits(deadline_ms=1)
    scanner = field_scanner(BOARD, bench.wooden.open_bus, "bus", bench.wooden.clock, limits=limits)
    scanner.start()
    for cell in BOARD.names:
        bench.wooden.sensor(cell).faults.dead = True
    with pytest.raises(BusError):
        scanner.scan()
    assert scanner.last_cost.transactions < 15


@pytest.mark.parametrize("cell", ["c9", "e5", "g1"])
def test_a_sensor_that_restarts_is_set_up_anew_and_never_read_as_empty(bench: Bench, cell: str) -> None:
    before = bench.scan_for(400)[-1]
    bench.wooden.sensor(cell).restart()
    frames = bench.scan_for(400)
    for frame in frames:
        value = bench.value(frame, cell)
        assert value is None or value == pytest.approx(bench.value(before, cell), abs=0.3)
    assert bench.unread(frames[0]) == {cell}
    assert bench.unread(frames[2]) == set()
    assert bench.codes() == {("restarted", cell)}
    assert bench.scanner.health().counters["restarts"] == 1
    bench.scan_for(10_000)
    assert bench.codes() == set()


def test_all_sensors_restarting_at_once_are_back_after_one_scan(bench: Bench) -> None:
    bench.scan()
    for cell in BOARD.names:
        bench.wooden.sensor(cell).restart()
    with pytest.raises(BusError, match="no sensor answers"):
        bench.scan()
    assert bench.unread(bench.scan()) == set()
    assert bench.scanner.health().counters["restarts"] == 49


def test_a_configuration_that_was_disturbed_is_found_in_rotation(bench: Bench) -> None:
    bench.scan()
    sensor = bench.wooden.sensor("d4")
    sensor.write(b"\x03\x00")  # the narrow range: every value is doubled
    frames = bench.scan_for(4000)
    assert bench.unread(frames[-1]) == set()
    assert bench.codes() == {("restarted", "d4")}


def test_another_chip_is_named_and_not_believed(bench: Bench) -> None:
    bench.scan()
    bench.wooden.sensor("d4").faults.foreign = True
    frames = bench.scan_for(4200)
    assert bench.unread(frames[-1]) == {"d4"}
    assert bench.codes() == {("wrong_identity", "d4")}
    bench.wooden.sensor("d4").heal()
    frames = bench.scan_for(4200)
    assert bench.unread(frames[-1]) == set()


def test_another_chip_at_start_is_named_at_once() -> None:
    bench = Bench()
    bench.wooden.sensor("d4").faults.foreign = True
    bench.wooden.sensor("a5").faults.dead = True
    bench.start()
    assert bench.codes() == {("wrong_identity", "d4"), ("nack", "a5")}


def test_a_frozen_sensor_is_named_within_five_seconds(bench: Bench) -> None:
    bench.scan()
    bench.wooden.sensor("d4").faults.stuck = True
    frames = bench.scan_for(3200)
    assert bench.unread(frames[-1]) == {"d4"}
    assert bench.codes() == {("frozen", "d4")}
    bench.wooden.sensor("d4").heal()
    frames = bench.scan_for(200)
    assert bench.unread(frames[-1]) == set()
    assert bench.codes() == set()


def test_a_sensor_that_holds_the_bus_is_cut_off_by_the_reset_line(bench: Bench) -> None:
    bench.scan()
    bench.wooden.sensor("d4").faults.hangs = True
    frame = bench.scan()
    assert bench.unread(frame) == {"d4", "e4"}, "e4 hangs on the same wires"
    assert bench.codes() == {("hang", "d4"), ("hang", "e4")}
    assert frame.t_ms - bench.next_ms < 250
    frames = bench.scan_for(800)
    assert all(bench.unread(frame) == {"d4", "e4"} for frame in frames)
    assert bench.scanner.health().counters["hangs"] == 2
    bench.wooden.sensor("d4").heal()
    frames = bench.scan_for(2500)
    assert bench.unread(frames[-1]) == set()
    assert bench.codes() == set()


def test_without_a_reset_line_the_bus_is_lost_until_it_is_free() -> None:
    bench = Bench(reset_line=False).start()
    bench.scan()
    bench.wooden.sensor("d4").faults.hangs = True
    frame = bench.scan()
    assert bench.value(frame, "c9") is not None, "what was read before the hang is still told"
    assert bench.codes() == {("bus_lost", "bus")}
    with pytest.raises(BusError, match="bus is away, next trial in"):
        bench.scan()
    bench.wooden.sensor("d4").heal()
    bench.next_ms += 300
    frame = bench.scan()
    assert bench.unread(frame) == set()
    assert bench.codes() == set()


@pytest.mark.parametrize("trouble", [BusTrouble.HANGS, BusTrouble.FAILS, BusTrouble.GONE])
def test_a_bus_in_trouble_is_lost_named_and_comes_back_with_all_its_places(
    bench: Bench, trouble: BusTrouble
) -> None:
    before = bench.scan()
    bench.wooden.bus.trouble = trouble
    with pytest.raises(BusError):
        bench.scan()
    (fault,) = bench.scanner.health().faults
    assert (fault.code, fault.where) == ("bus_lost", "bus")
    for _ in range(100):
        with pytest.raises(BusError):
            bench.scan()
    (fault,) = bench.scanner.health().faults
    gone = trouble is BusTrouble.GONE
    assert fault.code == ("bus_not_found" if gone else "bus_lost")
    bench.wooden.bus.trouble = BusTrouble.NONE
    bench.next_ms += 5000
    frame = bench.scan()
    assert bench.unread(frame) == set()
    assert bench.value(frame, "d4") == pytest.approx(bench.value(before, "d4"), abs=0.3)
    assert bench.codes() == set()


def test_sensors_that_lost_their_power_with_the_bus_are_set_up_before_they_are_read(bench: Bench) -> None:
    bench.scan()
    bench.wooden.bus.trouble = BusTrouble.FAILS
    with pytest.raises(BusError, match="every transfer fails"):
        bench.scan()
    for cell in BOARD.names:
        bench.wooden.sensor(cell).restart()
    bench.wooden.bus.trouble = BusTrouble.NONE
    bench.next_ms += 300
    assert bench.unread(bench.scan()) == set()


def test_a_board_without_power_names_its_multiplexers(bench: Bench) -> None:
    bench.scan()
    for address in (0x70, 0x71, 0x72, 0x73):
        bench.wooden.mux(address).faults.dead = True
    with pytest.raises(BusError, match="no sensor answers"):
        bench.scan()
    assert bench.codes() == {("nack", f"mux 0x{address:x}") for address in range(0x70, 0x74)}


def test_a_start_without_a_bus_is_a_fault_and_the_bus_is_taken_when_it_comes() -> None:
    bench = Bench()
    bench.wooden.bus.trouble = BusTrouble.GONE
    bench.start()
    assert bench.scanner.health().faults == (
        Fault("bus_not_found", "bus", ("no simulated I2C bus: it is unplugged",)),
    )
    bench.wooden.bus.trouble = BusTrouble.NONE
    bench.next_ms += 300
    assert bench.unread(bench.scan()) == set()


def test_a_scan_ends_at_its_deadline(bench: Bench) -> None:
    scanner = field_scanner(
        BOARD, bench.wooden.open_bus, "bus", bench.wooden.clock, limits=ScanLimits(deadline_ms=5)
    )
    scanner.start()
    frame = scanner.scan()
    read = [value for value in frame.values if value is not None]
    assert 5 < len(read) < 30
    assert scanner.health().faults == ()


def test_after_closing_a_scan_is_an_error(bench: Bench) -> None:
    bench.scanner.close()
    bench.scanner.close()
    with pytest.raises(DeviceClosedError):
        bench.scanner.scan()

"""The calibration from frame to frame, on a board that is nothing but its field model and some noise."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

from controller.core.calibrating import DEAD_MS, PATIENCE_MS, Calibrator
from controller.core.calibration import format_calibration, parse_calibration
from controller.core.calibrationreport import Stage, Way, serpentine, single_fields
from controller.core.fieldmodel import FieldParameters
from controller.core.lights import Meaning
from controller.errors import CalibrationError
from hardware.boardfile import Board, load_board
from hardware.ports import Frame

FRAME_MS = 40


@cache
def board() -> Board:
    return load_board("avalam")


@cache
def parameters() -> FieldParameters:
    b = board()
    return FieldParameters(b.positions_mm, b.pitch_mm, b.pawn_mm, b.gap_mm, b.magnet)


@cache
def fields() -> tuple[tuple[float, ...], ...]:
    return single_fields(parameters())


class Rig:
    """Sensors of known gain and offset under pieces of known strength, and what may be wrong with them."""

    def __init__(self, way: Way = Way.CARRY, *, set_up: dict[str, int | None] | None = None) -> None:
        self.cells = board().names
        self.rng = Random(7)
        self.zero = {cell: self.rng.gauss(0, 0.15) for cell in self.cells}
        self.gain = {cell: self.rng.gauss(1, 0.04) for cell in self.cells}
        self.noise = dict.fromkeys(self.cells, 0.025)
        self.pieces: dict[str, float] = {}
        self.dead: set[str] = set()
        self.unread: set[str] = set()
        self.swapped: dict[str, str] = {}
        self.drift_mt = 0.0
        self.t_ms = 0
        self.told = False
        self.calibrator = Calibrator(self.cells, parameters(), way, set_up)

    def field(self, cell: str) -> float:
        if cell in self.dead:
            return 0.0
        k = self.cells.index(cell)
        return self.gain[cell] * sum(s * fields()[k][self.cells.index(at)] for at, s in self.pieces.items())

    def let_pass(self, duration_ms: int) -> None:
        read = [self.swapped.get(cell, cell) for cell in self.cells]
        rest = [self.zero[cell] + self.field(cell) + self.drift_mt for cell in read]
        for _ in range(duration_ms // FRAME_MS):
            self.t_ms += FRAME_MS
            values = [
                None if cell in self.unread else mt + self.rng.gauss(0, self.noise[cell])
                for cell, mt in zip(read, rest, strict=True)
            ]
            self.told = self.calibrator.frame(Frame(self.t_ms, tuple(values)))

    def put(self, *cells: str, strength: float = 1.0, rest_ms: int = 1200) -> None:
        self.pieces = {}
        self.let_pass(200)
        self.pieces = dict.fromkeys(cells, strength)
        self.let_pass(rest_ms)

    def begin(self) -> None:
        self.let_pass(1200)
        assert self.stage in (Stage.SINGLE, Stage.SET_UP), self.calibrator.progress

    def carry_round(self, rest_ms: int = 1200) -> None:
        """Do what the lights say until it is over; a place that takes two visits is a fault of the test."""
        while self.stage is Stage.SINGLE:
            cell = self.target
            self.put(cell, rest_ms=rest_ms)
            assert self.target != cell, self.calibrator.progress

    @property
    def stage(self) -> Stage:
        return self.calibrator.stage

    @property
    def target(self) -> str:
        return self.calibrator.progress.cell or ""

    @property
    def hint(self) -> tuple[str | None, tuple[str, ...]]:
        return self.calibrator.progress.hint, self.calibrator.progress.cells

    def fault(self, cell: str) -> str | None:
        return self.calibrator.progress.places[cell].fault


@pytest.fixture
def rig() -> Rig:
    return Rig()


def test_a_piece_carried_round_measures_every_place(rig: Rig) -> None:
    rig.begin()
    rig.carry_round()
    assert rig.stage is Stage.DONE
    result = rig.calibrator.result("avalam 1", "2026-12-01T12:00:00+00:00")
    assert (result.board, result.made_at, result.unusable) == ("avalam 1", "2026-12-01T12:00:00+00:00", ())
    for k, cell in enumerate(rig.cells):
        assert result.zero_mt[k] == pytest.approx(rig.zero[cell], abs=0.04)
        assert result.single_mt[k] == pytest.approx(rig.gain[cell] * fields()[k][k], abs=0.06)
    assert result.noise_mt == pytest.approx(0.025, rel=0.3)
    assert all(n == pytest.approx(0.025, rel=0.7) for n in result.place_noise_mt)


def test_every_place_gets_its_margins(rig: Rig) -> None:
    rig.gain["c5"] = 0.4
    rig.begin()
    rig.carry_round()
    places = rig.calibrator.progress.places
    assert places["e5"].margin == pytest.approx(4.0 * rig.gain["e5"], rel=0.05)
    assert places["e5"].signal_to_noise == pytest.approx(27 / 0.025, rel=0.6)
    assert (places["c5"].fault, places["c5"].margin) == ("weak", pytest.approx(1.6, rel=0.05))
    assert [cell for cell, place in places.items() if place.fault] == ["c5"]
    assert rig.calibrator.result("", "").unusable == ()


def test_the_lights_lead_from_place_to_place(rig: Rig) -> None:
    assert rig.calibrator.lights() == {}
    rig.begin()
    first = rig.target
    assert rig.calibrator.lights() == {first: Meaning.TO}
    rig.put(first)
    assert rig.calibrator.lights() == {first: Meaning.FROM, rig.target: Meaning.TO}
    assert rig.hint == ("carry", (rig.target,))
    rig.pieces = {}
    rig.let_pass(200)
    assert rig.calibrator.lights() == {rig.target: Meaning.TO}
    assert rig.calibrator.progress.done == 1


def test_pieces_on_the_board_must_go_first(rig: Rig) -> None:
    rig.pieces = {"e5": 1.0, "a4": 1.0}
    rig.let_pass(3000)
    assert rig.stage is Stage.EMPTY
    assert rig.hint == ("remove", ("a4", "e5"))
    assert rig.calibrator.lights() == {"a4": Meaning.REMOVE, "e5": Meaning.REMOVE}
    rig.pieces = {}
    rig.let_pass(1200)
    assert rig.stage is Stage.SINGLE


def test_a_place_stuck_high_is_passed_over_on_a_persons_word(rig: Rig) -> None:
    rig.zero["e5"] = 40.0
    rig.calibrator.skip()  # before anything is known: nothing happens
    rig.let_pass(1200)
    assert rig.hint == ("remove", ("e5",))
    rig.calibrator.skip()
    assert (rig.stage, rig.fault("e5")) == (Stage.SINGLE, "stuck")
    rig.carry_round()
    assert rig.calibrator.result("", "").unusable == ("e5",)


def test_a_bus_that_is_away_is_waited_for(rig: Rig) -> None:
    rig.unread = set(rig.cells)
    rig.let_pass(2 * PATIENCE_MS)
    assert (rig.stage, rig.hint) == (Stage.EMPTY, ("unread", ()))
    rig.unread = set()
    rig.let_pass(1200)
    assert rig.stage is Stage.SINGLE


def test_an_unread_place_is_gone_on_without_after_a_while(rig: Rig) -> None:
    rig.unread = {"e5"}
    rig.let_pass(1200)
    assert rig.stage is Stage.EMPTY
    rig.let_pass(PATIENCE_MS)
    assert (rig.stage, rig.fault("e5")) == (Stage.SINGLE, "unread")
    rig.carry_round()
    result = rig.calibrator.result("", "")
    assert result.unusable == ("e5",)
    assert result.place_noise_mt[rig.cells.index("e5")] is None


def test_a_place_that_stops_reading_later_is_passed_over(rig: Rig) -> None:
    rig.begin()
    cell = rig.target
    rig.unread = {cell}
    rig.let_pass(1200)
    assert (rig.fault(cell), rig.stage) == ("unread", Stage.SINGLE)


def test_a_noisy_place_is_named_and_measured_all_the_same(rig: Rig) -> None:
    rig.noise["e5"] = 0.5
    rig.let_pass(1200 + PATIENCE_MS)
    assert rig.stage is Stage.SINGLE
    rig.carry_round()
    place = rig.calibrator.progress.places["e5"]
    assert place.fault == "noisy"
    assert place.single_mt == pytest.approx(27 * rig.gain["e5"], abs=0.5)


def test_a_dead_place_is_known_by_what_its_neighbours_feel(rig: Rig) -> None:
    rig.dead = {"e5", "a4", "i6"}
    rig.begin()
    rig.carry_round(rest_ms=1200 + DEAD_MS)
    assert rig.stage is Stage.DONE
    assert [cell for cell in rig.cells if rig.fault(cell)] == ["a4", "e5", "i6"]
    assert {rig.fault(cell) for cell in rig.dead} == {"dead"}
    result = rig.calibrator.result("", "")
    assert result.unusable == ("a4", "e5", "i6")
    assert result.single_mt[rig.cells.index("e5")] == pytest.approx(27, abs=1.0)


def test_an_empty_board_names_no_dead_place_however_long_it_takes(rig: Rig) -> None:
    rig.begin()
    cell = rig.target
    for _ in range(40):
        rig.drift_mt += 0.005
        rig.let_pass(500)
    assert (rig.target, rig.fault(cell)) == (cell, None)


def test_crossed_wires_are_told_from_a_piece_on_the_wrong_hole(rig: Rig) -> None:
    rig.swapped = {"e5": "d5", "d5": "e5"}
    rig.begin()
    rig.put("c5" if rig.target != "c5" else "c6")
    assert rig.hint[0] == "misplaced"
    assert rig.calibrator.lights()[rig.hint[1][0]] is Meaning.WRONG
    rig.carry_round()
    assert rig.stage is Stage.FAILED
    assert rig.hint == ("swapped", ("d5", "e5"))
    places = rig.calibrator.progress.places
    assert (places["d5"].other, places["e5"].other) == ("e5", "d5")
    assert [cell for cell in rig.cells if rig.fault(cell)] == ["d5", "e5"]
    with pytest.raises(CalibrationError, match="not finished"):
        rig.calibrator.result("", "")


def test_a_second_piece_is_in_the_way(rig: Rig) -> None:
    rig.begin()
    cell = rig.target
    rig.put(cell, "e5")
    assert (rig.hint, rig.target) == (("extra", ("e5",)), cell)
    assert rig.calibrator.lights() == {cell: Meaning.TO, "e5": Meaning.REMOVE}
    rig.put(cell)
    assert rig.target != cell


def test_a_piece_turned_over_is_not_measured(rig: Rig) -> None:
    rig.begin()
    rig.put(rig.target)
    cell = rig.target
    rig.put(cell, strength=-1.0)
    assert (rig.hint, rig.target) == (("reversed", (cell,)), cell)
    rig.put(cell)
    assert rig.target != cell


def test_a_hand_that_trembles_is_waited_for(rig: Rig) -> None:
    rig.begin()
    cell = rig.target
    for n in range(60):
        rig.pieces = {cell: 0.8 + 0.02 * (n % 3)}
        rig.let_pass(FRAME_MS)
    assert (rig.target, rig.hint) == (cell, ("place", (cell,)))


def test_a_place_can_be_skipped_and_too_few_places_are_no_calibration(rig: Rig) -> None:
    rig.begin()
    cell = rig.target
    rig.calibrator.skip()
    assert (rig.fault(cell), rig.target != cell) == ("skipped", True)
    while rig.stage is Stage.SINGLE:
        rig.calibrator.skip()
    assert (rig.stage, rig.hint[0]) == (Stage.FAILED, "too_few")
    assert not rig.calibrator.frame(Frame(rig.t_ms + 40, (0.0,) * len(rig.cells)))
    rig.calibrator.skip()
    assert rig.calibrator.is_over


def test_zeros_follow_drift_while_the_piece_goes_round(rig: Rig) -> None:
    rig.begin()
    while rig.stage is Stage.SINGLE:
        rig.drift_mt += 0.3 / len(rig.cells)
        rig.put(rig.target)
    result = rig.calibrator.result("", "")
    off = [zero - rig.zero[cell] for cell, zero in zip(rig.cells, result.zero_mt, strict=True)]
    assert all(0.22 < value < 0.34 for value in off)


def test_progress_is_told_when_it_changes(rig: Rig) -> None:
    rig.begin()
    before = rig.calibrator.progress
    rig.let_pass(FRAME_MS)
    assert (rig.told, rig.calibrator.progress) == (False, before)
    rig.put(rig.target, rest_ms=0)
    while not rig.told:
        rig.let_pass(FRAME_MS)
    assert rig.calibrator.progress.done == 1
    with pytest.raises(ValueError, match="49 values, not 2"):
        rig.calibrator.frame(Frame(0, (0.0, 0.0)))


def set_up() -> dict[str, int | None]:
    return {cell: k % 2 for k, cell in enumerate(board().names) if cell != "e5"}


def test_a_set_up_board_measures_all_places_at_once() -> None:
    rig = Rig(Way.SETUP, set_up=set_up())
    rig.begin()
    assert rig.target == "e5"
    rig.put("e5")
    assert (rig.stage, rig.hint[0]) == (Stage.SET_UP, "place")
    assert rig.calibrator.lights()["a4"] is Meaning.PLACE_FIRST
    assert rig.calibrator.lights()["a5"] is Meaning.PLACE_SECOND
    rig.put(*rig.cells)
    assert rig.hint == ("extra", ("e5",))
    rig.put(*set_up())
    assert rig.stage is Stage.DONE
    result = rig.calibrator.result("", "")
    for k, cell in enumerate(rig.cells):
        assert result.single_mt[k] == pytest.approx(rig.gain[cell] * fields()[k][k], abs=0.1)


def test_in_a_set_up_a_person_says_that_a_dead_place_has_its_piece() -> None:
    rig = Rig(Way.SETUP, set_up=set_up())
    rig.dead, rig.noise["c5"] = {"d5"}, 0.02
    rig.begin()
    rig.put("e5")
    rig.put(*set_up(), rest_ms=400)
    rig.unread = {"c5"}
    rig.let_pass(1200)
    assert rig.hint == ("place", ("d5",))
    rig.calibrator.skip()
    rig.let_pass(1200)
    assert rig.stage is Stage.DONE
    assert (rig.fault("d5"), rig.fault("c5")) == ("dead", "unread")
    assert rig.calibrator.result("", "").unusable == ("c5", "d5")


def test_the_way_goes_row_by_row_and_back() -> None:
    square = [(x, y) for y in (0.0, 30.0) for x in (0.0, 30.0, 60.0)]
    assert serpentine(square, range(6)) == [3, 4, 5, 2, 1, 0]


def test_what_could_not_be_measured_is_noted_with_the_calibration(rig: Rig) -> None:
    rig.unread = {"e5"}
    rig.let_pass(1200 + PATIENCE_MS)
    rig.carry_round()
    result = replace(rig.calibrator.result("avalam 1", ""), temperature_c=21.5)
    assert parse_calibration(format_calibration(result), rig.cells) == result


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"unusable": ["z9"]}, "unusable must be a list of cells"),
        ({"unusable": "a1"}, "unusable must be a list of cells"),
        ({"place_noise_mt": [0.1]}, "place_noise_mt needs 2 values"),
        ({"place_noise_mt": [0.1, -1]}, "not a noise: -1"),
        ({"temperature_c": "warm"}, "temperature_c must be a number or null"),
    ],
)
def test_a_damaged_note_is_refused(wrong: dict[str, Any], said: str) -> None:
    good = {"zero_mt": [0.0, 0.0], "single_mt": [26.0, 26.0]}
    with pytest.raises(CalibrationError, match=said):
        parse_calibration(good | wrong, ("a1", "a2"))

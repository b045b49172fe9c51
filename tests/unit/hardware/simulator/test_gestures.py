"""What people do with towers ends as it should, and passes where it should."""

from __future__ import annotations

import pytest

from hardware.boardfile import load_board
from hardware.simulator.board import SimulatedBoard
from hardware.simulator.gestures import Manner
from hardware.simulator.hand import Step
from hardware.simulator.table import IDEAL

BOARD = load_board("avalam")
STACKS = {"e5": (0, 1), "e6": (1, 0, 0), "e7": (1,), "d5": (0,)}


@pytest.fixture
def wooden() -> SimulatedBoard:
    board = SimulatedBoard(BOARD, seed=2, physics=IDEAL)
    board.set_up(STACKS)
    return board


def play(wooden: SimulatedBoard, steps: list[Step]) -> list[tuple[float, float, float]]:
    """The poses of the tower in the hand, every 5 ms."""
    wooden.do(steps)
    poses = []
    while not wooden.hands[0].is_idle:
        wooden.advance_ms(5)
        poses += [carried[:3] for carried in wooden.carried()]
    return poses


@pytest.mark.parametrize("manner", list(Manner))
def test_a_move_ends_on_its_target(wooden: SimulatedBoard, manner: Manner) -> None:
    poses = play(wooden, wooden.gestures.move("e5", "e7", manner))
    assert wooden.stacks() == {"d5": (0,), "e6": (1, 0, 0), "e7": (1, 0, 1)}
    highest_mm = max(clearance_mm for _, _, clearance_mm in poses)
    expected_mm = {Manner.HIGH: 55.0, Manner.LOW: 24.0 + 6.0, Manner.SLIDE: 24.0 + 0.8}[manner]
    assert highest_mm == pytest.approx(expected_mm)
    over_e6 = [z for _, y, z in poses if 145.0 < y < 155.0]
    assert over_e6
    assert min(over_e6) > 24.0, "not through the tower on its way"


def test_a_move_takes_what_hands_take(wooden: SimulatedBoard) -> None:
    wooden.do(wooden.gestures.move("e5", "d5"))
    assert 400_000 < wooden.hands[0].remaining_us() < 1_000_000


def test_a_move_by_way_of_other_cells(wooden: SimulatedBoard) -> None:
    poses = play(wooden, wooden.gestures.move("e5", "e7", Manner.LOW, via=["f5", "f7"]))
    assert any(abs(x - 150.0) < 3.0 and abs(y - 165.0) < 30.0 for x, y, _ in poses)
    assert wooden.stacks()["e7"] == (1, 0, 1)


def test_splitting_a_tower_leaves_the_rest(wooden: SimulatedBoard) -> None:
    poses = play(wooden, wooden.gestures.move("e6", "d5", Manner.SLIDE, count=1))
    assert min(z for _, _, z in poses) == pytest.approx(8.0, abs=0.01)
    assert wooden.stacks() == {"d5": (0, 0), "e5": (0, 1), "e6": (1, 0), "e7": (1,)}


@pytest.mark.parametrize("count", [None, 1])
def test_putting_back_changes_nothing(wooden: SimulatedBoard, count: int | None) -> None:
    poses = play(wooden, wooden.gestures.put_back("e6", count))
    assert wooden.stacks() == dict(sorted(STACKS.items()))
    assert max(z for _, _, z in poses) == pytest.approx(55.0)


def test_hovering_rests_low_over_each_cell(wooden: SimulatedBoard) -> None:
    poses = play(wooden, wooden.gestures.hover("e5", ["f5", "f6"], "e6"))
    for place in ((150.0, 120.0), (150.0, 150.0)):
        assert sum((x, y) == place for x, y, _ in poses) > 50
    assert wooden.stacks()["e6"] == (1, 0, 0, 0, 1)


def test_lifting_and_putting_are_the_halves_of_a_move(wooden: SimulatedBoard) -> None:
    play(wooden, wooden.gestures.lift("e5"))
    assert "e5" not in wooden.stacks()
    play(wooden, wooden.gestures.put("d5"))
    assert wooden.stacks()["d5"] == (0, 0, 1)


def test_dropping_lets_go_above(wooden: SimulatedBoard) -> None:
    poses = play(wooden, wooden.gestures.drop("e5", "d5"))
    assert poses[-1][2] == pytest.approx(8.0 + 12.0, abs=1.0)
    assert wooden.stacks()["d5"] == (0, 0, 1)


def test_stumbling_ends_right_and_passes_the_wrong_place(wooden: SimulatedBoard) -> None:
    play(wooden, wooden.gestures.stumble("e5", "e6", "d5", count=2))
    events = [(event.kind, event.cell) for event in wooden.hands[0].events]
    assert ("released", "e6") in events
    assert wooden.stacks() == {"d5": (0, 0, 1), "e6": (1, 0, 0), "e7": (1,)}


def test_waving_a_bracelet_is_felt_and_leaves_nothing(wooden: SimulatedBoard) -> None:
    index = BOARD.names.index("f5")
    before_mt = wooden.table.field_mt(index)
    wooden.do(wooden.gestures.wave(["a5", "f5", "i5"]))
    felt_mt = 0.0
    while not wooden.hands[0].is_idle:
        wooden.advance_ms(5)
        felt_mt = max(felt_mt, abs(wooden.table.field_mt(index) - before_mt))
    assert felt_mt > 0.05
    assert wooden.table.field_mt(index) == before_mt
    assert wooden.stacks() == dict(sorted(STACKS.items()))


def test_nudging_is_over_at_once(wooden: SimulatedBoard) -> None:
    wooden.do(wooden.gestures.nudge("e5"))
    assert wooden.hands[0].is_idle
    assert wooden.stacks() == dict(sorted(STACKS.items()))


def test_the_same_seed_makes_the_same_gestures() -> None:
    one, other = (SimulatedBoard(BOARD, seed=9) for _ in range(2))
    for wooden in (one, other):
        wooden.set_up(STACKS)
    assert one.gestures.move("e5", "e6") == other.gestures.move("e5", "e6")

"""Gestures do what they are for: pieces end where they should, and are never lost on the way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random

import pytest

from controller.clumsy.hand import ClumsyHand
from hardware.boardfile import load_board
from hardware.simulator.board import SimulatedBoard
from hardware.simulator.hand import Step
from hardware.simulator.table import Carried

BOARD = load_board("avalam")
STACKS = {"e5": (0, 1), "e6": (1, 0, 1), "f5": (0,), "d4": (1,)}
Gesture = Callable[[ClumsyHand], Sequence[Step]]


class Bench:
    """A board with few towers and a hand of its own."""

    def __init__(self, seed: int) -> None:
        self.wooden = SimulatedBoard(BOARD, seed=seed)
        self.wooden.set_up(STACKS)
        self.hand = ClumsyHand(self.wooden.table, Random(seed))

    def do(self, gesture: Gesture) -> list[tuple[int, float]]:
        """Heights over the wood while something is held: time and clearance in mm."""
        self.wooden.do(gesture(self.hand))
        heights = []
        while not self.wooden.hands[0].is_idle:
            self.wooden.advance_ms(5)
            held = self.held()
            if held is not None:
                heights.append((self.wooden.clock.now_ms(), held.clearance_mm))
        return heights

    def held(self) -> Carried | None:
        return self.wooden.hands[0].held


@pytest.mark.parametrize("seed", range(8))
def test_a_tower_is_carried_over_everything(seed: int) -> None:
    bench = Bench(seed)
    heights = bench.do(lambda hand: hand.move_high("f5", "e6", 1, linger=bool(seed % 2), hover=seed > 3))
    assert bench.wooden.stacks() == {"d4": (1,), "e5": (0, 1), "e6": (1, 0, 1, 0)}
    assert max(mm for _, mm in heights) >= 24 + 12


@pytest.mark.parametrize("seed", range(8))
def test_a_low_carry_rests_just_above_what_it_passes(seed: int) -> None:
    bench = Bench(seed)
    heights = bench.do(lambda hand: hand.move_low("f5", ["e5"], "d4", 1, hover=False))
    assert bench.wooden.stacks() == {"d4": (1, 0), "e5": (0, 1), "e6": (1, 0, 1)}
    rests = [t for (t, mm), (_, after) in pairwise(heights) if mm == after and 16 + 4.5 <= mm <= 16 + 8]
    assert len(rests) * 5 >= 250


@pytest.mark.parametrize("seed", range(8))
def test_a_hover_keeps_its_distance_for_a_while(seed: int) -> None:
    bench = Bench(seed)
    heights = bench.do(lambda hand: hand.move_high("f5", "e6", 1, linger=False, hover=True))
    still = [mm for (_, mm), (_, after) in pairwise(heights) if mm == after and 24 + 11 <= mm <= 24 + 20]
    assert len(still) * 5 >= 450


def test_part_of_a_tower_is_taken_from_its_top_and_brought_back() -> None:
    bench = Bench(3)
    bench.do(lambda hand: hand.move_high("e6", "f5", 2, linger=False, hover=False))
    assert bench.wooden.stacks() == {"d4": (1,), "e5": (0, 1), "e6": (1,), "f5": (0, 0, 1)}
    bench.do(lambda hand: hand.move_low("f5", [], "e6", 2, hover=True))
    assert bench.wooden.stacks() == STACKS


@pytest.mark.parametrize("seed", range(5))
def test_what_is_put_back_or_nudged_or_passed_stays(seed: int) -> None:
    bench = Bench(seed)
    before = [bench.wooden.table.field_mt(k) for k in range(49)]
    assert max(mm for _, mm in bench.do(lambda hand: hand.nudge("e6"))) < 3.0
    bench.do(lambda hand: hand.put_back("e5", 2))
    bench.do(lambda hand: hand.wave(["c3", "d4", "e5"]))
    assert bench.wooden.stacks() == STACKS
    assert bench.wooden.table.carried == []
    after = [bench.wooden.table.field_mt(k) for k in range(49)]
    assert 0.0 < max(abs(a - b) for a, b in zip(before, after, strict=True)) < 12.0


def test_a_bracelet_stirs_several_sensors_by_less_than_a_piece() -> None:
    bench = Bench(1)
    before = [bench.wooden.table.field_mt(k) for k in range(49)]
    bench.wooden.do(bench.hand.wave(["c3", "d4", "e5"]))
    most = [0.0] * 49
    while not bench.wooden.hands[0].is_idle:
        bench.wooden.advance_ms(20)
        for k in range(49):
            most[k] = max(most[k], abs(bench.wooden.table.field_mt(k) - before[k]))
    assert sum(mt > 0.1 for mt in most) >= 3
    assert max(most) < 1.0

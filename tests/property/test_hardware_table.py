"""Whatever hands do to a simulated table, no piece is lost and the field is the sum of all pieces."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from hardware.boardfile import load_board
from hardware.magnetics import field_table, magnet_bz_mt
from hardware.simulator.board import SimulatedBoard
from hardware.simulator.gestures import Manner

BOARD = load_board("avalam")
CELLS = st.sampled_from(BOARD.names)
PLACES = st.tuples(st.floats(-80.0, 320.0), st.floats(-80.0, 320.0))
START = {name: (n % 2,) for n, name in enumerate(BOARD.names) if name != "e5"}


class AnyHands(RuleBasedStateMachine):
    """Two hands, a pointer and a program that restarts, on one table."""

    def __init__(self) -> None:
        super().__init__()
        self.wooden = SimulatedBoard(BOARD, seed=1)
        self.wooden.set_up(START)

    @rule(origin=CELLS, goal=CELLS, manner=st.sampled_from(list(Manner)), hand=st.integers(0, 1))
    def move(self, origin: str, goal: str, manner: Manner, hand: int) -> None:
        self.wooden.do(self.wooden.gestures.move(origin, goal, manner), hand)

    @rule(cell=CELLS)
    def put_back(self, cell: str) -> None:
        self.wooden.do(self.wooden.gestures.put_back(cell))

    @rule(cell=CELLS, hand=st.integers(0, 1))
    def nudge(self, cell: str, hand: int) -> None:
        self.wooden.do(self.wooden.gestures.nudge(cell), hand)

    @rule(over=st.lists(CELLS, min_size=1, max_size=4))
    def wave(self, over: list[str]) -> None:
        self.wooden.do(self.wooden.gestures.wave(over), hand=1)

    @rule(place=PLACES, count=st.none() | st.integers(1, 6))
    def grab(self, place: tuple[float, float], count: int | None) -> None:
        self.wooden.grab(*place, count)

    @rule(place=PLACES)
    def lead(self, place: tuple[float, float]) -> None:
        self.wooden.move_to(*place)

    @rule()
    def release(self) -> None:
        self.wooden.release()

    @rule(duration_ms=st.integers(1, 800))
    def wait(self, duration_ms: int) -> None:
        self.wooden.advance_ms(duration_ms)

    @rule()
    def restart_the_program(self) -> None:
        snapshot = json.loads(json.dumps(self.wooden.snapshot()))
        self.wooden = SimulatedBoard(BOARD, seed=1)
        self.wooden.restore(snapshot)

    @invariant()
    def no_piece_is_lost(self) -> None:
        owners = [owner for stack in self.wooden.stacks().values() for owner in stack]
        owners += [owner for _, _, stack in self.wooden.loose() for owner in stack]
        owners += [owner for _, _, _, stack in self.wooden.carried() for owner in stack]
        assert len(owners) == 48
        assert sum(owners) == sum(stack[0] for stack in START.values())

    @invariant()
    def the_field_is_the_sum_of_all_pieces(self) -> None:
        table = self.wooden.table
        index = 24
        x_mm, y_mm = BOARD.positions_mm[index]
        total_mt = 0.0
        for tower in table.towers:
            rho2 = (tower.x_mm - x_mm) ** 2 + (tower.y_mm - y_mm) ** 2
            strengths = [pawn.strength for pawn in tower.pawns]
            base_mm = BOARD.gap_mm + tower.rise_mm
            total_mt += field_table(BOARD.magnet).stack_bz_mt(rho2, base_mm, BOARD.pawn_mm, strengths)
        for held in table.carried:
            rho2 = (held.x_mm - x_mm) ** 2 + (held.y_mm - y_mm) ** 2
            base_mm = BOARD.gap_mm + held.clearance_mm
            total_mt += field_table(BOARD.magnet).stack_bz_mt(rho2, base_mm, BOARD.pawn_mm, held.strengths)
        assert table.field_mt(index) == pytest.approx(total_mt, abs=1e-9)


TestAnyHands = AnyHands.TestCase
TestAnyHands.settings = settings(max_examples=25, stateful_step_count=30, deadline=None)


def test_the_table_of_fields_holds_for_random_places() -> None:
    rng = Random(11)
    table = field_table(BOARD.magnet)
    for _ in range(3000):
        rho_mm, z_mm = rng.uniform(0.0, 300.0), rng.uniform(3.0, 200.0)
        assert table.bz_mt(rho_mm**2, z_mm) == pytest.approx(
            magnet_bz_mt(BOARD.magnet, rho_mm, z_mm), abs=0.01
        )

"""Whatever hands do, at rest the game is the one on the board: a stateful hand on the simulated board."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from controller.core.messages import NewGame, Phase
from hardware.simulator.gestures import Manner
from hardware.simulator.hand import Glide, Lower, Release
from hardware.simulator.table import IDEAL, Physics
from tests.fakes.sitting import AVALAM, BOARD, Sitting, heights, owned

REST_MS = 1000
MORE_RESTS = 2
NUMBERS = st.integers(0, 10**6)
"""Choices among what there is; the smallest is the first."""
MANNERS = st.sampled_from([Manner.HIGH, Manner.LOW, Manner.SLIDE])


class ClumsyPlayers(RuleBasedStateMachine):
    """Players who move, hesitate, wander, nudge, drop, err and take back; each time they rest after it."""

    sitting: Sitting

    @initialize(physics=st.sampled_from([IDEAL, Physics()]), seed=st.integers(0, 999))
    def sit_down(self, physics: Physics, seed: int) -> None:
        self.sitting = Sitting(physics=physics, seed=seed, period_ms=40)
        self.sitting.let_pass(REST_MS)

    # ---------------------------------------------------------------- what there is

    def towers(self) -> list[str]:
        return list(self.sitting.wooden.stacks())

    def tower(self, number: int) -> str:
        towers = self.towers()
        return towers[number % len(towers)]

    def move(self, number: int) -> tuple[str, str]:
        moves: Any = self.sitting.session.record.position.legal_moves()
        assume(moves)
        move = moves[number % len(moves)]
        return move.origin, move.target

    def is_open(self) -> bool:
        return hasattr(self, "sitting") and self.sitting.view.phase is Phase.PLAY

    def rest(self) -> None:
        """A second of rest, or more where the board takes its time to be sure."""
        self.sitting.let_pass(REST_MS)
        for _ in range(MORE_RESTS):
            if not self.sitting.agrees():
                self.sitting.let_pass(REST_MS)

    # ---------------------------------------------------------------- moves

    @precondition(is_open)
    @rule(number=NUMBERS, manner=MANNERS)
    def plays(self, number: int, manner: Manner) -> None:
        self.sitting.carry(*self.move(number), manner=manner)
        self.rest()

    @precondition(is_open)
    @rule(number=NUMBERS, over=st.lists(st.sampled_from(BOARD.names), min_size=1, max_size=3))
    def wanders_and_hovers(self, number: int, over: list[str]) -> None:
        origin, target = self.move(number)
        assume(origin not in over)
        self.sitting.do(self.sitting.wooden.gestures.hover(origin, over, target))
        self.rest()

    @precondition(is_open)
    @rule(number=NUMBERS)
    def drops(self, number: int) -> None:
        self.sitting.do(self.sitting.wooden.gestures.drop(*self.move(number)))
        self.rest()

    @precondition(is_open)
    @rule(numbers=st.lists(NUMBERS, min_size=2, max_size=3), pause_ms=st.integers(60, 400))
    def play_in_quick_succession(self, numbers: list[int], pause_ms: int) -> None:
        position: Any = self.sitting.session.record.position
        built = ""
        for number in numbers:
            moves = [m for m in position.legal_moves() if built not in (m.origin, m.target)]
            if not moves:
                break
            move = moves[number % len(moves)]
            position, built = position.play(move), move.target
            self.sitting.carry(move.origin, move.target)
            self.sitting.let_pass(pause_ms)
        self.rest()

    # ---------------------------------------------------------------- what means nothing

    @precondition(is_open)
    @rule(number=NUMBERS, up_mm=st.floats(10.0, 60.0))
    def puts_back(self, number: int, up_mm: float) -> None:
        cell = self.tower(number)
        gestures = self.sitting.wooden.gestures
        self.sitting.do([*gestures.lift(cell, up_mm), gestures.think(), Lower(150_000), Release()])
        self.rest()

    @precondition(is_open)
    @rule(number=NUMBERS, up_mm=st.floats(20.0, 60.0), over=st.sampled_from(BOARD.names))
    def thinks_better_of_it(self, number: int, up_mm: float, over: str) -> None:
        cell = self.tower(number)
        gestures = self.sitting.wooden.gestures
        place = BOARD.cell(over)
        up_mm = max(up_mm, 8.0 * len(self.sitting.wooden.stacks().get(over, ())) + 15.0)
        glide = Glide(300_000, place.x_mm, place.y_mm)
        self.sitting.do([*gestures.lift(cell, up_mm), glide, gestures.think(), *gestures.put(cell)])
        self.rest()

    @precondition(is_open)
    @rule(number=NUMBERS)
    def nudges(self, number: int) -> None:
        self.sitting.do(self.sitting.wooden.gestures.nudge(self.tower(number)))
        self.rest()

    @precondition(is_open)
    @rule(over=st.lists(st.sampled_from(BOARD.names), min_size=2, max_size=4))
    def waves(self, over: list[str]) -> None:
        self.sitting.do(self.sitting.wooden.gestures.wave(over, 0.6, 30.0), hand=1)
        self.rest()

    # ---------------------------------------------------------------- what has to be put right

    @precondition(is_open)
    @rule(number=NUMBERS, cell=st.sampled_from(BOARD.names))
    def errs_and_puts_it_right(self, number: int, cell: str) -> None:
        origin = self.tower(number)
        stacks = self.sitting.wooden.stacks()
        count = len(stacks[origin])
        reason = self.sitting.session.game.refusal(self.sitting.session.record.position, origin, cell)
        assume(origin != cell and reason is not None and len(stacks.get(cell, ())) + count <= 8)
        self.sitting.carry(origin, cell)
        self.sitting.let_pass(1500)
        assert self.sitting.view.phase is Phase.FIX
        self.sitting.carry(cell, origin, count=count)
        self.rest()

    @precondition(lambda self: self.is_open() and bool(self.sitting.session.record.moves))
    @rule(manner=MANNERS)
    def takes_back(self, manner: Manner) -> None:
        record = self.sitting.session.record
        move = record.moves[-1]
        count = AVALAM.heights(record.positions[-2])[AVALAM.cells.index(move.origin)]
        before = len(record.moves)
        self.sitting.carry(move.target, move.origin, manner=manner, count=count)
        self.rest()
        assert len(self.sitting.session.record.moves) == before - 1

    @precondition(lambda self: hasattr(self, "sitting") and self.sitting.view.phase is Phase.OVER)
    @rule()
    def plays_again(self) -> None:
        self.sitting.say(NewGame())
        self.sitting.wooden.set_up(owned(self.sitting.session.record))
        self.rest()

    # ---------------------------------------------------------------- the law

    @invariant()
    def the_game_is_the_one_on_the_board(self) -> None:
        if not hasattr(self, "sitting"):
            return
        record = self.sitting.session.record
        assert heights(record) == {c: len(s) for c, s in self.sitting.wooden.stacks().items()}
        assert self.sitting.view.phase is (Phase.PLAY if record.outcome is None else Phase.OVER)
        lit = set(self.sitting.session.lights(self.sitting.now_ms).values())
        assert {meaning.value for meaning in lit} <= {"last"}


TestClumsyPlayers = ClumsyPlayers.TestCase
TestClumsyPlayers.settings = settings(max_examples=8, stateful_step_count=12, derandomize=True)


class ClumsyPlayersAtLength(ClumsyPlayers):
    """The same players, who stay longer."""


TestClumsyPlayersAtLength = pytest.mark.timeout(1800)(pytest.mark.slow(ClumsyPlayersAtLength.TestCase))
TestClumsyPlayersAtLength.settings = settings(max_examples=60, stateful_step_count=50)

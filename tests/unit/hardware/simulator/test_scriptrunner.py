"""Hand scripts carried out on a simulated board, in its time."""

from __future__ import annotations

import pytest

from hardware.boardfile import load_board
from hardware.simulator.board import SimulatedBoard
from hardware.simulator.bus import BusTrouble
from hardware.simulator.script import parse_script
from hardware.simulator.scriptrunner import ScriptRunner
from hardware.simulator.table import IDEAL
from hardware.simulator.troubles import Troubles

BOARD = load_board("avalam")


class Stage:
    """A board with a few towers, and a script on it."""

    def __init__(self, text: str) -> None:
        self.wooden = SimulatedBoard(BOARD, physics=IDEAL)
        self.wooden.set_up({"c9": (0,), "d8": (1, 0), "e7": (1, 1, 0), "e4": (0,)})
        self.troubles = Troubles(self.wooden)
        self.runner = ScriptRunner(self.wooden, parse_script(text, BOARD.names), self.troubles)

    def play(self, duration_ms: int = 60_000) -> Stage:
        end_ms = self.wooden.clock.now_ms() + duration_ms
        while not self.runner.is_over and self.wooden.clock.now_ms() < end_ms:
            self.runner.go_on()
            self.wooden.advance_ms(10)
        return self

    def let_pass(self, duration_ms: int) -> None:
        for _ in range(duration_ms // 10):
            self.runner.go_on()
            self.wooden.advance_ms(10)

    @property
    def stacks(self) -> dict[str, tuple[int, ...]]:
        return self.wooden.stacks()


def played(text: str) -> Stage:
    stage = Stage(text).play()
    assert stage.runner.is_over
    assert stage.runner.failure is None
    return stage


def test_a_tower_is_moved_as_a_whole_or_in_part() -> None:
    assert played("move c9 d8").stacks == {"d8": (1, 0, 0), "e4": (0,), "e7": (1, 1, 0)}
    assert played("move e7 d8 top 2 low").stacks["d8"] == (1, 0, 1, 0)
    assert played("lift e7 top 1\ncarry d8 low\ndrop").stacks["e7"] == (1, 1)
    assert played("lift c9\nput d8").stacks["d8"] == (1, 0, 0)


def test_what_is_held_goes_back_or_aside() -> None:
    before = Stage("").stacks
    assert played("lift e7 top 2\nhover d8 12 mm 800 ms\nput back\nnudge c9").stacks == before
    aside = played("lift c9\nput aside")
    assert "c9" not in aside.stacks
    assert [pieces for _, _, pieces in aside.wooden.loose()] == [(0,)]


def test_hovering_lasts_as_long_and_as_low_as_it_says() -> None:
    stage = Stage("lift c9\nhover d8 12 mm 800 ms\nwait 1 ms")
    low_ms = []
    while not stage.runner.is_over:
        stage.runner.go_on()
        carried = stage.wooden.carried()
        if carried and carried[0][2] == pytest.approx(2 * BOARD.pawn_mm + 12.0, abs=0.05):
            low_ms.append(stage.wooden.clock.now_ms())
        stage.wooden.advance_ms(10)
    assert 790 <= low_ms[-1] - low_ms[0] <= 900


def test_knocked_towers_lie_beside_the_board_each_on_its_own() -> None:
    stage = played("knock c9 d8 e7 e4")
    assert stage.stacks == {}
    loose = stage.wooden.loose()
    assert sorted(pieces for _, _, pieces in loose) == [(0,), (0,), (1, 0), (1, 1, 0)]
    assert stage.wooden.clock.now_ms() < 2000


def test_the_other_hand_moves_at_the_same_time() -> None:
    stage = Stage("meanwhile move e7 e8\nmove c9 d8")
    stage.runner.go_on()
    stage.wooden.advance_ms(300)
    assert len(stage.wooden.carried()) == 2
    assert stage.play().stacks == {"d8": (1, 0, 0), "e4": (0,), "e8": (1, 1, 0)}


def test_the_other_hand_is_free_while_the_first_holds_something() -> None:
    stage = played("lift c9\nmeanwhile move e7 e8\nwait 3 s\nput back")
    assert stage.stacks == {"c9": (0,), "d8": (1, 0), "e4": (0,), "e8": (1, 1, 0)}


def test_waiting_takes_the_boards_time() -> None:
    stage = Stage("wait 500 ms\nmove c9 d8")
    stage.let_pass(490)
    assert stage.wooden.carried() == []
    stage.let_pass(30)
    assert stage.wooden.carried() != []


def test_faults_come_and_go() -> None:
    stage = played("fault dead e4\nfault noisy e7\nfault stuck c9 2 s\nfault bus hang 1 s\nfault strip lost")
    sensor = stage.wooden.sensor
    assert sensor("e4").faults.dead
    assert sensor("e7").faults.noise_factor > 1
    assert stage.wooden.bus.trouble is BusTrouble.HANGS
    assert stage.wooden.strip.fails
    kinds = {"bus": "hang", "c9": "stuck", "e4": "dead", "e7": "noisy", "strip": "lost"}
    assert dict(stage.troubles.standing) == kinds
    stage.let_pass(1010)
    assert stage.wooden.bus.trouble is BusTrouble.NONE
    assert sensor("c9").faults.stuck
    stage.let_pass(1010)
    assert not sensor("c9").faults.stuck
    assert dict(stage.troubles.standing) == {"e4": "dead", "e7": "noisy", "strip": "lost"}


def test_healing_ends_a_fault_or_all_of_them() -> None:
    stage = played("fault dead e4\nheal e4\nfault noisy e7\nfault bus gone\nfault strip lost\nheal bus")
    assert not stage.wooden.sensor("e4").faults.dead
    assert dict(stage.troubles.standing) == {"e7": "noisy", "strip": "lost"}
    stage.troubles.heal("all")
    assert stage.troubles.standing == ()
    assert stage.wooden.sensor("e7").faults.noise_factor == 1.0
    assert not stage.wooden.strip.fails


def test_another_fault_takes_the_place_of_the_first() -> None:
    stage = played("fault dead e4 1 s\nfault stuck e4")
    assert not stage.wooden.sensor("e4").faults.dead
    stage.let_pass(2000)
    assert stage.troubles.standing == (("e4", "stuck"),)


def test_a_fault_that_does_not_exist_is_an_error() -> None:
    troubles = Stage("").troubles
    for part, kind in (("e4", "asleep"), ("a1", "dead"), ("bus", "dead")):
        with pytest.raises(KeyError):
            troubles.break_part(part, kind)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("wait 1 ms\nlift e5", "line 2: nothing stands on e5; a tower must stand there"),
        ("knock c9 e5", "line 1: nothing stands on e5; a tower must stand there"),
        ("lift d8 top 3", "line 1: only 2 stand on d8; fewer must be taken"),
        ("carry d8 high", "line 1: the hand is empty; it must lift something first"),
        ("drop", "line 1: the hand is empty; it must lift something first"),
        ("lift c9\nmove d8 e7", "line 2: the hand holds something; it must set that down first"),
    ],
)
def test_what_cannot_be_done_ends_the_script_with_its_line(text: str, said: str) -> None:
    stage = Stage(text + "\nmove e4 e3").play()
    assert stage.runner.is_over
    assert str(stage.runner.failure) == said
    assert "e4" in stage.stacks


def test_a_script_that_is_stopped_leaves_nothing_in_the_air() -> None:
    stage = Stage("lift c9\nhover d8 12 mm 8 s\ndrop")
    stage.let_pass(1500)
    stage.runner.stop()
    stage.let_pass(1000)
    assert stage.wooden.carried() == []
    assert stage.runner.is_over

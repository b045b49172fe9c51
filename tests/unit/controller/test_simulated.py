"""The hand at the simulated table, and what stays on it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import dist
from pathlib import Path
from typing import Any

from controller import simulated as module
from controller.api import ScriptState
from controller.simulated import TableDesk, tidy
from engines.base import Reason
from engines.registry import game
from hardware.boardfile import load_board
from hardware.simulator.board import SimulatedBoard
from hardware.simulator.script import parse_script
from hardware.simulator.table import IDEAL

BOARD = load_board("avalam")
AVALAM: Any = game("avalam")
START: Mapping[str, Sequence[int]] = AVALAM.stacks(AVALAM.initial(), ())
STOCK = (0,) * 24 + (1,) * 24


class Desk:
    """A desk over an ideal board whose agreed position the test says."""

    def __init__(self) -> None:
        self.wooden = SimulatedBoard(BOARD, physics=IDEAL)
        self.agreed: Mapping[str, Sequence[int]] = START
        self.wakes = 0
        self.desk = TableDesk(self.wooden, STOCK, lambda: self.agreed, self.wake)
        self.desk.reset()
        self.desk.obey()

    def wake(self) -> None:
        self.wakes += 1

    def at(self, cell: str) -> tuple[float, float]:
        place = BOARD.cell(cell)
        return place.x_mm, place.y_mm


def test_wishes_wait_until_the_daemon_obeys_and_wake_it() -> None:
    table = Desk()
    table.wakes = 0
    table.desk.grab(*table.at("c9"))
    assert table.desk.state().hand is None
    assert table.wakes == 1
    assert table.desk.obey()
    assert table.desk.state().hand is not None
    assert "c9" not in table.desk.state().stacks
    assert not table.desk.obey()


def test_a_tower_is_carried_over_what_it_passes_and_set_down() -> None:
    table = Desk()
    table.desk.grab(*table.at("c9"))
    table.desk.obey()
    table.desk.move(*table.at("d8"), 6.0)
    table.desk.obey()
    table.wooden.finish_hands()
    hand = table.desk.state().hand
    assert hand is not None
    assert hand[:3] == (*table.at("d8"), 8.0 + 6.0)
    table.desk.release()
    table.desk.obey()
    assert table.desk.state().hand is None
    assert table.desk.state().stacks["d8"] == (0, 0)


def test_only_the_last_of_several_moves_at_one_moment_counts() -> None:
    table = Desk()
    for step in range(1000):
        table.desk.move(step, 0.0, 6.0)
    assert len(table.desk._waiting) == 1
    table.desk.grab(0.0, 0.0)
    table.desk.move(1.0, 0.0, 6.0)
    assert len(table.desk._waiting) == 3


def test_the_queue_is_bounded() -> None:
    table = Desk()
    for _ in range(2 * module._MOST_WAITING):
        table.desk.release()
    assert len(table.desk._waiting) == module._MOST_WAITING


def test_resetting_sets_up_the_agreed_position_with_the_same_pieces() -> None:
    table = Desk()
    table.agreed = {"c9": (0, 1, 0), "d8": (1,)}
    before = pieces(table.wooden)
    table.desk.grab(*table.at("f5"))
    table.desk.obey()
    table.desk.reset()
    table.desk.obey()
    state = table.desk.state()
    assert state.stacks == table.agreed
    assert state.hand is None
    assert Counter(owner for *_, owners in state.loose for owner in owners) == {0: 22, 1: 22}
    assert pieces(table.wooden) == before


def pieces(wooden: SimulatedBoard) -> Counter[tuple[int, float]]:
    snapshot: Any = wooden.snapshot()
    towers = [*snapshot["towers"], *snapshot["in_hand"]]
    return Counter((owner, strength) for tower in towers for owner, strength in tower["pawns"])


def test_pieces_beside_the_board_stand_apart_from_it_and_from_one_another() -> None:
    towers = tidy(BOARD, {"towers": [], "in_hand": []}, {}, STOCK)["in_hand"]
    places = [(tower["x_mm"], tower["y_mm"]) for tower in towers]
    assert len(places) == 48
    assert min(dist(a, b) for a, b in combinations(places, 2)) >= BOARD.pawn_diameter_mm
    assert min(dist(place, hole) for place in places for hole in BOARD.positions_mm) > 1.3 * BOARD.pitch_mm
    wooden = SimulatedBoard(BOARD, physics=IDEAL)
    wooden.restore({"board": "avalam", "towers": [], "in_hand": towers})
    assert wooden.stacks() == {}
    assert len(wooden.loose()) == 48


def test_a_piece_whose_owner_is_not_known_is_any_piece() -> None:
    (tower, *_) = tidy(BOARD, {"towers": [], "in_hand": []}, {"c9": (-1, 1)}, (0, 0, 1, 1, 1))["in_hand"]
    assert [owner for owner, _ in tower["pawns"]] == [1, 1]


def test_what_lies_on_the_table_is_there_again(tmp_path: Path) -> None:
    table = Desk()
    table.desk.grab(*table.at("c9"))
    table.desk.obey()
    assert table.desk.noted() is None
    table.desk.move(*table.at("d8"), 6.0)
    table.desk.release()
    table.desk.obey()
    noted = table.desk.noted()
    assert noted is not None
    path = tmp_path / "table.json"
    path.write_text(noted, encoding="utf-8")
    again = Desk()
    again.desk.restore(path)
    assert again.desk.state() == table.desk.state()


def test_without_a_good_note_the_agreed_position_is_set_up(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    for text in (
        None,
        "",
        "{",
        "[]",
        '{"board": "chess"}',
        '{"board": "avalam", "towers": [{}], "in_hand": []}',
    ):
        if text is not None:
            path.write_text(text, encoding="utf-8")
        table = Desk()
        table.agreed = {"c9": (0, 1)}
        table.desk.restore(path)
        assert table.desk.state().stacks == {"c9": (0, 1)}, text
    assert json.loads(table.desk.noted() or "")["board"] == "avalam"


# ---------------------------------------------------------------- scripts and mishaps


def script(table: Desk, text: str) -> None:
    table.desk.play(parse_script(text, BOARD.names))
    table.desk.obey()


def let_pass(table: Desk, duration_ms: int) -> None:
    for _ in range(duration_ms // 20):
        table.wooden.advance_ms(20)
        table.desk.obey()


def test_a_script_is_played_in_the_boards_time_and_tells_how_far_it_is() -> None:
    table = Desk()
    assert table.desk.state().script is None
    script(table, "wait 1 s\n\nmove c9 d8")
    assert table.desk.state().script == ScriptState(1, is_over=False)
    let_pass(table, 1040)
    assert table.desk.state().script == ScriptState(3, is_over=False)
    let_pass(table, 3000)
    assert table.desk.state().script == ScriptState(3, is_over=True)
    assert table.desk.state().stacks["d8"] == (0, 0)


def test_a_script_that_cannot_go_on_says_why() -> None:
    table = Desk()
    script(table, "lift e5")
    assert table.desk.state().script == ScriptState(
        1, is_over=True, failure=Reason("script_nothing_there", (1, "e5"))
    )


def test_faults_alone_leave_the_script_under_way_be_and_another_ends_it() -> None:
    table = Desk()
    script(table, "lift c9\nwait 20 s")
    let_pass(table, 1000)
    script(table, "fault dead e4\nfault bus hang 1 s")
    state = table.desk.state()
    assert state.broken == (("bus", "hang"), ("e4", "dead"))
    assert state.hand is not None
    assert state.script == ScriptState(2, is_over=False)
    let_pass(table, 1020)
    assert table.desk.state().broken == (("e4", "dead"),)
    script(table, "wait 5 s")
    let_pass(table, 1000)
    assert table.desk.state().hand is None
    assert "c9" in table.desk.state().stacks


def test_tidying_up_ends_a_script() -> None:
    table = Desk()
    script(table, "lift c9\nput d8")
    let_pass(table, 400)
    table.desk.reset()
    table.desk.obey()
    let_pass(table, 3000)
    assert table.desk.state().stacks == {cell: tuple(owners) for cell, owners in START.items()}
    assert table.desk.state().script is None


def test_a_power_cut_is_for_whoever_keeps_the_game() -> None:
    table = Desk()
    cuts: list[int] = []
    desk = TableDesk(table.wooden, STOCK, lambda: START, table.wake, lambda: cuts.append(1))
    desk.cut_power()
    assert cuts == []
    desk.obey()
    assert cuts == [1]

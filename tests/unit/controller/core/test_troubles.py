"""Sensors that fail, frames that get lost, a board that is knocked over: the game goes on."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from controller.core.messages import Confirm, NewGame, Phase, PlaceFault, TakeBack
from engines.record import Record
from hardware.simulator.hand import Release
from hardware.simulator.table import IDEAL, Physics
from tests.fakes.sitting import AVALAM, BOARD, Sitting, owned

REST_MS = 1500


@pytest.fixture(params=["ideal", "ordinary"])
def sitting(request: pytest.FixtureRequest) -> Sitting:
    """A board at which nothing has been seen yet."""
    return Sitting(physics=IDEAL) if request.param == "ideal" else Sitting(physics=Physics(), seed=6)


def carried(sitting: Sitting, *moves: str, rest_ms: int = REST_MS) -> list[str]:
    """What is told of these moves."""
    for move in moves:
        sitting.carry(move[:2], move[2:])
        sitting.let_pass(rest_ms)
    return sitting.hear()


def moved(*moves: str) -> list[str]:
    return [f"move {move}" for move in moves]


# ---------------------------------------------------------------- frames


@pytest.mark.parametrize("share", [0.1, 0.3])
def test_frames_that_get_lost_are_not_missed(sitting: Sitting, share: float) -> None:
    rng = Random(3)
    sitting.loses = lambda: rng.random() < share
    sitting.let_pass(REST_MS)
    moves = ("c5c6", "f5f4", "d7e8", "g2g3", "e8e7", "c3d3")
    assert carried(sitting, *moves) == moved(*moves)
    assert sitting.agrees()


def test_a_gap_while_a_piece_is_on_its_way(sitting: Sitting) -> None:
    sitting.let_pass(REST_MS)
    sitting.do(sitting.wooden.gestures.lift("c5"))
    sitting.wooden.do(sitting.wooden.gestures.put("c6"))
    sitting.loses = lambda: True
    sitting.let_pass(1500)
    sitting.loses = lambda: False
    assert sitting.hear() == []
    sitting.let_pass(REST_MS)
    assert sitting.hear() == moved("c5c6")


def test_a_move_within_a_gap(sitting: Sitting) -> None:
    sitting.let_pass(REST_MS)
    sitting.loses = lambda: True
    sitting.carry("c5", "c6")
    sitting.loses = lambda: False
    sitting.let_pass(REST_MS)
    assert sitting.hear() == moved("c5c6")
    assert sitting.agrees()


def test_a_bus_that_is_away_says_nothing_and_comes_back_to_the_game(sitting: Sitting) -> None:
    sitting.let_pass(REST_MS)
    assert carried(sitting, "c5c6") == moved("c5c6")
    sitting.unread = BOARD.names
    sitting.let_pass(3000)
    assert len(sitting.view.unknown) == len(BOARD.names)
    assert sitting.view.position == AVALAM.format_position(sitting.session.record.position)
    sitting.unread = ()
    sitting.let_pass(REST_MS)
    assert sitting.view.unknown == ()
    assert sitting.hear() == []
    assert sitting.view.phase is Phase.PLAY
    assert carried(sitting, "f5f4") == moved("f5f4")


def test_a_move_made_while_the_bus_was_away_is_found(sitting: Sitting) -> None:
    sitting.let_pass(REST_MS)
    sitting.unread = BOARD.names
    sitting.let_pass(400)
    sitting.carry("c5", "c6")
    sitting.let_pass(400)
    sitting.unread = ()
    sitting.let_pass(REST_MS)
    assert sitting.hear() == moved("c5c6")


def test_three_moves_made_while_the_bus_was_away_are_found_in_some_order(sitting: Sitting) -> None:
    sitting.let_pass(REST_MS)
    sitting.unread = BOARD.names
    sitting.let_pass(400)
    for move in ("c5c6", "f5f4", "g2h2"):
        sitting.carry(move[:2], move[2:])
    sitting.unread = ()
    sitting.let_pass(3000)
    assert sorted(sitting.hear()) == sorted(moved("c5c6", "f5f4", "g2h2"))
    assert sitting.agrees()


def test_two_mistakes_put_right_while_the_bus_was_away_are_put_right(sitting: Sitting) -> None:
    sitting.let_pass(REST_MS)
    assert carried(sitting, "d5e5", "g2i6") == [
        "illegal empty_target(e5) d5 e5",
        "mismatch - + e5>d5 i6>g2",
    ]
    sitting.unread = BOARD.names
    sitting.let_pass(400)
    sitting.carry("e5", "d5")
    sitting.carry("i6", "g2", count=1)
    sitting.unread = ()
    sitting.let_pass(3000)
    assert sitting.hear() == ["restored"]
    assert sitting.view.phase is Phase.PLAY
    assert sitting.agrees()


def test_a_bus_that_is_away_at_the_start_is_waited_for(sitting: Sitting) -> None:
    sitting.unread = BOARD.names
    sitting.let_pass(2000)
    assert sitting.hear() == []
    sitting.unread = ()
    sitting.let_pass(REST_MS)
    assert sitting.view.phase is Phase.PLAY
    assert carried(sitting, "c5c6") == moved("c5c6")


# ---------------------------------------------------------------- places


def test_a_dead_place_is_named_once_and_lit_as_unknown(sitting: Sitting) -> None:
    sitting.unread = {"d6"}
    sitting.let_pass(REST_MS)
    assert sitting.view.unknown == ("d6",)
    assert sitting.view.phase is Phase.PLAY
    assert sitting.session.lights(sitting.now_ms)["d6"].value == "masked"
    sitting.let_pass(3000)
    faults = [e for e in sitting.events if isinstance(e, PlaceFault)]
    assert len(faults) == 1
    assert sitting.said() == []


@pytest.mark.parametrize("move", ["c5c6", "d6c6", "d5d6", "d7e8", "e6d6"])
def test_a_move_near_from_or_to_a_dead_place(sitting: Sitting, move: str) -> None:
    sitting.unread = {"d6"}
    sitting.let_pass(REST_MS)
    assert carried(sitting, move, "g2g3") == moved(move, "g2g3")
    assert sitting.agrees()


@pytest.mark.parametrize("move", ["c5c6", "d6c6", "d5d6"])
def test_a_move_near_from_or_to_a_frozen_place(sitting: Sitting, move: str) -> None:
    sitting.let_pass(REST_MS)
    sitting.frozen = {"d6": 27.3}
    sitting.let_pass(REST_MS)
    assert sitting.view.masked == ("d6",)
    assert carried(sitting, move, "g2g3") == moved(move, "g2g3")
    assert sitting.agrees()


def test_a_place_that_is_well_again_is_named_again(sitting: Sitting) -> None:
    sitting.unread = {"d6"}
    sitting.let_pass(REST_MS)
    sitting.unread = ()
    sitting.let_pass(REST_MS)
    assert sitting.view.unknown == ()
    assert sitting.session.lights(sitting.now_ms) == {}
    assert sitting.said() == []
    assert carried(sitting, "d6e6") == moved("d6e6")


def test_a_place_that_is_seldom_read_does_not_harm(sitting: Sitting) -> None:
    rng = Random(5)

    def flicker() -> bool:
        sitting.unread = {name for name in BOARD.names if rng.random() < 0.05}
        return False

    sitting.loses = flicker
    sitting.let_pass(REST_MS)
    moves = ("c5c6", "f5f4", "d7e8", "g2g3")
    assert carried(sitting, *moves) == moved(*moves)
    assert sitting.view.unknown == ()


# ---------------------------------------------------------------- knocked over

GONE = ("c9", "c8", "d8", "e8", "d7", "c7", "e7", "d6", "c6", "f6")


def knocked_over(sitting: Sitting) -> None:
    """Ten towers fall off the board."""
    for cell in GONE:
        place = BOARD.cell(cell)
        held = sitting.wooden.table.grab(place.x_mm, place.y_mm)
        assert held is not None
        sitting.wooden.table.take_away(held)
    sitting.let_pass(3000)


def test_a_knocked_board_is_rebuilt_by_guidance(sitting: Sitting) -> None:
    sitting.let_pass(REST_MS)
    assert carried(sitting, "f5f4", "f2f3") == moved("f5f4", "f2f3")
    knocked_over(sitting)
    missing = ",".join(cell for cell in sorted(GONE))
    assert sitting.hear() == [f"mismatch -{missing} +"]
    assert sitting.view.phase is Phase.FIX
    assert sorted(task.cell for task in sitting.view.tasks) == sorted(GONE)
    owners = dict(zip(AVALAM.cells, AVALAM.owners(sitting.session.record.position), strict=True))
    lights = sitting.session.lights(sitting.now_ms)
    for task in sitting.view.tasks:
        assert (task.kind, task.height, task.owner) == ("place", 1, owners[task.cell])
        assert lights[task.cell].value == ("place_second" if owners[task.cell] else "place_first")
    for count, cell in enumerate(GONE, 1):
        sitting.put(cell)
        sitting.let_pass(300)
        assert len(sitting.view.tasks) == len(GONE) - count
    sitting.let_pass(REST_MS)
    assert sitting.hear()[-1] == "restored"
    assert sitting.view.phase is Phase.PLAY
    assert carried(sitting, "d7d6") == moved("d7d6")


def test_a_piece_too_many_is_to_be_taken_away(sitting: Sitting) -> None:
    sitting.let_pass(REST_MS)
    knocked_over(sitting)
    sitting.put("e5")
    sitting.let_pass(600)
    first = sitting.view.tasks[0]
    assert (first.kind, first.cell) == ("remove", "e5")
    assert sitting.session.lights(sitting.now_ms)["e5"].value == "remove"
    assert sitting.said()[-1].endswith("+e5")
    sitting.take_off("e5")
    sitting.let_pass(600)
    assert [t.kind for t in sitting.view.tasks] == ["place"] * len(GONE)


def test_a_person_may_vouch_for_a_rebuilt_board(sitting: Sitting) -> None:
    sitting.let_pass(REST_MS)
    sitting.unread = {"d6"}
    sitting.let_pass(REST_MS)
    knocked_over(sitting)
    for cell in GONE:
        sitting.put(cell)
    sitting.say(Confirm())
    assert sitting.said()[-1] == "restored"
    assert sitting.view.phase is Phase.PLAY
    sitting.let_pass(REST_MS)
    sitting.hear()
    assert carried(sitting, "c7b8") == moved("c7b8")


# ---------------------------------------------------------------- the page takes back, the plug is pulled


def test_a_take_back_by_the_page_is_guided_to_the_position_before(sitting: Sitting) -> None:
    sitting.let_pass(REST_MS)
    assert carried(sitting, "c5c6", "f5f4", "c6d7") == moved("c5c6", "f5f4", "c6d7")
    sitting.say(TakeBack(1))
    view = sitting.view
    assert view.phase is Phase.FIX
    assert [(t.kind, t.origin, t.cell, t.height) for t in view.tasks] == [("move", "d7", "c6", 2)]
    lights = {c: m.value for c, m in sitting.session.lights(sitting.now_ms).items()}
    assert lights == {"d7": "wrong", "c6": "to"}
    sitting.let_pass(REST_MS)
    assert sitting.hear() == []
    sitting.carry("d7", "c6", count=2)
    sitting.let_pass(REST_MS)
    assert sitting.hear() == ["restored"]
    assert sitting.view.phase is Phase.PLAY
    assert sitting.view.to_move == 0
    assert sitting.agrees()
    assert carried(sitting, "d5d4") == moved("d5d4")


UNDONE = (("c6", "c5"), ("f4", "f5"), ("g3", "g2"))


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_several_moves_taken_back_by_the_page_are_put_right_in_any_order(
    sitting: Sitting, order: tuple[int, ...]
) -> None:
    sitting.let_pass(REST_MS)
    assert carried(sitting, "c5c6", "f5f4", "g2g3") == moved("c5c6", "f5f4", "g2g3")
    sitting.say(TakeBack(3))
    assert {(t.origin, t.cell) for t in sitting.view.tasks} == set(UNDONE)
    for number in order:
        assert sitting.view.phase is Phase.FIX
        origin, target = UNDONE[number]
        sitting.carry(origin, target, count=1)
        sitting.let_pass(REST_MS)
    assert sitting.hear()[-1] == "restored"
    assert not [line for line in sitting.said()[3:] if not line.startswith(("restored", "mismatch"))]
    assert sitting.agrees()


@pytest.mark.parametrize("physics", [IDEAL, Physics()], ids=["ideal", "ordinary"])
def test_after_a_restart_a_person_confirms(physics: Physics) -> None:
    record = Record.replay(AVALAM, ["c5c6", "f5f4", "c6d7"])
    sitting = Sitting(record=record, restored=True, physics=physics)
    sitting.let_pass(REST_MS)
    assert sitting.view.phase is Phase.CONFIRM
    assert sitting.hear() == []
    assert sitting.session.lights(sitting.now_ms) == {}
    sitting.say(Confirm())
    assert sitting.view.phase is Phase.PLAY
    assert carried(sitting, "d5d4") == moved("d5d4")


def test_after_a_restart_the_next_move_confirms_too() -> None:
    sitting = Sitting(record=Record.replay(AVALAM, ["c5c6", "f5f4"]), restored=True)
    sitting.let_pass(REST_MS)
    sitting.wooden.do(sitting.wooden.gestures.lift("d5"))
    sitting.until(lambda: sitting.view.lifted == "d5")
    assert set(sitting.view.targets) == {"c4", "c6", "d4", "d6", "e4", "e6"}
    sitting.do(sitting.wooden.gestures.put("d4"))
    sitting.let_pass(REST_MS)
    assert sitting.hear() == moved("d5d4")
    assert sitting.view.phase is Phase.PLAY


def test_after_a_restart_with_a_piece_in_the_hand() -> None:
    record = Record.replay(AVALAM, ["c5c6", "f5f4"])
    sitting = Sitting(record=record, restored=True)
    sitting.wooden.do(sitting.wooden.gestures.lift("d5"))
    sitting.wooden.advance_ms(1000)
    sitting.let_pass(REST_MS)
    assert sitting.view.phase is Phase.FIX
    assert [(t.kind, t.cell) for t in sitting.view.tasks] == [("place", "d5")]
    sitting.do(sitting.wooden.gestures.put("d5"))
    sitting.let_pass(REST_MS)
    assert sitting.view.phase is Phase.CONFIRM
    assert sitting.hear() == ["mismatch -d5 +", "mismatch - +"]
    sitting.say(Confirm())
    assert carried(sitting, "d5d4") == moved("d5d4")


def test_what_was_moved_while_the_program_was_away_is_put_right() -> None:
    record = Record.replay(AVALAM, ["c5c6", "f5f4"])
    stacks = owned(record)
    stacks["e5"] = stacks.pop("d5")
    sitting = Sitting(record=record, stacks=stacks, restored=True)
    sitting.let_pass(REST_MS)
    assert sitting.hear() == ["mismatch -d5 +e5"]
    assert [(t.kind, t.cell) for t in sitting.view.tasks] == [("remove", "e5"), ("place", "d5")]
    sitting.carry("e5", "d5")
    sitting.let_pass(REST_MS)
    assert sitting.view.phase is Phase.CONFIRM


def test_a_hand_that_lets_go_of_nothing_says_nothing(sitting: Sitting) -> None:
    sitting.let_pass(REST_MS)
    sitting.do([Release()])
    sitting.let_pass(REST_MS)
    assert sitting.said() == []


# ---------------------------------------------------------------- words while hands are at it


def test_a_take_back_by_the_page_while_another_piece_is_in_a_hand(sitting: Sitting) -> None:
    sitting.let_pass(REST_MS)
    assert carried(sitting, "c5c6") == moved("c5c6")
    sitting.do(sitting.wooden.gestures.lift("f5"))
    sitting.say(TakeBack())
    sitting.let_pass(500)
    sitting.do(sitting.wooden.gestures.put("f5"))
    sitting.let_pass(REST_MS)
    assert sitting.hear() == []
    assert [(t.origin, t.cell) for t in sitting.view.tasks] == [("c6", "c5")]
    sitting.carry("c6", "c5", count=1)
    sitting.let_pass(REST_MS)
    assert sitting.hear() == ["restored"]


def test_after_a_take_back_by_the_page_the_piece_may_go_elsewhere_at_once(sitting: Sitting) -> None:
    sitting.let_pass(REST_MS)
    assert carried(sitting, "c5c6") == moved("c5c6")
    sitting.say(TakeBack())
    sitting.carry("c6", "d6", count=1)
    sitting.let_pass(REST_MS)
    assert sitting.hear() == moved("c5d6")
    assert sitting.agrees()


def test_a_new_game_while_a_piece_is_in_a_hand(sitting: Sitting) -> None:
    sitting.let_pass(REST_MS)
    sitting.do(sitting.wooden.gestures.lift("c5"))
    sitting.say(NewGame())
    sitting.let_pass(REST_MS)
    assert sitting.view.phase is Phase.SETUP
    assert [(t.kind, t.cell) for t in sitting.view.tasks] == [("place", "c5")]
    sitting.do(sitting.wooden.gestures.put("c5"))
    sitting.let_pass(REST_MS)
    assert sitting.view.phase is Phase.PLAY
    assert sitting.hear() == ["mismatch -c5 +", "mismatch - +"]


def test_sensors_that_die_while_a_piece_is_in_the_hand(sitting: Sitting) -> None:
    sitting.let_pass(REST_MS)
    sitting.do(sitting.wooden.gestures.lift("c5"))
    sitting.unread = {"c5", "c6"}
    sitting.let_pass(600)
    sitting.do(sitting.wooden.gestures.put("c6"))
    sitting.let_pass(3000)
    assert sitting.hear() == moved("c5c6")

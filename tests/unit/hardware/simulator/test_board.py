"""The simulated board as a whole: pointer, hands, calibration, snapshot, real time."""

from __future__ import annotations

import json

import pytest

from hardware.boardfile import load_board
from hardware.simulator.board import SimulatedBoard
from hardware.simulator.pointer import Grasp
from hardware.simulator.table import IDEAL

BOARD = load_board("avalam")


def made(**stacks: tuple[int, ...]) -> SimulatedBoard:
    wooden = SimulatedBoard(BOARD, seed=4, physics=IDEAL)
    wooden.set_up(stacks)
    return wooden


def test_dragging_a_tower_with_the_pointer() -> None:
    wooden = made(e5=(0, 1), e6=(1,))
    assert wooden.grab(121.0, 118.0) == Grasp("e5", (0, 1))
    assert wooden.stacks() == {"e6": (1,)}
    wooden.advance_ms(200)
    ((_, _, clearance_mm, owners),) = wooden.carried()
    assert clearance_mm == pytest.approx(15.0)
    assert owners == (0, 1)
    wooden.move_to(122.0, 149.0)
    wooden.advance_ms(20)
    ((_, y_mm, _, _),) = wooden.carried()
    assert 120.0 < y_mm < 149.0, "the hand glides, it does not jump"
    wooden.advance_ms(20)
    assert wooden.carried()[0][:2] == (122.0, 149.0)
    assert wooden.release() == "e6"
    assert wooden.stacks() == {"e6": (1, 0, 1)}
    assert wooden.carried() == []


def test_releasing_at_once_lands_where_the_pointer_was_led() -> None:
    wooden = made(e5=(0,), e6=(1,))
    wooden.grab(120.0, 120.0)
    wooden.move_to(120.0, 150.0)
    assert wooden.release() == "e6"
    assert wooden.stacks() == {"e6": (1, 0)}


def test_a_drag_over_a_tall_tower_goes_above_it() -> None:
    wooden = made(e5=(0,), e6=(1,) * 5)
    wooden.grab(120.0, 120.0)
    wooden.move_to(120.0, 148.0)
    wooden.advance_ms(100)
    assert wooden.carried()[0][2] == pytest.approx(43.0)
    wooden.move_to(120.0, 148.0, clearance_mm=60.0)
    wooden.advance_ms(100)
    assert wooden.carried()[0][2] == pytest.approx(60.0)


def test_a_tower_let_go_beside_the_board_can_be_taken_again() -> None:
    wooden = made(a5=(0, 1))
    wooden.grab(0.0, 120.0)
    wooden.move_to(-70.0, 120.0)
    assert wooden.release() is None
    assert wooden.stacks() == {}
    assert wooden.loose() == [(-70.0, 120.0, (0, 1))]
    assert wooden.grab(-72.0, 121.0, count=1) == Grasp(None, (1,))
    wooden.move_to(0.0, 120.0)
    assert wooden.release() == "a5"
    assert wooden.stacks() == {"a5": (1,)}


def test_the_top_of_a_tower_alone() -> None:
    wooden = made(e5=(0, 1, 0), d5=(1,))
    assert wooden.grab(120.0, 120.0, count=2) == Grasp("e5", (1, 0))
    wooden.advance_ms(200)
    assert wooden.carried()[0][2] == pytest.approx(23.0), "15 mm over where it was"
    wooden.move_to(90.0, 120.0)
    assert wooden.release() == "d5"
    assert wooden.stacks() == {"d5": (1, 1, 0), "e5": (0,)}


def test_grabbing_nothing_and_moving_nothing() -> None:
    wooden = made(e5=(0,))
    assert wooden.grab(0.0, 0.0) is None
    wooden.move_to(50.0, 50.0)
    assert wooden.release() is None
    assert wooden.stacks() == {"e5": (0,)}
    with pytest.raises(ValueError, match="count is 0"):
        wooden.grab(120.0, 120.0, count=0)


def test_a_second_grab_lets_go_of_the_first() -> None:
    wooden = made(e5=(0,), e6=(1,))
    wooden.grab(120.0, 120.0)
    assert wooden.grab(120.0, 150.0) == Grasp("e6", (1,))
    assert wooden.stacks() == {"e5": (0,)}


def test_two_hands_work_at_the_same_time() -> None:
    wooden = made(e5=(0,), e6=(1,), a5=(1,), a4=(0,))
    wooden.do(wooden.gestures.move("e5", "e6"))
    wooden.do(wooden.gestures.move("a5", "a4"), hand=1)
    wooden.advance_ms(150)
    assert len(wooden.carried()) == 2
    wooden.finish_hands()
    assert wooden.stacks() == {"a4": (0, 1), "e6": (1, 0)}


def test_setting_up_empties_the_hands() -> None:
    wooden = made(e5=(0,))
    wooden.grab(120.0, 120.0)
    wooden.do(wooden.gestures.put_back("e5"))
    wooden.set_up({"e6": (1,)})
    assert wooden.release() is None
    wooden.finish_hands()
    assert wooden.stacks() == {"e6": (1,)}
    assert wooden.carried() == []


def test_a_snapshot_survives_json_and_another_program() -> None:
    wooden = SimulatedBoard(BOARD, seed=4)
    wooden.set_up({"e5": (0, 1), "e6": (1,), "a5": (0,)})
    wooden.grab(120.0, 120.0)
    wooden.move_to(30.0, 30.0)
    text = json.dumps(wooden.snapshot())
    assert "e5" not in wooden.stacks()
    again = SimulatedBoard(BOARD, seed=4)
    again.restore(json.loads(text))
    assert again.stacks() == {"a5": (0,), "e5": (0, 1), "e6": (1,)}
    assert again.calibration() == wooden.calibration()
    with pytest.raises(ValueError, match="no snapshot of the board avalam"):
        again.restore({"board": "chess"})
    assert again.release() is None


def test_the_calibration_is_what_the_sensors_are() -> None:
    wooden = SimulatedBoard(BOARD, seed=4)
    zero_mt, single_mt = wooden.calibration()
    assert len(zero_mt) == len(single_mt) == 49
    assert 0.1 < max(map(abs, zero_mt)) < 0.6
    assert 22.0 < min(single_mt) < 26.99 < max(single_mt) < 32.0
    flaw = wooden.sensor("e5").imperfection
    assert single_mt[BOARD.names.index("e5")] == pytest.approx(26.993 * flaw.gain, rel=1e-3)
    assert zero_mt[BOARD.names.index("e5")] == flaw.offset_mt


def test_another_seed_is_another_board() -> None:
    assert SimulatedBoard(BOARD, seed=1).calibration() != SimulatedBoard(BOARD, seed=2).calibration()


def test_every_sensor_hangs_where_the_board_file_says() -> None:
    wooden = SimulatedBoard(BOARD)
    for cell in BOARD.cells:
        sensor = wooden.sensor(cell.name)
        assert sensor.address == cell.sensor
        assert sensor in wooden.mux(cell.mux).segments[cell.channel]


def test_in_real_time_hands_move_with_the_wall() -> None:
    wall_us = [0]
    wooden = SimulatedBoard(BOARD, physics=IDEAL, wall_us=lambda: wall_us[0])
    wooden.set_up({"e5": (0,), "e6": (1,)})
    wooden.do(wooden.gestures.move("e5", "e6"))
    wall_us[0] = 5_000_000
    assert wooden.stacks() == {"e6": (1, 0)}
    assert wooden.clock.now_ms() == 5_000

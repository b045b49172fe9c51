"""A hand does its steps in the board's time."""

from __future__ import annotations

from random import Random

import pytest

from hardware.boardfile import load_board
from hardware.simulator.hand import Glide, Grab, Hand, HandEvent, Lower, Nudge, Release, Wait, Wear
from hardware.simulator.table import IDEAL, Physics, Table

BOARD = load_board("avalam")
E5 = (120.0, 120.0)
E6 = (120.0, 150.0)


def world(physics: Physics = IDEAL) -> tuple[Table, Hand]:
    table = Table(BOARD, Random(1), physics)
    table.set_up({"e5": (0, 1), "e6": (1,)})
    return table, Hand(table)


def test_a_move_is_done_step_by_step_as_time_comes() -> None:
    table, hand = world()
    steps = [Grab(*E5), Glide(100_000, clearance_mm=40.0), Glide(200_000, *E6), Lower(100_000), Release()]
    hand.do(steps, 1_000)
    assert table.stacks() == {"e6": (1,)}
    assert hand.remaining_us() == 400_000
    hand.advance(51_000)
    assert hand.held is not None
    assert hand.held.clearance_mm == pytest.approx(20.0), "half the time is half the way"
    hand.advance(201_000)
    assert (hand.held.x_mm, hand.held.y_mm) == (120.0, pytest.approx(135.0))
    assert hand.held.clearance_mm == 40.0
    hand.advance(400_999)
    assert table.stacks() == {"e6": (1,)}
    assert hand.held.clearance_mm == pytest.approx(8.0, abs=0.01), "down to the top of the tower there"
    hand.advance(401_000)
    assert table.stacks() == {"e6": (1, 0, 1)}
    assert hand.is_idle
    assert hand.remaining_us() == 0


def test_what_it_did_is_noted_with_its_time_however_late_one_looks() -> None:
    _, hand = world()
    steps = [Grab(*E5), Glide(100_000, clearance_mm=40.0), Glide(100_000, *E6), Lower(100_000), Release()]
    hand.do(steps, 1_000)
    hand.advance(999_000)
    grabbed, lifted, released = hand.events
    assert grabbed == HandEvent(1_000, "grabbed", "e5", 2)
    assert (lifted.kind, lifted.cell, lifted.count) == ("lifted", "e5", 2)
    assert released == HandEvent(301_000, "released", "e6", 2)
    assert grabbed.t_ms == 1

    _, watched = world()
    watched.do(steps, 1_000)
    watched.advance(lifted.t_us - 5)
    assert watched.held is not None
    assert watched.held.clearance_mm == pytest.approx(3.0, abs=0.01)
    assert len(watched.events) == 1
    watched.advance(lifted.t_us + 5)
    assert watched.events[1] == lifted


def test_a_lift_of_the_top_counts_from_where_the_top_was() -> None:
    _, hand = world()
    hand.do([Grab(*E5, count=1), Glide(100_000, clearance_mm=48.0)], 0)
    hand.advance(200_000)
    lifted = hand.events[1]
    _, watched = world()
    watched.do([Grab(*E5, count=1), Glide(100_000, clearance_mm=48.0)], 0)
    watched.advance(lifted.t_us)
    assert watched.held is not None
    assert watched.held.clearance_mm == pytest.approx(8.0 + 3.0, abs=0.01)


def test_too_small_a_lift_is_none() -> None:
    _, hand = world()
    hand.do([Grab(*E5), Glide(100_000, clearance_mm=2.9), Release()], 0)
    hand.advance(200_000)
    assert [event.kind for event in hand.events] == ["grabbed", "released"]


def test_a_lift_in_two_glides_is_noted_once() -> None:
    _, hand = world()
    hand.do([Grab(*E5), Glide(50_000, clearance_mm=2.0), Glide(50_000, clearance_mm=30.0)], 0)
    hand.do([Glide(50_000, clearance_mm=40.0)], 0)
    hand.advance(500_000)
    assert [event.kind for event in hand.events] == ["grabbed", "lifted"]
    assert 50_000 < hand.events[1].t_us < 100_000


def test_steps_added_later_begin_when_they_are_due() -> None:
    table, hand = world()
    hand.do([Wait(100_000)], 0)
    hand.do([Grab(*E5)], 50_000)
    hand.advance(99_999)
    assert hand.held is None
    hand.advance(100_000)
    assert hand.held is not None
    hand.do([Release()], 5_000_000)
    assert hand.events[-1] == HandEvent(5_000_000, "released", "e5", 2)
    assert table.stacks()["e5"] == (0, 1)


def test_an_empty_grab_and_an_empty_release_do_nothing() -> None:
    table, hand = world()
    hand.do([Grab(0.0, 0.0), Glide(10_000, clearance_mm=30.0), Release()], 0)
    hand.advance(20_000)
    assert hand.events == []
    assert table.stacks() == {"e5": (0, 1), "e6": (1,)}


def test_grabbing_with_a_full_hand_lets_go_first() -> None:
    table, hand = world()
    hand.do([Grab(*E5), Grab(*E6)], 0)
    assert table.stacks() == {"e5": (0, 1)}
    assert [event.kind for event in hand.events] == ["grabbed", "released", "grabbed"]


def test_stopping_leaves_the_tower_in_the_hand() -> None:
    _, hand = world()
    hand.do([Grab(*E5), Glide(100_000, clearance_mm=40.0), Release()], 0)
    hand.advance(50_000)
    hand.stop()
    hand.advance(900_000)
    assert hand.held is not None
    assert hand.held.clearance_mm == pytest.approx(20.0)


def test_finishing_takes_no_time() -> None:
    table, hand = world()
    hand.do([Grab(*E5), Glide(100_000, *E6, 40.0), Wait(5_000), Lower(100_000), Release()], 7)
    hand.finish(10)
    assert hand.is_idle
    assert table.stacks() == {"e6": (1, 0, 1)}
    assert hand.events[-1].t_us == 10


def test_a_reset_hand_is_empty() -> None:
    table, hand = world()
    hand.do([Grab(*E5), Wait(10)], 0)
    table.set_up({})
    hand.reset()
    hand.advance(20)
    assert hand.held is None
    assert hand.is_idle


def test_nudging_reseats_what_stands_there() -> None:
    table, hand = world(Physics())
    before_mt = table.field_mt(BOARD.names.index("e5"))
    hand.do([Nudge(*E5), Nudge(0.0, 0.0)], 0)
    assert table.field_mt(BOARD.names.index("e5")) != before_mt
    assert table.stacks() == {"e5": (0, 1), "e6": (1,)}


def test_a_bracelet_is_worn_and_goes_away_without_a_trace() -> None:
    table, hand = world()
    before_mt = table.field_mt(0)
    hand.do([Wear(0.5, 0.0, 90.0, 20.0), Wait(10_000), Release()], 0)
    assert table.field_mt(0) > before_mt + 0.5
    hand.advance(10_000)
    assert table.field_mt(0) == before_mt
    assert hand.events == []

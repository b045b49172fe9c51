"""What must happen on the table, row by row: a hand script, and what the session makes of it."""

from __future__ import annotations

import pytest

from controller.core.lights import Meaning
from controller.core.messages import Lifted, Phase
from tests.fakes.rehearsal import rehearse


def test_a_lifted_piece_is_known_by_its_place() -> None:
    shown = rehearse("lift c9", after_ms=200)
    assert [event.cell for event in shown.events if isinstance(event, Lifted)] == ["c9"]
    lights = shown.session.lights(10**6)
    assert {cell for cell, meaning in lights.items() if meaning is Meaning.TARGET} == {"b8", "c8", "d8", "d9"}
    assert lights["c9"] is Meaning.LIFTED


@pytest.mark.parametrize(
    "script",
    [
        "lift c9\nwait 900 ms\nput back",
        "nudge d8\nwait 300 ms\nnudge e7",
        "wave c5 d5 e6 f5",
        "lift c9\nhover d8 12 mm 1 s\nput back",
    ],
    ids=["put back", "nudged", "a bracelet over the board", "held over another tower"],
)
def test_nothing_happened_and_nothing_is_said(script: str) -> None:
    shown = rehearse(script)
    assert shown.told == []
    assert shown.view.phase is Phase.PLAY
    assert shown.session.lights(10**6) == {}


def test_what_is_carried_low_moves_only_where_it_rests() -> None:
    shown = rehearse("lift d6\ncarry e6 low\ncarry f5 low\ncarry e6 low\ndrop")
    assert shown.told == ["move d6e6"]


@pytest.mark.parametrize("manner", ["high", "low", "slide"])
def test_a_legal_move_is_accepted_once(manner: str) -> None:
    assert rehearse(f"move c9 d8 {manner}").told == ["move c9d8"]


def test_a_quick_answer_comes_after_the_move() -> None:
    shown = rehearse("move c9 d8\nmove f1 g1")
    assert shown.told == ["move c9d8", "move f1g1"]


def test_restored_pieces_take_moves_back_one_after_the_other() -> None:
    shown = rehearse("move g1 f1 top 1\nwait 1 s\nmove d8 c9 top 1", ["c9d8", "f1g1"])
    assert shown.told == ["takeback f1g1", "takeback c9d8"]
    assert shown.moves == []


def test_an_illegal_placement_has_its_reason_and_the_game_goes_on_when_it_is_put_right() -> None:
    shown = rehearse("move d5 e5\nwait 1 s\nmove e5 d5\nwait 1 s\nmove d5 d4")
    assert shown.told == ["illegal empty_target", "restored", "move d5d4"]


def test_a_knocked_board_is_rebuilt_place_by_place() -> None:
    shown = rehearse("knock c9 d8 e7 e8")
    assert shown.told == ["mismatch -c9 d8 e7 e8 +"]
    assert shown.view.phase is Phase.FIX
    assert [(task.kind, task.cell) for task in shown.view.tasks] == [
        ("place", cell) for cell in ("c9", "d8", "e7", "e8")
    ]


@pytest.mark.parametrize(
    ("fault", "named"),
    [
        ("fault dead e4\nwait 2 s", ["place e4 unread"]),
        ("fault noisy e4\nwait 3 s", ["place e4 noisy"]),
        ("fault unread e4 200 ms\nwait 2 s", []),
    ],
    ids=["dead", "noisy", "unread for a moment"],
)
def test_the_game_goes_on_with_a_place_that_fails(fault: str, named: list[str]) -> None:
    shown = rehearse(f"{fault}\nmove c9 d8\nwait 500 ms\nmove d4 d5")
    assert shown.told == [*named, "move c9d8", "move d4d5"]


def test_a_bus_that_hangs_is_waited_for() -> None:
    shown = rehearse("fault bus hang 2 s\nwait 1 s\nmove c9 d8\nwait 4 s")
    assert [told for told in shown.told if not told.startswith("place")] == ["move c9d8"]
    assert (shown.view.unknown, shown.view.masked) == ((), ())


def test_whatever_was_accepted_is_what_stands() -> None:
    shown = rehearse("move c9 d8\nmove i5 h4 low\nmeanwhile wave e5 e6 f6\nmove a5 b5 slide\nmove d6 e6")
    assert shown.moves == ["c9d8", "i5h4", "a5b5", "d6e6"]
    assert {cell: len(pieces) for cell, pieces in shown.stands.items()} == {
        cell: len(pieces) for cell, pieces in shown.view.stacks.items() if pieces
    }

"""The recogniser of occupancy boards: what can be told from places that say no more than yes or no."""

from __future__ import annotations

import pytest

from controller.core.messages import Answer, Confirm, NewGame, Phase, TakeBack
from controller.core.session import Session
from engines.record import Record
from engines.registry import game
from hardware.ports import Frame

AVALAM = game("avalam")
RATE_MS = 40


class Board:
    """An occupancy board in frames: cells are set by hand, time runs by itself."""

    def __init__(self, moves: tuple[str, ...] = (), *, restored: bool = False) -> None:
        record = Record.replay(AVALAM, moves)
        self.session = Session(AVALAM, AVALAM.cells, record=record, restored=restored)
        heights = AVALAM.heights(record.position)
        self.present: dict[str, float | None] = {
            cell: float(h > 0) for cell, h in zip(AVALAM.cells, heights, strict=True)
        }
        self.t_ms = 0
        self.events: list[str] = []
        self.run(400)

    def run(self, ms: int) -> None:
        for _ in range(ms // RATE_MS):
            self.t_ms += RATE_MS
            values = tuple(self.present[cell] for cell in AVALAM.cells)
            effects = self.session.frame(Frame(self.t_ms, values))
            for event in effects.events:
                named = getattr(event, "move", None) or getattr(event, "moves", None) or ""
                if type(event).event not in ("lift", "place"):
                    self.events.append(f"{type(event).event} {named}".strip())

    def set(self, ms: int, **cells: float | None) -> None:
        self.present.update(cells)
        self.run(ms)

    def heard(self) -> list[str]:
        events, self.events = self.events, []
        return events

    @property
    def moves(self) -> list[str]:
        return [move.move for move in self.session.view().moves]


def test_a_piece_that_is_put_back_says_nothing() -> None:
    board = Board()
    board.set(400, c9=0)
    board.set(1000, c9=1)
    assert board.heard() == []
    assert board.session.view().phase is Phase.PLAY


def test_a_lifted_tower_lights_where_it_may_go_after_two_frames() -> None:
    board = Board()
    board.set(RATE_MS, c9=0)
    assert board.session.view().lifted is None
    board.run(RATE_MS)
    assert board.session.view().lifted == "c9"
    assert board.session.view().targets == ("b8", "c8", "d8", "d9")


def test_where_the_tower_went_is_asked_and_answered_on_the_page() -> None:
    board = Board()
    board.set(1000, c9=0)
    assert board.heard() == ["ask ('c9b8', 'c9c8', 'c9d8', 'c9d9')"]
    board.session.command(Answer("c9d8"), board.t_ms)
    assert board.moves == ["c9d8"]
    assert board.session.view().question == ()


def test_the_question_is_answered_by_lifting_the_tower_on_the_right_one() -> None:
    board = Board()
    board.set(1000, c9=0)
    board.set(300, d8=0)
    board.set(300, d8=1)
    assert board.heard()[-1] == "move c9d8"
    assert board.moves == ["c9d8"]


def test_a_question_is_withdrawn_when_the_piece_comes_back() -> None:
    board = Board()
    board.set(1000, c9=0)
    assert board.session.view().question
    board.set(400, c9=1)
    assert board.session.view().question == ()
    assert board.moves == []


def test_a_wrong_answer_is_refused_with_its_reason() -> None:
    board = Board()
    board.set(1000, c9=0)
    with pytest.raises(Exception, match="not_an_answer"):
        board.session.command(Answer("a4a5"), board.t_ms)


@pytest.mark.parametrize("plies", [1, 2])
def test_moves_are_taken_back_by_restoring_the_pieces(plies: int) -> None:
    moves = ("c9d8", "a4a5")
    board = Board(moves)
    for move in moves[::-1][:plies]:
        board.set(400, **{move[:2]: 1})
    assert board.heard() == [f"takeback {move}" for move in moves[::-1][:plies]]
    assert board.moves == list(moves[: 2 - plies])


def test_a_piece_on_the_empty_hole_is_refused_and_put_right() -> None:
    board = Board()
    board.set(200, d5=0)
    board.set(800, e5=1)
    assert board.heard() == ["illegal"]
    view = board.session.view()
    assert view.notice is not None
    assert str(view.notice.reason) == "empty_target(e5)"
    assert view.phase is Phase.FIX
    assert [(task.kind, task.origin, task.cell) for task in view.tasks] == [("move", "e5", "d5")]
    board.set(200, e5=0)
    board.set(400, d5=1)
    assert board.heard() == ["restored"]
    assert board.session.view().phase is Phase.PLAY


def test_an_extra_piece_is_named() -> None:
    board = Board()
    board.set(800, e5=1)
    notice = board.session.view().notice
    assert notice is not None
    assert str(notice.reason) == "extra_piece(e5)"


def test_an_unread_place_is_unknown_and_never_empty() -> None:
    board = Board()
    board.set(2000, c9=None)
    assert board.heard() == []
    view = board.session.view()
    assert view.unknown == ("c9",)
    assert view.lifted is None
    board.set(400, c9=1)
    assert board.session.view().unknown == ()


def test_a_flickering_switch_is_masked_and_play_goes_on() -> None:
    board = Board()
    for _ in range(40):
        board.set(RATE_MS, i6=0)
        board.set(RATE_MS, i6=1)
    assert board.session.view().masked == ("i6",)
    board.events.clear()
    board.set(1000, c9=0)
    assert board.heard() == ["ask ('c9b8', 'c9c8', 'c9d8', 'c9d9')"]


def test_a_knocked_board_is_rebuilt_place_by_place() -> None:
    board = Board()
    gone = dict.fromkeys(("c9", "d9", "b8", "c8", "d8", "e8", "b7"), 0.0)
    board.set(2000, **gone)
    assert board.session.view().phase is Phase.FIX
    assert {task.cell for task in board.session.view().tasks} == set(gone)
    board.set(800, **dict.fromkeys(gone, 1.0))
    assert board.heard()[-1] == "restored"
    assert board.session.view().phase is Phase.PLAY


def test_taking_back_on_the_page_waits_until_the_pieces_are_restored() -> None:
    board = Board(("c9d8",))
    board.session.command(TakeBack(), board.t_ms)
    assert board.session.view().phase is Phase.FIX
    board.run(2000)
    assert board.heard() == []
    board.set(400, c9=1)
    assert board.heard() == ["restored"]


def test_a_game_from_the_journal_is_confirmed() -> None:
    board = Board(("c9d8",), restored=True)
    assert board.session.view().phase is Phase.CONFIRM
    board.session.command(Confirm(), board.t_ms)
    assert board.session.view().phase is Phase.PLAY


def test_a_person_may_vouch_for_the_board() -> None:
    board = Board()
    board.set(2000, c9=0, d9=0, b8=0, c8=0, d8=0, e8=0, b7=0)
    board.session.command(Confirm(), board.t_ms)
    assert board.session.view().phase is Phase.PLAY


def test_the_board_must_stand_before_play_begins() -> None:
    board = Board()
    board.session.command(NewGame(), board.t_ms)
    board.present["c9"] = 0.0
    board.run(400)
    assert board.session.view().phase is Phase.SETUP
    assert [task.cell for task in board.session.view().tasks] == ["c9"]
    board.set(400, c9=1)
    assert board.session.view().phase is Phase.PLAY

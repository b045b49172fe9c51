"""The small values that all games share."""

from __future__ import annotations

from engines.base import BoardGame, Game, Outcome, Reason, Setting, Termination
from engines.errors import AmbiguousMoveError, EngineError, InvalidPositionError
from engines.registry import game


def test_reasons_write_themselves_like_calls() -> None:
    assert str(Reason("not_a_move")) == "not_a_move"
    assert str(Reason("too_high", (4, 2))) == "too_high(4, 2)"


def test_a_draw_is_shared_by_several() -> None:
    assert not Outcome(Termination.NO_MOVES, (0,), (2, 1)).is_draw
    assert Outcome(Termination.NO_MOVES, (0, 1), (1, 1)).is_draw
    assert not Outcome(Termination.ABANDONED, (), (1, 1)).is_draw


def test_the_default_is_the_first_value_allowed() -> None:
    assert Setting("first", ("red", "black")).default == "red"


def test_avalam_is_a_board_game() -> None:
    avalam: Game = game("avalam")
    assert isinstance(avalam, BoardGame)
    assert not isinstance(object(), BoardGame)


def test_an_ambiguous_move_lists_what_it_could_be() -> None:
    error = AmbiguousMoveError("b3b4", ["b3b4/10", "b3b4/5"])
    assert isinstance(error, EngineError)
    assert str(error) == "ambiguous move 'b3b4': could be b3b4/10, b3b4/5"
    assert error.move == "b3b4"
    assert error.candidates == ("b3b4/10", "b3b4/5")


def test_all_faults_of_a_position_stand_in_one_line() -> None:
    error = InvalidPositionError("x r", ["too few", "too many"])
    assert str(error) == "invalid position 'x r': too few; too many"
    assert error.faults == ("too few", "too many")

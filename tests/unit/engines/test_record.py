"""The record of a game: what may be done to it, and what may be read back."""

from __future__ import annotations

from typing import Any

import pytest

from engines.base import Outcome, Reason, Termination
from engines.errors import (
    IllegalMoveError,
    NotationError,
    RecordError,
    SettingError,
    UnknownGameError,
)
from engines.record import Record
from engines.registry import game

AVALAM = game("avalam")
ALMOST_OVER = "r2b2/" + "/".join("--" * holes for holes in (4, 6, 8, 9, 8, 6, 4, 2)) + " b"


def played(*moves: str) -> Record:
    return Record.replay(AVALAM, moves)


def stored(**changes: Any) -> dict[str, Any]:
    return played("c9d9").to_dict() | changes


class TestPlaying:
    def test_push_gives_the_new_position(self) -> None:
        record = Record(AVALAM)
        move = AVALAM.parse_move("c9d9", record.position)
        assert record.push(move) == AVALAM.initial().play(move) == record.position
        assert record.push_text("d9d8") == record.position
        assert record.move_texts == ("c9d9", "d9d8")
        assert len(record.positions) == 3
        assert record.positions[0] == AVALAM.initial()

    def test_an_illegal_move_changes_nothing(self) -> None:
        record = played("c9d9")
        with pytest.raises(IllegalMoveError, match="empty_target"):
            record.push_text("d9c9")
        with pytest.raises(NotationError):
            record.push_text("what")
        assert record == played("c9d9")

    def test_pop_gives_the_moves_in_the_order_played(self) -> None:
        record = played("c9d9", "d9d8", "d8e8")
        assert record.pop(2) == played("c9d9", "d9d8", "d8e8").moves[1:]
        assert record == played("c9d9")
        record.pop()
        assert record == Record(AVALAM)
        assert record.positions == (AVALAM.initial(),)
        with pytest.raises(RecordError, match="cannot take back 1 moves; allowed are 1 to 0"):
            record.pop()

    def test_pop_takes_exactly_one_position_with_each_move(self) -> None:
        record = played("c9d9", "d9d8", "d8e8", "c8c7")
        record.pop()
        assert record.positions == played("c9d9", "d9d8", "d8e8").positions

    def test_replay_names_the_move_that_does_not_fit(self) -> None:
        with pytest.raises(
            RecordError, match=r"move 2 of 3: illegal move 'd9c9' .*empty_target\(c9\)"
        ) as caught:
            played("c9d9", "d9c9", "e5e6")
        assert isinstance(caught.value.__cause__, IllegalMoveError)

    def test_settings_are_complete_and_cannot_be_changed_from_outside(self) -> None:
        record = Record(AVALAM, {"tiebreak": "fives"})
        assert record.settings == {"first": "red", "tiebreak": "fives", "setup": "standard"}
        record.settings["tiebreak"] = "none"
        assert record.settings["tiebreak"] == "fives"
        assert record.position == AVALAM.initial(tiebreak="fives")
        with pytest.raises(SettingError, match="avalam: tiebreak cannot be 'sixes'"):
            Record(AVALAM, {"tiebreak": "sixes"})

    def test_a_start_text_begins_the_game_elsewhere(self) -> None:
        record = Record(AVALAM, {"tiebreak": "fives"}, ALMOST_OVER)
        assert record.start == ALMOST_OVER
        assert record.position == AVALAM.parse_position(f"{ALMOST_OVER};tiebreak=fives")
        assert Record(AVALAM, None, "start").start is None

    def test_records_differ_by_settings_start_moves_and_ending(self) -> None:
        resigned = Record(AVALAM)
        resigned.resign(0)
        others = [
            Record(AVALAM, {"first": "black"}),
            Record(AVALAM, None, ALMOST_OVER),
            played("c9d9"),
            resigned,
        ]
        assert all(other != Record(AVALAM) for other in others)
        assert Record(AVALAM) != "a record"
        with pytest.raises(TypeError):
            hash(Record(AVALAM))

    def test_repr_says_what_it_is(self) -> None:
        assert repr(played("c9d9")).startswith("<Record of avalam, 1 moves, '--r2/")


class TestEndings:
    def test_the_rules_end_a_game(self) -> None:
        record = Record(AVALAM, None, ALMOST_OVER)
        assert record.outcome is None
        record.push_text("c9d9")
        assert record.outcome == Outcome(Termination.NO_MOVES, (0,), (1, 0))
        assert record.ending is None
        with pytest.raises(RecordError, match=r"over already \(no_moves\)"):
            record.resign(0)
        with pytest.raises(RecordError, match=r"over already \(no_moves\)"):
            record.agree_draw()

    @pytest.mark.parametrize("player", [0, 1])
    def test_who_resigns_loses_whatever_the_score(self, player: int) -> None:
        record = played("c9d9")
        expected = Outcome(Termination.RESIGNATION, (1 - player,), (24, 23))
        assert record.resign(player) == record.outcome == record.ending == expected

    def test_a_draw_by_agreement(self) -> None:
        record = played("c9d9")
        assert record.agree_draw() == record.outcome == Outcome(Termination.AGREEMENT, (0, 1), (24, 23))

    def test_after_the_end_no_move_is_played(self) -> None:
        record = played("c9d9")
        record.resign(1)
        with pytest.raises(IllegalMoveError) as caught:
            record.push_text("d9d8")
        assert caught.value.reason == Reason("game_over")
        assert caught.value.move == "d9d8"
        assert caught.value.position == AVALAM.format_position(record.position)
        assert len(record.moves) == 1

    def test_an_ending_can_be_withdrawn(self) -> None:
        record = played("c9d9")
        record.resign(1)
        record.reopen()
        assert record.outcome is None
        record.push_text("d9d8")

    def test_an_ending_goes_when_moves_are_taken_back(self) -> None:
        record = played("c9d9")
        record.resign(1)
        record.pop()
        assert record == Record(AVALAM)

    def test_only_players_of_the_game_resign(self) -> None:
        for player in (-1, 2):
            with pytest.raises(RecordError, match="players 0 to 1"):
                Record(AVALAM).resign(player)

    def test_players_cannot_end_by_the_rules_or_let_strangers_win(self) -> None:
        with pytest.raises(RecordError, match="allowed are resignation, agreement, abandoned"):
            Record(AVALAM).end(Outcome(Termination.NO_MOVES, (0,), (1, 0)))
        with pytest.raises(RecordError, match="not all among 2 players"):
            Record(AVALAM).end(Outcome(Termination.RESIGNATION, (2,), (1, 0)))

    def test_an_abandoned_game_has_no_winner(self) -> None:
        record = played("c9d9")
        outcome = record.end(Outcome(Termination.ABANDONED, (), (24, 23)))
        assert record.outcome == outcome
        assert not outcome.is_draw

    def test_a_game_without_a_board_is_not_resigned(self) -> None:
        class CardGame:
            """Just enough of a game whose pieces lie on no cells."""

            name, settings, players = "cards", (), (2, 6)

            def initial(self) -> Any:
                return AVALAM.initial()

        with pytest.raises(RecordError, match="cards has no resignation"):
            Record(CardGame()).resign(0)  # type: ignore[arg-type]


class TestStoring:
    def test_what_is_stored_is_readable(self) -> None:
        record = Record.replay(AVALAM, ["c9d9"], {"first": "black"})
        record.resign(0)
        assert record.to_dict() == {
            "format": "tablier-record/1",
            "game": "avalam",
            "settings": {"first": "black", "tiebreak": "none", "setup": "standard"},
            "start": "start",
            "moves": ["c9d9"],
            "ending": {"termination": "resignation", "winners": [1], "scores": [24, 23]},
        }

    @pytest.mark.parametrize("start", ["start", ALMOST_OVER])
    @pytest.mark.parametrize("ended", [False, True])
    def test_there_and_back(self, start: str, *, ended: bool) -> None:
        record = Record.replay(AVALAM, ["c9d9"], {"tiebreak": "fives"}, start)
        if ended and record.outcome is None:
            record.agree_draw()
        again = Record.from_dict(record.to_dict())
        assert again == record
        assert again.positions == record.positions
        assert again.outcome == record.outcome

    def test_an_ending_may_be_missing(self) -> None:
        data = stored()
        del data["ending"]
        assert Record.from_dict(data) == played("c9d9")

    @pytest.mark.parametrize(
        ("data", "said"),
        [
            (None, "a stored game is an object with format 'tablier-record/1'"),
            ([], "a stored game is an object"),
            ({}, "a stored game is an object"),
            (stored(format="tablier-record/2"), "a stored game is an object"),
            (stored(game=3), "game: must be a text, not 3"),
            (stored(start=None), "start: must be a text, not None"),
            (stored(settings=[]), "settings: must be an object of texts"),
            (stored(settings=None), "settings: must be an object of texts"),
            (stored(settings={"first": 1}), "settings: must be an object of texts"),
            (stored(settings={1: "first"}), "settings: must be an object of texts"),
            (stored(moves="c9d9"), "moves: must be a list of texts"),
            (stored(moves=None), "moves: must be a list of texts"),
            (stored(moves=[1]), "moves: must be a list of texts"),
            (stored(moves=["c9d9", "c9d9"]), "move 2 of 2: illegal move 'c9d9'"),
            (stored(ending={}), "ending: must have termination, winners and scores"),
            (stored(ending="resignation"), "ending: must have"),
            (stored(ending={"termination": "bored", "winners": [], "scores": []}), "ending: must have"),
            (stored(ending={"termination": "resignation", "winners": 1, "scores": []}), "ending: must have"),
            (
                stored(ending={"termination": "resignation", "winners": ["red"], "scores": [1, 2]}),
                "ending: winners and scores must be whole numbers",
            ),
            (
                stored(ending={"termination": "resignation", "winners": [True], "scores": [1, 2]}),
                "ending: winners and scores must be whole numbers",
            ),
            (
                stored(ending={"termination": "no_moves", "winners": [0], "scores": [1, 2]}),
                "players cannot end a game by no_moves; allowed are",
            ),
        ],
    )
    def test_damage_is_named(self, data: Any, said: str) -> None:
        with pytest.raises(RecordError) as caught:
            Record.from_dict(data)
        assert str(caught.value).startswith(said)

    def test_other_errors_say_their_own_kind(self) -> None:
        with pytest.raises(UnknownGameError):
            Record.from_dict(stored(game="chess"))
        with pytest.raises(SettingError):
            Record.from_dict(stored(settings={"first": "green"}))
        with pytest.raises(NotationError):
            Record.from_dict(stored(start="nowhere"))

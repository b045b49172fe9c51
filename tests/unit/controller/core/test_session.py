"""The session: commands and their refusals, entries, the view and the lights of every phase."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import pytest

from controller.core.calibration import Calibration
from controller.core.fieldmodel import FieldParameters
from controller.core.lights import Meaning
from controller.core.messages import (
    Answer,
    Choose,
    Command,
    Confirm,
    DeclineDraw,
    Draw,
    Entry,
    Event,
    Moved,
    NewGame,
    Phase,
    Resign,
    TakeBack,
)
from controller.core.session import LAST_MOVE_MS, Effects, Session
from controller.errors import CommandError
from engines.base import Reason, Termination
from engines.record import Record
from hardware.ports import Frame
from tests.fakes.sitting import AVALAM, BOARD, GEOMETRY, Sitting, owned
from tests.unit.engines.avalam.boards import position

REST_MS = 1000


@pytest.fixture
def sitting() -> Sitting:
    """A game that has begun."""
    made = Sitting()
    made.let_pass(REST_MS)
    return made


def refused(sitting: Sitting, command: Command) -> Reason:
    """Why a command is refused; nothing may change with it."""
    before = sitting.view
    with pytest.raises(CommandError) as caught:
        sitting.say(command)
    assert sitting.view is before, "a refusal changes nothing"
    return caught.value.reason


def lit(sitting: Sitting) -> dict[str, str]:
    return {cell: meaning.value for cell, meaning in sitting.session.lights(sitting.now_ms).items()}


def ended(sitting: Sitting) -> Entry:
    (entry,) = [entry for entry in sitting.entries if entry.kind == "end"]
    return entry


# ---------------------------------------------------------------- beginning


def test_a_board_with_other_cells_is_refused() -> None:
    with pytest.raises(ValueError, match="the board's cells are not those of avalam"):
        Session(AVALAM, ("a1", "a2"), Calibration((0.0,) * 2, (26.0,) * 2), GEOMETRY)
    with pytest.raises(ValueError, match="cells"):
        Session(AVALAM, (*BOARD.names, "a1"), Calibration((0.0,) * 50, (26.0,) * 50), GEOMETRY)


def test_a_frame_needs_one_value_a_cell(sitting: Sitting) -> None:
    with pytest.raises(ValueError, match="a frame needs 49 values, not 3"):
        sitting.session.frame(Frame(5000, (0.0, 0.0, 0.0)))


def test_a_new_game_opens_with_an_entry() -> None:
    effects = Sitting(settings={"first": "black"}).session.begin()
    settings = {"first": "black", "tiebreak": "none", "setup": "standard"}
    assert effects.entries == (Entry("game", {"game": "avalam", "settings": settings}),)
    assert effects.changed
    assert effects.events == ()


def test_a_game_from_a_position_says_where_it_began() -> None:
    start = AVALAM.format_position(position(c9="r1", d9="b1", f1="r2", g1="b1"))
    (entry,) = Sitting(record=Record(AVALAM, start=start)).session.begin().entries
    assert entry.data["start"] == start


def test_frames_may_come_in_any_order_of_cells() -> None:
    sitting = Sitting()
    order = list(range(len(BOARD.names)))
    Random(1).shuffle(order)
    zero_mt, single_mt = sitting.wooden.calibration()
    session = Session(
        AVALAM,
        tuple(BOARD.names[k] for k in order),
        Calibration(tuple(zero_mt[k] for k in order), tuple(single_mt[k] for k in order), 0.02),
        FieldParameters(
            tuple(GEOMETRY.positions_mm[k] for k in order),
            GEOMETRY.pitch_mm,
            GEOMETRY.pawn_mm,
            GEOMETRY.gap_mm,
            GEOMETRY.magnet,
        ),
    )
    told: list[Event] = []
    frame = sitting.session.frame

    def both(given: Frame) -> Effects:
        told.extend(session.frame(Frame(given.t_ms, tuple(given.values[k] for k in order))).events)
        return frame(given)

    sitting.session.frame = both  # type: ignore[method-assign,assignment]
    sitting.let_pass(REST_MS)
    sitting.play("c9d8")
    assert told == sitting.events
    assert session.view() == sitting.view


def test_the_phases_of_a_beginning(sitting: Sitting) -> None:
    empty = Sitting(stacks={})
    assert empty.view.phase is Phase.SETUP
    empty.let_pass(400)
    assert empty.view.phase is Phase.SETUP
    assert sitting.view.phase is Phase.PLAY
    assert [cell for cell, m in lit(empty).items() if m in ("place_first", "place_second")] == [
        cell for cell in AVALAM.cells if cell != "e5"
    ]


# ---------------------------------------------------------------- the view


def test_the_view_of_a_game_that_begins(sitting: Sitting) -> None:
    view = sitting.view
    assert (view.game, view.game_id, view.player_names) == ("avalam", 0, ("red", "black"))
    assert view.settings == {"first": "red", "tiebreak": "none", "setup": "standard"}
    assert (view.phase, view.to_move, view.scores) == (Phase.PLAY, 0, (24, 24))
    assert view.position == AVALAM.format_position(AVALAM.initial())
    assert view.stacks == owned(sitting.session.record)
    assert (view.moves, view.lifted, view.targets, view.lights, view.notice) == ((), None, (), {}, None)
    assert (view.tasks, view.question, view.draw_offer, view.placing) == ((), (), None, None)
    assert (view.outcome, view.unknown, view.masked) == (None, (), ())


def test_the_view_after_a_move(sitting: Sitting) -> None:
    sitting.play("c9d8")
    view = sitting.view
    (move,) = view.moves
    assert (move.player, move.move, move.display) == (0, "c9d8", "c9>d8 (=2)")
    assert (view.to_move, view.scores) == (1, AVALAM.scores(sitting.session.record.position))
    assert "c9" not in view.stacks
    assert view.stacks["d8"] == (0, 0)
    assert sitting.entries == [Entry("move", {"move": "c9d8"})]


def test_the_view_is_the_same_object_until_something_changes(sitting: Sitting) -> None:
    view = sitting.view
    assert sitting.scan() == Effects()
    assert sitting.view is view
    sitting.carry("c9", "d8")
    assert sitting.view is not view


def test_a_view_of_a_position_with_covered_pieces_says_so() -> None:
    start = AVALAM.format_position(position(c9="r3", d9="b1", f1="r2", g1="b1"))
    view = Sitting(record=Record(AVALAM, start=start)).view
    assert view.stacks["c9"] == (-1, -1, 0)


def test_the_lights_of_the_view_leave_the_last_move_to_the_strip(sitting: Sitting) -> None:
    sitting.play("c9d8")
    assert lit(sitting) == {"c9": "last", "d8": "last"}
    assert sitting.view.lights == {}
    (moved_ms,) = [e.t_ms for e in sitting.events if isinstance(e, Moved)]
    assert set(sitting.session.lights(moved_ms + LAST_MOVE_MS - 1)) == {"c9", "d8"}
    assert sitting.session.lights(moved_ms + LAST_MOVE_MS) == {}


# ---------------------------------------------------------------- take-back


def test_nothing_can_be_taken_back_at_the_start(sitting: Sitting) -> None:
    assert refused(sitting, TakeBack(1)) == Reason("nothing_to_take_back")
    sitting.play("c9d8")
    assert refused(sitting, TakeBack(2)) == Reason("nothing_to_take_back")
    assert refused(sitting, TakeBack(0)) == Reason("nothing_to_take_back")


def test_a_take_back_is_written_and_lights_what_has_to_go_back(sitting: Sitting) -> None:
    sitting.play("c9d8", "f1g1")
    effects = sitting.say(TakeBack(2))
    assert effects == Effects((), (Entry("takeback", {"plies": 2}),), changed=True)
    assert sitting.session.record.moves == ()
    assert sitting.view.phase is Phase.FIX
    assert lit(sitting) == {"d8": "wrong", "c9": "to"}, "one thing at a time, and no last move"


def test_an_ending_by_word_is_taken_back_by_word(sitting: Sitting) -> None:
    sitting.play("c9d8")
    sitting.say(Resign(0))
    assert sitting.say(TakeBack()).entries == (Entry("takeback", {"plies": 0}),)
    assert sitting.view.phase is Phase.PLAY
    assert sitting.view.outcome is None
    sitting.play("f1g1")


def test_two_plies_back_take_the_ending_and_the_moves(sitting: Sitting) -> None:
    sitting.play("c9d8", "f1g1")
    sitting.say(Resign(0))
    assert sitting.say(TakeBack(2)).entries == (Entry("takeback", {"plies": 2}),)
    assert sitting.view.outcome is None
    assert sitting.session.record.moves == ()


# ---------------------------------------------------------------- resignation and draw


@pytest.mark.parametrize(("loser", "winner"), [(0, 1), (1, 0)])
def test_a_resignation_ends_the_game(sitting: Sitting, loser: int, winner: int) -> None:
    sitting.play("c9d8")
    sitting.say(Resign(loser))
    view = sitting.view
    assert view.phase is Phase.OVER
    assert view.outcome is not None
    assert (view.outcome.termination, view.outcome.winners) == (Termination.RESIGNATION, (winner,))
    assert view.to_move is None
    scores = list(view.scores)
    assert ended(sitting).data == {"termination": "resignation", "winners": [winner], "scores": scores}


@pytest.mark.parametrize("command", [Resign, Draw, DeclineDraw, Choose])
def test_only_players_of_the_game_may_speak(sitting: Sitting, command: type[Command]) -> None:
    for player in (2, -1):
        assert refused(sitting, command(player)) == Reason("no_such_player", (player,))  # type: ignore[call-arg]


@pytest.mark.parametrize("command", [Resign(0), Draw(1), DeclineDraw(0), Choose(0)])
def test_after_the_end_nobody_may_end_it_again(sitting: Sitting, command: Command) -> None:
    sitting.say(Resign(1))
    assert refused(sitting, command) == Reason("game_over")


def test_a_draw_is_offered_and_accepted(sitting: Sitting) -> None:
    assert sitting.say(Draw(1)) == Effects(changed=True)
    assert sitting.view.draw_offer == 1
    assert refused(sitting, Draw(1)) == Reason("draw_already_offered")
    sitting.say(Draw(0))
    assert sitting.view.draw_offer is None
    assert ended(sitting).data == {"termination": "agreement", "winners": [0, 1], "scores": [24, 24]}
    assert sitting.view.phase is Phase.OVER


@pytest.mark.parametrize("player", [0, 1])
def test_a_draw_is_declined_or_withdrawn(sitting: Sitting, player: int) -> None:
    assert refused(sitting, DeclineDraw(player)) == Reason("no_draw_offer")
    sitting.say(Draw(0))
    sitting.say(DeclineDraw(player))
    assert sitting.view.draw_offer is None
    sitting.say(Draw(1))
    assert sitting.view.phase is Phase.PLAY


def test_a_move_is_an_answer_to_an_offer(sitting: Sitting) -> None:
    sitting.say(Draw(0))
    sitting.play("c9d8")
    assert sitting.view.draw_offer is None


# ---------------------------------------------------------------- new game


def test_a_wrong_setting_says_what_is_allowed(sitting: Sitting) -> None:
    sitting.play("c9d8")
    reason = refused(sitting, NewGame({"first": "green"}))
    assert reason.code == "wrong_setting"
    assert "red, black" in str(reason.params[0])
    assert sitting.session.game_id == 0
    assert sitting.session.record.move_texts == ("c9d8",)


def test_a_new_game_is_set_up_place_by_place_and_starts_by_itself(sitting: Sitting) -> None:
    sitting.play("c9d8", "d5d4")
    effects = sitting.say(NewGame({"first": "black"}))
    settings = {"first": "black", "tiebreak": "none", "setup": "standard"}
    assert effects.entries == (Entry("game", {"game": "avalam", "settings": settings}),)
    sitting.let_pass(400)
    view = sitting.view
    assert (view.game_id, view.phase, view.moves, view.to_move) == (1, Phase.SETUP, (), 1)
    assert [(t.kind, t.cell, t.owner) for t in view.tasks] == [("place", "c9", 0), ("place", "d5", 1)]
    assert lit(sitting) == {"c9": "place_first", "d5": "place_second"}
    sitting.put("e5")
    sitting.let_pass(400)
    assert (sitting.view.tasks[0].kind, sitting.view.tasks[0].cell) == ("remove", "e5")
    assert lit(sitting) == {"c9": "place_first", "d5": "place_second", "e5": "remove"}
    sitting.carry("e5", "d5")
    sitting.carry("d8", "c9", count=1)
    sitting.let_pass(REST_MS)
    assert sitting.view.phase is Phase.PLAY
    assert sitting.view.tasks == ()
    assert lit(sitting) == {}
    assert not [line for line in sitting.hear() if not line.startswith("mismatch")]


def test_a_new_game_on_a_board_that_is_ready_begins_at_once(sitting: Sitting) -> None:
    sitting.say(Resign(0))
    sitting.say(NewGame())
    sitting.let_pass(400)
    assert sitting.view.phase is Phase.PLAY
    sitting.play("c9d8")


def test_a_new_game_forgets_what_was_open() -> None:
    sitting = Sitting(record=Record.replay(AVALAM, ["c9d8"]), restored=True)
    sitting.let_pass(REST_MS)
    assert sitting.view.phase is Phase.CONFIRM
    sitting.say(Draw(0))
    sitting.say(NewGame())
    assert sitting.view.draw_offer is None
    sitting.carry("d8", "c9", count=1)
    sitting.let_pass(REST_MS)
    assert sitting.view.phase is Phase.PLAY


# ---------------------------------------------------------------- game over


def over() -> Sitting:
    """A game that its last move has ended."""
    start = AVALAM.format_position(position(c9="r3", d9="b2", f1="b1"))
    sitting = Sitting(record=Record(AVALAM, start=start))
    sitting.let_pass(REST_MS)
    sitting.play("c9d9")
    return sitting


def test_the_rules_end_a_game() -> None:
    sitting = over()
    assert sitting.view.phase is Phase.OVER
    assert sitting.entries[-1] == ended(sitting)
    assert ended(sitting).data == {"termination": "no_moves", "winners": [0, 1], "scores": [1, 1]}
    assert lit(sitting) == {"c9": "last", "d9": "last"}


def test_after_the_end_the_pieces_may_be_cleared_away() -> None:
    for sitting in (over(), Sitting()):
        sitting.let_pass(REST_MS)
        if sitting.view.phase is Phase.PLAY:
            sitting.say(Resign(0))
        before = sitting.said()
        for cell in list(sitting.wooden.stacks())[:6]:
            sitting.take_off(cell)
            sitting.let_pass(300)
        sitting.let_pass(3000)
        assert [line for line in sitting.said()[len(before) :] if not line.startswith("mismatch")] == []
        assert sitting.view.phase is Phase.OVER
        assert sitting.view.notice is None
        assert lit(sitting) == {}


def test_after_the_end_a_piece_may_stand_anywhere() -> None:
    sitting = over()
    sitting.carry("f1", "e5")
    sitting.let_pass(REST_MS)
    assert sitting.hear() == []
    assert (sitting.view.phase, sitting.view.notice) == (Phase.OVER, None)


def test_a_lift_after_the_end_lights_nothing() -> None:
    sitting = over()
    sitting.let_pass(LAST_MOVE_MS)
    sitting.wooden.do(sitting.wooden.gestures.lift("d9"))
    sitting.until(lambda: sitting.view.lifted == "d9")
    assert sitting.view.targets == ()
    assert lit(sitting) == {}


def test_the_last_move_of_a_game_can_be_taken_back_on_the_board() -> None:
    sitting = over()
    sitting.carry("d9", "c9", count=3)
    sitting.let_pass(REST_MS)
    assert sitting.hear() == ["takeback c9d9"]
    assert sitting.view.phase is Phase.PLAY
    assert sitting.view.outcome is None


# ---------------------------------------------------------------- questions

BLIND = ("f1", "f2", "g1", "g2")


def asked() -> Sitting:
    """A board that cannot tell where a piece went."""
    sitting = Sitting()
    sitting.let_pass(REST_MS)
    sitting.unread = BLIND
    sitting.let_pass(REST_MS)
    sitting.carry("g2", "g1")
    sitting.until(lambda: bool(sitting.view.question))
    return sitting


def test_where_two_moves_fit_the_players_are_asked() -> None:
    sitting = asked()
    question = sitting.view.question
    assert "g2g1" in question
    assert sitting.hear() == [f"ask {' '.join(question)}"]
    shown = {cell for cell, meaning in lit(sitting).items() if meaning == Meaning.CHOOSE.value}
    assert shown == {move[2:] for move in question}
    effects = sitting.say(Answer("g2g1"))
    assert sitting.hear() == ["move g2g1"]
    assert effects.entries == (Entry("move", {"move": "g2g1"}),)
    assert sitting.view.question == ()
    assert Meaning.CHOOSE.value not in lit(sitting).values()
    sitting.unread = ()
    sitting.let_pass(2000)
    assert sitting.hear() == []
    assert sitting.agrees()


def test_only_what_was_asked_can_be_answered(sitting: Sitting) -> None:
    assert refused(sitting, Answer("c9d8")) == Reason("no_question")
    assert refused(asked(), Answer("c9d8")) == Reason("not_an_answer", ("c9d8",))


# ---------------------------------------------------------------- confirmation


def test_there_is_nothing_to_confirm_while_all_is_well(sitting: Sitting) -> None:
    assert refused(sitting, Confirm()) == Reason("nothing_to_confirm")


def test_a_person_may_vouch_for_a_set_up() -> None:
    stacks = owned(Record(AVALAM))
    del stacks["c9"]
    sitting = Sitting(stacks=stacks)
    sitting.let_pass(REST_MS)
    assert sitting.view.phase is Phase.SETUP
    effects = sitting.say(Confirm())
    assert effects.changed
    assert sitting.said()[-1] == "restored"
    assert sitting.view.phase is Phase.PLAY
    assert sitting.view.tasks == ()


def test_a_person_may_vouch_after_a_refusal(sitting: Sitting) -> None:
    sitting.carry("d5", "e5")
    sitting.let_pass(REST_MS)
    assert sitting.view.notice is not None
    sitting.say(Confirm())
    assert (sitting.view.phase, sitting.view.notice) == (Phase.PLAY, None)
    assert sitting.said()[-1] == "restored"


def test_a_game_without_moves_needs_no_confirmation() -> None:
    sitting = Sitting(restored=True)
    sitting.let_pass(REST_MS)
    assert sitting.view.phase is Phase.PLAY


def test_a_restored_game_whose_board_is_not_there_yet_is_to_be_put_right() -> None:
    sitting = Sitting(record=Record.replay(AVALAM, ["c9d8"]), stacks={}, restored=True)
    sitting.let_pass(REST_MS)
    assert sitting.view.phase is Phase.FIX
    heights = {task.cell: task.height for task in sitting.view.tasks}
    assert len(heights) == 47
    assert heights["d8"] == 2


# ---------------------------------------------------------------- set-ups of other kinds


def test_a_random_set_up_waits_for_chance() -> None:
    sitting = Sitting(stacks={})
    sitting.let_pass(REST_MS)
    sitting.say(NewGame({"setup": "random"}))
    chance = sitting.session.chance()
    assert chance is not None
    assert chance.kind == "setup"
    assert sitting.view.placing is None
    assert sitting.view.to_move is None
    assert refused(sitting, TakeBack(1)) == Reason("nothing_to_take_back")
    assert refused(sitting, Choose(0)) == Reason("not_now")
    move = chance.sample(Random(4))
    effects = sitting.session.play_chance(move)
    text = AVALAM.format_move(move, AVALAM.initial(setup="random"))
    assert effects == Effects((), (Entry("chance", {"move": text}),), changed=True)
    assert sitting.session.chance() is None
    assert sitting.view.phase is Phase.SETUP
    sitting.let_pass(REST_MS)
    assert len(sitting.view.tasks) == 48
    owners = {task.cell: task.owner for task in sitting.view.tasks}
    assert owners == {cell: stack[0] for cell, stack in sitting.view.stacks.items()}
    sitting.wooden.set_up(owned(sitting.session.record))
    sitting.let_pass(REST_MS)
    assert sitting.view.phase is Phase.PLAY
    sitting.hear()
    assert sitting.view.moves == ()
    assert refused(sitting, TakeBack(1)) == Reason("nothing_to_take_back"), "chance is not taken back"
    sitting.play("c9d8")
    assert [move.move for move in sitting.view.moves] == ["c9d8"]
    assert refused(sitting, TakeBack(2)) == Reason("nothing_to_take_back")
    assert sitting.say(TakeBack(1)).entries == (Entry("takeback", {"plies": 1}),)


def test_a_random_set_up_is_gone_on_with_after_a_restart() -> None:
    record = Record(AVALAM, {"setup": "random"})
    record.push(record.position.chance().sample(Random(2)))
    record.push_text("c9d8")
    sitting = Sitting(record=record, restored=True)
    sitting.let_pass(REST_MS)
    assert sitting.view.phase is Phase.CONFIRM
    sitting.say(Confirm())
    sitting.play("f1g1")
    sitting.carry("g1", "f1", count=1)
    sitting.let_pass(REST_MS)
    assert sitting.hear() == ["takeback f1g1"]


def test_a_free_set_up_takes_colours_in_turn_or_as_chosen() -> None:
    sitting = Sitting(settings={"setup": "free"})
    sitting.let_pass(REST_MS)
    assert (sitting.view.phase, sitting.view.placing) == (Phase.PLAY, 0)
    for cell in ("c9", "d9"):
        sitting.put(cell)
        sitting.let_pass(600)
    assert sitting.hear() == ["move Rc9", "move Bd9"]
    assert sitting.say(Choose(1)) == Effects(changed=True)
    assert sitting.view.placing == 1
    sitting.put("e8")
    sitting.let_pass(600)
    assert sitting.hear() == ["move Be8"]
    assert sitting.view.placing == 1, "the choice is for one piece; then it goes on in turn"
    sitting.let_pass(LAST_MOVE_MS)
    assert lit(sitting) == {}


def test_a_placement_is_undone_by_taking_the_piece_off() -> None:
    sitting = Sitting(settings={"setup": "free"})
    sitting.let_pass(REST_MS)
    for cell in ("c9", "d9", "e8"):
        sitting.put(cell)
        sitting.let_pass(600)
    sitting.hear()
    sitting.take_off("e8")
    sitting.let_pass(1500)
    sitting.take_off("d9")
    sitting.let_pass(1500)
    assert sitting.hear() == ["takeback Re8", "takeback Bd9"]
    assert sitting.agrees()
    assert sitting.view.placing == 1


def test_a_piece_set_on_a_taken_hole_in_a_free_set_up_is_refused() -> None:
    sitting = Sitting(settings={"setup": "free"})
    sitting.let_pass(REST_MS)
    sitting.put("c9")
    sitting.let_pass(600)
    sitting.put("e8")
    sitting.let_pass(600)
    sitting.hear()
    sitting.carry("e8", "c9")
    sitting.let_pass(REST_MS)
    (told,) = sitting.hear()
    assert told.startswith("illegal ")
    sitting.carry("c9", "e8", count=1)
    sitting.let_pass(REST_MS)
    assert sitting.hear() == ["restored"]


def test_a_whole_free_set_up_leads_into_play() -> None:
    sitting = Sitting(settings={"setup": "free"}, period_ms=40)
    sitting.let_pass(REST_MS)
    for cell in AVALAM.cells[:-1]:
        sitting.put(cell)
        sitting.let_pass(480)
    assert len(sitting.hear()) == 48
    assert sitting.view.placing is None
    assert AVALAM.scores(sitting.session.record.position) == (24, 24)
    sitting.play("c9d8")


def test_a_choice_of_colour_is_refused_elsewhere(sitting: Sitting) -> None:
    assert refused(sitting, Choose(0)) == Reason("not_now")


@dataclass(frozen=True, slots=True)
class _Dance(Command):
    """A wish that no session knows."""


def test_an_unknown_command_is_refused(sitting: Sitting) -> None:
    assert refused(sitting, _Dance()) == Reason("not_now")

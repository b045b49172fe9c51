"""The whole daemon on the simulated board, with the board's own time: from magnet to light."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from controller.core.messages import Confirm, Draw, Entry, NewGame, Phase, Resign, TakeBack
from controller.errors import BusyError, CommandError
from controller.journal import Journal
from controller.replaying import replay
from controller.tracereader import TraceReader
from engines.base import Reason, Termination
from hardware.ports import BLACK
from hardware.simulator.bus import BusTrouble
from hardware.simulator.gestures import Manner
from hardware.simulator.script import parse_script
from tests.fakes.player import Player

GREEN = (0, 255, 0)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def test_a_board_that_is_set_up_starts_by_itself(data: Path) -> None:
    with Player(data) as player:
        assert player.view.phase is Phase.SETUP
        player.until_play()
        assert player.view.to_move == 0
        assert player.snapshot.faults == ()


def test_moves_of_all_manners_are_accepted_in_order(data: Path) -> None:
    with Player(data) as player:
        player.until_play()
        player.play("c9d8", "f1g1", manner=Manner.HIGH)
        player.play("i5h4", "a5b5", manner=Manner.LOW)
        player.play("d6e6", manner=Manner.SLIDE)
        assert player.view.stacks["d8"] == (0, 0)
        assert player.view.to_move == 1
        assert player.wooden.stacks() == {cell: tuple(s) for cell, s in player.view.stacks.items()}


def test_a_lift_lights_its_destinations_and_putting_back_is_silence(data: Path) -> None:
    with Player(data) as player:
        player.until_play()
        seq = player.snapshot.seq
        player.wooden.do(player.wooden.gestures.lift("c9"))
        player.until(lambda: player.view.lifted == "c9")
        pixels = {cell.name: player.snapshot.pixels[cell.pixel] for cell in player.daemon.board.cells}
        assert {cell for cell, pixel in pixels.items() if pixel == GREEN} == set(player.view.targets)
        assert set(player.view.targets) == {"b8", "c8", "d8", "d9"}
        player.wooden.do(player.wooden.gestures.put("c9"))
        player.until(lambda: player.view.lifted is None)
        player.let_pass(1000)
        assert player.moves == []
        assert set(player.snapshot.pixels) == {BLACK}
        assert player.snapshot.seq > seq


def test_an_illegal_placement_is_refused_with_its_reason_and_put_right(data: Path) -> None:
    with Player(data) as player:
        player.until_play()
        player.hand("d5", "e5")
        player.until(lambda: player.view.notice is not None)
        assert player.view.notice is not None
        assert player.view.notice.reason == Reason("empty_target", ("e5",))
        assert player.view.phase is Phase.FIX
        assert (player.view.tasks[0].origin, player.view.tasks[0].cell) == ("e5", "d5")
        player.let_pass(300)
        player.hand("e5", "d5")
        player.until(lambda: player.view.notice is None)
        player.until_play()
        player.play("d5d4")


def test_a_move_is_taken_back_by_word_and_by_hand(data: Path) -> None:
    with Player(data) as player:
        player.until_play()
        player.play("c9d8", "f1g1")
        player.say(TakeBack())
        assert player.moves == ["c9d8"]
        assert player.view.phase is Phase.FIX
        player.hand("g1", "f1", count=1)
        player.until_play()
        player.hand("d8", "c9", count=1)
        player.until(lambda: player.moves == [])


def test_resigning_a_draw_and_a_new_game(data: Path) -> None:
    with Player(data) as player:
        player.until_play()
        player.play("c9d8")
        outcome = player.say(Resign(1)).view.outcome
        assert outcome is not None
        assert (outcome.termination, outcome.winners) == (Termination.RESIGNATION, (0,))
        with pytest.raises(CommandError, match="game_over"):
            player.say(Resign(0))
        view = player.say(NewGame({"tiebreak": "fives"})).view
        assert (view.game_id, view.settings["tiebreak"], view.moves) == (2, "fives", ())
        assert player.daemon.table is not None
        player.daemon.table.reset()
        player.until_play()
        player.say(Draw(0))
        outcome = player.say(Draw(1)).view.outcome
        assert outcome is not None
        assert outcome.termination is Termination.AGREEMENT


def test_a_new_game_on_a_tidied_table_may_begin_like_the_last_one(data: Path) -> None:
    with Player(data) as player:
        player.until_play()
        for _ in range(3):
            player.play("f6e7", "g6h5")
            player.say(NewGame())
            table = player.daemon.table
            assert table is not None
            table.reset()
            player.until_play()
        player.play("f6e7")
        assert player.view.notice is None


def test_a_wrong_setting_changes_nothing(data: Path) -> None:
    with Player(data) as player:
        player.until_play()
        player.play("c9d8")
        with pytest.raises(CommandError, match="wrong_setting"):
            player.say(NewGame({"tiebreak": "coin"}))
        assert player.moves == ["c9d8"]


def test_a_game_goes_on_after_a_restart(data: Path) -> None:
    with Player(data) as player:
        player.until_play()
        player.play("c9d8", "f1g1")
        before = player.view
        stood = player.wooden.stacks()
    with Player(data) as player:
        player.until(lambda: player.view.phase is Phase.CONFIRM)
        assert player.wooden.stacks() == stood
        assert (player.view.position, player.view.moves) == (before.position, before.moves)
        assert player.view.game_id == before.game_id
        player.say(Confirm())
        player.until_play()
        player.play("i5h4")
        assert player.moves == ["c9d8", "f1g1", "i5h4"]


def test_a_drawn_set_up_is_the_same_after_a_restart(data: Path) -> None:
    with Player(data) as player:
        player.say(NewGame({"setup": "random"}))
        assert player.daemon.table is not None
        player.daemon.table.reset()
        player.until_play()
        drawn = player.view.position
    with Player(data) as player:
        assert player.view.position == drawn
        assert player.view.settings["setup"] == "random"


def test_a_missing_table_is_set_up_for_the_game_and_a_bad_calibration_is_measured_again(data: Path) -> None:
    with Player(data) as player:
        player.until_play()
        player.play("c9d8")
    (data / "simulator" / "table.json").unlink()
    calibration = data / "simulator" / "calibration.json"
    good = json.loads(calibration.read_text(encoding="utf-8"))
    calibration.write_text("{}", encoding="utf-8")
    with Player(data) as player:
        player.until(lambda: player.view.phase is Phase.CONFIRM)
        assert player.wooden.stacks()["d8"] == (0, 0)
    again = json.loads(calibration.read_text(encoding="utf-8"))
    assert again["single_mt"] == good["single_mt"]


def test_a_stored_game_that_cannot_be_played_stays_stored_and_another_begins(data: Path) -> None:
    data.mkdir(exist_ok=True)
    with closing(Journal(data / "journal.db")) as journal:
        journal.append([Entry("game", {"game": "avalam", "settings": {}}), Entry("move", {"move": "a1a2"})])
    with Player(data) as player:
        player.until_play()
        assert player.view.game_id == 2
        player.play("c9d8")
    with closing(Journal(data / "journal.db")) as journal:
        assert len(journal.resume(1).entries) == 2
        assert len(journal.resume(2).entries) == 2


def test_one_folder_serves_one_daemon(data: Path) -> None:
    with Player(data), pytest.raises(BusyError, match="held by process"):
        Player(data)
    Player(data).running.close()


def test_a_game_survives_a_lost_bus_and_a_lost_strip(data: Path) -> None:
    with Player(data) as player:
        player.until_play()
        player.play("c9d8")
        player.wooden.bus.trouble = BusTrouble.FAILS
        player.wooden.strip.fails = True
        player.until(lambda: set(player.fault_codes) == {"bus_lost", "strip_lost"})
        player.let_pass(2000)
        assert player.moves == ["c9d8"]
        player.wooden.bus.trouble = BusTrouble.NONE
        player.wooden.strip.fails = False
        player.until(lambda: player.fault_codes == [])
        player.until_play()
        player.play("f1g1")


def test_after_a_power_cut_the_game_is_taken_up_and_somebody_confirms_it(data: Path) -> None:
    with Player(data) as player:
        player.until_play()
        player.play("c9d8", "f1g1")
        assert player.daemon.table is not None
        player.daemon.table.cut_power()
        player.until(lambda: player.view.phase is Phase.CONFIRM)
        assert player.moves == ["c9d8", "f1g1"]
        player.say(Confirm())
        player.until_play()
        player.play("i5h4")


def test_a_script_plays_and_the_diagnostics_tell_what_it_broke(data: Path) -> None:
    with Player(data) as player:
        player.until_play()
        assert player.daemon.table is not None
        script = "fault dead g6\nfault noisy e4\nwait 4 s\nmove c9 d8"
        player.daemon.table.play(parse_script(script, player.daemon.board.names))
        player.until(lambda: player.moves == ["c9d8"])
        report = player.daemon.diagnostics()
        states = dict(zip(report.cells, report.states, strict=True))
        assert {cell: state for cell, state in states.items() if state != "ok"} == {
            "g6": "nack",
            "e4": "noisy",
        }
        assert report.values[report.cells.index("g6")] is None
        assert report.occupied[report.cells.index("d8")]
        assert report.status["sensors"]["nacks"] > 0


def test_what_was_recorded_replays_to_the_same_moves(data: Path, tmp_path: Path) -> None:
    lines: list[str] = []
    with Player(data) as player:
        player.until_play()
        player.play("c9d8")
        player.daemon.record(lines.append)
        player.let_pass(400)
        player.play("f1g1", "i5h4")
        position = player.view.position
    path = tmp_path / "game.jsonl"
    path.write_text("".join(lines), encoding="utf-8")
    with TraceReader(path) as reader:
        events = list(replay(reader))
    assert [event["move"] for event in events if event["event"] == "move"] == ["f1g1", "i5h4"]
    assert events[-1]["event"] == "end"
    assert events[-1]["position"] == position


def test_free_set_up_is_played_from_the_pieces_beside_the_board(data: Path) -> None:
    with Player(data) as player:
        player.say(NewGame({"setup": "free"}))
        assert player.daemon.table is not None
        player.daemon.table.reset()
        player.until(lambda: player.view.phase is Phase.PLAY)
        assert player.view.stacks == {}
        for cell in ("c9", "d8", "e5"):
            owner = player.view.placing
            count = len(player.moves)
            x_mm, y_mm, _ = next(loose for loose in player.wooden.loose() if loose[2] == (owner,))
            place = player.daemon.board.cell(cell)
            player.daemon.table.grab(x_mm, y_mm)
            player.let_pass(200)
            player.daemon.table.move(place.x_mm, place.y_mm, 20)
            player.let_pass(200)
            player.daemon.table.release()
            player.until(lambda count=count: len(player.moves) == count + 1)  # type: ignore[misc]
        assert player.moves == ["Rc9", "Bd8", "Re5"]
        assert player.view.stacks == player.wooden.stacks()

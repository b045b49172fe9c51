"""The benchmark of recognition: what it plays, reports and saves."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from controller import cli
from controller.clumsy.truth import parse_truth
from controller.core.session import Effects, Session
from controller.recognitionbench import (
    GameResult,
    Report,
    course,
    failure_json,
    part,
    play_game,
    play_games,
    save_game,
)
from controller.replaying import replay
from controller.scoring import Failure
from controller.tracereader import TraceReader
from hardware.ports import Frame


@pytest.fixture(scope="module")
def played() -> GameResult:
    return play_game(course("plain"), 1, turns=6)


def test_a_short_game_is_understood_move_by_move(played: GameResult) -> None:
    assert played.tally.failures == []
    assert played.tally.moves == 6
    assert len(played.tally.delays_ms) == 6
    assert len(played.cpu_ms) == len(played.items) > 200
    assert [event["t_ms"] > event["from_ms"] for event in played.truth["events"]] == [True] * 6


def test_a_saved_game_replays_to_the_same_events(played: GameResult, tmp_path: Path) -> None:
    path = save_game(played, tmp_path / "deep" / "games")
    assert path.name == "avalam-plain-25hz-field-1.jsonl"
    truth_file = path.with_name("avalam-plain-25hz-field-1.truth.json")
    events, heights = parse_truth(truth_file.read_text(encoding="utf-8"), truth_file.name)
    with TraceReader(path) as reader:
        seen = list(replay(reader))
    moves = [event for event in seen if event["event"] == "move"]
    assert [event["move"] for event in moves] == [event.text for event in events]
    delays_ms = [event["t_ms"] - true.t_ms for event, true in zip(moves, events, strict=True)]
    assert delays_ms == played.tally.delays_ms
    assert sum(heights.values()) == 48


def test_the_same_seed_plays_the_same_game(played: GameResult) -> None:
    again = play_game(course("plain"), 1, turns=6)
    assert (again.items, again.truth) == (played.items, played.truth)


def test_a_report_holds_the_figures_of_all_games(played: GameResult) -> None:
    report = Report(played.course)
    report.add(played)
    report.add(
        replace(played, seed=2, tally=replace(played.tally, failures=[Failure("wrong", 9, 1, "a", "b")]))
    )
    figures = report.figures()
    assert (figures["kind"], figures["source"], figures["rate_hz"]) == ("plain", "field", 25.0)
    assert (figures["games"], figures["moves"], figures["wrong"], figures["missing"]) == (2, 12, 1, 0)
    assert 0 < figures["p50_ms"] <= figures["p99_ms"] <= 1000
    assert figures["named_p99_ms"] is None
    assert 0 < figures["cpu_mean_ms"] <= figures["cpu_max_ms"]
    (seed, failure), *others = report.failures
    assert others == []
    assert failure_json(report.course, seed, failure) == {
        "kind": "plain",
        "rate_hz": 25.0,
        "source": "field",
        "seed": 2,
        "what": "wrong",
        "t_ms": 9,
        "number": 1,
        "truth": "a",
        "reported": "b",
    }


def test_faults_go_over_the_bus_unless_told_otherwise() -> None:
    assert course("faults").source == "bus"
    assert course("faults", over_bus=False).source == "field"
    assert course("hands").source == "field"


@pytest.mark.parametrize(("share", "value"), [(0.5, 2), (0.99, 4), (0.25, 1)])
def test_parts_are_by_the_nearest_rank(share: float, value: int) -> None:
    assert part([4, 1, 3, 2], share) == value
    assert part([], share) is None


class _DeafSession(Session):
    """A session that takes no notice of frames."""

    def frame(self, frame: Frame) -> Effects:
        return Effects()


def test_what_is_not_recognised_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.recognitionbench.Session", _DeafSession)
    result = play_game(course("plain"), 1, turns=3)
    (failure,) = result.tally.failures
    assert (failure.what, failure.number, failure.reported) == ("missing", 1, "nothing")
    assert failure.truth.startswith("move ")


def test_the_command_prints_rows_or_json_and_saves(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "controller.commands.recognition.play_games",
        lambda course, moves, seed: [play_game(course, seed, turns=moves)],
    )
    common = ["bench", "recognition", "--kind", "plain", "--moves", "3", "--seed", "4", "--rate", "50"]
    assert cli.main([*common, "--save", str(tmp_path)]) == 0
    title, row = capsys.readouterr().out.splitlines()
    assert title.split()[:4] == ["kind", "from", "moves", "wrong"]
    assert row.split()[:5] == ["plain", "field", "3", "0", "0"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "avalam-plain-50hz-field-4.jsonl",
        "avalam-plain-50hz-field-4.truth.json",
    ]
    assert cli.main([*common, "--json", "--failing", "--save", str(tmp_path / "failing")]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["bench"], figures["moves"], figures["failures"]) == ("recognition", 3, [])
    assert not (tmp_path / "failing").exists()


def test_a_folder_that_cannot_be_written_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "controller.commands.recognition.play_games",
        lambda course, moves, seed: [play_game(course, seed, turns=1)],
    )
    taken = tmp_path / "file"
    taken.write_text("", encoding="utf-8")
    assert cli.main(["bench", "recognition", "--kind", "plain", "--moves", "1", "--save", str(taken)]) == 1
    assert f"{taken}: cannot be written: File exists" in capsys.readouterr().err


@pytest.mark.parametrize("argv", [["--moves", "0"], ["--rate", "1"], ["--kind", "chess"], ["--over", "air"]])
def test_wrong_options_are_refused(capsys: pytest.CaptureFixture[str], argv: list[str]) -> None:
    assert cli.main(["bench", "recognition", *argv]) == 2
    assert argv[0] in capsys.readouterr().err


def test_games_follow_one_another_until_enough_was_played() -> None:
    quick = replace(course("fast"), rate_hz=5.0)
    results = list(play_games(quick, 1, seed=3))
    assert [result.seed for result in results] == [3]

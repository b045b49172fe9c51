"""The project's own figures hold."""

from __future__ import annotations

import json

import pytest

from controller import cli
from controller.bench import bench_latency, bench_scan
from controller.commands import bench


def test_a_scan_of_49_places_keeps_to_its_budget() -> None:
    cost = bench_scan(scans=60)
    assert (cost.places, cost.scans) == (49, 60)
    assert 250 < cost.bytes <= 310
    assert 60 < cost.transactions <= 80
    assert 5 < cost.board_ms < 40
    assert cost.scan_cpu_ms > 0
    assert cost.frame_cpu_ms > 0


def test_light_answers_a_lift_within_a_tenth_of_a_second() -> None:
    latency = bench_latency(moves=8)
    assert latency.moves == 8
    assert 0 < latency.p50_ms <= latency.p99_ms <= latency.max_ms <= latency.limit_ms == 100


@pytest.mark.slow
def test_light_answers_lifts_of_whole_games() -> None:
    latency = bench_latency(games=4, seed=10)
    assert latency.moves > 100
    assert latency.p99_ms <= 100


def test_the_command_prints_figures_for_people_and_programs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "bench_scan", lambda: bench_scan(scans=5))
    monkeypatch.setattr(bench, "bench_latency", lambda games: bench_latency(games=games, moves=2))
    assert cli.main(["bench", "--json"]) == 0
    scan, latency = map(json.loads, capsys.readouterr().out.splitlines())
    assert (scan["bench"], scan["places"], scan["bytes"] <= 310) == ("scan", 49, True)
    assert (latency["bench"], latency["moves"], latency["limit_ms"]) == ("latency", 2, 100)
    assert cli.main(["bench", "latency"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("latency: lift to light p50 ")
    assert "over 2 lifts; within 100 ms" in out
    assert cli.main(["bench", "scan"]) == 0
    assert capsys.readouterr().out.startswith("scan: 49 places, at most ")

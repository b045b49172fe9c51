"""Whatever a clumsy hand does, the game agreed is the one on the board."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from controller.clumsy.habits import KINDS, SEATED, SLOPPY, Habits
from controller.recognitionbench import Course, Report, course, play_game, play_games
from controller.scoring import FATAL

_PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
"""A whole game is too long to shrink: the seed says it all."""
_SHARES = st.floats(0.0, 0.6)
_HABITS = st.builds(
    Habits,
    physics=st.sampled_from([SEATED, SLOPPY]),
    pause_ms=st.sampled_from([(60, 350), (300, 900), (500, 2500)]),
    linger=_SHARES,
    low=_SHARES,
    hover=_SHARES,
    put_back=_SHARES,
    nudge=_SHARES,
    wave=_SHARES,
    both_hands=st.booleans(),
    illegal=_SHARES,
    take_back=_SHARES,
    drift_mt=st.floats(0.0, 0.15),
)


def _holds(habits: Habits, seed: int, rate_hz: float, turns: int) -> None:
    result = play_game(Course("random", habits, rate_hz), seed, turns)
    assert [failure for failure in result.tally.failures if failure.what in FATAL] == []


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.xfail(reason="a hand that rests low over tall towers is still taken at its word at times")
@settings(max_examples=12, derandomize=True, phases=_PHASES)
@given(habits=_HABITS, seed=st.integers(0, 999), rate_hz=st.sampled_from([25.0, 50.0]))
def test_the_game_is_the_one_on_the_board(habits: Habits, seed: int, rate_hz: float) -> None:
    _holds(habits, seed, rate_hz, turns=5)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@settings(max_examples=60, phases=_PHASES)
@given(habits=_HABITS, seed=st.integers(0, 999_999), rate_hz=st.sampled_from([25.0, 50.0]))
def test_the_game_is_the_one_on_the_board_at_length(habits: Habits, seed: int, rate_hz: float) -> None:
    _holds(habits, seed, rate_hz, turns=25)


_OPEN = {("faults", 3), ("mistakes", 3)}
"""Games that are not understood whole yet. None was left out for that; the set is to become empty."""


def _games() -> list[Any]:
    open_mark = pytest.mark.xfail(reason="not understood whole yet", strict=True)
    return [
        pytest.param(kind, seed, marks=[open_mark] if (kind, seed) in _OPEN else [])
        for kind in KINDS
        if kind != "mixed"
        for seed in (1, 2, 3)
    ]


@pytest.mark.parametrize(("kind", "seed"), _games())
def test_games_of_every_kind_are_understood(kind: str, seed: int) -> None:
    result = play_game(course(kind), seed, turns=24)
    assert result.tally.failures == []
    assert result.tally.moves == 24


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("rate_hz", [25.0, 50.0])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "mixed"])
def test_hundreds_of_moves_of_every_kind_keep_to_the_limits(kind: str, rate_hz: float) -> None:
    report = Report(course(kind, rate_hz=rate_hz))
    for result in play_games(report.course, 300, seed=1000):
        report.add(result)
    figures = report.figures()
    told = [(seed, failure) for seed, failure in report.failures]
    assert (figures["wrong"], figures["early"], figures["unnamed"], figures["lights"]) == (0, 0, 0, 0), told
    assert figures["missing"] <= 0.005 * figures["moves"], told
    assert figures["asked"] <= (0.05 if kind == "faults" else 0.01) * figures["moves"]
    assert figures["alarms"] <= 0.01 * figures["moves"], told
    assert figures["p99_ms"] <= _LIMITS_MS[kind]


_LIMITS_MS = {"plain": 400, "hands": 600, "mistakes": 600, "fast": 800, "weak": 800, "faults": 3000}

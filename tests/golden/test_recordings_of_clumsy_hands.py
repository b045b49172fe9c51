"""Recorded games of hands that hover, nudge and pass low, and of players who make mistakes."""

from __future__ import annotations

import pytest

from tests.golden.judging import everything_is_recognised_in_time, the_events_are_those_written_down

MOST_MS = {"avalam-hands-a": 600, "avalam-mistakes-a": 600}


@pytest.mark.parametrize("name", MOST_MS)
def test_everything_is_recognised_in_time(name: str) -> None:
    everything_is_recognised_in_time(name, MOST_MS[name])


@pytest.mark.parametrize("name", MOST_MS)
def test_the_events_are_those_written_down(name: str) -> None:
    the_events_are_those_written_down(name)

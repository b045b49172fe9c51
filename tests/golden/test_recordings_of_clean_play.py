"""Recorded games of careful hands, slow and quick."""

from __future__ import annotations

import pytest

from tests.golden.judging import everything_is_recognised_in_time, the_events_are_those_written_down

MOST_MS = {"avalam-plain-a": 400, "avalam-fast-a": 800}


@pytest.mark.parametrize("name", MOST_MS)
def test_everything_is_recognised_in_time(name: str) -> None:
    everything_is_recognised_in_time(name, MOST_MS[name])


@pytest.mark.parametrize("name", MOST_MS)
def test_the_events_are_those_written_down(name: str) -> None:
    the_events_are_those_written_down(name)

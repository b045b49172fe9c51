"""How a recording is judged: the same laws for every one, with the delay allowed for its kind."""

from __future__ import annotations

from itertools import zip_longest

from tests.golden.recording import (
    events_path,
    final_heights,
    happened,
    recognised,
    render,
    replayed,
    truth,
)


def everything_is_recognised_in_time(name: str, most_ms: int) -> None:
    """Exactly what happened is said, in order, never before it stood and never later than `most_ms`."""
    told, said = happened(name), recognised(name)
    assert [what for _, what in said] == [what for _, what in told]
    delays_ms = [said_ms - told_ms for (said_ms, _), (told_ms, _) in zip(said, told, strict=True)]
    assert min(delays_ms) >= 0
    assert max(delays_ms) <= most_ms
    assert final_heights(name) == truth(name)[1]


def the_events_are_those_written_down(name: str) -> None:
    """The replay prints what the golden file holds, line by line."""
    written = events_path(name).read_text(encoding="utf-8")
    now = render(replayed(name))
    pairs = zip_longest(written.splitlines(), now.splitlines())
    for number, (was, is_now) in enumerate(pairs, 1):
        assert is_now == was, f"{events_path(name).name}, line {number}; read recordings/README.md"
    assert written == now

"""Random games on the simulated board: repeatable, true to what stands there, as faulty as they say."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from controller.clumsy.habits import KINDS
from controller.clumsy.rig import Rig
from engines.record import Record
from engines.registry import game
from hardware.boardfile import load_board
from hardware.ports import Frame

BOARD = load_board("avalam")
AVALAM: Any = game("avalam")


def played(
    kind: str, seed: int, rate_hz: float = 5.0, *, over_bus: bool = False, turns: int | None = None
) -> tuple[Rig, list[Frame]]:
    rig = Rig(BOARD, AVALAM, KINDS[kind], seed=seed, rate_hz=rate_hz, over_bus=over_bus, turns=turns)
    return rig, list(rig.frames())


@pytest.mark.parametrize("kind", ["plain", "mistakes", "mixed"])
def test_the_truth_played_through_gives_what_stands_on_the_board(kind: str) -> None:
    rig, _ = played(kind, 5)
    record = Record(AVALAM)
    for event in rig.truth:
        assert event.from_ms is not None
        assert event.from_ms < event.t_ms
        if event.kind == "move":
            record.push_text(event.text)
        elif event.kind == "takeback":
            assert record.move_texts[-1] == event.text
            record.pop()
        elif event.kind == "illegal":
            origin, target = event.text[:2], event.text[2:]
            refusal = AVALAM.refusal(record.position, origin, target)
            assert event.reason == "split_tower" or refusal.code == event.reason
    assert record.outcome is not None
    assert AVALAM.stacks(record.positions[0], record.moves) == rig.wooden.stacks()
    times = [event.t_ms for event in rig.truth]
    assert times == sorted(times)


def test_every_mistake_is_put_right_before_anything_else() -> None:
    rig, _ = played("mistakes", 2)
    kinds = [event.kind for event in rig.truth]
    assert {"move", "takeback", "illegal", "restored"} <= set(kinds)
    for place, kind in enumerate(kinds):
        if kind == "illegal":
            assert kinds[place + 1] == "restored"


@pytest.mark.parametrize("seed", range(3))
def test_no_mistake_gives_heights_that_stood_before(seed: int) -> None:
    rig = Rig(BOARD, AVALAM, KINDS["mistakes"], seed=seed, rate_hz=2.0, over_bus=False)
    stood: set[tuple[int, ...]] = set()
    told = 0
    for _ in rig.frames():
        for event in rig.truth[told:]:
            heights = tuple(len(rig.wooden.stacks().get(cell, ())) for cell in BOARD.names)
            if event.kind == "illegal":
                assert heights not in stood, event
            stood.add(heights)
        told = len(rig.truth)


def test_the_same_seed_gives_the_same_frames_and_another_seed_others() -> None:
    rig, frames = played("mixed", 7, turns=6)
    again, same = played("mixed", 7, turns=6)
    assert frames == same
    assert rig.truth == again.truth
    assert played("mixed", 8, turns=6)[0].truth != rig.truth


def test_frames_come_at_their_rate_until_seconds_after_the_last_move() -> None:
    rig, frames = played("fast", 1, 25.0, turns=5)
    assert len(rig.truth) == 5
    gaps = Counter(b.t_ms - a.t_ms for a, b in pairwise(frames))
    assert gaps == {40: len(frames) - 1}
    assert 4500 <= frames[-1].t_ms - rig.truth[-1].t_ms <= 5500
    assert all(None not in frame.values for frame in frames)


def test_both_ways_of_reading_see_the_same_game() -> None:
    (direct, by_field), (bus, by_bus) = (played("plain", 3, over_bus=over, turns=4) for over in (False, True))
    assert [event.text for event in direct.truth] == [event.text for event in bus.truth]
    standing = [v for v in by_field[0].values if v is not None]
    read = [v for v in by_bus[0].values if v is not None]
    assert len(standing) == len(read) == 49
    assert max(abs(a - b) for a, b in zip(standing, read, strict=True)) < 0.2


def test_faults_are_there_and_noted() -> None:
    rig, frames = played("faults", 4, 25.0)
    noted = " ".join(what for _, what in rig.troubles.log)
    for word in ("dead", "noisy", "frozen", "restarted", "bus is back"):
        assert word in noted
    assert any(not any(v is not None for v in frame.values) for frame in frames)
    _holds_faults(rig, frames)


def test_faults_are_there_by_way_of_the_bus_too() -> None:
    _holds_faults(*played("faults", 4, 25.0, over_bus=True, turns=4))


def _holds_faults(rig: Rig, frames: list[Frame]) -> None:
    columns = dict(zip(BOARD.names, zip(*(frame.values for frame in frames), strict=True), strict=True))
    dead, noisy = rig.troubles.log[0][1].replace(",", "").split()[::2]
    assert set(columns[dead]) == {None}
    steps = [abs(b - a) for a, b in pairwise(columns[noisy]) if a is not None and b is not None]
    assert sorted(steps)[len(steps) // 2] > 0.2
    missed = sum(b.t_ms - a.t_ms > 60 for a, b in pairwise(frames))
    assert 0.003 < missed / len(frames) < 0.05
    unread = sum(v is None for cell, column in columns.items() if cell != dead for v in column)
    assert 0.003 < unread / (len(frames) * 48) < 0.1


def test_zeros_drift_where_they_should() -> None:
    for kind, drifts in (("plain", False), ("weak", True)):
        rig = Rig(BOARD, AVALAM, KINDS[kind], seed=1, rate_hz=2.0, over_bus=False)
        before = rig.wooden.calibration()[0]
        list(rig.frames())
        after = rig.wooden.calibration()[0]
        assert (before != after) is drifts
        assert max(abs(a - b) for a, b in zip(before, after, strict=True)) < 1.0

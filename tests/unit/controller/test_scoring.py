"""What counts as wrong, missing, named and early."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from controller.clumsy.truth import TruthEvent
from controller.core.messages import Asked, Event, Lifted, Mismatch, Moved, Refused, Restored, TakenBack
from controller.scoring import PATIENCE_MS, Scorer, Tally
from engines.base import Reason

E3F4 = TruthEvent(1960, "move", "e3f4", 1140)
A5B4 = TruthEvent(3680, "move", "a5b4", 2540)
WRONG = TruthEvent(6000, "illegal", "e2e4", 5000, "not_adjacent")
RIGHT = TruthEvent(8000, "restored", "", 7400)
BACK = TruthEvent(9000, "takeback", "a5b4", 8500)
NOT_ADJACENT = Reason("not_adjacent", ("e4",))


def tally(truths: Sequence[TruthEvent], events: Sequence[Event], *, agrees: bool = True) -> Tally:
    """Everything in the order of its time, as a game brings it, and looked at in between."""
    scorer = Scorer()
    for thing in sorted([*truths, *events], key=lambda thing: thing.t_ms):
        if isinstance(thing, TruthEvent):
            scorer.happened(thing)
        else:
            scorer.reported(thing)
        scorer.look(thing.t_ms)
    scorer.finish(20_000, agrees=agrees)
    return scorer.tally


def failures(found: Tally) -> list[tuple[str, int]]:
    return [(failure.what, failure.number) for failure in found.failures]


def test_a_game_that_was_understood_has_no_failure() -> None:
    found = tally(
        [E3F4, A5B4, WRONG, RIGHT, BACK],
        [
            Lifted(1200, "e3"),
            Moved(2100, "e3f4"),
            Moved(3900, "a5b4"),
            Refused(6300, NOT_ADJACENT, ("e2", "e4")),
            Restored(8200),
            TakenBack(9200, "a5b4"),
        ],
    )
    assert found.failures == []
    assert (found.moves, found.taken_back, found.mistakes, found.asked) == (2, 1, 1, 0)
    assert found.delays_ms == [140, 220, 200]
    assert found.naming_delays_ms == [300]


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([], [("missing", 1)]),
        ([Moved(3900, "a5b4")], [("missing", 1)]),
        ([Moved(2100, "e3e4")], [("wrong", 1)]),
        ([Moved(2100, "e3f4"), TakenBack(3000, "e3f4")], [("wrong", 2)]),
        ([Moved(2100, "e3f4"), Moved(3900, "a5a4")], [("wrong", 2)]),
        ([Moved(1900, "e3f4"), Moved(3900, "a5b4")], [("early", 1)]),
        ([Moved(2100, "e3f4"), Moved(3900, "a5b4"), Moved(5000, "c9c8")], [("wrong", 3)]),
        ([Moved(2100, "e3f4"), Moved(3680 + PATIENCE_MS + 1, "a5b4")], [("missing", 2)]),
    ],
)
def test_moves_are_compared_in_order(events: list[Event], expected: list[tuple[str, int]]) -> None:
    scorer = Scorer()
    for truth in (E3F4, A5B4):
        scorer.happened(truth)
    for event in events:
        scorer.look(event.t_ms)
        scorer.reported(event)
    scorer.finish(30_000, agrees=True)
    assert failures(scorer.tally) == expected
    assert scorer.is_over is (expected != [("early", 1)])


def test_after_a_wrong_move_nothing_more_is_judged() -> None:
    found = tally([E3F4, A5B4], [Moved(2100, "e3e4"), Moved(3900, "a5a4")], agrees=False)
    assert failures(found) == [("wrong", 1)]


def test_an_early_event_waits_for_its_truth() -> None:
    scorer = Scorer()
    scorer.reported(Moved(1700, "e3f4"))
    scorer.look(1800)
    assert scorer.tally.failures == []
    scorer.happened(E3F4)
    scorer.look(2000)
    assert failures(scorer.tally) == [("early", 1)]
    assert "260 ms before" in scorer.tally.failures[0].reported


def test_a_mistake_is_named_by_its_cells_in_either_order() -> None:
    named = [Refused(6300, NOT_ADJACENT, ("e4", "e2")), Restored(8300)]
    assert tally([WRONG, RIGHT], named).failures == []


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([], ["unnamed", "unrestored"]),
        ([Refused(6300, NOT_ADJACENT, ("e2", "f4")), Restored(8100)], ["unnamed"]),
        ([Refused(6300, NOT_ADJACENT, ("e2", "e4"))], ["unrestored"]),
        ([Refused(6300, Reason("empty_target", ("e4",)), ("e2", "e4")), Restored(8100)], ["reason"]),
        (
            [
                Refused(6200, NOT_ADJACENT, ("e2", "f4")),
                Refused(6900, NOT_ADJACENT, ("e2", "e4")),
                Restored(8100),
            ],
            [],
        ),
    ],
)
def test_mistakes_that_were_not_named_are_told(events: list[Event], expected: list[str]) -> None:
    found = tally([WRONG, RIGHT, TruthEvent(9000, "move", "a5b4", 8500)], [*events, Moved(9200, "a5b4")])
    assert [failure.what for failure in found.failures] == expected
    assert (found.mistakes, found.moves) == (1, 1)


def test_a_move_that_nobody_made_during_a_mistake_is_wrong() -> None:
    found = tally([WRONG, RIGHT], [Moved(6200, "e2e3")])
    assert failures(found) == [("wrong", 1)]


def test_a_mistake_that_nobody_made_is_an_alarm_and_its_end_is_not() -> None:
    alarm = [Refused(1500, NOT_ADJACENT, ("e3", "e5")), Restored(1800)]
    found = tally([E3F4], [*alarm, Moved(2100, "e3f4")])
    assert failures(found) == [("alarm", 1)]


def test_a_rebuild_is_an_alarm_except_during_the_set_up() -> None:
    found = tally([E3F4], [Mismatch(40, ("a4",), ()), Moved(2100, "e3f4"), Mismatch(9000, ("a4",), ())])
    assert failures(found) == [("alarm", 2)]


def test_questions_are_counted_and_answered_with_the_move_made() -> None:
    scorer = Scorer()
    assert scorer.expected_move() is None
    scorer.happened(E3F4)
    scorer.reported(Asked(2500, ("e3f4", "e3e4")))
    assert scorer.expected_move() == "e3f4"
    scorer.reported(Moved(3000, "e3f4"))
    scorer.look(3000)
    assert scorer.expected_move() is None
    assert (scorer.tally.asked, scorer.tally.moves) == (1, 1)


def test_another_position_or_a_light_at_the_end_is_a_failure() -> None:
    assert failures(tally([], [], agrees=False)) == [("position", 1)]
    scorer = Scorer()
    scorer.finish(20_000, agrees=True, lights="e3:lifted")
    assert failures(scorer.tally) == [("lights", 1)]


def test_tallies_add_up() -> None:
    one = tally([E3F4], [Moved(2100, "e3f4")])
    one.add(tally([E3F4, A5B4], [Moved(2200, "e3f4"), Moved(3900, "a5c5")]))
    assert (one.moves, one.delays_ms, one.count("wrong")) == (2, [140, 240], 1)

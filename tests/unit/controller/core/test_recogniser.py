"""The recogniser on a board and a game of nine places: what it says, and what it keeps to itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from controller.core.calibration import Calibration
from controller.core.recogniser import Recogniser
from controller.core.seen import Seen
from tests.unit.controller.core.toy import (
    COUNT,
    START,
    InHand,
    Readings,
    ToyNode,
    ToyRules,
    calibration,
    changed,
    model,
    over,
)

TOWERS = (1, 2, 0, 5, 1, 0, 0, 3, 1)
REST = 60


class Board:
    """A toy board and its recogniser; towers stand as told, frame by frame."""

    def __init__(
        self,
        towers: Sequence[int] = START,
        *,
        agreed: tuple[int, ...] | None = None,
        keys: tuple[str, ...] = (),
        has_box: bool = False,
        rest: int = REST,
    ) -> None:
        self.rules = ToyRules(has_box)
        node = ToyNode(agreed or tuple(towers))
        self.recogniser = Recogniser(self.rules, model(), calibration(), node, keys)
        self.readings = Readings()
        self.drift_mt = dict.fromkeys(range(COUNT), 0.0)
        self.towers = list(towers)
        self.seen: list[Seen] = []
        self._heard = 0
        self.rest(rest)

    def show(
        self,
        after: Mapping[int, int] | None = None,
        *,
        hand: InHand | None = None,
        aside_mt: Mapping[int, float] | None = None,
        frames: int = 1,
    ) -> None:
        """The towers stand like this for some frames; something may be in a hand."""
        self.towers = changed(self.towers, after or {})
        for _ in range(frames):
            aside = {k: mt + (aside_mt or {}).get(k, 0.0) for k, mt in self.drift_mt.items()}
            values = self.readings.of(self.towers, hand, aside)
            self.seen += self.recogniser.feed(self.readings.t_ms, values)

    def rest(self, frames: int = REST) -> None:
        self.show(frames=frames)

    def lift(self, origin: int, pieces: int | None = None) -> InHand:
        """Take a tower, or its top, straight up."""
        pieces = pieces or self.towers[origin]
        stays = self.towers[origin] - pieces
        self.towers[origin] = stays
        for up_mm in (2.0, 6.0, 14.0, 26.0, 40.0, 50.0):
            self.show(hand=over(origin, pieces, 8.0 * stays + up_mm))
        return over(origin, pieces, 50.0)

    def put(self, target: int, pieces: int) -> None:
        """Bring what is in the hand over a place and set it down."""
        top_mm = 8.0 * self.towers[target]
        for up_mm in (50.0, 50.0, 36.0, 22.0, 12.0, 5.0, 1.5):
            self.show(hand=over(target, pieces, top_mm + up_mm))
        self.show({target: self.towers[target] + pieces})

    def move(self, origin: int, target: int, pieces: int | None = None, *, rest: int = REST) -> None:
        held = self.lift(origin, pieces)
        self.put(target, held.pieces)
        self.rest(rest)

    def hear(self) -> list[tuple[str, object]]:
        """What was said since the last time, lifts aside: the kind, and moves or places."""
        news = [s for s in self.seen[self._heard :] if s.kind != "lift"]
        self._heard = len(self.seen)
        return [(s.kind, s.keys or (s.places, s.extra) if s.extra else s.keys or s.places) for s in news]

    @property
    def reason(self) -> object:
        return next(s.reason for s in reversed(self.seen) if s.kind == "illegal")


# ---------------------------------------------------------------- beginning


def test_a_board_as_agreed_is_taken_without_a_word() -> None:
    board = Board(rest=0)
    assert not board.recogniser.ready
    board.rest(20)
    assert board.recogniser.ready
    assert board.recogniser.agrees()
    assert board.seen == []


def test_nothing_is_said_before_the_first_frames_agree() -> None:
    board = Board(changed(START, {4: 0}), agreed=START, rest=4)
    assert board.seen == []
    board.rest(10)
    assert board.hear() == [("mismatch", (4,))]


def test_a_board_that_differs_is_named_place_by_place_until_it_agrees() -> None:
    board = Board(changed(START, {4: 0}), agreed=tuple(changed(START, {8: 0})))
    assert board.hear() == [("mismatch", ((4,), (8,)))]
    board.show({8: 0}, frames=20)
    assert board.hear() == [("mismatch", (4,))]
    assert not board.recogniser.ready
    board.show({4: 1}, frames=20)
    assert board.hear() == [("mismatch", ())]
    assert board.recogniser.ready
    board.move(0, 1)
    assert board.hear() == [("move", ("01",))]


def test_a_set_up_begins_from_what_stands() -> None:
    board = Board()
    board.recogniser.set_up()
    assert not board.recogniser.ready
    board.rest(20)
    assert board.recogniser.ready
    assert board.hear() == [("mismatch", ())], "it says that all is right"


def test_sensors_with_gain_and_zero_of_their_own() -> None:
    gains = [1.0 + 0.02 * (-1) ** k * k for k in range(COUNT)]
    zeros = [0.1 * k - 0.3 for k in range(COUNT)]
    single = tuple(model().single_mt * g for g in gains)
    recogniser = Recogniser(ToyRules(), model(), Calibration(tuple(zeros), single, 0.02), ToyNode(START))
    readings = Readings()
    seen = []
    for heights in [START] * 30 + [tuple(changed(START, {0: 0, 1: 2}))] * 60:
        plain = readings.of(heights)
        raw = [None if v is None else v * g + z for v, g, z in zip(plain, gains, zeros, strict=True)]
        seen += recogniser.feed(readings.t_ms, raw)
    assert [s.keys for s in seen if s.kind == "move"] == [("01",)]


def test_a_game_may_be_gone_on_with() -> None:
    towers = changed(START, {0: 0, 1: 2, 8: 0, 7: 2})
    board = Board(towers, agreed=START, keys=("01", "87"))
    assert board.hear() == []
    board.move(7, 8, 1)
    assert board.hear() == [("takeback", ("87",))]


# ---------------------------------------------------------------- moves


def test_a_move_is_said_once_with_its_lift_and_its_end() -> None:
    board = Board()
    board.move(0, 1)
    assert [(s.kind, s.keys, s.places) for s in board.seen] == [
        ("lift", (), (0,)),
        ("move", ("01",), ()),
        ("lift", (), ()),
    ]
    assert board.recogniser.standing() == tuple(changed(START, {0: 0, 1: 2}))
    assert board.recogniser.lifted is None


def test_what_may_be_done_with_a_piece() -> None:
    board = Board(changed(START, {5: 0}), has_box=True)
    assert board.recogniser.targets(4) == (1, 3, 7)
    assert board.recogniser.targets(5) == ()
    assert board.recogniser.arrives()
    assert not Board().recogniser.arrives()
    board.lift(4)
    assert board.recogniser.lifted == 4


def test_a_move_by_both_players_at_once() -> None:
    board = Board()
    board.move(0, 1, rest=3)
    board.move(8, 7)
    assert board.hear() == [("move", ("01",)), ("move", ("87",))]


def test_a_game_of_many_moves_is_followed() -> None:
    board = Board()
    for origin, target in ((0, 1), (8, 7), (1, 2), (7, 4), (6, 3), (3, 4)):
        board.move(origin, target)
        assert board.hear() == [("move", (f"{origin}{target}",))]
    assert board.recogniser.standing() == tuple(board.towers) == (0, 0, 3, 0, 5, 1, 0, 0, 0)
    for origin, target, pieces in ((4, 3, 2), (3, 6, 1)):
        board.move(origin, target, pieces)
    assert board.hear() == [("takeback", ("34",)), ("takeback", ("63",))]


def test_a_move_on_another_view_of_the_position() -> None:
    board = Board()
    board.recogniser.see_as(ToyNode(START, 5))
    board.move(0, 1)
    assert board.hear() == [("move", ("01",))]
    assert board.recogniser.history.node.ply == 6


# ---------------------------------------------------------------- mistakes


def test_a_mistake_is_named_with_the_games_reason_and_forgotten_when_put_right() -> None:
    board = Board()
    board.move(0, 4)
    assert board.hear() == [("illegal", (0, 4))]
    assert board.reason == "far"
    assert not board.recogniser.agrees()
    board.move(4, 0, 1)
    assert board.hear() == [("restored", ())]
    assert board.recogniser.agrees()


def test_a_mistake_may_be_put_right_by_a_move() -> None:
    board = Board()
    board.move(0, 4)
    board.move(4, 1, 1)
    assert board.hear() == [("illegal", (0, 4)), ("move", ("01",))]


def test_a_second_mistake_is_another_thing_to_put_right() -> None:
    board = Board()
    board.move(0, 4)
    board.move(2, 4)
    assert board.hear() == [("illegal", (0, 4)), ("mismatch", ())]
    board.move(4, 2, 1)
    board.move(4, 0, 1)
    assert board.hear()[-1] == ("restored", ())
    assert board.recogniser.agrees()


def test_part_of_a_tower_is_named_as_such() -> None:
    board = Board(TOWERS)
    board.move(7, 4, 1)
    assert board.hear() == [("illegal", (7, 4))]
    assert board.reason == ("split_tower", 7)
    board.move(4, 7, 1)
    assert board.hear() == [("restored", ())]


def test_a_piece_from_nowhere_is_one_too_many() -> None:
    board = Board(changed(START, {5: 0}))
    board.put(5, 1)
    board.rest()
    assert board.hear() == [("illegal", (5,))]
    assert board.reason == ("extra_piece", 5)
    board.lift(5)
    board.rest()
    assert board.hear() == [("restored", ())]


def test_in_a_game_with_a_box_pieces_come_and_go() -> None:
    board = Board(changed(START, {5: 0, 2: 0}), has_box=True)
    board.put(5, 1)
    board.rest()
    board.put(2, 1)
    board.rest()
    assert board.hear() == [("move", ("+5",)), ("move", ("+2",))]
    board.lift(2)
    board.rest(20)
    assert board.hear() == [], "it may come back"
    board.rest()
    assert board.hear() == [("takeback", ("+2",))]


# ---------------------------------------------------------------- silence


def test_a_piece_put_back_a_little_aside_is_taken_as_it_stands() -> None:
    board = Board(TOWERS)
    board.lift(4)
    board.put(4, 1)
    board.show(aside_mt={4: 0.9}, frames=REST)
    assert board.hear() == []
    expected = board.recogniser.belief.expected(4)
    assert expected == pytest.approx(model().scene(TOWERS)[4] + 0.9, abs=0.1)


def test_a_nudged_piece_is_soon_taken_as_it_stands_a_nudged_tower_later() -> None:
    board = Board(TOWERS)
    expected = board.recogniser.belief.expected
    before = {k: expected(k) for k in (0, 7)}
    board.show(aside_mt={0: 0.7, 7: 0.7}, frames=40)
    assert expected(0) == pytest.approx(before[0] + 0.7, abs=0.05)
    assert expected(7) == pytest.approx(before[7], abs=0.05)
    board.show(aside_mt={0: 0.7, 7: 0.7}, frames=120)
    assert expected(7) == pytest.approx(before[7] + 0.7, abs=0.05)
    assert board.hear() == []


def test_slow_drift_is_no_event() -> None:
    board = Board(TOWERS)
    for _ in range(600):
        for k in range(COUNT):
            board.drift_mt[k] += 0.002 * (-1) ** k
        board.show()
    assert board.hear() == []
    board.move(0, 1)
    assert board.hear() == [("move", ("01",))]


# ---------------------------------------------------------------- knocked over


def test_a_board_that_is_knocked_over_is_found_again_by_its_occupancy() -> None:
    board = Board()
    board.show(dict.fromkeys((0, 2, 4, 6, 8), 0), frames=40)
    assert board.hear() == [], "hands may still be at it"
    board.rest(60)
    assert board.hear() == [("mismatch", (0, 2, 4, 6, 8))]
    assert board.recogniser.lost
    assert not board.recogniser.agrees()
    board.show({0: 1, 2: 1}, frames=20)
    assert board.hear()[-1] == ("mismatch", (4, 6, 8))
    board.show({4: 1, 6: 1, 8: 1}, frames=10)
    assert board.hear() == [("mismatch", ())]
    assert board.recogniser.lost, "it has to rest first"
    board.rest(60)
    assert board.hear() == [("restored", ())]
    assert not board.recogniser.lost
    board.move(0, 1)
    assert board.hear() == [("move", ("01",))]


def test_a_person_may_vouch_for_what_stands() -> None:
    board = Board()
    assert not board.recogniser.trust(), "nothing was open"
    board.show(dict.fromkeys((0, 2, 4, 6, 8), 0), frames=100)
    assert board.recogniser.lost
    board.show(dict.fromkeys((0, 2, 4, 6, 8), 1), frames=10)
    assert board.recogniser.trust()
    assert (board.recogniser.lost, board.recogniser.agrees()) == (False, True)
    board.hear()
    board.move(0, 1)
    assert board.hear() == [("move", ("01",))]


def test_a_person_may_vouch_for_a_mistake_that_is_none() -> None:
    board = Board()
    board.move(0, 4)
    board.show({0: 1, 4: 1})
    assert board.recogniser.trust()
    board.rest()
    board.hear()
    board.move(4, 1)
    assert board.hear() == [("move", ("41",))]


# ---------------------------------------------------------------- commands


def test_another_position_is_agreed_by_word_and_the_board_put_right() -> None:
    board = Board()
    board.move(0, 1)
    board.move(8, 7)
    board.hear()
    board.recogniser.reset(ToyNode(START), iter(["01"]))
    assert not board.recogniser.agrees()
    board.rest()
    assert board.hear() == []
    board.move(7, 8, 1)
    assert board.hear() == [("restored", ())]
    assert board.recogniser.agrees()


def test_a_position_agreed_while_the_board_is_lost_is_compared_anew() -> None:
    board = Board()
    board.show(dict.fromkeys((0, 2, 4, 6, 8), 0), frames=100)
    assert board.hear() == [("mismatch", (0, 2, 4, 6, 8))]
    board.recogniser.reset(ToyNode(START))
    board.rest(1)
    assert board.hear() == [("mismatch", (0, 2, 4, 6, 8))], "it is said again"


def test_an_answer_must_be_a_legal_move() -> None:
    board = Board()
    with pytest.raises(KeyError):
        board.recogniser.answer("08", 5000)
    assert board.recogniser.answer("01", 5000) == [Seen(5000, "move", ("01",))]
    assert board.recogniser.standing() == tuple(changed(START, {0: 0, 1: 2}))


# ---------------------------------------------------------------- questions


def test_where_the_board_cannot_tell_it_asks_once() -> None:
    board = Board()
    asked = [board.recogniser._ask(keys) for keys in ((), ("41", "47"), ("41", "47"), ("41", "43", "47"))]
    assert [[(s.kind, s.keys) for s in seen] for seen in asked] == [
        [],
        [("ask", ("41", "47"))],
        [],
        [("ask", ("41", "43", "47"))],
    ]
    board.rest(1)
    assert board.recogniser.asked == (), "all is as it was"


def test_the_tower_on_the_right_place_is_tapped_to_answer() -> None:
    board = Board()
    board.recogniser.asked = ("41", "47")
    board.towers = changed(START, {4: 0, 7: 2})
    board.recogniser._now_ms = board.readings.t_ms
    held = board.lift(7)
    assert "move" not in [s.kind for s in board.seen]
    board.put(7, held.pieces)
    board.show(frames=1)
    assert [s.keys for s in board.seen if s.kind == "move"] == [("47",)]
    assert board.recogniser.asked == ()

"""The storyteller: every story worth weighing for what the board shows now.

It proposes hands' doings, legal or not, from the places that stirred; the judge weighs them. The
order of stories is fixed, so that equal costs fall the same way every time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from controller.core.belief import Belief
from controller.core.options import Option, Rules
from controller.core.stories import History, Step, Story, ends
from controller.core.survey import Survey

_MOST_LIFTED = 3
"""With more towers gone at once it is no move any more."""
_MOST_TOUCHED = 6
"""Of the touched places only those that changed the most take part: the others are neighbours."""
_NEW_POSITIONS = 2
"""Positions after possible moves that are opened in a frame; the rest wait for the next."""
_LONGEST_LINE = 3


class Storyteller:
    """Tells stories about one belief and one history."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._opened: dict[tuple[str, ...], tuple[Sequence[int], Sequence[Option]]] = {}
        self._opened_from: object = None
        self._budget = 0
        self._anywhere: tuple[int, ...] = ()
        self.complete = True
        """Whether all moves in a row were told; if not, more will be told in the next frame."""

    def tell(
        self, seen: Survey, belief: Belief, history: History, *, at_rest: bool, wide: bool = False
    ) -> Iterator[Story]:
        """All stories for this survey; those of several moves in a row only when the board is at rest.

        `wide` stories of whole towers end on any place, also where the own reading hardly changed.
        """
        seen = self._narrowed(seen, belief, history)
        self._anywhere = tuple(k for k, h in enumerate(belief.heights) if h) if wide else ()
        if len(seen.emptied) > _MOST_LIFTED:
            return
        if len(seen.emptied) > 1 and at_rest and tuple(belief.heights) == history.heights:
            yield from self._moves_in_a_row(seen, history)
        if not seen.emptied:
            yield Story({})
            yield from self._partial(seen, belief)
            yield from self._arrivals(seen)
            for k in seen.blind:
                yield from self._whole(k, seen, belief, history)
        elif len(seen.emptied) == 1:
            yield from self._whole(seen.emptied[0], seen, belief, history)
            if seen.filled or tuple(belief.heights) != history.heights:
                yield from self._put_right_then_lift(seen, belief)
        elif len(seen.emptied) == 2:
            yield Story(dict.fromkeys(seen.emptied, 0), hand=seen.emptied[1])
            yield from self._two(seen, belief, history)

    def _narrowed(self, seen: Survey, belief: Belief, history: History) -> Survey:
        """The survey with the few places that matter: the most changed, and those still to be put right."""
        most = sorted(seen.touched, key=lambda k: -abs(belief.off[k]))[:_MOST_TOUCHED]
        wrong = [
            k
            for k, (h, agreed) in enumerate(zip(belief.heights, history.heights, strict=True))
            if h > agreed and k not in seen.emptied and k not in seen.blind
        ]
        return Survey(seen.emptied, seen.filled, tuple(dict.fromkeys([*most, *wrong])), seen.blind)

    def _whole(self, origin: int, seen: Survey, belief: Belief, history: History) -> Iterator[Story]:
        """The tower on `origin` in a hand, or set down somewhere."""
        yield Story({origin: 0}, hand=origin)
        pieces = belief.heights[origin]
        yield Story({origin: 0}, (Step(origin, None, pieces),))
        legal = history.targets.get(origin, ())
        targets = dict.fromkeys([*legal, *seen.filled, *seen.touched, *seen.blind, *self._anywhere])
        for target in targets:
            height = belief.heights[target] + pieces
            if target != origin and height < len(belief.model.own):
                yield Story({origin: 0, target: height}, (Step(origin, target, pieces),))

    def _partial(self, seen: Survey, belief: Belief) -> Iterator[Story]:
        """The upper part of a tower in a hand, or set down somewhere."""
        heights = belief.heights
        targets = dict.fromkeys([*seen.filled, *seen.touched, *seen.blind])
        for origin in [*seen.touched, *seen.blind]:
            for pieces in range(1, heights[origin]):
                left = heights[origin] - pieces
                yield Story({origin: left}, (Step(origin, None, pieces),))
                for target in targets:
                    height = heights[target] + pieces
                    if target != origin and height < len(belief.model.own):
                        yield Story({origin: left, target: height}, (Step(origin, target, pieces),))

    def _put_right_then_lift(self, seen: Survey, belief: Belief) -> Iterator[Story]:
        """Part of a tower went back to its place, and the next tower is already in a hand."""
        hand = seen.emptied[0]
        for story in self._partial(seen, belief):
            if story.landed and hand not in story.after:
                yield Story(story.after | {hand: 0}, story.steps, hand)

    def _arrivals(self, seen: Survey) -> Iterator[Story]:
        """A piece from beside the board."""
        if len(seen.filled) == 1:
            yield Story({seen.filled[0]: 1}, (Step(None, seen.filled[0], 1),))

    def _two(self, seen: Survey, belief: Belief, history: History) -> Iterator[Story]:
        """Two towers gone: one set down, one in a hand."""
        for hand, origin in (seen.emptied, seen.emptied[::-1]):
            for story in self._whole(origin, seen, belief, history):
                if story.landed and hand not in story.after:
                    yield Story(story.after | {hand: 0}, story.steps, hand)
            pieces = belief.heights[origin]
            if hand in history.targets.get(origin, ()) and belief.heights[hand] + pieces < len(
                belief.model.own
            ):
                # the tower just built is what the other player lifts
                yield Story({origin: 0, hand: 0}, (Step(origin, hand, pieces),), hand)

    def _moves_in_a_row(self, seen: Survey, history: History) -> Iterator[Story]:
        """As many legal moves in a row as towers are gone: quick replies, or a blind spell."""
        stirred = {*seen.touched, *seen.filled, *seen.blind}
        self._budget = _NEW_POSITIONS
        self.complete = True
        yield from self._continue(seen, history, _Line((), (), {}), set(seen.emptied), stirred)

    def _continue(
        self, seen: Survey, history: History, line: _Line, left: set[int], stirred: set[int]
    ) -> Iterator[Story]:
        heights, options = self._open(history, line.keys)
        for option in _leading(options, heights, left, stirred):
            longer = line.and_then(option, heights)
            rest = left - {longer.steps[-1].origin}
            if not rest:
                if all(longer.after.get(k) == 0 for k in seen.emptied):
                    yield Story(longer.after, longer.steps, keys=longer.keys)
            elif len(longer.keys) < _LONGEST_LINE:
                yield from self._continue(seen, history, longer, rest, stirred)

    def _open(self, history: History, keys: tuple[str, ...]) -> tuple[Sequence[int], Sequence[Option]]:
        """The towers and options after these moves; empty when too many positions are new in this frame."""
        if not keys:
            return history.heights, history.options
        if self._opened_from != history.node:
            self._opened, self._opened_from = {}, history.node
        if keys not in self._opened:
            if not self._budget:
                self.complete = False
                return (), ()
            self._budget -= 1
            node = history.node
            for key in keys:
                node = self._rules.play(node, key)
            self._opened[keys] = (self._rules.heights(node), self._rules.options(node))
        return self._opened[keys]


@dataclass(frozen=True, slots=True)
class _Line:
    """Moves in a row: their texts, their steps, and what they leave behind."""

    keys: tuple[str, ...]
    steps: tuple[Step, ...]
    after: dict[int, int]

    def and_then(self, option: Option, heights: Sequence[int]) -> _Line:
        """One move more, made where these towers stand."""
        step = _step(option, heights)
        return _Line((*self.keys, option.key), (*self.steps, step), self.after | dict(option.after))


def _leading(
    options: Sequence[Option], heights: Sequence[int], origins: set[int], stirred: set[int]
) -> Iterator[Option]:
    """The options from one of `origins` to a place where something happened."""
    for option in options:
        origin, target = ends(option, heights)
        if origin in origins and (target in stirred or target in origins or target is None):
            yield option


def _step(option: Option, heights: Sequence[int]) -> Step:
    origin, target = ends(option, heights)
    return Step(origin, target, heights[origin] if origin is not None else 1)

"""The recogniser: from frames of a field board to moves, take-backs and mistakes.

It knows no game (see `options.Rules`). At every frame it asks which places are emptied, filled or
touched, lets `stories` say what may have happened, lets `Belief` weigh each story against all
sensors around, and commits to one when it is clearly ahead, the board is at rest where it matters,
and the piece is not merely held close above its place. Time is the frames' own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from controller.core.belief import Belief
from controller.core.calibration import Calibration
from controller.core.fieldmodel import FieldModel
from controller.core.held import Hover
from controller.core.options import Option, Rules
from controller.core.places import Places
from controller.core.stories import History, Label, Meaning, Step, Story, ends


@dataclass(frozen=True, slots=True)
class Tuning:
    """When to believe what. Times in ms, leads in minus two log-likelihoods."""

    settle_ms: int = 150
    settle_illegal_ms: int = 260
    settle_home_ms: int = 240
    least_rest_ms: int = 35
    patience_ms: int = 700
    """After so long at rest, a story ahead by less will do."""
    ask_ms: int = 1500
    lost_ms: int = 1200
    lead: float = 20.0
    least_lead: float = 8.0
    illegal_cost: float = 8.0
    split_cost: float = 14.0
    misfit: float = 5.0
    order_cost: float = 30.0
    milestone_lead: float = 12.0
    milestone_frames: int = 3
    milestone_ms: int = 190
    low_hover: tuple[tuple[int, float], ...] = ((150, 2.0), (230, -7.0), (600, -10.0))
    """How much worse a hover close above must fit than standing, by time at rest: interpolated."""
    high_hover: tuple[tuple[int, float], ...] = ((150, 6.0), (500, 2.0), (900, -8.0))
    """The same for a hover at a height at which hands carry and wait."""
    low_mm: float = 6.0


@dataclass(frozen=True, slots=True)
class Seen:
    """Something the recogniser saw. `kind` as in the trace format, places by number."""

    t_ms: int
    kind: str
    keys: tuple[str, ...] = ()
    reason: Any = None
    places: tuple[int, ...] = ()
    extra: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Milestone:
    """What seems to stand, and how sure that is."""

    story: Story
    label: Label
    landed: tuple[Step, ...]
    lead: float
    rest_ms: int
    hover: Hover


def interpolate(points: Sequence[tuple[int, float]], at: float) -> float:
    """The piecewise linear function through `points`, level beyond its ends."""
    for (x0, y0), (x1, y1) in pairwise(points):
        if at <= x1:
            return y0 if at <= x0 else y0 + (y1 - y0) * (at - x0) / (x1 - x0)
    return points[-1][1]


_LIFTED = 0.7
"""A place that reads less than this share of what stood there has been lifted."""
_FILLED = 0.3
"""An empty place that reads more than this share of a single piece holds one, or nearly so."""
_TOUCHED_MT = 0.1
_START_FRAMES = 5


class Recogniser:
    """Follows one board. Feed it frames; it answers with what it saw."""

    def __init__(
        self,
        rules: Rules,
        model: FieldModel,
        calibration: Calibration,
        start: Any,
        keys: Iterable[str] = (),
        tuning: Tuning | None = None,
    ) -> None:
        self.rules = rules
        self.model = model
        self.tuning = tuning or Tuning()
        self.history = History.replay(rules, start, keys)
        single_mt = model.single_mt
        self._gain = [single / single_mt for single in calibration.single_mt]
        self._zero = calibration.zero_mt
        noise = [max(calibration.noise_mt, 0.012) / abs(gain) for gain in self._gain]
        self.places = Places(len(self._zero), noise)
        self.belief = Belief(model, self.places, self.history.heights)
        self.ready = False
        self.lost = False
        self.lifted: int | None = None
        self.asking: tuple[str, ...] = ()
        self._frames = 0
        self._lift_frames: dict[int, int] = {}
        self._lift_ms: dict[int, int] = {}
        self._milestone: _Milestone | None = None
        self._now_ms = 0
        self._refused = False
        self._mismatch: tuple[tuple[int, ...], tuple[int, ...]] | None = ((), ())

    # ------------------------------------------------------------------ commands

    def reset(self, start: Any, keys: Iterable[str] = ()) -> None:
        """Agree on another position; the board is compared with it from now on."""
        self.history = History.replay(self.rules, start, keys)
        self.asking = ()
        self._milestone = None
        self._refused = True
        if not self.ready or self.lost:
            self._mismatch = None

    def set_up(self) -> None:
        """Wait until the board shows the agreed position, place by place, before anything else."""
        self.ready = False
        self.lost = False
        self.lifted = None
        self._mismatch = None

    def see_as(self, node: Any) -> None:
        """Take another node for the same position: other moves may be possible there."""
        self.history.set_node(node)

    def trust(self) -> bool:
        """Believe that the agreed position stands, on a person's word; False where nothing was open."""
        if self.ready and self.agrees() and not self.lost:
            return False
        self._adopt(self.history.heights)
        self.ready, self.lost, self._refused = True, False, False
        return True

    def answer(self, key: str, t_ms: int) -> list[Seen]:
        """Take the players' word for which move was made.

        Raises: KeyError if `key` is no legal move here.
        """
        option = next((o for o in self.history.options if o.key == key), None)
        if option is None:
            raise KeyError(key)
        self.belief.settle(dict(option.after))
        self.asking = ()
        self.history.push(key)
        return [Seen(t_ms, "move", (key,))]

    # ------------------------------------------------------------------ what is known

    def agrees(self) -> bool:
        """Whether the towers believed to stand are those of the agreed position."""
        return not self.lost and tuple(self.belief.heights) == self.history.heights

    def standing(self) -> tuple[int, ...]:
        """How many pieces are believed to stand on each place."""
        return tuple(self.belief.heights)

    def targets(self, origin: int) -> tuple[int, ...]:
        """Where the piece on this place may go."""
        return tuple(self.history.targets.get(origin, ()))

    def arrives(self) -> bool:
        """Whether a legal move brings a piece from beside the board."""
        return self.history.arrives

    # ------------------------------------------------------------------ frames

    def feed(self, t_ms: int, values: Sequence[float | None]) -> list[Seen]:
        """Take in one frame of raw values in mT and say what it settled."""
        self._now_ms = t_ms
        nominal = [
            None if v is None else (v - z) / g for v, z, g in zip(values, self._zero, self._gain, strict=True)
        ]
        self.places.feed(t_ms, nominal)
        if not self.ready:
            return self._start()
        if self.lost:
            return self._find()
        return self._follow()

    def _start(self) -> list[Seen]:
        """Wait until the board shows the agreed position, then take it as it stands."""
        self._frames += 1
        if self._frames < _START_FRAMES:
            return []
        missing, extra = self._occupancy_faults()
        if not missing and not extra:
            self._adopt(self.history.heights)
            self.ready = True
        return self._report_mismatch(missing, extra)

    def _adopt(self, heights: Sequence[int]) -> None:
        self.belief = Belief(self.model, self.places, heights)
        self.belief.look(self.places.window(range(self.places.count)))
        for k in range(self.places.count):
            self.belief.reseat(k)

    def _occupancy_faults(self) -> tuple[list[int], list[int]]:
        missing, extra = [], []
        half = 0.5 * self.model.single_mt
        for k, h in enumerate(self.history.heights):
            if self.places.usable[k]:
                stands = self.places.mean[k] > half
                if h and not stands:
                    missing.append(k)
                elif stands and not h:
                    extra.append(k)
        return missing, extra

    def _report_mismatch(self, missing: Sequence[int], extra: Sequence[int]) -> list[Seen]:
        found = (tuple(missing), tuple(extra))
        if found == self._mismatch:
            return []
        self._mismatch = found
        return [Seen(self._now_ms, "mismatch", places=found[0], extra=found[1])]

    def _find(self) -> list[Seen]:
        """After a knocked board: wait until the occupancy is that of the agreed position again."""
        missing, extra = self._occupancy_faults()
        seen = self._report_mismatch(missing, extra)
        if not missing and not extra and self._rest_ms(range(self.places.count)) >= self.tuning.patience_ms:
            self.lost = False
            self._refused = False
            self._adopt(self.history.heights)
            seen.append(Seen(self._now_ms, "restored"))
        return seen

    def _follow(self) -> list[Seen]:
        emptied, filled, touched = self._survey()
        seen = self._watch_lifts(emptied)
        if not (emptied or filled or touched) and self.agrees():
            self._milestone = None
            self._rest_quietly()
            return seen
        if self._milestone is not None and any(self._lift_frames[k] == 1 for k in emptied):
            return seen + self._keep_milestone(self._milestone)
        self.belief.look(self.places.window([*emptied, *filled, *touched]))
        ranked = self._rank(self._stories(emptied, filled, touched))
        seen += self._decide(ranked, emptied, filled, touched)
        return seen

    def _keep_milestone(self, milestone: _Milestone) -> list[Seen]:
        """Another lift: what stood at rest just before it is taken as done."""
        self._milestone = None
        if any(step.target in self._lift_ms for step in milestone.landed):
            return []
        return self._commit(milestone.story, milestone.label, milestone.landed)

    def _survey(self) -> tuple[list[int], list[int], list[int]]:
        """The places that are lifted, filled, or read otherwise than they should."""
        emptied, filled, touched = [], [], []
        belief, places = self.belief, self.places
        least = _FILLED * self.model.single_mt
        for k, value in enumerate(places.value):
            if value is None or not places.usable[k]:
                continue
            expected = belief.scene[k] + belief.offset[k]
            if belief.heights[k]:
                if value < _LIFTED * expected:
                    emptied.append(k)
                elif abs(places.mean[k] - expected) > _TOUCHED_MT + 4.0 * places.noise[k] / (
                    places.length[k] or 1
                ):
                    touched.append(k)
            elif value > least:
                filled.append(k)
        return emptied, filled, touched

    def _watch_lifts(self, emptied: Sequence[int]) -> list[Seen]:
        """The provisional lift: two agreeing frames are enough to light destinations."""
        counts = {k: self._lift_frames.get(k, 0) + 1 for k in emptied}
        self._lift_frames = counts
        self._lift_ms = {k: self._lift_ms.get(k, self._now_ms) for k in emptied}
        up = [k for k, n in counts.items() if n >= 2]
        lifted = self.lifted if self.lifted in up else (up[0] if up else None)
        if lifted == self.lifted or (lifted is None and self.lifted in counts):
            return []
        self.lifted = lifted
        return [Seen(self._now_ms, "lift", places=() if lifted is None else (lifted,))]

    def _rest_quietly(self) -> None:
        places, expected = self.places, self.belief.expected
        self.belief.follow(
            k
            for k in range(places.count)
            if places.usable[k] and places.length[k] >= 4 and abs(places.mean[k] - expected(k)) < _TOUCHED_MT
        )

    # ------------------------------------------------------------------ stories

    def _stories(self, emptied: list[int], filled: list[int], touched: list[int]) -> Iterator[Story]:
        heights, agreed = self.belief.heights, self.history.heights
        blind = [k for k, h in enumerate(heights) if h and not self.places.usable[k]]
        touched = touched + [
            k
            for k, h in enumerate(heights)
            if h > agreed[k] and k not in touched and k not in emptied and k not in blind
        ]
        if len(emptied) > 3:
            return
        if not emptied:
            yield Story({})
            yield from self._partial(filled, touched, blind)
            yield from self._arrivals(filled)
            for k in blind:
                yield from self._whole(k, filled, touched, blind)
        elif len(emptied) == 1:
            yield from self._whole(emptied[0], filled, touched, blind)
            if filled or not self.agrees():
                yield from self._put_right_then_lift(emptied[0], filled, touched, blind)
        elif len(emptied) == 2:
            yield Story(dict.fromkeys(emptied, 0), hand=emptied[1])
            yield from self._two(emptied, filled, touched, blind)

    def _whole(self, origin: int, filled: list[int], touched: list[int], blind: list[int]) -> Iterator[Story]:
        """The tower on `origin` in a hand, or set down somewhere."""
        yield Story({origin: 0}, hand=origin)
        pieces = self.belief.heights[origin]
        targets = dict.fromkeys([*self.history.targets.get(origin, ()), *filled, *touched, *blind])
        for target in targets:
            if target != origin:
                height = self.belief.heights[target] + pieces
                if height < len(self.model.own):
                    yield Story({origin: 0, target: height}, (Step(origin, target, pieces),))

    def _partial(self, filled: list[int], touched: list[int], blind: list[int]) -> Iterator[Story]:
        """The upper part of a tower in a hand, or set down somewhere."""
        heights = self.belief.heights
        for origin in [*touched, *blind]:
            for pieces in range(1, heights[origin]):
                left = heights[origin] - pieces
                yield Story({origin: left}, hand=None, steps=(Step(origin, None, pieces),))
                for target in dict.fromkeys([*filled, *touched, *blind]):
                    height = heights[target] + pieces
                    if target != origin and height < len(self.model.own):
                        yield Story({origin: left, target: height}, (Step(origin, target, pieces),))

    def _put_right_then_lift(
        self, hand: int, filled: list[int], touched: list[int], blind: list[int]
    ) -> Iterator[Story]:
        """Part of a tower went back to its place, and the next tower is already in a hand."""
        for story in self._partial(filled, touched, blind):
            if story.steps[-1].target is not None and hand not in story.after:
                yield Story(story.after | {hand: 0}, story.steps, hand)

    def _arrivals(self, filled: list[int]) -> Iterator[Story]:
        """A piece from beside the board."""
        if len(filled) == 1:
            yield Story({filled[0]: 1}, (Step(None, filled[0], 1),))

    def _two(
        self, emptied: list[int], filled: list[int], touched: list[int], blind: list[int]
    ) -> Iterator[Story]:
        """Two towers gone: one set down and one in a hand, or two legal moves in a row."""
        for hand, origin in (emptied, emptied[::-1]):
            for story in self._whole(origin, filled, touched, blind):
                if story.steps and hand not in story.after:
                    yield Story(story.after | {hand: 0}, story.steps, hand)
            onto_hand = self.belief.heights[origin] + self.belief.heights[hand]
            if hand in self.history.targets.get(origin, ()) and onto_hand < len(self.model.own):
                # the tower just built is what the other player lifts
                yield Story({origin: 0, hand: 0}, (Step(origin, hand, self.belief.heights[origin]),), hand)
        if self.agrees():
            yield from self._replies(set(emptied), set(touched) | set(filled) | set(blind))

    def _replies(self, emptied: set[int], stirred: set[int]) -> Iterator[Story]:
        history, rules = self.history, self.rules
        for first in self._from(history.options, history.heights, emptied, stirred):
            node = rules.play(history.node, first.key)
            heights = rules.heights(node)
            left = emptied - {ends(first, history.heights)[0]}
            for second in self._from(rules.options(node), heights, left, stirred):
                after = dict(first.after) | dict(second.after)
                if all(after.get(k) == 0 for k in emptied):
                    yield Story(after, (self._step(first, history.heights), self._step(second, heights)))

    def _from(
        self, options: Sequence[Option], heights: Sequence[int], origins: set[int], stirred: set[int]
    ) -> Iterator[Option]:
        for option in options:
            origin, target = ends(option, tuple(heights))
            if origin in origins and (target in stirred or target in origins or target is None):
                yield option

    @staticmethod
    def _step(option: Option, heights: Sequence[int]) -> Step:
        origin, target = ends(option, tuple(heights))
        return Step(origin, target, heights[origin] if origin is not None else 1)

    # ------------------------------------------------------------------ weighing

    def _rank(self, stories: Iterable[Story]) -> list[tuple[float, Story, Label]]:
        """The stories with their costs, best first; of those that leave the same, only the best."""
        best: dict[tuple[frozenset[tuple[int, int]], int | None], tuple[float, Story, Label]] = {}
        for story in stories:
            label = self._label(story)
            cost = self.belief.cost(story.after) + self._prior(story, label)
            key = (story.placed, story.hand)
            if key not in best or cost < best[key][0]:
                best[key] = (cost, story, label)
        return sorted(best.values(), key=lambda item: item[0])

    def _label(self, story: Story) -> Label:
        """What would stand if the hand's piece were still on its place."""
        heights = list(self.belief.heights)
        for step in story.steps:
            if step.target is None:
                continue
            if step.origin is not None:
                heights[step.origin] -= step.pieces
            heights[step.target] += step.pieces
        label = self.history.label(heights)
        if label.meaning is Meaning.ILLEGAL and len(story.steps) == 2 and story.hand is None:
            keys = self._keys_of(story)
            if keys:
                return Label(Meaning.MOVE, keys)
        return label

    def _keys_of(self, story: Story) -> tuple[str, ...]:
        node, keys = self.history.node, []
        for step in story.steps:
            heights = self.rules.heights(node)
            key = next(
                (o.key for o in self.rules.options(node) if ends(o, heights) == (step.origin, step.target)),
                None,
            )
            if key is None:
                return ()
            keys.append(key)
            node = self.rules.play(node, key)
        return tuple(keys)

    def _prior(self, story: Story, label: Label) -> float:
        if label.meaning is not Meaning.ILLEGAL:
            return 2.0 * max(len(story.steps) - 1, 0) + self._order_cost(story)
        whole = all(s.origin is not None and self.belief.heights[s.origin] == s.pieces for s in story.steps)
        cost = self.tuning.illegal_cost if whole else self.tuning.split_cost
        return cost + self._order_cost(story)

    def _order_cost(self, story: Story) -> float:
        """The price of a story that sets towers down in another order than they were lifted."""
        origins = [s.origin for s in story.steps if s.target is not None and s.origin in self._lift_ms]
        if story.hand is not None:
            origins.append(story.hand)
        times = [self._lift_ms.get(k, self._now_ms) for k in origins if k is not None]
        return self.tuning.order_cost if times != sorted(times) else 0.0

    # ------------------------------------------------------------------ deciding

    def _decide(
        self,
        ranked: list[tuple[float, Story, Label]],
        emptied: list[int],
        filled: list[int],
        touched: list[int],
    ) -> list[Seen]:
        self._milestone = None
        if not ranked:
            return self._perhaps_lost()
        cost, story, label = ranked[0]
        landed = tuple(step for step in story.steps if step.target is not None)
        if not landed:
            return self._perhaps_home(story, ranked, emptied, filled, touched)
        rival = next((c for c, s, _ in ranked[1:] if self._result(s) != self._result(story)), cost + 1000.0)
        rest_ms = self._rest_ms(self._around(landed))
        lead = rival - cost
        if lead < self.tuning.least_lead or (story.hand is None and rest_ms < self.tuning.least_rest_ms):
            return []
        if self.belief.misfit(story.after, self._around(landed)) > self.tuning.misfit:
            return []
        standing = _Milestone(story, label, landed, lead, rest_ms, self._hover(story, landed))
        if self._rested(standing):
            return self._commit(story, label, landed)
        if self._is_milestone(standing):
            self._milestone = standing
        return []

    def _rested(self, standing: _Milestone) -> bool:
        """Whether what seems to stand may be taken as done."""
        tuning, illegal = self.tuning, standing.label.meaning is Meaning.ILLEGAL
        if standing.story.hand is not None:
            return (
                not illegal
                and standing.lead >= tuning.lead
                and self._not_held(standing, tuning.settle_ms)
                and self._lift_frames.get(standing.story.hand, 0) >= 2
            )
        if standing.rest_ms < (tuning.settle_illegal_ms if illegal else tuning.settle_ms):
            return False
        if not self._not_held(standing, standing.rest_ms):
            return False
        return standing.lead >= tuning.lead or (
            standing.rest_ms >= tuning.patience_ms and standing.lead >= tuning.least_lead
        )

    def _not_held(self, standing: _Milestone, rest_ms: int) -> bool:
        """Whether the piece stands, rather than being held where it would read much the same."""
        low = standing.hover.clearance_mm < self.tuning.low_mm
        needed = interpolate(self.tuning.low_hover if low else self.tuning.high_hover, rest_ms)
        return standing.hover.lead >= needed

    def _is_milestone(self, standing: _Milestone) -> bool:
        """Whether it would be taken as done if another tower were lifted next."""
        places = self._around(standing.landed)
        frames = min((self.places.length[k] for k in places if self.places.usable[k]), default=0)
        return (
            standing.story.hand is None
            and standing.label.meaning is not Meaning.ILLEGAL
            and standing.lead >= self.tuning.milestone_lead
            and self._not_held(standing, self.tuning.milestone_ms)
            and frames >= self.tuning.milestone_frames
        )

    def _hover(self, story: Story, landed: tuple[Step, ...]) -> Hover:
        """How much worse it fits that the last piece is in a hand than that it stands where it seems to."""
        pieces, over = landed[-1].pieces, landed[-1].target
        if over is None:
            return Hover(0.0, 0.0)
        rest = dict(story.after)
        if over in rest:
            rest[over] -= pieces
            if rest[over] == self.belief.heights[over]:
                del rest[over]
        return self.belief.hover(rest, pieces, over)

    def _result(self, story: Story) -> frozenset[tuple[int, int]]:
        """What a story leaves on the board, the piece in the hand aside."""
        return story.placed if any(s.target is not None for s in story.steps) else frozenset()

    def _around(self, steps: Iterable[Step]) -> list[int]:
        near: dict[int, None] = {}
        for step in steps:
            if step.target is not None:
                near.update(dict.fromkeys(self.model.ring[step.target]))
        return list(near)

    def _rest_ms(self, places: Iterable[int]) -> int:
        jumped = [self.places.jumped_ms[k] for k in places if self.places.usable[k]]
        return self._now_ms - max(jumped, default=self._now_ms)

    def _commit(self, story: Story, label: Label, landed: tuple[Step, ...]) -> list[Seen]:
        was_agreed = self.agrees()
        after = {k: h for k, h in story.after.items() if k != story.hand}
        if story.hand is not None and any(step.target == story.hand for step in landed):
            # what stood on the lifted place for a moment was the whole new tower
            after[story.hand] = self.belief.heights[story.hand] + landed[-1].pieces
        self.belief.settle(after)
        self.asking = ()
        now = self._now_ms
        if label.meaning is Meaning.AGREED:
            self.history.amendable = False
            return self._restored(now)
        if label.meaning is Meaning.MOVE:
            for key in label.keys:
                self.history.push(key)
            self._refused = False
            return [Seen(now, "move", (key,)) for key in label.keys]
        if label.meaning is Meaning.TAKEBACK:
            self._refused = False
            return [Seen(now, "takeback", (self.history.pop(),)) for _ in range(label.depth)]
        if label.meaning is Meaning.AMEND:
            self.history.pop()
            self.history.push(label.keys[0])
            return [Seen(now, "amend", label.keys)]
        return self._refuse(landed, now, was_agreed=was_agreed)

    def _restored(self, now: int) -> list[Seen]:
        if not self._refused:
            return []
        self._refused = False
        return [Seen(now, "restored")]

    def _refuse(self, landed: tuple[Step, ...], now: int, *, was_agreed: bool) -> list[Seen]:
        self.history.amendable = False
        step = landed[-1]
        self._refused = True
        if not was_agreed:
            return [Seen(now, "mismatch", places=(), extra=())]
        places = tuple(k for k in (step.origin, step.target) if k is not None)
        return [Seen(now, "illegal", reason=self._reason(step), places=places)]

    def _reason(self, step: Step) -> Any:
        if step.origin is None or step.target is None:
            return ("extra_piece", step.target) if step.origin is None else ("missing_piece", step.origin)
        if self.history.heights[step.origin] != step.pieces:
            return ("split_tower", step.origin)
        return self.rules.refusal(self.history.node, step.origin, step.target)

    def _perhaps_home(
        self,
        story: Story,
        ranked: list[tuple[float, Story, Label]],
        emptied: list[int],
        filled: list[int],
        touched: list[int],
    ) -> list[Seen]:
        """Nothing was set down elsewhere. Pieces that were put back or nudged are taken as they stand."""
        if story.after or emptied or filled:
            return []
        rival = next((c for c, s, _ in ranked[1:] if self._result(s)), 1000.0)
        if rival - ranked[0][0] < self.tuning.least_lead:
            return []
        for k in touched:
            if self._rest_ms(self.model.ring[k]) >= self.tuning.settle_home_ms:
                self.belief.reseat(k)
        return []

    def _perhaps_lost(self) -> list[Seen]:
        if self._rest_ms(range(self.places.count)) < self.tuning.lost_ms:
            return []
        self.lost = True
        self._refused = True
        return self._find()

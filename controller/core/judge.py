"""The judge: which story is ahead, by how much, and whether that is enough to act on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from controller.core.belief import Belief
from controller.core.held import Hover
from controller.core.places import Places
from controller.core.stories import History, Label, Meaning, Step, Story
from controller.core.survey import Lifts
from controller.core.tuning import Tuning, interpolate

_UNRIVALLED = 1000.0


@dataclass(frozen=True, slots=True)
class Ranked:
    """A story with its cost and its meaning."""

    cost: float
    story: Story
    label: Label


@dataclass(frozen=True, slots=True)
class Standing:
    """What seems to stand, and how sure that is."""

    story: Story
    label: Label
    lead: float
    rest_ms: int
    hover: Hover


class Judge:
    """Weighs stories about one board."""

    def __init__(self, tuning: Tuning, places: Places, lifts: Lifts) -> None:
        self._tuning = tuning
        self._places = places
        self._lifts = lifts
        self.careful = False
        """Whether hands were seen to rest low over places where they did not set down."""
        self._low_rests: set[int] = set()

    def rank(self, stories: Iterable[Story], belief: Belief, history: History) -> list[Ranked]:
        """The stories with their costs, best first; of those that leave the same, only the best."""
        best: dict[object, Ranked] = {}
        for story in stories:
            label = _label(story, belief, history)
            cost = belief.cost(story.after) + self._prior(story, label, belief)
            key = (story.placed, story.hand)
            if key not in best or cost < best[key].cost:
                best[key] = Ranked(cost, story, label)
        return sorted(best.values(), key=lambda ranked: ranked.cost)

    def _prior(self, story: Story, label: Label, belief: Belief) -> float:
        cost = 0.0
        if label.meaning is not Meaning.ILLEGAL:
            cost = 3.0 * max(len(story.steps) - 1, 0)
        else:
            whole = all(s.origin is not None and belief.heights[s.origin] == s.pieces for s in story.steps)
            cost = self._tuning.illegal_cost if whole else self._tuning.split_cost
        return cost + self._order_cost(story)

    def _order_cost(self, story: Story) -> float:
        """The price of a story that sets towers down in another order than they were lifted."""
        since = self._lifts.since_ms
        origins = [s.origin for s in story.landed if s.origin in since]
        times = [since[k] for k in origins if k is not None]
        if story.hand is not None and story.hand in since:
            times.append(since[story.hand])
        return self._tuning.order_cost if times != sorted(times) else 0.0

    def standing(self, ranked: list[Ranked], belief: Belief, now_ms: int) -> Standing | None:
        """What the best story leaves standing, if it is ahead and fits; None otherwise."""
        first = ranked[0]
        story = first.story
        held = {step.origin for step in story.landed}  # against these in a hand, `_hover` weighs more exactly
        rivals = (
            other.cost
            for other in ranked[1:]
            if other.story.result != story.result and (other.story.result or other.story.hand not in held)
        )
        lead = next(rivals, first.cost + _UNRIVALLED) - first.cost
        around = self.around(story.landed, belief)
        left = [step.origin for step in story.landed if step.origin is not None]
        rest_ms = self.rest_ms([*around, *left], now_ms)
        if lead < self._tuning.least_lead or (story.hand is None and rest_ms < self._tuning.least_rest_ms):
            return None
        fits = belief.misfit(story.after, around) <= self._most_misfit(story, belief)
        if not fits and (self.careful or rest_ms < self._tuning.low_rest_ms):
            return None
        standing = Standing(story, first.label, lead, rest_ms, _hover(story, belief))
        self._note_rest(standing)
        return standing if fits else None

    def question(self, ranked: list[Ranked], belief: Belief, now_ms: int) -> tuple[str, ...]:
        """The legal moves between which the board cannot tell, though it is at rest; empty if it can."""
        best = ranked[0]
        around = self.around(best.story.landed, belief)
        if best.story.hand is not None or self.rest_ms(around, now_ms) < self._tuning.ask_ms:
            return ()
        near = [r for r in ranked if r.cost - best.cost < self._tuning.ask_within and r.story.landed]
        keys = [r.label.keys[0] for r in near if r.label.meaning is Meaning.MOVE and len(r.label.keys) == 1]
        return tuple(sorted(keys)) if len(keys) > 1 and best.label.meaning is Meaning.MOVE else ()

    def _most_misfit(self, story: Story, belief: Belief) -> float:
        target = story.landed[-1].target
        is_tall = target is not None and belief.heights[target] >= self._tuning.tall
        return self._tuning.misfit_tall if is_tall else self._tuning.misfit

    def _note_rest(self, standing: Standing) -> None:
        """Note where a hand rests low: some players carry pieces close above others."""
        tuning, hover = self._tuning, standing.hover
        if (
            standing.story.hand is None
            and standing.rest_ms >= tuning.low_rest_ms
            and hover.lead < tuning.low_rest_lead
            and tuning.least_low_mm < hover.clearance_mm < tuning.low_rest_mm
            and hover.place != standing.story.landed[-1].origin
        ):
            self._low_rests.add(hover.place)

    def learn(self, story: Story) -> None:
        """Take note of where a piece came to stand after its rests on the way."""
        ends = {k for step in story.steps for k in (step.origin, step.target)}
        self.careful = self.careful or bool(self._low_rests - ends)
        self._low_rests.clear()

    def around(self, steps: Iterable[Step], belief: Belief) -> tuple[int, ...]:
        """The places where these steps ended, and those next to them."""
        ring = belief.model.ring
        return tuple(dict.fromkeys(k for step in steps if step.target is not None for k in ring[step.target]))

    def rest_ms(self, places: Iterable[int], now_ms: int) -> int:
        """For how long nothing jumped in any of these places."""
        jumped = [self._places.jumped_ms[k] for k in places if self._places.usable[k]]
        return now_ms - max(jumped, default=now_ms)

    def is_settled(self, standing: Standing) -> bool:
        """Whether what seems to stand may be taken as done."""
        tuning, illegal = self._tuning, standing.label.meaning is Meaning.ILLEGAL
        hand = standing.story.hand
        if hand is not None:
            return (
                not illegal
                and standing.lead >= tuning.lead
                and not self._order_cost(standing.story)
                and self._lifts.is_up(hand)
                and self._stands(standing, standing.rest_ms + tuning.reply_ms)
            )
        if illegal:
            settled = standing.rest_ms >= tuning.settle_illegal_ms
            ahead = standing.lead >= tuning.illegal_lead
        else:
            settled = standing.rest_ms >= tuning.settle_ms
            ahead = standing.lead >= tuning.lead
        ahead = ahead or standing.rest_ms >= tuning.patience_ms
        return settled and ahead and self._stands(standing, standing.rest_ms)

    def is_milestone(self, standing: Standing, belief: Belief) -> bool:
        """Whether it would be taken as done if another tower were lifted next."""
        places = self.around(standing.story.landed, belief)
        frames = min((self._places.length[k] for k in places if self._places.usable[k]), default=0)
        return (
            standing.story.hand is None
            and standing.label.meaning is not Meaning.ILLEGAL
            and standing.lead >= self._tuning.milestone_lead
            and frames >= self._tuning.milestone_frames
            and self._stands(standing, self._replied_ms(standing))
        )

    def _replied_ms(self, standing: Standing) -> int:
        """What the lift of another tower makes of the time at rest, if that was no mere moment."""
        tuning = self._tuning
        return standing.rest_ms + (tuning.reply_ms if standing.rest_ms >= tuning.settle_ms else 0)

    def _stands(self, standing: Standing, rest_ms: int) -> bool:
        """Whether the piece stands, rather than being held where it would read much the same."""
        tuning = self._tuning
        clearance_mm = standing.hover.clearance_mm
        if clearance_mm < tuning.touching_mm:
            curve = tuning.touching
        elif clearance_mm < tuning.low_mm:
            curve = tuning.careful if self.careful else tuning.brisk
        else:
            curve = tuning.high
        return standing.hover.lead >= interpolate(curve, rest_ms)


def _label(story: Story, belief: Belief, history: History) -> Label:
    """What would stand if the piece in the hand were still on its place."""
    if story.keys:
        return Label(Meaning.MOVE, story.keys)
    heights = list(belief.heights)
    for step in story.landed:
        if step.origin is not None:
            heights[step.origin] -= step.pieces
        if step.target is not None:
            heights[step.target] += step.pieces
    return history.label(heights)


def _hover(story: Story, belief: Belief) -> Hover:
    """How a piece in a hand compares with its standing where it seems to; of several the likeliest held."""
    return min((_held(step, story, belief) for step in story.landed), key=lambda hover: hover.lead)


def _held(step: Step, story: Story, belief: Belief) -> Hover:
    """The same for the piece of one step."""
    rest = dict(story.after)
    if step.target is None or rest.get(step.target, 0) < step.pieces:
        return Hover(_UNRIVALLED, 0.0, -1)  # it went on from there
    rest[step.target] -= step.pieces
    if rest[step.target] == belief.heights[step.target]:
        del rest[step.target]
    return belief.hover(rest, step.pieces, step.target)

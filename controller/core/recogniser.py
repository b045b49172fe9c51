"""The recogniser: from frames of a field board to moves, take-backs and mistakes.

It knows no game (see `options.Rules`). At every frame it asks which places are emptied, filled or
touched (`survey`), lets the `storyteller` say what may have happened, lets `Belief` weigh each story
against all sensors around, and commits to one when the `judge` finds it clearly ahead, the board at
rest where it matters, and the piece standing rather than held. Time is the frames' own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from controller.core.belief import Belief
from controller.core.calibration import Calibration
from controller.core.fieldmodel import FieldModel
from controller.core.judge import Judge, Ranked, Standing
from controller.core.options import Rules
from controller.core.places import Places
from controller.core.seen import Seen
from controller.core.stories import History, Label, Meaning, Step, Story, ends
from controller.core.storyteller import Storyteller
from controller.core.survey import TOUCHED_MT, Lifts, Survey, occupancy_faults, survey
from controller.core.tuning import Tuning

_START_FRAMES = 6
_CALM_SHARE = 0.85
"""Before a board is taken as it stands, so large a share of its places must have been calm so long."""
_LEAST_NOISE_MT = 0.012
_REST_FRAMES = 3
"""Stories of two moves are told when nothing jumped for so many frames."""


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
        """A recogniser of the game that began at node `start` and went through `keys`."""
        self.rules = rules
        self.model = model
        self.tuning = tuning or Tuning()
        self.history = History.replay(rules, start, keys)
        self._gain = [single / model.single_mt for single in calibration.single_mt]
        self._zero = calibration.zero_mt
        noise = [max(calibration.noise_mt, _LEAST_NOISE_MT) / abs(gain) for gain in self._gain]
        self.places = Places(len(self._zero), noise)
        self.belief = Belief(model, self.places, self.history.heights)
        self._lifts = Lifts()
        self._storyteller = Storyteller(rules)
        self._judge = Judge(self.tuning, self.places, self._lifts)
        self.ready = False
        self.lost = False
        self._frames = 0
        self._now_ms = 0
        self._refused = False
        self._milestone: Standing | None = None
        self._milestone_ms = 0
        self._returned: set[int] = set()
        self._ahead: tuple[frozenset[tuple[int, int]], int] = (frozenset(), 0)
        self.asked: tuple[str, ...] = ()
        """The moves between which the players are to choose."""
        self._mismatch: tuple[tuple[int, ...], tuple[int, ...]] | None = ((), ())

    # ------------------------------------------------------------------ commands

    def reset(self, start: Any, keys: Iterable[str] = ()) -> None:
        """Agree on another position; the board is compared with it from now on."""
        self.history = self.history.rewritten(start, tuple(keys))
        self._milestone = None
        self.asked = ()
        self._refused = True
        if not self.ready or self.lost:
            self._mismatch = None

    def set_up(self) -> None:
        """Wait until the board shows the agreed position, place by place, before anything else."""
        self.ready = False
        self.lost = False
        self._lifts.watch((), self._now_ms)
        self._mismatch = None
        self.history.at_home()

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
        self.history.push(key)
        self.asked = ()
        return [Seen(t_ms, "move", (key,))]

    # ------------------------------------------------------------------ what is known

    @property
    def lifted(self) -> int | None:
        """The place whose tower is in the air, for the lights."""
        return self._lifts.shown

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
        if not missing and not extra and self._is_calm():
            self._adopt(self.history.heights)
            self.ready = True
        return self._report_mismatch(missing, extra)

    def _calm_places(self) -> list[int]:
        """The places that have not jumped for a few frames; a noisy one never gets there."""
        return [k for k in range(self.places.count) if self.places.length[k] >= _START_FRAMES]

    def _is_calm(self) -> bool:
        usable = sum(self.places.usable)
        return len(self._calm_places()) >= _CALM_SHARE * usable

    def _occupancy_faults(self) -> tuple[list[int], list[int]]:
        return occupancy_faults(self.history.heights, self.places, 0.5 * self.model.single_mt)

    def _adopt(self, heights: Sequence[int]) -> None:
        """Believe in these towers; every place's offset is read off afresh."""
        self.belief = Belief(self.model, self.places, heights)
        self.belief.look(self.places.window(self._calm_places()))
        for k in range(self.places.count):
            self.belief.reseat(k)

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
        now = survey(self.belief, self.places)
        seen = []
        tapped = self._tapped(now)
        if tapped is not None:
            self._lifts.watch(now.emptied, self._now_ms)
            return self.answer(tapped, self._now_ms)
        self._returned = {k for k in {*self._returned, *now.emptied} if k in now.emptied or k in now.touched}
        if self._lifts.watch(now.emptied, self._now_ms):
            shown = self._lifts.shown
            seen.append(Seen(self._now_ms, "lift", places=() if shown is None else (shown,)))
        if not self.agrees() and self._is_restored():
            return seen + self._restore()
        if now.quiet and self.agrees():
            self._milestone = None
            self.asked = ()
            self.history.undone = 0
            self._rest_quietly()
            return seen
        if self._milestone is not None and self._lifts.replied:
            kept = self._keep(self._milestone)
            if kept:
                return seen + kept
        frames = self.places.window(now.stirred)
        self.belief.look(frames)
        wide = frames >= self.tuning.wide_frames and self.places.frames % self.tuning.wide_every == 0
        stories = self._storyteller.tell(
            now, self.belief, self.history, at_rest=frames >= _REST_FRAMES, wide=wide and len(now.emptied) < 2
        )
        ranked = self._judge.rank(stories, self.belief, self.history)
        return seen + self._decide(ranked, now)

    def _tapped(self, now: Survey) -> str | None:
        """The answer that was given by lifting the tower on one candidate place and setting it down."""
        down = {k for k in self._lifts.frames if k not in now.emptied and self._lifts.is_up(k)}
        for option in self.history.options:
            if option.key in self.asked and ends(option, self.history.heights)[1] in down:
                return option.key
        return None

    def _is_restored(self) -> bool:
        """Whether every place is as full as agreed, though it was believed not to be, and all is at rest."""
        if any(self._occupancy_faults()):
            return False
        as_believed = all(
            bool(a) == bool(b) for a, b in zip(self.belief.heights, self.history.heights, strict=True)
        )
        return not as_believed and self._rest_ms(range(self.places.count)) >= self.tuning.patience_ms

    def _restore(self) -> list[Seen]:
        self._adopt(self.history.heights)
        self.history.at_home()
        return self._restored()

    def _rest_quietly(self) -> None:
        places, expected = self.places, self.belief.expected
        self.belief.follow(
            k
            for k in range(places.count)
            if places.usable[k] and places.length[k] >= 4 and abs(places.mean[k] - expected(k)) < TOUCHED_MT
        )

    def _rest_ms(self, places: Iterable[int]) -> int:
        return self._judge.rest_ms(places, self._now_ms)

    # ------------------------------------------------------------------ deciding

    def _keep(self, milestone: Standing) -> list[Seen]:
        """Another lift: what stood at rest just before it is taken as done."""
        self._milestone = None
        late = self._now_ms - self._milestone_ms > self.tuning.milestone_kept_ms
        if late or any(step.target in self._lifts.frames for step in milestone.story.landed):
            return []
        return self._commit(milestone.story, milestone.label)

    def _decide(self, ranked: list[Ranked], now: Survey) -> list[Seen]:
        if not ranked:
            return self._perhaps_lost()
        if not ranked[0].story.landed:
            return self._perhaps_gone(ranked[0].story) or self._perhaps_home(ranked, now)
        standing = self._judge.standing(ranked, self.belief, self._now_ms)
        if standing is None:
            self._ahead = (frozenset(), self._now_ms)
            return self._ask(self._judge.question(ranked, self.belief, self._now_ms))
        if standing.story.keys and not self._storyteller.complete:
            return []
        if standing.story.hand is not None and self._ahead_ms(standing.story) < self.tuning.settle_ms:
            return []
        if self._judge.is_settled(standing):
            return self._commit(standing.story, standing.label)
        if self._judge.is_milestone(standing, self.belief):
            self._milestone, self._milestone_ms = standing, self._now_ms
        return []

    def _ahead_ms(self, story: Story) -> int:
        """For how long this story's result has been the best without a break."""
        result, since_ms = self._ahead
        if story.result != result:
            self._ahead = (story.result, self._now_ms)
            return 0
        return self._now_ms - since_ms

    def _ask(self, keys: tuple[str, ...]) -> list[Seen]:
        """Ask once; the same question again only if it has changed."""
        if not keys or keys == self.asked:
            return []
        self.asked = keys
        return [Seen(self._now_ms, "ask", keys)]

    def _commit(self, story: Story, label: Label) -> list[Seen]:
        """Believe a story and say what it means."""
        was_agreed = self.agrees()
        self._milestone = None
        self.asked = ()
        after = {k: h for k, h in story.after.items() if k != story.hand}
        if story.hand is not None and any(step.target == story.hand for step in story.landed):
            # what stood on the lifted place for a moment was the whole new tower
            after[story.hand] = self.belief.heights[story.hand] + story.landed[-1].pieces
        self.belief.settle(after)
        self._judge.learn(story)
        now = self._now_ms
        match label.meaning:
            case Meaning.AGREED:
                self.history.at_home()
                return self._restored()
            case Meaning.MOVE:
                for key in label.keys:
                    self.history.push(key)
                self._refused = False
                return [Seen(now, "move", (key,)) for key in label.keys]
            case Meaning.TAKEBACK:
                self._refused = False
                return [Seen(now, "takeback", (self.history.pop(),)) for _ in range(label.depth)]
            case Meaning.AMEND:
                self.history.pop()
                self.history.push(label.keys[0])
                return [Seen(now, "amend", label.keys)]
            case _:
                return self._refuse(story.steps[-1], was_agreed=was_agreed)

    def _restored(self) -> list[Seen]:
        if not self._refused:
            return []
        self._refused = False
        return [Seen(self._now_ms, "restored")]

    def _refuse(self, step: Step, *, was_agreed: bool) -> list[Seen]:
        self.history.amendable = False
        self._refused = True
        if not was_agreed:
            return [Seen(self._now_ms, "mismatch")]
        places = tuple(k for k in (step.origin, step.target) if k is not None)
        return [Seen(self._now_ms, "illegal", reason=self._reason(step), places=places)]

    def _reason(self, step: Step) -> Any:
        if step.origin is None or step.target is None:
            return ("extra_piece", step.target) if step.origin is None else ("missing_piece", step.origin)
        if self.history.heights[step.origin] != step.pieces:
            return ("split_tower", step.origin)
        return self.rules.refusal(self.history.node, step.origin, step.target)

    def _perhaps_gone(self, story: Story) -> list[Seen]:
        """A piece was taken off the board, which undoes the placement that brought it."""
        if len(story.after) != 1 or story.hand is None:
            return []
        heights = list(self.belief.heights)
        heights[story.hand] = 0
        label = self.history.label(heights)
        if label.meaning not in (Meaning.TAKEBACK, Meaning.AGREED):
            return []
        if self._rest_ms(self.model.ring[story.hand]) < self.tuning.removed_ms:
            return []
        return self._commit(Story(dict(story.after), (Step(story.hand, None, 1),)), label)

    def _perhaps_home(self, ranked: list[Ranked], now: Survey) -> list[Seen]:
        """Nothing was set down elsewhere. Pieces that were put back or nudged are taken as they stand."""
        best = ranked[0]
        if best.story.after or now.emptied or now.filled:
            return []
        rival = next((other.cost for other in ranked[1:] if other.story.after), 1000.0)
        if rival - best.cost < self.tuning.least_lead:
            return []
        for k in now.touched:
            tower = self.belief.heights[k] > 1 and k not in self._returned
            needed_ms = self.tuning.settle_tower_ms if tower else self.tuning.settle_home_ms
            if self._rest_ms(self.model.ring[k]) >= needed_ms:
                self.belief.reseat(k)
        return []

    def _perhaps_lost(self) -> list[Seen]:
        """More is gone than any move takes, and the board is at rest: it was knocked over."""
        if self._rest_ms(range(self.places.count)) < self.tuning.lost_ms:
            return []
        self.lost = True
        self._refused = True
        return self._find()

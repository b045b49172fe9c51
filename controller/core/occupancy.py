"""The recogniser of occupancy boards: places say whether a piece is there, and nothing more.

The same questions as on a field board, with less to go by: which legal move, take-back or mistake
leaves just these places empty and filled. Where several do, or where a piece that vanished may stand
on another or be in a hand, the players are asked; they answer by lifting the tower on the right place
and setting it down, or by the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from controller.core.contacts import Contacts
from controller.core.options import Heights, Option, Rules
from controller.core.seen import Seen
from controller.core.stories import History, Meaning, ends
from controller.core.survey import Lifts
from controller.core.tuning import Tuning

_START_FRAMES = 5
_MOST_DIFFERENT = 6
Places = tuple[int, ...]


class OccupancyRecogniser:
    """Follows one occupancy board; the same interface as `Recogniser`."""

    def __init__(
        self, rules: Rules, count: int, start: Any, keys: Iterable[str] = (), tuning: Tuning | None = None
    ) -> None:
        """A recogniser of `count` places for the game that began at node `start` and went through `keys`."""
        self.rules = rules
        self.tuning = tuning or Tuning()
        self.history = History.replay(rules, start, keys)
        self.places = Contacts(count)
        self.asked: tuple[str, ...] = ()
        """The moves between which the players are to choose."""
        self.ready = False
        self.lost = False
        self._lifts = Lifts()
        self._now_ms = 0
        self._refused: tuple[Places, Places] | None = None
        self._must_restore = False
        self._mismatch: tuple[Places, Places] | None = ((), ())

    # ------------------------------------------------------------------ commands

    def reset(self, start: Any, keys: Iterable[str] = ()) -> None:
        """Agree on another position; the board is compared with it from now on."""
        self.history = self.history.rewritten(start, tuple(keys))
        self.asked = ()
        self._must_restore = True
        self._refused = None
        self._mismatch = None

    def set_up(self) -> None:
        """Wait until the board shows the agreed position before anything else."""
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
        if self.ready and self.agrees():
            return False
        self.ready, self.lost, self._must_restore, self._refused = True, False, False, None
        return True

    def answer(self, key: str, t_ms: int) -> list[Seen]:
        """Take the players' word for which move was made.

        Raises: KeyError if `key` is no legal move here.
        """
        if all(option.key != key for option in self.history.options):
            raise KeyError(key)
        return self._moved((key,), t_ms)

    # ------------------------------------------------------------------ what is known

    @property
    def lifted(self) -> int | None:
        """The place whose piece is in the air, for the lights."""
        return self._lifts.shown

    def agrees(self) -> bool:
        """Whether the board is believed to show the agreed position, but for what is in a hand."""
        return not self.lost and not self._must_restore and self._refused is None

    def standing(self) -> Heights:
        """How many pieces are believed to stand on each place; at least as many as it shows."""
        emptied, filled = self._difference(self.history.heights)
        heights = list(self.history.heights)
        for k in emptied:
            heights[k] = 0
        for k in filled:
            heights[k] = 1
        return tuple(heights)

    def targets(self, origin: int) -> tuple[int, ...]:
        """Where the piece on this place may go."""
        return tuple(self.history.targets.get(origin, ()))

    def arrives(self) -> bool:
        """Whether a legal move brings a piece from beside the board."""
        return self.history.arrives

    # ------------------------------------------------------------------ frames

    def feed(self, t_ms: int, values: Sequence[float | None]) -> list[Seen]:
        """Take in one frame and say what it settled."""
        self._now_ms = t_ms
        self.places.feed(t_ms, values)
        emptied, filled = self._difference(self.history.heights)
        if not self.ready or self.lost:
            return self._find(emptied, filled)
        before = [k for k in self._lifts.frames if self._lifts.is_up(k)]
        seen = []
        if self._lifts.watch(emptied, t_ms):
            shown = self._lifts.shown
            seen.append(Seen(t_ms, "lift", places=() if shown is None else (shown,)))
        tapped = self._tapped({k for k in before if k not in emptied})
        if tapped is not None:
            return self.answer(tapped, t_ms)
        if not emptied and not filled:
            return seen + self._home()
        return seen + self._decide(emptied, filled)

    def _difference(self, heights: Heights) -> tuple[Places, Places]:
        """The readable places that lack a piece, and those that hold one too many."""
        present, usable = self.places.present, self.places.usable
        emptied = tuple(k for k, h in enumerate(heights) if usable[k] and h and not present[k])
        filled = tuple(k for k, h in enumerate(heights) if usable[k] and not h and present[k])
        return emptied, filled

    def _rest_ms(self) -> int:
        since = [s for s, usable in zip(self.places.since_ms, self.places.usable, strict=True) if usable]
        return self._now_ms - max(since, default=self._now_ms)

    def _find(self, emptied: Places, filled: Places) -> list[Seen]:
        """Wait until the occupancy is that of the agreed position."""
        seen: list[Seen] = []
        if self.places.frames < _START_FRAMES:
            return seen
        if (emptied, filled) != self._mismatch:
            self._mismatch = (emptied, filled)
            seen.append(Seen(self._now_ms, "mismatch", places=emptied, extra=filled))
        if not emptied and not filled and (self._rest_ms() >= self.tuning.settle_ms or not self.lost):
            if self.lost:
                seen.append(Seen(self._now_ms, "restored"))
            self.ready, self.lost, self._must_restore, self._refused = True, False, False, None
        return seen

    def _home(self) -> list[Seen]:
        self.asked = ()
        if self.agrees() or self._rest_ms() < self.tuning.settle_ms:
            return []
        self._must_restore, self._refused = False, None
        self.history.at_home()
        return [Seen(self._now_ms, "restored")]

    def _tapped(self, down: set[int]) -> str | None:
        """The answer that was given by lifting the tower on one candidate place and setting it down."""
        for option in self.history.options:
            if option.key in self.asked and ends(option, self.history.heights)[1] in down:
                return option.key
        return None

    # ------------------------------------------------------------------ deciding

    def _decide(self, emptied: Places, filled: Places) -> list[Seen]:
        rest_ms = self._rest_ms()
        if rest_ms < self.tuning.settle_ms or self._must_restore or (emptied, filled) == self._refused:
            return []
        options = self._matching(self.history.options, self.history.heights)
        if options and filled and len(options) == 1:
            return self._moved((options[0].key,), self._now_ms)
        if options:
            return self._ask(options, rest_ms)
        known = self._earlier() or self._gone_on()
        if known:
            return known
        return self._wrong(emptied, filled, rest_ms)

    def _matching(self, options: Sequence[Option], heights: Heights) -> list[Option]:
        """The options after which the readable places would say what they say now."""
        return [option for option in options if not any(self._difference(_after(option, heights)))]

    def _ask(self, options: list[Option], rest_ms: int) -> list[Seen]:
        """Several moves fit, or the piece may still be in a hand: ask once hands rest."""
        keys = tuple(sorted(option.key for option in options))
        if rest_ms < self.tuning.ask_hand_ms or keys == self.asked:
            return []
        self.asked = keys
        return [Seen(self._now_ms, "ask", keys)]

    def _earlier(self) -> list[Seen]:
        """Moves taken back by restoring the pieces."""
        for depth, ply in enumerate(reversed(self.history.plies), start=1):
            if not any(self._difference(ply.heights)):
                self._settled()
                return [Seen(self._now_ms, "takeback", (self.history.pop(),)) for _ in range(depth)]
        return []

    def _gone_on(self) -> list[Seen]:
        """The last move went on with the same piece."""
        if not (self.history.amendable and self.history.plies):
            return []
        ply = self.history.plies[-1]
        for option in self._matching(self.rules.options(ply.node), ply.heights):
            label = self.history.label(_after(option, ply.heights))
            if label.meaning is Meaning.AMEND:
                self.history.pop()
                self.history.push(option.key)
                self._settled()
                return [Seen(self._now_ms, "amend", (option.key,))]
        return []

    def _moved(self, keys: tuple[str, ...], t_ms: int) -> list[Seen]:
        for key in keys:
            self.history.push(key)
        self._settled()
        return [Seen(t_ms, "move", (key,)) for key in keys]

    def _settled(self) -> None:
        self.asked = ()
        self._must_restore, self._refused = False, None

    def _wrong(self, emptied: Places, filled: Places, rest_ms: int) -> list[Seen]:
        """Nothing the rules allow: say why, or guide where too much has changed."""
        if len(emptied) + len(filled) > _MOST_DIFFERENT:
            if rest_ms < self.tuning.lost_ms:
                return []
            self.lost = True
            return self._find(emptied, filled)
        if not filled or rest_ms < self.tuning.settle_illegal_ms:
            return []  # what is gone may be in a hand
        was_agreed = self.agrees()
        self._refused = (emptied, filled)
        self.history.amendable = False
        if not was_agreed:
            return [Seen(self._now_ms, "mismatch", places=emptied, extra=filled)]
        target = filled[0]
        if not emptied:
            return [Seen(self._now_ms, "illegal", reason=("extra_piece", target), places=(target,))]
        reason = self.rules.refusal(self.history.node, emptied[0], target)
        return [Seen(self._now_ms, "illegal", reason=reason, places=(emptied[0], target))]


def _after(option: Option, heights: Heights) -> Heights:
    now = list(heights)
    for k, h in option.after:
        now[k] = h
    return tuple(now)

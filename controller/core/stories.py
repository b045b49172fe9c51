"""Stories: what hands may have done since the believed position, and what each would mean in the game.

A `Story` is a set of towers that stand differently now, and perhaps a tower still in a hand. A
`History` turns what a story leaves behind into the game's words: the agreed position itself, a legal
move, moves taken back, the last move gone on, or nothing the rules allow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

from controller.core.options import Heights, Option, Rules


class Meaning(Enum):
    """What standing towers mean in the game."""

    AGREED = "agreed"
    MOVE = "move"
    TAKEBACK = "takeback"
    AMEND = "amend"
    ILLEGAL = "illegal"


@dataclass(frozen=True, slots=True)
class Label:
    """A meaning, with the moves it consists of (two for a quick reply) or the depth of a take-back."""

    meaning: Meaning
    keys: tuple[str, ...] = ()
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """One tower, or its upper part, that went from one place to another; None is beside the board."""

    origin: int | None
    target: int | None
    pieces: int


@dataclass(frozen=True)
class Story:
    """What stands differently (`after`), by which steps, and which place's piece is in a hand.

    `keys` are the moves it consists of, where they are known.
    """

    after: dict[int, int]
    steps: tuple[Step, ...] = ()
    hand: int | None = None
    keys: tuple[str, ...] = ()

    @cached_property
    def landed(self) -> tuple[Step, ...]:
        """The steps that ended on the board."""
        return tuple(step for step in self.steps if step.target is not None)

    @cached_property
    def placed(self) -> frozenset[tuple[int, int]]:
        """What stands differently, leaving aside what is in the hand."""
        return frozenset((k, h) for k, h in self.after.items() if k != self.hand)

    @property
    def result(self) -> frozenset[tuple[int, int]]:
        """What it leaves for good: nothing as long as nothing has landed."""
        return self.placed if self.landed else frozenset()


@dataclass
class _Ply:
    """A position of the past and the move made there."""

    node: Any
    heights: Heights
    key: str


@dataclass
class History:
    """The agreed position, how it came about, and the legal moves from it."""

    rules: Rules
    node: Any
    plies: list[_Ply] = field(default_factory=list)
    amendable: bool = False
    """Whether the last move may still go on: nobody has touched anything else since."""

    undone: int = 0
    """How many moves were taken back by word and not yet on the board: one may be made anew elsewhere,
    but of several nothing on the way back is a move."""

    def __post_init__(self) -> None:
        self._undone_heights: Heights = ()
        self._load()

    def _load(self) -> None:
        self.heights: Heights = self.rules.heights(self.node)
        self.options: Sequence[Option] = self.rules.options(self.node)
        self._by_after: dict[frozenset[tuple[int, int]], Option] | None = None
        self.targets: dict[int, list[int]] = {}
        self.arrives = False
        for option in self.options:
            origin, target = ends(option, self.heights)
            if origin is not None and target is not None:
                self.targets.setdefault(origin, []).append(target)
            elif origin is None:
                self.arrives = True

    def set_node(self, node: Any) -> None:
        """Agree on another view of the same position."""
        self.node = node
        self._load()

    @classmethod
    def replay(cls, rules: Rules, start: Any, keys: Iterable[str], *, undone: int = 0) -> History:
        """The history of a game that began at `start` and went through `keys`."""
        node, plies = start, []
        for key in keys:
            plies.append(_Ply(node, rules.heights(node), key))
            node = rules.play(node, key)
        return cls(rules, node, plies, undone=undone)

    def rewritten(self, start: Any, keys: tuple[str, ...]) -> History:
        """The history on which people agreed by word instead; moves of this one may be undone in it."""
        ours = tuple(ply.key for ply in self.plies)
        undone = len(ours) - len(keys) if ours[: len(keys)] == keys else 0
        history = History.replay(self.rules, start, keys, undone=max(undone, 0))
        history._undone_heights = self.heights  # noqa: SLF001 - it is of this very class
        return history

    def at_home(self) -> None:
        """The board showed the agreed position again: what happened before it is settled."""
        self.amendable = False
        self.undone = 0

    def push(self, key: str) -> None:
        """Agree on a move."""
        self.undone = 0
        self.plies.append(_Ply(self.node, self.heights, key))
        self.node = self.rules.play(self.node, key)
        self.amendable = True
        self._load()

    def pop(self) -> str:
        """Take the last move back; returns it."""
        ply = self.plies.pop()
        self.node = ply.node
        self.amendable = False
        self._load()
        return ply.key

    def label(self, heights: Sequence[int]) -> Label:
        """What these towers mean, if the agreed position came before them."""
        changed = changes(self.heights, heights)
        if not changed:
            return Label(Meaning.AGREED)
        if self.undone > 1 or (self.undone and tuple(heights) == self._undone_heights):
            return Label(Meaning.ILLEGAL)
        if self._by_after is None:
            self._by_after = {frozenset(option.after): option for option in self.options}
        option = self._by_after.get(changed)
        if option is not None:
            return Label(Meaning.MOVE, (option.key,))
        depth = self._depth(tuple(heights))
        if depth:
            return Label(Meaning.TAKEBACK, tuple(ply.key for ply in reversed(self.plies[-depth:])), depth)
        return self._amendment(heights) or Label(Meaning.ILLEGAL)

    def _depth(self, heights: Heights) -> int:
        for depth, ply in enumerate(reversed(self.plies), start=1):
            if ply.heights == heights:
                return depth
        return 0

    def _amendment(self, heights: Sequence[int]) -> Label | None:
        if not (self.amendable and self.plies):
            return None
        ply = self.plies[-1]
        changed = changes(ply.heights, heights)
        for option in self.rules.options(ply.node):
            if frozenset(option.after) == changed and self._goes_on(option, ply):
                return Label(Meaning.AMEND, (option.key,))
        return None

    def _goes_on(self, option: Option, ply: _Ply) -> bool:
        """Whether a move sets the very piece of the last one down elsewhere."""
        last = next((o for o in self.rules.options(ply.node) if o.key == ply.key), None)
        if last is None or option.key == ply.key:
            return False
        return ends(option, ply.heights)[0] == ends(last, ply.heights)[0]


def changes(before: Sequence[int], now: Sequence[int]) -> frozenset[tuple[int, int]]:
    """The places whose number of pieces differs, with the new number."""
    return frozenset((k, h) for k, (g, h) in enumerate(zip(before, now, strict=True)) if g != h)


def ends(option: Option, heights: Sequence[int]) -> tuple[int | None, int | None]:
    """The place that a move empties first and the place that it fills, as far as it has them."""
    origin = next((k for k, h in option.after if h < heights[k]), None)
    target = next((k for k, h in option.after if h > heights[k]), None)
    return origin, target

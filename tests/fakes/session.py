"""A session that does what a test tells it, over a real game's first position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from controller.core.lights import Meaning
from controller.core.messages import Command, Entry, MoveView, Phase, View
from controller.core.session import Effects
from engines.base import Chance
from engines.registry import game
from hardware.ports import Frame

AVALAM: Any = game("avalam")


def first_view() -> View:
    start = AVALAM.initial()
    return View(
        game="avalam",
        game_id=1,
        settings={"first": "red", "tiebreak": "none", "setup": "standard"},
        player_names=("red", "black"),
        phase=Phase.PLAY,
        to_move=0,
        scores=(24, 24),
        position=AVALAM.format_position(start),
        stacks=AVALAM.stacks(start, ()),
        moves=(),
        lifted=None,
        targets=(),
        lights={},
        notice=None,
        tasks=(),
        question=(),
        draw_offer=None,
        placing=None,
        outcome=None,
        unknown=(),
        masked=(),
    )


class FakeSession:
    """Hands out the effects put into `coming`, one a frame; obeys commands by what `orders` says."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.commands: list[tuple[Command, int]] = []
        self.coming: list[Effects | Exception] = []
        self.orders: list[Effects | Exception] = []
        self.lit: dict[str, Meaning] = {}
        self.due: list[Chance] = []
        self._view = first_view()

    def frame(self, frame: Frame) -> Effects:
        self.frames.append(frame)
        return _given(self.coming)

    def command(self, command: Command, t_ms: int) -> Effects:
        self.commands.append((command, t_ms))
        return _given(self.orders)

    def chance(self) -> Chance | None:
        return self.due[0] if self.due else None

    def play_chance(self, move: Any) -> Effects:
        self.due.pop(0)
        return Effects((), (Entry("chance", {"move": move}),), changed=True)

    def view(self) -> View:
        return self._view

    def lights(self, t_ms: int) -> Mapping[str, Meaning]:
        return dict(self.lit)

    def moves(self, text: str) -> Effects:
        """A move is made: the view shows it, and its entry comes with the effects."""
        self._view = replace(self._view, moves=(*self._view.moves, MoveView(0, text, text)))
        return Effects((), (Entry("move", {"move": text}),), changed=True)


def _given(waiting: list[Effects | Exception]) -> Effects:
    result = waiting.pop(0) if waiting else Effects()
    if isinstance(result, Exception):
        raise result
    return result

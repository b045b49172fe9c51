"""A game at a simulated board, from its magnetic field to the session, in the board's own time.

The field is read straight from the table with the sensors' flaws, as a scan of no duration would
read it, so that a minute at the board takes a moment. Everything that is said is kept in short texts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any
from unittest.mock import patch

from controller.core import session as session_module
from controller.core.calibration import Calibration
from controller.core.fieldmodel import FieldModel, FieldParameters
from controller.core.messages import (
    Amended,
    Asked,
    Command,
    Entry,
    Event,
    Lifted,
    Mismatch,
    Moved,
    PlaceFault,
    Refused,
    Restored,
    TakenBack,
    View,
)
from controller.core.session import Effects, Session
from engines.record import Record
from engines.registry import game
from hardware.boardfile import load_board
from hardware.ports import Frame
from hardware.simulator.board import SimulatedBoard
from hardware.simulator.gestures import Manner
from hardware.simulator.hand import Glide, Lower, Release, Step, Wait
from hardware.simulator.table import IDEAL, Pawn, Physics

BOARD = load_board("avalam")
AVALAM: Any = game("avalam")
GEOMETRY = FieldParameters(BOARD.positions_mm, BOARD.pitch_mm, BOARD.pawn_mm, BOARD.gap_mm, BOARD.magnet)
field_model = cache(FieldModel)
"""The tables of a board are made once for all tests."""

Stacks = Mapping[str, Sequence[int]]


def tell(event: Event) -> str:
    """An event in one short line."""
    match event:
        case Moved(_, move):
            return f"move {move}"
        case Amended(_, move):
            return f"amend {move}"
        case TakenBack(_, move):
            return f"takeback {move}"
        case Refused(_, reason, cells):
            return f"illegal {reason} {' '.join(cells)}"
        case Restored():
            return "restored"
        case Asked(_, moves):
            return f"ask {' '.join(moves)}"
        case Mismatch(_, missing, extra, moved):
            pairs = "".join(f" {a}>{b}" for a, b in moved)
            return f"mismatch -{','.join(missing)} +{','.join(extra)}{pairs}"
        case Lifted(_, cell):
            return f"lift {cell or '-'}"
        case PlaceFault(_, cell, fault):
            return f"place {cell} {fault or 'well'}"
    raise AssertionError(event)


class Sitting:
    """People at a board. What stands there at first is what `record` says, unless `stacks` are given."""

    def __init__(
        self,
        *,
        record: Record | None = None,
        settings: Mapping[str, str] | None = None,
        stacks: Stacks | None = None,
        restored: bool = False,
        physics: Physics = IDEAL,
        seed: int = 1,
        period_ms: int = 20,
    ) -> None:
        record = record or Record(AVALAM, settings)
        self.wooden = SimulatedBoard(BOARD, seed=seed, physics=physics)
        self.wooden.set_up(owned(record) if stacks is None else stacks)
        zero_mt, single_mt = self.wooden.calibration()
        calibration = Calibration(zero_mt, single_mt, physics.noise_mt)
        with patch.object(session_module, "FieldModel", field_model):
            self.session = Session(
                AVALAM, BOARD.names, calibration, GEOMETRY, record=record, restored=restored
            )
        self.period_ms = period_ms
        self.unread: Collection[str] = ()
        """Cells that cannot be read now."""
        self.frozen: dict[str, float] = {}
        """Cells that read a value which never changes."""
        self.loses: Callable[[], bool] = lambda: False
        """Whether the next frame is lost."""
        self.events: list[Event] = []
        self.entries: list[Entry] = []
        self.lights: list[dict[str, str]] = []
        """What was lit at every frame."""
        self._rng = Random(f"{seed} sitting")
        self._heard = 0

    # ------------------------------------------------------------------ time

    @property
    def now_ms(self) -> int:
        return self.wooden.clock.now_ms()

    def scan(self) -> Effects:
        """One frame of what stands and moves now."""
        values = [self._read(k, name) for k, name in enumerate(BOARD.names)]
        effects = self.session.frame(Frame(self.now_ms, tuple(values)))
        self._note(effects)
        self.lights.append({cell: m.value for cell, m in self.session.lights(self.now_ms).items()})
        return effects

    def let_pass(self, duration_ms: int) -> None:
        """Let time pass, scan by scan."""
        until_ms = self.now_ms + duration_ms
        while self.now_ms < until_ms:
            self.wooden.advance_ms(self.period_ms)
            if not self.loses():
                self.scan()

    def until(self, condition: Callable[[], bool], most_ms: int = 10_000) -> int:
        """Let time pass until something is so; the time it took."""
        began_ms = self.now_ms
        while not condition():
            assert self.now_ms < began_ms + most_ms, (self.session.view(), self.said())
            self.let_pass(self.period_ms)
        return self.now_ms - began_ms

    # ------------------------------------------------------------------ hands

    def do(self, steps: Iterable[Step], hand: int = 0) -> None:
        """A hand does these steps; the time is over when it is done."""
        self.wooden.do(steps, hand)
        while not all(h.is_idle for h in self.wooden.hands):
            self.let_pass(self.period_ms)

    def carry(
        self,
        origin: str,
        target: str,
        *,
        manner: Manner = Manner.HIGH,
        count: int | None = None,
        via: Sequence[str] = (),
    ) -> None:
        """Take the tower on `origin`, or its `count` top pieces, to `target`."""
        self.do(self.wooden.gestures.move(origin, target, manner, count, via))

    def play(self, *moves: str, rest_ms: int = 600) -> None:
        """Make moves, with a rest after each, and see that just these are told."""
        for move in moves:
            self.hear()
            self.carry(move[:2], move[2:])
            self.let_pass(rest_ms)
            assert self.hear() == [f"move {move}"]

    def put(self, cell: str, owner: int = 0) -> None:
        """Bring a piece from the box."""
        place = BOARD.cell(cell)
        hand = self.wooden.hands[0]
        hand.held = self.wooden.table.hold(1.0, place.x_mm, place.y_mm, 150.0)
        hand.held.pawns.append(Pawn(owner, 1.0))
        glide = Glide(0, place.x_mm, place.y_mm, 150.0)
        self.do([glide, Glide(200_000, clearance_mm=20.0), Lower(150_000), Release()])

    def take_off(self, cell: str) -> None:
        """Take a tower off the board, into the box."""
        self.do(self.wooden.gestures.lift(cell, 60.0))
        hand = self.wooden.hands[0]
        self.do([Glide(200_000, clearance_mm=200.0)])
        assert hand.held is not None
        self.wooden.table.take_away(hand.held)
        hand.reset()
        self.let_pass(self.period_ms)

    def hold_still(self, duration_ms: int) -> Wait:
        """A step in which a hand keeps still."""
        return Wait(duration_ms * 1000)

    # ------------------------------------------------------------------ what was said

    def say(self, command: Command) -> Effects:
        """Command something."""
        effects = self.session.command(command, self.now_ms)
        self._note(effects)
        return effects

    @property
    def view(self) -> View:
        return self.session.view()

    def said(self) -> list[str]:
        """Everything that was told of the position so far; not which pieces were up or how places fare."""
        return [tell(event) for event in self.events if not isinstance(event, Lifted | PlaceFault)]

    def hear(self) -> list[str]:
        """What was told of the position since the last time."""
        said = self.said()
        news, self._heard = said[self._heard :], len(said)
        return news

    def lifts(self) -> list[str]:
        """What was told of pieces in the air."""
        return [tell(event) for event in self.events if isinstance(event, Lifted)]

    def agrees(self) -> bool:
        """Whether the towers of the game are those on the board."""
        return heights(self.session.record) == {c: len(s) for c, s in self.wooden.stacks().items()}

    def _read(self, k: int, name: str) -> float | None:
        flaw = self.wooden.sensor(name).imperfection
        noise_mt = self._rng.gauss(0.0, flaw.noise_mt)
        if name in self.unread:
            return None
        if name in self.frozen:
            return self.frozen[name]
        return flaw.gain * self.wooden.table.field_mt(k) + flaw.offset_mt + noise_mt

    def _note(self, effects: Effects) -> None:
        self.events += effects.events
        self.entries += effects.entries


def owned(record: Record) -> dict[str, tuple[int, ...]]:
    """The towers of a game, owners bottom first; a piece that nobody knows counts as the first player's."""
    stacks = AVALAM.stacks(record.positions[0], record.moves)
    return {cell: tuple(owner or 0 for owner in stack) for cell, stack in stacks.items()}


def heights(record: Record) -> dict[str, int]:
    """How high the towers of a game are."""
    both = zip(AVALAM.cells, AVALAM.heights(record.position), strict=True)
    return {cell: height for cell, height in both if height}


def stacked(text: str, owner: int = 0) -> dict[str, tuple[int, ...]]:
    """Towers written like `c9:2 d8:1`, all of one owner."""
    pairs = (item.split(":") for item in text.split())
    return {cell: (owner,) * int(height) for cell, height in pairs}

"""The simulated board with a random game on it: frames in board time, and the truth beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from controller.clumsy.game import Act, RandomGame
from controller.clumsy.habits import Habits
from controller.clumsy.troubles import Troubles
from controller.clumsy.truth import TruthEvent
from controller.core.calibration import Calibration
from engines.base import BoardGame
from hardware.boardfile import Board
from hardware.errors import BusError
from hardware.ports import Frame
from hardware.sensing.field import field_scanner
from hardware.simulator.board import SimulatedBoard
from hardware.simulator.bus import BusTrouble

_DIGITS = 3
"""Values as a trace holds them, so that what was played and what was saved read the same."""
_LAST_MS = 5000
"""How long the board is watched after the last move."""


class Rig:
    """One game on one board, of at most `turns` turns; the same seed gives the same game.

    Over the bus the frames come from the simulated chips by way of the drivers, where a scan takes
    its time; else straight from the table's field, with the chips' flaws and noise, at one moment.
    """

    def __init__(
        self,
        board: Board,
        game: BoardGame,
        habits: Habits,
        *,
        seed: int,
        rate_hz: float,
        over_bus: bool,
        turns: int | None = None,
    ) -> None:
        self.wooden = SimulatedBoard(board, seed=seed, physics=habits.physics)
        rng = Random(f"{seed} clumsy")  # noqa: S311 - it is to be repeatable, not secret
        self._frame_rng = Random(f"{seed} frames")  # noqa: S311
        self.play = RandomGame(game, self.wooden.table, habits, rng, turns)
        stacks = game.stacks(self.play.record.position, ())
        self.wooden.set_up({cell: [owner or 0 for owner in owners] for cell, owners in stacks.items()})
        zero_mt, single_mt = self.wooden.calibration()
        label = f"{board.name} {board.version}"
        self.calibration = Calibration(zero_mt, single_mt, habits.physics.noise_mt, label)
        self.truth: list[TruthEvent] = []
        self.troubles = Troubles(self.wooden, habits, Random(f"{seed} troubles"))  # noqa: S311
        self._period_us = round(1e6 / rate_hz)
        self._read = self._bus_reader() if over_bus else self._field_reader()
        self._act: Act | None = None
        self._sees = True
        self._held_up = False

    def frames(self) -> Iterator[Frame]:
        """Every frame from the start to some seconds after the last move, as far as it was not lost.

        `truth` tells at every frame what has happened before it.
        """
        acts = self.play.acts()
        due_us = self.wooden.clock.now_us()
        last_us: int | None = None
        while last_us is None or due_us < last_us:
            due_us = max(due_us + self._period_us, self.wooden.clock.now_us())
            self._advance_to(due_us)
            if last_us is None and not self._go_on(acts):
                last_us = due_us + _LAST_MS * 1000
            self.troubles.go_on()
            frame = self._read()
            self._sees = any(value is not None for value in frame.values)
            if not self.troubles.loses_frame():
                yield frame

    def _advance_to(self, moment_us: int) -> None:
        self.wooden.advance_ms(max(0, moment_us - self.wooden.clock.now_us()) / 1000)

    def _go_on(self, acts: Iterator[Act]) -> bool:
        """Begin the next act where the last one is done; False when there is none."""
        hand, other = self.wooden.hands
        if hand.is_idle and self._act is not None:
            self._note(self._act)
            self._act = None
        if not (hand.is_idle and other.is_idle):
            return True
        if self.troubles.keep_hands_off() or not self._sees:
            self._held_up = True  # whoever plays sees the lights go out, and waits
            return True
        self._act = next(acts, None)
        if self._act is None:
            return False
        if self._held_up:  # and reaches for a piece as soon as they are back
            self._act = replace(self._act, steps=self._act.steps[1:])
            self._held_up = False
        self.wooden.do(self._act.steps, 0)
        self.wooden.do(self._act.wave, 1)
        return True

    def _note(self, act: Act) -> None:
        if act.kind:
            grabbed, released = (
                next(e.t_ms for e in reversed(self.wooden.hands[0].events) if e.kind == kind)
                for kind in ("grabbed", "released")
            )
            self.truth.append(TruthEvent(released, act.kind, act.text, grabbed, act.reason))

    # ------------------------------------------------------------------ reading

    def _bus_reader(self) -> Callable[[], Frame]:
        wooden = self.wooden
        scanner = field_scanner(
            wooden.board, wooden.open_bus, "simulated bus", wooden.clock, reset_muxes=wooden.bus.reset_muxes
        )
        scanner.start()

        def read() -> Frame:
            try:
                frame = scanner.scan()
            except BusError:
                return Frame(wooden.clock.now_ms(), (None,) * len(scanner.cells))
            return self._frame(frame.t_ms, list(frame.values))

        return read

    def _field_reader(self) -> Callable[[], Frame]:
        wooden = self.wooden
        sensors = [wooden.sensor(name) for name in wooden.board.names]
        last: list[float | None] = [None] * len(sensors)
        draw = self._frame_rng.gauss

        def read() -> Frame:
            if wooden.bus.trouble is not BusTrouble.NONE:
                return Frame(wooden.clock.now_ms(), (None,) * len(sensors))
            for k, sensor in enumerate(sensors):
                faults, flaw = sensor.faults, sensor.imperfection
                if faults.dead or (faults.stuck and last[k] is not None):
                    continue
                noise_mt = draw(0.0, flaw.noise_mt * faults.noise_factor)
                last[k] = flaw.gain * wooden.table.field_mt(k) + flaw.offset_mt + noise_mt
            values = [None if s.faults.dead else v for s, v in zip(sensors, last, strict=True)]
            return self._frame(wooden.clock.now_ms(), values)

        return read

    def _frame(self, t_ms: int, values: list[float | None]) -> Frame:
        unread = self.troubles.unread(len(values))
        return Frame(
            t_ms,
            tuple(
                None if v is None or gone else round(v, _DIGITS)
                for v, gone in zip(values, unread, strict=True)
            ),
        )

"""What goes wrong with sensors, frames and the bus during a game, and when."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from controller.clumsy.habits import Habits
from hardware.simulator.board import SimulatedBoard
from hardware.simulator.bus import BusTrouble

_UNREAD = 0.005
"""Share of values that are not read."""
_LOST = 0.02
"""Share of frames that are lost."""
_NOISE_FACTOR = 20.0
_FREEZES_MS = (20_000, 60_000)
_BUS_GOES_MS = (15_000, 80_000)
_BUS_GOES_AFTER_MOVE_MS = (200, 1500)
_BUS_STAYS_AWAY_MS = (300, 3000)
_DROPS_OUT_MS = (200, 900)
_BETWEEN_DROPS_MS = (8_000, 40_000)
_DRIFT_STEP_MS = 1000
_MS_A_MINUTE = 60_000


class Troubles:
    """Breaks a simulated board, in its time. Where `habits` know no faults, only the zeros drift."""

    def __init__(self, wooden: SimulatedBoard, habits: Habits, rng: Random) -> None:
        self._wooden = wooden
        self._rng = rng
        self._faults = habits.faults
        names = wooden.board.names
        self._drifts_mt = [rng.uniform(-habits.drift_mt, habits.drift_mt) for _ in names]
        self._drifted_ms = 0
        self._awaits_pause = False
        self._bus_goes = False
        self.log: list[tuple[int, str]] = []
        """What went wrong when, in ms, for whoever wants to understand a failure."""
        self._due: list[tuple[int, Callable[[], None]]] = []
        if habits.faults:
            dead, noisy, frozen, restarting = rng.sample(names, 4)
            wooden.sensor(dead).faults.dead = True
            wooden.sensor(noisy).faults.noise_factor = _NOISE_FACTOR
            self._note(f"{dead} dead, {noisy} noisy")
            self._plan(_FREEZES_MS, lambda: self._freeze(frozen))
            self._plan(_FREEZES_MS, lambda: self._restart(restarting))
            self._plan(_BUS_GOES_MS, self._lose_bus if habits.interrupted else self._await_pause)
            self._plan(_BETWEEN_DROPS_MS, self._drop_out)
            self._sound = [name for name in names if name not in (dead, frozen)]

    def go_on(self) -> None:
        """Let go wrong what is due by now."""
        now_ms = self._wooden.clock.now_ms()
        for moment_ms, happen in [item for item in self._due if item[0] <= now_ms]:
            self._due.remove((moment_ms, happen))
            happen()
        if now_ms - self._drifted_ms >= _DRIFT_STEP_MS:
            self._drift(now_ms)

    def keep_hands_off(self) -> bool:
        """Called between moves: whether the bus is away, or goes now, so that no hand begins anything."""
        if self._awaits_pause:
            self._awaits_pause = False
            self._bus_goes = True
            self._plan(_BUS_GOES_AFTER_MOVE_MS, self._lose_bus)
        return self._bus_goes

    def loses_frame(self) -> bool:
        """Whether a frame gets lost on its way."""
        return self._faults and self._rng.random() < _LOST

    def unread(self, count: int) -> Sequence[bool]:
        """Which of `count` values of a frame are not read."""
        if not self._faults:
            return (False,) * count
        return [self._rng.random() < _UNREAD for _ in range(count)]

    def _plan(self, wait_ms: tuple[int, int], happen: Callable[[], None]) -> None:
        self._due.append((self._wooden.clock.now_ms() + self._rng.randint(*wait_ms), happen))

    def _note(self, text: str) -> None:
        self.log.append((self._wooden.clock.now_ms(), text))

    def _freeze(self, cell: str) -> None:
        self._wooden.sensor(cell).faults.stuck = True
        self._note(f"{cell} frozen")

    def _restart(self, cell: str) -> None:
        self._wooden.sensor(cell).restart()
        self._note(f"{cell} restarted")

    def _await_pause(self) -> None:
        self._awaits_pause = True

    def _lose_bus(self) -> None:
        self._bus_goes = True
        trouble = self._rng.choice((BusTrouble.HANGS, BusTrouble.FAILS, BusTrouble.GONE))
        self._wooden.bus.trouble = trouble
        self._note(f"bus {trouble.value}")
        self._plan(_BUS_STAYS_AWAY_MS, self._find_bus)

    def _find_bus(self) -> None:
        self._wooden.bus.trouble = BusTrouble.NONE
        self._bus_goes = False
        self._note("bus is back")

    def _drop_out(self) -> None:
        """A chip that does not answer for a moment."""
        cell = self._rng.choice(self._sound)
        sensor = self._wooden.sensor(cell)

        def come_back() -> None:
            sensor.faults.dead = False
            self._note(f"{cell} answers")

        self._note(f"{cell} silent")
        sensor.faults.dead = True
        self._plan(_DROPS_OUT_MS, come_back)
        self._plan(_BETWEEN_DROPS_MS, self._drop_out)

    def _drift(self, now_ms: int) -> None:
        share = (now_ms - self._drifted_ms) / _MS_A_MINUTE
        self._drifted_ms = now_ms
        for name, drift_mt in zip(self._wooden.board.names, self._drifts_mt, strict=True):
            if drift_mt:
                sensor = self._wooden.sensor(name)
                flaw = sensor.imperfection
                sensor.imperfection = replace(flaw, offset_mt=flaw.offset_mt + share * drift_mt)

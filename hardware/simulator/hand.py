"""A simulated hand: steps it makes one after the other, in the board's time.

Glides follow the speed profile of human reaching: slow, quick, slow (least jerk). What the hand
did is noted with its time, so that a test knows the truth to the microsecond.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace

from hardware.simulator.table import Carried, Table

LIFTED_MM = 3.0
"""A tower counts as lifted when its underside is this much above where it was taken."""

_BISECTIONS = 24


@dataclass(frozen=True, slots=True)
class Glide:
    """Move to a place and clearance; None leaves a coordinate as it is."""

    duration_us: int
    x_mm: float | None = None
    y_mm: float | None = None
    clearance_mm: float | None = None


@dataclass(frozen=True, slots=True)
class Lower:
    """Sink to `above_mm` over where the tower would come to rest, straight down."""

    duration_us: int
    above_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Wait:
    """Keep still."""

    duration_us: int


@dataclass(frozen=True, slots=True)
class Grab:
    """Close on the tower at a place, or on its `count` top pieces; nothing happens where none stands."""

    x_mm: float
    y_mm: float
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Release:
    """Let go, wherever the hand is."""


@dataclass(frozen=True, slots=True)
class Nudge:
    """Touch the tower at a place."""

    x_mm: float
    y_mm: float


@dataclass(frozen=True, slots=True)
class Wear:
    """Hold something that is no piece but has a field, until the next `Release`."""

    strength: float
    x_mm: float
    y_mm: float
    clearance_mm: float


Step = Glide | Lower | Wait | Grab | Release | Nudge | Wear


@dataclass(frozen=True, slots=True)
class HandEvent:
    """What a hand did: `grabbed`, `lifted` (3 mm up), `released`; `cell` is None beside the board."""

    t_us: int
    kind: str
    cell: str | None
    count: int

    @property
    def t_ms(self) -> int:
        """The time in whole milliseconds."""
        return self.t_us // 1000


class Hand:
    """One hand over a table. It acts only when `advance` is called, and then up to that moment."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._steps: deque[Step] = deque()
        self._step_began_us = 0
        self._from: tuple[float, float, float] = (0.0, 0.0, 0.0)
        self._now_us = 0
        self._lift_noted = True
        self._pose: tuple[float, float, float] = (0.0, 0.0, 0.0)
        self.held: Carried | None = None
        self.events: list[HandEvent] = []

    @property
    def is_idle(self) -> bool:
        """Whether it has nothing left to do."""
        return not self._steps

    def do(self, steps: Iterable[Step], now_us: int) -> None:
        """Add steps; the first one begins now, or when the last one is done."""
        self.advance(now_us)
        if not self._steps:
            self._step_began_us = now_us
            self._from = self._pose
        self._steps.extend(steps)
        self.advance(now_us)

    def stop(self) -> None:
        """Forget the steps that are not done; the hand stays where it is, with what it holds."""
        self._steps.clear()

    def finish(self, now_us: int) -> None:
        """Do at once everything that is planned, without taking the time for it."""
        self.advance(now_us)
        self._step_began_us = now_us
        self._steps = deque(
            replace(step, duration_us=0) if isinstance(step, Glide | Lower | Wait) else step
            for step in self._steps
        )
        self.advance(now_us)

    def reset(self) -> None:
        """Be an empty hand with nothing to do: the table was changed under it."""
        self._steps.clear()
        self.held = None

    def remaining_us(self) -> int:
        """How long the steps that are planned will take from now on."""
        total = sum(step.duration_us for step in self._steps if isinstance(step, Glide | Lower | Wait))
        return max(0, self._step_began_us + total - self._now_us) if self._steps else 0

    def advance(self, now_us: int) -> None:
        """Do everything that is due by `now_us`."""
        self._now_us = max(self._now_us, now_us)
        while self._steps:
            step = self._steps[0]
            if isinstance(step, Lower):  # how far down shows only when it begins
                rest_mm = self._table.rest_mm(self._pose[0], self._pose[1])
                step = Glide(step.duration_us, clearance_mm=rest_mm + step.above_mm)
                self._steps[0] = step
            end_us = self._step_began_us
            if isinstance(step, Glide | Wait):
                end_us += step.duration_us
            if isinstance(step, Glide):
                self._glide(step, min(now_us, end_us))
            if end_us > now_us:
                return
            self._act(step, end_us)
            self._steps.popleft()
            self._step_began_us = end_us
            self._from = self._pose

    def _glide(self, step: Glide, now_us: int) -> None:
        share = 1.0 if step.duration_us <= 0 else (now_us - self._step_began_us) / step.duration_us
        self._note_lift(step, now_us)
        wanted = (step.x_mm, step.y_mm, step.clearance_mm)
        s = _least_jerk(share)
        x_mm, y_mm, clearance_mm = (
            start if end is None else start + s * (end - start)
            for start, end in zip(self._from, wanted, strict=True)
        )
        self._place(x_mm, y_mm, clearance_mm)

    def _place(self, x_mm: float, y_mm: float, clearance_mm: float) -> None:
        self._pose = (x_mm, y_mm, clearance_mm)
        if self.held is not None:
            self.held.x_mm, self.held.y_mm, self.held.clearance_mm = self._pose

    def _note_lift(self, step: Glide, now_us: int) -> None:
        if self._lift_noted or self.held is None or step.clearance_mm is None:
            return
        start_mm = self._from[2]
        up_mm = self.held.taken_mm + LIFTED_MM
        if step.clearance_mm < up_mm:
            return
        rise_mm = step.clearance_mm - start_mm
        share = _least_jerk_inverse((up_mm - start_mm) / rise_mm) if rise_mm > 0 else 0.0
        moment_us = self._step_began_us + round(share * step.duration_us)
        if moment_us <= now_us:
            self._lift_noted = True
            self._note(moment_us, "lifted", self.held.origin, len(self.held.pawns))

    def _act(self, step: Step, now_us: int) -> None:
        if isinstance(step, Grab):
            self._grab(step, now_us)
        elif isinstance(step, Release):
            self._release(now_us)
        elif isinstance(step, Nudge):
            tower = self._table.tower_at(step.x_mm, step.y_mm)
            if tower is not None:
                self._table.nudge(tower)
        elif isinstance(step, Wear):
            self._release(now_us)
            self.held = self._table.hold(step.strength, step.x_mm, step.y_mm, step.clearance_mm)
            self._pose = (step.x_mm, step.y_mm, step.clearance_mm)
            self._lift_noted = True

    def _grab(self, step: Grab, now_us: int) -> None:
        self._release(now_us)
        self.held = self._table.grab(step.x_mm, step.y_mm, step.count)
        if self.held is None:
            return
        self._pose = (self.held.x_mm, self.held.y_mm, self.held.clearance_mm)
        self._lift_noted = False
        self._note(now_us, "grabbed", self.held.origin, len(self.held.pawns))

    def _release(self, now_us: int) -> None:
        if self.held is None:
            return
        held, self.held = self.held, None
        tower = self._table.release(held)
        if tower is not None:
            self._note(now_us, "released", tower.cell, len(held.pawns))

    def _note(self, t_us: int, kind: str, where: str | tuple[float, float] | None, count: int) -> None:
        self.events.append(HandEvent(t_us, kind, where if isinstance(where, str) else None, count))


def _least_jerk(share: float) -> float:
    """How much of the way is done after this share of the time."""
    share = min(1.0, max(0.0, share))
    return share**3 * (10.0 - 15.0 * share + 6.0 * share * share)


def _least_jerk_inverse(way: float) -> float:
    """After which share of the time this much of the way is done."""
    low, high = 0.0, 1.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2.0
        if _least_jerk(middle) < way:
            low = middle
        else:
            high = middle
    return high

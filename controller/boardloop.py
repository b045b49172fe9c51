"""One turn after the other: obey, scan, understand, store, light, publish.

`BoardLoop.step` is one turn. It never waits, reads no clock but its devices', and does what it does on
whatever thread calls it: the daemon's, or a test. What it publishes is durable, or the disk has failed
and it says so.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from controller.api import Snapshot
from controller.core.calibration import Calibration
from controller.core.lights import Look, Meaning
from controller.core.messages import Command, View
from controller.core.session import Effects
from controller.diagnostics import Diagnostics, Report
from controller.errors import CommandError
from controller.keeper import Keeper
from controller.lamps import Lamps
from controller.leading import CalibrationDesk
from controller.publication import Publication, settle
from controller.recorder import Recorder
from controller.simulated import Stacks, TableDesk
from engines.base import Chance, RandomSource
from hardware.errors import BusError
from hardware.factory import Devices
from hardware.leds.power import DEFAULT_LIMIT_MA
from hardware.ports import Fault, Frame

PATIENCE_MS = 2000
"""How long a view waits for a disk that neither writes nor fails; then the game goes on from memory."""
MOST_RENEWALS = 3
_RATE_WINDOW = 50
_MS_A_SECOND = 1000
_COST_MEMORY = 0.02

Asked = tuple[Command, "Future[Snapshot]"]

_log = logging.getLogger(__name__)


class SessionPort(Protocol):
    """What the daemon needs of a session; see `controller.core.session.Session`."""

    def frame(self, frame: Frame) -> Effects:
        """What one scan means."""
        ...

    def command(self, command: Command, t_ms: int) -> Effects:
        """Carry out a command. Raises: CommandError."""
        ...

    def chance(self) -> Chance | None:
        """The chance event that is due."""
        ...

    def play_chance(self, move: Any) -> Effects:
        """Take the move that was drawn."""
        ...

    def view(self) -> View:
        """The state as everybody may see it."""
        ...

    def lights(self, t_ms: int) -> Mapping[str, Meaning]:
        """The meaning of the light under each lit cell."""
        ...


@dataclass(frozen=True, slots=True)
class LoopSettings:
    """How a board is to run. `table_file` is where what lies on a simulated table is noted."""

    rate_hz: int = 25
    look: Look = field(default_factory=Look)
    power_limit_ma: float = DEFAULT_LIMIT_MA
    table_file: Path | None = None
    calibration: Calibration | None = None


class Gate:
    """Whether what happened may be shown: the entries it rests on are durable, or cannot become so."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._need = 0
        self._since_ms: int | None = None

    def raise_to(self, count: int) -> None:
        """Keep back everything until the first `count` entries are durable."""
        self._need = count

    def is_open(self, now_ms: int) -> bool:
        """Whether it may be shown at `now_ms`; a disk that takes too long holds nothing back."""
        if self._keeper.is_settled(self._need):
            self._since_ms = None
            return True
        if self._since_ms is None:
            self._since_ms = now_ms
        return self.is_late(now_ms)

    def is_late(self, now_ms: int) -> bool:
        """Whether the disk takes too long."""
        return self._since_ms is not None and now_ms - self._since_ms >= PATIENCE_MS


class BoardLoop:
    """The owner of one board's devices and of its session."""

    def __init__(
        self,
        devices: Devices,
        keeper: Keeper,
        renew: Callable[[], SessionPort],
        settings: LoopSettings,
        rng: RandomSource,
        *,
        stock: Sequence[int] = (),
        desk: CalibrationDesk | None = None,
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        """`renew` makes a session for the game that `keeper` holds; `stock` are the owners of its pieces.

        `desk` leads calibrations; a board that needs none has none.
        """
        self._devices = devices
        self._keeper = keeper
        self._renew = renew
        self._settings = settings
        self._rng = rng
        self._session = renew()
        self._desk = desk
        self._lamps = Lamps(devices.strip, devices.board, settings.look, settings.power_limit_ma)
        wooden = devices.simulated
        self.table = (
            TableDesk(wooden, stock, self._agreed, wake, self._restart, at_hand=self._at_hand)
            if wooden
            else None
        )
        sensors = devices.sensors
        self.recorder = Recorder(devices.board, sensors.unit, settings.rate_hz, settings.calibration)
        self._diagnostics = Diagnostics(sensors.cells, sensors.unit, settings.calibration)
        self.public = Publication(self._session.view(), self._lamps.pixels)
        self._gate = Gate(keeper)
        self._due_ms = 0
        self._is_dirty = False
        self._shown: Mapping[str, Meaning] = {}
        self._table_seen: object = None
        self._table_noted: str | None = None
        self._scan_times: deque[int] = deque(maxlen=_RATE_WINDOW)
        self._frame_ms = 0.0
        self._renewals = 0
        self._failure: Fault | None = None

    def begin(self) -> None:
        """Bring the devices up: the strip dark, the table as it was, the chips configured."""
        now_ms = self._devices.clock.now_ms()
        self._lamps.darken(now_ms)
        if self.table is not None and self._settings.table_file is not None:
            self.table.restore(self._settings.table_file)
        self._devices.sensors.start()
        self._due_ms = self._devices.clock.now_ms()
        self._draw_chance()

    def step(self, now_ms: int, commands: Sequence[Asked] = ()) -> int:
        """One turn at `now_ms`: obey, scan if it is time, light, publish. Gives the ms till the next."""
        if self.table is not None:
            self.table.obey()
        for command, answer in commands:
            self._carry_out(command, answer, now_ms)
        if now_ms >= self._due_ms:
            self._due_ms = max(self._due_ms + _MS_A_SECOND // self._settings.rate_hz, now_ms)
            self._scan()
        now_ms = self._devices.clock.now_ms()
        self._show(now_ms)
        self._publish(now_ms)
        self._look_at_table()
        return max(0, self._due_ms - self._devices.clock.now_ms())

    # ------------------------------------------------------------------ what comes in

    def _carry_out(self, command: Command, answer: Future[Snapshot], now_ms: int) -> None:
        if self._desk is not None and self._desk.takes(command):
            self._calibrate(self._desk, command, answer)
            return
        self.recorder.input(now_ms, command)
        try:
            effects = self._session.command(command, now_ms)
        except CommandError as error:
            settle(answer, error)
        except Exception as error:
            self._stumble(error)
            settle(answer, error)
        else:
            self._take(effects)
            self._draw_chance()
            self.public.owe(answer)

    def _calibrate(self, desk: CalibrationDesk, command: Command, answer: Future[Snapshot]) -> None:
        was_busy = desk.is_busy
        try:
            desk.command(command)
        except CommandError as error:
            settle(answer, error)
            return
        self._is_dirty = True
        self.public.owe(answer)
        if was_busy and not desk.is_busy:
            self._give_back(desk)

    def _give_back(self, desk: CalibrationDesk) -> None:
        """The calibration is over: the game goes on where its entries say, with what was found."""
        self.recorder.calibration = desk.calibration
        self._diagnostics.calibrate(desk.calibration)
        self._take_up()
        self._draw_chance()

    def _scan(self) -> None:
        try:
            frame = self._devices.sensors.scan()
        except BusError:
            # Unread is unknown, never empty. The sensors name the fault and try again by themselves.
            now_ms = self._devices.clock.now_ms()
            frame = Frame(now_ms, (None,) * len(self._devices.sensors.cells))
        self._scan_times.append(frame.t_ms)
        if self._desk is not None:
            if self._desk.is_busy:
                self._lead(self._desk, frame)
                return
            frame = self._desk.readable(frame)
        self.recorder.frame(frame, self._session)
        began_ns = time.perf_counter_ns()
        try:
            effects = self._session.frame(frame)
        except Exception as error:
            self._stumble(error)
            return
        cost_ms = (time.perf_counter_ns() - began_ns) / 1e6
        self._frame_ms += (cost_ms - self._frame_ms) * (_COST_MEMORY if self._frame_ms else 1.0)
        self._diagnostics.see(frame, effects.events)
        self._take(effects)
        self._draw_chance()

    def _lead(self, desk: CalibrationDesk, frame: Frame) -> None:
        """A frame for the calibration: the game, and who records it, see nothing of it."""
        self._diagnostics.see(frame, ())
        self._is_dirty |= desk.frame(frame)
        if not desk.is_busy:
            self._give_back(desk)

    def _take(self, effects: Effects) -> None:
        if effects.entries:
            self._keeper.put(effects.entries)
            self._gate.raise_to(self._keeper.submitted)
        self._is_dirty |= effects.changed or bool(effects.entries)

    def _draw_chance(self) -> None:
        while (chance := self._session.chance()) is not None:
            self._take(self._session.play_chance(chance.sample(self._rng)))

    def _stumble(self, error: Exception) -> None:
        """The session is wrong: go on with a new one from what is stored, unless that keeps happening."""
        _log.exception("the session failed; it is made anew from the stored game")
        self._renewals += 1
        if self._renewals > MOST_RENEWALS:
            raise error
        self._take_up()

    def _take_up(self) -> None:
        """Go on with a new session over the stored game."""
        self._session = self._renew()
        self._diagnostics.begin_anew()
        self._is_dirty = True

    # ------------------------------------------------------------------ what goes out

    def _show(self, now_ms: int) -> None:
        if self._failure is not None:
            self._shown = {}
        elif self._desk is not None and self._desk.is_busy:
            self._shown = self._desk.lights()
        elif self._gate.is_open(now_ms):
            self._shown = self._session.lights(now_ms)
        if self._lamps.show(self._shown, now_ms):
            self.public.show_pixels(self._lamps.pixels)

    def _publish(self, now_ms: int) -> None:
        is_settled = self._gate.is_open(now_ms)
        faults = self._faults(now_ms)
        if (self._is_dirty and is_settled) or faults != self.public.snapshot.faults:
            self._is_dirty &= not is_settled
            progress = self._desk.progress if self._desk is not None else None
            self.public.show(self._session.view() if is_settled else None, faults, progress)
        if is_settled:
            self.public.answer()

    def _faults(self, now_ms: int) -> tuple[Fault, ...]:
        faults = [*self._devices.sensors.health().faults, *self._keeper.faults]
        if self._lamps.fault is not None:
            faults.append(self._lamps.fault)
        if self._gate.is_late(now_ms):
            faults.append(Fault("journal_slow", "journal"))
        if self._failure is not None:
            faults.append(self._failure)
        return tuple(faults)

    # ------------------------------------------------------------------ the simulated table

    def _agreed(self) -> Stacks:
        if self._desk is not None and self._desk.is_busy:
            return self._desk.stacks()
        return self._session.view().stacks

    def _restart(self) -> None:
        """Be as after a power cut, as far as a program can that goes on: dark, and the game from its entries.

        Entries that the disk has not taken yet would be lost in a real one; here they are kept.
        """
        self._lamps.darken(self._devices.clock.now_ms())
        self._take_up()
        self._draw_chance()

    def _at_hand(self) -> int | None:
        """A calibration needs one piece, and no others near the board."""
        return 1 if self._desk is not None and self._desk.is_busy else None

    def _look_at_table(self) -> None:
        if self.table is None:
            return
        seen = self.table.state()
        if seen != self._table_seen:
            self._table_seen = seen
            if seen.hand is None:
                self._note_table()
            self.public.tell("table")

    def _note_table(self) -> None:
        if self.table is None or self._settings.table_file is None:
            return
        noted = self.table.noted()
        if noted is not None and noted != self._table_noted:
            self._table_noted = noted
            self._keeper.put_file(self._settings.table_file, noted + "\n")

    # ------------------------------------------------------------------ how it fares

    def fail(self, error: Exception) -> None:
        """Play is over for this process: say so and go dark."""
        self._failure = Fault("internal", "daemon", (str(error),))
        now_ms = self._devices.clock.now_ms()
        self._lamps.darken(now_ms)
        self.public.show(None, self._faults(now_ms))

    def close(self) -> None:
        """Note what lies on the table, make the strip dark, release the devices."""
        self._note_table()
        self._devices.close()

    def status(self) -> Mapping[str, Any]:
        """Counters and rates; for any thread."""
        times = list(self._scan_times)
        span_ms = times[-1] - times[0] if len(times) > 1 else 0
        rate_hz = (len(times) - 1) * _MS_A_SECOND / span_ms if span_ms else 0.0
        return {
            "rate_hz": round(rate_hz, 1),
            "wanted_rate_hz": self._settings.rate_hz,
            "frame_ms": round(self._frame_ms, 3),
            "renewals": self._renewals,
            "entries": self._keeper.submitted,
            "durable": self._keeper.durable,
            "sensors": dict(self._devices.sensors.health().counters),
        }

    def diagnostics(self) -> Report:
        """How every place reads, and how the board fares; for any thread."""
        return self._diagnostics.report(self._devices.sensors.health().faults, self.status())

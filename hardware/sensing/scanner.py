"""The scanner: chips behind multiplexers become frames, whatever fails on the way.

One scan opens one channel after the other and reads what hangs there. A place that cannot be read
is None, is named as a fault, and is tried again after a pause, so that a broken sensor costs the
others nothing. One check of one chip (configuration or identity) rides along with every scan in
rotation, within the scan's budget of 310 bytes and 80 transactions for 49 places.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hardware.counting import BusCost
from hardware.errors import BusError, BusTimeoutError, HardwareError, NackError, WrongDeviceError
from hardware.ports import Clock, Fault, Frame, Health, Unit
from hardware.sensing import watch
from hardware.sensing.busline import BusLine
from hardware.sensing.post import Post, Wiring
from hardware.sensing.rota import Check, CheckRota
from hardware.sensing.routes import Routes, WayBlockedError
from hardware.sensing.watch import Watch


@dataclass(frozen=True, slots=True)
class ScanLimits:
    """How hard a scan tries: retries a chip, its deadline, and how many checks ride along.

    `start_ms` is the deadline for bringing up the whole board.
    """

    retries: int = 2
    deadline_ms: int = 250
    start_ms: int = 5_000
    checks_a_scan: int = 1


class _BusGoneError(Exception):
    """The whole bus hangs and could not be freed."""


class BusScanner:
    """`Sensors` over one I2C bus. One thread owns it; `health` may be asked from any.

    `wirings` were made for `line`. `reset_muxes` pulses the multiplexers' RESET line where there is
    one: the only way to free a bus that a sensor holds.
    """

    def __init__(
        self,
        line: BusLine,
        wirings: Sequence[Wiring],
        unit: Unit,
        clock: Clock,
        *,
        limits: ScanLimits | None = None,
        reset_muxes: Callable[[], None] | None = None,
    ) -> None:
        self._line = line
        self._unit = unit
        self._clock = clock
        self._limits = limits or ScanLimits()
        self._reset_muxes = reset_muxes
        self._posts = [Post(w) for w in sorted(wirings, key=lambda w: (w.mux, w.channel))]
        self._routes = Routes(line, (post.mux for post in self._posts))
        self._mux_watches = {address: Watch((f"mux 0x{address:02x}",)) for address in self._routes.addresses}
        self._cells = tuple(sorted(cell for post in self._posts for cell in post.chip.cells))
        self._rota: CheckRota[Post] = CheckRota(self._posts, self._limits.checks_a_scan)
        self._powerless: set[int] = set()
        self._values: dict[str, float] = {}
        self._deadline_ms = 0
        self._last_cost = BusCost()
        self._counters = {"scans": 0, "retries": 0, "restarts": 0, "hangs": 0, "reopened": 0}
        self._health = Health()

    @property
    def unit(self) -> Unit:
        """What its frames hold."""
        return self._unit

    @property
    def cells(self) -> tuple[str, ...]:
        """The names of the places, sorted."""
        return self._cells

    @property
    def last_cost(self) -> BusCost:
        """What the latest scan cost on the bus."""
        return self._last_cost

    def start(self) -> None:
        """Find, check and configure the chips; what is missing becomes a fault, not an error."""
        try:
            self._line.ensure(self._clock.now_ms())
            self._bring_all_up()
        except BusError:
            pass  # the line keeps the fault, and scans try again
        self._publish()

    def scan(self) -> Frame:
        """Read every place once, within the deadline. A place that cannot be read is None.

        Raises: BusError if nothing at all could be read; DeviceClosedError after `close`.
        """
        before = self._line.cost
        now_ms = self._clock.now_ms()
        try:
            if self._line.ensure(now_ms):
                self._begin_anew()
                self._bring_all_up()
                self._require_line()
            self._deadline_ms = self._clock.now_ms() + self._limits.deadline_ms
            self._values.clear()
            self._rota.begin(lambda post: post.watch.is_up)
            self._visit_all(read=True)
        finally:
            self._last_cost = self._line.cost.since(before)
            self._counters["scans"] += 1
            self._publish()
        frame = Frame(self._clock.now_ms(), tuple(self._values.get(cell) for cell in self._cells))
        if not self._values:
            self._require_line()
            raise BusError("no sensor answers")
        return frame

    def health(self) -> Health:
        """Faults that stand after the latest scan, and counters."""
        return self._health

    def close(self) -> None:
        """Release the bus; closing twice does nothing."""
        self._line.close()

    def _require_line(self) -> None:
        if self._line.fault is not None:
            raise BusError(str(self._line.fault.params[0]))

    def _begin_anew(self) -> None:
        self._counters["reopened"] += 1
        self._routes.distrust()
        for post in self._posts:
            post.watch.begin_anew()
        for mux_watch in self._mux_watches.values():
            mux_watch.begin_anew()

    def _bring_all_up(self) -> None:
        self._deadline_ms = self._clock.now_ms() + self._limits.start_ms
        self._visit_all(read=False)
        while self._line.fault is None and self._silent_muxes() - self._powerless:
            self._visit_all(read=False)  # now without those, which were in the way of all others

    def _silent_muxes(self) -> set[int]:
        return {address for address, mux_watch in self._mux_watches.items() if mux_watch.is_down}

    def _visit_all(self, *, read: bool) -> None:
        """Go once round the board; lose the bus if it hangs, or if it fails otherwise than by silence.

        Silent chips under a bus that works are named one by one: it is they that lack power.
        """
        failures = self._line.errors.others
        self._powerless = self._silent_muxes()
        try:
            for post in self._posts:
                now_ms = self._clock.now_ms()
                if now_ms > self._deadline_ms:
                    break
                if post.watch.is_due(now_ms) and self._mux_watches[post.mux].is_due(now_ms):
                    self._visit(post, read=read)
            self._routes.close()
        except (_BusGoneError, BusTimeoutError):
            self._routes.distrust()
            self._line.lose("bus_lost", self._clock.now_ms(), "the bus hangs")
            return
        got_on = bool(self._values) if read else any(post.watch.is_up for post in self._posts)
        if not got_on and self._line.errors.others > failures:
            self._line.lose("bus_lost", self._clock.now_ms(), "every transfer fails")
        else:
            self._line.works()

    def _visit(self, post: Post, *, read: bool) -> None:
        """Read or bring up one chip, trying again after errors that may pass."""
        left = self._limits.retries
        while True:
            try:
                if self._open_way(post):
                    self._serve(post, read=read)
                return
            except BusTimeoutError:
                self._hung(post)
                return
            except (WrongDeviceError, BusError) as error:
                post.watch.needs_bring_up |= isinstance(error, WrongDeviceError)
                if not left or self._clock.now_ms() > self._deadline_ms:
                    post.watch.failed(_code(error), self._clock.now_ms())
                    return
                left -= 1
                self._counters["retries"] += 1
                if not self._check_way(post):
                    return

    def _open_way(self, post: Post) -> bool:
        """Open the chip's channel; a multiplexer that fails is set aside with all that hangs on it."""
        left = self._limits.retries
        while True:
            try:
                self._routes.open(post.mux, post.channel, self._powerless)
            except BusTimeoutError:
                raise
            except HardwareError as error:
                if not left:
                    self._blame_mux(post.mux, error)
                    return False
                left -= 1
                self._counters["retries"] += 1
            else:
                self._mux_watches[post.mux].came_up()
                return True

    def _blame_mux(self, address: int, error: HardwareError) -> None:
        """Set a multiplexer aside; where it is in the way of others, they wait until the next scan."""
        if isinstance(error, WayBlockedError):
            if self._mux_watches[error.address].is_down:
                return
            address, error = error.address, error.cause
        self._mux_watches[address].failed(_code(error), self._clock.now_ms())

    def _check_way(self, post: Post) -> bool:
        """After an error: see whether the multiplexer still has the way open. False if the bus hung."""
        try:
            self._routes.verify(post.mux)
        except BusTimeoutError:
            self._hung(post)
            return False
        except BusError:
            pass  # in doubt now: the next trial opens the way anew, or finds the multiplexer gone
        return True

    def _serve(self, post: Post, *, read: bool) -> None:
        if post.watch.needs_bring_up:
            post.bring_up(self._clock.now_ms())
            if post.watch.is_fresh(self._clock.now_ms()):
                return
        if not read:
            return
        raw = post.chip.read()
        now_ms = self._clock.now_ms()
        check = self._rota.grant_turn(post)
        if post.chip.looks_restarted(raw, post.watch.last_raw):
            if post.watch.is_fresh(now_ms) or not (check or self._rota.grant_doubt()):
                return
            check = Check.CONFIGURATION
        if post.passes(check, now_ms):
            self._values.update(post.accept(raw, now_ms))
        else:
            self._counters["restarts"] += 1
            self._rota.found_trouble()

    def _hung(self, post: Post) -> None:
        """The bus hung while this chip was spoken to: free the bus, and leave the chip alone for long."""
        self._counters["hangs"] += 1
        post.watch.failed(watch.HANG, self._clock.now_ms())
        self._routes.distrust()
        if self._reset_muxes is not None:
            self._reset_muxes()
        try:
            self._routes.close()
        except BusTimeoutError:
            raise _BusGoneError from None

    def _publish(self) -> None:
        now_ms = self._clock.now_ms()
        faults: list[Fault] = [self._line.fault] if self._line.fault else []
        if not faults:
            for mux_watch in self._mux_watches.values():
                faults += mux_watch.faults(now_ms)
            for post in self._posts:
                if not self._mux_watches[post.mux].is_down:  # else the multiplexer says it for all
                    faults += post.watch.faults(now_ms)
        errors = self._line.errors
        self._health = Health(
            tuple(faults),
            {
                **self._counters,
                "nacks": errors.nacks,
                "timeouts": errors.timeouts,
                "bus_errors": errors.others,
                "bytes": self._line.cost.bytes,
                "transactions": self._line.cost.transactions,
                "scan_bytes": self._last_cost.bytes,
                "scan_transactions": self._last_cost.transactions,
            },
        )


def _code(error: HardwareError) -> str:
    if isinstance(error, WrongDeviceError):
        return watch.WRONG_IDENTITY
    return watch.NACK if isinstance(error, NackError) else watch.BUS_ERROR

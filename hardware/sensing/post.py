"""A chip at its place in the scan: bringing it up, checking it, believing its readings."""

from __future__ import annotations

from dataclasses import dataclass

from hardware.sensing.chip import PlaceChip
from hardware.sensing.rota import Check
from hardware.sensing.watch import Watch


@dataclass(frozen=True, slots=True)
class Wiring:
    """Where a chip hangs: the channel of a multiplexer."""

    mux: int
    channel: int
    chip: PlaceChip


class Post:
    """A wired chip and how it fares. Everything raises BusError and WrongDeviceError."""

    __slots__ = ("channel", "chip", "mux", "watch")

    def __init__(self, wiring: Wiring) -> None:
        self.mux = wiring.mux
        self.channel = wiring.channel
        self.chip = wiring.chip
        self.watch = Watch(wiring.chip.cells)

    def bring_up(self, now_ms: int) -> None:
        """See who is there, and configure it unless it is configured already."""
        self.chip.identify()
        if not self.chip.is_configured():
            self.configure(now_ms)
        self.watch.came_up()

    def configure(self, now_ms: int) -> None:
        """Write its configuration."""
        self.chip.configure()
        self.watch.configured(now_ms)

    def passes(self, check: Check | None, now_ms: int) -> bool:
        """Whether it is what it should be; one that restarted is configured anew."""
        if check is Check.IDENTITY:
            self.chip.identify()
        elif check is Check.CONFIGURATION and not self.chip.is_configured():
            self.watch.restarted(now_ms)
            self.configure(now_ms)
            return False
        return True

    def accept(self, raw: tuple[int, ...], now_ms: int) -> dict[str, float]:
        """The values by cell, in the frames' unit; empty while it is frozen."""
        if self.chip.has_noise:
            self.watch.saw(raw, now_ms)
            if self.watch.wants_remedy(now_ms):
                self.configure(now_ms)
            if self.watch.frozen:
                return {}
        return dict(zip(self.chip.cells, self.chip.values(raw), strict=True))

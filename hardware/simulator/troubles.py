"""What is broken on a simulated board, by name, and when it heals by itself.

The faults themselves are in the chips, the bus and the strip; this names them for scripts and pages.
"""

from __future__ import annotations

from hardware.simulator.board import SimulatedBoard
from hardware.simulator.bus import BusTrouble

BUS = "bus"
STRIP = "strip"
EVERYTHING = "all"
NOISE_FACTOR = 20.0
_BUS_TROUBLES = {"hang": BusTrouble.HANGS, "fails": BusTrouble.FAILS, "gone": BusTrouble.GONE}


class Troubles:
    """Breaks and heals the parts of one board. A part is a place, `bus` or `strip`."""

    def __init__(self, wooden: SimulatedBoard) -> None:
        self._wooden = wooden
        self._standing: dict[str, str] = {}
        self._heals_ms: dict[str, int] = {}

    @property
    def standing(self) -> tuple[tuple[str, str], ...]:
        """The parts that are broken and how, sorted."""
        return tuple(sorted(self._standing.items()))

    def break_part(self, part: str, kind: str, duration_ms: int | None = None) -> None:
        """Break a part in one way (`script.CELL_FAULTS`, `BUS_FAULTS`, `lost`), whatever it suffered before.

        It heals after `duration_ms`, where that is given.
        Raises: KeyError for a part or a kind that does not exist.
        """
        if kind == "restarted":
            self._wooden.sensor(part).restart()
            return
        self.heal(part)
        if part == BUS:
            self._wooden.bus.trouble = _BUS_TROUBLES[kind]
        elif part == STRIP:
            self._wooden.strip.fails = True
        else:
            faults = self._wooden.sensor(part).faults
            match kind:
                case "dead" | "unread":
                    faults.dead = True
                case "stuck":
                    faults.stuck = True
                case "noisy":
                    faults.noise_factor = NOISE_FACTOR
                case _:
                    raise KeyError(kind)
        self._standing[part] = kind
        if duration_ms is not None:
            self._heals_ms[part] = self._wooden.clock.now_ms() + duration_ms

    def heal(self, part: str) -> None:
        """Make a part well again, or `all` of them.

        Raises: KeyError for a part that does not exist.
        """
        if part == EVERYTHING:
            for broken in tuple(self._standing):
                self.heal(broken)
            return
        if part == BUS:
            self._wooden.bus.trouble = BusTrouble.NONE
        elif part == STRIP:
            self._wooden.strip.fails = False
        else:
            self._wooden.sensor(part).heal()
        self._standing.pop(part, None)
        self._heals_ms.pop(part, None)

    def go_on(self) -> None:
        """Heal what is due by now."""
        now_ms = self._wooden.clock.now_ms()
        for part in [part for part, due_ms in self._heals_ms.items() if due_ms <= now_ms]:
            self.heal(part)

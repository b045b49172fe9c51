"""How every place of a running board reads, for people who look for what is wrong with it.

Fed by the daemon's thread at every frame, asked from any. What it says about places that fail comes
from those who decide it: the sensors' health and the session; it adds noise and margins.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from controller.core.calibration import Calibration
from controller.core.messages import Event, PlaceFault
from hardware.ports import Fault, Frame, Unit

OPERATE = 0.25
"""A place counts as occupied from this share of a single piece's field on."""
WEAK = "weak"
NOISY = "noisy"
_WEAK_SIGMAS = 5.0
_WEAK_FRAMES = 25
_FIRST_NOISE_MT = 0.03
_MEMORY = 0.02
_NOISY_TIMES = 6.0
"""So many times the noise of the calibration, and a place is named, even if the game still uses it."""
_STEP_VARIANCE = 2.41
"""Variance of a step that turns back, in variances of a value: normal noise, by simulation."""
_CLIP = 4.0
"""A step of more than this many deviations counts as so many."""
_LEAST_NOISE_MT = 1e-4


@dataclass(frozen=True, slots=True)
class Report:
    """How a board fares. The columns have one entry a place, in the order of `cells`.

    `values` as in a frame, `None` where unread. `noise_mt` is a standard deviation. `margins_mt` is how
    far the value is from `thresholds_mt`, where empty becomes occupied; positive, whichever side it is
    on. `states` is `ok`, the code of the fault that stands against the place, or what is to be seen here:
    `weak` (for a while too near the threshold for its noise) or `noisy` (far more than when calibrated).
    """

    t_ms: int = 0
    unit: str = Unit.MT.value
    cells: tuple[str, ...] = ()
    values: tuple[float | None, ...] = ()
    occupied: tuple[bool | None, ...] = ()
    noise_mt: tuple[float | None, ...] = ()
    margins_mt: tuple[float | None, ...] = ()
    thresholds_mt: tuple[float | None, ...] = ()
    states: tuple[str, ...] = ()
    calibrated_at: str = ""
    status: Mapping[str, Any] = field(default_factory=dict)


class Diagnostics:
    """What is known of every place: its latest value, its noise, and what stands against it."""

    def __init__(self, cells: Sequence[str], unit: Unit, calibration: Calibration | None) -> None:
        self._cells = tuple(cells)
        self._unit = unit
        self._calibration = calibration
        self._frame = Frame(0, (None,) * len(cells))
        first = calibration.noise_mt if calibration else _FIRST_NOISE_MT
        self._usual_mt = max(first, _LEAST_NOISE_MT)
        self._noise_mt = [self._usual_mt] * len(cells)
        self._steps = [0.0] * len(cells)
        self._near = [0] * len(cells)
        self._faults: dict[str, str] = {}

    def see(self, frame: Frame, events: Iterable[Event]) -> None:
        """A frame was read, and this is what the session made of it."""
        before, self._frame = self._frame, frame
        for k, (old, new) in enumerate(zip(before.values, frame.values, strict=True)):
            if old is not None and new is not None:
                step, self._steps[k] = self._steps[k], new - old
                if step * self._steps[k] < 0:  # noise goes to and fro, hands do not
                    self._noise_mt[k] = _followed(self._noise_mt[k], self._steps[k])
            margin = self._margin(k, new)
            is_near = margin is not None and margin < _WEAK_SIGMAS * self._noise_mt[k]
            self._near[k] = self._near[k] + 1 if is_near else 0
        for event in events:
            if isinstance(event, PlaceFault):
                if event.fault is None:
                    self._faults.pop(event.cell, None)
                else:
                    self._faults[event.cell] = event.fault

    def calibrate(self, calibration: Calibration) -> None:
        """The board was measured anew."""
        self._calibration = calibration
        self._usual_mt = max(calibration.noise_mt, _LEAST_NOISE_MT)

    def begin_anew(self) -> None:
        """Another session follows the board: what the one before knew of its places is forgotten."""
        self._faults.clear()

    def report(self, faults: Iterable[Fault], status: Mapping[str, Any]) -> Report:
        """How the board fares now; `faults` stand against its sensors. For any thread."""
        frame = self._frame
        known = self._faults | {fault.where: fault.code for fault in faults}
        is_field = self._unit is Unit.MT
        thresholds = [self._threshold(k) for k in range(len(self._cells))]
        return Report(
            t_ms=frame.t_ms,
            unit=self._unit.value,
            cells=self._cells,
            values=tuple(_rounded(value) for value in frame.values),
            occupied=tuple(_reached(v, limit) for v, limit in zip(frame.values, thresholds, strict=True)),
            noise_mt=tuple(_rounded(noise) if is_field else None for noise in self._noise_mt),
            margins_mt=tuple(_rounded(self._margin(k, v)) for k, v in enumerate(frame.values)),
            thresholds_mt=tuple(_rounded(limit) if is_field else None for limit in thresholds),
            states=tuple(self._state(k, known.get(cell)) for k, cell in enumerate(self._cells)),
            calibrated_at=self._calibration.made_at if self._calibration else "",
            status=status,
        )

    def _state(self, k: int, fault: str | None) -> str:
        if fault is not None:
            return fault
        if self._noise_mt[k] > _NOISY_TIMES * self._usual_mt:
            return NOISY
        return WEAK if self._near[k] >= _WEAK_FRAMES else "ok"

    def _threshold(self, k: int) -> float | None:
        """The value from which place k counts as occupied."""
        if self._unit is Unit.PRESENT:
            return 0.5
        if self._calibration is None:
            return None
        return self._calibration.zero_mt[k] + OPERATE * self._calibration.single_mt[k]

    def _margin(self, k: int, value: float | None) -> float | None:
        threshold = self._threshold(k)
        if value is None or threshold is None or self._unit is Unit.PRESENT:
            return None
        return abs(value - threshold)


def _followed(noise: float, step: float) -> float:
    """The noise after one more step from frame to frame that turned back."""
    bounded = min(abs(step), _CLIP * noise)
    variance = (1.0 - _MEMORY) * noise * noise + _MEMORY * bounded * bounded / _STEP_VARIANCE
    return max(sqrt(variance), _LEAST_NOISE_MT)


def _reached(value: float | None, threshold: float | None) -> bool | None:
    return None if value is None or threshold is None else value >= threshold


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)

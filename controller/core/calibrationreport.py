"""What a calibration tells of itself: its stage, what it waits for, and how good each place is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from math import hypot

from controller.core.fieldmodel import FieldParameters
from hardware.magnetics import field_table

THRESHOLD_SHARE = 0.25
"""A place counts as occupied from this share of an ordinary piece on; margins are measured against it."""
WEAK_SHARE = 0.5
"""A place that reads less than this share of the median is weak."""


class Way(Enum):
    """How the single pieces come to the places."""

    CARRY = "carry"
    SETUP = "setup"


class Stage(Enum):
    """What a calibration waits for."""

    EMPTY = "empty"
    """The board must be empty and left alone."""
    SINGLE = "single"
    """One piece must stand on the place that is next, and nowhere else."""
    SET_UP = "set_up"
    """A single piece must stand on every place of the set-up."""
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class PlaceReport:
    """What is known of one place.

    `signal_to_noise` is the single piece over the noise, `margin` over the threshold from which a
    place counts as occupied. `fault` is `unread`, `noisy`, `stuck`, `dead`, `weak`, `swapped` (what
    should be felt here is felt at `other`) or `skipped`.
    """

    single_mt: float | None = None
    noise_mt: float | None = None
    signal_to_noise: float | None = None
    margin: float | None = None
    fault: str | None = None
    other: str | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a calibration is. `done` of `total` places are settled; `cell` is the next one.

    `hint` says what stands in the way, about `cells`: `remove`, `rest`, `unread`, `place`, `carry`,
    `misplaced`, `extra`, `reversed`; in the end `swapped` or `too_few`, or None.
    """

    way: str
    stage: str
    cell: str | None
    done: int
    total: int
    hint: str | None
    cells: tuple[str, ...]
    places: Mapping[str, PlaceReport]


def single_fields(parameters: FieldParameters) -> tuple[tuple[float, ...], ...]:
    """`[k][j]`: what one piece standing on place j gives at place k, in nominal mT."""
    table = field_table(parameters.magnet)
    places = parameters.positions_mm
    return tuple(
        tuple(table.bz_mt(hypot(a[0] - b[0], a[1] - b[1]) ** 2, parameters.gap_mm) for b in places)
        for a in places
    )


def judged(report: PlaceReport, ordinary_mt: float) -> PlaceReport:
    """The report with its margins, `ordinary_mt` being the median of all places; a weak place is named."""
    if report.single_mt is None:
        return report
    single = abs(report.single_mt)
    return replace(
        report,
        signal_to_noise=single / report.noise_mt if report.noise_mt else None,
        margin=single / (THRESHOLD_SHARE * ordinary_mt),
        fault=report.fault or ("weak" if single < WEAK_SHARE * ordinary_mt else None),
    )


def serpentine(positions_mm: Sequence[tuple[float, float]], places: Sequence[int]) -> list[int]:
    """`places` row by row, every other row backwards: the shortest way for a hand."""
    rows: dict[float, list[int]] = {}
    for k in places:
        rows.setdefault(round(positions_mm[k][1]), []).append(k)
    order: list[int] = []
    for number, y_mm in enumerate(sorted(rows, reverse=True)):
        row = sorted(rows[y_mm], key=lambda k: positions_mm[k][0])
        order += row[::-1] if number % 2 else row
    return order


def rounded(report: PlaceReport) -> PlaceReport:
    """The report with no more digits than mean something."""

    def short(value: float | None, digits: int) -> float | None:
        return None if value is None else round(value, digits)

    return replace(
        report,
        single_mt=short(report.single_mt, 2),
        noise_mt=short(report.noise_mt, 4),
        signal_to_noise=short(report.signal_to_noise, 0),
        margin=short(report.margin, 2),
    )

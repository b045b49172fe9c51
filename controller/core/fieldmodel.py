"""What the sensors of a field board should read, for any towers on it and one in a hand.

Fields are *nominal* mT: what a sensor of gain one and zero offset nought would read. `FieldModel` is
built once from a board's geometry and magnet; all its answers are table look-ups.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from controller.core.pose import Pose
from hardware.magnetics import FieldTable, Magnet, field_table

TALLEST = 10
"""The tallest tower the tables hold: two full ones, one wrongly set on the other."""

_REACH_MM = 100.0
"""Beyond this a tower's change of field is lost in the noise."""

_CLEARANCE_STEPS = 16
"""Steps of the hand table in one piece's height."""

_HAND_RANGE_MM = 104.0
_HAND_CEILING_MM = 96.0
_RHO_STEP_MM = 2.0


@dataclass(frozen=True, slots=True)
class FieldParameters:
    """The geometry of a field board: where its places lie and what its pieces are, in mm and tesla."""

    positions_mm: tuple[tuple[float, float], ...]
    pitch_mm: float
    pawn_mm: float
    gap_mm: float
    magnet: Magnet


class FieldModel:
    """Tables of the field of towers on the board and in a hand. All fields nominal mT."""

    def __init__(self, parameters: FieldParameters) -> None:
        self.parameters = parameters
        self.positions_mm = parameters.positions_mm
        table = field_table(parameters.magnet)
        by_distance: dict[float, tuple[float, ...]] = {}
        self.cross: tuple[tuple[tuple[float, ...], ...], ...] = tuple(
            tuple(
                self._column(table, round(hypot(a[0] - b[0], a[1] - b[1]), 3), by_distance)
                for b in self.positions_mm
            )
            for a in self.positions_mm
        )
        """`cross[k][j][h]`: what a tower of h on place j adds at place k (its own field where k is j)."""
        self.own = self._column(table, 0.0, by_distance)
        """`own[h]`: the field right under a tower of h."""
        self.near: tuple[tuple[int, ...], ...] = tuple(
            tuple(k for k, a in enumerate(self.positions_mm) if hypot(a[0] - b[0], a[1] - b[1]) <= _REACH_MM)
            for b in self.positions_mm
        )
        """`near[j]`: the places that feel a change on place j, itself included."""
        self.ring: tuple[tuple[int, ...], ...] = tuple(
            tuple(
                k
                for k, a in enumerate(self.positions_mm)
                if hypot(a[0] - b[0], a[1] - b[1]) <= 1.5 * parameters.pitch_mm
            )
            for b in self.positions_mm
        )
        """`ring[j]`: place j and the places next to it."""
        self.felt_by = tuple(tuple((k, self.cross[k][j]) for k in near) for j, near in enumerate(self.near))
        """`felt_by[j]`: the places that feel place j, each with its column of `cross`."""
        self.hand_table = HandTable(table, parameters)

    @property
    def single_mt(self) -> float:
        """The field right under one piece."""
        return self.own[1]

    def _column(
        self, table: FieldTable, distance_mm: float, made: dict[float, tuple[float, ...]]
    ) -> tuple[float, ...]:
        if distance_mm not in made:
            total, column = 0.0, [0.0]
            for level in range(TALLEST):
                z_mm = self.parameters.gap_mm + level * self.parameters.pawn_mm
                total += table.bz_mt(distance_mm * distance_mm, z_mm)
                column.append(total)
            made[distance_mm] = tuple(column)
        return made[distance_mm]

    def scene(self, heights: Sequence[int]) -> list[float]:
        """What every place reads when towers of these heights stand on the board."""
        standing = [(j, h) for j, h in enumerate(heights) if h]
        return [sum(row[j][h] for j, h in standing) for row in self.cross]

    def nearest(self, x_mm: float, y_mm: float) -> int:
        """The place nearest to this point."""
        return min(
            range(len(self.positions_mm)),
            key=lambda k: (self.positions_mm[k][0] - x_mm) ** 2 + (self.positions_mm[k][1] - y_mm) ** 2,
        )


class HandTable:
    """The field of towers at any height above the wood, by distance and height."""

    def __init__(self, table: FieldTable, parameters: FieldParameters) -> None:
        self._step_mm = parameters.pawn_mm / _CLEARANCE_STEPS
        self._levels = int(_HAND_CEILING_MM / self._step_mm)
        self._columns = int(_HAND_RANGE_MM / _RHO_STEP_MM)
        tall = self._levels + 1 + TALLEST * _CLEARANCE_STEPS
        self._single = [
            [
                table.bz_mt((c * _RHO_STEP_MM) ** 2, parameters.gap_mm + level * self._step_mm)
                for level in range(tall)
            ]
            for c in range(self._columns + 2)
        ]
        self._towers = [self._tower(pieces) for pieces in range(TALLEST)]

    def _tower(self, pieces: int) -> list[list[float]]:
        return [
            [
                sum(column[level : level + _CLEARANCE_STEPS * pieces : _CLEARANCE_STEPS])
                for level in range(self._levels + 1)
            ]
            for column in self._single
        ]

    def tower(self, pieces: int, pose: Pose, places_mm: Sequence[tuple[float, float]]) -> list[float]:
        """What a tower of `pieces` held at `pose` adds at each of these points."""
        x_mm, y_mm, base_mm = pose
        up = min(max(base_mm, 0.0), _HAND_CEILING_MM - self._step_mm) / self._step_mm
        j = int(up)
        w = up - j
        tower, columns, out = self._towers[pieces], self._columns, []
        for px, py in places_mm:
            at = hypot(px - x_mm, py - y_mm) / _RHO_STEP_MM
            i = int(at)
            if i >= columns:
                out.append(0.0)
                continue
            u = at - i
            a, b = tower[i], tower[i + 1]
            low = a[j] + u * (b[j] - a[j])
            high = a[j + 1] + u * (b[j + 1] - a[j + 1])
            out.append(low + w * (high - low))
        return out

"""The simulated world: pieces in holes, beside the board and in hands, and the field they make.

Everything is deterministic given the random generator that is handed in. Lengths are millimetres
on the board file's axes; a clearance is the height of a tower's underside over the board.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from hardware.boardfile import Board
from hardware.magnetics import FieldTable, field_table


@dataclass(frozen=True, slots=True)
class Physics:
    """How far real boards are from ideal ones: standard deviations.

    `lateral_mm` and `vertical_mm` are how exactly a tower comes to stand (it never stands lower
    than it can), `strength` how equal magnets are; the rest belongs to the sensors.
    Source: tolerances of N35 magnets and turned pieces; the sensor's noise at 32 samples a value.
    """

    strength: float = 0.02
    lateral_mm: float = 0.3
    vertical_mm: float = 0.08
    gain: float = 0.05
    offset_mt: float = 0.15
    noise_mt: float = 0.025


IDEAL = Physics(strength=0.0, lateral_mm=0.0, vertical_mm=0.0, gain=0.0, offset_mt=0.0, noise_mt=0.004)
"""A world without any spread, and hardly a flicker of noise: a sensor with none at all counts as frozen."""

_RESEAT = 0.4  # a tower that another is put on moves less than one that is put down


@dataclass(frozen=True, slots=True)
class Pawn:
    """One piece: who owns it, and its magnet's strength as a multiple of the nominal one."""

    owner: int
    strength: float


@dataclass(slots=True)
class Tower:
    """Pieces standing on one another, bottom first: in the hole `cell`, or loose where it is None."""

    pawns: list[Pawn]
    cell: str | None
    x_mm: float
    y_mm: float
    rise_mm: float = 0.0
    fields_mt: tuple[float, ...] = ()


@dataclass(slots=True)
class Carried:
    """What a hand holds, and where. `origin` is where it was taken: a cell, or a place beside the board.

    `pawns` is empty for something else with a field, such as a bracelet.
    """

    pawns: list[Pawn]
    strengths: tuple[float, ...]
    x_mm: float
    y_mm: float
    clearance_mm: float
    origin: str | tuple[float, float] = (0.0, 0.0)
    taken_mm: float = field(default=0.0)


class Table:
    """The board and what lies on and around it."""

    def __init__(self, board: Board, rng: Random, physics: Physics | None = None) -> None:
        self.board = board
        self.physics = physics or Physics()
        self._rng = rng
        self._field: FieldTable = field_table(board.magnet)
        self._places = board.positions_mm
        self._towers: list[Tower] = []
        self._standing_mt: list[float] = [0.0] * len(board.cells)
        self.carried: list[Carried] = []

    def set_up(self, stacks: Mapping[str, Sequence[int]]) -> None:
        """Put these towers on the board, owners bottom first; everything else is taken away.

        Raises: ValueError naming the cells that the board does not have.
        """
        unknown = sorted(set(stacks) - set(self.board.names))
        if unknown:
            raise ValueError(f"{', '.join(unknown)}: no such cells on the board {self.board.name}")
        self._towers = []
        self.carried = []
        for name, owners in stacks.items():
            if owners:
                pawns = [self.new_pawn(owner) for owner in owners]
                cell = self.board.cell(name)
                self._stand(Tower(pawns, name, cell.x_mm, cell.y_mm))
        self._total()

    def new_pawn(self, owner: int) -> Pawn:
        """A piece with a magnet of its own strength."""
        return Pawn(owner, max(0.1, self._rng.gauss(1.0, self.physics.strength)))

    def stacks(self) -> dict[str, tuple[int, ...]]:
        """The truth: the owners on each hole that is not empty, bottom first, sorted by cell."""
        standing = {t.cell: tuple(p.owner for p in t.pawns) for t in self._towers if t.cell is not None}
        return dict(sorted(standing.items()))

    def loose(self) -> list[tuple[float, float, tuple[int, ...]]]:
        """The towers beside the holes: x, y, owners bottom first."""
        return [(t.x_mm, t.y_mm, tuple(p.owner for p in t.pawns)) for t in self._towers if t.cell is None]

    @property
    def towers(self) -> tuple[Tower, ...]:
        """All towers that stand, loose ones too."""
        return tuple(self._towers)

    def tower_at(self, x_mm: float, y_mm: float) -> Tower | None:
        """The tower within half a pitch of a place, the nearest one; None if there is none."""
        within = self.board.pitch_mm / 2.0
        near = [(math.hypot(t.x_mm - x_mm, t.y_mm - y_mm), n) for n, t in enumerate(self._towers)]
        distance, index = min(near, default=(math.inf, -1))
        return self._towers[index] if distance <= within else None

    def top_mm(self, x_mm: float, y_mm: float, besides: tuple[float, float] | None = None) -> float:
        """How high what stands in the way of a piece at this place reaches; 0 where nothing does.

        A tower at `besides` is not counted.
        """
        near_mm = self.board.pawn_diameter_mm
        tops = [0.0]
        for tower in self._towers:
            own = besides is not None and math.dist(besides, (tower.x_mm, tower.y_mm)) < near_mm / 2.0
            if not own and math.dist((x_mm, y_mm), (tower.x_mm, tower.y_mm)) < near_mm:
                tops.append(len(tower.pawns) * self.board.pawn_mm)
        return max(tops)

    def rest_mm(self, x_mm: float, y_mm: float) -> float:
        """The clearance at which a piece that is let go at this place comes to rest."""
        below = self._below(self._hole_at(x_mm, y_mm), x_mm, y_mm)
        return len(below.pawns) * self.board.pawn_mm if below is not None else 0.0

    def grab(self, x_mm: float, y_mm: float, count: int | None = None) -> Carried | None:
        """Take the tower at a place, or its `count` top pieces; None if nothing stands there.

        Raises: ValueError if `count` is less than 1.
        """
        if count is not None and count < 1:
            raise ValueError(f"count is {count}, must be at least 1")
        tower = self.tower_at(x_mm, y_mm)
        if tower is None:
            return None
        stay = max(0, len(tower.pawns) - count) if count is not None else 0
        pawns = tower.pawns[stay:]
        del tower.pawns[stay:]
        if stay:
            self._measure(tower)
        else:
            self._towers.remove(tower)
        base_mm = tower.rise_mm + stay * self.board.pawn_mm
        origin = tower.cell if tower.cell is not None else (tower.x_mm, tower.y_mm)
        strengths = tuple(pawn.strength for pawn in pawns)
        held = Carried(pawns, strengths, tower.x_mm, tower.y_mm, base_mm, origin, base_mm)
        self.carried.append(held)
        self._total()
        return held

    def hold(self, strength: float, x_mm: float, y_mm: float, clearance_mm: float) -> Carried:
        """Something in or on a hand that is no piece but has a field, such as a bracelet."""
        held = Carried([], (strength,), x_mm, y_mm, clearance_mm)
        self.carried.append(held)
        return held

    def take_away(self, held: Carried) -> None:
        """Let what a hand holds vanish from the table, pieces too."""
        self.carried.remove(held)

    def release(self, held: Carried) -> Tower | None:
        """Let go: on the nearest hole within half a pitch, else loose; on what stands there already."""
        self.carried.remove(held)
        if not held.pawns:
            return None
        return self.put(held.pawns, held.x_mm, held.y_mm)

    def put(self, pawns: Iterable[Pawn], x_mm: float, y_mm: float) -> Tower:
        """Set pieces down at a place, as `release` does."""
        cell = self._hole_at(x_mm, y_mm)
        below = self._below(cell, x_mm, y_mm)
        if below is not None:
            below.pawns.extend(pawns)
            self._reseat(below, _RESEAT)
        else:
            if cell is not None:
                home = self.board.cell(cell)
                x_mm, y_mm = home.x_mm, home.y_mm
            below = Tower(list(pawns), cell, x_mm, y_mm)
            self._stand(below)
        self._total()
        return below

    def nudge(self, tower: Tower) -> None:
        """Touch a tower so that it stands a little differently."""
        self._reseat(tower, 1.0)
        self._total()

    def field_mt(self, index: int) -> float:
        """Bz at the sensor of the cell with this index, in mT."""
        total_mt = self._standing_mt[index]
        if self.carried:
            x_mm, y_mm = self._places[index]
            for held in self.carried:
                dx_mm, dy_mm = held.x_mm - x_mm, held.y_mm - y_mm
                base_mm = self.board.gap_mm + held.clearance_mm
                total_mt += self._field.stack_bz_mt(
                    dx_mm * dx_mm + dy_mm * dy_mm, base_mm, self.board.pawn_mm, held.strengths
                )
        return total_mt

    def put_all(self, standing: Sequence[Tower], lost: Sequence[Tower]) -> None:
        """Have exactly these towers as they stand, then set the `lost` ones down at their places."""
        self.carried = []
        self._towers = list(standing)
        for tower in self._towers:
            self._measure(tower)
        for tower in lost:
            self.put(tower.pawns, tower.x_mm, tower.y_mm)
        self._total()

    def _hole_at(self, x_mm: float, y_mm: float) -> str | None:
        within = self.board.pitch_mm / 2.0
        distance, name = min((math.hypot(c.x_mm - x_mm, c.y_mm - y_mm), c.name) for c in self.board.cells)
        return name if distance <= within else None

    def _below(self, cell: str | None, x_mm: float, y_mm: float) -> Tower | None:
        for tower in self._towers:
            if cell is not None:
                if tower.cell == cell:
                    return tower
            elif tower.cell is None:
                distance_mm = math.hypot(tower.x_mm - x_mm, tower.y_mm - y_mm)
                if distance_mm < self.board.pawn_diameter_mm / 2.0:
                    return tower
        return None

    def _stand(self, tower: Tower) -> None:
        self._towers.append(tower)
        self._reseat(tower, 1.0)

    def _reseat(self, tower: Tower, scale: float) -> None:
        physics, rng = self.physics, self._rng
        x_mm, y_mm = tower.x_mm, tower.y_mm
        if tower.cell is not None and scale == 1.0:
            home = self.board.cell(tower.cell)
            x_mm, y_mm = home.x_mm, home.y_mm
        tower.x_mm = x_mm + rng.gauss(0.0, physics.lateral_mm * scale)
        tower.y_mm = y_mm + rng.gauss(0.0, physics.lateral_mm * scale)
        tower.rise_mm = abs(rng.gauss(0.0, physics.vertical_mm))
        self._measure(tower)

    def _measure(self, tower: Tower) -> None:
        """Keep what a tower adds to every sensor: it stands still far longer than it moves."""
        strengths = [pawn.strength for pawn in tower.pawns]
        base_mm = self.board.gap_mm + tower.rise_mm
        tower.fields_mt = tuple(
            self._field.stack_bz_mt(
                (tower.x_mm - x_mm) ** 2 + (tower.y_mm - y_mm) ** 2, base_mm, self.board.pawn_mm, strengths
            )
            for x_mm, y_mm in self._places
        )

    def _total(self) -> None:
        if self._towers:
            self._standing_mt = [
                sum(column) for column in zip(*(t.fields_mt for t in self._towers), strict=True)
            ]
        else:
            self._standing_mt = [0.0] * len(self._places)

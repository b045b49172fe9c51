"""The magnetic field of cylinder magnets, as the simulator and the recogniser's field model see it.

Pure mathematics. Lengths are millimetres, fields mT. Distances along the axis count from the face
that looks at the sensor; the field at the sensor is positive when a piece stands over it, and turns
negative beside it.

Source: Derby and Olbert, "Cylindrical magnets and ideal solenoids", Am. J. Phys. 78 (2010) 229;
Bulirsch, "Numerical calculation of elliptic integrals and elliptic functions", Numer. Math. 7 (1965).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

_MT_PER_T = 1000.0
_AGM_TOLERANCE = 1e-8  # the error is its square, since the mean converges quadratically
_RIM_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Magnet:
    """An axially magnetised cylinder; `br_t` is its remanence in tesla.

    Raises: ValueError where a size is not positive.
    """

    diameter_mm: float
    length_mm: float
    br_t: float

    def __post_init__(self) -> None:
        for name in ("diameter_mm", "length_mm", "br_t"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0):
                raise ValueError(f"magnet: {name} is {value}, must be a positive number")


def _cel(kc: float, p: float, c: float, s: float) -> float:
    """Complete elliptic integral in Bulirsch's general form, for kc > 0 and p > 0.

    The integral from 0 to pi/2 of (c cos² + s sin²) / ((cos² + p sin²) sqrt(cos² + kc² sin²)),
    by the arithmetic-geometric mean.
    """
    k = kc
    mean = 1.0
    e = k
    p = math.sqrt(p)
    s = s / p
    while True:
        f = c
        c = c + s / p
        g = e / p
        s = 2.0 * (s + f * g)
        p = g + p
        g = mean
        mean = k + mean
        if abs(g - k) <= g * _AGM_TOLERANCE:
            return math.pi / 2.0 * (s + c * mean) / (mean * (mean + p))
        k = 2.0 * math.sqrt(e)
        e = k * mean


def _disc_term(rho_mm: float, z_mm: float, radius_mm: float) -> float:
    """What the charged disc at distance `z_mm` adds to Bz, as a multiple of Br."""
    gamma = (radius_mm - rho_mm) / (radius_mm + rho_mm)
    far2 = z_mm * z_mm + (radius_mm + rho_mm) ** 2
    near2 = z_mm * z_mm + (radius_mm - rho_mm) ** 2
    kc = math.sqrt(near2 / far2)
    if kc == 0.0:
        return 0.0  # on the rim itself the field has no value; the middle of its jump is as good as any
    # at the rim radius the general form is 0/0; what is left of it is the complete integral K
    integral = _cel(kc, 1.0, 1.0, 1.0) if abs(gamma) < _RIM_TOLERANCE else _cel(kc, gamma**2, 1.0, gamma)
    return radius_mm / (radius_mm + rho_mm) * z_mm / math.sqrt(far2) * integral / math.pi


def cylinder_bz_mt(rho_mm: float, z_mm: float, diameter_mm: float, length_mm: float, br_t: float) -> float:
    """Bz of an axially magnetised cylinder, exact on and off its axis, in mT.

    `z_mm` is the distance from the near face to the sensor's plane, positive; `rho_mm` the distance
    from the axis.
    Source: Derby and Olbert (2010), equation 5.
    """
    radius_mm = diameter_mm / 2.0
    far = _disc_term(rho_mm, z_mm + length_mm, radius_mm)
    near = _disc_term(rho_mm, z_mm, radius_mm)
    return _MT_PER_T * br_t * (far - near)


def magnet_bz_mt(magnet: Magnet, rho_mm: float, z_mm: float) -> float:
    """`cylinder_bz_mt` of a `Magnet`."""
    return cylinder_bz_mt(rho_mm, z_mm, magnet.diameter_mm, magnet.length_mm, magnet.br_t)


def stack_bz_mt(magnet: Magnet, rho_mm: float, base_mm: float, height: int, pitch_mm: float) -> float:
    """Bz of a tower of `height` equal pieces, in mT.

    `base_mm` is the distance from the sensor's plane to the lowest magnet's near face, `pitch_mm`
    the height of a piece.
    """
    return math.fsum(magnet_bz_mt(magnet, rho_mm, base_mm + k * pitch_mm) for k in range(height))


_ANGLE_STEPS = 128
_RANGE_STEPS = 128
_NEAREST_RADII = 1.6


class FieldTable:
    """The field of one magnet by interpolation: within 0.01 mT of the exact value, and quick.

    Bz times r³ hardly bends as a function of cos² of the polar angle and of 1/r² (the dipole is
    linear in the first, the next multipole in the second), r counted from the magnet's centre. So
    a small table with straight lines between its points does. Points nearer to the centre than
    1.4 times the distance of the magnet's edge are computed exactly.
    """

    __slots__ = ("_centre_mm", "_pitch_angle", "_pitch_range", "_rows", "magnet")

    def __init__(self, magnet: Magnet) -> None:
        self.magnet = magnet
        self._centre_mm = magnet.length_mm / 2.0
        edge_mm = math.hypot(magnet.diameter_mm / 2.0, self._centre_mm)
        nearest_mm = _NEAREST_RADII * edge_mm
        self._pitch_angle = float(_ANGLE_STEPS)
        self._pitch_range = _RANGE_STEPS * nearest_mm * nearest_mm
        self._rows: list[list[float]] = [
            [self._scaled_field(j / _ANGLE_STEPS, i / self._pitch_range) for j in range(_ANGLE_STEPS + 1)]
            for i in range(1, _RANGE_STEPS + 1)
        ]
        self._rows.insert(0, self._dipole_row())

    def _scaled_field(self, cos2: float, inverse_r2: float) -> float:
        r_mm = 1.0 / math.sqrt(inverse_r2)
        z_mm = r_mm * math.sqrt(cos2) - self._centre_mm
        rho_mm = r_mm * math.sqrt(1.0 - cos2)
        return float(magnet_bz_mt(self.magnet, rho_mm, z_mm) * r_mm**3)

    def _dipole_row(self) -> list[float]:
        """The limit far away, where the exact form would subtract nearly equal numbers."""
        magnet = self.magnet
        volume_mm3 = math.pi * (magnet.diameter_mm / 2.0) ** 2 * magnet.length_mm
        moment = _MT_PER_T * magnet.br_t * volume_mm3 / (4.0 * math.pi)
        return [moment * (3.0 * j / _ANGLE_STEPS - 1.0) for j in range(_ANGLE_STEPS + 1)]

    def bz_mt(self, rho2_mm2: float, z_mm: float) -> float:
        """Bz in mT at the *squared* distance `rho2_mm2` from the axis, `z_mm` from the near face.

        The square saves its callers a root: they have two offsets to add up.
        """
        centre_mm = z_mm + self._centre_mm
        centre2 = centre_mm * centre_mm
        inverse_r2 = 1.0 / (rho2_mm2 + centre2) if rho2_mm2 + centre2 else math.inf
        at_range = inverse_r2 * self._pitch_range
        if at_range >= _RANGE_STEPS:
            return magnet_bz_mt(self.magnet, math.sqrt(rho2_mm2), z_mm)
        at_angle = centre2 * inverse_r2 * self._pitch_angle
        i = int(at_range)
        j = min(int(at_angle), _ANGLE_STEPS - 1)
        u = at_range - i
        v = at_angle - j
        near, far = self._rows[i + 1], self._rows[i]
        lower = far[j] + v * (far[j + 1] - far[j])
        upper = near[j] + v * (near[j + 1] - near[j])
        return (lower + u * (upper - lower)) * inverse_r2 * math.sqrt(inverse_r2)

    def stack_bz_mt(
        self, rho2_mm2: float, base_mm: float, pitch_mm: float, strengths: Sequence[float]
    ) -> float:
        """Bz in mT of a tower, bottom first; `strengths` scales each piece's magnet.

        `rho2_mm2` is the squared distance from the tower's axis, `base_mm` the distance from the
        sensor's plane to the lowest magnet's near face, `pitch_mm` the height of a piece.
        """
        total_mt = 0.0
        z_mm = base_mm
        for strength in strengths:
            total_mt += strength * self.bz_mt(rho2_mm2, z_mm)
            z_mm += pitch_mm
        return total_mt


@cache
def field_table(magnet: Magnet) -> FieldTable:
    """The shared table of `magnet`: it is made once."""
    return FieldTable(magnet)

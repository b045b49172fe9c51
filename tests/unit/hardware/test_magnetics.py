"""The field of magnets, against closed forms, published tables and a sum over small patches."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest

from hardware.magnetics import (
    FieldTable,
    Magnet,
    cylinder_bz_mt,
    field_table,
    magnet_bz_mt,
    stack_bz_mt,
)

BR_T = 1.19
PAWN = Magnet(8.0, 3.0, BR_T)


def on_axis_mt(z_mm: float, magnet: Magnet) -> float:
    radius = magnet.diameter_mm / 2.0
    far = z_mm + magnet.length_mm
    return 500.0 * magnet.br_t * (far / math.hypot(radius, far) - z_mm / math.hypot(radius, z_mm))


def patches_mt(rho_mm: float, z_mm: float, magnet: Magnet, steps: int = 160) -> float:
    """Coulomb's law over small patches of the two charged faces."""
    radius = magnet.diameter_mm / 2.0
    total = 0.0
    for face_mm, sign in ((z_mm, 1.0), (z_mm + magnet.length_mm, -1.0)):
        for i in range(steps):
            r = (i + 0.5) / steps * radius
            for k in range(steps):
                phi = (k + 0.5) / steps * math.pi
                distance2 = rho_mm**2 + r**2 - 2.0 * rho_mm * r * math.cos(phi) + face_mm**2
                total += sign * face_mm * r / distance2**1.5
    patch = 2.0 * (radius / steps) * (math.pi / steps)
    return 1000.0 * magnet.br_t / (4.0 * math.pi) * total * patch


@pytest.mark.parametrize("z_mm", [0.1, 1.0, 2.0, 5.0, 8.0, 20.0, 100.0])
@pytest.mark.parametrize("magnet", [PAWN, Magnet(15.0, 2.0, BR_T), Magnet(3.0, 10.0, 1.3)])
def test_on_the_axis_it_is_the_closed_form(z_mm: float, magnet: Magnet) -> None:
    assert magnet_bz_mt(magnet, 0.0, z_mm) == pytest.approx(on_axis_mt(z_mm, magnet), rel=1e-9)


@pytest.mark.parametrize(
    ("diameter_mm", "length_mm", "expected"),
    [
        (5.0, 3.0, {4: 55.8, 8: 12.3, 15: 2.44, 30: 0.36}),
        (6.0, 2.0, {4: 56.2, 8: 12.8, 15: 2.50, 30: 0.36}),
        (8.0, 3.0, {4: 95.9, 8: 27.0, 15: 5.92, 30: 0.90}),
        (10.0, 2.0, {4: 85.4, 8: 27.6, 15: 6.36, 30: 0.96}),
        (15.0, 2.0, {4: 91.7, 8: 41.9, 15: 12.2, 30: 2.07}),
    ],
)
def test_single_magnets_of_the_table(
    diameter_mm: float, length_mm: float, expected: dict[int, float]
) -> None:
    for z_mm, field_mt in expected.items():
        found = cylinder_bz_mt(0.0, float(z_mm), diameter_mm, length_mm, BR_T)
        assert found == pytest.approx(field_mt, rel=0.006, abs=0.0051)


@pytest.mark.parametrize(
    ("diameter_mm", "base_mm", "pitch_mm", "steps"),
    [
        (6.0, 5.0, 8.0, (36.68, 3.68, 0.98, 0.39, 0.19)),
        (6.0, 10.0, 10.0, (7.33, 1.13, 0.36, 0.15, 0.08)),
        (10.0, 8.0, 8.0, (27.63, 5.38, 1.80, 0.80, 0.42)),
        (15.0, 10.0, 8.0, (28.56, 7.89, 3.05, 1.46, 0.81)),
    ],
)
def test_each_piece_of_a_tower_adds_what_the_table_says(
    diameter_mm: float, base_mm: float, pitch_mm: float, steps: tuple[float, ...]
) -> None:
    magnet = Magnet(diameter_mm, 2.0, BR_T)
    totals = [stack_bz_mt(magnet, 0.0, base_mm, height, pitch_mm) for height in range(6)]
    assert totals[0] == 0.0
    for (lower, upper), step in zip(pairwise(totals), steps, strict=True):
        assert upper - lower == pytest.approx(step, abs=0.006)


def test_the_reference_pawn_gives_27_mt_and_its_tower_34_8() -> None:
    assert magnet_bz_mt(PAWN, 0.0, 8.0) == pytest.approx(26.99, abs=0.005)
    assert stack_bz_mt(PAWN, 0.0, 8.0, 5, 8.0) == pytest.approx(34.8, abs=0.05)


@pytest.mark.parametrize(
    ("diameter_mm", "towers"),
    [
        (6.0, {1: -0.17, 3: -0.23, 5: -0.15}),
        (10.0, {1: -0.47, 3: -0.63, 5: -0.42}),
        (15.0, {1: -1.08, 3: -1.42, 5: -0.93}),
    ],
)
def test_crosstalk_of_a_neighbour_at_30_mm(diameter_mm: float, towers: dict[int, float]) -> None:
    for height, field_mt in towers.items():
        found = stack_bz_mt(Magnet(diameter_mm, 2.0, BR_T), 30.0, 5.0, height, 8.0)
        assert found == pytest.approx(field_mt, abs=0.006)


@pytest.mark.parametrize(("diameter_mm", "field_mt"), [(6.0, -1.07), (10.0, -2.96), (15.0, -6.6)])
def test_eight_neighbours_of_five(diameter_mm: float, field_mt: float) -> None:
    magnet = Magnet(diameter_mm, 2.0, BR_T)
    straight = stack_bz_mt(magnet, 30.0, 5.0, 5, 8.0)
    diagonal = stack_bz_mt(magnet, 30.0 * math.sqrt(2.0), 5.0, 5, 8.0)
    assert 4.0 * (straight + diagonal) == pytest.approx(field_mt, rel=0.01)


@pytest.mark.parametrize(
    ("rho_mm", "z_mm"), [(2.0, 8.0), (4.0, 8.0), (6.0, 8.0), (15.0, 8.0), (30.0, 8.0), (30.0, 40.0)]
)
def test_off_the_axis_it_is_the_sum_over_the_faces(rho_mm: float, z_mm: float) -> None:
    assert magnet_bz_mt(PAWN, rho_mm, z_mm) == pytest.approx(patches_mt(rho_mm, z_mm, PAWN), rel=2e-4)


def test_a_dipole_scaled_on_the_axis_would_be_off_by_a_fifth() -> None:
    centre_mm = 8.0 + 1.5
    r2 = 30.0**2 + centre_mm**2
    scaled = magnet_bz_mt(PAWN, 0.0, 8.0) * centre_mm**3 / 2.0
    dipole = scaled * (3.0 * centre_mm**2 / r2 - 1.0) / r2**1.5
    assert abs(dipole / magnet_bz_mt(PAWN, 30.0, 8.0) - 1.0) > 0.1


def test_across_the_rim_radius_nothing_jumps() -> None:
    rim = magnet_bz_mt(PAWN, 4.0, 8.0)
    for rho_mm in (4.0 - 1e-7, 4.0 + 1e-7):
        assert magnet_bz_mt(PAWN, rho_mm, 8.0) == pytest.approx(rim, rel=1e-6)


def test_a_sensor_on_the_rim_itself_gets_a_finite_value() -> None:
    assert math.isfinite(magnet_bz_mt(PAWN, 4.0, 0.0))


@pytest.mark.parametrize(
    ("diameter_mm", "length_mm", "br_t", "name"),
    [(0.0, 3.0, 1.0, "diameter_mm"), (8.0, -1.0, 1.0, "length_mm"), (8.0, 3.0, math.nan, "br_t")],
)
def test_a_magnet_without_a_size_is_refused(
    diameter_mm: float, length_mm: float, br_t: float, name: str
) -> None:
    with pytest.raises(ValueError, match=f"{name} is .*must be a positive number"):
        Magnet(diameter_mm, length_mm, br_t)


@pytest.mark.parametrize("magnet", [PAWN, Magnet(10.0, 2.0, 1.19), Magnet(5.0, 3.0, 1.19)])
def test_the_table_is_within_a_hundredth_of_a_millitesla(magnet: Magnet) -> None:
    table = FieldTable(magnet)
    rng = random.Random(7)
    for _ in range(4000):
        near = rng.random() < 0.7
        rho_mm = rng.uniform(0.0, 15.0 if near else 400.0)
        z_mm = rng.uniform(1.0, 15.0 if near else 300.0)
        assert table.bz_mt(rho_mm**2, z_mm) == pytest.approx(magnet_bz_mt(magnet, rho_mm, z_mm), abs=0.01)


def test_the_table_is_exact_inside_its_range() -> None:
    table = field_table(PAWN)
    assert table.bz_mt(0.0, 1.0) == magnet_bz_mt(PAWN, 0.0, 1.0)
    assert table.bz_mt(0.0, -1.5) == pytest.approx(magnet_bz_mt(PAWN, 0.0, -1.5))


def test_a_tower_of_the_table_scales_each_piece_by_its_strength() -> None:
    table = field_table(PAWN)
    tower = table.stack_bz_mt(900.0, 8.0, 8.0, [1.1, 0.9])
    alone = 1.1 * magnet_bz_mt(PAWN, 30.0, 8.0) + 0.9 * magnet_bz_mt(PAWN, 30.0, 16.0)
    assert tower == pytest.approx(alone, abs=0.001)
    assert table.stack_bz_mt(900.0, 8.0, 8.0, []) == 0.0


def test_tables_are_made_once_a_magnet() -> None:
    assert field_table(Magnet(8.0, 3.0, 1.19)) is field_table(PAWN)

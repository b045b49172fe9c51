"""The tables of the field model against the field computed piece by piece."""

from __future__ import annotations

from itertools import product
from math import hypot

import pytest

from controller.core.fieldmodel import TALLEST, FieldModel
from hardware.magnetics import stack_bz_mt
from tests.fakes.sitting import BOARD, GEOMETRY, field_model
from tests.unit.controller.core.toy import COUNT, PARAMETERS, POSITIONS_MM, model

MAGNET, PAWN_MM, GAP_MM = PARAMETERS.magnet, PARAMETERS.pawn_mm, PARAMETERS.gap_mm
TABLE_MT = 0.01  # how exact the interpolated field of one magnet is


def exact_mt(distance_mm: float, height: int, up_mm: float = 0.0) -> float:
    return stack_bz_mt(MAGNET, distance_mm, GAP_MM + up_mm, height, PAWN_MM)


def avalam() -> FieldModel:
    return field_model(GEOMETRY)


def test_right_under_a_tower() -> None:
    assert len(model().own) == TALLEST + 1
    for height, field_mt in enumerate(model().own):
        assert field_mt == pytest.approx(exact_mt(0.0, height), abs=TABLE_MT * 2)
    assert model().single_mt == model().own[1] > 20.0
    assert 1.2 < model().own[5] / model().own[1] < 1.5, "a piece more says ever less"


def test_what_a_tower_adds_elsewhere() -> None:
    for a, b in product(range(COUNT), repeat=2):
        distance_mm = hypot(POSITIONS_MM[a][0] - POSITIONS_MM[b][0], POSITIONS_MM[a][1] - POSITIONS_MM[b][1])
        for height in (0, 1, 3, TALLEST):
            expected_mt = exact_mt(distance_mm, height)
            assert model().cross[a][b][height] == pytest.approx(expected_mt, abs=TABLE_MT * 2)
    assert model().cross[4][1] == model().cross[1][4]


def test_a_scene_is_the_sum_of_its_towers() -> None:
    heights = [0, 2, 0, 1, 5, 0, 0, 0, 3]
    scene = model().scene(heights)
    for k in range(COUNT):
        total_mt = sum(model().cross[k][j][h] for j, h in enumerate(heights))
        assert scene[k] == pytest.approx(total_mt, abs=1e-9)
    assert model().scene([0] * COUNT) == [0] * COUNT


def test_who_feels_a_place() -> None:
    assert model().near[0] == tuple(range(COUNT)), "the toy board is small"
    assert model().ring[4] == tuple(range(COUNT))
    assert model().ring[0] == (0, 1, 3, 4)
    assert model().ring[1] == (0, 1, 2, 3, 4, 5)
    assert [k for k, _ in model().felt_by[0]] == list(range(COUNT))
    assert dict(model().felt_by[3])[7] is model().cross[7][3]


def test_who_feels_a_place_of_a_large_board() -> None:
    tables = avalam()
    for j, near in enumerate(tables.near):
        for k, (x_mm, y_mm) in enumerate(BOARD.positions_mm):
            far_mm = hypot(x_mm - BOARD.positions_mm[j][0], y_mm - BOARD.positions_mm[j][1])
            assert (k in near) == (far_mm <= 100.0)
            assert (k in tables.ring[j]) == (far_mm < 1.5 * 30.0)
    assert max(len(near) for near in tables.near) < 40


def test_the_nearest_place() -> None:
    assert model().nearest(31.0, 2.0) == 1
    assert model().nearest(44.0, 46.0) == 4 + 3
    assert model().nearest(-500.0, 500.0) == 6


@pytest.mark.parametrize("pieces", [0, 1, 2, 5, 9])
@pytest.mark.parametrize(
    "pose", [(30.0, 30.0, 12.0), (33.3, 27.1, 20.7), (48.0, 60.0, 55.5), (0.0, 0.0, 0.0)]
)
def test_a_tower_in_a_hand(pieces: int, pose: tuple[float, float, float]) -> None:
    fields = model().hand_table.tower(pieces, pose, POSITIONS_MM)
    for (x_mm, y_mm), field_mt in zip(POSITIONS_MM, fields, strict=True):
        distance_mm = hypot(x_mm - pose[0], y_mm - pose[1])
        expected_mt = exact_mt(distance_mm, pieces, pose[2])
        assert field_mt == pytest.approx(expected_mt, abs=0.03 + 0.005 * abs(expected_mt))


def test_a_hand_far_away_is_not_felt() -> None:
    assert model().hand_table.tower(5, (0.0, 0.0, 10.0), [(104.0, 0.0), (300.0, 0.0)]) == [0.0, 0.0]
    assert model().hand_table.tower(5, (0.0, 0.0, 10.0), [(103.9, 0.0)])[0] != 0.0


def test_above_the_tables_ceiling_a_hand_is_felt_as_at_it() -> None:
    tower = model().hand_table.tower
    at_ceiling = tower(1, (30.0, 30.0, 95.5), POSITIONS_MM)
    assert tower(1, (30.0, 30.0, 200.0), POSITIONS_MM) == at_ceiling
    assert tower(1, (30.0, 30.0, -3.0), POSITIONS_MM) == tower(1, (30.0, 30.0, 0.0), POSITIONS_MM)
    assert max(abs(mt) for mt in at_ceiling) < 0.2

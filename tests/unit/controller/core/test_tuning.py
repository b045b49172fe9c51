"""The curves of the tuning: straight between their points, level beyond their ends."""

from __future__ import annotations

from dataclasses import fields
from itertools import pairwise

import pytest

from controller.core.tuning import Tuning, interpolate

CURVE = ((100, 4.0), (200, 0.0), (400, -10.0))


@pytest.mark.parametrize(
    ("at_ms", "value"),
    [(0, 4.0), (100, 4.0), (125, 3.0), (200, 0.0), (300, -5.0), (400, -10.0), (9000, -10.0)],
)
def test_a_curve_is_straight_between_its_points(at_ms: float, value: float) -> None:
    assert interpolate(CURVE, at_ms) == pytest.approx(value)


def test_a_single_point_is_level() -> None:
    assert interpolate([(50, 3.0)], 0) == interpolate([(50, 3.0)], 100) == 3.0


def test_the_longer_a_board_is_at_rest_the_less_proof_is_needed() -> None:
    curves = [getattr(Tuning(), f.name) for f in fields(Tuning) if f.type == "Curve"]
    assert len(curves) >= 3
    for curve in curves:
        for (t0, v0), (t1, v1) in pairwise(curve):
            assert t0 < t1
            assert v0 >= v1

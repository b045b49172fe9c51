"""The least squares of a pose: it finds the bottom, keeps within bounds, and bears what has none."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from controller.core.fieldmodel import FieldModel
from controller.core.pose import Pose, fit_pose
from tests.unit.controller.core.toy import POSITIONS_MM, model


def linear(goal: Pose) -> Callable[[Pose], Sequence[float]]:
    """Marks that are the distances from a pose, coordinate by coordinate."""
    return lambda pose: [a - b for a, b in zip(pose, goal, strict=True)]


def square(marks: Sequence[float]) -> float:
    return sum(m * m for m in marks)


def test_a_linear_problem_is_solved() -> None:
    assert fit_pose(linear((2.0, -3.0, 14.0)), (0.0, 0.0, 12.0), 0.0, 90.0) == pytest.approx(
        (2.0, -3.0, 14.0), abs=0.1
    )


def test_a_far_goal_is_reached_in_steps_of_a_few_millimetres() -> None:
    steps = []

    def marks(pose: Pose) -> Sequence[float]:
        steps.append(pose)
        return linear((30.0, 0.0, 12.0))(pose)

    assert fit_pose(marks, (0.0, 0.0, 12.0), 0.0, 90.0)[0] == pytest.approx(30.0, abs=0.1)
    assert max(x for x, _, _ in steps[:8]) <= 12.25, "two steps of at most 6 mm, and a probe"


@pytest.mark.parametrize(("goal_mm", "found_mm"), [(3.0, 10.0), (50.0, 40.0), (25.0, 25.0)])
def test_the_height_stays_between_its_bounds(goal_mm: float, found_mm: float) -> None:
    pose = fit_pose(linear((0.0, 0.0, goal_mm)), (0.0, 0.0, 24.0), 10.0, 40.0)
    assert pose[2] == pytest.approx(found_mm, abs=0.1)


def test_where_nothing_is_better_the_start_stays() -> None:
    start = (1.0, 2.0, 15.0)
    assert fit_pose(lambda pose: [1.0, 2.0], start, 0.0, 90.0) == start
    assert fit_pose(linear(start), start, 0.0, 90.0) == start


def test_a_coordinate_without_influence_stays() -> None:
    pose = fit_pose(lambda p: [p[0] - 4.0], (0.0, 5.0, 20.0), 0.0, 90.0)
    assert pose == pytest.approx((4.0, 5.0, 20.0), abs=0.1)


def test_it_never_gives_a_worse_pose_than_the_start() -> None:
    def twisted(pose: Pose) -> Sequence[float]:
        x, y, z = pose
        return [x * x - 9.0 + y, y * y - x, z - 12.0 + x * y]

    for start in [(0.0, 0.0, 12.0), (5.0, -4.0, 40.0), (-8.0, 3.0, 1.0)]:
        assert square(twisted(fit_pose(twisted, start, 0.0, 90.0))) <= square(twisted(start))


@pytest.mark.parametrize("goal", [(32.0, 29.0, 20.0), (47.0, 44.0, 30.0), (2.0, 58.0, 12.5)])
def test_a_tower_in_the_air_is_found_by_its_field(goal: Pose) -> None:
    tables: FieldModel = model()
    read = tables.hand_table.tower(2, goal, POSITIONS_MM)

    def marks(pose: Pose) -> Sequence[float]:
        fields = tables.hand_table.tower(2, pose, POSITIONS_MM)
        return [(a - b) / 0.05 for a, b in zip(read, fields, strict=True)]

    start = (goal[0] + 5.0, goal[1] - 4.0, goal[2] + 6.0)
    assert fit_pose(marks, start, 0.0, 90.0) == pytest.approx(goal, abs=0.3)

"""Where a hand holds a tower: least squares over the three coordinates of its bottom."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Pose = tuple[float, float, float]
"""x, y and height above the wood of a held tower's bottom, in mm."""

_PROBE_MM = 0.25
_STEP_MOST_MM = 6.0
_ROUNDS = 9
_DAMPING = 0.02


def fit_pose(
    marks: Callable[[Pose], Sequence[float]], start: Pose, least_z_mm: float, most_z_mm: float
) -> Pose:
    """The pose with the least squares of `marks` that a few damped Gauss-Newton steps find.

    `marks` gives the weighted differences at a pose; the height stays between the two given.
    Source: Levenberg-Marquardt with damping relative to the diagonal.
    """
    pose, damping = start, _DAMPING
    here = marks(pose)
    cost = _square(here)
    for _ in range(_ROUNDS):
        step = _gauss_newton(marks, pose, here, damping)
        tried: Pose = (
            pose[0] + step[0],
            pose[1] + step[1],
            min(max(pose[2] + step[2], least_z_mm), most_z_mm),
        )
        there = marks(tried)
        tried_cost = _square(there)
        if tried_cost >= cost:
            damping *= 10.0
            continue
        gained = cost - tried_cost
        pose, here, cost, damping = tried, there, tried_cost, damping * 0.3
        if gained < 0.1:
            break
    return pose


def _square(marks: Sequence[float]) -> float:
    return sum(m * m for m in marks)


def _gauss_newton(
    marks: Callable[[Pose], Sequence[float]], pose: Pose, here: Sequence[float], damping: float
) -> tuple[float, float, float]:
    x, y, z = pose
    columns = [
        [(b - a) / _PROBE_MM for a, b in zip(here, marks(probe), strict=True)]
        for probe in ((x + _PROBE_MM, y, z), (x, y + _PROBE_MM, z), (x, y, z + _PROBE_MM))
    ]
    normal = [[sum(a * b for a, b in zip(p, q, strict=True)) for q in columns] for p in columns]
    for i in range(3):
        normal[i][i] = normal[i][i] * (1.0 + damping) + 1e-9
    right = [-sum(a * b for a, b in zip(p, here, strict=True)) for p in columns]
    return _bounded(_solve(normal, right))


def _bounded(step: Sequence[float]) -> tuple[float, float, float]:
    x, y, z = (min(max(s, -_STEP_MOST_MM), _STEP_MOST_MM) for s in step)
    return x, y, z


def _solve(a: Sequence[Sequence[float]], b: Sequence[float]) -> tuple[float, float, float]:
    """Cramer's rule for three unknowns."""

    def det(m: Sequence[Sequence[float]]) -> float:
        return (
            m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
            - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
        )

    whole = det(a) or 1e-12
    x, y, z = (
        det([[b[i] if column == j else a[i][column] for column in range(3)] for i in range(3)]) / whole
        for j in range(3)
    )
    return x, y, z

"""Guidance: from what stands and what should stand to the next thing a hand must do.

Pure, and knows no game: heights and owners of cells are all it needs.
"""

from __future__ import annotations

from collections.abc import Sequence

from controller.core.messages import Task

Owners = Sequence[int | None]


def placements(
    cells: Sequence[str], heights: Sequence[int], owners: Owners, missing: Sequence[int], extra: Sequence[int]
) -> tuple[Task, ...]:
    """The tasks of a set-up or rebuild, where only the occupancy of places is known.

    Pieces to take away come first: they are at hand for the places that lack one.
    """
    away = [Task("remove", cells[k]) for k in extra]
    lacking = [Task("place", cells[k], owner=owners[k], height=heights[k]) for k in missing]
    return (*away, *lacking)


def restorations(
    cells: Sequence[str], heights: Sequence[int], owners: Owners, standing: Sequence[int]
) -> tuple[Task, ...]:
    """The tasks that lead from the towers that stand to those that should, as from-to pairs.

    A place with too many pieces gives to one that lacks as many, else to any that lacks some; what
    finds no partner is taken away, or comes from beside the board.
    """
    surplus = {k: s - h for k, (s, h) in enumerate(zip(standing, heights, strict=True)) if s > h}
    lack = {k: h - s for k, (s, h) in enumerate(zip(standing, heights, strict=True)) if h > s}
    tasks = []
    for origin, count in surplus.items():
        target = next((k for k, n in lack.items() if n == count), next(iter(lack), None))
        if target is None:
            tasks.append(Task("remove", cells[origin], height=heights[origin]))
        else:
            del lack[target]
            tasks.append(Task("move", cells[target], cells[origin], owners[target], heights[target]))
    tasks += [Task("place", cells[k], owner=owners[k], height=heights[k]) for k in lack]
    return tuple(tasks)

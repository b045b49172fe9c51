"""From what stands to what should stand: one task at a time, and none without need."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from controller.core.guidance import placements, restorations
from controller.core.messages import Task

CELLS = ("a", "b", "c", "d", "e")
OWNERS = (0, 1, 0, None, 1)


def test_a_set_up_takes_away_before_it_places() -> None:
    tasks = placements(CELLS, (1, 1, 3, 0, 1), OWNERS, [0, 2], [3])
    assert tasks == (
        Task("remove", "d"),
        Task("place", "a", owner=0, height=1),
        Task("place", "c", owner=0, height=3),
    )
    assert placements(CELLS, (1,) * 5, OWNERS, (), ()) == ()


def test_nothing_is_to_be_done_where_all_is_right() -> None:
    assert restorations(CELLS, (1, 2, 0, 0, 5), OWNERS, (1, 2, 0, 0, 5)) == ()


def test_a_piece_in_the_wrong_place_goes_where_as_many_are_missing() -> None:
    assert restorations(CELLS, (1, 2, 1, 0, 1), OWNERS, (1, 0, 1, 2, 1)) == (Task("move", "b", "d", 1, 2),)
    assert restorations(CELLS, (2, 1, 0, 0, 0), OWNERS, (0, 0, 1, 2, 0)) == (
        Task("move", "b", "c", 1, 1),
        Task("move", "a", "d", 0, 2),
    )


def test_where_no_number_fits_any_place_that_lacks_some_is_next() -> None:
    assert restorations(CELLS, (3, 0, 0, 0, 0), OWNERS, (0, 0, 0, 2, 0)) == (Task("move", "a", "d", 0, 3),)


def test_what_finds_no_partner_goes_or_comes_beside_the_board() -> None:
    assert restorations(CELLS, (1, 1, 1, 0, 1), OWNERS, (1, 1, 1, 1, 1)) == (Task("remove", "d", height=0),)
    assert restorations(CELLS, (1, 1, 1, 0, 1), OWNERS, (2, 1, 1, 0, 1)) == (Task("remove", "a", height=1),)
    assert restorations(CELLS, (1, 1, 1, 0, 1), OWNERS, (1, 1, 1, 0, 0)) == (
        Task("place", "e", owner=1, height=1),
    )


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=5, max_size=5))
def test_every_place_that_differs_is_named_once(pairs: list[tuple[int, int]]) -> None:
    heights, standing = zip(*pairs, strict=True)
    tasks = restorations(CELLS, heights, OWNERS, standing)
    named = [cell for task in tasks for cell in (task.cell, task.origin) if cell is not None]
    assert sorted(named) == [c for c, h, s in zip(CELLS, heights, standing, strict=True) if h != s]
    for task in tasks:
        assert task.height == heights[CELLS.index(task.cell)]
        assert (task.origin is not None) == (task.kind == "move")

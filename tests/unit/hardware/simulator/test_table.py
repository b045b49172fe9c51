"""Pieces, holes and the field they make."""

from __future__ import annotations

from random import Random

import pytest

from hardware.boardfile import load_board
from hardware.magnetics import stack_bz_mt
from hardware.simulator.snapshot import format_table, restore_table
from hardware.simulator.table import IDEAL, Physics, Table

NAN = float("nan")
BOARD = load_board("avalam")
E5 = BOARD.names.index("e5")


def place(name: str) -> tuple[float, float]:
    cell = BOARD.cell(name)
    return cell.x_mm, cell.y_mm


def table(stacks: dict[str, tuple[int, ...]] | None = None, physics: Physics = IDEAL) -> Table:
    made = Table(BOARD, Random(3), physics)
    made.set_up(stacks or {})
    return made


def alone_mt(rho_mm: float, height: int, clearance_mm: float = 0.0) -> float:
    return stack_bz_mt(BOARD.magnet, rho_mm, BOARD.gap_mm + clearance_mm, height, BOARD.pawn_mm)


def test_an_empty_table_has_no_field() -> None:
    assert all(table().field_mt(index) == 0.0 for index in range(49))


def test_fields_add_up_over_towers_and_distances() -> None:
    world = table({"e5": (0, 1, 0), "e6": (1,), "f6": (0, 1)})
    expected = alone_mt(0.0, 3) + alone_mt(30.0, 1) + alone_mt(30.0 * 2**0.5, 2)
    assert world.field_mt(E5) == pytest.approx(expected, abs=0.01)


def test_what_a_hand_holds_counts_too_wherever_it_is() -> None:
    world = table({"e5": (0, 1)})
    held = world.grab(*place("e5"))
    assert held is not None
    held.x_mm += 20.0
    held.clearance_mm = 12.0
    assert world.field_mt(E5) == pytest.approx(alone_mt(20.0, 2, 12.0), abs=0.01)
    world.take_away(held)
    assert world.field_mt(E5) == 0.0


def test_setting_up_and_the_truth() -> None:
    world = table({"e5": (0, 1), "a5": (1,), "b5": ()})
    assert world.stacks() == {"a5": (1,), "e5": (0, 1)}
    world.grab(*place("e5"))
    world.set_up({"c9": (0,)})
    assert world.stacks() == {"c9": (0,)}
    assert world.carried == []


def test_a_board_without_such_a_cell_says_so() -> None:
    with pytest.raises(ValueError, match="a1, z9: no such cells on the board avalam"):
        table({"z9": (0,), "e5": (0,), "a1": (1,)})


def test_grabbing_takes_the_tower_nearest_within_half_a_pitch() -> None:
    world = table({"e5": (0, 1), "e6": (1,)})
    x_mm, y_mm = place("e5")
    assert world.grab(x_mm - 16.0, y_mm) is None
    held = world.grab(x_mm, y_mm + 14.9)
    assert held is not None
    assert [pawn.owner for pawn in held.pawns] == [0, 1]
    assert (held.x_mm, held.y_mm, held.clearance_mm, held.origin) == (x_mm, y_mm, 0.0, "e5")


def test_grabbing_only_the_top() -> None:
    world = table({"e5": (0, 1, 0, 1)})
    held = world.grab(*place("e5"), count=1)
    assert held is not None
    assert [pawn.owner for pawn in held.pawns] == [1]
    assert held.clearance_mm == 24.0
    assert world.stacks() == {"e5": (0, 1, 0)}
    assert world.field_mt(E5) == pytest.approx(alone_mt(0.0, 4), abs=0.01)


def test_grabbing_more_than_there_is_takes_all() -> None:
    world = table({"e5": (0, 1)})
    held = world.grab(*place("e5"), count=9)
    assert held is not None
    assert len(held.pawns) == 2
    assert world.stacks() == {}


def test_grabbing_less_than_one_is_an_error() -> None:
    with pytest.raises(ValueError, match="count is 0, must be at least 1"):
        table({"e5": (0,)}).grab(*place("e5"), count=0)


def test_releasing_stacks_on_what_stands_there() -> None:
    world = table({"e5": (0,), "e6": (1, 1)})
    held = world.grab(*place("e5"))
    assert held is not None
    held.x_mm, held.y_mm = place("e6")
    assert world.rest_mm(held.x_mm, held.y_mm) == 16.0
    tower = world.release(held)
    assert tower is not None
    assert tower.cell == "e6"
    assert world.stacks() == {"e6": (1, 1, 0)}
    assert world.field_mt(E5) == pytest.approx(alone_mt(30.0, 3), abs=0.01)


@pytest.mark.parametrize(("off_mm", "cell"), [(14.9, "e6"), (15.1, None)])
def test_a_piece_snaps_to_a_hole_within_half_a_pitch(off_mm: float, cell: str | None) -> None:
    world = table({"c9": (0,)})
    held = world.grab(*place("c9"))
    assert held is not None
    held.x_mm, held.y_mm = -off_mm, 120.0  # left of a5
    tower = world.release(held)
    assert tower is not None
    assert tower.cell == ("a5" if cell else None)
    assert (tower.x_mm, tower.y_mm) == ((0.0, 120.0) if cell else (-15.1, 120.0))


def test_a_loose_piece_can_be_grabbed_again_and_stacked_upon() -> None:
    world = table({"c9": (0,), "d9": (1,)})
    for name in ("c9", "d9"):
        held = world.grab(*place(name))
        assert held is not None
        held.x_mm, held.y_mm = -60.0, 0.0
        world.release(held)
    assert world.stacks() == {}
    assert world.loose() == [(-60.0, 0.0, (0, 1))]
    assert world.rest_mm(-55.0, 0.0) == 16.0
    assert world.rest_mm(-40.0, 0.0) == 0.0
    held = world.grab(-65.0, 5.0)
    assert held is not None
    assert held.origin == (-60.0, 0.0)
    assert world.loose() == []


def test_seats_strengths_and_nudges_spread_as_the_physics_say() -> None:
    physics = Physics(strength=0.05, lateral_mm=0.4, vertical_mm=0.1)
    world = table(dict.fromkeys(BOARD.names, (0,)), physics)
    towers = world.towers
    offsets = [tower.x_mm - place(str(tower.cell))[0] for tower in towers]
    assert 0.25 < (sum(x * x for x in offsets) / 49) ** 0.5 < 0.55
    assert all(0.0 <= tower.rise_mm < 0.5 for tower in towers)
    strengths = [tower.pawns[0].strength for tower in towers]
    assert 0.03 < (sum((s - 1.0) ** 2 for s in strengths) / 49) ** 0.5 < 0.07
    before_mt = world.field_mt(E5)
    tower = world.tower_at(*place("e5"))
    assert tower is not None
    world.nudge(tower)
    assert world.field_mt(E5) != before_mt
    assert world.field_mt(E5) == pytest.approx(before_mt, abs=3.0)


def test_the_same_seed_gives_the_same_world() -> None:
    stacks = dict.fromkeys(BOARD.names[::2], (0, 1))
    one, other = table(stacks, Physics()), table(stacks, Physics())
    assert [one.field_mt(i) for i in range(49)] == [other.field_mt(i) for i in range(49)]


def test_how_high_what_is_in_the_way_reaches() -> None:
    world = table({"e5": (0, 1, 0), "e6": (1,)})
    x_mm, y_mm = place("e5")
    assert world.top_mm(x_mm, y_mm + 15.0) == 24.0
    assert world.top_mm(x_mm, y_mm + 15.0, besides=(x_mm, y_mm)) == 8.0
    assert world.top_mm(x_mm + 30.0, y_mm) == 0.0


def test_something_else_in_a_hand_has_a_field_but_no_pieces() -> None:
    world = table()
    held = world.hold(0.5, *place("e5"), 20.0)
    assert world.field_mt(E5) == pytest.approx(0.5 * alone_mt(0.0, 1, 20.0), abs=0.01)
    assert world.release(held) is None
    assert world.field_mt(E5) == 0.0


def test_a_snapshot_puts_everything_back_and_what_was_in_a_hand_where_it_was_taken() -> None:
    world = table({"e5": (0, 1, 0), "e6": (1,), "c9": (0,)}, Physics())
    fields = [world.field_mt(index) for index in range(49)]
    loose = world.grab(*place("c9"))
    assert loose is not None
    loose.x_mm, loose.y_mm = -50.0, 10.0
    world.release(loose)
    for at in ((-50.0, 10.0), place("e5")):
        held = world.grab(*at, count=1)
        assert held is not None
        held.x_mm, held.y_mm = place("g1")
    noted = format_table(world)
    again = table()
    restore_table(again, noted)
    assert again.stacks() == {"e5": (0, 1, 0), "e6": (1,)}
    ((x_mm, y_mm, owners),) = again.loose()
    assert (x_mm, y_mm, owners) == (pytest.approx(-50.0, abs=1.5), pytest.approx(10.0, abs=1.5), (0,))
    assert again.field_mt(BOARD.names.index("e6")) == pytest.approx(fields[BOARD.names.index("e6")], abs=0.01)


@pytest.mark.parametrize(
    ("spoilt", "message"),
    [
        (None, "this is no snapshot of the board avalam"),
        ({"board": "carami"}, "this is no snapshot of the board avalam"),
        ({"board": "avalam"}, "towers is missing, must be a list of towers"),
        ({"board": "avalam", "towers": []}, "in_hand is missing"),
        ({"board": "avalam", "towers": [5], "in_hand": []}, "5 is no tower"),
        ({"board": "avalam", "towers": [{"cell": "e5"}], "in_hand": []}, "is no tower"),
        (
            {
                "board": "avalam",
                "towers": [],
                "in_hand": [{"cell": "e5", "x_mm": 0, "y_mm": 0, "rise_mm": 0, "pawns": []}],
            },
            "is no tower",
        ),
        (
            {
                "board": "avalam",
                "towers": [{"cell": "e5", "x_mm": NAN, "y_mm": 0, "rise_mm": 0, "pawns": [[0, 1.0]]}],
                "in_hand": [],
            },
            "is no tower",
        ),
        (
            {
                "board": "avalam",
                "towers": [{"cell": "a1", "x_mm": 0, "y_mm": 0, "rise_mm": 0, "pawns": [[0, 1.0]]}],
                "in_hand": [],
            },
            "'a1' is no cell of the board avalam",
        ),
        (
            {
                "board": "avalam",
                "towers": [{"cell": "e5", "x_mm": 0, "y_mm": 0, "rise_mm": 0, "pawns": [[0, 1.0]]}] * 2,
                "in_hand": [],
            },
            "two towers stand on one cell",
        ),
    ],
)
def test_a_broken_snapshot_says_what_is_wrong_and_changes_nothing(spoilt: object, message: str) -> None:
    world = table({"e5": (0,)})
    with pytest.raises(ValueError, match=message):
        restore_table(world, spoilt)
    assert world.stacks() == {"e5": (0,)}

"""Board files: the one that is shipped, and every fault of a bad one at once."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from hardware.boardfile import Board, board_names, load_board, parse_board
from hardware.errors import BoardFileError
from hardware.magnetics import Magnet

RANKS = {9: "cd", 8: "bcde", 7: "bcdefg", 6: "bcdefghi", 5: "abcdefghi", 4: "abcdefgh", 3: "cdefgh"}
RANKS |= {2: "efgh", 1: "fg"}
AVALAM_CELLS = sorted(f"{file}{rank}" for rank, files in RANKS.items() for file in files)

SMALL = """
name = "pair"
game = "avalam"
version = 3
pitch_mm = 30
[piece]
height_mm = 8.0
diameter_mm = 25.0
gap_mm = 8.0
[piece.magnet]
diameter_mm = 8.0
length_mm = 3.0
br_t = 1.19
[sensors]
kind = "tmag5273"
[strip]
length = 2
colour_order = "GRB"
[cells]
b1 = { x_mm = 30, y_mm = 0, mux = 0x70, channel = 0, sensor = 0x22, pixel = 1 }
a1 = { x_mm = 0, y_mm = 0, mux = 0x70, channel = 0, sensor = 0x35, pixel = 0 }
"""


@pytest.fixture(scope="module")
def avalam() -> Board:
    return load_board("avalam")


def faults_of(document: str, cells: list[str] | None = None) -> list[str]:
    with pytest.raises(BoardFileError) as caught:
        parse_board(document, "board.toml", cells)
    assert str(caught.value).startswith("board.toml: ")
    return list(caught.value.faults)


def test_avalam_has_its_49_cells_in_sorted_order(avalam: Board) -> None:
    assert avalam.names == tuple(AVALAM_CELLS)
    assert len(avalam.cells) == 49
    assert (avalam.name, avalam.game, avalam.sensor_kind) == ("avalam", "avalam", "tmag5273")


def test_avalam_is_built_as_the_reference_design(avalam: Board) -> None:
    assert avalam.magnet == Magnet(8.0, 3.0, 1.19)
    assert (avalam.pitch_mm, avalam.pawn_mm, avalam.gap_mm) == (30.0, 8.0, 8.0)
    assert {cell.mux for cell in avalam.cells} == {0x70, 0x71, 0x72, 0x73}
    assert Counter(cell.sensor for cell in avalam.cells) == {0x35: 25, 0x22: 24}
    channels = Counter((cell.mux, cell.channel) for cell in avalam.cells)
    assert len(channels) == 25
    assert max(channels.values()) == 2


def test_avalam_lies_on_its_grid(avalam: Board) -> None:
    for cell, place in zip(avalam.cells, avalam.positions_mm, strict=True):
        assert place == ((ord(cell.name[0]) - ord("a")) * 30.0, (int(cell.name[1]) - 1) * 30.0)
        assert avalam.cell(cell.name) is cell


def test_the_strip_runs_from_neighbour_to_neighbour(avalam: Board) -> None:
    order = sorted(avalam.cells, key=lambda cell: cell.pixel)
    assert [cell.pixel for cell in order] == list(range(49))
    assert order[0].name == "c9"
    for one, other in pairwise(order):
        assert abs(one.x_mm - other.x_mm) <= 60.0
        assert abs(one.y_mm - other.y_mm) <= 30.0


def test_an_unknown_cell_is_a_key_error(avalam: Board) -> None:
    with pytest.raises(KeyError):
        avalam.cell("a1")


def test_the_boards_that_are_shipped_load() -> None:
    assert "avalam" in board_names()
    for name in board_names():
        assert load_board(name).name == name


def test_a_board_is_read_from_a_path(tmp_path: Path) -> None:
    file = tmp_path / "pair.toml"
    file.write_text(SMALL, encoding="utf-8")
    board = load_board(file)
    assert board == load_board(str(file))
    assert board.names == ("a1", "b1")
    assert board.version == 3
    assert board.cells[1].pixel == 1


def test_an_unknown_name_says_which_there_are() -> None:
    with pytest.raises(BoardFileError, match="nosuch: no such board; there are avalam"):
        load_board("nosuch")


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(BoardFileError, match="cannot be read: No such file"):
        load_board(tmp_path / "none.toml")


def test_a_file_that_is_no_text_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "b.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BoardFileError, match="is not a UTF-8 text"):
        load_board(tmp_path / "b.toml")


def test_broken_toml_says_where() -> None:
    (fault,) = faults_of("name = \n")
    assert fault.startswith("is not valid TOML: ")
    assert "line 1" in fault


def test_all_faults_come_at_once_with_key_value_and_what_is_allowed() -> None:
    document = (
        SMALL.replace("version = 3", 'version = "three"')
        .replace("br_t = 1.19", "br_t = 99.0\ncolour = 1")
        .replace('"GRB"', '"GBRW"')
        .replace("sensor = 0x22", "sensor = 0x21")
        .replace("gap_mm = 8.0", "")
    )
    assert sorted(faults_of(document)) == [
        "cells.b1.sensor is 0x21, must be one of 0x22, 0x35, 0x44, 0x78",
        "piece.gap_mm is missing, must be a number from 0.5 to 50",
        "piece.magnet.br_t is 99.0, must be a number from 0.05 to 2",
        "piece.magnet.colour is unknown; allowed here: br_t, diameter_mm, length_mm",
        "strip.colour_order is 'GBRW', must be one of GRB, RGB, BRG, BGR, RBG, GBR",
        "version is 'three', must be a whole number from 1 to 1000000",
    ]


def test_two_cells_may_not_share_sensor_pixel_or_place() -> None:
    document = SMALL.replace("sensor = 0x22, pixel = 1", "sensor = 0x35, pixel = 0").replace(
        "x_mm = 30", "x_mm = 0"
    )
    assert faults_of(document) == [
        "cells.b1: place (0.0, 0.0) is taken by a1; each may be used once",
        "cells.b1: pixel 0 is taken by a1; each may be used once",
        "cells.b1: sensor 0x35 on channel 0 of mux 0x70 is taken by a1; each may be used once",
    ]


def test_a_pixel_beyond_the_strip_is_refused() -> None:
    assert faults_of(SMALL.replace("pixel = 1", "pixel = 2")) == [
        "cells.b1.pixel is 2, must be a whole number from 0 to 1"
    ]


def test_a_truth_value_is_no_number() -> None:
    assert faults_of(SMALL.replace("pixel = 1", "pixel = true")) == [
        "cells.b1.pixel is True, must be a whole number from 0 to 1"
    ]


@pytest.mark.parametrize("gone", ["sensors", "strip"])
def test_a_missing_table_is_named_once(gone: str) -> None:
    faults = faults_of(SMALL.replace(f"[{gone}]", f"[{gone}_]"))
    assert f"{gone} is missing, must be a table" in faults
    assert any(fault.startswith(f"{gone}_ is unknown; allowed here: cells,") for fault in faults)
    assert not any(fault.startswith(f"{gone}.") for fault in faults)


def test_a_board_without_cells_is_refused() -> None:
    document = SMALL[: SMALL.index("[cells]")] + "[cells]\n"
    assert faults_of(document) == ["cells is 'empty', must be at least one cell"]


def test_a_cell_must_be_a_table_with_a_cells_name() -> None:
    faults = faults_of(SMALL + "Z0 = 5\n")
    assert "cells.Z0 is 5, must be a table" in faults
    assert "cells.Z0 is 'Z0', must be a cell's name: a letter and a number, like e5" in faults


def test_cells_that_the_game_does_not_know_and_cells_that_lack() -> None:
    assert faults_of(SMALL, ["a1", "c1"]) == [
        "cells.b1: the game has no such cell",
        "cells.c1: missing; the game has this cell",
    ]
    assert parse_board(SMALL, "board.toml", ["a1", "b1"]).names == ("a1", "b1")

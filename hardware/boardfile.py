"""Board files: what a wooden board looks like and how it is wired, read from TOML and checked.

A board file gives each cell its place in millimetres (x to the right, y up), its sensor and its
pixel. `load_board` reports every fault of a file at once, so that it can be put right in one go.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from hardware.boardtable import TableReader, in_set, listed, matching, number, text, whole
from hardware.errors import BoardFileError
from hardware.magnetics import Magnet

SENSOR_KINDS: Mapping[str, frozenset[int]] = {
    "tmag5273": frozenset({0x22, 0x35, 0x44, 0x78}),
}
"""The kinds of sensors a board may name, and the I2C addresses their parts come with."""

MUX_ADDRESSES = frozenset(range(0x70, 0x78))
COLOUR_ORDERS = ("GRB", "RGB", "BRG", "BGR", "RBG", "GBR")
_CELL_NAME = r"[a-z][1-9][0-9]?"
_BOARD_NAME = r"[a-z][a-z0-9_-]*"
_LONGEST_STRIP = 1000


@dataclass(frozen=True, slots=True)
class BoardCell:
    """A hole of the board: its place in mm, where its sensor hangs, which pixel lights it."""

    name: str
    x_mm: float
    y_mm: float
    mux: int
    channel: int
    sensor: int
    pixel: int


@dataclass(frozen=True, slots=True)
class Board:
    """A board file that has passed its checks; `cells` are sorted by name.

    `gap_mm` lies between the sensor and the near face of the lowest magnet, `pawn_mm` is the height
    of one piece and so the pitch of a tower.
    """

    name: str
    game: str
    version: int
    pitch_mm: float
    pawn_mm: float
    pawn_diameter_mm: float
    gap_mm: float
    magnet: Magnet
    sensor_kind: str
    strip_length: int
    colour_order: str
    cells: tuple[BoardCell, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the cells, sorted: the order of a frame's values."""
        return tuple(cell.name for cell in self.cells)

    @property
    def positions_mm(self) -> tuple[tuple[float, float], ...]:
        """Where the cells lie, x to the right and y up, in the order of `cells`."""
        return tuple((cell.x_mm, cell.y_mm) for cell in self.cells)

    def cell(self, name: str) -> BoardCell:
        """The cell called `name`.

        Raises: KeyError.
        """
        for cell in self.cells:
            if cell.name == name:
                return cell
        raise KeyError(name)


def board_names() -> tuple[str, ...]:
    """The boards that come with the program."""
    folder = resources.files("hardware") / "boards"
    return tuple(sorted(p.name.removesuffix(".toml") for p in folder.iterdir() if p.name.endswith(".toml")))


def load_board(name_or_path: str | Path, cells: Iterable[str] | None = None) -> Board:
    """The board of that name, or in that file; with `cells`, one that has exactly these.

    A text without a slash and without `.toml` is the name of a board that comes with the program.
    Raises: BoardFileError with every fault: the key, its value, what is allowed.
    """
    label = str(name_or_path)
    return parse_board(_read(name_or_path), label, cells)


def _read(name_or_path: str | Path) -> str:
    label = str(name_or_path)
    if isinstance(name_or_path, str) and "/" not in label and not label.endswith(".toml"):
        if label not in board_names():
            known = ", ".join(board_names())
            raise BoardFileError(
                label, [f"no such board; there are {known}, or give the path of a .toml file"]
            )
        return (resources.files("hardware") / "boards" / f"{label}.toml").read_text(encoding="utf-8")
    try:
        return Path(name_or_path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise BoardFileError(label, ["is not a UTF-8 text"]) from None
    except OSError as error:
        raise BoardFileError(label, [f"cannot be read: {error.strerror}"]) from None


def parse_board(document: str, label: str, cells: Iterable[str] | None = None) -> Board:
    """The board that the TOML text `document` describes; `label` names it in errors.

    Raises: BoardFileError.
    """
    try:
        data = tomllib.loads(document)
    except tomllib.TOMLDecodeError as error:
        raise BoardFileError(label, [f"is not valid TOML: {error}"]) from None
    faults: list[str] = []
    board = _board(TableReader(data, "", faults), faults)
    if cells is not None:
        faults += _cell_faults(board, set(cells))
    if faults:
        raise BoardFileError(label, faults)
    return board


def _board(top: TableReader, faults: list[str]) -> Board:
    name = top.take("name", text(matching(_BOARD_NAME)), "unnamed")
    game = top.take("game", text(matching(_BOARD_NAME)), "unnamed")
    version = top.take("version", whole(1, 1_000_000), 1)
    pitch_mm = top.take("pitch_mm", number(5.0, 200.0), 30.0)
    piece = top.table("piece")
    strip = top.table("strip")
    sensors = top.table("sensors")
    kind = sensors.take("kind", text(in_set(sorted(SENSOR_KINDS))), "tmag5273")
    strip_length = strip.take("length", whole(1, _LONGEST_STRIP), _LONGEST_STRIP)
    board = Board(
        name=name,
        game=game,
        version=version,
        pitch_mm=pitch_mm,
        pawn_mm=piece.take("height_mm", number(1.0, 100.0), 8.0),
        pawn_diameter_mm=piece.take("diameter_mm", number(1.0, 200.0), 25.0),
        gap_mm=piece.take("gap_mm", number(0.5, 50.0), 8.0),
        magnet=_magnet(piece.table("magnet")),
        sensor_kind=kind,
        strip_length=strip_length,
        colour_order=strip.take("colour_order", text(in_set(COLOUR_ORDERS)), "GRB"),
        cells=_cells(top.table("cells"), kind, strip_length),
    )
    for reader in (piece, sensors, strip, top):
        reader.close()
    faults += _clashes(board.cells)
    return board


def _magnet(reader: TableReader) -> Magnet:
    magnet = Magnet(
        diameter_mm=reader.take("diameter_mm", number(0.5, 100.0), 8.0),
        length_mm=reader.take("length_mm", number(0.5, 100.0), 3.0),
        br_t=reader.take("br_t", number(0.05, 2.0), 1.19),
    )
    reader.close()
    return magnet


def _cells(reader: TableReader, kind: str, strip_length: int) -> tuple[BoardCell, ...]:
    cells = []
    for name in reader.names():
        row = reader.table(name)
        if not matching(_CELL_NAME).holds(name):
            reader.fault(name, name, "a cell's name: a letter and a number, like e5")
        cells.append(
            BoardCell(
                name=name,
                x_mm=row.take("x_mm", number(-2000.0, 2000.0), 0.0),
                y_mm=row.take("y_mm", number(-2000.0, 2000.0), 0.0),
                mux=row.take("mux", listed(MUX_ADDRESSES), -1),
                channel=row.take("channel", whole(0, 7), -1),
                sensor=row.take("sensor", listed(SENSOR_KINDS[kind]), -1),
                pixel=row.take("pixel", whole(0, strip_length - 1), -1),
            )
        )
        row.close()
    if not cells and not reader.missing:
        reader.fault("", "empty", "at least one cell")
    return tuple(sorted(cells, key=lambda cell: cell.name))


def _clashes(cells: Iterable[BoardCell]) -> list[str]:
    """Cells that claim the same sensor, pixel or place. Values that were faulty claim nothing."""
    faults: list[str] = []
    claimed: dict[tuple[str, object], str] = {}
    for cell in cells:
        claims: list[tuple[str, object]] = [("place", (cell.x_mm, cell.y_mm))]
        if cell.pixel >= 0:
            claims.append(("pixel", cell.pixel))
        if min(cell.mux, cell.channel, cell.sensor) >= 0:
            claims.append(
                ("sensor", f"0x{cell.sensor:02x} on channel {cell.channel} of mux 0x{cell.mux:02x}")
            )
        for what, value in claims:
            first = claimed.setdefault((what, value), cell.name)
            if first != cell.name:
                faults.append(f"cells.{cell.name}: {what} {value} is taken by {first}; each may be used once")
    return faults


def _cell_faults(board: Board, wanted: set[str]) -> list[str]:
    have = set(board.names)
    faults = [f"cells.{name}: the game has no such cell" for name in sorted(have - wanted)]
    faults += [f"cells.{name}: missing; the game has this cell" for name in sorted(wanted - have)]
    return faults

"""The texts of Avalam: moves (`c9d8`, `Rc9`) and positions (`r1b1/.../b1r1 r;tiebreak=fives`)."""

from __future__ import annotations

import re

from engines.avalam.board import (
    CELLS,
    COLOUR_LETTERS,
    INDEX,
    MAX_HEIGHT,
    PAWNS,
    PAWNS_EACH,
    PLAYER_NAMES,
    ROWS,
)
from engines.avalam.layout import Layout, Phase, Tiebreak
from engines.avalam.moves import AvalamMove, Placement, Shuffle, TowerMove
from engines.errors import InvalidPositionError, NotationError

_TOWER_MOVE = re.compile(r"([a-i][1-9])([a-i][1-9])")
_PLACEMENT = re.compile(r"([RB])([a-i][1-9])")
_SHUFFLE = re.compile("/".join(f"[rb-]{{{len(row)}}}" for row in ROWS))
_POSITION = re.compile(r"(?P<ranks>[^ ;]+) (?P<turn>[rb])(?P<fields>(?:;[a-z_]+=[a-z0-9_]+)*)")
_TOWER = re.compile(r"--|[rb][0-9]")
_EMPTY = "--"


def parse_move(text: str) -> AvalamMove:
    """The move that `text` writes, legal or not.

    Raises: NotationError saying what a move looks like.
    """
    if match := _TOWER_MOVE.fullmatch(text):
        return TowerMove(_hole(match[1], text), _hole(match[2], text))
    if match := _PLACEMENT.fullmatch(text):
        return Placement(match[1], _hole(match[2], text))
    if _SHUFFLE.fullmatch(text):
        letters = dict(zip(_row_cells(), text.replace("/", ""), strict=True))
        return Shuffle("".join(letters[cell] for cell in CELLS))
    raise NotationError(
        f"{text!r} is no move of avalam; write c9d8 (from, to), or Rc9 or Bc9 to lay a pawn in a free set-up"
    )


def format_move(move: AvalamMove) -> str:
    """The text that `parse_move` reads back."""
    if isinstance(move, Shuffle):
        return "/".join("".join(move.pawns[INDEX[cell]] for cell in row) for row in ROWS)
    return "".join(move)


def describe_move(move: object) -> str:
    """The text of `move` for an error message, also where it is no move of Avalam at all."""
    if isinstance(move, TowerMove | Placement) or (
        isinstance(move, Shuffle) and len(move.pawns) == len(CELLS)
    ):
        return format_move(move)
    return repr(move)


def parse_layout(text: str, tiebreak: Tiebreak = Tiebreak.NONE) -> Layout:
    """The layout that `text` describes; `tiebreak` holds where the text does not say.

    Raises: NotationError for a text of another form; InvalidPositionError with all faults of one
    that can be read.
    """
    match = _POSITION.fullmatch(text)
    if match is None:
        raise NotationError(
            f"{text!r} is no position of avalam; write nine ranks from 9 to 1 with / between them, a space, "
            "r or b to move, then any ;key=value"
        )
    faults: list[str] = []
    towers = _parse_ranks(match["ranks"].split("/"), text, faults)
    fields = _parse_fields(match["fields"], tiebreak, faults)
    heights = tuple(_height(towers.get(cell, _EMPTY)) for cell in CELLS)
    owners = tuple(_owner(towers.get(cell, _EMPTY)) for cell in CELLS)
    layout = Layout(heights, owners, COLOUR_LETTERS.index(match["turn"]), *fields)
    faults += _impossibilities(layout)
    if faults:
        raise InvalidPositionError(text, faults)
    return layout


def format_layout(layout: Layout) -> str:
    """The text that `parse_layout` reads back; fields at their defaults are left out."""
    towers = "/".join("".join(_format_tower(layout, INDEX[cell]) for cell in row) for row in ROWS)
    fields = ""
    if layout.phase is not Phase.PLAYING:
        fields += f";setup={layout.phase.value}"
    if layout.tiebreak is not Tiebreak.NONE:
        fields += f";tiebreak={layout.tiebreak.value}"
    return f"{towers} {COLOUR_LETTERS[layout.turn]}{fields}"


def require_cell(name: str) -> str:
    """`name` if the board has a hole of that name.

    Raises: NotationError saying which holes there are.
    """
    return _hole(name, name)


def _hole(cell: str, text: str) -> str:
    if cell in INDEX:
        return cell
    rank = next((row for row in ROWS if row[0][1:] == cell[1:]), None)
    allowed = f"rank {cell[1:]} has {rank[0]} to {rank[-1]}" if rank else "ranks are 1 to 9"
    raise NotationError(f"{text!r}: the board has no hole {cell!r}; {allowed}")


def _row_cells() -> list[str]:
    return [cell for row in ROWS for cell in row]


def _format_tower(layout: Layout, index: int) -> str:
    owner = layout.owners[index]
    return _EMPTY if owner is None else f"{COLOUR_LETTERS[owner]}{layout.heights[index]}"


def _height(tower: str) -> int:
    return 0 if tower == _EMPTY else int(tower[1])


def _owner(tower: str) -> int | None:
    return None if tower == _EMPTY else COLOUR_LETTERS.index(tower[0])


def _parse_ranks(ranks: list[str], text: str, faults: list[str]) -> dict[str, str]:
    """The towers by cell; ranks of a wrong width are left out and become faults."""
    if len(ranks) != len(ROWS):
        faults.append(f"{len(ranks)} ranks, there must be {len(ROWS)}")
        return {}
    towers: dict[str, str] = {}
    unreadable: list[str] = []
    for row, rank in zip(ROWS, ranks, strict=True):
        if len(rank) != 2 * len(row):
            holes = len(row)
            faults.append(
                f"rank {row[0][1]}: {len(rank)} characters, there must be two for each of {holes} holes"
            )
            continue
        for place, cell in enumerate(row):
            towers[cell] = rank[2 * place : 2 * place + 2]
            if not _TOWER.fullmatch(towers[cell]):
                unreadable.append(f"{cell}: {towers[cell]!r}")
    if unreadable:
        raise NotationError(
            f"{text!r}: {', '.join(unreadable)} cannot be read; a hole is -- or r or b and a height"
        )
    return towers


def _parse_fields(text: str, tiebreak: Tiebreak, faults: list[str]) -> tuple[Phase, Tiebreak]:
    phase = Phase.PLAYING
    seen: set[str] = set()
    for field in text.split(";")[1:]:
        key, _, value = field.partition("=")
        if key in seen:
            faults.append(f"{key} is given twice")
        seen.add(key)
        if key == "setup" and value in ("free", "random"):
            phase = Phase(value)
        elif key == "tiebreak" and value in ("none", "fives"):
            tiebreak = Tiebreak(value)
        else:
            faults.append(f"{field}: allowed are setup=free, setup=random, tiebreak=none, tiebreak=fives")
    return phase, tiebreak


def _impossibilities(layout: Layout) -> list[str]:
    """What contradicts the rules in a layout that could be read."""
    faults = [
        f"{cell}: height {height}, allowed are 1 to {MAX_HEIGHT}"
        for cell, height, owner in zip(CELLS, layout.heights, layout.owners, strict=True)
        if owner is not None and not 1 <= height <= MAX_HEIGHT
    ]
    pawns = sum(layout.heights)
    if pawns > PAWNS:
        faults.append(f"{pawns} pawns, there are {PAWNS}")
    for player, name in enumerate(PLAYER_NAMES):
        if layout.owners.count(player) > PAWNS_EACH:
            faults.append(f"{layout.owners.count(player)} {name} towers, there are {PAWNS_EACH} {name} pawns")
    if layout.phase is Phase.PLACING and max(layout.heights) > 1:
        faults.append("setup=free: no hole can hold more than one pawn yet")
    if layout.phase is Phase.PLACING and pawns == PAWNS:
        faults.append(f"setup=free: all {PAWNS} pawns lie already, so the set-up is over")
    if layout.phase is Phase.SHUFFLING and pawns:
        faults.append("setup=random: the board must still be empty")
    return faults

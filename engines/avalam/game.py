"""Avalam as the rest of the house sees it: settings, texts, and what sensors can know of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.avalam import board
from engines.avalam.board import CELLS, COLOUR_LETTERS, INDEX, NEIGHBOURS, PLAYER_NAMES, START_OWNERS
from engines.avalam.layout import Layout, Phase, Tiebreak
from engines.avalam.moves import AvalamMove, Placement, TowerMove
from engines.avalam.notation import format_layout, format_move, parse_layout, parse_move, require_cell
from engines.avalam.position import Position
from engines.base import CellChange, Reason, Setting
from engines.settings import resolve_settings

_EMPTY_HEIGHTS = (0,) * len(CELLS)
_EMPTY_OWNERS = (None,) * len(CELLS)
_START_HEIGHTS = tuple(0 if owner is None else 1 for owner in START_OWNERS)


class AvalamGame:
    """The `BoardGame` of Avalam; player 0 is red, player 1 is black."""

    name = "avalam"
    players = (2, 2)
    player_names = PLAYER_NAMES
    cells = CELLS
    settings = (
        Setting("first", PLAYER_NAMES),
        Setting("tiebreak", tuple(tiebreak.value for tiebreak in Tiebreak)),
        Setting("setup", ("standard", Phase.PLACING.value, Phase.SHUFFLING.value)),
    )

    def initial(self, **settings: str) -> Position:
        """The position in which a game with these settings begins; see `Game.initial`."""
        chosen = resolve_settings(self.name, self.settings, settings)
        first = PLAYER_NAMES.index(chosen["first"])
        tiebreak = Tiebreak(chosen["tiebreak"])
        if chosen["setup"] == "standard":
            return Position(_START_HEIGHTS, START_OWNERS, first, Phase.PLAYING, tiebreak)
        return Position(_EMPTY_HEIGHTS, _EMPTY_OWNERS, first, Phase(chosen["setup"]), tiebreak)

    def parse_move(self, text: str, position: Position) -> AvalamMove:
        """The legal move that `text` means in `position`; see `Game.parse_move`."""
        move = parse_move(text)
        position.require_legal(move)
        return move

    def format_move(self, move: AvalamMove, position: Position) -> str:  # noqa: ARG002 - the text needs no position
        """The text of `move`: `c9d8`, `Rc9`, or the ranks of a shuffled set-up."""
        return format_move(move)

    def display_move(self, move: AvalamMove, position: Position) -> str:
        """The form for people: `c9>d8 (=2)` with the height that a legal move reaches."""
        if not isinstance(move, TowerMove):
            return format_move(move)
        reached = position.heights[INDEX[move.origin]] + position.heights[INDEX[move.target]]
        return f"{move.origin}>{move.target} (={reached})"

    def parse_position(self, text: str, **settings: str) -> Position:
        """The position that `text` describes; `tiebreak` holds where the text does not say.

        The other settings only tell how a game begins, which the text tells itself.

        Raises: NotationError, InvalidPositionError, SettingError.
        """
        chosen = resolve_settings(self.name, self.settings, settings)
        layout = parse_layout(text, Tiebreak(chosen["tiebreak"]))
        return Position(layout.heights, layout.owners, layout.turn, layout.phase, layout.tiebreak)

    def format_position(self, position: Layout) -> str:
        """The text of `position`, with `;setup=` and `;tiebreak=` where they are not at their defaults."""
        return format_layout(position)

    def heights(self, position: Position) -> tuple[int, ...]:
        """How many pawns stand on each cell, in the order of `cells`."""
        return position.heights

    def owners(self, position: Position) -> tuple[int | None, ...]:
        """Who owns each tower, in the order of `cells`; None where the hole is empty."""
        return position.owners

    def changes(self, move: AvalamMove, position: Position) -> tuple[CellChange, ...]:
        """What a legal move changes on the board; the cell the tower leaves comes first.

        Raises: IllegalMoveError.
        """
        position.require_legal(move)
        match move:
            case TowerMove(origin, target):
                moved, there = position.heights[INDEX[origin]], position.heights[INDEX[target]]
                return CellChange(origin, moved, 0), CellChange(target, there, there + moved)
            case Placement(_, cell):
                return (CellChange(cell, 0, 1),)
        filled = (cell for cell, pawn in zip(CELLS, move.pawns, strict=True) if pawn != "-")
        return tuple(CellChange(cell, 0, 1) for cell in filled)

    def refusal(self, position: Position, origin: str, target: str) -> Reason | None:
        """Why the tower on `origin` may not go to `target`, or None if it may.

        In this order: `not_a_move` (nothing to move, the same cell, or a set-up under way),
        `not_adjacent(target)`, `empty_target(target)`, `too_high(moved, there)`.

        Raises: NotationError for a cell that the board does not have.
        """
        return position.refusal(TowerMove(require_cell(origin), require_cell(target)))

    def neighbours(self, cell: str) -> tuple[str, ...]:
        """The cells next to `cell` in all eight directions, sorted.

        Raises: NotationError for a cell that the board does not have.
        """
        return NEIGHBOURS[require_cell(cell)]

    def scores(self, position: Position) -> tuple[int, ...]:
        """The towers owned by red and by black."""
        return position.towers(board.RED), position.towers(board.BLACK)

    def stacks(self, start: Position, moves: Sequence[AvalamMove]) -> Mapping[str, tuple[int | None, ...]]:
        """The colours of the pawns in each tower, bottom first, after `moves` from `start`.

        None stands for a pawn that was covered in `start` already.

        Raises: IllegalMoveError.
        """
        stacks = {
            cell: (None,) * (height - 1) + (owner,)
            for cell, height, owner in zip(CELLS, start.heights, start.owners, strict=True)
            if height
        }
        position = start
        for move in moves:
            position = position.play(move)
            _apply(move, stacks)
        return dict(sorted(stacks.items()))


def _apply(move: AvalamMove, stacks: dict[str, tuple[int | None, ...]]) -> None:
    match move:
        case TowerMove(origin, target):
            stacks[target] += stacks.pop(origin)
        case Placement(pawn, cell):
            stacks[cell] = (COLOUR_LETTERS.index(pawn.lower()),)
        case _:
            letters = zip(CELLS, move.pawns, strict=True)
            stacks.update({cell: (COLOUR_LETTERS.index(pawn),) for cell, pawn in letters if pawn != "-"})

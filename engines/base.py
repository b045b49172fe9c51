"""What every game offers: the protocols `Game` and `Position`, and what they speak of.

Players are numbers from 0 in seat order. A position is an immutable value: hashable, comparable,
and complete for everything that may still happen; `play` gives a new one. Randomness never
happens in here: a deal or a draw is a chance event whose move is drawn outside and then played.

A `BoardGame` is a game whose pieces lie on cells that sensors can watch. It also says what a move
changes cell by cell, as numbers of pieces, which is all that the recogniser ever learns of it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, MutableSequence, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol, TypeVar, runtime_checkable

Move = Hashable
"""A move is a hashable, comparable value of the game's own type; its text comes from the game."""

PositionT = TypeVar("PositionT", bound="Position")


class Termination(Enum):
    """Why a game is over. The first ones come from the rules, the others from the players."""

    NO_MOVES = "no_moves"
    LINE_FULL = "line_full"
    NO_PROGRESS = "no_progress"
    SCORE_REACHED = "score_reached"
    RESIGNATION = "resignation"
    AGREEMENT = "agreement"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended.

    `winners` are the players who share first place: one is a win, several are a draw between them,
    none only when a game was abandoned. `scores` holds one number a player, in seat order.
    """

    termination: Termination
    winners: tuple[int, ...]
    scores: tuple[int, ...]

    @property
    def is_draw(self) -> bool:
        """Whether several players share first place."""
        return len(self.winners) > 1


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is refused: a code of the catalogues and its parameters, e.g. `too_high(4, 2)`."""

    code: str
    params: tuple[str | int, ...] = ()

    def __str__(self) -> str:
        return f"{self.code}({', '.join(map(str, self.params))})" if self.params else self.code


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of a game: its default and all values that are allowed, the default first."""

    name: str
    allowed: tuple[str, ...]

    @property
    def default(self) -> str:
        """The value that holds when nothing is said."""
        return self.allowed[0]


@dataclass(frozen=True, slots=True)
class CellChange:
    """What a move does to one cell, as numbers of pieces standing on it."""

    cell: str
    before: int
    after: int


class RandomSource(Protocol):
    """The part of `random.Random` that chance events draw with; it is always handed in."""

    def shuffle(self, items: MutableSequence[Any], /) -> None:
        """Shuffle `items` in place."""
        ...

    def randrange(self, stop: int, /) -> int:
        """An integer from 0 up to, but without, `stop`."""
        ...


class Chance(Protocol):
    """A chance event that is due: a deal, a draw, a shuffle."""

    @property
    def kind(self) -> str:
        """The word for it: `setup`, `deal`, `draw`."""
        ...

    def sample(self, rng: RandomSource) -> Move:
        """A move drawn with `rng` that can be played, written down and replayed."""
        ...

    def outcomes(self) -> Sequence[Move] | None:
        """All moves it can give, equally likely, or None where they are too many to list."""
        ...


class Position(Protocol):
    """An immutable position of a game."""

    @property
    def player_to_move(self) -> int | None:
        """The player to move; None when the game is over or a chance event is due."""
        ...

    def legal_moves(self, player: int | None = None) -> tuple[Any, ...]:
        """The legal moves of `player` (default: the one to move), sorted; empty when there are none."""
        ...

    def play(self: PositionT, move: Any) -> PositionT:
        """The position after `move`.

        Raises: IllegalMoveError.
        """
        ...

    def outcome(self) -> Outcome | None:
        """The outcome by the rules, or None while the game goes on."""
        ...

    def observation(self, player: int) -> Any:
        """What `player` may see; the position itself where nothing is hidden.

        Raises: EngineError for a player who does not sit in this game.
        """
        ...

    def chance(self) -> Chance | None:
        """The chance event that is due, or None."""
        ...


class Game(Protocol):
    """The rules of one game and its texts."""

    @property
    def name(self) -> str:
        """The name used on the command line and in files, e.g. `avalam`."""
        ...

    @property
    def players(self) -> tuple[int, int]:
        """The fewest and the most players."""
        ...

    @property
    def settings(self) -> tuple[Setting, ...]:
        """All settings, with defaults and allowed values."""
        ...

    def initial(self, **settings: str) -> Any:
        """The position in which a game with these settings begins.

        Raises: SettingError naming what is allowed.
        """
        ...

    def parse_move(self, text: str, position: Any) -> Any:
        """The legal move that `text` means in `position`.

        Raises: NotationError, IllegalMoveError, AmbiguousMoveError.
        """
        ...

    def format_move(self, move: Any, position: Any) -> str:
        """The text of `move`, which `parse_move` reads back."""
        ...

    def display_move(self, move: Any, position: Any) -> str:
        """The form for people, e.g. `c9>d8 (=2)`."""
        ...

    def parse_position(self, text: str, **settings: str) -> Any:
        """The position that `text` describes; `settings` hold where the text says nothing.

        Raises: NotationError, InvalidPositionError, SettingError.
        """
        ...

    def format_position(self, position: Any) -> str:
        """What lies on the board, for people and tests; `parse_position` reads it back."""
        ...


@runtime_checkable
class BoardGame(Game, Protocol):
    """A game for two whose pieces lie on cells that sensors watch."""

    @property
    def player_names(self) -> tuple[str, ...]:
        """Codes of the sides in seat order, e.g. `("red", "black")`."""
        ...

    @property
    def cells(self) -> tuple[str, ...]:
        """The names of all cells, sorted."""
        ...

    def heights(self, position: Any) -> tuple[int, ...]:
        """How many pieces stand on each cell, in the order of `cells`."""
        ...

    def owners(self, position: Any) -> tuple[int | None, ...]:
        """Who owns what stands on each cell, in the order of `cells`; None where it is empty."""
        ...

    def changes(self, move: Any, position: Any) -> tuple[CellChange, ...]:
        """What a legal move changes on the board; the cell the piece leaves comes first."""
        ...

    def refusal(self, position: Any, origin: str, target: str) -> Reason | None:
        """Why what stands on `origin` may not be moved to `target`; None if it may."""
        ...

    def scores(self, position: Any) -> tuple[int, ...]:
        """The score as it stands, one number a player."""
        ...

    def stacks(self, start: Any, moves: Sequence[Any]) -> Mapping[str, tuple[int | None, ...]]:
        """The owners of the pieces on each occupied cell, bottom first, after `moves` from `start`.

        None stands for a piece nobody can know: one that `start` already had covered.
        """
        ...

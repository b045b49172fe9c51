"""The record of one game: its settings, its start and every move, chance included.

It is the whole truth about a game: whatever else is known of it follows by playing it through.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engines.base import BoardGame, Game, Move, Outcome, Position, Reason, Termination
from engines.errors import EngineError, IllegalMoveError, RecordError
from engines.registry import game as game_by_name
from engines.settings import START, resolve_settings, starting_position

FORMAT: Final = "tablier-record/1"
_BY_PLAYERS: Final = (Termination.RESIGNATION, Termination.AGREEMENT, Termination.ABANDONED)


class Record:
    """A game from its start to where it stands; `push` and `pop` change it, nothing else does.

    Every position of the game is kept, so taking moves back gives exactly what was there.
    """

    def __init__(
        self, game: Game, settings: Mapping[str, str] | None = None, start: str | None = None
    ) -> None:
        """A record without moves; `start` is a position text, None the initial position.

        Raises: SettingError, NotationError, InvalidPositionError.
        """
        self._game = game
        self._settings = resolve_settings(game.name, game.settings, settings or {})
        self._start = None if start == START else start
        self._positions: list[Position] = [starting_position(game, self._start, self._settings)]
        self._moves: list[Move] = []
        self._ending: Outcome | None = None

    @classmethod
    def replay(
        cls,
        game: Game,
        moves: Sequence[str],
        settings: Mapping[str, str] | None = None,
        start: str | None = None,
    ) -> Record:
        """The record of a game in which `moves` (texts) were played.

        Raises: RecordError naming the move that cannot be played; the errors of the constructor.
        """
        record = cls(game, settings, start)
        for number, text in enumerate(moves, 1):
            try:
                record.push_text(text)
            except EngineError as error:
                raise RecordError(f"move {number} of {len(moves)}: {error}") from error
        return record

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._game

    @property
    def settings(self) -> dict[str, str]:
        """All settings, also those at their defaults: a default may change, this game does not."""
        return dict(self._settings)

    @property
    def start(self) -> str | None:
        """The text of the position in which the game began; None for the initial one."""
        return self._start

    @property
    def moves(self) -> tuple[Any, ...]:
        """All moves in order, chance included."""
        return tuple(self._moves)

    @property
    def move_texts(self) -> tuple[str, ...]:
        """The texts of `moves`."""
        pairs = zip(self._moves, self._positions, strict=False)
        return tuple(self._game.format_move(move, position) for move, position in pairs)

    @property
    def position(self) -> Any:
        """The position as it stands."""
        return self._positions[-1]

    @property
    def positions(self) -> tuple[Any, ...]:
        """All positions from the start to now: one more than moves."""
        return tuple(self._positions)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, by the players or by the rules; None while it goes on."""
        return self._ending or self.position.outcome()

    @property
    def ending(self) -> Outcome | None:
        """How the players ended the game; None where they did not."""
        return self._ending

    def push(self, move: Any) -> Any:
        """Play `move` and give the position after it.

        Raises: IllegalMoveError, with reason `game_over` after the players ended the game.
        """
        if self._ending is not None:
            text = self._game.format_move(move, self.position)
            raise IllegalMoveError(text, self._game.format_position(self.position), Reason("game_over"))
        position = self.position.play(move)
        self._moves.append(move)
        self._positions.append(position)
        return position

    def push_text(self, text: str) -> Any:
        """Play the move that `text` means and give the position after it.

        Raises: NotationError, IllegalMoveError, AmbiguousMoveError.
        """
        return self.push(self._game.parse_move(text, self.position))

    def pop(self, plies: int = 1) -> tuple[Any, ...]:
        """Take the last `plies` moves back and give them in the order they were played.

        An ending by the players goes with them: it was about a position that is no longer there.

        Raises: RecordError if there are fewer moves, or `plies` is below 1; nothing changes then.
        """
        if not 1 <= plies <= len(self._moves):
            raise RecordError(f"cannot take back {plies} moves; allowed are 1 to {len(self._moves)}")
        taken = tuple(self._moves[-plies:])
        del self._moves[-plies:], self._positions[-plies:]
        self._ending = None
        return taken

    def resign(self, player: int) -> Outcome:
        """End the game: `player` gives up and the other one wins.

        Raises: RecordError if the game is over or `player` does not sit in it.
        """
        scores = self._scores()
        if player not in range(len(scores)):
            raise RecordError(f"player {player} cannot resign; there are players 0 to {len(scores) - 1}")
        winners = tuple(other for other in range(len(scores)) if other != player)
        return self.end(Outcome(Termination.RESIGNATION, winners, scores))

    def agree_draw(self) -> Outcome:
        """End the game as a draw that all players agreed to.

        Raises: RecordError if the game is over.
        """
        scores = self._scores()
        return self.end(Outcome(Termination.AGREEMENT, tuple(range(len(scores))), scores))

    def end(self, outcome: Outcome) -> Outcome:
        """End the game as the players decided.

        Raises: RecordError if the game is over, or `outcome` is one that only the rules can give.
        """
        if self.outcome is not None:
            raise RecordError(f"the game is over already ({self.outcome.termination.value})")
        if outcome.termination not in _BY_PLAYERS:
            allowed = ", ".join(termination.value for termination in _BY_PLAYERS)
            raise RecordError(
                f"players cannot end a game by {outcome.termination.value}; allowed are {allowed}"
            )
        if not set(outcome.winners) <= set(range(len(outcome.scores))):
            raise RecordError(f"winners {outcome.winners} are not all among {len(outcome.scores)} players")
        self._ending = outcome
        return outcome

    def reopen(self) -> None:
        """Withdraw an ending by the players; nothing happens where there is none."""
        self._ending = None

    def to_dict(self) -> dict[str, Any]:
        """JSON-able data from which `from_dict` makes an equal record."""
        return {
            "format": FORMAT,
            "game": self._game.name,
            "settings": self.settings,
            "start": self._start or START,
            "moves": list(self.move_texts),
            "ending": None if self._ending is None else _ending_to_dict(self._ending),
        }

    @classmethod
    def from_dict(cls, data: Any) -> Record:
        """The record that `to_dict` wrote; every move is played through the rules.

        Raises: RecordError saying which key or move is wrong; UnknownGameError, SettingError,
        NotationError, InvalidPositionError.
        """
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            raise RecordError(f"a stored game is an object with format {FORMAT!r}")
        name = _text(data, "game")
        settings, moves = data.get("settings"), data.get("moves")
        if not isinstance(settings, Mapping) or not all(map(_is_text, [*settings, *settings.values()])):
            raise RecordError("settings: must be an object of texts")
        if not isinstance(moves, Sequence) or _is_text(moves) or not all(map(_is_text, moves)):
            raise RecordError("moves: must be a list of texts")
        record = cls.replay(game_by_name(name), moves, settings, _text(data, "start"))
        if data.get("ending") is not None:
            record.end(_ending_from_dict(data["ending"]))
        return record

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]  # a record changes, so it is no key

    def __repr__(self) -> str:
        text = self._game.format_position(self.position)
        return f"<Record of {self._game.name}, {len(self._moves)} moves, {text!r}>"

    def _scores(self) -> tuple[int, ...]:
        """The scores now; only games on a board are ended by their players in this way."""
        if not isinstance(self._game, BoardGame):
            raise RecordError(f"{self._game.name} has no resignation and no draw by agreement")
        return self._game.scores(self.position)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str):
        raise RecordError(f"{key}: must be a text, not {value!r}")
    return value


def _ending_to_dict(ending: Outcome) -> dict[str, Any]:
    return {
        "termination": ending.termination.value,
        "winners": list(ending.winners),
        "scores": list(ending.scores),
    }


def _ending_from_dict(data: Any) -> Outcome:
    try:
        termination = Termination(data["termination"])
        winners, scores = tuple(data["winners"]), tuple(data["scores"])
    except (KeyError, TypeError, ValueError):
        raise RecordError("ending: must have termination, winners and scores") from None
    if not all(type(number) is int for number in winners + scores):
        raise RecordError("ending: winners and scores must be whole numbers")
    return Outcome(termination, winners, scores)

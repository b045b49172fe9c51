"""The only list of the games."""

from __future__ import annotations

from engines.avalam.game import AvalamGame
from engines.base import Game
from engines.errors import UnknownGameError

_GAMES: dict[str, Game] = {entry.name: entry for entry in (AvalamGame(),)}


def game(name: str) -> Game:
    """The game called `name`.

    Raises: UnknownGameError naming the games that exist.
    """
    try:
        return _GAMES[name]
    except KeyError:
        raise UnknownGameError(f"there is no game {name!r}; there are {', '.join(games())}") from None


def games() -> tuple[str, ...]:
    """The names of all games, sorted."""
    return tuple(sorted(_GAMES))

"""The engine's game as the recogniser may see it: nodes, options, heights, refusals.

A node is a position with what the session adds to it: which colour is placed next in a free set-up,
and whether the players have ended the game, so that no move is possible any more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from controller.core.options import Heights, Option
from engines.base import BoardGame, Reason

_CACHED = 400


@dataclass(frozen=True, slots=True)
class Node:
    """A position as the table has it; `placing` is the owner of the next piece from the box, if chosen."""

    position: Any
    placing: int | None = None
    closed: bool = False


class EngineRules:
    """Answers the recogniser for one board game; places are indices of the game's cells."""

    def __init__(self, game: BoardGame) -> None:
        self._game = game
        self._place = {cell: k for k, cell in enumerate(game.cells)}
        self._options: dict[Node, tuple[Option, ...]] = {}

    def heights(self, node: Node) -> Heights:
        """How many pieces stand on each place."""
        return tuple(self._game.heights(node.position))

    def options(self, node: Node) -> tuple[Option, ...]:
        """The moves that hands can make at this node, one for every different change of the board."""
        found = self._options.get(node)
        if found is None:
            if len(self._options) >= _CACHED:
                self._options.clear()
            found = self._options[node] = self._list(node)
        return found

    def _list(self, node: Node) -> tuple[Option, ...]:
        position, game = node.position, self._game
        if node.closed or position.chance() is not None:
            return ()
        moves = position.legal_moves()
        listed = [(move, self._after(move, position)) for move in moves]
        if len({after for _, after in listed}) < len(listed):
            listed = self._distinct(listed, position, self.placing(node))
        return tuple(Option(game.format_move(move, position), after) for move, after in listed)

    def _after(self, move: Any, position: Any) -> tuple[tuple[int, int], ...]:
        return tuple(
            (self._place[change.cell], change.after) for change in self._game.changes(move, position)
        )

    def _distinct(
        self, listed: list[tuple[Any, tuple[tuple[int, int], ...]]], position: Any, wanted: int | None
    ) -> list[tuple[Any, tuple[tuple[int, int], ...]]]:
        """Of moves that change the board alike, only the one that leaves a piece of `wanted`."""
        alike: dict[tuple[tuple[int, int], ...], list[Any]] = {}
        for move, after in listed:
            alike.setdefault(after, []).append(move)
        return [(self._choose(moves, after, position, wanted), after) for after, moves in alike.items()]

    def placing(self, node: Node) -> int | None:
        """Whose piece comes from the box next: the chosen owner, else they alternate with the turn."""
        return node.position.player_to_move if node.placing is None else node.placing

    def _choose(
        self, moves: list[Any], after: tuple[tuple[int, int], ...], position: Any, wanted: int | None
    ) -> Any:
        for move in moves:
            owners = self._game.owners(position.play(move))
            if any(owners[k] == wanted for k, _ in after):
                return move
        return moves[0]

    def play(self, node: Node, key: str) -> Node:
        """The node after a move."""
        position = node.position
        return Node(position.play(self._game.parse_move(key, position)))

    def refusal(self, node: Node, origin: int, target: int) -> Reason:
        """Why what stands on `origin` may not go to `target`."""
        if node.closed or node.position.outcome() is not None:
            return Reason("game_over")
        cells = self._game.cells
        return self._game.refusal(node.position, cells[origin], cells[target]) or Reason("not_a_move")

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
        alike: dict[frozenset[tuple[int, int]], list[Any]] = {}
        for move in position.legal_moves():
            after = frozenset((self._place[c.cell], c.after) for c in game.changes(move, position))
            alike.setdefault(after, []).append(move)
        wanted = self.placing(node)
        return tuple(
            Option(
                game.format_move(self._choose(moves, after, position, wanted), position), tuple(sorted(after))
            )
            for after, moves in alike.items()
        )

    def placing(self, node: Node) -> int | None:
        """Whose piece comes from the box next: the chosen owner, else they alternate with the turn."""
        return node.position.player_to_move if node.placing is None else node.placing

    def _choose(
        self, moves: list[Any], after: frozenset[tuple[int, int]], position: Any, wanted: int | None
    ) -> Any:
        """Of moves that change the board alike, the one that leaves a piece of `wanted`."""
        if len(moves) == 1:
            return moves[0]
        places = [k for k, _ in after]
        for move in moves:
            owners = self._game.owners(position.play(move))
            if any(owners[k] == wanted for k in places):
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

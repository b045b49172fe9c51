"""What the recogniser knows of a game: positions as opaque nodes, and what moves change on the board.

The recogniser never sees a rule. It is handed a `Rules` object that answers for the game: which
moves are legal at a node, how many pieces each leaves on which place, and why something else is not
a move. Places are numbers: the index of a cell in the order of a frame's values.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Node = Hashable
Heights = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """A legal move: its text and what it leaves on the places it changes, as (place, pieces)."""

    key: str
    after: tuple[tuple[int, int], ...]


class Rules(Protocol):
    """The game as far as hands on a board are concerned."""

    def heights(self, node: Any) -> Heights:
        """How many pieces stand on each place."""
        ...

    def options(self, node: Any) -> Sequence[Option]:
        """The legal moves at this node that hands can make."""
        ...

    def play(self, node: Any, key: str) -> Any:
        """The node after one of its options."""
        ...

    def refusal(self, node: Any, origin: int, target: int) -> Any:
        """Why what stands on `origin` may not go to `target`, as a reason code of the catalogues."""
        ...

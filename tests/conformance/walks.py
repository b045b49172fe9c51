"""Random games of every registered game under every setting: what the conformance laws are tried on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random

from engines.base import BoardGame, Game, Position
from engines.record import Record
from engines.registry import game, games

MAX_PLIES = 5_000
SEEDS = (1, 2)


@dataclass(frozen=True)
class Walk:
    """A game to walk through: its name, one setting off its default or none, and a seed."""

    name: str
    setting: tuple[str, str] | None
    seed: int

    def __str__(self) -> str:
        variant = "=".join(self.setting) if self.setting else "default"
        return f"{self.name}-{variant}-{self.seed}"

    @property
    def game(self) -> Game:
        return game(self.name)

    @property
    def record(self) -> Record:
        return _walked(self)

    def pairs(self) -> list[tuple[Position, object]]:
        """Each position with the move played in it."""
        return list(zip(self.record.positions, self.record.moves, strict=False))


def variants(name: str) -> list[tuple[str, str] | None]:
    """No setting touched, then each single value that is not a default."""
    return [None, *((s.name, value) for s in game(name).settings for value in s.allowed[1:])]


WALKS = [Walk(name, variant, seed) for name in games() for variant in variants(name) for seed in SEEDS]
BOARD_WALKS = [walk for walk in WALKS if isinstance(walk.game, BoardGame)]


def next_move(position: Position, rng: Random) -> object | None:
    """A random move, drawn by chance where chance is due; None when there is none."""
    chance = position.chance()
    if chance is not None:
        return chance.sample(rng)
    moves = position.legal_moves()
    return moves[rng.randrange(len(moves))] if moves else None


def seats(game_: Game, position: Position) -> list[int]:
    """The players who sit in this game: those who may observe it."""
    sitting = []
    for player in range(game_.players[1]):
        try:
            position.observation(player)
        except ValueError:
            break
        sitting.append(player)
    return sitting


@cache
def _walked(walk: Walk) -> Record:
    rng = Random(walk.seed)
    record = Record(walk.game, dict([walk.setting] if walk.setting else []))
    for _ in range(MAX_PLIES):
        move = next_move(record.position, rng)
        if move is None:
            break
        record.push(move)
    return record

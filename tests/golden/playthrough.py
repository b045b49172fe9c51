"""Golden playthroughs: whole games written down so that a person can read what the rules said each ply."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from engines.base import BoardGame, Outcome
from engines.record import Record
from engines.registry import game, games
from engines.settings import parse_assignments
from tests.conformance.walks import MAX_PLIES, next_move, variants

FOLDER = Path(__file__).parent / "playthroughs"
SEED = 20_261
HEADER = "# Replayed line by line by the tests. Made by: python -m tests.golden.regenerate playthroughs"


def render(record: Record) -> str:
    """The text of a playthrough: settings, then each position with its legal moves and the one played."""
    settings = " ".join(f"{name}={value}" for name, value in record.settings.items())
    lines = [HEADER, f"game {record.game.name}", f"settings {settings}"]
    for ply, position in enumerate(record.positions):
        lines += ["", f"ply {ply}", *_describe(record, position)]
        if ply < len(record.moves):
            move = record.moves[ply]
            lines.append(f"move {record.game.format_move(move, position)}")
            lines.append(f"shown {record.game.display_move(move, position)}")
    return "\n".join(lines) + "\n"


def read_record(text: str) -> Record:
    """The game that a playthrough tells of, its moves played anew."""
    lines = [line.partition(" ") for line in text.splitlines()]
    name = next(rest for key, _, rest in lines if key == "game")
    settings = next(rest for key, _, rest in lines if key == "settings")
    moves = [rest for key, _, rest in lines if key == "move"]
    return Record.replay(game(name), moves, parse_assignments(settings.split()))


def generate() -> Iterator[tuple[Path, str]]:
    """A random game of every registered game for its defaults and for each other value of a setting."""
    for name in games():
        for variant in variants(name):
            suffix = "-".join(variant) if variant else "default"
            yield (
                FOLDER / f"{name}-{suffix}.txt",
                render(_random_game(name, dict([variant] if variant else []))),
            )


def _random_game(name: str, settings: dict[str, str]) -> Record:
    rng = Random(SEED)
    record = Record(game(name), settings)
    for _ in range(MAX_PLIES):
        move = next_move(record.position, rng)
        if move is None:
            break
        record.push(move)
    return record


def _describe(record: Record, position: Any) -> Iterator[str]:
    yield f"position {record.game.format_position(position)}"
    if isinstance(record.game, BoardGame):
        yield f"scores {_numbers(record.game.scores(position))}"
    chance, outcome = position.chance(), position.outcome()
    if chance is not None:
        yield f"chance {chance.kind}"
    elif outcome is not None:
        yield _describe_outcome(outcome)
    else:
        moves = position.legal_moves()
        texts = ", ".join(record.game.format_move(move, position) for move in moves)
        yield f"player {position.player_to_move}, {len(moves)} moves: {texts}"


def _describe_outcome(outcome: Outcome) -> str:
    winners, scores = _numbers(outcome.winners), _numbers(outcome.scores)
    return f"outcome {outcome.termination.value}; winners {winners}; scores {scores}"


def _numbers(values: tuple[int, ...]) -> str:
    return " ".join(map(str, values))
